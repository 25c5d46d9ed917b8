"""A catalog: resources in the order of their declaration, and what contains what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from bunraku.base.records import field, record
from bunraku.catalog.schema.model import ResourceTypeSchema

Value = Any
Lines = tuple[tuple[str, int], ...] | None
"""Lines of relationship attributes; ``*`` stands for all that a splat brings."""
Kind = Literal["compilable_type", "defined_type", "class", "unknown"]


class Resource:
    """One resource: type, title, parameters and where it was declared.

    ``type`` is the capitalised name (``File``, ``Apache::Vhost``, ``Class``); a class's title is
    its capitalised name too; ``reference`` is ``File[/a]``, as catalogs write it. ``scope`` is the
    scope it was declared in, ``definition`` the class or defined type behind it; ``title_value`` is
    what its code sees as ``$title``, ``title_data`` what the catalog has for the title where that is
    no text (Puppet 3), ``title_gives`` the namevars in the title, once they were asked for.
    ``schema`` is the type that is not written in Puppet (None for others).
    """

    __slots__ = (
        "definition",
        "evaluated",
        "exported",
        "file",
        "imported",
        "kind",
        "line",
        "lines",
        "parameters",
        "places",
        "reference",
        "schema",
        "scope",
        "sensitive",
        "tags",
        "title",
        "title_data",
        "title_gives",
        "title_value",
        "type",
        "virtual",
    )

    def __init__(
        self,
        type_: str,
        title: str,
        scope: Any = None,
        definition: Any = None,
        kind: Kind = "compilable_type",
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        self.type = type_
        self.title = title
        self.reference = f"{type_}[{title}]"
        self.title_value: Value = title
        self.title_data: Value = None
        self.title_gives: Mapping[str, str | None] | None = None
        self.scope = scope
        self.definition = definition
        self.kind = kind
        self.file = file
        self.line = line
        self.virtual = False
        self.exported = False
        self.parameters: dict[str, Value] = {}
        self.places: dict[str, tuple[Any, str | None, int | None]] | None = None
        self.lines: Lines = None
        self.tags: dict[str, None] = {}  # a set that keeps its order
        self.sensitive: tuple[str, ...] = ()
        self.evaluated = False
        self.schema: ResourceTypeSchema | None = None
        self.imported: str | None = None  # the node that exports it, if another

    def place_of(self, attribute: str) -> tuple[str | None, int | None]:
        """File and line where a relationship attribute was set, as far as known."""
        if self.places and attribute in self.places:
            _, file, line = self.places[attribute]
            return file, line
        lines = dict(self.lines or ())
        return self.file, lines.get(attribute, lines.get("*", self.line))

    def log_reference(self) -> str:
        """What logs call the place: the reference; the main class in small letters."""
        return self.reference

    def __repr__(self) -> str:
        return self.reference


@record(frozen=True)
class Unfiltered:
    """Resources and edges of a catalog before uncollected exported resources are removed.

    This is the catalog that a server stores in PuppetDB; virtual resources that are not exported are
    in neither.
    """

    resources: list[Resource]
    edges: list[tuple[str, str]]


@record(slots=False)
class Catalog:
    """The result of a compile.

    ``unfiltered`` is set where the node exports resources that it does not collect itself.
    """

    name: str
    environment: str = "production"
    version: int | str = 0
    resources: list[Resource] = field(default_factory=list)
    edges: list[tuple[str, str]] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    virtual: list[Resource] = field(default_factory=list)
    unfiltered: Unfiltered | None = None
    catalog_uuid: str | None = None
    code_id: str | None = None

    def find(self, type_: str, title: str) -> Resource | None:
        """A resource by type and title.

        >>> Catalog("node").find("File", "/a") is None
        True
        """
        for resource in self.resources:
            if resource.title == title and resource.type == type_:
                return resource
        return None
