"""Explanations as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.base.excerpt import visible
from bunraku.base.moved_paths import relative_paths
from bunraku.cli.output.output import Paint
from bunraku.jobs.explain import ExplainResult
from bunraku.workbench.origins.origin import CodePlace, Origin, ResourceExplanation

MOST_NAMES = 8
"""Names of nodes on a line."""


def explanation_text(result: ExplainResult, paint: Paint) -> str:
    """Return the explanations as lines for people."""
    several = len(result.explained) > 1 or any(len(one.nodes) > 1 for one in result.explained)
    parts = []
    for one in result.explained:
        head = f"# {node_names(one.nodes)}\n" if several or result.without else ""
        parts.append(
            head + "".join(f"{line}\n" for line in explanation_lines(one.explanation, paint))
        )
    if result.without and result.explained:
        parts.append(f"# not in the catalogs of {node_names(result.without)}\n")
    return "\n".join(parts)


def node_names(nodes: Any) -> str:
    """Return the names of nodes, and the number of all if there are many.

    >>> node_names(["a", "b"]), node_names(list("abcdefghijkl"))
    ('a, b', 'a, b, c, d, e, f, g, h and 4 others')
    """
    shown = ", ".join(map(visible, nodes[:MOST_NAMES]))
    more = len(nodes) - MOST_NAMES
    return shown if more <= 0 else f"{shown} and {more} others"


def explanation_lines(explanation: ResourceExplanation, paint: Paint) -> Iterator[str]:
    """Yield the lines about one subject."""
    yield paint("bold", visible(explanation.reference))
    for step in explanation.way:
        own = step.reference == explanation.reference
        name = "" if own else f"{visible(step.reference)} is "
        yield f"  {name}{visible(step.text)}{place_text(step.place)}"
    for name, origin in explanation.parameters:
        label = "" if name == explanation.reference else f"  {visible(name)}"
        value = f" => {visible(origin.value)}" if origin.value and label else ""
        if label:
            yield f"{label}{value}"
        yield from origin_lines(origin, "    ", with_value=False)
    for title, related in (("before it", explanation.before), ("after it", explanation.after)):
        if related:
            yield f"  {title}"
            yield from (f"    {visible(other)} ({kind})" for other, kind in related)


def origin_lines(origin: Origin, indent: str, *, with_value: bool = True) -> Iterator[str]:
    """Yield the lines about an origin, and those of what it reads below it."""
    value = f" = {visible(origin.value)}" if with_value and origin.value else ""
    yield f"{indent}{visible(origin.text)}{value}{place_text(origin.place)}"
    for one in origin.reads:
        yield from origin_lines(one, indent + "  ", with_value=origin.kind != "parameter")


def place_text(place: CodePlace | None) -> str:
    """Return a place behind a phrase."""
    if place is None:
        return ""
    path = visible(relative_paths()(place.path))
    return f" ({path}:{place.line})" if path else f" (line {place.line})"
