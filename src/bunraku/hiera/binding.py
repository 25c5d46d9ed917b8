"""Hiera in a compile: one engine for each compilation, an invocation for each scope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.hiera.context import MadeContext
from bunraku.hiera.invocation import Invocation
from bunraku.hiera.lookup import LookupEngine
from bunraku.runtime.once import is_first
from bunraku.runtime.state import Compilation, Scope
from bunraku.types.parse import parse_type

Value = Any


def engine_of(compilation: Compilation) -> LookupEngine:
    """Return the engine of a compile; made when data is first requested."""
    return compilation.extension(make_engine)


def make_engine(compilation: Compilation) -> LookupEngine:
    """Return a new engine for a compile."""

    def warn(found: Diagnostic) -> None:
        if not is_first(compilation, "hiera", found.code, found.message):
            return
        if found.file is None:
            compilation.messages.warn(found.code, found.message)
        else:
            compilation.messages.warn_at(found.code, found.message, found.file, found.line)

    return LookupEngine(
        compilation.environment,
        compilation.settings,
        warn,
        newest_format=compilation.rules.hiera_format,
    )


def calling_class(scope: Scope) -> str | None:
    """Return the name of the class whose code runs, for ``%{calling_class}`` of version 3."""
    here: Scope | None = scope
    while here is not None:
        definition = here.definition
        if definition is not None and definition.kind == "class":
            return str(definition.name)
        here = here.outer
    return None


def invocation_of(scope: Scope, **options: Any) -> Invocation:
    """Return the invocation for code in a scope; options are those of :class:`Invocation`."""
    compilation = scope.compilation

    def call(name: str, arguments: Sequence[Value]) -> Value:
        return compilation.call_function(scope, name, list(arguments))

    return Invocation(
        scope.lookup,
        call,
        has_function=lambda name: compilation.functions[name] is not None,
        calling_class=lambda: calling_class(scope),
        parse_type=lambda text: parse_type(text, compilation.types),
        **options,
    )


def new_context(scope: Scope, module_name: str | None) -> MadeContext:
    """Return a context that belongs to no lookup: ``Puppet::LookupContext.new``."""
    engine = engine_of(scope.compilation)
    name = scope.compilation.environment.name
    return MadeContext(name, module_name, engine, engine.files.made, {}, has_location=False)
