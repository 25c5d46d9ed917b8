"""Looking keys up for a node from outside of a manifest: what ``bunraku lookup`` and others ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bunraku.engine import LogEntry, Request, in_top_scope
from bunraku.errors import PuppetError
from bunraku.hiera import issues
from bunraku.hiera.binding import engine_of, invocation_of
from bunraku.hiera.explain import SILENT
from bunraku.hiera.missing import MISSING
from bunraku.hiera.recorder import Recorder
from bunraku.records import record, replace
from bunraku.runtime.scope import Scope
from bunraku.types.parse import parse_type

Value = Any
NO_KEY = "__global__"
"""Stands for any key that belongs to no module, where only options are asked for."""


@record(frozen=True)
class Question:
    """What to look up: the first of the keys that has a value, and how.

    ``explain`` asks for the story of it, ``explain_options`` for that of ``lookup_options``.
    ``after_compile`` compiles the node's catalog first, so that data sees its variables.
    """

    keys: Sequence[str]
    merge: str | Mapping[str, Value] | None = None
    value_type: str | None = None
    default: Value = MISSING
    explain: bool = False
    explain_options: bool = False
    after_compile: bool = False

    @property
    def options_only(self) -> bool:
        """Whether the value itself is not asked for."""
        return self.explain_options and not self.explain


@record()
class Answer:
    """What was found (None where only options were asked for), or why not; the story of it."""

    value: Value
    error: PuppetError | None = None
    story: Recorder | None = None

    @property
    def is_missing(self) -> bool:
        """Whether no data has any of the keys."""
        return self.error is not None and self.error.code == issues.NOT_FOUND.code


def look_up(request: Request, question: Question, log: Callable[[LogEntry], None]) -> Answer:
    """Look keys up as the data of a node has them; what goes wrong in that is in the answer.

    Raises PuppetError when the node's environment or its catalog is wrong.

    >>> from bunraku.world import DictionaryWorld
    >>> files = {"/e/p/hiera.yaml": b"version: 5", "/e/p/data/common.yaml": b"a: {b: '%{os}'}"}
    >>> settings = {"environmentpath": "/e", "environment": "p"}
    >>> request = Request(facts={"os": "Debian"}, settings=settings, world=DictionaryWorld(files))
    >>> look_up(request, Question(["a.b"]), print).value
    'Debian'
    """
    if not question.after_compile:
        settings = {**request.settings, "node_terminus": "plain"}
        request = replace(request, code="", path=None, node_classes=None, settings=settings)

    def action(scope: Scope) -> Answer:
        return ask(scope, question)

    answer: Answer = in_top_scope(request, log, action)
    return answer


def ask(scope: Scope, question: Question) -> Answer:
    """The answer to a question in a scope."""
    story = None
    if question.explain or question.explain_options:
        story = Recorder(options_only=question.options_only)
    invocation = invocation_of(scope, explain=story or SILENT)
    default = None if question.options_only else question.default
    try:
        type_ = None
        if question.value_type is not None:
            type_ = parse_type(question.value_type, scope.compilation)
        value = engine_of(scope.compilation).find(
            invocation,
            list(question.keys) or [NO_KEY],
            value_type=None if question.options_only else type_,
            merge=question.merge,
            default=default,
        )
    except PuppetError as error:
        if story is not None:
            story.failed(error.message)
        return Answer(None, error, story)
    return Answer(value, None, story)
