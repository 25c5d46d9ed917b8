"""Calls that a catalog leaves to the machine it is applied to: ``Deferred`` values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.base.records import replace
from bunraku.catalog.issues import INVALID_CATALOG
from bunraku.engine.compile import Log, in_top_scope
from bunraku.engine.request import Request
from bunraku.formats.shape import kind_of
from bunraku.functions.core.calls import resolve
from bunraku.types.builtin import make_deferred
from bunraku.values.sensitive import Sensitive

Value = Any
Resolver = Callable[[Value], Value]


def deferred_resolver(request: Request, log: Log) -> Resolver:
    """Return a function that replaces the deferred calls in a value with their results.

    The functions run in the top scope of a compile without manifests, with the facts, modules and
    functions of the request. Raises PuppetError for a call that fails.
    """
    plain = {**request.settings, "node_terminus": "plain"}
    empty = replace(request, code="", path=None, settings=plain)

    def resolved(value: Value) -> Value:
        return in_top_scope(empty, log, lambda scope: resolve(scope, revived(value)))

    return resolved


def revived(value: Value) -> Value:
    """Return a value of a catalog with the Deferred values that its hashes stand for."""
    if isinstance(value, list):
        return [revived(item) for item in value]
    if isinstance(value, Sensitive):
        return Sensitive(revived(value.value))
    if not isinstance(value, dict):
        return value
    if value.get("__ptype") == "Deferred" and isinstance(value.get("name"), str):
        arguments = value.get("arguments")
        if not isinstance(arguments, list | None):
            reason = f"arguments of Deferred: expected an Array, got {kind_of(arguments)}"
            raise INVALID_CATALOG(reason=reason)
        return make_deferred(value["name"], None if arguments is None else revived(arguments))
    return {key: revived(item) for key, item in value.items()}
