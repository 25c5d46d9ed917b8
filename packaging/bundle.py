"""The directory that all packages install: bunraku with its dependencies, for several versions of Python.

It is a virtual environment without an own Python: ``pyvenv.cfg`` and ``bin/python3`` lead to the system's, whichever
version that is. ``lib/pure`` has what is written in Python, ``lib/cp3xx`` and ``lib/abi3`` what is compiled.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
SOURCE = HERE.parent
LOCK = HERE / "requirements.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
GLIBC = ("2_28", "2_17", "2_12", "2_5")
"""The versions of glibc that wheels may ask for: Debian 10, RHEL 8 and all later systems have them."""
EXTRAS = ("dnspython", "h11", "msgpack", "prompt_toolkit", "uvicorn>=0.54,<0.55", "cryptography")
"""What extras of pyproject.toml need: server, eyaml, srv, repl."""
LAUNCHER = """\
#!{python} -P
import sys

from bunraku.cli.main import main

sys.exit(main())
"""


class Wheel(NamedTuple):
    """A wheel: its file, the name and version of its package, and its tag for the Python and the ABI."""

    path: Path
    name: str
    version: str
    place: str

    @classmethod
    def of(cls, path: Path) -> Wheel:
        """Return the wheel of a file, from its name."""
        name, version, *_, python, abi, platform = path.stem.split("-")
        place = "pure" if platform == "any" else "abi3" if abi == "abi3" else python
        return cls(path, re.sub(r"[-_.]+", "-", name).lower(), version, place)


def run(*words: object, **variables: str) -> None:
    """Run a program; its failure is that of the build."""
    subprocess.run([str(word) for word in words], check=True, env={**os.environ, **variables})


# -- wheels ------------------------------------------------------------------------------------------


def build_wheel(source: Path, target: Path) -> Path:
    """Build the wheel of a source tree, with the build backend of this environment."""
    with_backend = ("--no-deps", "--no-build-isolation", "--wheel-dir", target)
    run(sys.executable, "-m", "pip", "wheel", "--quiet", *with_backend, source)
    return next(target.glob("bunraku-*.whl"))


def build_sdist(source: Path, target: Path) -> Path:
    """Build the source distribution of a source tree."""
    code = "import sys; from hatchling.build import build_sdist; build_sdist(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", code, str(target)], check=True, cwd=source, stdout=subprocess.DEVNULL
    )
    return next(target.glob("bunraku-*.tar.gz"))


def platform_options(machine: str) -> list[str]:
    """Return pip's options for the wheels of a machine, such as ``x86_64``."""
    names = [f"manylinux_{glibc}_{machine}" for glibc in GLIBC] + [f"manylinux2014_{machine}"]
    return [word for name in names for word in ("--platform", name)]


def download(
    target: Path, machine: str, requirements: Sequence[str], version: str, *options: str
) -> None:
    """Download wheels for a version of Python."""
    wanted = ("--only-binary", ":all:", "--implementation", "cp", "--python-version", version)
    where = ("--dest", target, *platform_options(machine), *options)
    run(sys.executable, "-m", "pip", "download", "-qqq", *wanted, *where, *requirements)


def locked_wheels(target: Path, machine: str) -> list[Wheel]:
    """Download the wheels of the lock for all versions of Python; their digests are checked."""
    for version in PYTHONS:
        locked = ("--require-hashes", "--no-deps", "--requirement", str(LOCK))
        download(target, machine, locked, version)
    return sorted(Wheel.of(path) for path in target.glob("*.whl"))


# -- the directory -----------------------------------------------------------------------------------


def make_bundle(target: Path, wheels: Sequence[Wheel], prefix: str) -> None:
    """Make the directory; ``prefix`` is where it will be installed."""
    for wheel in wheels:
        unpack(wheel, target / "lib" / wheel.place)
    for version in PYTHONS:
        packages = target / "lib" / f"python{version}" / "site-packages"
        packages.mkdir(parents=True)
        places = ("pure", f"cp{version.replace('.', '')}", "abi3")
        (packages / "bunraku.pth").write_text("".join(f"../../{place}\n" for place in places))
    (target / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = true\n")
    programs = target / "bin"
    programs.mkdir()
    (programs / "python3").symlink_to("/usr/bin/python3")
    (programs / "bunraku").write_text(LAUNCHER.format(python=f"{prefix}/bin/python3"))
    (programs / "bunraku").chmod(0o755)


def unpack(wheel: Wheel, target: Path) -> None:
    """Unpack a wheel without the parts for other places than the packages, and without its record."""
    with zipfile.ZipFile(wheel.path) as archive:
        for entry in archive.infolist():
            top = entry.filename.partition("/")[0]
            if top.endswith(".data") or entry.filename.endswith((".dist-info/RECORD", "/")):
                continue
            path = target / entry.filename
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(entry))


def settle(directory: Path, moment: int) -> None:
    """Give all files of a tree plain modes and one time, so that two builds are equal."""
    for path in sorted(files_below(directory), reverse=True):
        if not path.is_symlink():
            runs = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if runs else 0o644)
        os.utime(path, (moment, moment), follow_symlinks=False)


def files_below(directory: Path) -> Iterator[Path]:
    """Yield a directory and all that is in it."""
    yield directory
    yield from directory.rglob("*")


def source_moment(source: Path) -> int:
    """Return the time of the build: ``SOURCE_DATE_EPOCH``, else that of the last commit."""
    found = os.environ.get("SOURCE_DATE_EPOCH")
    if found:
        return int(found)
    command = ["git", "-C", str(source), "log", "-1", "--format=%ct"]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def fresh(directory: Path) -> Path:
    """Return a directory that is empty."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return directory
