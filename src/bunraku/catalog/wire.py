"""The wire form of a catalog: the JSON that Puppet sends to an agent."""

from __future__ import annotations

from typing import Any

from bunraku.base.source import Place
from bunraku.catalog.compiled import CompiledCatalog, CompiledResource
from bunraku.catalog.issues import VALUE_TOO_DEEP
from bunraku.catalog.rich_data import PLAIN, to_data
from bunraku.limits.limits import TimeLimitReached, reached

Data = dict[str, Any]
CATALOG_FORMAT = 2


def catalog_to_data(catalog: CompiledCatalog, *, with_exported: bool = False) -> Data:
    """Return a catalog as JSON data, fields in Puppet's order.

    By default this is the catalog that an agent gets; ``with_exported`` adds the exported resources
    that the node does not collect itself, as a server stores them in PuppetDB.

    >>> catalog_to_data(CompiledCatalog("node"))["catalog_format"]
    2
    """
    found = (with_exported and catalog.unfiltered) or catalog
    return {
        "tags": list(catalog.tags),
        "name": catalog.name,
        "version": catalog.version,
        "code_id": catalog.code_id,
        "catalog_uuid": catalog.catalog_uuid,
        "catalog_format": CATALOG_FORMAT,
        "environment": catalog.environment,
        "resources": [resource_to_data(resource) for resource in found.resources],
        "edges": [{"source": source, "target": target} for source, target in found.edges],
        "classes": list(catalog.classes),
    }


def numbers_in(data: Data) -> list[Any]:
    """Return what may hold numbers other than lines in a catalog's data: titles and parameters.

    >>> numbers_in({"version": 1, "resources": [{"title": "a", "parameters": {"b": 2.5}}]})
    [1, 'a', {'b': 2.5}]
    """
    found: list[Any] = [data["version"]]
    for resource in data["resources"]:
        found.append(resource["title"])
        if "parameters" in resource:
            found.append(resource["parameters"])
    return found


def exported_data(catalog: CompiledCatalog) -> list[Data]:
    """Return the resources that a node exports, collected by the node itself or not, as JSON data."""
    found = catalog.unfiltered or catalog
    return [resource_to_data(resource) for resource in found.resources if resource.exported]


def resource_to_data(resource: CompiledResource) -> Data:
    """Return a resource as JSON data in Puppet's field order, without empty fields."""
    title = resource.title if resource.title_data is None else to_data(resource.title_data)
    data: Data = {"type": resource.type, "title": title, "tags": list(resource.tags)}
    if resource.file:
        data["file"] = resource.file
    if resource.line is not None:
        data["line"] = resource.line
    data["exported"] = resource.exported
    data["kind"] = resource.kind
    try:
        parameters = {
            name: value if value.__class__ in PLAIN else to_data(value)
            for name, value in resource.parameters.items()
        }
    except RecursionError:
        error = VALUE_TOO_DEEP()
        raise error.at(Place.of(resource)) from None
    except (MemoryError, TimeLimitReached) as limit:
        raise reached(limit).at(Place.of(resource)) from None
    if parameters:
        data["parameters"] = parameters
    if resource.sensitive:
        data["sensitive_parameters"] = list(resource.sensitive)
    return data
