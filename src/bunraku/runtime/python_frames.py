"""Looking at Python's frames: which Puppet code is running, in which scope, and where.

Helpers are called by compiled code with neither scope nor place. The few that need them (to
warn, to ask a setting) find them here; an error finds its place from its traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import CodeType, FrameType, FunctionType
from typing import Any

from bunraku.base.bounded_cache import BoundedCache, remembered
from bunraku.base.source import Source, Span

Value = Any
CO_NESTED = 0x10  # as in inspect, which most runs do not import


def puppet_frame(depth: int = 1) -> FrameType | None:
    """Return the innermost frame of compiled Puppet code."""
    frame: FrameType | None = sys._getframe(depth)  # noqa: SLF001, the only way to the caller
    while frame is not None and frame.f_globals.get("__puppet__") is None:
        frame = frame.f_back
    return frame


def running_line() -> str:
    """Return file and line of the innermost Puppet code that runs, as ``FILE:LINE``; else an empty text."""
    frame = puppet_frame(2)
    return "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def frames_around(frame: FrameType) -> Iterator[FrameType]:
    """Yield the frames of the lambdas and bodies that a lambda is written in, the innermost first."""
    code, outer = frame.f_code, frame.f_back
    while outer is not None and code.co_flags & CO_NESTED:
        if any(constant is code for constant in outer.f_code.co_consts):
            yield outer
            code = outer.f_code
        outer = outer.f_back


CodePosition = tuple[str, int, int, int, int]
PLACES: BoundedCache[tuple[int, int], tuple[CodeType, CodePosition | None]] = BoundedCache(
    "places of instructions", 10_000
)
"""Places by the code object's identity (its hash walks over all its constants) and instruction."""


def code_place(code: CodeType, lasti: int) -> CodePosition | None:
    """File, line, end line, column and end column (bytes, from 0) of an instruction."""
    known = PLACES.get((id(code), lasti))
    if known is not None and known[0] is code:
        return known[1]
    place = find_place(code, lasti)
    PLACES.keep((id(code), lasti), (code, place))
    return place


def find_place(code: CodeType, lasti: int) -> CodePosition | None:
    """Return the place from the table in the code object, which is read from its beginning."""
    found = next(islice(code.co_positions(), lasti // 2, None), (None, None, None, None))
    line, end_line, column, end_column = found
    if line is None or column is None:
        return None
    return code.co_filename, line, end_line or line, column, end_column or column


def span_of(sources: Mapping[str, Source], place: CodePosition) -> Span | None:
    """Return a place as a span of its source."""
    filename, line, end_line, column, end_column = place
    source = sources.get(filename)
    if source is None:
        return None
    return source.span(source.offset(line, column), source.offset(end_line, end_column))


Instruction = tuple[CodeType, int]
"""A code object and the index of an instruction in it: cheap to remember, for errors found later."""


def current_instruction() -> Instruction | None:
    """Return the instruction that the innermost Puppet code is running."""
    # As :func:`puppet_frame`, without a call: every arrow stores its place.
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001, the only way to the caller
    while frame is not None and "__puppet__" not in frame.f_globals:
        frame = frame.f_back
    return None if frame is None else (frame.f_code, frame.f_lasti)


def instruction_span(sources: Mapping[str, Source], instruction: Instruction | None) -> Span | None:
    """Return the piece of source that an instruction was compiled from."""
    place = None if instruction is None else code_place(*instruction)
    return None if place is None else span_of(sources, place)


def current_span(sources: Mapping[str, Source]) -> Span | None:
    """Return the piece of source that the innermost Puppet code is running."""
    frame = puppet_frame(2)
    return None if frame is None else instruction_span(sources, (frame.f_code, frame.f_lasti))


Extent = tuple[int, int, int, int]
"""First line, its column, last line, the column after the end, as the compiler stamps them."""


def run_at(place: Extent, work: Callable[[Value], Value], scope: Value) -> Value:
    """Call a function of a scope as if the running Puppet code called it from another of its places.

    Compiled code has tables, each one instruction: what is reported of a row has the row's place.
    """
    frame = puppet_frame(2)
    if frame is None:
        return work(scope)
    code = code_at(frame.f_code.co_filename, frame.f_code.co_name, place)
    return FunctionType(code, dict(PART))(scope, work)


PART = {"__puppet__": True, "__part__": True, "__builtins__": {}}
"""The globals of code that only gives a part of its caller a place."""


@remembered(1000)
def code_at(filename: str, name: str, place: Extent) -> CodeType:
    """Return the code of a function of a scope and a function, which calls the latter at a place."""
    import ast  # only here, where something is to be reported

    module = ast.parse("def part(scope, work): return work(scope)")
    for node in ast.walk(module):
        if isinstance(node, ast.stmt | ast.expr | ast.arg):
            node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = place
    compiled = compile(module, filename, "exec", dont_inherit=True, optimize=0)
    found: CodeType = compiled.co_consts[0]
    return found.replace(co_name=name, co_qualname=name)


def is_part(frame: FrameType) -> bool:
    """Return whether a frame only gives a part of its caller a place."""
    return "__part__" in frame.f_globals


def puppet_calls(sources: Mapping[str, Source]) -> Iterator[tuple[Span, str]]:
    """Return the running Puppet code, innermost first: its source and its code's name."""
    frame = puppet_frame(2)
    part = False  # of the frame that comes next
    while frame is not None:
        if frame.f_globals.get("__puppet__") is not None:
            span = instruction_span(sources, (frame.f_code, frame.f_lasti))
            if span is not None and not part:
                yield span, frame.f_code.co_name
            part = is_part(frame)
        frame = frame.f_back
