"""The results of many nodes, as ``bunraku compile --nodes`` prints them."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.excerpt import visible
from bunraku.base.records import replace
from bunraku.base.usage import UsageError
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.findings import text_report
from bunraku.cli.report.log import Printer
from bunraku.cli.report.observer import TerminalObserver
from bunraku.engine.nodes import Outcome
from bunraku.jobs.compile_nodes import NodesOptions
from bunraku.jobs.nodes_summary import WORDS, counts, failure_groups, outcome_word, without_name
from bunraku.runtime.log import LogEntry


def check_saved(options: NodesOptions, outcomes: Sequence[Outcome]) -> None:
    """Raise UsageError unless all catalogs were written, or removed after a failure."""
    reasons: dict[str, list[str]] = {}
    for one in outcomes:
        if one.unsaved is not None:
            reasons.setdefault(one.unsaved, []).append(one.node)
    if not reasons:
        return
    problems = []
    for reason, nodes in reasons.items():
        what = options.file_of(nodes[0])
        if len(nodes) > 1:
            what = f"the catalogs of {names_of(nodes)} to {options.output_folder}"
        problems.append(f"cannot write {what}: {reason}")
    raise UsageError("; ".join(problems), "compile")


class NodeReport:
    """Prints the results of nodes in the order of their names, as soon as possible.

    A line for each node goes to standard output. Warnings and errors that several nodes have in
    common are printed once at the end.
    """

    def __init__(self, nodes: Sequence[str], printer: Printer, *, table: bool) -> None:
        self.nodes = nodes
        self.printer = printer
        self.paint = printer.paint
        self.table = table
        self.known: dict[str, Outcome] = {}
        self.printed = 0
        self.width = max(map(len, ("node", *nodes)))

    def add(self, outcome: Outcome) -> bool:
        """Take in an outcome; return whether something can be printed."""
        self.known[outcome.node] = outcome
        return self.printed < len(self.nodes) and self.nodes[self.printed] in self.known

    def release(self) -> None:
        """Print the nodes that are next."""
        while self.printed < len(self.nodes) and self.nodes[self.printed] in self.known:
            outcome = self.known[self.nodes[self.printed]]
            for entry in outcome.log:
                if entry.level not in GROUPED:
                    self.printer(replace(entry, message=f"{outcome.node}: {entry.message}"))
            if self.table:
                if not self.printed:
                    write(self.paint("bold", self.heading()) + "\n")
                write(self.line(outcome) + "\n")
            self.printed += 1

    def heading(self) -> str:
        """Return the first line of the table."""
        return f"{'node':<{self.width}}   outcome   resources  seconds"

    def line(self, outcome: Outcome) -> str:
        """Return the line of a node.

        >>> from bunraku.cli.output.output import Paint
        >>> printer = Printer("notice", Paint(enabled=False))
        >>> report = NodeReport(["web1"], printer, table=True)
        >>> report.line(Outcome("web1", "{}", resources=7, seconds=0.25))
        'web1   compiled          7     0.25'
        """
        name = f"{visible(outcome.node):<{self.width}}"
        if outcome_word(outcome) == "unsaved":
            return f"{name}   {self.paint('red', 'unsaved')}   [{outcome.unsaved}]"
        if outcome.ok:
            word = f"{outcome_word(outcome):<9}"
            return f"{name}   {word} {outcome.resources:>9}  {outcome.seconds:>7.2f}"
        return f"{name}   {self.paint('red', 'failed')}    [{outcome.findings[0].code}]"

    def finish(self, outcomes: Sequence[Outcome]) -> None:
        """Print the findings that nodes have in common, and the totals."""
        for entry, nodes in warning_groups(outcomes):
            self.printer(replace(entry, message=f"{names_of(nodes)}: {entry.message}"))
        for group in failure_groups(outcomes):
            names = names_of([one.node for one in group])
            text = text_report(group[0].findings, self.paint)
            write_error(f"{self.paint('bold', visible(names))}: {text}")
        if self.table:
            count = counts(outcomes)
            write(", ".join([f"{count[word]} {word}" for word in WORDS if word in count]) + "\n")

    def interrupted(self) -> None:
        """Print the results of the nodes that are done."""
        for node in self.nodes[self.printed :]:
            if self.table and node in self.known:
                write(self.line(self.known[node]) + "\n")
        self.finish([self.known[node] for node in self.nodes if node in self.known])
        write_error(f"interrupted: {len(self.known)} of {len(self.nodes)} nodes are done\n")


class NodesObserver(TerminalObserver):
    """Prints the progress of many nodes, and the result of each."""

    def __init__(self, printer: Printer, *, table: bool) -> None:
        super().__init__(printer)
        self.table = table
        self.report = NodeReport((), printer, table=table)

    def nodes(self, names: Sequence[str]) -> None:
        """Take the names of the nodes, before they are compiled."""
        self.report = NodeReport(names, self.printer, table=self.table)

    def done(self, outcome: Outcome) -> None:
        """Print the results that are next."""
        super().done(outcome)
        if self.report.add(outcome):
            self.progress.clear()
            self.report.release()
            self.progress.show()

    def interrupted(self) -> None:
        """Print the results of the nodes that are done."""
        self.report.interrupted()

    def finish(self, outcomes: Sequence[Outcome]) -> None:
        """Print what the nodes have in common."""
        self.report.finish(outcomes)


GROUPED = frozenset({"warning", "err", "alert", "emerg", "crit"})
"""Levels of messages that are printed once for all nodes that have them."""
MOST_NAMES = 5


def names_of(nodes: Sequence[str]) -> str:
    """Return the names of nodes, of many the number and the first ones.

    >>> names_of(["web1"]), names_of(["a", "b"])
    ('web1', '2 nodes (a, b)')
    """
    if len(nodes) == 1:
        return nodes[0]
    more = len(nodes) - MOST_NAMES
    rest = f" and {more} more" if more > 0 else ""
    return f"{len(nodes)} nodes ({', '.join(nodes[:MOST_NAMES])}{rest})"


def warning_groups(outcomes: Sequence[Outcome]) -> list[tuple[LogEntry, list[str]]]:
    """Return the warnings of all nodes, each once with the nodes that have it."""
    found: dict[tuple[object, ...], tuple[LogEntry, list[str]]] = {}
    for one in outcomes:
        for entry in one.log:
            if entry.level in GROUPED:
                message = without_name(entry.message, one.node)
                key = (entry.level, message, entry.scope, entry.file, entry.line, entry.column)
                nodes = found.setdefault(key, (entry, []))[1]
                if one.node not in nodes:
                    nodes.append(one.node)
    return list(found.values())
