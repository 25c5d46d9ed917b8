"""The contents behind the ``source`` of files, compared in two states of a repository.

A catalog names the source of a file; what an agent writes is the content that the server has there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from hashlib import sha256
from typing import Any

from bunraku.base.records import field, record, replace
from bunraku.catalog.compare import ABSENT, Change
from bunraku.engine.request import Request, resolve
from bunraku.engine.revisions import Side
from bunraku.jobs.context import Context
from bunraku.modules.known_names import module_paths
from bunraku.server.files.mounts import BUILT_IN, MERGED, OF_A_MODULE
from bunraku.world.protocol import World

Parameters = Mapping[str, Any]
SCHEME = "puppet://"
RECURSIVE = (True, "true", "remote")
MOST_FILES = 1000
"""Files of one resource whose contents are compared."""
MOST_BYTES = 256 * 1024
"""Larger contents are shown by their digests."""
CONTENT = "(content of source)"
"""The name of the change of a content; a path below the source follows for each file of a directory."""


@record(frozen=True)
class ServerSource:
    """A source of a file resource: its text, its mount and the path in it."""

    text: str
    mount: str
    path: str


@record()
class Listing:
    """The files behind a source by their paths below it: the empty one is that of a single file.

    ``is_whole`` is false if the limit of files left some out.
    """

    files: dict[str, str] = field(default_factory=dict)
    is_whole: bool = True


class SourceContents:
    """The contents that the sources of a state have; each file is read once.

    ``mounts`` are the directories of mounts by name. ``unknown`` collects the mounts whose directories
    are not known.
    """

    def __init__(self, request: Request, mounts: Mapping[str, str]) -> None:
        resolved = resolve(replace(request, node_classes=(), facts_from=None), lambda _entry: None)
        self.world: World = resolved.environment.world
        self.modules = module_paths(resolved.environment)
        self.mounts = mounts
        self.unknown: set[str] = set()
        self.listings: dict[tuple[Any, ...], Listing | None] = {}
        self.contents: dict[str, bytes | None] = {}

    def listing(self, parameters: Parameters) -> Listing | None:
        """Return the files behind the sources of a file resource; None if no source exists.

        The first source that exists counts; with ``sourceselect => all`` and ``recurse``, the others add
        what it does not have.
        """
        sources = list(sources_of(parameters))
        recurses = parameters.get("recurse") in RECURSIVE
        ignore = listed(parameters.get("ignore"))
        levels = parameters.get("recurselimit")
        select_all = recurses and parameters.get("sourceselect") == "all"
        key = (tuple(one.text for one in sources), recurses, tuple(ignore), levels, select_all)
        if key not in self.listings:
            found: Listing | None = None
            for path in filter(None, map(self.path_of, sources)):
                here = self.files_below(path, recurses, ignore, levels)
                if found is None:
                    found = here
                else:
                    found.files = {**here.files, **found.files}
                    found.is_whole = found.is_whole and here.is_whole
                if not select_all:
                    break
            self.listings[key] = found
        return self.listings[key]

    def knows(self, parameters: Parameters) -> bool:
        """Return whether the directories of all mounts of a resource are known."""
        names = {one.mount for one in sources_of(parameters)}
        unknown = names - BUILT_IN - self.mounts.keys()
        self.unknown |= unknown
        return not unknown

    def path_of(self, source: ServerSource) -> str | None:
        """Return the path of a source; None if it does not exist."""
        folders: Sequence[str]
        below = source.path
        if source.mount in OF_A_MODULE:
            name, _, below = source.path.partition("/")
            folder = self.modules.get(name)
            folders = [] if folder is None else [f"{folder}/{OF_A_MODULE[source.mount]}"]
        elif source.mount in MERGED:
            folders = [f"{one}/{MERGED[source.mount]}" for one in self.modules.values()]
        else:
            folders = [self.mounts[source.mount]]
        paths = (f"{folder}/{below}" if below else folder for folder in folders)
        return next((path for path in paths if self.exists(path)), None)

    def exists(self, path: str) -> bool:
        """Return whether a path is that of a file or directory."""
        return self.world.is_file(path) or self.world.is_directory(path)

    def files_below(
        self, path: str, recurses: bool, ignore: Sequence[str], levels: object
    ) -> Listing:
        """Return a file, or with ``recurses`` the files and directories below a directory."""
        if not self.world.is_directory(path):
            return Listing({"": path})
        found = Listing({"": path})
        if not recurses:
            return found
        most = int(levels) if isinstance(levels, int | str) and str(levels).isdigit() else None
        waiting = [("", path, 1)]
        while waiting:
            relative, folder, level = waiting.pop()
            if most is not None and level > most:
                continue
            for name in self.world.list_directory(folder):
                if any(fnmatchcase(name, pattern) for pattern in ignore):
                    continue
                if len(found.files) > MOST_FILES:
                    found.is_whole = False
                    return found
                inner = f"{relative}/{name}"
                found.files[inner] = f"{folder}/{name}"
                if self.world.is_directory(found.files[inner]):
                    waiting.append((inner, found.files[inner], level + 1))
        return found

    def content(self, path: str) -> bytes | None:
        """Return the content of a file; None of a directory and of a file that cannot be read."""
        if path not in self.contents:
            try:
                self.contents[path] = self.world.read(path)
            except OSError:
                self.contents[path] = None
        return self.contents[path]

    def value(self, path: str | None, *, with_mode: bool) -> object:
        """Return what a change shows of a file: its text, or a description; ABSENT without one."""
        if path is None:
            return ABSENT
        content = self.content(path)
        if content is None:
            return "(directory)" if self.world.is_directory(path) else "(cannot be read)"
        mode = "executable " if with_mode and self.world.is_executable(path) else ""
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text or len(content) > MOST_BYTES or mode:
            return f"({mode}{len(content)} bytes, sha256 {sha256(content).hexdigest()})"
        return text


def changes_behind(
    old: SourceContents, new: SourceContents, before: Parameters, after: Parameters
) -> Iterator[Change]:
    """Yield the changes of the contents behind the sources of a file resource."""
    if not old.knows(before) or not new.knows(after):
        return
    here, there = old.listing(before), new.listing(after)
    with_mode = str(after.get("source_permissions", "ignore")) != "ignore"
    files = (here or Listing()).files, (there or Listing()).files
    for name in sorted({*files[0], *files[1]}):
        paths = files[0].get(name), files[1].get(name)
        first, second = (
            side.value(path, with_mode=with_mode)
            for side, path in zip((old, new), paths, strict=True)
        )
        if first is not second and first != second:
            yield Change(f"{CONTENT}{name}", first, second)
    if not all(one is None or one.is_whole for one in (here, there)):
        text = f"more than {MOST_FILES} files; the others are not compared"
        yield Change(CONTENT, ABSENT, text)


class StateContents:
    """The contents behind sources in both states of a repository."""

    def __init__(self, context: Context, both: Sequence[Side], requests: Sequence[Request]) -> None:
        mounts = context.file_server_mounts
        self.old, self.new = (
            SourceContents(request, {name: side.place_of(path) for name, path in mounts.items()})
            for side, request in zip(both, requests, strict=True)
        )

    def changes(self, before: Parameters, after: Parameters) -> Iterator[Change]:
        """Yield the changes behind the sources of a file resource."""
        return changes_behind(self.old, self.new, before, after)

    def notes(self) -> list[str]:
        """Return what was not compared, and what to do about it."""
        unknown = sorted(self.old.unknown | self.new.unknown)
        if not unknown:
            return []
        names = ", ".join(f"puppet:///{name}" for name in unknown)
        hint = (
            "settings = { fileserverconfig = FILE } in bunraku.toml names the file with the mounts"
        )
        return [f"contents of {names} are not compared, because the directory is not known; {hint}"]

    def changed_files(self, catalog: Mapping[str, Any]) -> Iterator[str]:
        """Yield the paths in the old state of the files behind sources that differ."""
        for resource in catalog.get("resources") or ():
            parameters = resource.get("parameters") or {}
            if resource["type"] == "File" and parameters.get("source"):
                for change in self.changes(parameters, parameters):
                    listing = self.old.listing(parameters) or self.new.listing(parameters)
                    files = {} if listing is None else listing.files
                    name = change.name.removeprefix(CONTENT)
                    yield files.get(name) or files.get("", str(parameters["source"]))


def sources_of(parameters: Parameters) -> Iterator[ServerSource]:
    """Yield the sources on the server; files of the agent's own disk and web addresses are left out.

    >>> [one.path for one in sources_of({"source": ["puppet:///modules/ntp/ntp.conf", "/etc/x"]})]
    ['ntp/ntp.conf']
    """
    for text in listed(parameters.get("source")):
        if text.startswith(SCHEME):
            _server, _, path = text.removeprefix(SCHEME).partition("/")
            mount, _, below = path.rstrip("/").partition("/")
            yield ServerSource(text, mount, below)


def listed(value: object) -> list[str]:
    """Return the texts in a value: one, or those of a list."""
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, str)]


def missing_sources(contents: SourceContents, parameters: Parameters) -> str | None:
    """Return the sources of a file resource of which none exists; None if one does, or without any."""
    sources = list(sources_of(parameters))
    given = listed(parameters.get("source"))
    if not sources or len(sources) != len(given) or parameters.get("ensure") == "absent":
        return None
    if not contents.knows(parameters) or contents.listing(parameters) is not None:
        return None
    return ", ".join(one.text for one in sources)
