"""The files that the Debian package and the rpm install, below a directory that stands for ``/``."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from bundle import HERE, SOURCE, Wheel, make_bundle, settle

PREFIX = "/opt/bunraku"
UNITS = SOURCE / "src/bunraku/administration/units"
COMPLETION = {
    "bash": "usr/share/bash-completion/completions/bunraku",
    "zsh": "usr/share/zsh/vendor-completions/_bunraku",
    "fish": "usr/share/fish/vendor_completions.d/bunraku.fish",
}


def make_tree(top: Path, wheels: Sequence[Wheel], moment: int) -> None:
    """Make all files of a package."""
    make_bundle(top / PREFIX[1:], wheels, PREFIX)
    programs = top / "usr/bin"
    programs.mkdir(parents=True)
    (programs / "bunraku").symlink_to(f"{PREFIX}/bin/bunraku")
    add_pages(top / "usr/share/man/man1")
    add_completion(top)
    copy_all(UNITS, top / "usr/lib/systemd/system", (".service", ".timer", ".socket"))
    copy_all(HERE / "systemd", top / "usr/lib/sysusers.d", (".sysusers",), ".conf")
    copy_all(HERE / "systemd", top / PREFIX[1:] / "share", (".conf",))
    copy_all(HERE / "systemd", top / "usr/lib/tmpfiles.d", (".tmpfiles",), ".conf")
    documents = top / "usr/share/doc/bunraku"
    documents.mkdir(parents=True)
    shutil.copy(SOURCE / "LICENSE", documents / "copyright")
    shutil.copy(SOURCE / "docs/packages.md", documents / "packages.md")
    settle(top, moment)


def add_pages(target: Path) -> None:
    """Add the manual pages, compressed without names and times."""
    target.mkdir(parents=True)
    for page in sorted((SOURCE / "docs/man").glob("*.1")):
        (target / f"{page.name}.gz").write_bytes(gzip.compress(page.read_bytes(), 9, mtime=0))


def add_completion(top: Path) -> None:
    """Add the scripts for completion, which the new program prints."""
    package = top / PREFIX[1:] / "lib" / "pure"
    for shell, name in COMPLETION.items():
        path = top / name
        path.parent.mkdir(parents=True)
        code = f"import sys; from bunraku.cli.main import main; sys.exit(main(['completion', {shell!r}]))"
        environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [shutil.which("python3") or "python3", "-c", code]
        done = subprocess.run(command, check=True, capture_output=True, env=environment)
        path.write_bytes(done.stdout)


def copy_all(source: Path, target: Path, endings: Sequence[str], new_ending: str = "") -> None:
    """Copy the files with some endings; ``new_ending`` replaces the ending."""
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.iterdir()):
        if path.suffix in endings:
            shutil.copy(path, target / (path.stem + new_ending if new_ending else path.name))
