"""Write packaging/requirements.txt: the dependencies of the packages with versions and digests."""

from __future__ import annotations

import hashlib
import sys
import tempfile
import tomllib
from pathlib import Path

from bundle import EXTRAS, LOCK, PYTHONS, SOURCE, Wheel, download

MACHINES = ("x86_64",)
"""Those for which each dependency has wheels; onigurumacffi has none for aarch64."""
HEAD = """\
# The dependencies of the packages that `make packages` builds. Written by packaging/lock.py; not for pip install.
"""


def main() -> int:
    """Resolve the dependencies for each version of Python and each machine, and write the lock."""
    with (SOURCE / "pyproject.toml").open("rb") as file:
        wanted = tomllib.load(file)["project"]["dependencies"]
    digests: dict[tuple[str, str], set[str]] = {}
    for machine in MACHINES:
        for version in PYTHONS:
            with tempfile.TemporaryDirectory() as name:
                download(Path(name), machine, [*wanted, *EXTRAS], version)
                for path in Path(name).glob("*.whl"):
                    wheel = Wheel.of(path)
                    key = wheel.name, wheel.version
                    found = hashlib.sha256(path.read_bytes()).hexdigest()
                    digests.setdefault(key, set()).add(found)
    lines = [HEAD]
    for (name, version), hashes in sorted(digests.items()):
        lines.append(f"{name}=={version}")
        lines[-1] += "".join(f" \\\n    --hash=sha256:{one}" for one in sorted(hashes)) + "\n"
    LOCK.write_text("".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
