"""A debugger that a test drives: it notes where code stops and goes on as a script says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.request import Request
from bunraku.workbench.debugging.breakpoints import LineBreakpoint, NameBreakpoint
from bunraku.workbench.debugging.debugger import Debugger, Stop
from bunraku.workbench.debugging.plans import plan_of


def parse(source: Source) -> Any:
    """Parse a source of the current language."""
    return dialect_named(None, "puppet").parse(source)


class DrivenDebugger:
    """Compiles a file; ``act`` is called at each stop and returns how to go on, ``continue`` by default."""

    def __init__(self, path: Any, **fields: Any) -> None:
        self.path = str(path)
        self.request = Request(path=self.path, node="a.example.com", **fields)
        self.debugger = Debugger(self)
        self.act: Callable[[Stop], str | None] = lambda _stop: None
        self.stops: list[Stop] = []
        self.places: list[tuple[str, int]] = []
        self.printed: list[str] = []
        self.messages: list[str] = []
        self.error: PuppetError | None = None

    def stopped(self, stop: Stop) -> Any:
        """Note a stop, and ask the test."""
        self.stops.append(stop)
        first = stop.frames[0] if stop.frames else None
        self.places.append(("", 0) if first is None else (first.name, first.span.line))
        return self.act(stop) or "continue"

    def log(self, entry: Any) -> None:
        """Note a message."""
        self.messages.append(entry.message)

    def output(self, text: str, _frame: Any) -> None:
        """Note the message of a log point."""
        self.printed.append(text)

    def loaded(self, _source: Source) -> None:
        """Ignore a file."""

    def break_at(self, line: int, path: Any = None, **conditions: Any) -> LineBreakpoint:
        """Set a breakpoint on a line of the file, or of another one."""
        path = str(path or self.path)
        made = LineBreakpoint(len(self.debugger.lines) + 1, **conditions, path=path, line=line)
        made.stops_on = plan_in(path).executable(line)
        self.debugger.set_breakpoints([*self.debugger.lines, made], None)
        return made

    def break_on(self, name: str, **conditions: Any) -> NameBreakpoint:
        """Set a breakpoint on a name."""
        made = NameBreakpoint(100 + len(self.debugger.names), **conditions, name=name)
        self.debugger.set_breakpoints(None, [*self.debugger.names, made])
        return made

    def run(self, *, stop_on_entry: bool = False) -> list[tuple[str, int]]:
        """Compile; return the places where code stopped, by the names of frames."""
        self.stops, self.places, self.error = [], [], None
        try:
            self.debugger.run(self.request, stop_on_entry=stop_on_entry)
        except PuppetError as error:
            self.error = error
        return self.places

    def steps(self, kind: str) -> list[int]:
        """Return the lines that one kind of steps visits."""
        self.act = lambda _stop: kind
        return [line for _name, line in self.run(stop_on_entry=True)]

    def value(self, stop: Stop, text: str, **more: Any) -> Any:
        """Return the value of an expression in the innermost frame of a stop."""
        return self.debugger.evaluated(text, stop.frames[0], stop.compilation, **more)


def plan_in(path: Any) -> Any:
    """Return the places of a file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return plan_of(Source(text, str(path), True, str(path).endswith(".epp")), parse)


def lines_with(text: str, mark: str) -> Iterator[int]:
    """Yield the numbers of the lines with a mark."""
    for number, line in enumerate(text.splitlines(), 1):
        if mark in line:
            yield number
