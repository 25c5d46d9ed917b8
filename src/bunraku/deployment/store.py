"""The store: the content of all deployed files, once for all environments.

A file is named by the SHA-256 digest of its content, a tree by that of the list of its files. The
modification time of a file in the store is computed from its digest. Environments are made of hard links into the store
(or reflinks, or copies with the same time), so ``lstat`` alone tells whether a deployed file was edited: an
edit changes its size or its time. :meth:`Store.damaged` compares contents.
Directories of the store are accessible to their user alone. Files are complete when they appear: they are
written under another name and renamed.
"""

from __future__ import annotations

import json
import os
import re
import stat
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256

from bunraku.base import system
from bunraku.base.disk_cache import cache_folder
from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import open_regular
from bunraku.base.private_folder import NotPrivate, make_private
from bunraku.base.records import record
from bunraku.deployment import issues
from bunraku.world import linked_files, scratch
from bunraku.world.file_locks import await_lock
from bunraku.world.whole_files import make_folders

FILE, PROGRAM, LINK = "f", "x", "l"
"""Kinds of entries: a file, an executable file, a symbolic link."""
MODES = {FILE: 0o644, PROGRAM: 0o755}
Entry = tuple[str, str, int]
"""Kind; digest of the content, or target of the link; size in bytes."""
EARLIEST = 1_000_000_000
"""The earliest modification time of a file in the store, in seconds since the epoch."""
SPAN = 600_000_000
SCHEMA = 1
PRIVATE = 0o600
DIGEST = re.compile(r"[0-9a-f]{64}")


def file_time(digest: str) -> int:
    """Return the modification time of a file in the store, in seconds since the epoch.

    >>> file_time("00" * 32), file_time("ff" * 32) < 1_600_000_000
    (1000000000, True)
    """
    return EARLIEST + int(digest[:8], 16) % SPAN


@record(frozen=True)
class Tree:
    """Files below a directory by their relative paths, in order; ``digest`` names the tree."""

    digest: str
    entries: Mapping[str, Entry]


def is_unchanged(status: os.stat_result, entry: Entry) -> bool:
    """Return whether a deployed file looks like its entry; see the module for what is compared."""
    kind, digest, size = entry
    return (
        kind != LINK
        and stat.S_ISREG(status.st_mode)
        and status.st_size == size
        and int(status.st_mtime) == file_time(digest)
        and system.has_mode(status, MODES[kind])
    )


def is_in_place(path: str, status: os.stat_result, entry: Entry) -> bool:
    """Return whether a deployed file or link is as its entry says. Raise OSError."""
    if entry[0] == LINK:
        return stat.S_ISLNK(status.st_mode) and os.readlink(path) == entry[1]
    return is_unchanged(status, entry)


@contextmanager
def usable(directory: str) -> Iterator[None]:
    """Raise STORE_FAILED for an error of the operating system, such as a full disk."""
    try:
        yield
    except OSError as error:
        where = f" ({error.filename})" if isinstance(error.filename, str) else ""
        reason = f"{error.strerror or error}{where}"
        raise issues.STORE_FAILED(directory=directory, reason=reason) from None


def store_directory(cachedir: str) -> str:
    """Return the directory of a store: ``cachedir``, else the one in the cache of this user."""
    root = cachedir or f"{cache_folder() or os.path.abspath('.bunraku')}/modules"
    return os.path.abspath(os.path.expanduser(root))


def has_content(path: str, entry: Entry) -> bool:
    """Return whether a file that bunraku has not deployed has the content and the mode of an entry."""
    kind, digest, size = entry
    try:
        status = os.lstat(path)
        if kind == LINK:
            return os.path.islink(path) and os.readlink(path) == digest
        is_other = status.st_size != size or not system.has_mode(status, MODES[kind])
        if is_other or os.path.islink(path):
            return False
        with open_regular(path) as file:
            return sha256(file.read()).hexdigest() == digest
    except OSError:
        return False


