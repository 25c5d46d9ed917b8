"""Fields of ``engine.Request`` that follow from a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.project.model import NOTHING, Project


def request_fields(
    project: Project,
    settings: Mapping[str, Any],
    *,
    modulepath: Sequence[str] | None = None,
    language: str | None = None,
    hiera_config: str | None = None,
) -> dict[str, Any]:
    """Return fields of a request; the arguments win over the project.

    >>> request_fields(Project(NOTHING, "/work"), {"strict": "off"})["settings"]
    {'strict': 'off'}
    """
    found = {name: choice.value for name, choice in project.choices.items()}
    merged = {**found.get("settings", {}), **settings}
    for name in ("environment", "environmentpath", "basemodulepath"):
        if name in found:
            merged.setdefault(name, found[name])
    directory = found.get("environment_directory")
    if directory is None and "environmentpath" not in found and project.kind != NOTHING:
        merged.pop("environmentpath", None)  # the tree has no environments
    return {
        "settings": merged,
        "modulepath": modulepath or found.get("modulepath") or (),
        "modules": found.get("modules", {}),
        "environment_directory": directory,
        "server_directories": found.get("server_directories", {}),
        "language": language or found.get("language"),
        "hiera_config": hiera_config or found.get("hiera_config"),
    }
