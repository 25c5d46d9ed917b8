"""Find the project of a directory: in it, above it, or right below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from bunraku.base.records import replace
from bunraku.modules.settings import resolve
from bunraku.project import control, module, tree
from bunraku.project.model import ENVIRONMENTS, MODULE, NOTHING, Project
from bunraku.world.protocol import World

Settings = Mapping[str, Any]


def find_project(
    start: str, world: World, given: Settings | None = None, *, below: bool = False
) -> Project:
    """Return the project that contains a directory; ``given`` are settings that are known.

    The search goes upwards and ends at the root of a repository and at the home directory. A module
    on the modulepath of a control repository around it is a part of that repository. ``below`` finds
    the one project in a directory right below the root of a repository, too.
    """
    settings = resolve(given or {})
    found: Project | None = None
    top = start
    for top in upwards(start, world):
        here = project_at(top, world, settings)
        if here is not None:
            found = here if found is None else outer_or_inner(found, here)
    if found is None and below:
        found = only_project_below(top, world, settings)
    if found is not None:
        return found
    shared = world.reason_against(start, start)
    if shared is not None:
        reason = f"other users can put files in {start}: {shared}"
        return Project(NOTHING, start, reason=reason)
    return Project(NOTHING, start, reason=f"no Puppet code is in {start} or above it")


def upwards(start: str, world: World) -> Iterator[str]:
    """Yield a directory and those above it, up to the repository's root or the home.

    A directory above in which other users can put files, such as ``/tmp``, ends the search: their
    configuration could name programs. It yields nothing if all users can write to the first one.
    """
    home = world.environment_variable("HOME")
    directory = start.rstrip("/") or "/"
    if world.reason_against(directory, directory) is not None:
        return
    while True:
        yield directory
        git = f"{directory}/.git"
        parent = directory.rpartition("/")[0] or "/"
        is_last = directory in {parent, home}
        if is_last or world.is_directory(git) or world.is_file(git):
            return
        if world.reason_against(parent, start) is not None:
            return
        directory = parent


def is_part(directory: str, world: World, settings: Settings) -> bool:
    """Return whether the project of a directory is that of the directory above it, if there is one.

    ``settings`` are all settings with their values.
    """
    parent = directory.rpartition("/")[0] or "/"
    return [*islice(upwards(directory, world), 2)] == [directory, parent] and (
        project_at(directory, world, settings) is None
    )


def project_at(directory: str, world: World, settings: Settings) -> Project | None:
    """Return the project whose root is a directory."""
    return (
        marked_project(directory, world, settings)
        or tree.tree_at(directory, world, settings)
        or control.probable(directory, world, settings)
        or module.bare_module_at(directory, world, settings)
    )


def marked_project(directory: str, world: World, settings: Settings) -> Project | None:
    """Return the control repository or the module that a characteristic file shows."""
    return control.certain(directory, world, settings) or module.module_at(
        directory, world, settings
    )


def outer_or_inner(inner: Project, outer: Project) -> Project:
    """Return the one of two nested projects that counts."""
    parent, _, name = inner.root.rpartition("/")
    if inner.kind == MODULE and parent in outer.value("modulepath", ()):
        return outer
    if outer.kind == ENVIRONMENTS and parent == outer.value("environmentpath"):
        return tree.with_environment(outer, name)
    return inner


def only_project_below(directory: str, world: World, settings: Settings) -> Project | None:
    """Return the project in a subdirectory of a repository's root, if there is exactly one."""
    git = f"{directory}/.git"
    if not (world.is_directory(git) or world.is_file(git)):
        return None
    paths = [f"{directory}/{name}" for name in world.list_directory(directory) if name[0] != "."]
    found = [
        project
        for path in paths
        if world.is_directory(path)
        and (project := marked_project(path, world, settings)) is not None
    ]
    if len(found) != 1:
        return None
    (one,) = found
    return replace(one, reason=f"{one.reason}; the only project below {directory}")
