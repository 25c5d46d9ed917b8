"""Selection of the files of a project that are checked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cached_property

from bunraku.base.errors import PuppetError
from bunraku.base.fences import check_inside
from bunraku.base.file_reading import is_present, read_beginning, read_whole
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record
from bunraku.checks.kinds import JSON, MANIFEST, RUBY, UNREADABLE, YAML, kind_of
from bunraku.hiera.data import parse_yaml
from bunraku.project.control import MODULE_DIRECTORIES

SKIPPED = frozenset({"node_modules", "vendor", "pkg", "coverage"})
"""Directories with third-party or generated files."""
FIXTURES = ("spec/fixtures", "test/fixtures", "tests/fixtures")
PLAIN = frozenset({"files", "templates", "spec", "test", "tests", "acceptance", "examples"})
"""Below these directories YAML, JSON and Ruby are content for other programs, not for Puppet."""
WILDCARDS = frozenset("*?[")
USUAL_DATA = ("data", "hieradata")
PLAN_HEADER = lazy_pattern(r"(?:\s+|#[^\n]*+|/\*.*?\*/)*+plan\s+[a-z]", re.DOTALL)
"""The beginning of a plan, with comments before it."""


@record(slots=False)
class FileWalk:
    """The files below some directories: ``exclude`` are patterns, each after its directory.

    ``data`` are the directories of Hiera data that the ``hiera.yaml`` files on the way name.
    """

    exclude: Sequence[tuple[str, str]] = ()
    data: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def files(self, directory: str, *, top: bool = True) -> Iterator[tuple[str, str]]:
        """Yield path and kind of each file below a directory, sorted; each directory once."""
        real = os.path.realpath(directory)
        if real in self.seen:
            return
        self.seen.add(real)
        check_inside(directory, real)
        try:
            names = sorted(os.listdir(directory))
        except PermissionError:
            if top:
                raise
            yield directory, UNREADABLE
            return
        if "hiera.yaml" in names:
            self.data += data_directories(os.path.join(directory, "hiera.yaml"))
        elif top:
            self.data += [os.path.join(directory, name) for name in USUAL_DATA if name in names]
        for name in names:
            path = os.path.join(directory, name) if directory != "." else name
            kind = None if name.startswith(".") else kind_of(path, tuple(self.data))
            if kind is not None and is_present(path) and self.is_checked(path, kind):
                yield path, kind
            elif self.is_entered(name, path) and os.path.isdir(path):
                yield from self.files(path, top=False)

    def is_checked(self, path: str, kind: str) -> bool:
        """Return whether a file is checked."""
        if kind in {YAML, JSON, RUBY} and PLAIN.intersection(path.split("/")[:-1]):
            return False
        if kind == MANIFEST and "/files/" in path and is_binary(path):
            return False  # policy packages of SELinux are called *.pp, too
        return not self.is_excluded(path)

    def is_entered(self, name: str, path: str) -> bool:
        """Return whether the files of a directory are checked."""
        if name.startswith(".") or name in SKIPPED or path.endswith(FIXTURES):
            return False
        return not self.is_excluded(path)

    def is_excluded(self, path: str) -> bool:
        """Return whether a pattern excludes a path or its name.

        >>> walk = FileWalk([("/c", "legacy/**"), ("/c", "*.tmp.pp")])
        >>> [walk.is_excluded(path) for path in ("/c/legacy", "/c/a/x.tmp.pp", "/c/a.pp")]
        [True, True, False]
        """
        if not self.exclude:
            return False
        whole = os.path.abspath(path)
        literal, patterns = self.excluded
        return any(one in literal for one in with_folders_above(whole)) or any(
            matches(whole, base, pattern) for base, pattern in patterns
        )

    @cached_property
    def excluded(self) -> tuple[frozenset[str], list[tuple[str, str]]]:
        """The excluded paths without wildcards, which can be many, and the other patterns."""
        literal: set[str] = set()
        patterns = []
        for base, pattern in self.exclude:
            bare = bare_pattern(pattern)
            whole = os.path.join(base, bare)
            if "/" in bare and not WILDCARDS.intersection(whole):
                literal.add(whole)
            else:
                patterns.append((base, pattern))
        return frozenset(literal), patterns


def with_folders_above(path: str) -> Iterator[str]:
    """Yield a path and the directories above it.

    >>> list(with_folders_above("/a/b"))
    ['/a/b', '/a']
    """
    while path not in ("", "/"):
        yield path
        path = os.path.dirname(path)


def bare_pattern(pattern: str) -> str:
    """Return a pattern without what does not matter at its beginning and end."""
    return pattern.removesuffix("/").removesuffix("/**").removeprefix("./")


def is_binary(path: str) -> bool:
    """Return whether the beginning of a file has bytes that no text has; not of one that cannot be read."""
    try:
        return b"\0" in read_beginning(path, 1024)
    except OSError:
        return False  # its own check reports the reason


def matches(path: str, base: str, pattern: str) -> bool:
    """Return whether a pattern is for a path: the whole, a directory above, or the name alone."""
    bare = bare_pattern(pattern)
    if "/" not in bare and fnmatchcase(os.path.basename(path), bare):
        return True
    whole = os.path.join(base, bare)
    return fnmatchcase(path, whole) or fnmatchcase(path, f"{whole}/*")


def data_directories(path: str) -> list[str]:
    """Return the directories of data that a ``hiera.yaml`` names and that can be named in advance."""
    root = os.path.dirname(path)
    try:
        config = parse_yaml(read_whole(path), path)
    except (OSError, PuppetError):
        return []  # its own check reports the mistake
    if not isinstance(config, dict):
        return []
    entries = [config.get("defaults"), *as_list(config.get("hierarchy")), config]
    found = {
        entry["datadir"]
        for entry in entries
        if isinstance(entry, dict) and isinstance(entry.get("datadir"), str)
    }
    names = {name.partition("/%{")[0].rstrip("/") for name in found} or {"data"}
    return [os.path.normpath(os.path.join(root, name)) for name in sorted(names)]


def data_directories_around(path: str) -> list[str]:
    """Return the directories of data that ``hiera.yaml`` files above a file name."""
    directory = os.path.dirname(path)
    found: list[str] = []
    while True:
        config = os.path.join(directory, "hiera.yaml")
        if is_present(config):
            found += data_directories(config)
        if os.path.basename(os.path.abspath(directory)) in USUAL_DATA:
            found.append(directory)
        real = os.path.abspath(directory)
        if real == os.path.dirname(real) or os.path.exists(os.path.join(real, ".git")):
            return found
        directory = os.path.dirname(directory) if directory not in {"", "."} else ".."
        if directory.startswith(".."):
            return found


def as_list(value: object) -> list[object]:
    """Return a list unchanged, and an empty list for any other value."""
    return value if isinstance(value, list) else []


def has_tasks(path: str, text: str) -> bool:
    """Return whether a manifest is a plan: below ``plans/`` of a module or a Bolt project.

    A directory in one of modules is a module, also if it has nothing but plans. Elsewhere, what begins
    with the header of a plan is one: without plans, this is not Puppet code.
    """
    parts = os.path.abspath(path).split("/")
    if "plans" not in parts[:-1]:
        return False
    at = len(parts) - 1 - parts[::-1].index("plans")
    if parts[at - 1] == "manifests":
        return False
    if parts[at - 2] in MODULE_DIRECTORIES or PLAN_HEADER.match(text):
        return True
    root = "/".join(parts[:at])
    marks = (
        "metadata.json",
        "bolt-project.yaml",
        "manifests",
        "tasks",
        "lib",
        "functions",
        "types",
    )
    return any(os.path.exists(f"{root}/{mark}") for mark in marks)
