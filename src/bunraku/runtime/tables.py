"""Values that compiled code has as constants (:mod:`bunraku.base.tabled_values`)."""

from __future__ import annotations

from functools import partial
from operator import itemgetter
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.tabled_values import ARRAY, HASH
from bunraku.runtime.markers import MISSING
from bunraku.runtime.named_types import reference_to
from bunraku.runtime.python_frames import Extent, run_at
from bunraku.runtime.reserved_variables import RESERVED
from bunraku.runtime.state import Scope
from bunraku.runtime.variables import assign, read_qualified

Value = Any


def tabled_value(scope: Scope, source: Any, rest: Any) -> Value:
    """Return the value of a pair; what is reported of it has its place."""
    if source is None:
        return rest
    if source.__class__ is str:
        return scope[source] if rest is None else variable_at(scope, source, rest)
    if source == ARRAY:
        return [tabled_value(scope, *item) for item in rest]
    if source == HASH:
        return {key: tabled_value(scope, *value) for key, value in rest}
    try:
        return reference_to(scope, source)
    except PuppetError:
        return run_at(rest, partial(reference_to, key=source), scope)


def variable_at(scope: Scope, name: str, place: Extent) -> Value:
    """Evaluate ``$x`` or ``$a::x``."""
    if name[0] == "$":
        awaited = scope.awaited is not None and name in scope.awaited
        value = scope.get(name, MISSING) if awaited else scope.find(name)
        return run_at(place, itemgetter(name), scope) if value is MISSING else value
    value = scope.compilation.find_qualified(name, scope)
    return run_at(place, partial(read_qualified, name=name), scope) if value is MISSING else value


def assign_table(scope: Scope, table: tuple[tuple[str, Any, Any, Extent], ...]) -> None:
    """Evaluate assignments, one after the other."""
    for key, source, rest, place in table:
        value = rest if source is None else tabled_value(scope, source, rest)
        if key in scope or key in RESERVED:  # which may be refused
            run_at(place, partial(assign, key=key, value=value), scope)
        else:
            dict.__setitem__(scope, key, value)
