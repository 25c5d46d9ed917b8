"""What a debugger shows: scopes with variables, in the words of the Puppet language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from bunraku.base.records import record
from bunraku.runtime.markers import UNSET
from bunraku.runtime.python_frames import frames_around
from bunraku.runtime.state import Compilation, DeclaredResource, Scope
from bunraku.types.convert.formats import format_value
from bunraku.types.model import Type
from bunraku.types.relations.infer import infer_generalized
from bunraku.types.text.display import display
from bunraku.values.iterator import Iterator as PuppetIterator
from bunraku.values.keys import pairs
from bunraku.values.literal import string_literal
from bunraku.values.pcore import PcoreObject
from bunraku.values.sensitive import Sensitive
from bunraku.workbench.debugging.frames import WITH_LOCALS, CodeFrame, scope_name

Value = Any
LONGEST_TEXT = 1000
MOST_SHOWN = 500
"""Elements of a collection whose text and type are shown with its elements."""
REDACTED = "Sensitive [value redacted]"


@record()
class Shown:
    """A value with a name: its text and type in the Puppet language, and the values in it.

    ``count`` is the number of these; ``indexed`` is whether they have numbers. ``expression`` is code that
    has this value, if there is any.
    """

    name: str
    text: str
    type: str
    count: int = 0
    indexed: bool = False
    inner: Callable[[], Iterable[Shown]] | None = None
    expression: str | None = None

    def parts(self) -> Sequence[Shown]:
        """Return the values in the value."""
        return () if self.inner is None else list(self.inner())


@record()
class ShownScope:
    """Variables that code can read, with the name of what they belong to.

    ``scope`` is the scope that holds them; None for local variables of a function, and for what is no scope.
    """

    name: str
    kind: str
    count: int
    variables: Callable[[], Iterable[Shown]]
    scope: Scope | None = None

    def parts(self) -> Sequence[Shown]:
        """Return the variables."""
        return list(self.variables())


# -- values ----------------------------------------------------------------------------------------


def shown_value(name: str, value: Value, expression: str | None = None) -> Shown:
    """Return a value as a debugger shows it; a secret stays hidden.

    >>> shown_value("$a", [1, 2]).text, shown_value("$a", [1, 2]).type
    ('[1, 2]', 'Array[Integer]')
    """
    if isinstance(value, PuppetIterator):  # walking through it would run code
        return Shown(name, "an iterator", "Iterator", expression=expression)
    shown = Shown(name, text_of_value(value), value_type_name(value), expression=expression)
    if isinstance(value, dict):
        shown.count = len(value)
        shown.inner = lambda: [entry(key, item, expression) for key, item in pairs(value)]
    elif isinstance(value, list):
        shown.count, shown.indexed = len(value), True
        shown.inner = lambda: [element(at, item, expression) for at, item in enumerate(value)]
    elif isinstance(value, PcoreObject):
        shown.count = len(value.attributes)
        shown.inner = lambda: [
            shown_value(key, item, expression and f"{expression}.{key}")
            for key, item in value.attributes.items()
        ]
    if not shown.count:
        shown.inner = None
    return shown


def entry(key: Value, value: Value, outer: str | None) -> Shown:
    """Return an entry of a hash."""
    text = format_value(key, "%p")
    return shown_value(text, value, outer and f"{outer}[{text}]")


def element(at: int, value: Value, outer: str | None) -> Shown:
    """Return an element of an array."""
    return shown_value(f"[{at}]", value, outer and f"{outer}[{at}]")


def text_of_value(value: Value) -> str:
    """Return a value as Puppet code, cut where it is very long."""
    if isinstance(value, Sensitive):
        return REDACTED
    if isinstance(value, dict | list) and len(value) > MOST_SHOWN:
        return f"{collection_name(value)} with {len(value)} elements"
    text = str(format_value(value, "%p"))
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def value_type_name(value: Value) -> str:
    """Return the type of a value without sizes; that of large collections without their items."""
    if isinstance(value, dict | list) and len(value) > MOST_SHOWN:
        return collection_name(value)
    if isinstance(value, Type):
        return "Type"
    return display(infer_generalized(value))


def collection_name(value: dict[Any, Value] | list[Value]) -> str:
    """Return the name of the type of a collection."""
    return "Hash" if isinstance(value, dict) else "Array"


# -- scopes ----------------------------------------------------------------------------------------


def local_variables(frame: CodeFrame) -> dict[str, Value]:
    """Return the variables of a function or lambda, and of the lambdas around it, by ``$name``."""
    if frame.frame is None or frame.kind not in WITH_LOCALS:
        return {}
    found: dict[str, Value] = {}
    for one in reversed([frame.frame, *frames_around(frame.frame)]):
        values = one.f_locals
        for name in sorted(values):
            if name.startswith("$") and values[name] is not UNSET:
                found[name.partition("'")[0].partition(".")[0]] = values[name]
    return found


def scopes_of(frame: CodeFrame, compilation: Compilation) -> list[ShownScope]:
    """Return the scopes of a frame, the innermost first; then the facts and the catalog."""
    found = []
    if frame.kind in WITH_LOCALS:
        values = local_variables(frame)
        found.append(ShownScope("Local", "locals", len(values), lambda: shown_variables(values)))
    for scope in scopes_outward(frame.scope):
        found.append(shown_scope(scope, compilation, is_local=not found))
    facts = compilation.facts
    found.append(ShownScope("Facts", "facts", len(facts), lambda: shown_facts(facts)))
    resources = compilation.catalog.resources
    shown = ShownScope("Catalog", "catalog", len(resources), lambda: shown_catalog(resources))
    return [*found, shown]


def scopes_outward(scope: Scope | None) -> Iterator[Scope]:
    """Yield the scopes in which code reads variables, without views that only pass on others.

    The variables of a template are a view with variables of its own.
    """
    while scope is not None:
        if len(scope) or not scope.is_view:
            yield scope
        scope = scope.outer


def shown_scope(scope: Scope, compilation: Compilation, *, is_local: bool) -> ShownScope:
    """Return the variables of a class, a defined type, a node or of top scope."""
    is_top = scope is compilation.top_scope
    name = "top" if is_top else "template" if scope.is_view else scope_name(scope) or "outer"
    label = f"Local ({name})" if is_local else name.capitalize() if is_top else name
    kind = "locals" if is_local else "top" if is_top else name.partition(" ")[0]
    return ShownScope(label, kind, len(scope), lambda: shown_variables(scope), scope)


def shown_variables(values: Mapping[str, Value]) -> Iterator[Shown]:
    """Yield variables by ``$name``, sorted."""
    for name in sorted(name for name in values if name.startswith("$")):
        yield shown_value(name, values[name], name)


def shown_facts(facts: Mapping[str, Value]) -> Iterator[Shown]:
    """Yield the facts, sorted."""
    for name in sorted(facts):
        yield shown_value(name, facts[name], f"$facts[{string_literal(name)}]")


def shown_catalog(resources: Sequence[DeclaredResource]) -> Iterator[Shown]:
    """Yield the types of the resources that are declared so far, with their resources."""
    by_type: dict[str, list[DeclaredResource]] = {}
    for one in resources:
        by_type.setdefault(one.type, []).append(one)
    for type_, declared in sorted(by_type.items()):
        count = len(declared)
        text = f"{count} resource{'s' * (count != 1)}"
        yield Shown(type_, text, "", count, inner=partial(map, shown_resource, declared))


def shown_resource(resource: DeclaredResource) -> Shown:
    """Return a resource with its attributes, as they are now."""
    place = f"{resource.file}:{resource.line}" if resource.file and resource.line else ""
    kind = "exported" if resource.exported else "virtual" if resource.virtual else ""
    text = " ".join(filter(None, (kind, place))) or resource.reference
    values = resource.parameters
    return Shown(
        resource.reference,
        text,
        f"Type[{resource.reference}]" if resource.type != "Class" else "Type[Class]",
        len(values),
        inner=lambda: [attribute(resource, name) for name in values],
    )


def attribute(resource: DeclaredResource, name: str) -> Shown:
    """Return an attribute of a resource; those that are secret stay hidden."""
    if name in resource.sensitive:
        return Shown(name, REDACTED, "Sensitive")
    value = resource.parameters[name]
    return shown_value(name, value, f"{resource.reference}[{string_literal(name)}]")
