"""The stack of Puppet code, from Python's frames: names, places, and the scope of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import FrameType, TracebackType

from bunraku.base.records import record
from bunraku.base.source import Source, Span
from bunraku.functions.declaration import BuiltinFunction
from bunraku.runtime.python_frames import code_place, is_part, puppet_frame, span_of
from bunraku.runtime.state import DeclaredResource, Scope
from bunraku.runtime.units import PuppetFunction

Level = tuple[FrameType, int]
"""A frame, and the index of the instruction that it runs."""
FUNCTION_CALLS = {BuiltinFunction.call.__code__, PuppetFunction.call.__code__}
WITH_LOCALS = ("lambda", "function")
"""Kinds of code whose variables are Python's local variables."""


@record()
class CodeFrame:
    """Running Puppet code. ``frame`` is None for the code that declared an instance of a defined type.

    ``kind`` is that of the code: ``class``, ``lambda``, ``default`` and so on.
    """

    name: str
    kind: str
    span: Span | None
    scope: Scope | None
    frame: FrameType | None = None


def running_levels() -> list[Level]:
    """Return the frames of the running Puppet code and of what called it, the innermost first."""
    found = []
    frame = puppet_frame()
    while frame is not None:
        found.append((frame, frame.f_lasti))
        frame = frame.f_back
    return found


def levels_of(trace: TracebackType | None) -> list[Level]:
    """Return the frames of a traceback, the innermost first; each once."""
    found: list[Level] = []
    while trace is not None:
        if not any(frame is trace.tb_frame for frame, _ in found):
            found.append((trace.tb_frame, trace.tb_lasti))
        trace = trace.tb_next
    return found[::-1]


def is_puppet(frame: FrameType) -> bool:
    """Return whether a frame runs compiled Puppet code."""
    return frame.f_globals.get("__puppet__") is not None


def puppet_depth(frame: FrameType | None) -> int:
    """Return the number of frames of Puppet code, from one outward."""
    depth = 0
    while frame is not None:
        if is_puppet(frame) and not is_part(frame):
            depth += 1
        frame = frame.f_back
    return depth


def puppet_stack(levels: Sequence[Level], sources: Mapping[str, Source]) -> list[CodeFrame]:
    """Return the stack of Puppet code, the innermost first, then the declarations of defined types."""
    found: list[CodeFrame] = []
    part: Span | None = None
    for index, (frame, lasti) in enumerate(levels):
        if not is_puppet(frame):
            continue
        place = code_place(frame.f_code, lasti)
        span = None if place is None else span_of(sources, place)
        if is_part(frame):
            part = span
            continue
        found.append(code_frame(frame, part or span, levels[index + 1 :]))
        part = None
    return [*found, *declaring_frames(found[-1], sources)] if found else []


def code_frame(frame: FrameType, span: Span | None, outer: Sequence[Level]) -> CodeFrame:
    """Return a frame of Puppet code; ``outer`` are those that called it."""
    kind, _, name = frame.f_code.co_name.rpartition(".")[0].partition(" ")
    scope = frame.f_locals.get("scope")
    scope = scope if isinstance(scope, Scope) else None
    match kind:
        case "lambda":
            shown = f"lambda of {calling_function(outer)}"
        case "function":
            shown = f"function {name}"
        case "epp":
            file = "" if span is None or not span.source.on_disk else span.source.path
            shown = f"template {file.rpartition('/')[2] or 'in code'}"
        case "class" | "define" | "node":
            shown = scope_name(scope) or f"{kind} {name}"
        case "default" | "type" | "types" | "returns":
            shown = f"parameters of {scope_name(scope) or 'a template'}"
        case _:
            shown = kind or "main"
    return CodeFrame(shown, kind, span, scope, frame)


def calling_function(outer: Sequence[Level]) -> str:
    """Return the name of the function that called a lambda."""
    for frame, _ in outer:
        if frame.f_code in FUNCTION_CALLS:
            return str(frame.f_locals["self"].name)
        if is_puppet(frame):
            break
    return "a function"


def scope_name(scope: Scope | None) -> str:
    """Return the name of the code that a scope belongs to: ``class ntp``, ``define ntp::key[x]``."""
    resource = None if scope is None else scope.resource
    if not isinstance(resource, DeclaredResource):
        return ""
    if resource.type == "Class":
        if resource.definition is None:
            return "main"
        return f"class {resource.definition.name}"
    if resource.definition is not None and resource.definition.kind == "node":
        return f"node {', '.join(map(matched_name, resource.definition.matches))}"
    if resource.definition is not None:
        return f"define {resource.definition.name}[{resource.title}]"
    return f"{resource.type.lower()} {resource.title}"


def matched_name(match: tuple[str, str]) -> str:
    """Return what a node definition is for, as it is written: a name, a pattern or ``default``."""
    kind, text = match
    return {"regexp": f"/{text}/", "default": "default"}.get(kind, text)


def declaring_frames(last: CodeFrame, sources: Mapping[str, Source]) -> Iterator[CodeFrame]:
    """Yield the code that declared an instance of a defined type, which runs after that code."""
    scope = last.scope
    while scope is not None:
        resource = scope.resource
        if not isinstance(resource, DeclaredResource) or resource.kind != "defined_type":
            return
        scope = resource.scope
        span = declared_span(resource, sources)
        yield CodeFrame(f"{scope_name(scope)} (declares it)", "declaration", span, scope)


def declared_span(resource: DeclaredResource, sources: Mapping[str, Source]) -> Span | None:
    """Return the line on which a resource is declared."""
    source = next((one for one in sources.values() if one.path == (resource.file or "")), None)
    if source is None or resource.line is None:
        return None
    return source.line_span(resource.line)
