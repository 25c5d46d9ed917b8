"""Where values come from: a statement with its place, and what the value was computed from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from bunraku.base.records import record, replace
from bunraku.types.model import Type
from bunraku.types.text.display import display
from bunraku.types.value_text import to_text
from bunraku.values.keys import pairs
from bunraku.values.literal import literal
from bunraku.values.sensitive import Sensitive

OriginKind = Literal[
    "arrow",
    "attribute",
    "call",
    "classifier",
    "collector",
    "container",
    "data",
    "default",
    "exported",
    "fact",
    "lambda",
    "override",
    "parameter",
    "resource default",
    "template",
    "title",
    "unknown",
    "variable",
]
HIDDEN = "Sensitive [value redacted]"
LONGEST_VALUE = 160
"""Characters of a value that are shown."""


@record(frozen=True)
class CodePlace:
    """A line of a file; ``last`` is the last line of what stands there, if that is another one."""

    path: str
    line: int
    last: int = 0


@record(frozen=True)
class Origin:
    """Where a value comes from.

    ``text`` is a phrase; ``value`` is the value as Puppet code, empty where none is known. A secret one is hidden.
    ``reads`` are the origins of what the expression at the place reads. ``name`` is the key of data, or the name of a
    parameter; ``owner`` is the reference of the class or resource that has the parameter. ``conditions`` are the
    places of the expressions that decide whether the code at the place runs.
    """

    kind: OriginKind
    text: str
    place: CodePlace | None = None
    value: str = ""
    reads: Sequence[Origin] = ()
    is_secret: bool = False
    owner: str = ""
    name: str = ""
    conditions: Sequence[CodePlace] = ()


@record(frozen=True)
class Step:
    """One step of the way by which a resource got into the catalog, the last one first."""

    reference: str
    text: str
    place: CodePlace | None = None


@record(frozen=True)
class ResourceExplanation:
    """Why a resource is in a catalog, where its parameters come from, and what is ordered around it.

    ``before`` are the resources that are applied before it, ``after`` those that are applied after it: those that
    the catalog says directly, each with the arrow or the parameter that says so.
    """

    reference: str
    way: Sequence[Step]
    parameters: Sequence[tuple[str, Origin]]
    before: Sequence[tuple[str, str]] = ()
    after: Sequence[tuple[str, str]] = ()


def with_reads(origin: Origin, reads: Sequence[Origin]) -> Origin:
    """Return an origin with what it reads; it is secret if anything of that is."""
    secret = origin.is_secret or any(one.is_secret for one in reads)
    value = HIDDEN if secret and origin.value else origin.value
    return with_value(replace(origin, reads=tuple(reads)), value, is_secret=secret)


def with_value(origin: Origin, value: str, *, is_secret: bool) -> Origin:
    """Return an origin with a value."""
    return Origin(
        origin.kind,
        origin.text,
        origin.place,
        value,
        origin.reads,
        is_secret,
        origin.owner,
        origin.name,
        origin.conditions,
    )


def shown_value(value: Any) -> str:
    """Return a value as Puppet code, shortened; secrets in it are hidden.

    >>> shown_value({"a": [1, Sensitive("x")]})
    "{ 'a' => [1, Sensitive [value redacted]] }"
    """
    text = value_code(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


def value_code(value: Any) -> str:
    """Return a value as Puppet code; secrets in it are hidden."""
    if isinstance(value, Sensitive):
        return HIDDEN
    if isinstance(value, list):
        return f"[{', '.join(map(value_code, value))}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{value_code(key)} => {value_code(item)}" for key, item in pairs(value))
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, Type):
        return display(value)
    try:
        return literal(value)
    except TypeError:
        return str(to_text(value))
