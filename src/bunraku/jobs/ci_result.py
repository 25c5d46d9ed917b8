"""The result of ``bunraku ci``: findings in files, and what a change does to nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bunraku.base.errors import Diagnostic, in_order
from bunraku.base.records import field, record, replace
from bunraku.jobs.ci_agreement import Agreement
from bunraku.jobs.comparison import Comparison, NodeComparison
from bunraku.workbench.ci.issues import SECRET_EXPOSED


@record(frozen=True)
class Failure:
    """A node without a catalog.

    ``before`` is whether it had none before the change, either. ``lacks`` says what this machine lacks, such
    as a module or a key, if that is the reason and not the code.
    """

    node: str
    finding: Diagnostic
    before: bool
    lacks: str = ""


@record(frozen=True)
class CiResult:
    """What was found. ``old`` and ``new`` name the states of the repository.

    ``findings`` are those in files that only the new state has; ``unchanged`` are those of both states,
    and ``gone`` those that only the old one has. ``comparison`` is None if no nodes are known.
    ``unknown`` has a sentence for each thing that could not be checked, with what to do about it;
    ``notes`` say what else matters. ``against`` is the comparison with an installed Puppet.
    ``fail_on_warnings`` and ``fail_on_changes`` are whether new warnings and changed catalogs are faults.
    """

    old: str
    new: str
    files: int
    findings: Sequence[Diagnostic]
    unchanged: Sequence[Diagnostic] = ()
    gone: Sequence[Diagnostic] = ()
    comparison: Comparison | None = None
    failures: Sequence[Failure] = ()
    unknown: Sequence[str] = ()
    notes: Sequence[str] = field(default_factory=list)
    against: Agreement | None = None
    fail_on_warnings: bool = False
    fail_on_changes: bool = False

    @property
    def errors(self) -> int:
        """The number of new errors in files."""
        return sum(one.severity == "error" for one in self.findings)

    @property
    def warnings(self) -> int:
        """The number of new warnings in files."""
        return len(self.findings) - self.errors

    @property
    def nodes(self) -> Sequence[NodeComparison]:
        """The comparisons of all nodes."""
        return self.comparison.nodes if self.comparison else ()

    @property
    def broken(self) -> list[Failure]:
        """The nodes that have no catalog because of the change."""
        return [one for one in self.failures if not one.before and not one.lacks]

    @property
    def failed_before(self) -> list[Failure]:
        """The nodes that have no catalog because of code that the change did not touch."""
        return [one for one in self.failures if one.before and not one.lacks]

    @property
    def unchecked(self) -> list[Failure]:
        """The nodes that this machine cannot compile; if no node has a catalog in any state, all of them."""
        if len(self.failures) == len(self.nodes) and not self.broken:
            return list(self.failures)
        return [one for one in self.failures if one.lacks]

    @property
    def changed(self) -> list[NodeComparison]:
        """The nodes whose catalogs differ."""
        return [one for one in self.nodes if one.status == "differs"]

    @property
    def repaired(self) -> list[str]:
        """The nodes that have a catalog only since the change."""
        failing = {one.node for one in self.failures}
        return [
            one.node for one in self.nodes if one.status == "failed" and one.node not in failing
        ]

    @property
    def is_complete(self) -> bool:
        """Whether all was checked: no node and no other part is unknown."""
        return not self.unchecked and not self.unknown

    @property
    def failed(self) -> bool:
        """Whether the change has a fault. What could not be checked is not a fault."""
        return bool(
            self.errors
            or self.broken
            or (self.against is not None and self.against.disagreements)
            or (self.fail_on_warnings and self.warnings)
            or (self.fail_on_changes and (self.changed or self.repaired))
        )

    @property
    def passed(self) -> bool:
        """Whether all was checked and the change has no fault."""
        return self.is_complete and not self.failed

    def reasons(self) -> Iterator[str]:
        """Yield what speaks against the change, each with its number.

        >>> list(CiResult("a", "b", 3, [Diagnostic("X", "wrong")]).reasons())
        ['1 error']
        """
        for count, noun in (
            (self.errors, "error"),
            (self.warnings, "new warning"),
            (len(self.broken), "broken node"),
            (len(self.changed), "changed node"),
            (self.against.disagreements if self.against else 0, "disagreement"),
        ):
            if count:
                yield f"{count} {noun}{'s' * (count != 1)}"

    def diagnostics(self) -> list[Diagnostic]:
        """Return all findings in order, those of broken nodes with the names of the nodes.

        Secrets that became public come first. An error that several nodes have in one place is one finding, also if a file has it, too.
        """
        of_nodes = list(map(as_one, by_reason(self.broken)))
        places = {line_of(one) for one in of_nodes}
        of_files = [
            one for one in self.findings if one.severity != "error" or line_of(one) not in places
        ]
        found = in_order([*of_files, *of_nodes])
        return sorted(found, key=lambda one: one.code != SECRET_EXPOSED.code)


def by_reason(failures: Sequence[Failure]) -> list[list[Failure]]:
    """Return failures in groups: nodes that fail for one reason in one place together."""
    found: dict[tuple[object, ...], list[Failure]] = {}
    for one in failures:
        finding = one.finding
        message = "" if finding.line else finding.message.replace(one.node, "")
        found.setdefault((finding.code, message, finding.file, finding.line), []).append(one)
    return list(found.values())


def line_of(finding: Diagnostic) -> tuple[str | None, int | None]:
    """Return the line of a finding; a compile and an analysis may name other columns and codes.

    A finding without a line, and one without a file, has a line of its own.
    """
    file, line, _ = finding.place.where
    return (file, line) if file and line else (finding.message, None)


def as_one(failures: Sequence[Failure]) -> Diagnostic:
    """Return the finding of nodes that fail for one reason; its hint names them."""
    return with_nodes(failures[0].finding, [one.node for one in failures], "breaks")


def with_nodes(finding: Diagnostic, nodes: Sequence[str], verb: str) -> Diagnostic:
    """Return a finding whose hint names the nodes that have it."""
    several = f"{len(nodes)} nodes: " if len(nodes) > 1 else ""
    parts = [*([finding.hint] if finding.hint else []), f"{verb} {several}{names(nodes)}"]
    return replace(finding, hint="; ".join(parts))


MOST_NAMES = 5


def names(nodes: Sequence[str]) -> str:
    """Return the first names of nodes, and how many there are more.

    >>> names(["a", "b"]), names(list("abcdefg"))
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    more = len(nodes) - MOST_NAMES
    return ", ".join(nodes[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
