"""A catalog for people: its resources in Puppet's own notation, from the wire form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bunraku.values.literal import string_literal

Shown = Callable[[str], str]
"""Returns how a path is shown."""
REDACTED = "Sensitive [value redacted]"


def catalog_text(data: Mapping[str, Any], shown: Shown) -> str:
    """Return the catalog's classes and resources, each with the place that declared it."""
    resources = [one for one in data["resources"] if not is_furniture(one)]
    title = f"# catalog of {data.get('name')}, environment {data.get('environment')}: "
    classes = [one for one in data.get("classes") or () if one != "settings"]
    title += f"{len(resources)} resources, {len(classes)} classes\n"
    return title + "".join(f"\n{resource_text(resource, shown)}" for resource in resources)


def stable_text(resources: Iterable[Mapping[str, Any]]) -> str:
    """Return resources by type and title, without places: only what a node gets changes the text.

    >>> print(
    ...     stable_text([{"type": "Class", "title": "B"}, {"type": "Class", "title": "A"}]), end=""
    ... )
    class { 'a': }
    <BLANKLINE>
    class { 'b': }
    """
    in_order = sorted(resources, key=lambda one: (one["type"], str(one["title"])))
    return "\n".join(resource_text(one) for one in in_order if not is_furniture(one))


def is_furniture(resource: Mapping[str, Any]) -> bool:
    """Return whether a resource is in every catalog and carries no information.

    >>> is_furniture({"type": "Stage", "title": "main", "parameters": {"name": "main"}})
    True
    """
    reference = resource["type"], str(resource["title"]).lower()
    bare = not set(resource.get("parameters") or ()) - {"name"}
    return bare and reference in {("Stage", "main"), ("Class", "main"), ("Class", "settings")}


def resource_text(resource: Mapping[str, Any], shown: Shown | None = None) -> str:
    """Return one resource expression, after its place if ``shown`` is given.

    >>> print(
    ...     resource_text(
    ...         {
    ...             "type": "File",
    ...             "title": "/etc/motd",
    ...             "file": "site.pp",
    ...             "line": 3,
    ...             "parameters": {"ensure": "file", "mode": "0644"},
    ...         },
    ...         str,
    ...     ),
    ...     end="",
    ... )
    # site.pp:3
    file { '/etc/motd':
      ensure => 'file',
      mode   => '0644',
    }
    """
    file, line = resource.get("file"), resource.get("line")
    place = f"# {shown(file)}:{line}\n" if file and shown is not None else ""
    sigil = "@@" if resource.get("exported") else ""
    name = str(resource["type"]).lower()
    title = str(resource["title"]).lower() if name == "class" else resource["title"]
    head = f"{place}{sigil}{name} {{ {value_text(title)}:"
    parameters = resource.get("parameters") or {}
    secret = resource.get("sensitive_parameters") or ()
    if not parameters:
        return f"{head} }}\n"
    width = max(map(len, parameters))
    lines = [
        f"  {name:<{width}} => {REDACTED if name in secret else value_text(value, '  ')},\n"
        for name, value in parameters.items()
    ]
    return f"{head}\n{''.join(lines)}}}\n"


def value_text(value: Any, indent: str = "") -> str:
    r"""Return a value as a Puppet literal, or else as its data type and text.

    >>> print(value_text({"a": [1, True, None, "it's\n"]}))
    { 'a' => [1, true, undef, "it's\n"] }
    """
    match value:
        case None:
            return "undef"
        case bool():
            return "true" if value else "false"
        case str():
            return string_literal(value)
        case list():
            return folded("[", [value_text(item, indent + "  ") for item in value], "]", indent)
        case {"__ptype": kind}:
            return rich_text(kind, value, indent)
        case dict():
            pairs = [
                f"{value_text(key)} => {value_text(item, indent + '  ')}"
                for key, item in value.items()
            ]
            return folded("{", pairs, "}", indent)
        case _:
            return str(value)


def rich_text(kind: Any, value: Mapping[str, Any], indent: str) -> str:
    """Return a value without a JSON form as its type name and its arguments."""
    if kind == "Default":
        return "default"
    if kind == "Sensitive":
        return REDACTED
    parts = {name: part for name, part in value.items() if name != "__ptype"}
    inner = parts.get("__pvalue", parts)
    if kind == "Regexp" and isinstance(inner, str):
        return f"/{inner}/"
    return f"{kind if isinstance(kind, str) else 'Object'}({value_text(inner, indent)})"


def folded(opening: str, items: list[str], closing: str, indent: str) -> str:
    """Return the items on one line if they fit, otherwise one per line."""
    space = " " if opening == "{" and items else ""
    line = f"{opening}{space}{', '.join(items)}{space}{closing}"
    if len(line) + len(indent) <= 88 and "\n" not in line:
        return line
    inner = "".join(f"{indent}  {item},\n" for item in items)
    return f"{opening}\n{inner}{indent}{closing}"
