"""Build small Debian packages and the index of a repository, with dpkg-deb."""

from __future__ import annotations

import gzip
import hashlib
import subprocess
import tempfile
from pathlib import Path
from typing import Any

RELATIONS = ("Depends", "Conflicts", "Provides")


def build(about: dict[str, Any], folder: Path) -> Path:
    """Make one package in a folder and return its file.

    Keys: name, version, files (text by path), conffiles, scripts (shell by name), depends, conflicts, provides.
    """
    name, version = about["name"], str(about.get("version", "1.0"))
    deb = folder / f"{name}_{version.replace(':', '%3a')}_all.deb"
    fields = {
        "Package": name,
        "Version": version,
        "Architecture": "all",
        "Maintainer": "Rig <rig@example.test>",
    }
    fields |= {
        relation: about[relation.lower()] for relation in RELATIONS if relation.lower() in about
    }
    fields["Description"] = f"test package {name}\n Made by the apply rig."
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        tree = Path(scratch)
        tree.chmod(0o755)
        for path, text in about.get(
            "files", {f"/usr/share/{name}/version": f"{version}\n"}
        ).items():
            add(tree / path.strip("/"), text)
        add(tree / "DEBIAN/control", "".join(f"{key}: {value}\n" for key, value in fields.items()))
        if "conffiles" in about:
            add(tree / "DEBIAN/conffiles", "".join(f"{path}\n" for path in about["conffiles"]))
        for script, text in about.get("scripts", {}).items():
            add(tree / "DEBIAN" / script, f"#!/bin/sh\nset -e\n{text}", mode=0o755)
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, deb],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    return deb


def add(path: Path, text: str, mode: int = 0o644) -> None:
    """Write one file of a package, and its folders."""
    for folder in reversed(path.parents):
        if not folder.exists():
            folder.mkdir()
            folder.chmod(0o755)
    path.write_text(text, "utf-8")
    path.chmod(mode)


def index(repository: Path) -> None:
    """Write the lists of packages that apt reads."""
    text = ""
    for deb in sorted(repository.glob("*.deb")):
        control = subprocess.run(
            ["dpkg-deb", "--field", deb], capture_output=True, text=True, check=True
        )
        content = deb.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        text += (
            f"{control.stdout}Filename: ./{deb.name}\nSize: {len(content)}\nSHA256: {digest}\n\n"
        )
    (repository / "Packages").write_text(text)
    (repository / "Packages.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
