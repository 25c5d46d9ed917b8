"""The configuration file as defaults of the command line; small, since every command imports it."""

from __future__ import annotations

import os

from bunraku.base.file_reading import is_present, read_whole
from bunraku.base.lazy_typing import Any
from bunraku.base.usage import UsageError
from bunraku.cli.output.output import write_error

CONFIG_FILES = ("bunraku.toml", "pyproject.toml")
TABLE = b"[tool.bunraku"
"""As in ``project.config_file``, which is slow to import for commands without a configuration."""


def configured_values(start: str | None = None) -> dict[str, Any]:
    """Return the values of the configuration file of a directory (this one) by key; none without one.

    A ``pyproject.toml`` without a table ``[tool.bunraku]`` is not such a file.
    """
    start = start or os.getcwd()
    searched = directories_above(start)
    for directory in searched:
        for name in CONFIG_FILES:
            path = os.path.join(directory, name)
            if is_present(path):
                content = read_bytes(path)
                if name != "pyproject.toml" or TABLE in content:
                    passed = searched[: searched.index(directory) + 1]
                    if reason := reason_against(path, passed, start):
                        warn_of_ignored(path, path, reason)
                        return {}
                    return values_in(path, content)
    return {}


def reason_against(path: str, directories: list[str], start: str) -> str | None:
    """Return why a file is not used that was found in the last of some directories; None if it is."""
    from bunraku.world import owners

    for directory in directories:
        reason = owners.reason_against(directory, start)
        if reason is not None:
            return f"other users can put files in {directory}: {reason}"
    return owners.reason_against(path, start)


def warn_of_ignored(what: str, path: str, reason: str) -> None:
    """Print that a file, or a value in it, is not used because other users can have written it."""
    from bunraku.world.owners import how_to_allow

    write_error(f"warning: ignoring {what}: {reason}\n    hint: {how_to_allow(path)}\n")


def directories_above(start: str) -> list[str]:
    """Return a directory and those above it, up to a repository's root or the home."""
    home = os.environ.get("HOME")
    found = [start]
    while True:
        parent = os.path.dirname(start)
        if start in {parent, home} or os.path.exists(os.path.join(start, ".git")):
            return found
        found.append(parent)
        start = parent


def read_bytes(path: str) -> bytes:
    """Return the content of a file; UsageError when it cannot be read."""
    try:
        return read_whole(path)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from error


def values_in(path: str, content: bytes) -> dict[str, Any]:
    """Return the values of a configuration file; UsageError with file and line for mistakes."""
    from bunraku.base.errors import PuppetError
    from bunraku.project.config_file import (
        programs_in,
        read_config_file,
        reason_against_programs,
        without_programs,
    )

    try:
        found = read_config_file(path, content)
    except PuppetError as error:
        place = ":".join(str(part) for part in error.place.where[:2] if part)
        raise UsageError(f"{place}: {error.message}") from error
    if programs_in(found):
        from bunraku.world.machine import Machine

        if reason := reason_against_programs(found, path, Machine()):
            warn_of_ignored(f"external_nodes in {path}", path, reason)
            return without_programs(found)
    return found
