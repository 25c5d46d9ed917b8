"""The exported resources that a compile collects: of the site's data, and of nodes compiled with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.site.data import Data, SiteData

Exports = Mapping[str, Sequence[Data]]
"""The exported resources of nodes by their names, each as ``documents.exported_resource`` makes it."""
Exported = Callable[[str, Any], Sequence[Data]]
"""Returns the exported resources of a type that may match the query of a collector."""


def exported_resources(site: SiteData | None, own: str, given: Exports | None) -> Exported:
    """Return a function that finds exported resources for a compile; it keeps what it found.

    ``own`` is the node that is compiled. The exports given for a node replace those of the site; all
    are then in the order of the nodes' names.
    """
    kept: dict[str, Sequence[Data]] = {}

    def exported(type_: str, query: Any) -> Sequence[Data]:
        condition = None if site is None else condition_for(query, own)
        key = repr((type_, condition))
        if key not in kept:
            stored = [] if site is None else site.exported(type_, condition)
            kept[key] = stored if given is None else merged(stored, given, type_)
        return kept[key]

    return exported


def merged(stored: Sequence[Data], given: Exports, type_: str) -> list[Data]:
    """Return resources of a type: the stored ones of other nodes than those given, and those given."""
    found = [one for one in stored if one["certname"] not in given]
    found += [one for node in given for one in given[node] if one["type"] == type_]
    return sorted(found, key=lambda one: str(one["certname"]))


def condition_for(query: Any, own: str) -> Json:
    """Return a condition that all resources meet which a collector of a node wants.

    >>> condition_for(["and", ["==", "tag", "Web"], ["==", "port", 80.0]], "db1")
    ['and', ['not', ['=', 'certname', 'db1']], ['=', 'tag', 'web']]
    """
    others: Json = ["not", ["=", "certname", own]]
    condition = None if query is None else translated(query)
    return others if condition is None else ["and", others, condition]


def translated(query: Any) -> Json:
    """Return a weaker or equal condition in PuppetDB's form; None if there is none."""
    operator, *terms = query
    if operator == "and":
        found = [one for one in map(translated, terms) if one is not None]
        return None if not found else found[0] if len(found) == 1 else ["and", *found]
    if operator == "or":
        both = list(map(translated, terms))
        return None if None in both else ["or", *both]
    name, wanted = terms
    if operator not in {"==", "!="} or wanted.__class__ not in {str, int, bool}:
        return None
    if name == "tag":
        equal: Json = ["=", "tag", str(wanted).lower()]
    else:
        equal = ["=", name if name == "title" else ["parameter", name], wanted]
    return equal if operator == "==" else ["not", equal]
