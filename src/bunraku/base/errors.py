"""The one exception that Puppet code can cause, its findings, and the issues that make it.

```
PuppetError      anything wrong in Puppet code, data or the request; has a stable code
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from bunraku.base.lazy_typing import Any, Literal
from bunraku.base.records import field, record, replace
from bunraku.base.source import NOWHERE, Place, Span

GENERAL_CODE = "RUNTIME_ERROR"
"""Puppet's code for all errors without a code of their own."""

Severity = Literal["error", "warning", "deprecation", "ignore"]
Plain = str | int | float | None
"""The value of an argument of a message, which can leave the process; others become their text."""
Form = Literal["evaluated", "parsed", "placed", "filed", "unplaced", "escaped"]
"""How Puppet raises an error.

``evaluated``: by its evaluator, with the position and words for the expression. The others have no
words around them: ``parsed`` has the position, ``placed`` the line of a resource or definition,
``filed`` the file, ``unplaced`` no place. ``escaped`` is an exception that its evaluator does not
catch: it has no place, and no defined type around it puts it into another error.
"""

BlamedPart = Literal["left", "operator", "right", "type", "key", "parameter", "caller"]
"""The part of an expression that an error is about.

``left`` and ``right`` are the operands of an ``operator``, ``type`` is that of ``Type['title']``,
``key`` one of its keys, ``parameter`` one of a call's lambda, and ``caller`` the code that called the
code with the error.
"""


@record(frozen=True)
class InPuppet:
    """What Puppet reports of a finding, where that differs from bunraku's report.

    ``expression`` has Puppet's words for the expression at the place: `a Function Call`. ``declared``
    is the declaration of the defined type whose body failed: Puppet puts the error into another one
    at that place.
    """

    code: str | None = None
    words: str | None = None
    form: Form = "evaluated"
    place: Place | None = None
    expression: str | None = None
    declared: Place | None = None

    def keeps(self, code: str) -> bool:
        """Return whether a code stands for itself: Puppet has no such error."""
        return self.code == code and not is_of_puppet(code)

    def code_of(self, code: str) -> str | None:
        """Return Puppet's code for one of bunraku's; None if it has none."""
        found = self.code or code
        if is_of_puppet(found) or self.keeps(code):
            return found
        return GENERAL_CODE if self.form == "evaluated" else None


AS_HERE = InPuppet()


class Words(str):
    """A part of a message that Puppet words in another way; ``in_puppet`` makes Puppet's text.

    >>> part = Words("an Array", lambda: "Tuple")
    >>> finding = Issue("WRONG", "expected a String, got {kind}").diagnostic(kind=part)
    >>> finding.message, finding.in_puppet.words
    ('expected a String, got an Array', 'expected a String, got Tuple')
    """

    __slots__ = ("in_puppet",)
    in_puppet: Callable[[], str]

    def __new__(cls, text: str, in_puppet: Callable[[], str]) -> Words:
        """Return the text, with Puppet's beside it."""
        words = super().__new__(cls, text)
        words.in_puppet = in_puppet
        return words


def puppet_words(part: object) -> object:
    """Return Puppet's text of a part of a message that has one; another part as it is."""
    return part.in_puppet() if isinstance(part, Words) else part


def is_of_puppet(code: str) -> bool:
    """Return whether Puppet has an issue code; only texts for people and machines ask."""
    from bunraku.base import puppet_codes

    return puppet_codes.is_of_puppet(code)


@record(frozen=True)
class Declaration:
    """A resource whose defined type was running when an error occurred, and where it is declared."""

    reference: str
    file: str | None
    line: int | None


