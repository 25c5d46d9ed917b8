"""Images for containers in the layout of the Open Container Initiative, written without a container program.

The first layer is a Debian root that mmdebstrap makes, the second has bunraku. The user of the image is not root.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bundle import files_below, run

RELEASE = "bookworm"
PLAIN = ("ca-certificates", "git", "python3")
COMPLETE = (*PLAIN, "facterdb", "ruby")
"""With Ruby for code of modules that bunraku cannot translate, and the fact sets of FacterDB."""
USER = "1000:1000"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def debian_root(target: Path, packages: Sequence[str], moment: int) -> Path:
    """Make the tar file of a Debian root; needs root, and mmdebstrap."""
    file = target / "root.tar"
    removed = "rm -rf $1/var/cache/apt/* $1/var/lib/apt/lists/* $1/var/log/* $1/var/cache/ldconfig/aux-cache"
    options = [
        "--variant=minbase",
        f"--include={','.join(packages)}",
        f"--customize-hook={removed}",
    ]
    options += [
        "--dpkgopt=path-exclude=/usr/share/man/*",
        "--dpkgopt=path-exclude=/usr/share/locale/*",
    ]
    options += ['--aptopt=Acquire::Check-Valid-Until "false"']
    run("mmdebstrap", *options, RELEASE, file, SOURCE_DATE_EPOCH=str(moment))
    return file


def tar_of(tree: Path, moment: int) -> bytes:
    """Return the layer with bunraku and the user that runs it."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(files_below(tree)):
            if path == tree:
                continue
            found = archive.gettarinfo(path, str(path.relative_to(tree)))
            found.uid = found.gid = 0
            found.uname = found.gname = "root"
            found.mtime = moment
            with path.open("rb") if found.isreg() else io.BytesIO() as file:
                archive.addfile(found, file)
        work = tarfile.TarInfo("work")
        work.type, work.mode, work.mtime = tarfile.DIRTYPE, 0o755, moment
        work.uid = work.gid = int(USER.partition(":")[0])
        archive.addfile(work)
    return content.getvalue()


class Layout:
    """The directory of an image: its blobs by digest."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (directory / "blobs/sha256").mkdir(parents=True)
        (directory / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')

    def add(self, content: bytes, kind: str) -> dict[str, Any]:
        """Add a blob and return its descriptor."""
        digest = hashlib.sha256(content).hexdigest()
        (self.directory / "blobs/sha256" / digest).write_bytes(content)
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}

    def add_data(self, data: Any, kind: str) -> dict[str, Any]:
        """Add JSON and return its descriptor."""
        return self.add(json.dumps(data, sort_keys=True).encode(), kind)


def configuration(layers: Sequence[bytes], machine: str, version: str, moment: int) -> Any:
    """Return the configuration of the image."""
    created = datetime.fromtimestamp(moment, UTC).isoformat()
    variables = [
        "PATH=/usr/local/bin:/usr/bin:/bin",
        "XDG_CACHE_HOME=/tmp/cache",
        "HOME=/tmp",
        "LANG=C.UTF-8",
    ]
    # Repositories that are mounted belong to the user of the host.
    variables += ["GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"]
    return {
        "created": created,
        "architecture": ARCHITECTURES[machine],
        "os": "linux",
        "config": {
            "User": USER,
            "Env": variables,
            "Entrypoint": ["/usr/bin/bunraku"],
            "Cmd": ["ci"],
            "WorkingDir": "/work",
            "Labels": {
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.licenses": "Apache-2.0",
            },
        },
        "rootfs": {
            "type": "layers",
            "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers],
        },
        "history": [{"created": created, "created_by": "packaging/image.py"} for _ in layers],
    }


def write_image(
    layers: Sequence[bytes], machine: str, version: str, target: Path, name: str, moment: int
) -> Path:
    """Write the layers as one archive, which podman and skopeo read as ``oci-archive:FILE``."""
    directory = target / name
    layout = Layout(directory)
    found = [layout.add(gzip.compress(layer, 6, mtime=0), LAYER) for layer in layers]
    config = layout.add_data(configuration(layers, machine, version, moment), CONFIG)
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": found}
    described = layout.add_data(manifest, MANIFEST)
    described["annotations"] = {"org.opencontainers.image.ref.name": version}
    index = {"schemaVersion": 2, "manifests": [described]}
    (directory / "index.json").write_text(json.dumps(index, sort_keys=True))
    archive = target / f"{name}.oci.tar"
    write_tar(directory, archive, moment)
    shutil.rmtree(directory)
    return archive


def write_tar(directory: Path, target: Path, moment: int) -> None:
    """Write the files of a directory as a tar file that is the same each time."""
    with tarfile.open(target, "w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(files_below(directory)):
            if path.is_file():
                found = tarfile.TarInfo(str(path.relative_to(directory)))
                found.size, found.mtime = path.stat().st_size, moment
                with path.open("rb") as file:
                    archive.addfile(found, file)


def build_images(
    tree: Path,
    machine: str,
    version: str,
    target: Path,
    moment: int,
    root: Callable[[Path, Sequence[str], int], Path] = debian_root,
) -> list[Path]:
    """Build both images; return nothing where mmdebstrap is missing."""
    if shutil.which("mmdebstrap") is None:
        return []
    own = tar_of(tree, moment)
    found = []
    for name, packages in (("bunraku", PLAIN), ("bunraku-complete", COMPLETE)):
        base = root(target, packages, moment)
        layers = [base.read_bytes(), own]
        base.unlink()
        found.append(write_image(layers, machine, version, target, name, moment))
    return found


def layers_of(image: Path) -> list[bytes]:
    """Return the layers of an image; their digests are checked."""
    with tarfile.open(image) as archive:

        def blob(descriptor: Any) -> bytes:
            digest = descriptor["digest"].removeprefix("sha256:")
            file = archive.extractfile(f"blobs/sha256/{digest}")
            content = b"" if file is None else file.read()
            assert hashlib.sha256(content).hexdigest() == digest
            return content

        index = json.load(archive.extractfile("index.json") or io.BytesIO())
        manifest = json.loads(blob(index["manifests"][0]))
        config = json.loads(blob(manifest["config"]))
        layers = [gzip.decompress(blob(layer)) for layer in manifest["layers"]]
    digests = [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers]
    assert config["rootfs"]["diff_ids"] == digests
    return layers


def unpack_image(image: Path, target: Path) -> None:
    """Unpack the layers of an image, one over the other, as a container program does."""
    for layer in layers_of(image):
        subprocess.run(["tar", "-x", "-C", str(target)], input=layer, check=True)
