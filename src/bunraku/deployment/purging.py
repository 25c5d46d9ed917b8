"""What a deployment removes: content that neither the control repository nor a module manages.

The functions compare lists of paths; they remove nothing. The levels are r10k's ``purge_levels``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.deployment.layers import DEPLOYMENT_INFO

WITH_DOT = lazy_pattern(r"\.[^.]")
"""The names of directories in which r10k does not search for unmanaged files."""


def unmanaged_environments(names: Iterable[str], declared: Collection[str]) -> list[str]:
    """Return the names in a base directory that no source declares (level ``deployment``).

    >>> unmanaged_environments(["production", "old", ".git"], ["production"])
    ['.git', 'old']
    """
    return sorted(set(names).difference(declared))


def unmanaged_modules(
    present: Mapping[str, Iterable[str]],
    modules: Collection[str],
    *,
    root: str,
    tracked: Collection[str] = (),
) -> list[str]:
    """Return paths in the directories of modules that nothing manages (level ``puppetfile``).

    ``present`` has the names in each directory that the Puppetfile installs modules to, ``modules``
    the directories of the modules, ``tracked`` what the control repository has: all absolute paths.
    The root of the environment is never searched.

    >>> unmanaged_modules(
    ...     {"/e/modules": ["a", "own", "stray"]},
    ...     ["/e/modules/a"],
    ...     root="/e",
    ...     tracked=["/e/modules/own"],
    ... )
    ['/e/modules/stray']
    """
    managed = {*modules, *tracked, *present}
    return sorted(
        path
        for directory, names in present.items()
        if directory != root
        for path in (f"{directory}/{name}" for name in names)
        if path not in managed
    )


def unmanaged_in(
    directories: Sequence[str],
    present: Iterable[str],
    modules: Iterable[str],
    tracked: Sequence[str],
) -> list[str]:
    """Return what is in directories of modules and is neither a module nor of the control repository."""
    names: dict[str, set[str]] = {directory: set() for directory in directories if directory}
    for path in present:
        for directory, found in names.items():
            if path.startswith(f"{directory}/") and len(path) > len(directory) + 1:
                found.add(path[len(directory) + 1 :].partition("/")[0])
    own = {
        f"/{directory}/{path[len(directory) + 1 :].partition('/')[0]}"
        for path in tracked
        for directory in names
        if path.startswith(f"{directory}/")
    }
    absolute = {f"/{directory}": found for directory, found in names.items()}
    gone = unmanaged_modules(absolute, [f"/{one}" for one in modules], root="", tracked=own)
    return [path[1:] for path in gone]


def unmanaged_content(
    present: Iterable[str],
    tracked: Iterable[str],
    *,
    modules: Iterable[str] = (),
    module_directories: Iterable[str] = (),
    allowlist: Sequence[str] = (),
) -> list[str]:
    """Return what the level ``environment`` removes; a directory stands for all that is in it.

    All paths are relative to the environment. ``present`` are its files, links and directories,
    ``tracked`` those of the control repository, ``modules`` the directories of the modules.
    Unlike r10k, a path that matches the allow list keeps the directories above it. As in r10k, the
    directories above a module are not searched.

    >>> unmanaged_content(
    ...     ["site/a.pp", "deep/x/a.xpp", "deep/b"], ["site/a.pp"], allowlist=["**/*.xpp"]
    ... )
    ['deep/b']
    """
    modules = list(modules)
    whole = {DEPLOYMENT_INFO, ".git", *modules, *module_directories}
    managed = with_parents([*tracked, *whole])
    closed = (
        whole
        | with_parents(modules)
        | {path for path in managed if WITH_DOT.search(os.path.basename(path))}
    )
    kept = set(managed)
    candidates = []
    for path in sorted(with_parents(present), key=lambda one: one.split("/")):
        if is_below(path, closed):
            continue
        if path not in managed and any(matches_glob(glob, path) for glob in allowlist):
            closed.add(path)
            kept |= with_parents([path])
        elif path not in managed:
            candidates.append(path)
    removed: set[str] = set()
    for path in candidates:
        if path not in kept and not is_below(path, removed):
            removed.add(path)
    return sorted(removed)


def with_parents(paths: Iterable[str]) -> set[str]:
    """Return relative paths and all directories above them."""
    found: set[str] = set()
    for path in paths:
        part = path.strip("/")
        while part and part not in found:
            found.add(part)
            part = os.path.dirname(part)
    return found


def is_below(path: str, directories: Collection[str]) -> bool:
    """Return whether a path is inside one of some directories."""
    above = os.path.dirname(path)
    while above:
        if above in directories:
            return True
        above = os.path.dirname(above)
    return False


def matches_glob(glob: str, path: str) -> bool:
    """Return whether a relative path matches a pattern of an allow list.

    A ``*`` takes no slash and ``**/`` any number of directories; a dot is a letter like others
    (``File.fnmatch`` of Ruby with ``FNM_PATHNAME`` and ``FNM_DOTMATCH``).

    >>> [matches_glob("**/*.xpp", path) for path in ("a.xpp", "b/.c/a.xpp", "a.xpp/b")]
    [True, True, False]
    """
    from bunraku.providers.file.walk import glob_pattern  # few sites have an allow list

    patterns = [None if part == "**" else glob_pattern(part, hidden=True) for part in parts(glob)]
    if patterns and patterns[-1] is None:  # two stars at the end are one
        patterns[-1] = glob_pattern("*", hidden=True)
    return matches_parts(patterns, path.split("/"))


def parts(glob: str) -> list[str]:
    """Return the parts of a pattern between slashes."""
    return glob.strip("/").split("/")


def matches_parts(patterns: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Return whether names match patterns, of which None takes any number of names."""
    reached = {0}
    for pattern in patterns:
        if pattern is None:
            reached = set(range(min(reached), len(names) + 1)) if reached else reached
        else:
            reached = {at + 1 for at in reached if at < len(names) and pattern.fullmatch(names[at])}
    return len(names) in reached
