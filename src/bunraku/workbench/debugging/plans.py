"""The places of a file where a debugger can stop: those of its probes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.compiler.probes import DEFINITIONS, Placing, Probed
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, Program, children
from bunraku.syntax.parser.result import ParseResult

Parse = Callable[[Source], ParseResult]
CALLS = nodes.Call | nodes.MethodCall | nodes.If | nodes.Unless | nodes.Case | nodes.Selector


@record(frozen=True)
class StopPlace:
    """A place where code can stop: the number of its probe, and its extent as offsets.

    ``line`` and ``last`` are its first and last line. ``is_step`` is whether stepping stops there,
    ``is_leaf`` whether no other place lies in it. A place that is the beginning of a class or the like has
    its ``kind`` and ``name``.
    """

    number: int
    start: int
    end: int
    line: int
    last: int
    is_step: bool
    is_leaf: bool
    kind: str = ""
    name: str = ""


@record()
class FilePlan:
    """The places of one file by number, and those that begin on each executable line."""

    places: list[StopPlace]
    lines: dict[int, list[StopPlace]]

    def executable(self, line: int) -> int | None:
        """Return the line on which a breakpoint for a line stops; None if the file has no code.

        A line inside of a statement without statements of its own is that of the statement. Other lines
        mean the next executable line, or the last one of the file.
        """
        if line in self.lines:
            return line
        before = max((one for one in self.lines if one < line), default=None)
        if before is not None and any(
            one.is_leaf and one.last >= line for one in self.lines[before]
        ):
            return before
        after = min((one for one in self.lines if one > line), default=None)
        return before if after is None else after

    def numbers(self, line: int, start: int | None = None) -> tuple[int, ...]:
        """Return the probes of a breakpoint on an executable line, or behind an offset in it.

        A line with the default value of a parameter also stands for the beginning of the definition, for
        most parameters are not given by their default.
        """
        places = self.lines[line]
        if start is not None:
            places = [one for one in places if one.start >= start] or places[-1:]
        first, *others = places
        defaults = [one for one in others if one.kind == "default"]
        if defaults and first.line < line:
            return defaults[0].number, first.number
        return (first.number,)

    def entries(self) -> Iterable[StopPlace]:
        """Return the beginnings of classes, functions and templates."""
        return [one for one in self.places if one.kind and one.kind != "default"]

    def within(self, outer: StopPlace) -> Iterable[int]:
        """Return the numbers of the places in the body of a definition."""
        return [
            one.number
            for one in self.places
            if outer.start <= one.start < outer.end and one.kind != "default"
        ]


def plan_of(source: Source, parse: Parse) -> FilePlan:
    """Return the places of a file; if it has errors, those of the code that was read."""
    return make_plan(source, parse(source).program)


def make_plan(source: Source, program: Program) -> FilePlan:
    """Return the places of a file; the program is changed.

    >>> from bunraku.syntax.parser.parser import parse
    >>> source = Source("class a {\\n  file { '/a':\\n    mode => '1',\\n  }\\n}")
    >>> plan = make_plan(source, parse(source).program)
    >>> sorted(plan.lines), plan.executable(3), plan.executable(5)
    ([1, 2], 2, 2)
    """
    placing = Placing(source)
    placing.place(program)
    placing.plan()
    kinds: dict[int, tuple[str, str]]
    kinds = {id(one): (kind, name) for kind, name, _, one in placing.items if kind != "resource"}
    kinds.update(
        (id(probed), ("default", label))
        for kind, _, ways in placing.decisions
        if kind == "default value"
        for label, probed in ways
    )
    on_lines = {id(one) for _, one in placing.lines}
    outer = {id(one) for one in placing.made if has_places(one)}
    made = {}
    for one in sorted(placing.made, key=lambda probed: probed.number):
        made[id(one)] = stop_place(source, one, kinds.get(id(one), ("", "")), on_lines, outer)
    lines: dict[int, list[StopPlace]] = {}
    for line, one in sorted(placing.lines, key=lambda pair: (pair[0], pair[1].number)):
        known = lines.setdefault(line, [])
        if made[id(one)] not in known:
            known.append(made[id(one)])
    return FilePlan(list(made.values()), lines)


def stop_place(
    source: Source, one: Probed, kind: tuple[str, str], on_lines: set[int], outer: set[int]
) -> StopPlace:
    """Return the place of a probe."""
    is_default = kind[0] == "default"
    is_step = id(one) in on_lines and not (is_default and not computes(one.inner))
    return StopPlace(
        one.number,
        one.start,
        one.end,
        source.line(one.start),
        source.line(max(one.start, one.end - 1)),
        is_step,
        id(one) not in outer and one.inner.__class__ not in DEFINITIONS and not kind[0],
        *kind,
    )


def has_places(outer: Probed) -> bool:
    """Return whether other places lie in the code of a probe."""
    waiting: list[Node] = [outer.inner]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Probed):
            return True
        waiting += children(node)
    return False


def computes(node: Node) -> bool:
    """Return whether a default value does more than to name a value, so stepping stops at it."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if isinstance(found, CALLS):
            return True
        waiting += children(found)
    return False
