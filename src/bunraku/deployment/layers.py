"""What an environment consists of: a control repository, and modules in their directories."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping

from bunraku.base.records import record
from bunraku.deployment import issues
from bunraku.deployment.store import Entry, Tree

DEPLOYMENT_INFO = ".r10k-deploy.json"
"""The file that a deployment writes, also if the control repository has one."""
FOREIGN = frozenset({"git"})
"""Kinds of modules whose directories keep files that are not theirs, as in r10k."""


@record(frozen=True)
class Layer:
    """A tree in a directory of an environment; the empty directory is that of the control repository.

    ``kind`` is ``git``, ``forge``, ``svn``, ``tarball`` or ``plain``. ``version`` is what was asked for,
    ``revision`` what it is; see :class:`~bunraku.deployment.contents.Content`. ``remote`` is where it
    comes from, without credentials.
    """

    directory: str
    tree: Tree
    kind: str
    name: str = ""
    version: str = ""
    revision: str = ""
    remote: str = ""
    exclude_spec: bool = False

    def entries(self) -> Iterable[tuple[str, Entry]]:
        """Yield the files by their paths in the environment."""
        prefix = f"{self.directory}/" if self.directory else ""
        for path, entry in self.tree.entries.items():
            if not (self.exclude_spec and path.startswith("spec/")):
                yield prefix + path, entry


def composed(layers: Iterable[Layer]) -> dict[str, Entry]:
    """Return the files of an environment: a module takes the place of what other layers have there.

    Raise NO_PLACE for a module in a directory that is a file or a link of another layer.
    """
    files: dict[str, Entry] = {}
    above: set[str] = set()
    for layer in layers:
        for path in parents([layer.directory]):
            if path.rstrip("/") in files:
                raise issues.NO_PLACE(directory=layer.directory, path=path.rstrip("/"))
        if layer.directory in files or f"{layer.directory}/" in above:
            for path in [one for one in files if path_is_below(one, layer.directory)]:
                del files[path]
        new = dict(layer.entries())
        new.pop(DEPLOYMENT_INFO, None)
        files.update(new)
        above |= parents(new)
    return files


def path_is_below(path: str, directory: str) -> bool:
    """Return whether a relative path is a directory or in it.

    >>> path_is_below("a/b", "a"), path_is_below("ab", "a"), path_is_below("a", "")
    (True, False, True)
    """
    return not directory or path == directory or path.startswith(f"{directory}/")


def scan(root: str, within: Iterable[str] | None = None) -> dict[str, os.stat_result]:
    """Return all that is below a directory, directories with a slash at the end, without following links.

    An absent directory, a file or a link in its place has nothing: what a link leads to is elsewhere.
    ``within`` are directories below it that alone are read. Raise OSError.
    """
    found: dict[str, os.stat_result] = {}
    if os.path.islink(root) or not os.path.isdir(root):
        return found
    prefixes = [""]
    if within is not None:
        top = os.path.realpath(root)
        paths = {one: f"{top}/{one}" for one in within}
        is_inside = {one: os.path.realpath(path) == path for one, path in paths.items()}
        prefixes = [
            f"{one}/" for one, path in paths.items() if is_inside[one] and os.path.isdir(path)
        ]
    for prefix in prefixes:
        with os.scandir(f"{root}/{prefix}") as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                name = prefix + entry.name
                if stat.S_ISDIR(status.st_mode):
                    prefixes.append(f"{name}/")
                    name = f"{name}/"
                found[name] = status
    return found


def parents(paths: Iterable[str]) -> set[str]:
    """Return all directories above relative paths, with a slash at the end.

    >>> sorted(parents(["a/b/c", "a/d", "e"]))
    ['a/', 'a/b/']
    """
    found: set[str] = set()
    for path in paths:
        above = path.rstrip("/")
        while "/" in above:
            above = above.rpartition("/")[0]
            if f"{above}/" in found:
                break
            found.add(f"{above}/")
    return found


def layer_of(path: str, layers: Mapping[str, Layer]) -> Layer | None:
    """Return the innermost layer, of those by their directories, that a path is in."""
    above = path.rstrip("/")
    while above:
        if above in layers:
            return layers[above]
        above = above.rpartition("/")[0]
    return layers.get("")
