"""Catalogs as JSON or YAML documents: their shape, and the two forms in which they are stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.base.records import replace
from bunraku.catalog.issues import INVALID_CATALOG, UNREADABLE_CATALOG
from bunraku.formats.document import Format, read_document
from bunraku.formats.json import as_json
from bunraku.formats.shape import (
    FLAG,
    SCALAR,
    TEXT,
    TEXTS,
    WHOLE,
    Array,
    Either,
    Fields,
    HashOf,
    Shape,
)

Data = Mapping[str, Any]
UUID_HEADER, VERSION_HEADER = "x-bunraku-catalog-uuid", "x-bunraku-catalog-version"
"""Headers with what is new of a catalog whose content the agent has."""
TITLE = Either((SCALAR, Fields({"__ptype": TEXT}, required=("__ptype",))))
"""Return a title; a value that is not a String is unchanged, or becomes rich data."""
RESOURCE = Fields(
    {
        "type": TEXT,
        "title": TITLE,
        "tags": TEXTS,
        "file": TEXT,
        "line": WHOLE,
        "exported": FLAG,
        "kind": TEXT,
        "parameters": HashOf(),
        "sensitive_parameters": TEXTS,
    },
    required=("type", "title"),
)
END = Either((TEXT, Fields({"type": TEXT, "title": TEXT}, required=("type", "title"))))
"""An end of an edge: a reference, or its type and title as in PuppetDB."""
EDGE = Fields({"source": END, "target": END}, required=("source", "target"))
CATALOG = Fields(
    {
        "name": TEXT,
        "environment": TEXT,
        "version": Either((WHOLE, TEXT)),
        "catalog_uuid": TEXT,
        "code_id": TEXT,
        "classes": TEXTS,
        "tags": TEXTS,
        "resources": Array(RESOURCE),
        "edges": Array(EDGE),
    },
    required=("resources",),
)
WRAPPED = Fields({"data": CATALOG}, required=("data",))
"""A catalog in the form of Puppet 3 and of an agent's cache."""


def checked_catalog(data: Data) -> Data:
    """Return a catalog's data with references as ends of edges.

    Raises PuppetError, with the path into the data, unless they have the shape of a catalog.

    >>> checked_catalog({"resources": [{"type": "File", "title": "/a"}]})
    {'resources': [{'type': 'File', 'title': '/a'}]}
    >>> checked_catalog({"resources": [{"type": "File"}]})
    Traceback (most recent call last):
    ...
    bunraku.base.errors.PuppetError: Invalid catalog: resources[0].title: expected a single value or a Hash, got nothing
    """
    found = CATALOG.mismatch(data)
    if found is not None:
        raise INVALID_CATALOG(reason=str(found)).hinted(found.hint)
    return with_references(data)


def read_catalog(content: str | bytes, path: str, format_: Format | None = None) -> Data:
    """Return the catalog in a text, in the form that agents get.

    The format is that of the file's name unless it is given. Catalogs of Puppet 3, which are wrapped
    in ``data``, and edges of PuppetDB are understood. Raises PuppetError with the place for text that
    is not JSON or YAML and for data of another shape.
    """
    document = read_document(content, path, UNREADABLE_CATALOG, format_)
    if document.format == "YAML":
        document = replace(document, data=as_json(document.data))
    data = document.data
    wrapped = isinstance(data, Mapping) and "data" in data and "resources" not in data
    shape: Shape = WRAPPED if wrapped else CATALOG
    document.check(shape, INVALID_CATALOG)
    return with_references(data["data"] if wrapped else data)


def with_references(catalog: Data) -> Data:
    """Return a catalog whose edges have references as ends: itself, if it is not of PuppetDB."""
    edges = catalog.get("edges") or ()
    if any(isinstance(end, Mapping) for edge in edges for end in edge.values()):
        return {**catalog, "edges": list(map(with_named_ends, edges))}
    return catalog


def with_named_ends(edge: Mapping[str, Any]) -> dict[str, Any]:
    """Return an edge whose ends are references.

    >>> with_named_ends({"source": {"type": "Class", "title": "Main"}, "target": "File[/a]"})
    {'source': 'Class[Main]', 'target': 'File[/a]'}
    """
    return {**edge, "source": end_name(edge["source"]), "target": end_name(edge["target"])}


def end_name(end: Any) -> str:
    """Return an end of an edge as a reference."""
    return f"{end['type']}[{end['title']}]" if isinstance(end, Mapping) else str(end)