class Store:
    """Files and trees in a directory; ``link`` is False if deployed files are copies instead of links."""

    def __init__(self, root: str, *, link: bool = True) -> None:
        self.root = os.path.abspath(root)
        self.link = link
        self.trees: dict[str, Tree] = {}
        self.complete: set[str] = set()
        self.names: dict[str, Tree] = {}
        self.made: set[str] = set()

    def prepare(self) -> None:
        """Make the directory of the store, and use it; what killed runs left is removed.

        As long as this object exists, nothing is pruned. Raise STORE_FAILED if others could change the store.
        """
        try:
            with usable(self.root):
                make_private(self.root)
                lock = self.lock_file()
                weakref.finalize(self, os.close, lock)
                await_lock(lock, shared=True)
                scratch.remove_abandoned(self.directory("staging"))
        except NotPrivate as error:
            raise issues.STORE_NOT_PRIVATE(directory=self.root, reason=str(error)) from None

    def lock_file(self) -> int:
        """Open the file that is locked by all that use the store, and alone by what removes from it."""
        return os.open(f"{self.root}/lock", os.O_RDONLY | os.O_CREAT | system.PLAIN, PRIVATE)

    def register(self, state: str) -> None:
        """Note a directory with records of deployments: what they need is not pruned. Raise OSError."""
        key = sha256(os.fsencode(state)).hexdigest()
        path = f"{self.directory('users')}/{key}"
        if not os.path.exists(path):
            linked_files.replace_file(path, os.fsencode(state), PRIVATE)

    def directory(self, *names: str) -> str:
        """Return a private directory in the store, made if it is missing."""
        path = "/".join((self.root, *names))
        if path not in self.made:
            make_folders(path, 0o700)
            self.made.add(path)
        return path

    # -- files -------------------------------------------------------------------------------------

    def path_of(self, entry: Entry) -> str:
        """Return the path of a file in the store."""
        kind, digest, _size = entry
        return f"{self.root}/files/{digest[:2]}/{digest[2:]}{'' if kind == FILE else '.x'}"

    def holds(self, entry: Entry) -> bool:
        """Return whether the store has the content of an entry, as it was written."""
        if entry[0] == LINK:
            return True
        try:
            return is_unchanged(os.lstat(self.path_of(entry)), entry)
        except FileNotFoundError:
            return False

    def take_file(self, path: str, status: os.stat_result) -> Entry:
        """Move a file into the store and return its entry. Raise OSError."""
        with open(path, "rb", buffering=0) as file:
            digest = sha256()
            while block := file.read(linked_files.BLOCK):
                digest.update(block)
        kind = PROGRAM if status.st_mode & stat.S_IXUSR else FILE
        entry = (kind, digest.hexdigest(), status.st_size)
        if self.holds(entry):
            os.unlink(path)
            return entry
        os.chmod(path, MODES[kind])
        seconds = file_time(entry[1])
        os.utime(path, (seconds, seconds))
        self.directory("files", entry[1][:2])
        os.replace(path, self.path_of(entry))
        return entry

    def read(self, entry: Entry) -> bytes:
        """Return the content of a file; raise STORE_DAMAGED if it is not what its name says."""
        path = self.path_of(entry)
        try:
            with open_regular(path) as file:
                content = file.read()
        except OSError as error:
            raise issues.STORE_FAILED(directory=path, reason=error.strerror) from None
        if sha256(content).hexdigest() != entry[1]:
            raise issues.STORE_DAMAGED(file=path)
        return content

    def place(self, entry: Entry, target: str) -> None:
        """Make a file or a link outside of the store. Raise OSError."""
        kind, digest, _size = entry
        if kind == LINK:
            os.symlink(digest, target)
            return
        linked_files.place_file(self.path_of(entry), target, MODES[kind], link=self.link)

    def place_tree(self, tree: Tree, directory: str, *, leaving: str = "\0") -> None:
        """Make a directory with the files of a tree, but those whose paths start with ``leaving``. Raise OSError."""
        os.makedirs(directory)
        made = {directory}
        for path, entry in tree.entries.items():
            if not path.startswith(leaving):
                target = f"{directory}/{path}"
                above = os.path.dirname(target)
                if above not in made:
                    os.makedirs(above, exist_ok=True)
                    made.add(above)
                self.place(entry, target)

    # -- trees -------------------------------------------------------------------------------------

    def take_tree(self, directory: str) -> Tree:
        """Move all files of a directory into the store and return the tree. Raise OSError.

        Directories named ``.git`` are left out. Special files raise STORE_UNFIT.
        """
        entries: dict[str, Entry] = {}
        prefixes = [""]
        for prefix in prefixes:
            prefixes += self.take_directory(f"{directory}/{prefix}", prefix, entries)
        return self.write_tree(entries)

    def take_directory(self, directory: str, prefix: str, entries: dict[str, Entry]) -> list[str]:
        """Move the files of a directory into the store; return the prefixes of those in it."""
        with os.scandir(directory) as found:
            names = list(found)
        inner = []
        for one in names:
            path = prefix + one.name
            status = one.stat(follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                if one.name != ".git":
                    inner.append(f"{path}/")
            elif stat.S_ISREG(status.st_mode):
                if one.name != ".git":
                    entries[path] = self.take_file(one.path, status)
            elif stat.S_ISLNK(status.st_mode):
                target = os.readlink(one.path)
                entries[path] = (LINK, target, len(os.fsencode(target)))
            else:
                raise issues.STORE_UNFIT(file=path)
        return inner

    def write_tree(self, entries: Mapping[str, Entry]) -> Tree:
        """Keep a list of files and return it as a tree. Raise OSError."""
        ordered = dict(sorted(entries.items()))
        text = json.dumps({"schema": SCHEMA, "files": ordered}, separators=(",", ":"))
        content = text.encode("utf-8", "surrogatepass")
        tree = Tree(sha256(content).hexdigest(), ordered)
        if tree.digest not in self.complete:
            self.trees[tree.digest] = tree
            self.complete.add(tree.digest)
            path = f"{self.directory('trees')}/{tree.digest}"
            if stored_content(path) != content:
                linked_files.replace_file(path, content, PRIVATE)
        return tree

    def path_of_tree(self, digest: str) -> str:
        """Return the path of the list of files of a tree."""
        return f"{self.root}/trees/{digest}"

    def tree(self, digest: str) -> Tree | None:
        """Return a tree with all its files; None if the store does not have them, or not as written."""
        found = self.listing(digest)
        if found is not None and digest not in self.complete:
            if not all(map(self.holds, found.entries.values())):
                self.discard(found.entries.values())
                return None
            self.complete.add(digest)
        return found

    def listing(self, digest: str, copy: str = "") -> Tree | None:
        """Return a tree, whose files the store may not have any more; None for an unknown one.

        ``copy`` is a file that has the list if the store has it no more.
        """
        found = self.trees.get(digest)
        if found is not None:
            return found
        content = stored_content(self.path_of_tree(digest))
        if content is None or sha256(content).hexdigest() != digest:
            content = stored_content(copy) if copy else None
            if content is None or sha256(content).hexdigest() != digest:
                return None
        files = json.loads(content.decode("utf-8", "surrogatepass"))["files"]
        entries: dict[str, Entry] = {path: tuple(entry) for path, entry in files.items()}
        self.trees[digest] = tree = Tree(digest, entries)
        return tree

    def discard(self, entries: Iterable[Entry]) -> None:
        """Remove files that are not as they were written: who needs them makes them again."""
        for entry in entries:
            if not self.holds(entry):
                with suppress(FileNotFoundError):
                    os.unlink(self.path_of(entry))

    def damaged(self, tree: Tree) -> list[str]:
        """Return the paths in a tree whose content in the store is not what its name says."""
        return [path for path, entry in tree.entries.items() if not self.is_sound(entry)]

    def is_sound(self, entry: Entry) -> bool:
        """Return whether the content of an entry has its digest."""
        if entry[0] == LINK:
            return True
        try:
            self.read(entry)
        except PuppetError:
            return False
        return True

    # -- names of trees ----------------------------------------------------------------------------

    def remember(self, name: str, tree: Tree) -> None:
        """Keep which tree something is, such as a commit of a remote. Raise OSError."""
        self.names[name] = tree
        key = sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
        path = f"{self.directory('names')}/{key}"
        linked_files.replace_file(path, tree.digest.encode(), PRIVATE)

    def remembered(self, name: str) -> Tree | None:
        """Return the tree that :meth:`remember` was called with, if the store still has all of it."""
        if name in self.names:
            return self.names[name]
        key = sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
        digest = (stored_content(f"{self.root}/names/{key}") or b"").decode("ascii", "replace")
        found = self.tree(digest) if DIGEST.fullmatch(digest) else None
        if found is not None:
            self.names[name] = found
        return found


def stored_content(path: str) -> bytes | None:
    """Return the content of a file; None if there is none. Raise OSError."""
    try:
        with open_regular(path) as file:
            return file.read()
    except FileNotFoundError:
        return None
