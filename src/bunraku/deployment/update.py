"""What an update of a directory changes: computed before anything is written."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence

from bunraku.base.records import field, record
from bunraku.deployment.layers import (
    DEPLOYMENT_INFO,
    FOREIGN,
    Layer,
    composed,
    layer_of,
    parents,
    scan,
)
from bunraku.deployment.store import Entry, is_in_place

Purge = Callable[[Iterable[str]], set[str]]
"""Which of the unmanaged paths in a directory are removed."""


@record()
class Update:
    """The difference between a live directory and what it should be.

    ``files`` are all files that it should have, ``carried`` the unmanaged paths that stay.
    ``changed`` are paths to add or replace, ``removed`` paths to remove, ``purged`` those of them that
    nothing manages. ``edited`` are paths that somebody has edited or removed since they were deployed.
    """

    root: str
    files: Mapping[str, Entry]
    carried: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    purged: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether the live directory is as it should be."""
        return not self.changed and not self.removed

    def smallest(self, directories: Iterable[str]) -> str:
        """Return the directory of a module that all changes are in; empty if they are not in one."""
        paths = [*self.changed, *self.removed]
        for directory in directories:
            if directory and all(path.startswith(f"{directory}/") for path in paths):
                is_there = not os.path.islink(self.root) and os.path.isdir(
                    f"{self.root}/{directory}"
                )
                return directory if is_there else ""
        return ""


def update_of(
    root: str,
    layers: Sequence[Layer],
    previous: Sequence[Layer],
    *,
    local: Iterable[str] = (),
    purge: Purge = lambda _paths: set(),
    adopted: Callable[[str, Entry], bool] = lambda _path, _entry: False,
    within: Sequence[str] | None = None,
) -> Update:
    """Return what changes a directory from its state on the disk to ``layers``.

    ``previous`` are the layers that were deployed before: their files are replaced and removed. Other
    files stay unless ``purge`` returns them, or a new file needs the place. ``local`` are the
    directories of modules that belong to the site. ``adopted`` says whether a file that was not deployed by
    bunraku has the content of an entry. ``within`` are the only directories that are read, those of all ``layers``. Raise OSError.
    """
    files = composed(layers)
    before = files if list(layers) == list(previous) else composed(previous)
    live = scan(root, within)
    live.pop(DEPLOYMENT_INFO, None)
    update = Update(root, files)
    for path, entry in files.items():
        status = live.get(path)
        old = before.get(path)
        place = f"{root}/{path}"
        is_same = status is not None and is_in_place(place, status, entry)
        if not is_same and not (status is not None and old is None and adopted(path, entry)):
            update.changed.append(path)
        if old == entry:
            is_edited = not is_same
        else:
            is_edited = old is not None and (status is None or not is_in_place(place, status, old))
        if is_edited:
            update.edited.append(path)
    sort_others(update, live, Layers(layers, previous, before), purge, tuple(local))
    return update


class Layers:
    """New and previous layers by their directories, and the previous files."""

    def __init__(
        self, layers: Sequence[Layer], previous: Sequence[Layer], before: Mapping[str, Entry]
    ) -> None:
        self.now = {layer.directory: layer for layer in layers}
        self.then = {layer.directory: layer for layer in previous}
        self.before = before

    def drop(self, path: str) -> bool:
        """Return whether a path that no layer has any more goes: its layer had it, or keeps nothing foreign."""
        new, old = layer_of(path, self.now), layer_of(path, self.then)
        if new is not None and new.directory:
            if new.kind not in FOREIGN or old is None or old.directory != new.directory:
                return True
            if (old.kind, old.remote) != (new.kind, new.remote):
                return True
        if path not in self.before or old is None:
            return is_git(path, self.now)
        return old.directory in self.now


def sort_others(
    update: Update,
    live: Mapping[str, os.stat_result],
    layers: Layers,
    purge: Purge,
    local: Sequence[str],
) -> None:
    """Sort the paths that no layer has into those that go and those that stay."""
    files = update.files
    above = parents(files)
    own = set(local)
    unmanaged = []
    for path in live:
        if path in files or path in above:
            continue
        if path.rstrip("/") in files or f"{path}/" in above:
            update.removed.append(path)  # a file becomes a directory, or a directory a file
        elif is_in(path, own):
            continue
        elif layers.drop(path):
            update.removed.append(path)
        else:
            unmanaged.append(path)
    gone = purge(unmanaged) if unmanaged else set()
    update.purged = [path for path in unmanaged if path in gone]
    update.removed += update.purged
    removed = set(update.removed)
    covered = tuple(
        [path for path in live if path[-1] == "/" and (path[:-1] in files or path[:-1] in removed)]
    )
    for path in live:
        if path in files or path in above or path in removed:
            continue
        if covered and path.startswith(covered):
            update.removed.append(path)
        elif not path.endswith("/") or stat.S_ISDIR(live[path].st_mode):
            update.carried.append(path)
    drop_empty(update)


def is_in(path: str, directories: set[str]) -> bool:
    """Return whether a path is one of some directories, or in one.

    >>> is_in("a/b/c", {"a/b"}), is_in("a/b/", {"a/b"}), is_in("a/bc", {"a/b"})
    (True, True, False)
    """
    above = path.rstrip("/")
    while above:
        if above in directories:
            return True
        above = above.rpartition("/")[0]
    return False


def is_git(path: str, now: Mapping[str, Layer]) -> bool:
    """Return whether a path is in the ``.git`` that r10k leaves in what it deploys."""
    before, git, after = f"/{path}".partition("/.git")
    return bool(git) and (not after or after.startswith("/")) and before.strip("/") in now


def drop_empty(update: Update) -> None:
    """Remove the directories that have nothing any more, unless they were empty before."""
    removed = parents(update.removed)
    needed = parents([path for path in update.carried if not path.endswith("/")])
    needed |= {path for path in update.carried if path.endswith("/") and path not in removed}
    needed |= parents(needed)
    stay = []
    for path in update.carried:
        if path.endswith("/") and path not in needed:
            update.removed.append(path)
        else:
            stay.append(path)
    update.carried = stay
