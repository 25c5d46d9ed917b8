"""The one exception that Puppet code can cause, and the printed report of it.

```
PuppetError      anything wrong in Puppet code, data or the request; has a stable code
```
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import record
from bunraku.base.source import Span

GENERAL_CODE = "RUNTIME_ERROR"
"""Puppet's code of every error that has no code of its own."""

Severity = Literal["error", "warning", "deprecation", "ignore"]


Position = tuple[str | None, int | None, int | None]
"""File, line and column, both counted from 1; None for what is not known."""


@record(frozen=True)
class Declaration:
    """A resource whose defined type was running when an error occurred, and where it is declared."""

    reference: str
    file: str | None
    line: int | None


@record()
class Place:
    """A file, line and column (from 1); None for what is not known."""

    file: str | None = None
    line: int | None = None
    column: int | None = None


class Diagnostic:
    """One finding: a code, a message, the innermost place; the rest helps to understand it.

    The place is that of ``span``, the Puppet code. Findings in files without a span (data files,
    Ruby, declarations) set ``file``, ``line`` and ``column`` instead; ``shown`` is then the code to
    print, if there is any. ``stack`` holds the Puppet calls that led to the place,
    ``declarations`` the defined types around it, innermost first.

    ``puppet_code`` is Puppet's code where it differs from ours. ``reported`` is the place that
    Puppet reports where it is not the innermost: for an error in a defined type, its declaration.

    >>> finding = Diagnostic("HIERA_BAD_DATA", "invalid YAML", file="common.yaml", line=3)
    >>> finding.file, finding.line, finding.column
    ('common.yaml', 3, None)
    """

    __slots__ = (
        "_place",
        "code",
        "declarations",
        "hint",
        "message",
        "puppet_code",
        "reported",
        "severity",
        "shown",
        "span",
        "stack",
    )

    def __init__(  # noqa: PLR0913, PLR0917 (all but the first two are given by name)
        self,
        code: str,
        message: str,
        span: Span | None = None,
        severity: Severity = "error",
        hint: str | None = None,
        stack: list[tuple[str, Span]] | None = None,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        shown: Span | None = None,
        declarations: list[Declaration] | None = None,
        puppet_code: str | None = None,
        reported: Position | None = None,
    ) -> None:
        self.code = code
        self.message = message
        self.span = span
        self.severity = severity
        self.hint = hint
        self.stack = [] if stack is None else stack
        self.shown = shown
        self.declarations = [] if declarations is None else declarations
        self.puppet_code = puppet_code
        self.reported = reported
        self._place = Place(file, line, column)

    def place(self) -> Position:
        """Return file, line and column (from 1) of the innermost place."""
        if self.span is not None:
            line, column = self.span.position
            return self.span.source.path or None, line, column
        return self._place.file, self._place.line, self._place.column

    def puppet_place(self) -> Position:
        """Return the place that Puppet reports."""
        return self.place() if self.reported is None else self.reported

    @property
    def file(self) -> str | None:
        """The file that the finding is about; None for code that has no file."""
        return self.place()[0]

    @file.setter
    def file(self, file: str | None) -> None:
        self._place.file = file

    @property
    def line(self) -> int | None:
        """The line, from 1."""
        return self.place()[1]

    @line.setter
    def line(self, line: int | None) -> None:
        self._place.line = line

    @property
    def column(self) -> int | None:
        """The column, from 1, in characters."""
        return self.place()[2]

    @column.setter
    def column(self, column: int | None) -> None:
        self._place.column = column

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Diagnostic):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        file, line, column = self.place()
        where = ":".join(str(part) for part in (file, line, column) if part is not None)
        return f"Diagnostic({self.code!r}, {self.message!r}, {self.severity!r}, at {where or None})"


class PuppetError(Exception):
    """The only exception that user code can cause; more context goes in by ``add_note``.

    ``diagnostics`` holds every finding of the run, the first error first; ``phase`` is ``parse``
    for what is found before anything runs, else ``evaluate``.
    """

    def __init__(
        self, diagnostic: Diagnostic, others: Iterable[Diagnostic] = (), phase: str = "evaluate"
    ) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.others = list(others)
        self.phase = phase
        self.part: str | None = None
        self.culprit: tuple[object, ...] = ()

    def hinted(self, hint: str | None) -> PuppetError:
        """Return the same error with a hint, unless there is none to give."""
        if hint is not None:
            self.diagnostic.hint = hint
        return self

    def at(self, part: str, *culprit: object) -> PuppetError:
        """The same error, said to lie in a part of the expression (``left``, ``right``,
        ``key``, ``key 1`` for the second), or in the ``caller`` of the code that found it.

        With ``key`` goes the value of the key, where there may be several.
        """
        self.part = part
        self.culprit = culprit
        return self

    @property
    def code(self) -> str:
        """The stable issue code, Puppet's own where it has a specific one."""
        return self.diagnostic.code

    @property
    def puppet_code(self) -> str:
        """The issue code that Puppet gives, often the general ``RUNTIME_ERROR``."""
        return self.diagnostic.puppet_code or self.diagnostic.code

    @property
    def message(self) -> str:
        """The message without place or excerpt."""
        return self.diagnostic.message

    @property
    def span(self) -> Span | None:
        """The place in Puppet code, once known."""
        return self.diagnostic.span

    def __iter__(self) -> Iterator[Diagnostic]:
        yield self.diagnostic
        yield from self.others

    def __str__(self) -> str:
        file, line, column = self.diagnostic.place()
        where = ", ".join(
            f"{name}: {value}"
            for name, value in (("file", file), ("line", line), ("column", column))
            if value
        )
        return f"{self.message} ({where})" if where else self.message


@record(frozen=True)
class Issue:
    """An entry of the catalogue in ``issues.py``; calling it makes the error.

    ``puppet`` is Puppet's code where Puppet only has the general ``RUNTIME_ERROR``.

    >>> issue = Issue("DIV_BY_ZERO", "Division by {what}", hint="check the divisor")
    >>> str(issue(what="0"))
    'Division by 0'
    """

    code: str
    text: str
    hint: str | None = None
    puppet: str | None = None

    @classmethod
    def general(cls, code: str, text: str, hint: str | None = None) -> Issue:
        """Return an issue for which Puppet only has its general code, ``RUNTIME_ERROR``."""
        return cls(code, text, hint, GENERAL_CODE)

    def diagnostic(
        self, span: Span | None = None, severity: Severity = "error", **arguments: object
    ) -> Diagnostic:
        """The finding that this issue is, at a place, with its text filled in."""
        hint = self.hint.format(**arguments) if self.hint else None
        text = self.text.format(**arguments)
        return Diagnostic(self.code, text, span, severity, hint, puppet_code=self.puppet)

    def __call__(self, span: Span | None = None, **arguments: object) -> PuppetError:
        """The error; ``span`` is left out where the runtime finds the place from the frame."""
        found = self.diagnostic(span, "error", **arguments)
        return PuppetError(found, phase="parse" if span else "evaluate")
