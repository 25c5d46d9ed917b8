"""Shared helpers for all kinds of projects: listings, lines of files, names of modules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.facts.documents import FACTS_EXTENSIONS
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.modules.settings import ENVIRONMENT_PATHS
from bunraku.project.model import Choice
from bunraku.world.protocol import World

MODULE_PARTS = frozenset(
    {"manifests", "lib", "functions", "types", "templates", "files", "plans", "tasks", "facts.d"}
)
"""Directories that identify a module; it has at least one of them."""
SERVER_DIRECTORIES = ("/etc/puppet", "/etc/puppetlabs/puppet", "/etc/puppetlabs/code")
"""Paths on the server at which a checkout of a configuration directory is installed."""
HIERA_VERSION = lazy_pattern(r"^\s*['\"]?version['\"]?\s*:\s*(\d+)", re.MULTILINE)


def names_in(world: World, directory: str) -> list[str]:
    """Return the names in a directory, sorted; none when it cannot be read."""
    try:
        return world.list_directory(directory)
    except OSError:
        return []


def text_of(world: World, path: str) -> str:
    """Return the text of a file; empty when there is none."""
    try:
        return world.read(path).decode("utf-8", "replace") if world.is_file(path) else ""
    except OSError:
        return ""


def json_object(world: World, path: str) -> dict[str, Any]:
    """Return the object in a JSON file; empty when the file holds none."""
    try:
        found = parse_json(text_of(world, path) or "{}")
    except FormatError:
        return {}
    return found if isinstance(found, dict) else {}


def manifests_in(world: World, directory: str) -> list[str]:
    """Return the names of the manifests right in a directory."""
    return [name for name in names_in(world, directory) if name.endswith(".pp")]


def holds_modules(world: World, directory: str) -> bool:
    """Return whether a directory has a module in it."""
    return any(
        MODULE_PARTS.intersection(names_in(world, f"{directory}/{name}"))
        for name in names_in(world, directory)
    )


def hiera_version(world: World, path: str) -> int | None:
    """Return the version of a ``hiera.yaml``: 3 when it names none; None without a file."""
    if not world.is_file(path):
        return None
    found = HIERA_VERSION.search(text_of(world, path))
    return int(found[1]) if found else 3


def facts_choices(world: World, root: str) -> dict[str, Choice]:
    """Return the directory ``facts`` of a project, if facts files are in it."""
    directory = f"{root}/facts"
    if any(name.endswith(FACTS_EXTENSIONS) for name in names_in(world, directory)):
        return {"facts_folder": Choice(directory, "the directory facts/ has facts files")}
    return {}


def existing(world: World, root: str, names: Iterable[str]) -> list[str]:
    """Return those of the names below a root that are directories, as paths."""
    return [f"{root}/{name}" for name in names if world.is_directory(f"{root}/{name}")]


def server_choices(world: World, root: str) -> dict[str, Choice]:
    """Return where the directories of the server are: in the checkout, if not on this machine.

    An environment of the server is always the checkout: its data belongs to the revision that is compiled.
    """
    found = {f"{path}/*": root for path in ENVIRONMENT_PATHS}
    found |= {path: root for path in SERVER_DIRECTORIES if not world.is_directory(path)}
    reason = "the checkout is an environment of the server"
    return {"server_directories": Choice(found, reason)}
