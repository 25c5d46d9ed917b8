"""Explanations for programs."""

from __future__ import annotations

from typing import Any

from bunraku.base.moved_paths import relative_paths
from bunraku.jobs.explain import Explained, ExplainResult
from bunraku.workbench.origins.origin import CodePlace, Origin


def explain_data(result: ExplainResult) -> dict[str, Any]:
    """Return the explanations for programs."""
    return {
        "schema": 1,
        "explained": [explanation_data(one) for one in result.explained],
        "without": list(result.without),
        "failed": [
            {"node": node, "code": error.code, "message": error.message}
            for node, error in result.failed
        ],
    }


def explanation_data(one: Explained) -> dict[str, Any]:
    """Return an explanation with its nodes as data."""
    explanation = one.explanation
    return {
        "nodes": list(one.nodes),
        "reference": explanation.reference,
        "way": [
            {"reference": step.reference, "text": step.text, **place_data(step.place)}
            for step in explanation.way
        ],
        "parameters": {name: origin_data(origin) for name, origin in explanation.parameters},
        "before": [{"reference": name, "by": kind} for name, kind in explanation.before],
        "after": [{"reference": name, "by": kind} for name, kind in explanation.after],
    }


def origin_data(origin: Origin) -> dict[str, Any]:
    """Return an origin as data."""
    return {
        "kind": origin.kind,
        "text": origin.text,
        **place_data(origin.place),
        **({"value": origin.value} if origin.value else {}),
        "reads": [origin_data(one) for one in origin.reads],
    }


def place_data(place: CodePlace | None) -> dict[str, Any]:
    """Return a place as data."""
    return {} if place is None else {"path": relative_paths()(place.path), "line": place.line}
