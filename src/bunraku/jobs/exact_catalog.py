"""A catalog as JSON that keeps what the wire form of agents loses: references, and who exports.

In the wire form, a reference is text like any other. Here it is ``{"__ptype": "Reference", "__pvalue":
"File[/a]"}``; all other values have the form of :mod:`bunraku.catalog.rich_data`.
"""

from __future__ import annotations

from typing import Any

from bunraku.catalog.compiled import CompiledCatalog, CompiledResource
from bunraku.catalog.rich_data import PLAIN, to_data
from bunraku.types import model as m
from bunraku.values.keys import pairs
from bunraku.values.sensitive import Sensitive

Value = Any
Data = dict[str, Any]


def exact_catalog(catalog: CompiledCatalog, *, exported: bool = False) -> Data:
    """Return a catalog with exact values; with ``exported``, the resources that the node exports.

    >>> exact_catalog(CompiledCatalog("node"))["resources"]
    []
    """
    resources, edges = catalog.resources, catalog.edges
    if exported:
        whole = catalog.unfiltered or catalog
        resources = [one for one in whole.resources if one.exported]
        kept = {one.reference for one in resources}
        edges = [edge for edge in whole.edges if kept.issuperset(edge)]
    virtual = {one.reference for one in catalog.exported_only}
    return {
        "name": catalog.name,
        "environment": catalog.environment,
        "version": catalog.version,
        "tags": list(catalog.tags),
        "classes": list(catalog.classes),
        "resources": [exact_resource(one, virtual) for one in resources],
        "edges": [list(edge) for edge in edges],
    }


def exact_resource(resource: CompiledResource, virtual: set[str]) -> Data:
    """Return a resource, without fields that are empty or false."""
    found: Data = {"type": resource.type, "title": resource.title, "kind": resource.kind}
    rest = {
        "tags": list(resource.tags),
        "file": resource.file,
        "line": resource.line,
        "exported": resource.exported,
        "virtual": resource.reference in virtual,
        "parameters": {name: exact(value) for name, value in resource.parameters.items()},
        "sensitive_parameters": list(resource.sensitive),
    }
    found.update((name, value) for name, value in rest.items() if value)
    return found


def exact(value: Value) -> Any:
    """Return a value as JSON data that keeps references.

    >>> exact([m.ResourceType("File", "/a"), 1])
    [{'__ptype': 'Reference', '__pvalue': 'File[/a]'}, 1]
    """
    kind = value.__class__
    if kind in PLAIN:
        return value
    if kind is list:
        return [exact(item) for item in value]
    if kind is dict:
        return exact_hash(value)
    if kind is Sensitive:
        return {"__ptype": "Sensitive", "__pvalue": exact(value.value)}
    data = to_data(value)
    if kind in REFERENCES and isinstance(data, str):
        return {"__ptype": "Reference", "__pvalue": data}
    return data


def exact_hash(value: dict[Any, Value]) -> Data:
    """Return a hash, as a flat list if its keys are not all strings or include ``__ptype``."""
    if all(key.__class__ is str for key in value) and "__ptype" not in value:
        return {key: exact(item) for key, item in value.items()}
    flat = [exact(part) for pair in pairs(value) for part in pair]
    return {"__ptype": "Hash", "__pvalue": flat}


REFERENCES = frozenset({m.ResourceType, m.ClassType})
