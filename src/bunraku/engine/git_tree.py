"""The files of a git revision, read from the repository's objects without a checkout."""

from __future__ import annotations

import errno
import os
import posixpath
import subprocess
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from subprocess import CompletedProcess
from types import MappingProxyType
from typing import IO, Any

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.errors import PuppetError
from bunraku.base.fences import leads_out
from bunraku.base.file_reading import read_whole
from bunraku.base.records import record
from bunraku.engine.git_program import git, git_command
from bunraku.engine.git_text import ATTRIBUTES, Rules, rules_of_revision
from bunraku.world import processes
from bunraku.world.disk import Disk
from bunraku.world.file_locks import await_lock
from bunraku.world.file_signatures import Signature
from bunraku.world.overlay import MachineOf
from bunraku.world.processes import Program
from bunraku.world.protocol import World
from bunraku.world.scratch import scratch_directory

LINK = "120000"
PLAIN = "100644"
EXECUTABLE = "100755"
SUBMODULE = "160000"
IGNORED = ("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
"""Lists what git ignores; a directory of which it ignores everything is one entry."""
NO_MOUNTS: Mapping[str, str | None] = MappingProxyType({})
MOST_LINKS = 40
"""Symbolic links that one path may lead through, as on Linux."""


@record(frozen=True)
class TreeEntry:
    """A file of a tree: its mode as git writes it, and its object."""

    mode: str
    object: str


class Objects:
    """Stored contents of a repository's objects, each read once.

    Every process, also a fork, starts a separate ``git cat-file``.
    """

    def __init__(self, repository: str) -> None:
        self.repository = repository
        self.kept: dict[str, bytes] = {}
        self.process: Program | None = None
        self.owner = 0

    def read(self, name: str) -> bytes:
        """Return the content of an object; raise OSError if there is none."""
        found = self.kept.get(name)
        if found is None:
            found = self.kept[name] = self.fetch(name)
        return found

    def fetch(self, name: str) -> bytes:
        """Return the content of an object from git."""
        write, answer = self.pipes()
        try:
            write.write(name.encode() + b"\n")
            write.flush()
            header = answer.readline().split()
            if len(header) != 3 or header[1] != b"blob":
                raise OSError(f"git cannot read the object {name}")
            content = answer.read(int(header[2]))
            answer.read(1)  # the line feed after the content
        except BaseException:  # the rest of the answer would be taken for the next one
            self.close()
            raise
        return content

    def pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        """Return standard input and output of this process's ``git cat-file``."""
        if self.process is None or self.owner != os.getpid():
            command = git_command(self.repository, "cat-file", "--batch")
            self.process = processes.start(command, stderr=subprocess.DEVNULL, buffered=True)
            self.owner = os.getpid()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        return self.process.stdin, self.process.stdout

    def close(self) -> None:
        """End the ``git cat-file`` of this process."""
        if self.process is not None and self.owner == os.getpid():
            self.process.end()
            self.process = None


class GitTree(MachineOf):
    """A world in which a directory holds the files of a revision; see :class:`World`.

    ``root`` is a private directory that exists and is empty. Programs can read the files only after
    :meth:`expose` has written them there. Other paths are those of the world ``below``. Files that
    git ignores, such as modules that r10k has installed and private keys, belong to no revision: they
    are those of the working tree. ``mounts`` are directories of ``below`` that take the place of what git
    ignores, by their paths in the tree; None hides it.
    """

    def __init__(
        self,
        objects: Objects,
        commit: str,
        root: str,
        below: World,
        mounts: Mapping[str, str | None] = NO_MOUNTS,
    ) -> None:
        self.objects = objects
        self.commit = commit
        self.root = root
        self.below = below
        self.mounts = mounts
        self.tables: dict[Any, Any] = {}
        """Directory listings that compiles share: the revision never changes."""
        self.located: dict[str, tuple[str, str] | None] = {}
        self.texts: dict[str, bytes] = {}
        """The texts of files that git has converted, by path."""

    def mounted(self, mounts: Mapping[str, str | None]) -> GitTree:
        """Return the same revision with mounts."""
        made = GitTree(self.objects, self.commit, self.root, self.below, mounts)
        made.entries = self.entries
        return made

    @cached_property
    def entries(self) -> dict[str, TreeEntry]:
        """The files of the revision by their path."""
        listing = git(self.objects.repository, "ls-tree", "-r", "-z", "--full-tree", self.commit)
        found = {}
        for line in listing.split("\0"):
            if line:
                facts, path = line.split("\t", 1)
                mode, _kind, name = facts.split()
                found[path] = TreeEntry(mode, name)
        return found

    @cached_property
    def attributes(self) -> dict[str, str]:
        """The objects of the revision's files of attributes, by path."""
        return {
            path: entry.object
            for path, entry in self.entries.items()
            if path.endswith(ATTRIBUTES)
            and posixpath.basename(path) == ATTRIBUTES
            and entry.mode in (PLAIN, EXECUTABLE)
        }

    @cached_property
    def rules(self) -> Rules:
        """Which files git may convert."""
        paths = [path for path, entry in self.entries.items() if entry.mode in (PLAIN, EXECUTABLE)]
        return rules_of_revision(self.objects.repository, paths, self.attributes)

    @cached_property
    def own_names(self) -> dict[str, set[str]]:
        """The names in each directory of the revision; that of a submodule is empty."""
        found: dict[str, set[str]] = {"": set()}
        for path, entry in self.entries.items():
            if entry.mode == SUBMODULE:
                found.setdefault(path, set())
            add_names(found, path)
        return found

    @cached_property
    def ignored(self) -> frozenset[str]:
        """The files and directories that git ignores and the revision does not have, without mounts.

        git also lists the directories below a directory of which it ignores everything; only that one
        counts.
        """
        listing = git(self.objects.repository, *IGNORED)
        found: list[str] = []
        paths = (path.rstrip("/") for path in listing.split("\0") if path)
        for path in sorted(paths, key=lambda path: path.split("/")):
            is_inside = found and path.startswith(f"{found[-1]}/")
            if not is_inside and path not in self.entries and path not in self.own_names:
                found.append(path)
        return frozenset(one for path in found for one in self.beside_mounts(path))

    def beside_mounts(self, path: str) -> Iterator[str]:
        """Yield a path that git ignores, or what is in it beside mounts."""
        if path in self.mounts:
            return
        if not self.has_mounts(path):
            yield path
            return
        for name in self.below.list_directory(posixpath.join(self.objects.repository, path)):
            yield from self.beside_mounts(f"{path}/{name}")

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """The names in each directory, with those that git ignores."""
        found = {directory: set(names) for directory, names in self.own_names.items()}
        for path in (*self.ignored, *(one for one, place in self.mounts.items() if place)):
            add_names(found, path)
        return {directory: sorted(names) for directory, names in found.items()}

    @cached_property
    def has_links(self) -> bool:
        """Whether the revision holds symbolic links."""
        return any(entry.mode == LINK for entry in self.entries.values())

    def has(self, path: str) -> bool:
        """Return whether the revision has a file or directory, given by its path in the tree."""
        return path in self.entries or path in self.own_names

    def has_mounts(self, path: str) -> bool:
        """Return whether a path in the tree is a mount or has some in it."""
        return any(f"{one}/".startswith(f"{path}/") for one in self.mounts)

    def outside(self, path: str) -> str | None:
        """Return where a file is that a mount has or that git ignores; None for other files."""
        if path in self.entries or path in self.own_names:
            return None
        if not self.ignored and not self.mounts:
            return None
        end = len(path)
        while end > 0:
            mount = self.mounts.get(path[:end])
            if mount is not None:
                return mount + path[end:]
            if path[:end] in self.ignored:
                return posixpath.join(self.objects.repository, path)
            end = path.rfind("/", 0, end)
        return None

    def locate(self, path: str) -> tuple[str, str] | None:
        """Return where a path leads: ``("tree", path)``, ``("below", path)`` or None for nowhere."""
        if path not in self.located:
            self.located[path] = self.find(path)
        return self.located[path]

    def find(self, path: str) -> tuple[str, str] | None:
        """Return where a path leads, links followed."""
        for _ in range(MOST_LINKS):
            inner = self.inside(path)
            if inner is None:
                return "below", path
            target = self.first_link(inner) if self.has_links else None
            if target is None:
                outer = self.outside(inner)
                return ("tree", inner) if outer is None else ("below", outer)
            if self.inside(target) is None and self.is_fenced(inner, target):
                return None
            path = target
        return None

    def is_fenced(self, path: str, target: str) -> bool:
        """Return whether a link out of the repository, at a path in it, is not followed."""
        shown = posixpath.join(self.objects.repository, path)
        return leads_out(shown, os.path.realpath(target))

    def inside(self, path: str) -> str | None:
        """Return the path in the tree; None for a path outside of it."""
        if not path.startswith(self.root) or path[len(self.root) : len(self.root) + 1] not in (
            "",
            "/",
        ):
            return None
        rest = path[len(self.root) + 1 :].strip("/")
        if "//" in rest or not {".", ".."}.isdisjoint(rest.split("/")):
            rest = posixpath.normpath(rest)
        if rest == ".." or rest.startswith("../"):
            return None
        return "" if rest == "." else rest

    def first_link(self, path: str) -> str | None:
        """Return the path with its first symbolic link replaced; None without a link."""
        parts = path.split("/")
        for count in range(1, len(parts) + 1):
            start = "/".join(parts[:count])
            entry = self.entries.get(start)
            if entry is not None and entry.mode == LINK:
                target = os.fsdecode(self.objects.read(entry.object))
                if not target.startswith("/"):
                    place = posixpath.normpath(posixpath.join(posixpath.dirname(start), target))
                    # A link out of the repository leads to where it would from the working tree.
                    outside = place == ".." or place.startswith("../")
                    base = self.objects.repository if outside else self.root
                    target = posixpath.normpath(posixpath.join(base, place))
                return posixpath.join(target, *parts[count:])
        return None

    def __reduce__(self) -> tuple[Callable[..., GitTree], tuple[Any, ...]]:
        """Pickle the name of the revision: other processes read it from the repository."""
        mounts = tuple(self.mounts.items())
        return tree_of, (self.objects.repository, self.commit, self.root, mounts)

    # -- the world -------------------------------------------------------------------------------

    def read(self, path: str) -> bytes:
        """See :class:`World`."""
        found = self.locate(path)
        if found is None or found[0] == "tree":
            entry = None if found is None else self.entries.get(found[1])
            if entry is None or found is None or entry.mode == SUBMODULE:
                raise FileNotFoundError(2, "No such file or directory", path)
            return self.text(entry, found[1])
        return self.below.read(found[1])

    def text(self, entry: TreeEntry, path: str) -> bytes:
        """Return the text of a file as a checkout writes it; raise OSError.

        Filters run only for files that are read: one that fails, or downloads much, is not that of
        all files.
        """
        rules = self.rules
        if path not in rules.others and path not in rules.returns:
            return self.objects.read(entry.object)
        if path not in self.texts:
            try:
                if not rules.others:
                    self.expose()
                    self.texts[path] = read_whole(os.path.join(self.root, path))
                else:
                    self.texts[path] = self.text_alone(path)
            except PuppetError as error:
                raise OSError(errno.EIO, str(error), path) from error
        return self.texts[path]

    def text_alone(self, path: str) -> bytes:
        """Return the text of one file from a checkout without others; raise OSError or PuppetError."""
        with scratch_directory() as scratch:
            tree = os.path.join(scratch, "tree")
            os.mkdir(tree)
            check_out(self.objects.repository, self.commit, tree, path)
            return read_whole(os.path.join(tree, path))

    def beginning(self, path: str, size: int) -> bytes:
        """See :class:`World`."""
        found = self.locate(path)
        if found is not None and found[0] == "below":
            return self.below.beginning(found[1], size)
        return self.read(path)[:size]

    def disk_path(self, path: str) -> str | None:
        """See :class:`World`; files of the revision are not on a disk."""
        found = self.locate(path)
        return self.below.disk_path(found[1]) if found is not None and found[0] == "below" else None

    def is_file(self, path: str) -> bool:
        """See :class:`World`."""
        found = self.locate(path)
        if found is None:
            return False
        if found[0] == "below":
            return self.below.is_file(found[1])
        return found[1] in self.entries and self.entries[found[1]].mode != SUBMODULE

    def is_directory(self, path: str) -> bool:
        """See :class:`World`."""
        found = self.locate(path)
        if found is None:
            return False
        return found[1] in self.names if found[0] == "tree" else self.below.is_directory(found[1])

    def is_executable(self, path: str) -> bool:
        """See :class:`World`."""
        found = self.locate(path)
        if found is None:
            return False
        if found[0] == "below":
            return self.below.is_executable(found[1])
        return found[1] in self.entries and self.entries[found[1]].mode == EXECUTABLE

    def list_directory(self, path: str) -> list[str]:
        """See :class:`World`."""
        found = self.locate(path)
        if found is not None and found[0] == "below":
            return self.below.list_directory(found[1])
        names = None if found is None else self.names.get(found[1])
        if names is None:
            raise FileNotFoundError(2, "No such file or directory", path)
        return list(names)

    def signature(self, path: str) -> Signature | None:
        """See :class:`World`."""
        found = self.locate(path)
        if found is None:
            return None
        if found[0] == "below":
            return self.below.signature(found[1])
        entry = self.entries.get(found[1])
        if entry is not None:
            return (int(entry.object, 16),)
        return (0,) if found[1] in self.names else None

    def expose(self) -> None:
        """See :class:`World`; the first process that calls it writes the files."""
        directory = os.path.dirname(self.root)
        if not os.path.isdir(directory):
            message = "this machine does not share the directory for temporary files (TMPDIR)"
            raise FileNotFoundError(errno.ENOENT, message, directory)
        done = os.path.join(directory, "written")
        if os.path.exists(done):
            return
        with open(os.path.join(directory, "lock"), "w") as lock:
            await_lock(lock.fileno())
            if not os.path.exists(done):
                check_out(self.objects.repository, self.commit, self.root)
                self.link_ignored()
                with open(done, "w"):
                    pass

    def link_ignored(self) -> None:
        """Let links lead to mounts, and to the files that git ignores."""
        places = {path: posixpath.join(self.objects.repository, path) for path in self.ignored}
        places |= {path: place for path, place in self.mounts.items() if place is not None}
        for path, place in sorted(places.items()):
            link = os.path.join(self.root, path)
            os.makedirs(os.path.dirname(link), exist_ok=True)
            os.symlink(place, link)

    def run(self, command: list[str], directory: str | None = None) -> str:
        """See :class:`World`."""
        self.expose()
        return self.below.run(command, directory)

    def complete(
        self, command: list[str], variables: Mapping[str, str], seconds: float
    ) -> CompletedProcess[bytes]:
        """See :class:`World`."""
        self.expose()
        return self.below.complete(command, variables, seconds)

    def spawn(self, command: list[str]) -> Program:
        """See :class:`World`."""
        self.expose()
        return self.below.spawn(command)


def add_names(names: dict[str, set[str]], path: str) -> None:
    """Add a path to the names of its directory, and that to the names of the one above."""
    while path:
        directory, _, name = path.rpartition("/")
        known = names.setdefault(directory, set())
        if name in known:
            break
        known.add(name)
        path = directory


Mounts = tuple[tuple[str, str | None], ...]
TREES: BoundedCache[tuple[str, str, str, Mounts], GitTree] = BoundedCache("git revisions", 4)
"""The revisions that another process sent to this one."""


def tree_of(repository: str, commit: str, root: str, mounts: Mounts = ()) -> GitTree:
    """Return the world of a revision, the same one for the same arguments."""
    key = repository, commit, root, mounts
    made = TREES.get(key)
    if made is None:
        made = GitTree(Objects(repository), commit, root, Disk(), dict(mounts))
        TREES.keep(key, made)
    return made


def check_out(repository: str, commit: str, directory: str, *paths: str) -> None:
    """Write files of a commit, all without ``paths``; the working tree and index of the repository do not change.

    The directory is git's work tree, because git also reads attributes there.
    """
    with scratch_directory() as scratch:
        index = os.path.join(scratch, "index")
        environment = {**os.environ, "GIT_INDEX_FILE": index, "GIT_WORK_TREE": directory}
        git(repository, "read-tree", commit, environment=environment)
        chosen = ["--", *paths] if paths else ["--all"]
        git(repository, "checkout-index", *chosen, environment=environment)
