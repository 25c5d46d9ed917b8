"""The files that decide a compile, as digests: a worker compares them with its own.

A worker on another machine reads manifests, modules and data from its own file systems. If it has
other files there, its catalogs are wrong without an error. So the machine that starts a run lists
the digests of the files, and each worker compares them before its first compile.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import blake2b

from bunraku.base.errors import PuppetError
from bunraku.engine.request import Request, resolve
from bunraku.runtime.log import LogEntry
from bunraku.world.machine import Machine
from bunraku.world.protocol import World

LARGEST = 1 << 20
"""Bytes of a file that are compared; larger files are not code or data of a compile."""
OF_AN_ENVIRONMENT = (
    "environment.conf",
    "hiera.yaml",
    "manifests",
    "data",
    "hieradata",
    "functions",
    "types",
    "lib",
)
"""The names in an environment's directory that are compared."""

MANIFESTS = ".pp"
"""The end of the names that are compared in the directory of a main manifest."""

Root = tuple[str, str]
"""A file or directory, and the end of the names that are compared in it."""
Table = dict[Root, dict[str, str]]
"""Root → path below it (empty for the root itself) → digest of the content."""


def ignore(_entry: LogEntry) -> None:
    """Drop messages: the compile reports them."""


def table_of(request: Request) -> Table:
    """Return the files of a request's environment that are on a disk of this machine.

    It is empty if the request is invalid, which the compile reports.
    """
    try:
        resolved = resolve(request, ignore)
    except PuppetError:
        return {}
    environment = resolved.environment
    manifests = [request.path, environment.manifest]
    others = [resolved.settings.get("hiera_config"), *environment.searched]
    others += environment.module_directories.values()
    if environment.path is not None:
        others += [f"{environment.path}/{name}" for name in OF_AN_ENVIRONMENT]
    roots = {(os.path.abspath(path), MANIFESTS) for path in manifests if path}
    roots |= {(os.path.abspath(str(path)), "") for path in others if path}
    return {root: digests(root, resolved.world) for root in sorted(roots)}


def digests(root: Root, world: World) -> dict[str, str]:
    """Return the digests of a file, or of the files below a directory; none if there is nothing.

    Names that begin with a dot are left out, such as ``.git``. Files that are not on a disk, such as
    those of a git revision, are the same everywhere.
    """
    start, end = root
    return {
        path[len(start) :]: digest_of(path, world)
        for path in files_below(start, world, frozenset())
        if (path == start or path.endswith(end)) and world.disk_path(path) is not None
    }


def files_below(path: str, world: World, above: frozenset[str]) -> Iterator[str]:
    """Yield a file, or the files below a directory; a link to a directory above is not followed."""
    if not world.is_directory(path):
        if world.is_file(path):
            yield path
        return
    here = os.path.realpath(path)
    if here in above:
        return
    try:
        names = world.list_directory(path)
    except OSError:
        return
    for name in names:
        if not name.startswith("."):
            yield from files_below(f"{path}/{name}", world, above | {here})


def digest_of(path: str, world: World) -> str:
    """Return the digest of a file's first bytes; a word for a file that cannot be read."""
    try:
        content = world.beginning(path, LARGEST)
    except OSError:
        return "unreadable"
    return blake2b(content, digest_size=16).hexdigest()


def table_difference(table: Table) -> str | None:
    """Return how the files of this machine differ from those in a table; None if they do not.

    >>> (
    ...     table_difference({("/nowhere/site.pp", ""): {"": "0"}}),
    ...     table_difference({("/nowhere", ""): {}}),
    ... )
    ('/nowhere/site.pp is missing', None)
    """
    world = Machine()
    for root, expected in table.items():
        found = digests(root, world)
        if expected and not found:
            return f"{root[0]} is missing"
        for path in sorted({*expected, *found}):
            if expected.get(path) != found.get(path):
                return f"{root[0]}{path} {how(expected.get(path), found.get(path))}"
    return None


def how(expected: str | None, found: str | None) -> str:
    """Return the kind of a difference in words."""
    if found is None:
        return "is missing"
    if expected is None:
        return "exists on the worker only"
    return "cannot be read" if found == "unreadable" else "has another content"