@record(frozen=True)
class Diagnostic:
    """One finding: a code, a message, the innermost place; the rest helps to understand it.

    ``arguments`` are the values in the message, by their names in the text of the issue. ``stack``
    holds the Puppet calls that led to the place, ``declarations`` the defined types around it,
    innermost first.

    >>> finding = Diagnostic("HIERA_BAD_DATA", "invalid YAML", Place("common.yaml", 3))
    >>> finding.file, finding.line, finding.column
    ('common.yaml', 3, None)
    """

    code: str
    message: str
    place: Place = NOWHERE
    severity: Severity = "error"
    hint: str | None = None
    stack: tuple[tuple[str, Span], ...] = ()
    declarations: tuple[Declaration, ...] = ()
    in_puppet: InPuppet = AS_HERE
    arguments: Mapping[str, Plain] = field(default_factory=dict, compared=False)

    def at(self, place: Place, *, replaces: bool = False) -> Diagnostic:
        """Return the same finding at a place, unless it has a line already.

        A place with a line replaces a file without one. With ``replaces``, the place always wins.
        """
        inner = self.place
        if not replaces and (inner.line is not None or (inner.file and place.line is None)):
            return self
        return replace(self, place=place)

    @property
    def own_code(self) -> str | None:
        """The code of the innermost error in Puppet; None if it has none."""
        return self.in_puppet.code_of(self.code)

    @property
    def puppet_code(self) -> str | None:
        """The code that Puppet gives: often the general ``RUNTIME_ERROR``; None if it gives none."""
        nested = self.in_puppet.declared is not None and not self.in_puppet.keeps(self.code)
        return GENERAL_CODE if nested else self.own_code

    @property
    def own_place(self) -> Place:
        """The place of the innermost error in Puppet."""
        if self.in_puppet.place is not None:
            return self.in_puppet.place
        form = self.in_puppet.form
        if form in {"unplaced", "escaped"}:
            return NOWHERE
        return Place(self.file, self.line) if form == "placed" else self.place

    @property
    def puppet_place(self) -> Place:
        """The place that Puppet reports: that of a declaration, if it has one."""
        declared = self.in_puppet.declared
        return self.own_place if declared is None or declared.line is None else declared

    @property
    def file(self) -> str | None:
        """The file that the finding is about; None for code that has no file."""
        return self.place.file

    @property
    def line(self) -> int | None:
        """The line, from 1."""
        return self.place.line

    @property
    def column(self) -> int | None:
        """The column, from 1, in characters."""
        return self.place.column

    @property
    def span(self) -> Span | None:
        """The piece of Puppet code, if known."""
        return self.place.span

    def __repr__(self) -> str:
        where = str(self.place) or None
        return f"Diagnostic({self.code!r}, {self.message!r}, {self.severity!r}, at {where})"


class PuppetError(Exception):
    """The only exception that user code can cause; more context goes in by ``add_note``.

    ``diagnostics`` holds every finding of the run, the first error first; ``phase`` is ``parse``
    for findings before anything runs, else ``evaluate``.
    """

    def __init__(
        self, diagnostic: Diagnostic, others: Iterable[Diagnostic] = (), phase: str = "evaluate"
    ) -> None:
        super().__init__(diagnostic.message)
        self._diagnostic = diagnostic
        self.others = list(others)
        self.phase = phase
        self.part: BlamedPart | None = None
        self.index: int | None = None
        self.culprit: tuple[object, ...] = ()

    @property
    def diagnostic(self) -> Diagnostic:
        """The first finding."""
        return self._diagnostic

    def at(self, place: Place, *, replaces: bool = False) -> PuppetError:
        """Return the same error at a place, unless it has a line already: see :meth:`Diagnostic.at`."""
        self._diagnostic = self._diagnostic.at(place, replaces=replaces)
        return self

    def hinted(self, hint: str | None) -> PuppetError:
        """Return the same error with a hint, unless that is None."""
        return self if hint is None else self.having(hint=hint)

    def having(self, **fields: Any) -> PuppetError:
        """Return the same error with other values in fields of its diagnostic, such as ``stack``."""
        self._diagnostic = replace(self._diagnostic, **fields)
        return self

    def having_in_puppet(self, **fields: Any) -> PuppetError:
        """Return the same error with other values in what Puppet reports of it, such as ``place``."""
        return self.having(in_puppet=replace(self._diagnostic.in_puppet, **fields))

    def in_part(self, part: BlamedPart | None, index: int | None = None) -> PuppetError:
        """Return the same error for a part of the expression that raised it.

        The index counts keys and parameters from 0.
        """
        self.part = part
        self.index = index
        self.culprit = ()
        return self

    def in_key(self, key: object) -> PuppetError:
        """Return the same error for a key, whose index :meth:`in_part` sets where it is known."""
        self.part = "key"
        self.index = None
        self.culprit = (key,)
        return self

    def is_a(self, *issues: Issue) -> bool:
        """Return whether the error has the code of one of the issues."""
        return any(self.code == issue.code for issue in issues)

    @property
    def arguments(self) -> Mapping[str, Plain]:
        """The values in the message, by their names in the text of the issue."""
        return self.diagnostic.arguments

    @property
    def code(self) -> str:
        """The stable issue code: Puppet's own if it has a specific one."""
        return self.diagnostic.code

    @property
    def puppet_code(self) -> str | None:
        """The issue code that Puppet gives, often the general ``RUNTIME_ERROR``; None without one."""
        return self.diagnostic.puppet_code

    @property
    def message(self) -> str:
        """The message without place or excerpt."""
        return self.diagnostic.message

    @property
    def place(self) -> Place:
        """The innermost place."""
        return self.diagnostic.place

    @property
    def span(self) -> Span | None:
        """The piece of Puppet code, if known."""
        return self.diagnostic.span

    def __iter__(self) -> Iterator[Diagnostic]:
        yield self.diagnostic
        yield from self.others

    def __str__(self) -> str:
        file, line, column = self.place.where
        where = ", ".join(
            f"{name}: {value}"
            for name, value in (("file", file), ("line", line), ("column", column))
            if value
        )
        return f"{self.message} ({where})" if where else self.message


