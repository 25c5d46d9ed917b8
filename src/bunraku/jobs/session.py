"""A session of the language: code that is entered piece by piece, with the facts and the data of a node."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.catalog.text import catalog_text
from bunraku.catalog.wire import catalog_to_data
from bunraku.engine.compile import compile_catalog, evaluate_code, in_top_scope
from bunraku.engine.request import Request
from bunraku.jobs.compile import CodeOrManifest, compile_request
from bunraku.jobs.completion import names_in_project
from bunraku.jobs.context import Context
from bunraku.jobs.explain import ExplainOptions, ExplainResult, explain_subject
from bunraku.limits.limits import Limited
from bunraku.runtime.log import LogEntry
from bunraku.runtime.state import Scope
from bunraku.syntax import nodes
from bunraku.syntax.check.effects import idle
from bunraku.syntax.issues import UNCLOSED_QUOTE, UNEXPECTED_END
from bunraku.syntax.parser.parser import parse

UNFINISHED = frozenset({UNCLOSED_QUOTE.code, "HEREDOC_WITHOUT_END_TAGGED_LINE"})
BLANKED = re.compile(r"[^\n]")
NAME = "repl"
"""The file that errors name."""


@record(frozen=True)
class Evaluated:
    """The value of a piece of code, and what it logs."""

    value: Any
    log: Sequence[LogEntry]


class Session:
    """Code that is entered piece by piece; the earlier pieces run again before each new piece.

    So a piece that fails leaves nothing behind, and a resource or a class can be declared once.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.pieces: list[str] = []
        self.logged = 0

    def evaluate(self, text: str, *, keep: bool = True) -> Evaluated:
        """Return the value of a piece of code; later pieces see what it declares if it is kept.

        Raises PuppetError; the session is as before then.
        """
        log: list[LogEntry] = []
        with Limited(self.context.limits):
            value = evaluate_code(self.request(text), log.append)
        new = log[self.logged :]
        if keep:
            self.pieces.append(lasting(text))
            self.logged = len(log)
        return Evaluated(value, new)

    def request(self, text: str = "") -> Request:
        """Return the request for the pieces and one more."""
        code = "\n".join([*self.pieces, text] if text else self.pieces)
        return compile_request(self.context, CodeOrManifest(code), as_file=NAME, cycles=False)

    def catalog(self) -> str:
        """Return the resources that the session declares, as Puppet code. Raises PuppetError."""
        with Limited(self.context.limits):
            catalog = compile_catalog(self.request(), lambda _entry: None)
        return catalog_text(catalog_to_data(catalog), str)

    def explain(self, subject: str) -> ExplainResult:
        """Return why something is in the catalog of the session. Raises PuppetError and UsageError."""
        given = self.context
        silent = Context(
            given.options, below=given.below, named=given.named
        )  # all was logged before
        code = CodeOrManifest("\n".join(self.pieces))
        return explain_subject(silent, ExplainOptions(subject, code=code))

    def variables(self) -> Mapping[str, Any]:
        """Return the variables of top scope; none if the session cannot be compiled."""
        try:
            found: Mapping[str, Any] = in_top_scope(
                self.request(), lambda _entry: None, Scope.visible_names
            )
        except PuppetError:
            return {}
        return found

    def names(self) -> list[str]:
        """Return the names of classes, functions and types that the project has."""
        return [
            name
            for kind in ("classes", "functions", "types")
            for name in names_in_project(self.context, kind)
        ]


def lasting(text: str) -> str:
    r"""Return a piece of code without the statements that have a value and no effect.

    Only the last statement of all code may be one, and the next piece comes behind it. Lines stay where they are.

    >>> lasting("$a = 1\n$a + 1"), lasting("[1,\n2]")
    ('$a = 1\n      ', '   \n  ')
    """
    body = parse(Source(text)).program.body
    statements = body.statements if isinstance(body, nodes.Block) else [body]
    if all(map(idle, statements)):
        return BLANKED.sub(" ", text)
    for one in statements:
        if idle(one):
            blank = BLANKED.sub(" ", text[one.start : one.end])
            text = f"{text[: one.start]}{blank}{text[one.end :]}"
    return text


def is_complete(text: str) -> bool:
    """Return whether a text is all of a piece of code: nothing that it opens is open at its end.

    >>> is_complete("if true {"), is_complete("if true { }"), is_complete("$a = }")
    (False, True, True)
    """
    errors = parse(Source(text)).errors
    if not errors:
        return True
    (first, *_) = errors
    at_end = first.message.startswith(UNEXPECTED_END.text.partition("{")[0])
    return first.code not in UNFINISHED and not at_end
