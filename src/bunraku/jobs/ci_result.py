"""The result of ``bunraku ci``: findings in files, and what a change does to nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.records import field, record, replace
from bunraku.jobs.ci_agreement import Agreement
from bunraku.jobs.comparison import Comparison, NodeComparison

NOT_OF_CODE = frozenset(
    ["HIERA_NO_CRYPTOGRAPHY", "RUBY_MISSING", "TIMEOUT", "OUT_OF_MEMORY", "WORKER_ENDED"]
)
"""Codes of errors that come from this machine or its limits, not from the code of the repository."""


@record(frozen=True)
class Failure:
    """A node without a catalog; ``before`` is whether it had none before the change, either."""

    node: str
    finding: Diagnostic
    before: bool


@record(frozen=True)
class CiResult:
    """What was found. ``old`` and ``new`` name the states of the repository.

    ``findings`` count against the change: errors, and warnings on lines that it touches. ``older`` is
    the number of other warnings. ``comparison`` is None if no nodes are known; ``notes`` say why, and
    what else was not looked at. ``against`` is the comparison with an installed Puppet.
    """

    old: str
    new: str
    files: int
    findings: Sequence[Diagnostic]
    older: int = 0
    comparison: Comparison | None = None
    failures: Sequence[Failure] = ()
    notes: Sequence[str] = field(default_factory=list)
    against: Agreement | None = None

    @property
    def errors(self) -> int:
        """The number of errors in files."""
        return sum(one.severity == "error" for one in self.findings)

    @property
    def warnings(self) -> int:
        """The number of warnings on lines that the change touches."""
        return len(self.findings) - self.errors

    @property
    def broken(self) -> list[Failure]:
        """The nodes that have no catalog because of the change."""
        return [one for one in self.failures if not one.before]

    @property
    def unchecked(self) -> list[Failure]:
        """The nodes that this machine could compile neither before nor after the change."""
        return [one for one in self.failures if one.before and one.finding.code in NOT_OF_CODE]

    @property
    def changed(self) -> list[NodeComparison]:
        """The nodes whose catalogs differ."""
        nodes = self.comparison.nodes if self.comparison else ()
        return [one for one in nodes if one.status == "differs"]

    @property
    def repaired(self) -> list[str]:
        """The nodes that have a catalog only since the change."""
        nodes = self.comparison.nodes if self.comparison else ()
        failing = {one.node for one in self.failures}
        return [one.node for one in nodes if one.status == "failed" and one.node not in failing]

    def fails(self, *, warnings: bool, changes: bool) -> bool:
        """Return whether the change must not be merged; warnings and changes count if asked for.

        Nodes that cannot be compiled here count: nothing is known about them.
        """
        return bool(
            self.errors
            or self.broken
            or self.unchecked
            or (self.against is not None and self.against.disagreements)
            or (warnings and self.warnings)
            or (changes and (self.changed or self.repaired))
        )

    def reasons(self) -> Iterator[str]:
        """Yield what speaks against the change, each with its number.

        >>> list(CiResult("a", "b", 3, [Diagnostic("X", "wrong")]).reasons())
        ['1 error']
        """
        for count, noun in (
            (self.errors, "error"),
            (self.warnings, "new warning"),
            (len(self.broken), "broken node"),
            (len(self.unchecked), "unchecked node"),
            (len(self.changed), "changed node"),
            (self.against.disagreements if self.against else 0, "disagreement"),
        ):
            if count:
                yield f"{count} {noun}{'s' * (count != 1)}"

    def diagnostics(self) -> list[Diagnostic]:
        """Return all findings, those of broken nodes with the names of the nodes.

        An error that several nodes have in one place is one finding, also if a file has it, too.
        """
        of_nodes = list(map(as_one, by_reason(self.broken)))
        of_files = list(self.findings)
        for one in of_nodes:
            same = next((found for found in of_files if key_of(found) == key_of(one)), None)
            if same is not None:
                of_files.remove(same)
        return [*of_files, *of_nodes]


def by_reason(failures: Sequence[Failure]) -> list[list[Failure]]:
    """Return failures in groups: nodes that fail for one reason in one place together."""
    found: dict[tuple[object, ...], list[Failure]] = {}
    for one in failures:
        message = one.finding.message.replace(one.node, "")
        key = (one.finding.code, message, *one.finding.place.where)
        found.setdefault(key, []).append(one)
    return list(found.values())


def key_of(finding: Diagnostic) -> tuple[str, str | None, int | None]:
    """Return the code and the line of a finding; a compile and an analysis may name other columns."""
    return (finding.code, *finding.place.where[:2])


def as_one(failures: Sequence[Failure]) -> Diagnostic:
    """Return the finding of nodes that fail for one reason; its hint names them."""
    finding = failures[0].finding
    nodes = names([one.node for one in failures])
    several = f"{len(failures)} nodes: " if len(failures) > 1 else ""
    parts = [*([finding.hint] if finding.hint else []), f"breaks {several}{nodes}"]
    return replace(finding, hint="; ".join(parts))


MOST_NAMES = 5


def names(nodes: Sequence[str]) -> str:
    """Return the first names of nodes, and how many there are more.

    >>> names(["a", "b"]), names(list("abcdefg"))
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    more = len(nodes) - MOST_NAMES
    return ", ".join(nodes[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
