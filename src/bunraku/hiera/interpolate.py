"""``%{…}`` in data and in hiera.yaml: variables, and the functions lookup, alias, scope, literal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.hiera import issues
from bunraku.hiera.explain import SILENT
from bunraku.hiera.invocation import Invocation
from bunraku.hiera.keys import Segment, dig, parse_key
from bunraku.modules.ruby_text import text as ruby_text
from bunraku.values.keys import as_key, from_key
from bunraku.values.missing import MISSING

Value = Any
EXPRESSION = lazy_pattern(r"%\{([^}]*)\}")
METHOD = lazy_pattern(r"""(\w+)\((?:"([^"]+)"|'([^']+)')\)""")
EMPTY = frozenset({"", "::", '""', "''", '"::"', "'::'"})
LOOKUPS = frozenset({"lookup", "hiera", "alias"})
# These cannot change while a catalog is compiled, and an inner variable cannot hide them.
STABLE = frozenset({"facts", "trusted", "server_facts"})
Remember = Callable[[str, str, tuple[Segment, ...], Value], None]


class Engine(Protocol):
    """The part of the lookup engine that interpolation uses."""

    busy: list[str]

    def find(self, invocation: Invocation, names: list[str], *, default: Value = MISSING) -> Value:
        """Look a key up."""

    def undefined_variable(self, name: str) -> None:
        """Report a variable that does not exist, as the setting ``strict`` requires."""

    def enter(self, name: str) -> None:
        """Begin work on a name, which must not be under way."""


def interpolate(
    value: Value,
    engine: Engine,
    invocation: Invocation,
    *,
    methods: bool,
    remember: Remember | None = None,
) -> Value:
    """Return the value with every ``%{…}`` in it replaced.

    ``methods`` allows functions (in data, not in hiera.yaml); ``remember`` is called with the
    variables that were read, so a hierarchy is resolved again when they change.
    """
    if value.__class__ is str:
        if "%{" not in value:
            return value
        with invocation.explain.step("interpolate", value):
            return interpolate_text(value, engine, invocation, methods, remember)
    if value.__class__ is list:
        return [
            interpolate(item, engine, invocation, methods=methods, remember=remember)
            for item in value
        ]
    if value.__class__ is dict:
        result = {}
        for key, item in value.items():
            if key.__class__ is not str or "%{" in key:
                key = as_key(
                    interpolate(
                        from_key(key), engine, invocation, methods=methods, remember=remember
                    )
                )
            result[key] = interpolate(item, engine, invocation, methods=methods, remember=remember)
        return result
    return value


def has_interpolation(value: Value) -> bool:
    """Return whether there is a ``%{`` somewhere in the value."""
    if value.__class__ is str:
        return "%{" in value
    if value.__class__ is list:
        return any(map(has_interpolation, value))
    if value.__class__ is dict:
        return any(
            has_interpolation(from_key(key)) or has_interpolation(item)
            for key, item in value.items()
        )
    return False


def interpolate_text(
    subject: str,
    engine: Engine,
    invocation: Invocation,
    methods: bool,
    remember: Remember | None,
) -> Value:
    """Return a string with its expressions replaced; ``alias`` may make something else of it."""
    out: list[str] = []
    position = 0
    for found in EXPRESSION.finditer(subject):
        expression = found[1].strip()
        out.append(subject[position : found.start()])
        position = found.end()
        if expression in EMPTY:
            continue
        name, key = method_and_key(expression, subject, methods)
        if name in LOOKUPS:
            whole = found[0] == subject
            if name == "alias" and not whole:
                raise issues.ALIAS_NOT_WHOLE(text=subject, where="")
            value = engine.find(invocation, [key], default="")
            if name == "alias":
                return value
        elif name == "scope":
            value = variable(key, subject, engine, invocation, remember)
        elif name == "literal":
            value = key
        else:
            raise issues.UNKNOWN_METHOD(name=name, where="")
        if "%{" in value if value.__class__ is str else has_interpolation(value):
            engine.enter(f"scope:{key}" if name == "scope" else key)
            try:
                value = interpolate(value, engine, invocation, methods=methods, remember=remember)
            finally:
                engine.busy.pop()
        out.append(ruby_text(value))
    out.append(subject[position:])
    return "".join(out)


def steady_text(expression: str, invocation: Invocation) -> str | None:
    """Return the value of ``%{facts.x}`` if it is the same in the whole compile, else None.

    The root must be a variable of :data:`STABLE` that exists, and the value hold no expressions.
    """
    found = EXPRESSION.fullmatch(expression)
    key = parse_key(found[1].strip(), "") if found else None
    if key is None or key.root.removeprefix("::") not in STABLE:
        return None
    value = invocation.variable(key.root, MISSING, key.segments)
    if value is MISSING or value is None:
        return None
    if key.segments:
        value = dig(key.text, key.segments, value, SILENT)
    if has_interpolation(value):
        return None
    return "" if value is MISSING else ruby_text(value)


def method_and_key(expression: str, subject: str, methods: bool) -> tuple[str, str]:
    """Return the function of an expression and its argument; a plain name is a variable."""
    found = METHOD.fullmatch(expression) if "(" in expression else None
    if found is None:
        return "scope", expression
    if not methods:
        raise issues.METHOD_NOT_ALLOWED(text=subject)
    return found[1], found[2] or found[3]


def variable(
    text: str, subject: str, engine: Engine, invocation: Invocation, remember: Remember | None
) -> Value:
    """Return the value of a variable, or of something in it; None when there is none."""
    key = parse_key(text, f" in the text {subject!r}")
    explain = invocation.explain
    with explain.step("scope", key.root):
        value = invocation.overrides.get(key.root, MISSING)
        if value is not MISSING:
            explain.found(key.root, value, "overrides")
        elif (value := invocation.variable(key.root, MISSING, key.segments)) is not MISSING:
            explain.found(key.root, value)
        elif key.root in invocation.defaults:
            value = invocation.defaults[key.root]
            explain.found(key.root, value, "defaults")
        else:
            engine.undefined_variable(key.root)
            value = None
    if value is not None and key.segments:
        value = dig(text, key.segments, value, explain)
        if value is MISSING:
            value = None
    if remember is not None and not (
        key.root in STABLE or (value is not None and text.startswith("::"))
    ):
        remember(text, key.root, key.segments, value)
    return value


def current(text: str, root: str, segments: tuple[Segment, ...], invocation: Invocation) -> Value:
    """Return the current value of a remembered variable; MISSING if it is uncertain."""
    value = invocation.variable(root, None, segments)
    if value is None or not segments:
        return value
    try:
        value = dig(text, segments, value, SILENT)
    except PuppetError:
        return MISSING
    return None if value is MISSING else value
