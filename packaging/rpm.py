"""The rpm, of the files of the Debian package: ``packaging/rpm.py FILE.deb FOLDER``.

rpmbuild must be installed; Debian's package ``rpm`` has it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SPEC = Path(__file__).parent / "bunraku.spec"
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


def build_rpm(deb: Path, target: Path) -> Path | None:
    """Build the rpm of a Debian package; return None where rpmbuild is missing.

    The order of versions is the same: ``~`` sorts before the end in both.
    """
    if shutil.which("rpmbuild") is None:
        return None
    _, version, architecture = deb.stem.split("_") if "_" in deb.stem else ("", "0.0.1", "amd64")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        tree, top = Path(name) / "tree", Path("/tmp/bunraku-rpmbuild")
        subprocess.run(["dpkg-deb", "-x", str(deb), str(tree)], check=True)
        moment = int((tree / "usr/share/doc/bunraku/copyright").stat().st_mtime)
        defined = {
            "_topdir": top,
            "_rpmdir": target,
            "_rpmfilename": "%{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm",
            "bunraku_version": version,
            "bunraku_tree": tree,
            "_buildhost": "localhost",
            "use_source_date_epoch_as_buildtime": 1,
            "clamp_mtime_to_source_date_epoch": 1,
            "_binary_payload": "w9.gzdio",
        }
        options = [
            word for name, value in defined.items() for word in ("--define", f"{name} {value}")
        ]
        command = ["rpmbuild", "--quiet", "-bb", "--target", MACHINES[architecture], *options]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment)}
        subprocess.run([*command, str(SPEC)], check=True, env=environment)
        shutil.rmtree(top)
    return next(target.glob("*.rpm"))


if __name__ == "__main__":
    found = build_rpm(Path(sys.argv[1]), Path(sys.argv[2]))
    sys.exit(None if found is not None else "rpmbuild is missing (apt-get install rpm)")
