"""What the probes of one file read: numbers that are absent ask the debugger."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from bunraku.base.source import Source
from bunraku.workbench.debugging.breakpoints import Breakpoint
from bunraku.workbench.debugging.plans import FilePlan, Parse, StopPlace, plan_of


class Stops(dict[int, bool]):
    """The probes of a file that need not ask, each with False; the code reads ``stops[number]``.

    ``armed`` has the breakpoints of probes. A file without breakpoints costs a look into a dictionary for
    each statement, and asks once for each.
    """

    def __init__(self, source: Source, parse: Parse, reached: Callable[[Stops, int], bool]) -> None:
        super().__init__()
        self.source = source
        self.parse = parse
        self.reached = reached
        self.armed: dict[int, list[Breakpoint]] = {}

    def __missing__(self, number: int) -> bool:
        if not self.reached(self, number):
            self[number] = False
        return False

    @cached_property
    def plan(self) -> FilePlan:
        """The places of the file, which are read when they are needed."""
        return plan_of(self.source, self.parse)

    def place(self, number: int) -> StopPlace:
        """Return the place of a probe."""
        return self.plan.places[number]

    def arm(self, number: int, breakpoint_: Breakpoint) -> None:
        """Let a probe ask because of a breakpoint."""
        self.armed.setdefault(number, []).append(breakpoint_)

    def ask_again(self) -> None:
        """Let all probes ask."""
        self.clear()
