"""The coverage of files: their lines, branches and definitions, and which runs reached them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from bunraku.base.excerpt import visible
from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.compiler.probes import Branch, Decision, Extent, Item, Plan
from bunraku.workbench.coverage.data import Runs

KINDS = {
    "class": ("class", "classes"),
    "define": ("defined type", "defined types"),
    "function": ("function", "functions"),
    "node": ("node definition", "node definitions"),
    "plan": ("plan", "plans"),
    "template": ("template", "templates"),
    "resource": ("resource", "resources"),
}
"""Kinds of items, in the order of reports, with the words for one and for several."""


@record(frozen=True)
class Totals:
    """Numbers of lines and branches, and of those that no run reached."""

    lines: int = 0
    missed_lines: int = 0
    branches: int = 0
    missed_branches: int = 0

    @property
    def percent(self) -> float:
        """The part of lines and branches that ran, in percent; 100 where there are none."""
        whole = self.lines + self.branches
        ran = whole - self.missed_lines - self.missed_branches
        return 100.0 * ran / whole if whole else 100.0

    @property
    def shown_percent(self) -> int:
        """The percentage as a whole number: 0 and 100 only where they are exact.

        >>> Totals(1000, 1).shown_percent, Totals(1000, 999).shown_percent
        (99, 1)
        """
        if 0 < self.percent < 100:
            return min(max(round(self.percent), 1), 99)
        return round(self.percent)

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.lines + other.lines,
            self.missed_lines + other.missed_lines,
            self.branches + other.branches,
            self.missed_branches + other.missed_branches,
        )


@record(frozen=True)
class BranchResult:
    """A branch of a decision, and whether a run took it."""

    decision: Decision
    branch: Branch
    ran: bool


@record(frozen=True, slots=False, eq=False)
class FileCoverage:
    """The coverage of a file; ``ignored`` are lines that do not count."""

    path: str
    source: Source = field(shown=False)
    plan: Plan = field(shown=False)
    runs: Runs = field(default_factory=dict, shown=False)
    ignored: frozenset[int] = frozenset()

    @cached_property
    def ran(self) -> frozenset[int]:
        """The probes that ran."""
        return frozenset(self.reached)

    @cached_property
    def lines(self) -> dict[int, bool]:
        """The executable lines, each with whether it ran."""
        return {
            line: not self.ran.isdisjoint(probes)
            for line, probes in self.plan.lines.items()
            if line not in self.ignored
        }

    @cached_property
    def missed_lines(self) -> list[int]:
        """The executable lines that no run reached."""
        return [line for line, ran in self.lines.items() if not ran]

    @cached_property
    def branches(self) -> list[BranchResult]:
        """The branches of all decisions."""
        return [
            BranchResult(decision, branch, branch.probe in self.ran)
            for decision in self.plan.decisions
            if decision.line not in self.ignored
            for branch in decision.branches
        ]

    @cached_property
    def missed_branches(self) -> list[BranchResult]:
        """The branches that no run took."""
        return [one for one in self.branches if not one.ran]

    @cached_property
    def items(self) -> list[tuple[Item, bool]]:
        """The definitions and resources, each with whether it ran."""
        return [
            (item, item.probe in self.ran)
            for item in self.plan.items
            if item.line not in self.ignored
        ]

    @property
    def totals(self) -> Totals:
        """The numbers of the file."""
        return Totals(
            len(self.lines),
            len(self.missed_lines),
            len(self.branches),
            len(self.missed_branches),
        )

    def partial_lines(self) -> dict[int, list[BranchResult]]:
        """Return the lines that ran of which a branch was not taken, with these branches."""
        found: dict[int, list[BranchResult]] = {}
        for one in self.missed_branches:
            if self.lines.get(one.decision.line, False):
                found.setdefault(one.decision.line, []).append(one)
        return found

    def extent_at(self, line: int) -> Extent | None:
        """Return the innermost statement or branch that a line belongs to."""
        around = [one for one in self.plan.extents if one.first <= line <= one.last]
        return min(around, key=lambda one: (one.last - one.first, -one.probe), default=None)

    def runs_of_line(self, line: int) -> list[str] | None:
        """Return the names of the runs that reached a line, sorted; None if no code is there."""
        probes = self.plan.lines.get(line)
        if probes is None:
            extent = self.extent_at(line)
            if extent is None:
                return None
            probes = self.plan.lines.get(extent.first, [extent.probe])
        return self.runs_of(probes)

    def runs_of(self, probes: Iterable[int]) -> list[str]:
        """Return the names of the runs in which one of some probes ran, sorted."""
        return sorted(set().union(*(self.reached.get(probe, ()) for probe in probes)))

    @cached_property
    def reached(self) -> dict[int, set[str]]:
        """The names of the runs in which each probe ran."""
        found: dict[int, set[str]] = {}
        for probes, names in self.runs.items():
            for probe in probes:
                found.setdefault(probe, set()).update(names)
        return found


@record(frozen=True)
class Coverage:
    """The coverage of a project.

    ``changed`` are files whose records are of another content, so they were not used;
    ``unreadable`` are files that do not parse, each with the reason.
    """

    files: Sequence[FileCoverage]
    runs: Sequence[str]
    changed: Sequence[str] = ()
    unreadable: Sequence[tuple[str, str]] = ()

    @property
    def totals(self) -> Totals:
        """The numbers of all files."""
        return sum((one.totals for one in self.files), Totals())

    def shortfalls(self, whole: float | None, each: float | None) -> list[str]:
        """Return what is below the percentages that the project and each file must reach."""
        low = []
        if whole is not None and self.totals.percent < whole:
            low.append(f"the coverage of {self.totals.percent:.2f} % is lower than {whole:g} %")
        for one in self.files:
            if each is not None and one.totals.percent < each:
                percent = f"{one.totals.percent:.2f} %"
                low.append(
                    f"{visible(one.path)}: the coverage of {percent} is lower than {each:g} %"
                )
        return low

    def items(self) -> dict[str, tuple[int, int]]:
        """Return for each kind of definition how many ran, and how many there are."""
        ran: Counter[str] = Counter()
        whole: Counter[str] = Counter()
        for file in self.files:
            for item, reached in file.items:
                whole[item.kind] += 1
                ran[item.kind] += reached
        return {kind: (ran[kind], whole[kind]) for kind in KINDS if whole[kind]}


def ranges(numbers: Iterable[int], all_numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return ranges of lines; lines between two of them that do not count do not divide a range.

    >>> ranges([1, 3, 8], [1, 3, 5, 8])
    [(1, 3), (8, 8)]
    """
    wanted = set(numbers)
    found: list[tuple[int, int]] = []
    inside = False
    for number in sorted(all_numbers):
        if number in wanted:
            found = [*found[:-1], (found[-1][0], number)] if inside else [*found, (number, number)]
        inside = number in wanted
    return found
