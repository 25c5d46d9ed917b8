"""Read a case: the initial state of a machine, a manifest, and how it is applied."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml


@dataclass
class Run:
    """One run of a case; missing values are those of the case."""

    manifest: str = ""
    options: list[str] = field(default_factory=list)
    before: str = ""
    """A script that runs first; its effects are not recorded."""
    detailed: bool = True
    """Whether the run has --detailed-exitcodes."""


@dataclass
class Case:
    """The content of a file in ``tests/apply/cases``; ``tests/apply/README.md`` explains the keys."""

    name: str
    title: str
    topic: str
    manifest: str
    about: str = ""
    files: dict[str, Any] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    uses: list[str] = field(default_factory=list)
    foreign: dict[str, list[str]] = field(default_factory=dict)
    """Modules that Debian lacks, with the native types of each that the manifest uses."""
    packages: list[str] = field(default_factory=list)
    """Debian's packages that the root has besides those of every root."""
    debs: list[dict[str, Any]] = field(default_factory=list)
    units: list[dict[str, Any]] = field(default_factory=list)
    systemd: bool = False
    shell: str = ""
    options: list[str] = field(default_factory=list)
    bunraku_options: list[str] = field(default_factory=list)
    """Options that only bunraku gets, in each run."""
    environment: dict[str, str] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    watch: list[str] = field(default_factory=list)
    """Units of systemd whose state is recorded, beside those in ``units``."""
    compare: list[str] = field(default_factory=list)
    """The levels that decide; all of ``compare.DECIDING`` when empty."""


def load(path: Path) -> Case:
    """Read one case; an unknown key raises TypeError."""
    case = Case(name=path.stem, **yaml.safe_load(path.read_text("utf-8")))
    runs: list[dict[str, Any]] = case.runs or [{}, {}]  # type: ignore[assignment]
    case.runs = [Run(**{"manifest": case.manifest, **run}) for run in runs]
    for run in case.runs:
        run.options = [str(option) for option in (*case.options, *run.options)]
    return case