@record(frozen=True)
class Issue:
    """An entry of the catalogue in ``issues.py``; calling it makes the error.

    ``puppet`` is Puppet's code where it differs, ``words`` is Puppet's text where it differs, and
    ``form`` the way in which Puppet raises the error. A code that Puppet does not have stands for
    its general ``RUNTIME_ERROR``.

    >>> issue = Issue("DIV_BY_ZERO", "Division by {what}", hint="check the divisor")
    >>> str(issue(what="0"))
    'Division by 0'
    """

    code: str
    text: str
    hint: str | None = None
    puppet: str | None = None
    words: str | None = None
    form: Form = "evaluated"

    @classmethod
    def general(
        cls, code: str, text: str, hint: str | None = None, words: str | None = None
    ) -> Issue:
        """Return an issue for which Puppet only has its general code, ``RUNTIME_ERROR``."""
        return cls(code, text, hint, GENERAL_CODE, words)

    @classmethod
    def own(cls, code: str, text: str, hint: str | None = None) -> Issue:
        """Return an issue of bunraku alone, such as a limit, whose code is never replaced by Puppet's."""
        return cls(code, text, hint, code)

    @property
    def puppet_code(self) -> str | None:
        """Puppet's code of the error; None without one."""
        return InPuppet(self.puppet, form=self.form).code_of(self.code)

    def diagnostic(
        self,
        place: Place = NOWHERE,
        /,
        severity: Severity = "error",
        **arguments: object,
    ) -> Diagnostic:
        """Return the finding of this issue at a place, with its text filled in."""
        in_puppet = AS_HERE
        text = self.words
        if text is None:
            for value in arguments.values():
                if isinstance(value, Words):
                    text = self.text
                    break
        if text:
            parts = {name: puppet_words(value) for name, value in arguments.items()}
            words = text.format(**{"here": "{here}", **parts})
            in_puppet = InPuppet(self.puppet, words, self.form)
        elif self.puppet or self.form != "evaluated":
            in_puppet = InPuppet(self.puppet, text, self.form)
        return Diagnostic(
            self.code,
            self.text.format(**arguments),
            place,
            severity,
            self.hint.format(**arguments) if self.hint else None,
            in_puppet=in_puppet,
            arguments={
                name: value if value.__class__ is str else plain(value)
                for name, value in arguments.items()
            },
        )

    def __call__(self, **arguments: object) -> PuppetError:
        """Return the error, with its text filled in; the runtime finds its place from the frame."""
        return PuppetError(self.diagnostic(NOWHERE, "error", **arguments))


def plain(value: object) -> Plain:
    """Return the stored form of an argument of a message."""
    if isinstance(value, str):
        return str(value)
    return value if isinstance(value, int | float | None) else str(value)


def in_order(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the enabled findings, sorted by file and position."""

    def key(finding: Diagnostic) -> tuple[str, int, int]:
        return finding.file or "", finding.line or 0, finding.column or 0

    return sorted((one for one in findings if one.severity != "ignore"), key=key)
