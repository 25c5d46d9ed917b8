"""The one exception that Puppet code can cause, and the printed report of it.

```
PuppetError      anything wrong in Puppet code, data or the request; has a stable code
```
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bunraku.hints import Literal
from bunraku.records import record
from bunraku.source import Span

Severity = Literal["error", "warning", "deprecation", "ignore"]


@record()
class Place:
    """A file, line and column (from 1); None for what is not known."""

    file: str | None = None
    line: int | None = None
    column: int | None = None


class Diagnostic:
    """One finding: a code, a message, a place; ``hint`` and ``stack`` (the Puppet calls) may help.

    The place is that of ``span``, the Puppet code. Findings in files without a span (data files,
    Ruby) set ``file``, ``line`` and ``column`` instead. ``cause`` is the code to show where the place
    only names a declaration: the mistake within its defined type, otherwise the line itself.

    >>> finding = Diagnostic("HIERA_BAD_DATA", "invalid YAML", file="common.yaml", line=3)
    >>> finding.file, finding.line, finding.column
    ('common.yaml', 3, None)
    """

    __slots__ = ("_place", "cause", "code", "hint", "message", "severity", "span", "stack")

    def __init__(
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
        cause: Span | None = None,
    ) -> None:
        self.code = code
        self.message = message
        self.span = span
        self.severity = severity
        self.hint = hint
        self.stack = [] if stack is None else stack
        self.cause = cause
        self._place = Place(file, line, column)

    def place(self) -> tuple[str | None, int | None, int | None]:
        """Return file, line and column (from 1); None for what is not known."""
        if self.span is not None:
            line, column = self.span.position
            return self.span.source.path or None, line, column
        return self._place.file, self._place.line, self._place.column

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
        """The stable issue code, Puppet's own where one exists."""
        return self.diagnostic.code

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

    >>> issue = Issue("DIV_BY_ZERO", "Division by {what}", hint="check the divisor")
    >>> str(issue(what="0"))
    'Division by 0'
    """

    code: str
    text: str
    hint: str | None = None

    def diagnostic(
        self, span: Span | None = None, severity: Severity = "error", **arguments: object
    ) -> Diagnostic:
        """The finding that this issue is, at a place, with its text filled in."""
        hint = self.hint.format(**arguments) if self.hint else None
        return Diagnostic(self.code, self.text.format(**arguments), span, severity, hint)

    def __call__(self, span: Span | None = None, **arguments: object) -> PuppetError:
        """The error; ``span`` is left out where the runtime finds the place from the frame."""
        hint = self.hint.format(**arguments) if self.hint else None
        diagnostic = Diagnostic(self.code, self.text.format(**arguments), span, hint=hint)
        return PuppetError(diagnostic, phase="parse" if span else "evaluate")
