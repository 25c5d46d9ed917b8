"""The answer to a question about a catalog: true, or false with an explanation."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.catalog.resource import Resource

Explanation = Callable[[], str]
Check = Callable[["Match", str, str], None]
"""Adds a reason to an answer if its resource has no such relationship with another one."""


def unrelated(match: Match, verb: str, reference: str) -> None:
    """Raise TypeError: an answer that is not about one resource has no relationships."""
    raise TypeError(f"{match.subject} is not one resource that {verb} {reference}")


class Match:
    """The answer to a question; it is true or false as a condition.

    ``summary`` is one line. ``explanation`` says why the answer is false; it is made when it is read.
    ``found`` is the resource that the question is about, None if it is not in the catalog; tests read
    it as ``resource``. ``present`` returns where that resource is declared. ``used`` is whether a test read the answer: one that is not read is a mistake of the test.
    """

    def __init__(
        self, resource: Resource | None, subject: str, check_related: Check | None = None
    ) -> None:
        self.found = resource
        self.subject = subject
        self.check_related = check_related or unrelated
        self.present: Explanation = str
        self.used = False
        self.shown = False
        self._problems: list[tuple[str, Explanation]] = []

    @property
    def resource(self) -> Resource | None:
        """The resource that the question is about, for a test that looks at it itself."""
        self.used = True
        return self.found

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
        return self._problems[0][0] if self._problems else f"{self.subject} is as expected"

    @property
    def explanation(self) -> str:
        """The reasons for which the answer is false, with what helps to correct them; empty if it is true."""
        self.used = True
        parts = ["\n".join(filter(None, (text, why()))) for text, why in self._problems]
        return "\n".join(parts)

    @property
    def negated(self) -> str:
        """The explanation of a true answer, for a test that expects a false one."""
        self.used = True
        return "\n".join(filter(None, (self.summary, self.present())))

    # -- relationships ---------------------------------------------------------------------------

    def that_requires(self, *references: str) -> Match:
        """Check that each of these is applied before the resource, by whatever relationships."""
        return self.related(references, "requires")

    def that_comes_before(self, *references: str) -> Match:
        """Check that the resource is applied before each of these, by whatever relationships."""
        return self.related(references, "comes before")

    def that_notifies(self, *references: str) -> Match:
        """Check that changes of the resource refresh each of these."""
        return self.related(references, "notifies")

    def that_subscribes_to(self, *references: str) -> Match:
        """Check that changes of each of these refresh the resource."""
        return self.related(references, "subscribes to")

    def related(self, references: tuple[str, ...], verb: str) -> Match:
        """Check a relationship with each of some resources."""
        for reference in references:
            self.check_related(self, verb, reference)
        return self
