"""Looking at Python's frames: which Puppet code is running, in which scope, and where.

Helpers are called by compiled code with neither scope nor place. The few that need them (to
warn, to ask a setting) find them here; an error finds its place from its traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from types import CodeType, FrameType

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.source import Source, Span


def puppet_frame(depth: int = 1) -> FrameType | None:
    """Return the innermost frame of compiled Puppet code."""
    frame: FrameType | None = sys._getframe(depth)  # noqa: SLF001, the only way to the caller
    while frame is not None and frame.f_globals.get("__puppet__") is None:
        frame = frame.f_back
    return frame


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


def puppet_calls(sources: Mapping[str, Source]) -> Iterator[tuple[Span, str]]:
    """Return the running Puppet code, innermost first: its source and its code's name."""
    frame = puppet_frame(2)
    while frame is not None:
        if frame.f_globals.get("__puppet__") is not None:
            span = instruction_span(sources, (frame.f_code, frame.f_lasti))
            if span is not None:
                yield span, frame.f_code.co_name
        frame = frame.f_back
