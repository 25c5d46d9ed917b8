"""The shape of a catalog's JSON data, checked before anything reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.catalog.issues import INVALID_CATALOG

TEXT_FIELDS = ("name", "environment", "catalog_uuid", "code_id")
LISTS = ("classes", "tags")


def check_document(data: Any) -> None:
    """Raise PuppetError, with the path into the data, unless data have the shape of a catalog.

    >>> check_document({"resources": [{"type": "File", "title": "/a"}]})
    >>> check_document({"resources": [{"type": "File"}]})
    Traceback (most recent call last):
    ...
    bunraku.errors.PuppetError: Invalid catalog: resources[0].title: expected a String, got nothing
    """
    expect(isinstance(data, Mapping), "the document", "a Hash", data)
    for name in TEXT_FIELDS:
        value = data.get(name)
        expect(value is None or isinstance(value, str), name, "a String", value)
    for name in LISTS:
        value = data.get(name)
        expect(value is None or isinstance(value, list), name, "an Array", value)
    resources = data.get("resources")
    expect(isinstance(resources, list), "resources", "an Array", resources)
    for index, resource in enumerate(resources):
        check_resource(resource, f"resources[{index}]")
    edges = data.get("edges")
    expect(edges is None or isinstance(edges, list), "edges", "an Array", edges)
    for index, edge in enumerate(edges or ()):
        path = f"edges[{index}]"
        expect(isinstance(edge, Mapping), path, "a Hash", edge)
        for end in ("source", "target"):
            expect(isinstance(edge.get(end), str), f"{path}.{end}", "a String", edge.get(end))


def check_resource(resource: Any, path: str) -> None:
    """Raise PuppetError unless an entry of ``resources`` has the shape of a resource."""
    expect(isinstance(resource, Mapping), path, "a Hash", resource)
    kind, title = resource.get("type"), resource.get("title")
    expect(isinstance(kind, str), f"{path}.type", "a String", kind)
    expect(title is not None, f"{path}.title", "a String", title)
    parameters = resource.get("parameters")
    good = parameters is None or isinstance(parameters, Mapping)
    expect(good, f"{path}.parameters", "a Hash", parameters)
    for name in ("tags", "sensitive_parameters"):
        names = resource.get(name)
        good = names is None or (
            isinstance(names, list) and all(isinstance(one, str) for one in names)
        )
        expect(good, f"{path}.{name}", "an Array of Strings", names)
    file, line = resource.get("file"), resource.get("line")
    expect(file is None or isinstance(file, str), f"{path}.file", "a String", file)
    expect(line is None or isinstance(line, int), f"{path}.line", "an Integer", line)


def expect(good: bool, path: str, expected: str, value: Any) -> None:
    """Raise PuppetError with the path unless the value is good."""
    if not good:
        raise INVALID_CATALOG(path=path, expected=expected, got=kind_of(value))


def kind_of(value: Any) -> str:
    """Return the Puppet name of the kind of a JSON value, with its article.

    >>> kind_of([1]), kind_of(None)
    ('an Array', 'nothing')
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "a Boolean"
    kinds = {str: "a String", int: "an Integer", float: "a Float", list: "an Array"}
    return kinds.get(type(value), "a Hash" if isinstance(value, Mapping) else type(value).__name__)
