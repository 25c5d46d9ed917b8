"""The one exception that Puppet code can cause, and the printed report of it.

```
PuppetError      anything wrong in Puppet code, data or the request; has a stable code
```
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bunraku.base.lazy_typing import Any, Literal
from bunraku.base.records import field, record, replace
from bunraku.base.source import NOWHERE, Place, Span

GENERAL_CODE = "RUNTIME_ERROR"
"""Puppet's code for all errors without a code."""

Severity = Literal["error", "warning", "deprecation", "ignore"]
Plain = str | int | float | None
"""The value of an argument of a message, which can leave the process; others become their text."""


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

    ``puppet_code`` is Puppet's code where it differs from ours. ``reported`` is the place that
    Puppet reports where it is not the innermost: for an error in a defined type, its declaration.

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
    puppet_code: str | None = None
    reported: Place | None = None
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
    def puppet_place(self) -> Place:
        """The place that Puppet reports."""
        return self.place if self.reported is None else self.reported

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
        self.part: str | None = None
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

    def in_part(self, part: str, *culprit: object) -> PuppetError:
        """Return the same error for a part of the expression that raised it.

        The part is ``left``, ``right``, ``type`` (of ``Type['title']``), ``key``, ``key 1`` (the second),
        ``parameter 0`` (of a call's lambda), or the ``caller`` of the code that found the error. With
        ``key`` goes the value of the key, where there may be several.
        """
        self.part = part
        self.culprit = culprit
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
    def puppet_code(self) -> str:
        """The issue code that Puppet gives, often the general ``RUNTIME_ERROR``."""
        return self.diagnostic.puppet_code or self.diagnostic.code

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
        self,
        place: Place = NOWHERE,
        /,
        severity: Severity = "error",
        **arguments: object,
    ) -> Diagnostic:
        """Return the finding of this issue at a place, with its text filled in."""
        return Diagnostic(
            self.code,
            self.text.format(**arguments),
            place,
            severity,
            self.hint.format(**arguments) if self.hint else None,
            puppet_code=self.puppet,
            arguments={name: plain(value) for name, value in arguments.items()},
        )

    def __call__(self, **arguments: object) -> PuppetError:
        """Return the error, with its text filled in; the runtime finds its place from the frame."""
        return PuppetError(self.diagnostic(NOWHERE, "error", **arguments))


def plain(value: object) -> Plain:
    """Return the stored form of an argument of a message."""
    return value if isinstance(value, str | int | float | None) else str(value)
