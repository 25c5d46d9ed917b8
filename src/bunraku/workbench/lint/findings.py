"""What the checks of a lint find in a manifest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator

from bunraku.base.errors import Diagnostic, Severity
from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.workbench.control_comments import ControlComments
from bunraku.workbench.lint.declaration import Problem


@record(frozen=True)
class Finding:
    """A problem with its check; ``reason`` is that of a control comment that suppresses it."""

    check: str
    severity: Severity
    problem: Problem
    reason: str | None = None


@record()
class Outcome:
    """The findings of a manifest; ``fixed`` is its text after the edits, None without any.

    ``corrected`` are the findings whose edits are in ``fixed``.
    """

    source: Source
    findings: list[Finding] = field(default_factory=list)
    comments: ControlComments = field(default_factory=ControlComments)
    corrected: list[Finding] = field(default_factory=list)
    fixed: str | None = None
    errors: list[Diagnostic] = field(default_factory=list)

    def diagnostics(self, *, ignored: bool = False) -> Iterator[Diagnostic]:
        """Yield the findings that remain, by their place; ``ignored`` adds the suppressed ones."""
        yield from self.errors
        for one in sorted(self.findings, key=lambda item: item.problem.start):
            if self.remains(one) or (ignored and one.reason is not None):
                yield as_diagnostic(self.source, one)

    def remains(self, finding: Finding) -> bool:
        """Return whether a finding is neither suppressed nor corrected."""
        return finding.reason is None and finding not in self.corrected

    def continue_with(self, later: Outcome) -> None:
        """Add what a pass over the corrected text corrected.

        Of each check, as many findings remain as that pass leaves: first those without a correction.
        """
        self.fixed = later.fixed
        left = Counter(one.check for one in later.findings if later.remains(one))
        for one in sorted(self.findings, key=lambda item: bool(item.problem.edits)):
            if not self.remains(one):
                continue
            if left[one.check]:
                left[one.check] -= 1
            else:
                self.corrected.append(one)

    def fails(self, severities: Container[str]) -> bool:
        """Return whether a syntax error or a finding of some severities remains."""
        found = (one for one in self.findings if one.severity in severities)
        return bool(self.errors) or any(map(self.remains, found))


def as_diagnostic(source: Source, finding: Finding) -> Diagnostic:
    """Return a finding in the form that all tools share."""
    problem = finding.problem
    place = source.span(problem.start, max(problem.end, problem.start)).place
    if finding.reason is not None:
        return Diagnostic(finding.check, problem.message, place, "ignore", finding.reason or None)
    return Diagnostic(finding.check, problem.message, place, finding.severity)
