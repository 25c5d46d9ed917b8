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
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256

from bunraku.base.errors import PuppetError
from bunraku.base.private_folder import NotPrivate, open_private
from bunraku.base.records import record
from bunraku.deployment import issues
from bunraku.world import linked_files
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
    """Return whether a deployed file or link looks like its entry; see the module for what is compared."""
    kind, digest, size = entry
    if kind == LINK:
        return stat.S_ISLNK(status.st_mode) and status.st_size == size
    return (
        stat.S_ISREG(status.st_mode)
        and status.st_size == size
        and int(status.st_mtime) == file_time(digest)
        and status.st_mode & 0o777 == MODES[kind]
    )


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
        """Make the directory of the store; raise STORE_FAILED if others could change it."""
        parent, name = os.path.split(self.root)
        try:
            os.close(open_private(parent, name, create=True))
        except NotPrivate as error:
            raise issues.STORE_NOT_PRIVATE(directory=self.root, reason=str(error)) from None
        except OSError as error:
            raise issues.STORE_FAILED(directory=self.root, reason=error.strerror) from None

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
        os.rename(path, self.path_of(entry))
        return entry

    def read(self, entry: Entry) -> bytes:
        """Return the content of a file; raise STORE_DAMAGED if it is not what its name says."""
        path = self.path_of(entry)
        try:
            with open(path, "rb") as file:
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
        source = self.path_of(entry)
        linked_files.place_file(source, target, MODES[kind], file_time(digest), link=self.link)

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
        self.take_directory(directory, "", entries)
        return self.write_tree(entries)

    def take_directory(self, directory: str, prefix: str, entries: dict[str, Entry]) -> None:
        """Move the files of a directory into the store."""
        with os.scandir(directory) as found:
            names = sorted(found, key=lambda one: one.name)
        for one in names:
            path = prefix + one.name
            status = one.stat(follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                if one.name != ".git":
                    self.take_directory(one.path, f"{path}/", entries)
            elif stat.S_ISREG(status.st_mode):
                if one.name != ".git":
                    entries[path] = self.take_file(one.path, status)
            elif stat.S_ISLNK(status.st_mode):
                target = os.readlink(one.path)
                entries[path] = (LINK, target, len(os.fsencode(target)))
            else:
                raise issues.STORE_UNFIT(file=path)

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
            if not os.path.exists(path):
                linked_files.replace_file(path, content, PRIVATE)
        return tree

    def tree(self, digest: str) -> Tree | None:
        """Return a tree with all its files; None if the store does not have them, or not as written."""
        found = self.listing(digest)
        if found is not None and digest not in self.complete:
            if not all(map(self.holds, found.entries.values())):
                self.discard(found.entries.values())
                return None
            self.complete.add(digest)
        return found

    def listing(self, digest: str) -> Tree | None:
        """Return a tree, whose files the store may not have any more; None for an unknown one."""
        found = self.trees.get(digest)
        if found is not None:
            return found
        try:
            with open(f"{self.root}/trees/{digest}", "rb") as file:
                content = file.read()
        except FileNotFoundError:
            return None
        if sha256(content).hexdigest() != digest:
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
        try:
            with open(f"{self.root}/names/{key}", encoding="ascii") as file:
                digest = file.read()
        except (FileNotFoundError, UnicodeDecodeError):
            return None
        found = self.tree(digest)
        if found is not None:
            self.names[name] = found
        return found
