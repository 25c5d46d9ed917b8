"""The keywords of jobs: the fields of :class:`bunraku.project.options.CompileOptions`, for type checkers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

Path = str | os.PathLike[str]
Paths = str | Sequence[Path]


class JobOptions(TypedDict, total=False):
    """The keywords of every job; an absent one is that of the configuration, of the project, or of Puppet."""

    no_project: bool
    modulepath: Paths
    environment: str | None
    environmentpath: Paths | None
    basemodulepath: Paths | None
    manifest: Path | None
    hiera_config: Path | None
    config: Path | None
    settings: Mapping[str, Any]
    language: str | None
    follow: str
    strict: str | None
    strict_variables: bool | None
    tasks: bool
    node: str | None
    facts: Mapping[str, Any] | Path | None
    facts_folder: Path | None
    facts_from: str | None
    trusted: Mapping[str, Any] | Path | None
    server_facts: Mapping[str, Any] | Path | None
    include_legacy_facts: bool | None
    node_terminus: str | None
    external_nodes: Path | None
    storedconfigs: str | None
    timeout: float
    memory: int
    jobs: int | None
    executor: str
