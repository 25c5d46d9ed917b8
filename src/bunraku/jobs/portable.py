"""Comparisons of nodes without the paths of this machine."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.moved_paths import Moved, portable, relative_paths
from bunraku.base.records import replace
from bunraku.catalog.compare import Difference
from bunraku.jobs.comparison import NodeComparison


def portable_nodes(nodes: Sequence[NodeComparison]) -> list[NodeComparison]:
    """Return comparisons whose findings have relative paths."""
    moved = relative_paths()
    return [
        replace(
            one,
            difference=with_relative_places(one.difference, moved),
            findings=[(name, *portable([finding], moved)) for name, finding in one.findings],
            problems=portable(one.problems, moved),
        )
        for one in nodes
    ]


def with_relative_places(found: Difference, moved: Moved) -> Difference:
    """Return a difference with the places of its resources relative to this directory."""
    parts = {
        name: [replace(one, place=one.place and moved(one.place)) for one in getattr(found, name)]
        for name in ("added", "removed", "changed")
    }
    return replace(found, **parts)
