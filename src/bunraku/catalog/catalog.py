"""A finished catalog: resources, containment and relationships."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar

from bunraku.base.file_reading import LARGEST_CATALOG, read_whole
from bunraku.base.records import record
from bunraku.base.source import Place
from bunraku.base.suggestions import suggestion
from bunraku.catalog.document import checked_catalog, read_catalog
from bunraku.catalog.issues import UNREADABLE_CATALOG
from bunraku.catalog.resource import RELATIONSHIP_PARAMETERS, RelationshipKind, Resource
from bunraku.formats.json import json_text


@record(frozen=True)
class Relationship:
    """``first`` is applied before ``then``; ``kind`` is the parameter that states it.

    With ``notify`` and ``subscribe``, changes of ``first`` also refresh ``then``.
    """

    first: Resource
    then: Resource
    kind: RelationshipKind


class Catalog:
    """A catalog as an agent gets it: from a compile, a file or JSON data.

    Two catalogs are equal if their data are. Iterating yields the resources in their order.

    >>> data = {"name": "web01", "resources": [{"type": "File", "title": "/a"}]}
    >>> catalog = Catalog(data)
    >>> catalog.name, len(catalog), "File[/a]" in catalog, catalog["File[/a]"].title
    ('web01', 1, True, '/a')
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = checked_catalog(data)

    @classmethod
    def from_json(cls, text: str | bytes, *, path: str | None = None) -> Catalog:
        """Return the catalog that JSON text holds; ``path`` is the file that errors name.

        Raises PuppetError when the text is not JSON or does not have the shape of a catalog.

        >>> Catalog.from_json('{"name": "web01", "resources": []}').name
        'web01'
        """
        return cls(read_catalog(text, path or "", "JSON"))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Catalog:
        """Return the catalog in a file, as ``bunraku compile`` and Puppet write it.

        A file named ``.json`` is JSON, any other is YAML.

        Raises PuppetError when the file cannot be read or does not hold a catalog.
        """
        try:
            text = read_whole(os.fspath(path), LARGEST_CATALOG)
        except OSError as error:
            failure = UNREADABLE_CATALOG(reason=error.strerror or str(error))
            raise failure.at(Place(os.fspath(path))) from None
        return cls(read_catalog(text, os.fspath(path)))

    def to_data(self) -> dict[str, Any]:
        """Return the catalog as JSON data, in Puppet's catalog format; secrets are in clear."""
        return dict(self._data)

    def to_json(self) -> str:
        """Return the catalog as ``bunraku compile`` prints it; secrets are in clear."""
        return json_text(self._data, indent=True) + "\n"

    # -- content ---------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The certname of the node."""
        return str(self._data.get("name", ""))

    @property
    def environment(self) -> str:
        """The name of the environment."""
        return str(self._data.get("environment") or "production")

    @property
    def version(self) -> int | str:
        """The version of the configuration: a time in seconds, or the output of ``config_version``."""
        found: int | str = self._data.get("version") or 0
        return found

    @property
    def uuid(self) -> str | None:
        """The identifier of the compile, if the catalog has one."""
        found = self._data.get("catalog_uuid")
        return None if found is None else str(found)

    @property
    def classes(self) -> list[str]:
        """The names of the classes, in the order of their evaluation."""
        return [str(name) for name in self._data.get("classes") or ()]

    @property
    def tags(self) -> list[str]:
        """The tags of the catalog."""
        return [str(tag) for tag in self._data.get("tags") or ()]

    @cached_property
    def resources(self) -> tuple[Resource, ...]:
        """The resources in the order of their declaration."""
        return tuple(map(Resource, self._data["resources"]))

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Containment: the references of a container and of a resource in it."""
        return tuple((edge["source"], edge["target"]) for edge in self._data.get("edges") or ())

    # -- finding resources -----------------------------------------------------------------------

    def find(self, type_: str, title: str) -> Resource | None:
        """Return a resource by its type, in any letter case, and its title, path, name or alias.

        >>> file = {"type": "File", "title": "motd", "parameters": {"path": "/etc/motd"}}
        >>> Catalog({"resources": [file]}).find("file", "/etc/motd")
        File[motd]
        """
        return self._by_name.get((type_.lower(), plain_title(type_, title)))

    def by_type(self, type_: str) -> list[Resource]:
        """Return the resources of a type, written in any letter case.

        >>> Catalog({"resources": [{"type": "File", "title": "/a"}]}).by_type("file")
        [File[/a]]
        """
        return [one for one in self.resources if one.type.lower() == type_.lower()]

    def __getitem__(self, reference: str) -> Resource:
        found = self._find_reference(reference)
        if found is None:
            hint = suggestion(reference, [one.reference for one in self.resources])
            raise KeyError(f"no {reference} in the catalog of {self.name}{hint}")
        return found

    def __contains__(self, reference: object) -> bool:
        return isinstance(reference, str) and self._find_reference(reference) is not None

    def __iter__(self) -> Iterator[Resource]:
        return iter(self.resources)

    def __len__(self) -> int:
        return len(self.resources)

    def _find_reference(self, reference: str) -> Resource | None:
        type_, bracket, rest = reference.partition("[")
        return self.find(type_, rest[:-1]) if bracket and rest.endswith("]") else None

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Resource]:
        """The resources by type and by each name that references may use; titles win."""
        found: dict[tuple[str, str], Resource] = {}
        for resource in self.resources:
            found.setdefault(
                (resource.type.lower(), plain_title(*type_and_title(resource))), resource
            )
        for resource in self.resources:
            for name in other_names(resource):
                found.setdefault(
                    (resource.type.lower(), plain_title(resource.type, name)), resource
                )
        return found

    # -- relationships ---------------------------------------------------------------------------

    @cached_property
    def relationships(self) -> tuple[Relationship, ...]:
        """The relationships that parameters state, in the order of the resources.

        >>> service = {"type": "Service", "title": "a", "parameters": {"require": ["File[/a]"]}}
        >>> catalog = Catalog({"resources": [{"type": "File", "title": "/a"}, service]})
        >>> [(one.first, one.then, one.kind) for one in catalog.relationships]
        [(File[/a], Service[a], 'require')]
        """
        return tuple(self._stated())

    def _stated(self) -> Iterator[Relationship]:
        for resource in self.resources:
            for kind in RELATIONSHIP_PARAMETERS:
                for reference in resource.references(kind):
                    other = self._find_reference(reference)
                    if other is None:  # an agent refuses such a catalog; a compile does too
                        continue
                    if kind in ("before", "notify"):
                        yield Relationship(resource, other, kind)
                    else:
                        yield Relationship(other, resource, kind)

    def relationships_of(self, resource: Resource | str) -> list[Relationship]:
        """Return the relationships in which a resource, or its reference, is either side."""
        one = self[resource] if isinstance(resource, str) else resource
        return [item for item in self.relationships if one in (item.first, item.then)]

    def container_of(self, resource: Resource | str) -> Resource | None:
        """Return the class or defined type that contains a resource, or its reference."""
        one = self[resource] if isinstance(resource, str) else resource
        return self._containers.get(one.reference)

    @cached_property
    def _containers(self) -> dict[str, Resource | None]:
        return {target: self._find_reference(source) for source, target in self.edges}

    # -- as a value ------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Catalog) and self._data == other._data

    __hash__: ClassVar[Any] = None

    def __repr__(self) -> str:
        return f"<Catalog of {self.name}: {len(self._data['resources'])} resources>"


def type_and_title(resource: Resource) -> tuple[str, str]:
    """Return type and title of a resource."""
    return resource.type, resource.title


def plain_title(type_: str, title: str) -> str:
    """Return the title under which references find a resource: files without a slash at the end.

    >>> plain_title("File", "/etc/"), plain_title("Class", "Apache::Mod")
    ('/etc', 'apache::mod')
    """
    kind = type_.lower()
    if kind == "file" and len(title) > 1:
        return title.rstrip("/") or "/"
    return title.lower().removeprefix("::") if kind == "class" else title


def other_names(resource: Resource) -> Iterator[str]:
    """Yield the names beside the title that references may use."""
    aliases = resource.get("alias")
    for name in aliases if isinstance(aliases, list) else [aliases]:
        if isinstance(name, str):
            yield name
    for parameter in ("path", "name"):
        name = resource.get(parameter)
        if isinstance(name, str) and resource.kind != "defined_type":
            yield name
