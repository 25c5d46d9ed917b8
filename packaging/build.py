"""Build the packages of a commit or tag into ``dist/``: ``make packages``.

Two builds of one commit are equal byte for byte. Times are ``SOURCE_DATE_EPOCH``, or that of the commit.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bundle import (
    SOURCE,
    Wheel,
    build_sdist,
    build_wheel,
    files_below,
    locked_wheels,
    make_bundle,
    settle,
    source_moment,
)
from debian import build_deb
from image import build_images
from rpm import build_rpm
from sbom import bill_of_materials, checksums
from single_file import build_single_file
from tree import PREFIX, make_tree

KINDS = ("python", "pyz", "deb", "rpm", "image")


def main() -> int:
    """Build the packages that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", help=f"of {', '.join(KINDS)} (default: all but image)")
    parser.add_argument("--output", type=Path, default=SOURCE / "dist")
    parser.add_argument("--source", type=Path, help="a source tree (default: the last commit)")
    options = parser.parse_args()
    kinds = options.kinds or [kind for kind in KINDS if kind != "image"]
    if not set(kinds) <= set(KINDS):
        parser.error(f"kinds are {', '.join(KINDS)}")
    options.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        source = options.source or committed(work / "source")
        built = build(kinds, source, work, options.output.resolve(), source_moment(SOURCE))
    for file in built:
        print(f"{file.stat().st_size:>12,}  {file.name}")
    return 0


def committed(target: Path) -> Path:
    """Return the tree of the last commit, as the archive of a code host: without ``.git``."""
    target.mkdir()
    archive = subprocess.run(
        ["git", "-C", str(SOURCE), "archive", "HEAD"], check=True, capture_output=True
    )
    subprocess.run(["tar", "-x", "-C", str(target)], input=archive.stdout, check=True)
    return target


def build(kinds: list[str], source: Path, work: Path, output: Path, moment: int) -> list[Path]:
    """Build packages of some kinds, with their bill of materials and checksums."""
    os.environ["SOURCE_DATE_EPOCH"] = str(moment)
    machine = platform.machine()
    downloads = work / "wheels"
    downloads.mkdir()
    own = build_wheel(source, downloads)
    version = Wheel.of(own).version
    built = []
    if "python" in kinds:
        built += [Path(shutil.copy(own, output)), build_sdist(source, output)]
    if {"pyz", "deb", "rpm", "image"} & set(kinds):
        wheels = locked_wheels(downloads, machine)
        built += build_whole(kinds, wheels, version, work, output, moment)
        bill = output / f"bunraku-{version}.cdx.json"
        bill.write_bytes(bill_of_materials(wheels, moment))
        built.append(bill)
    sums = output / "SHA256SUMS"
    sums.write_text(checksums(sorted(built)))
    return [*built, sums]


def build_whole(
    kinds: list[str], wheels: list[Wheel], version: str, work: Path, output: Path, moment: int
) -> list[Path]:
    """Build the packages that bring the dependencies."""
    machine = platform.machine()
    built = []
    if "pyz" in kinds:
        bundle = work / "bundle"
        make_bundle(bundle, wheels, PREFIX)
        settle(bundle, moment)
        built.append(build_single_file(bundle, digest_of(bundle), output, moment))
    tree = work / "tree"
    make_tree(tree, wheels, moment)
    if {"deb", "rpm"} & set(kinds):
        built.append(build_deb(tree, version, machine, output, moment))
    if "rpm" in kinds:
        rpm = build_rpm(built[-1], output)
        if rpm is None:
            print("no rpm: rpmbuild is missing (apt-get install rpm)", file=sys.stderr)
        else:
            built.append(rpm)
    if "image" in kinds:
        built += build_images(tree, machine, version, output, moment)
    return built


def digest_of(bundle: Path) -> str:
    """Return a digest of the names and contents of all files."""
    digest = hashlib.sha256()
    for path in sorted(files_below(bundle)):
        if path.is_file():
            digest.update(f"{path.relative_to(bundle)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
