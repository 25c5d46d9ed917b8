"""Secrets in what a debugger shows: code that unwrapped a ``Sensitive`` has its value as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bunraku.runtime.state import Compilation, Scope
from bunraku.values.literal import string_literal
from bunraku.values.sensitive import Sensitive
from bunraku.workbench.debugging.frames import CodeFrame
from bunraku.workbench.debugging.variables import local_variables

Value = Any
HIDDEN = "[value redacted]"
SHORTEST = 4
"""Characters of a secret that is hidden within other text; shorter ones would hide common words."""


def secrets_of(compilation: Compilation, frames: Sequence[CodeFrame]) -> list[str]:
    """Return the texts in all ``Sensitive`` values that variables and resources have, the longest first."""
    found: set[str] = set()
    for values in holders(compilation, frames):
        for value in values:
            if value.__class__ is Sensitive:
                found.update(secret_texts(value.value))
    return sorted((one for one in found if len(one) >= SHORTEST), key=len, reverse=True)


def holders(compilation: Compilation, frames: Sequence[CodeFrame]) -> Iterator[Iterable[Value]]:
    """Yield the values of the variables of scopes and frames, and of the attributes of resources."""
    yield from (one.values() for one in compilation.class_scopes.values())
    for frame in frames:
        yield local_variables(frame).values()
        scope: Scope | None = frame.scope
        while scope is not None:
            yield scope.values()
            scope = scope.outer
    for resource in compilation.catalog.resources:
        yield resource.parameters.values()


def secret_texts(value: Value) -> Iterator[str]:
    """Yield the texts in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Sensitive):
        yield from secret_texts(value.value)
    elif isinstance(value, list):
        for item in value:
            yield from secret_texts(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from secret_texts(item)


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """Return a text in which secrets are hidden, as they are and as literals.

    >>> without_secrets("'x=hush, y'", ["hush"])
    "'x=[value redacted], y'"
    """
    for secret in secrets:
        for shown in (secret, string_literal(secret)[1:-1]):
            text = text.replace(shown, HIDDEN)
    return text
