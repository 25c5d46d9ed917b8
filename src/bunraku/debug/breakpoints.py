"""Requests that set breakpoints: each answer says where it stops, or why it never does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from bunraku.base.file_reading import read_whole
from bunraku.base.source import Source
from bunraku.debug.records import ClientOptions, Json, RequestFailed, Sources
from bunraku.dialects.dialect import Dialect
from bunraku.workbench.debugging.breakpoints import (
    LEVELS,
    Breakpoint,
    LineBreakpoint,
    NameBreakpoint,
    hit_condition_problem,
)
from bunraku.workbench.debugging.debugger import Debugger
from bunraku.workbench.debugging.plans import FilePlan, plan_of

ENDINGS = (".pp", ".epp")
NOT_CODE = "not a manifest or an EPP template"
NO_CODE = "the file has no code that runs"


class Breakpoints:
    """The breakpoints of a session by file, by name and by variable."""

    def __init__(self, debugger: Debugger, sources: Sources, dialect: Dialect) -> None:
        self.debugger = debugger
        self.sources = sources
        self.dialect = dialect
        self.options = ClientOptions()
        self.numbers = count(1)
        self.by_path: dict[str, list[LineBreakpoint]] = {}
        self.functions: list[NameBreakpoint] = []
        self.data: list[NameBreakpoint] = []

    # -- lines -------------------------------------------------------------------------------------

    def set_lines(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``setBreakpoints``: the breakpoints replace those of the file."""
        path, source, problem = self.source_of(arguments.get("source") or {})
        asked = arguments.get("breakpoints")
        if asked is None:
            asked = [{"line": line} for line in arguments.get("lines") or ()]
        made = []
        for one in asked:
            line = self.options.our_line(int(one["line"]))
            column = one.get("column")
            found = LineBreakpoint(
                next(self.numbers),
                *conditions(one),
                path=path,
                line=line,
                column=None if column is None else self.options.our_column(int(column)),
            )
            made.append(found)
        self.place(made, source, problem)
        self.by_path[path] = made
        self.apply()
        return {"breakpoints": [self.shown_line(one) for one in made]}

    def place(
        self, made: Iterable[LineBreakpoint], source: Source | None, problem: str | None
    ) -> None:
        """Find the lines on which the breakpoints of a file stop; ``problem`` is why it can have none."""
        plan = None if source is None else self.plan(source)
        for one in made:
            one.stops_on = None if plan is None else plan.executable(one.line)
            found = NO_CODE if plan is not None and one.stops_on is None else problem
            one.problem = found or hit_condition_problem(one.hit_condition)

    def source_of(self, given: Mapping[str, Any]) -> tuple[str, Source | None, str | None]:
        """Return the path of a source, its text if it can have breakpoints, and the problem otherwise."""
        number = given.get("sourceReference")
        if number:
            name = self.sources.numbered(int(number))
            if name is None:
                return "", None, f"source {number} does not exist"
            return name, self.sources.known[name], None
        path = self.options.our_path(str(given.get("path") or ""))
        known = self.sources.at_path(path)
        if known is not None:
            return path, known, None
        if not path.endswith(ENDINGS):
            return path, None, NOT_CODE
        try:
            content = read_whole(path)
        except OSError as error:
            return path, None, f"cannot read {path}: {error.strerror or error}"
        text = content.decode("utf-8", "surrogateescape")
        return path, Source(text, path, True, path.endswith(".epp")), None

    def plan(self, source: Source) -> FilePlan:
        """Return the places of a file where code can stop."""
        return plan_of(source, self.dialect.parse)

    def shown_line(self, one: LineBreakpoint) -> Json:
        """Return a breakpoint on a line as DAP has it."""
        found = shown(one, is_verified=one.stops_on is not None and one.problem is None)
        if one.stops_on is not None:
            found["line"] = self.options.line(one.stops_on)
        return found

    def locations(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``breakpointLocations``: the places on some lines."""
        _path, source, _problem = self.source_of(arguments.get("source") or {})
        if source is None:
            return {"breakpoints": []}
        first = self.options.our_line(int(arguments["line"]))
        last = self.options.our_line(int(arguments.get("endLine") or arguments["line"]))
        found = []
        for line, places in self.plan(source).lines.items():
            for place in places:
                if first <= line <= last and place.line == line:
                    _, column = source.position(place.start)
                    found.append((line, column))
        return {
            "breakpoints": [
                {"line": self.options.line(line), "column": self.options.column(column)}
                for line, column in sorted(set(found))
            ]
        }

    # -- names -------------------------------------------------------------------------------------

    def set_functions(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``setFunctionBreakpoints``: on classes, functions, templates, resources and variables."""
        self.functions = [
            NameBreakpoint(next(self.numbers), *conditions(one), name=str(one["name"]).strip())
            for one in arguments.get("breakpoints") or ()
        ]
        return self.named(self.functions)

    def set_data(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``setDataBreakpoints``: on variables of classes, defined types and functions."""
        self.data = [
            NameBreakpoint(next(self.numbers), *conditions(one), name=str(one["dataId"]))
            for one in arguments.get("breakpoints") or ()
        ]
        return self.named(self.data)

    def named(self, made: Sequence[NameBreakpoint]) -> Json:
        """Apply breakpoints on names, and return them as DAP has them."""
        for one in made:
            one.problem = name_problem(one) or hit_condition_problem(one.hit_condition)
        self.apply()
        return {"breakpoints": [shown(one, is_verified=one.problem is None) for one in made]}

    def set_exceptions(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``setExceptionBreakpoints``."""
        chosen = [{"filterId": name} for name in arguments.get("filters") or ()]
        chosen += arguments.get("filterOptions") or ()
        made = {}
        for one in chosen:
            name = str(one["filterId"])
            if name not in LEVELS:
                raise RequestFailed(f"unknown filter {name!r}; there are {', '.join(LEVELS)}")
            made[name] = Breakpoint(next(self.numbers), one.get("condition") or None)
        self.debugger.levels = made
        return {"breakpoints": [shown(one, is_verified=True) for one in made.values()]}

    # -- all ---------------------------------------------------------------------------------------

    def apply(self) -> None:
        """Give the debugger all breakpoints that can stop."""
        lines = [one for made in self.by_path.values() for one in made if one.problem is None]
        names = [one for one in (*self.functions, *self.data) if one.problem is None]
        self.debugger.set_breakpoints(lines, names)

    def use_dialect(self, dialect: Dialect) -> Iterable[LineBreakpoint]:
        """Read files in another version of the language; yield the breakpoints that this changes."""
        if dialect is self.dialect:
            return
        self.dialect = dialect
        yield from self.place_again()

    def begin_run(self) -> Iterable[LineBreakpoint]:
        """Count hits from the beginning, and read files again; yield the breakpoints that this changes."""
        for one in (*self.functions, *self.data, *self.debugger.levels.values()):
            one.hits = 0
        for made in self.by_path.values():
            for line in made:
                line.hits = 0
                line.announced = False
        yield from list(self.place_again())
        self.apply()

    def place_again(self) -> Iterable[LineBreakpoint]:
        """Find the lines on which breakpoints in files stop; yield those for which it is another one."""
        for path, made in self.by_path.items():
            if path.startswith("<"):  # code without a file does not change
                continue
            _path, source, problem = self.source_of({"path": path})
            before = [one.stops_on for one in made]
            self.place(made, source, problem)
            yield from (one for one, line in zip(made, before, strict=True) if one.stops_on != line)


def conditions(given: Mapping[str, Any]) -> tuple[str | None, str | None, str | None]:
    """Return the condition, the hit condition and the log message of a breakpoint; None where it has none."""
    condition, hits = given.get("condition"), given.get("hitCondition")
    return condition or None, hits or None, given.get("logMessage") or None


def name_problem(one: NameBreakpoint) -> str | None:
    """Return why a breakpoint on a name can never stop."""
    if one.kind == "variable" and not one.definition:
        return "expected a variable of a class, a defined type or a function, such as $ntp::servers"
    if not one.definition:
        return "expected a name such as ntp::config, File[/etc/ntp.conf] or ntp/ntp.conf.epp"
    return None


def shown(one: Breakpoint, *, is_verified: bool) -> Json:
    """Return a breakpoint as DAP has it."""
    found: Json = {"id": one.identity, "verified": is_verified}
    if one.problem is not None:
        found["message"] = one.problem
    return found
