"""Files and directories that options name."""

from __future__ import annotations

import os
from collections.abc import Sequence

from bunraku.base.paths import path_list
from bunraku.base.suggestions import closest
from bunraku.base.usage import UsageError


def existing_file(path: str | None, option: str) -> str | None:
    """Return the absolute path of a file that an option names."""
    if path is None:
        return None
    if not os.path.isfile(path):
        if os.path.exists(path):
            raise UsageError(f"{option}: {path} is not a regular file")
        raise UsageError(f"{option}: cannot find {path}{near_path(path)}")
    return os.path.abspath(path)


def existing_directories(paths: str, option: str) -> list[str]:
    """Return the absolute paths of the directories that an option names."""
    found = split_path(paths)
    for path in found:
        existing_directory(path, option)
    return found


def existing_directory(path: str, option: str) -> None:
    """Raise UsageError when a directory that an option names does not exist."""
    if not os.path.isdir(path):
        raise UsageError(f"{option}: cannot find the directory {path}{near_path(path)}")


def joined_paths(paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> str:
    """Return directories as one text with colons.

    >>> joined_paths(["/a", "/b"]), joined_paths("/a:/b")
    ('/a:/b', '/a:/b')
    """
    if isinstance(paths, str | os.PathLike):
        return os.fspath(paths)
    return os.pathsep.join([os.fspath(path) for path in paths])


def split_path(text: str) -> list[str]:
    """Return the directories of a ``modulepath`` as absolute paths.

    >>> split_path("/a:/b")
    ['/a', '/b']
    """
    return [os.path.abspath(folder) for folder in path_list(text) if folder]


def near_path(path: str) -> str:
    """Return a suggestion for a path whose last part is mistyped; empty when nothing is near."""
    directory, name = os.path.split(path.rstrip("/"))
    try:
        names = os.listdir(directory or ".")
    except OSError:
        return ""
    near = closest(name, names)
    return f" (did you mean {os.path.join(directory, near[0])!r}?)" if near else ""


def existing_manifest(path: str) -> None:
    """Raise UsageError when a path is not a manifest or a directory with some."""
    if not os.path.exists(path):
        raise UsageError(f"cannot find {path}{near_path(path)}")
    if os.path.isdir(path):
        below = (name for _, _, names in os.walk(path) for name in names)
        if not any(name.endswith(".pp") for name in below):
            raise UsageError(f"no manifest (*.pp) is in the directory {path}")


def common_directory(paths: Sequence[str]) -> str | None:
    """Return the directory that holds some files and directories; None if one does not exist."""
    if not paths or not all(map(os.path.exists, paths)):
        return None
    whole = map(os.path.abspath, paths)
    return os.path.commonpath(
        [one if os.path.isdir(one) else os.path.dirname(one) for one in whole]
    )
