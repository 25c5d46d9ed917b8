"""Rendering ERB templates without Ruby and by Ruby, to compare the two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import in_top_scope
from bunraku.engine.request import Request
from bunraku.ruby.process.bridge import bridge_of
from bunraku.ruby.process.templates import template_of_text, whole
from bunraku.ruby.run.scope import Attempt, Context, journal_of
from bunraku.ruby.syntax.erb import Unsupported
from bunraku.ruby.values.objects import NeedsRuby
from bunraku.runtime.state import Scope

Value = Any


def in_scope(
    variables: Mapping[str, Value], action: Callable[[Scope], Value], language: str = "8"
) -> Value:
    """The result of an action on a scope with variables."""

    def run(outer: Scope) -> Value:
        return action(scope_with(outer, variables))

    settings = {"strict": "off", "strict_variables": False}
    request = Request(code="", settings=settings, language=language)
    return in_top_scope(request, lambda entry: None, run)


def scope_with(outer: Scope, variables: Mapping[str, Value]) -> Scope:
    """A scope inside another, with variables."""
    scope = Scope(outer.compilation, outer, outer)
    for name, value in variables.items():
        scope.set(name, value)
    return scope


def without_ruby(scope: Scope, text: str) -> str:
    """The text of a template; NeedsRuby or Unsupported where it is left to Ruby."""
    template = template_of_text(text, scope.compilation.rules.templates_see_callers)
    if template.plain:
        return text
    if template.render is None:
        raise Unsupported(template.reason, template.line)
    journal = journal_of(scope.compilation)
    attempt = journal.attempt = Attempt(journal)
    try:
        return whole(template.render(Context(scope, attempt, scope.find)))
    finally:
        journal.attempt = None
        attempt.undo()


def by_ruby(scope: Scope, text: str) -> str:
    """The text of a template, or the message of the error, by Ruby."""
    try:
        return bridge_of(scope.compilation).render(scope, text, None, "")
    except PuppetError as error:
        return f"error: {error.message}"


def differences(scope: Scope, texts: list[str]) -> tuple[list[tuple[str, str, str]], int]:
    """Templates whose texts differ, with both; and how many were rendered without Ruby."""
    found, count = [], 0
    for text in texts:
        try:
            ours = without_ruby(scope, text)
        except (NeedsRuby, Unsupported):
            continue
        count += 1
        theirs = by_ruby(scope, text)
        if ours != theirs:
            found.append((text, ours, theirs))
    return found, count
