"""Look keys up for a node from outside of a manifest, as ``bunraku lookup`` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

from bunraku.base.errors import PuppetError
from bunraku.base.records import record, replace
from bunraku.engine.compile import in_top_scope
from bunraku.engine.request import Request
from bunraku.hiera import issues
from bunraku.hiera.binding import engine_of, invocation_of
from bunraku.hiera.explain import SILENT
from bunraku.hiera.invocation import Invocation
from bunraku.hiera.keys import Segment
from bunraku.hiera.recorder import Recorder
from bunraku.modules.fact_reads import Gathering
from bunraku.runtime.log import LogEntry
from bunraku.runtime.state import Scope
from bunraku.types.parse import parse_type
from bunraku.values.missing import MISSING

Value = Any
NO_KEY = "__global__"
"""Stands for any key that belongs to no module, where only ``lookup_options`` are requested."""


@record(frozen=True)
class Question:
    """The keys to look up (the first one with a value is used) and the options.

    ``explain`` requests an explanation of the lookup, ``explain_options`` one of ``lookup_options``.
    ``after_compile`` compiles the node's catalog first so that data can read its variables.
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
        """Whether only the explanation of ``lookup_options`` is requested, not the value."""
        return self.explain_options and not self.explain


@record()
class Answer:
    """The value (None where only options were requested) or the error, and the explanation."""

    value: Value
    error: PuppetError | None = None
    explanation: Recorder | None = None

    @property
    def is_missing(self) -> bool:
        """Whether no data has any of the keys."""
        return self.error is not None and self.error.is_a(issues.NOT_FOUND)


class FactsNeeded(BaseException):
    """Ends a lookup that needs more facts than were collected; None means all facts.

    Lookups do not catch it, because it is not an error in the data.
    """

    def __init__(self, names: frozenset[str] | None) -> None:
        self.names = names


def look_up(
    request: Request,
    question: Question,
    log: Callable[[LogEntry], None],
    gathering: Gathering | None = None,
) -> Answer:
    """Look keys up in the data of a node; an error of the lookup is in the answer.

    With ``gathering``, the facts that it returns replace those of the request. Only facts that the
    lookup reads are collected, and all of them where that cannot be observed: if functions are called,
    or the catalog is compiled.

    Raises PuppetError when the node's environment or its catalog is wrong.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> files = {"/e/p/hiera.yaml": b"version: 5", "/e/p/data/common.yaml": b"a: {b: '%{os}'}"}
    >>> settings = {"environmentpath": "/e", "environment": "p"}
    >>> request = Request(facts={"os": "Debian"}, settings=settings, world=DictionaryWorld(files))
    >>> look_up(request, Question(["a.b"]), print).value
    'Debian'
    """
    if not question.after_compile:
        settings = {**request.settings, "node_terminus": "plain"}
        request = replace(request, code="", path=None, node_classes=None, settings=settings)

    if gathering is not None:
        return look_up_gathering(request, question, log, gathering)
    answer: Answer = in_top_scope(request, log, lambda scope: ask(scope, question))
    return answer


def look_up_gathering(
    request: Request, question: Question, log: Callable[[LogEntry], None], gathering: Gathering
) -> Answer:
    """Repeat a lookup with the facts that were missing until none is missing.

    Only the last lookup is logged. Those before it called no functions and did nothing but read files.
    """
    names: frozenset[str] | None = None
    if not question.after_compile:
        # A fact whose name one of the server's facts has is reported before any lookup.
        names = gathering.first | (gathering.names & (request.server_facts or {}).keys())
    while True:
        kept: list[LogEntry] = []
        watch = None if names is None else Watch(gathering.names, names)
        attempt = replace(request, facts=gathering.facts(names))
        action = partial(ask, question=question, watch=watch)
        try:
            answer: Answer = in_top_scope(attempt, log if watch is None else kept.append, action)
        except FactsNeeded as needed:
            names = None if names is None or needed.names is None else names | needed.names
            continue
        except PuppetError:
            for entry in kept:
                log(entry)
            raise
        for entry in kept:
            log(entry)
        return answer


@record(frozen=True)
class Watch:
    """Ends a lookup by :class:`FactsNeeded` when it reads one of the names that was not collected."""

    names: frozenset[str]
    collected: frozenset[str]

    def watch(self, invocation: Invocation) -> None:
        """Record the variables and functions that a lookup uses."""

        def before_reading(name: str, segments: Sequence[Segment]) -> None:
            plain = name.rpartition("::")[2]
            if plain == "facts":
                first = segments[0] if segments else None
                # An explanation prints all of the hash.
                if not isinstance(first, str) or invocation.explain.active:
                    raise FactsNeeded(None)
                plain = first
            if plain in self.names and plain not in self.collected:
                raise FactsNeeded(frozenset({plain}))

        def before_calling(*_: object) -> NoReturn:
            raise FactsNeeded(None)

        invocation.before_reading = before_reading
        invocation.has_function = invocation.call_function = before_calling


def ask(scope: Scope, question: Question, watch: Watch | None = None) -> Answer:
    """Return the answer to a question; ``watch`` ends lookups that read facts it does not have."""
    explanation = None
    if question.explain or question.explain_options:
        explanation = Recorder(options_only=question.options_only)
    invocation = invocation_of(scope, explain=explanation or SILENT)
    if watch is not None:
        watch.watch(invocation)
    default = None if question.options_only else question.default
    try:
        type_ = None
        if question.value_type is not None:
            type_ = parse_type(question.value_type, scope.compilation.types)
        value = engine_of(scope.compilation).find(
            invocation,
            list(question.keys) or [NO_KEY],
            value_type=None if question.options_only else type_,
            merge=question.merge,
            default=default,
        )
    except PuppetError as error:
        if explanation is not None:
            explanation.failed(error.message)
        return Answer(None, error, explanation)
    return Answer(value, None, explanation)
