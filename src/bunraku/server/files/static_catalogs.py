"""Static catalogs: descriptions of the sources of files, made with the catalog.

An agent then requests the contents in the version of the code that the catalog was made from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from bunraku.base.records import replace
from bunraku.providers.checksums import KINDS
from bunraku.server.failures import Refused
from bunraku.server.files.environment import Served
from bunraku.server.files.listings import listed
from bunraku.server.files.metadata import Metadata, described
from bunraku.server.files.mounts import Key, depends_on_client, find, is_mounted, search
from bunraku.server.files.options import FileOptions, checked_kind, has_own_permissions
from bunraku.server.files.settings import Files
from bunraku.values.ruby_semantics.texts import inspect_text

Resource = Mapping[str, Any]
"""A resource of a catalog, in the form that agents get."""
FILE = "File"
HERE = "puppet:///"
"""How the sources begin that the server itself has."""
RECURSIVE = (True, "true", "remote")
HasVersion: TypeAlias = "Callable[[str], bool]"
"""Whether the file at a path in the environment's directory is as in the version of the code."""
IN_A_MODULE = re.compile(r"/[^/]+/[^/]+/files/.+", re.DOTALL)


def static_metadata(
    files: Files,
    served: Served,
    catalog: Mapping[str, Any],
    checksum_types: str,
    has_version: HasVersion = lambda _path: True,
) -> dict[str, Any]:
    """Return a catalog with the descriptions of its sources inside the environment's directory.

    ``checksum_types`` are those of the agent, separated by dots; the first known one is used.
    Sources with a file that does not have a version are left to the agent.
    Refused if there is no known checksum, and for a source that does not exist.
    """
    kind = common_kind(checksum_types)
    single: dict[str, Metadata] = {}
    recursive: dict[str, dict[str, list[Metadata]]] = {}
    for resource, sources in sources_in(catalog):
        inlining = Inlining(files, served, resource["parameters"], kind, has_version)
        if inlining.is_recursive:
            listings = inlining.listings(sources)
            if listings:
                recursive[resource["title"]] = listings
        elif (found := inlining.description(sources)) is not None:
            single[resource["title"]] = found
    added = {"metadata": single, "recursive_metadata": recursive}
    return {**catalog, **{name: value for name, value in added.items() if value}}


def common_kind(checksum_types: str) -> str:
    """Return the first kind of checksum that is known; Refused if none is.

    >>> common_kind("whirlpool.sha384.md5")
    'sha384'
    """
    found = next((kind for kind in checksum_types.split(".") if kind in KINDS), None)
    if found is None:
        known = ", ".join(f":{kind}" for kind in KINDS)
        reason = f"between agent '{checksum_types}' and server '[{known}]'"
        raise Refused(500, f"Unable to find a common checksum type {reason}.")
    return found


def sources_in(catalog: Mapping[str, Any]) -> Iterator[tuple[Resource, list[str]]]:
    """Yield the file resources whose sources the server can describe, with their sources.

    Sources on another server are left to the agent; Puppet's server would ask that one.
    """
    for resource in catalog["resources"]:
        parameters = resource.get("parameters") or {}
        if resource["type"] != FILE or parameters.get("ensure") == "absent":
            continue
        given = parameters.get("source")
        sources = given if isinstance(given, list) else [given]
        here = [one for one in sources if isinstance(one, str) and one.startswith(HERE)]
        if here and len(here) == sum(one is not None for one in sources):
            yield resource, [one.rstrip("/") for one in here]


class Inlining:
    """Describes the sources of one file resource."""

    def __init__(
        self,
        files: Files,
        served: Served,
        parameters: Resource,
        kind: str,
        has_version: HasVersion,
    ) -> None:
        self.has_version = has_version
        self.files = files
        self.served = served
        self.parameters = parameters
        self.kind = kind

    @property
    def is_recursive(self) -> bool:
        """Whether the resource manages the entries of its sources."""
        return self.parameters.get("recurse") in RECURSIVE

    def description(self, sources: list[str]) -> Metadata | None:
        """Return the description of the first source that exists.

        None if that is not inside the environment's directory, or if only the agent's request says
        whether it exists; Refused if none exists.
        """
        options = self.options()
        for source in sources:
            key = self.key(source)
            if depends_on_client(key):
                return None
            path = find(key) if is_mounted(key) else None
            found = None if path is None else described(key, path, options)
            if found is not None:
                uri = self.content_uri(source, str(found["path"]))
                if uri is None or not self.is_versioned(found, uri):
                    return None
                return {**found, "content_uri": uri, "source": source}
        raise Refused(500, f"Could not get metadata for {shown(self.parameters['source'])}")

    def listings(self, sources: list[str]) -> dict[str, list[Metadata]]:
        """Return the descriptions of the entries of the sources, by source.

        They are empty if a source is not inside the environment's directory.
        """
        found: dict[str, list[Metadata]] = {}
        options = self.recursive_options()
        for source in sources:
            key = self.key(source)
            if depends_on_client(key):
                return {}
            roots = search(key) if is_mounted(key) else None
            if roots is None:
                continue
            listing = listed(key, roots, options)
            uri = self.content_uri(source, str(listing[0]["path"]))
            if uri is None:
                return {}
            found[source] = [with_uri(one, uri) for one in listing]
            if not all(self.is_versioned(one, str(one["content_uri"])) for one in found[source]):
                return {}
            if self.parameters.get("sourceselect", "first") == "first":
                break
        return found

    def is_versioned(self, found: Metadata, uri: str) -> bool:
        """Return whether the content of an entry can be requested by version, if it has any."""
        return found["type"] != "file" or self.has_version(uri.removeprefix(HERE))

    def key(self, source: str) -> Key:
        """Return what a source names."""
        return Key(self.files, self.served, source.removeprefix(HERE))

    def options(self) -> FileOptions:
        """Return how the resource wants its sources described."""
        parameters = self.parameters
        return FileOptions(
            checked_kind(str(parameters.get("checksum", self.kind)), self.kind),
            parameters.get("links") == "follow",
            has_own_permissions(str(parameters.get("source_permissions", "ignore"))),
        )

    def recursive_options(self) -> FileOptions:
        """Return the same for entries, with the limits of the resource."""
        levels, most = (self.parameters.get(name) for name in ("recurselimit", "max_files"))
        ignore = self.parameters.get("ignore") or []
        return replace(
            self.options(),
            recurse=True,
            levels=None if levels is None else int(levels),
            most=0 if most is None else int(most),
            ignore=tuple(map(str, ignore if isinstance(ignore, list) else [ignore])),
        )

    def content_uri(self, source: str, path: str) -> str | None:
        """Return the name by which an agent requests the content of a static catalog.

        None for files that are not below ``files`` of a module in the environment's directory.
        """
        directory = self.served.directory
        if directory is None or not source.startswith(f"{HERE}modules/"):
            return None
        below = path.removeprefix(directory.rstrip("/"))
        if below == path or IN_A_MODULE.fullmatch(below) is None:
            return None
        return f"puppet://{below}"


def with_uri(metadata: Metadata, base: str) -> Metadata:
    """Return the description of an entry with the name of its content."""
    relative = metadata["relative_path"]
    return {**metadata, "content_uri": base if relative == "." else f"{base}/{relative}"}


def shown(source: str | list[str]) -> str:
    """Return sources as Ruby writes them into a text.

    >>> print(shown(["puppet:///modules/a/b"]))
    ["puppet:///modules/a/b"]
    """
    if isinstance(source, str):
        return source
    return "[" + ", ".join(map(inspect_text, source)) + "]"
