"""The answer to a question about a catalog: true, or false with an explanation."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.catalog.resource import Resource

Explanation = Callable[[], str]


class Match:
    """The answer to a question; it is true or false as a condition.

    ``summary`` is one line. ``explanation`` says why the answer is false; it is made when it is read.
    ``resource`` is the resource that the question is about, None if it is not in the catalog.
    ``used`` is whether a test read the answer: one that nobody reads is a mistake of the test.
    """

    def __init__(self, resource: Resource | None, subject: str) -> None:
        self.resource = resource
        self.subject = subject
        self.used = False
        self.shown = False
        self._problems: list[tuple[str, Explanation]] = []

    def add(self, summary: str, explanation: Explanation) -> Match:
        """Add a reason for which the answer is false."""
        self._problems.append((summary, explanation))
        return self

    def __bool__(self) -> bool:
        self.used = True
        return not self._problems

    def __repr__(self) -> str:
        self.shown = True
        return self.summary

    @property
    def summary(self) -> str:
        """One line: the first reason, or that the answer is true."""
        return self._problems[0][0] if self._problems else f"{self.subject} as expected"

    @property
    def explanation(self) -> str:
        """The reasons for which the answer is false, with what helps to mend them; empty if it is true."""
        self.used = True
        parts = ["\n".join(filter(None, (text, why()))) for text, why in self._problems]
        return "\n".join(parts)
