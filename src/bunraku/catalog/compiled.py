"""The result of a compile: resources in the order of their declaration, and containment."""

from __future__ import annotations

from typing import Any, Literal

from bunraku.base.records import field, record

Value = Any
Kind = Literal["compilable_type", "defined_type", "class", "unknown"]


@record(frozen=True, eq=False)
class CompiledResource:
    """One resource of a compiled catalog.

    ``type`` is the capitalised name (``File``, ``Apache::Vhost``, ``Class``); a class's title is its
    capitalised name too. ``title_data`` is the title as the catalog has it where that is not text
    (Puppet 3). ``tags`` are in the order of the catalog, ``sensitive`` the names of parameters.
    """

    type: str
    title: str
    title_data: Value
    tags: tuple[str, ...]
    file: str | None
    line: int | None
    exported: bool
    kind: Kind
    parameters: dict[str, Value]
    sensitive: tuple[str, ...]

    @property
    def reference(self) -> str:
        """The type and title, as catalogs write it: ``File[/a]``."""
        return f"{self.type}[{self.title}]"

    def __repr__(self) -> str:
        return self.reference


@record(frozen=True)
class Unfiltered:
    """Resources and edges of a catalog before uncollected exported resources are removed.

    This is the catalog that a server stores in PuppetDB; virtual resources that are not exported are
    in neither.
    """

    resources: list[CompiledResource]
    edges: list[tuple[str, str]]


@record(slots=False)
class CompiledCatalog:
    """The result of a compile.

    ``exported_only`` are the resources that the node exports and does not collect itself.
    ``unfiltered`` is set where the node exports resources that it does not collect itself.
    """

    name: str
    environment: str = "production"
    version: int | str = 0
    resources: list[CompiledResource] = field(default_factory=list)
    edges: list[tuple[str, str]] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    exported_only: list[CompiledResource] = field(default_factory=list)
    unfiltered: Unfiltered | None = None
    catalog_uuid: str | None = None
    code_id: str | None = None

    def find(self, type_: str, title: str) -> CompiledResource | None:
        """Return a resource by type and title.

        >>> CompiledCatalog("node").find("File", "/a") is None
        True
        """
        for resource in self.resources:
            if resource.title == title and resource.type == type_:
                return resource
        return None
