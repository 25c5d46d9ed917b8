"""A question about a module: a batch request, and the part of the corpus that it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.syntax import nodes
from rigs.modules.corpus import Module
from rigs.sites.machines import facts
from rigs.sites.values import Inventor

FOLDERS = ("vardir", "confdir", "codedir", "ssldir", "cadir", "logdir", "rundir")
# Packages of Puppet have other defaults for folders.
SETTINGS = {
    "strict": "warning",
    "strict_variables": False,
    **{name: f"/tmp/corpus/{name}" for name in FOLDERS},
}
TIMEOUT = 60
HOST = "corpus.example.org"
FAMILIES = {
    "Debian": "debian-12",
    "Ubuntu": "ubuntu-22",
    "RedHat": "redhat-8",
    "AlmaLinux": "redhat-9",
    "Rocky": "redhat-9",
    "OracleLinux": "redhat-8",
    "CentOS": "redhat-7",
    "Darwin": "darwin-23",
}


@dataclass(frozen=True)
class Question:
    """A request with its ``part`` (``class``, ``function``, …) and a label that is unique in its module."""

    part: str
    label: str
    request: Mapping[str, Any]

    @property
    def modulepath(self) -> str:
        """The folder with the module and its dependencies."""
        return str(self.request["modulepath"][0])


@dataclass(frozen=True)
class Subject:
    """A module in its environment, and the type aliases that are known there."""

    module: Module
    modulepath: Path
    inventor: Inventor

    def question(self, part: str, label: str, code: str, system: str = "debian-12") -> Question:
        """Return the question of a manifest."""
        request = {
            "id": f"{self.module.label} {part} {label}",
            "code": code,
            "node": HOST,
            "facts": facts(system, HOST, {}),
            "modulepath": [str(self.modulepath)],
            "settings": SETTINGS,
            "timeout": TIMEOUT,
        }
        return Question(part, label, request)

    def systems(self) -> list[str]:
        """Return three systems, those of the module's metadata first."""
        named = [FAMILIES[one] for one in self.module.systems if one in FAMILIES]
        return list(dict.fromkeys([*named, "debian-12", "redhat-9", "ubuntu-22"]))[:3]


def definitions(folder: Path) -> Iterator[nodes.Node]:
    """Yield the definitions in the manifests of a folder; files that do not parse have none."""
    dialect = dialect_named("8", "puppet")
    for path in sorted(folder.rglob("*.pp")):
        if path.is_file():
            text = path.read_bytes().decode("utf-8", "surrogateescape")
            yield from dialect.parse(Source(text, str(path))).program.definitions


def type_of(text: str) -> nodes.Expression | None:
    """Return the tree of a type expression; None if it does not parse."""
    program = dialect_named("8", "puppet").parse(Source(f"type Corpus = {text}", None)).program
    found = [one for one in program.definitions if isinstance(one, nodes.TypeAlias)]
    return found[0].type if found else None


def aliases(folders: list[Path]) -> dict[str, nodes.Expression]:
    """Return the type aliases of some modules by their names in lower case."""
    found = {}
    for folder in folders:
        for one in definitions(folder / "types"):
            if isinstance(one, nodes.TypeAlias):
                found[one.name.lower().removeprefix("::")] = one.type
    return found


def subject(module: Module, modulepath: Path, chosen: list[Module], seed: int = 0) -> Subject:
    """Return a module as the subject of questions; each seed generates other values."""
    known = aliases([one.folder for one in chosen])
    return Subject(module, modulepath, Inventor(known, seed))
