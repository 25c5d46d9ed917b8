"""Explanations of lookups, without the parts that each program words differently."""

from __future__ import annotations

from typing import Any

WORDED = frozenset({"name", "texts"})


def bare(tree: Any) -> Any:
    """The tree of an explanation less names and remarks, which every program words its own way.

    >>> bare({"branches": [{"type": "path", "path": "/a"}], "name": "Level", "type": "root"})
    {'branches': [{'type': 'path', 'path': '/a'}], 'type': 'root'}
    """
    kept = {name: part for name, part in tree.items() if name not in WORDED}
    if tree.get("type") == "module":
        kept.pop("module", None)  # Puppet's data does not say which
    if "branches" in kept:
        kept["branches"] = [bare(branch) for branch in kept["branches"]]
    return kept
