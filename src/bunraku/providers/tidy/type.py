"""The resource type ``tidy``."""

from __future__ import annotations

import posixpath
import re
from typing import Any

from bunraku.providers.attributes import Parameter
from bunraku.providers.errors import InvalidValue
from bunraku.providers.file.type import normal_path
from bunraku.providers.file.walk import FoundEntry, glob_pattern, walk_directory
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import munging, one_text, switch
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.world.host import FileStatus

Value = Any
PASSED_ON = (
    "noop", "loglevel", "schedule", "audit", "tag", "before", "notify", "require", "subscribe",
)  # fmt: skip
"""The metaparameters that the generated removals inherit."""
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
BYTES = {"b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
WITH_UNIT = re.compile(r"([0-9]+)(\w)\w*")
NUMBER = re.compile(r"[0-9]+")


def read_path(value: Value) -> str:
    """Return a path without repeated and trailing slashes."""
    return normal_path(one_text("path")(value))


def read_recurse(value: Value) -> Value:
    """Return the depth: None for no limit, 0 for the path itself."""
    text = to_s(value)
    if text in ("true", "inf"):
        return "true"
    if text == "false":
        return 0
    if re.fullmatch("-?[0-9]+", text):
        return int(text)
    raise munging("recurse", value, f"Invalid recurse value {inspect(value)}")


def read_matches(value: Value, resource: ManagedResource) -> list[str]:
    """Return the patterns, which require a recursion."""
    if not resource["recurse"]:
        raise InvalidValue("Tidy can't use matches with recurse 0, false, or undef")
    return [str(one) for one in (value if isinstance(value, list) else [value])]


def read_amount(value: Value, name: str, units: dict[str, int], default: str) -> int:
    """Return a number with a unit in seconds or bytes.

    >>> read_amount("2days", "age", SECONDS, "d"), read_amount("1", "size", BYTES, "k")
    (172800, 1024)
    """
    # Without a unit, Puppet takes the last digit for the unit, unless the number is below 10.
    found = WITH_UNIT.fullmatch(value) if isinstance(value, str) else None
    if found is None and not (isinstance(value, str) and NUMBER.fullmatch(value)):
        raise InvalidValue(f"Invalid tidy {name} {to_s(value)}")
    number, unit = (found[1], found[2].lower()) if found is not None else (value, default)
    if unit not in units:
        raise InvalidValue(f"Invalid {name} unit '{unit}'")
    return int(number) * units[unit]


class Tidy(ResourceType):
    """Files to remove by age, size and name. Files that other resources manage are kept."""

    name = "tidy"
    named_only = True
    namevar = "path"
    depth_first = True
    attributes = (
        Parameter("path", read=read_path, about="The file, or the directory to search."),
        Parameter(
            "recurse",
            read=read_recurse,
            about="The number of levels to search: true, false or a number.",
        ),
        Parameter(
            "max_files",
            pattern="^[0-9]+$",
            default="0",
            about="The largest number of entries of a directory; 0 warns above 1,000.",
        ),
        Parameter(
            "matches", read_for=read_matches, about="Patterns for the names of files to remove."
        ),
        Parameter("backup", about="Accepted and ignored, as in Puppet."),
        Parameter(
            "age",
            read=lambda value: read_amount(value, "age", SECONDS, "d"),
            about="Remove files that are at least this old, such as `1w`, `2d`, `3h`, `4m` or `5s`.",
        ),
        Parameter(
            "size",
            read=lambda value: read_amount(value, "size", BYTES, "k"),
            about="Remove files that are at least this large, such as `10b`, `1k`, `1m` or `1g`.",
        ),
        Parameter(
            "type",
            words=("atime", "mtime", "ctime"),
            default="atime",
            about="The file time from which the age is computed.",
        ),
        switch("rmdirs", default=False, about="Whether empty directories are removed, too."),
    )

    def canonical_name(self, name: str) -> str:
        """Return the path without repeated and trailing slashes."""
        return normal_path(name)

    def generate(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return a resource for each file to remove, the deepest first."""
        resource.resolve_deferred()
        self.run.compute_names("file")
        paths = [found.path for found in self.candidates(resource) if self.matches(resource, found)]
        if not paths:
            return []
        for path in paths:
            resource.log("debug", f"Tidying File[{path}]")
        resource.log("notice", f"Tidying {len(paths)} files")
        paths.sort(reverse=True)
        held = held_by(paths) if resource.is_true("rmdirs") else {}
        return [self.removal(resource, path, held.get(path, [])) for path in paths]

    def candidates(self, resource: ManagedResource) -> list[FoundEntry]:
        """Return the path and, with a recursion, the entries below it."""
        recurse = resource["recurse"]
        return walk_directory(
            self.host,
            resource["path"],
            levels=None if recurse == "true" else recurse or 0,
            max_files=int(resource["max_files"]),
            warn=lambda text: self.run.log("warning", text),
        )

    def matches(self, resource: ManagedResource, found: FoundEntry) -> bool:
        """Return whether to remove a file: by its name and, if set, its age or size."""
        status = found.status
        if self.run.find("file", found.path) is not None:
            return False
        if status.kind == "directory" and not resource.is_true("rmdirs"):
            return False
        name = posixpath.basename(found.path)
        patterns = resource["matches"]
        if patterns is not None and not any(
            glob_pattern(one, hidden=True).fullmatch(name) for one in patterns
        ):
            return False
        age, size = resource["age"], resource["size"]
        if age is None and size is None:
            return True
        old = age is not None and int(self.host.now()) - int(time_of(resource, status)) >= age
        return old or (size is not None and status.size >= size)

    def removal(self, resource: ManagedResource, path: str, held: list[str]) -> ManagedResource:
        """Return the resource that removes a path, ordered after those of the entries below it."""
        file_type = self.run.resource_type("file")
        assert file_type is not None
        given = {name: resource.original[name] for name in PASSED_ON if name in resource.original}
        if held:
            required = given.get("require") or []
            required = required if isinstance(required, list) else [required]
            given["require"] = [*required, *(f"File[{one}]" for one in held)]
        parameters = {**given, "path": path, "ensure": "absent", "force": True, "backup": False}
        return ManagedResource(file_type, path, parameters, path=resource.containers)


def time_of(resource: ManagedResource, status: FileStatus) -> float:
    """Return the time from which the age of a file is computed."""
    times = {"atime": status.accessed, "mtime": status.modified, "ctime": status.changed}
    return times[resource["type"]]


def held_by(paths: list[str]) -> dict[str, list[str]]:
    """Return the paths by their directories."""
    held: dict[str, list[str]] = {}
    for path in paths:
        held.setdefault(posixpath.dirname(path), []).append(path)
    return held


resource_type = Tidy
