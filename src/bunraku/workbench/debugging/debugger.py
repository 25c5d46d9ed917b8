"""The debugger of compiles: it decides at each place whether code stops, and what runs next.

The code of a debugged compile has the probes of coverage (:mod:`bunraku.compiler.probes`), whose table
is a :class:`~bunraku.workbench.debugging.stops.Stops`. A front end gets each stop and returns how to go on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from types import FrameType
from typing import Any, Literal, Protocol

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.compiler.code_names import unit_name
from bunraku.engine.compile import compile_resolved
from bunraku.engine.hooks import Hooks
from bunraku.engine.request import Request, resolve
from bunraku.functions.declaration import BuiltinFunction
from bunraku.runtime.callables import Closure
from bunraku.runtime.log import LogEntry
from bunraku.runtime.python_frames import puppet_frame
from bunraku.runtime.state import Compilation, DeclaredResource, Function, Scope
from bunraku.workbench.debugging.breakpoints import (
    LEVELS,
    Breakpoint,
    LineBreakpoint,
    NameBreakpoint,
    message_parts,
)
from bunraku.workbench.debugging.evaluation import (
    NO_VARIABLES,
    Refused,
    compiled_expression,
)
from bunraku.workbench.debugging.frames import (
    CodeFrame,
    Level,
    is_puppet,
    levels_of,
    puppet_depth,
    puppet_stack,
    running_levels,
)
from bunraku.workbench.debugging.secrets import secrets_of, without_secrets
from bunraku.workbench.debugging.stops import Stops
from bunraku.workbench.debugging.variables import text_of_value

Value = Any
Resume = Literal["continue", "into", "over", "out"]
Reason = Literal[
    "entry", "step", "pause", "breakpoint", "function breakpoint", "data breakpoint", "exception"
]


class Ended(BaseException):
    """Raised in the code that runs when the user ends the compile. No code catches it."""


@record(eq=False, slots=False)
class Stop:
    """A place where code waits: the reason, the stack (the innermost frame first), and what led to it.

    ``error`` is the error that ends the compile: the code cannot go on after it.
    """

    reason: Reason
    frames: Sequence[CodeFrame]
    compilation: Compilation
    text: str = ""
    breakpoints: Sequence[int] = ()
    error: PuppetError | None = None

    @cached_property
    def secrets(self) -> list[str]:
        """The texts that are secret."""
        return secrets_of(self.compilation, self.frames)

    def hidden(self, text: str) -> str:
        """Return a text without secrets."""
        return without_secrets(text, self.secrets)


class FrontEnd(Protocol):
    """What a debugger needs of the user interface."""

    def stopped(self, stop: Stop) -> Resume:
        """Wait for the user; return how to go on. May raise :class:`Ended`."""

    def log(self, entry: LogEntry) -> None:
        """Show a message of the compile."""

    def output(self, text: str, frame: CodeFrame | None) -> None:
        """Show the message of a log point, or the problem of a condition."""

    def loaded(self, source: Source) -> None:
        """Note that a file was read."""


@record()
class Stepping:
    """How far code runs until it stops again: ``depth`` and ``frame`` are those of the place before."""

    kind: Literal["into", "over", "out"]
    reason: Reason = "step"
    depth: int = 0
    frame: FrameType | None = None
    line: int = 0

    def ends_at(self, frame: FrameType) -> bool:
        """Return whether a place in a frame is where the step ends."""
        if self.frame is frame and self.line == frame.f_lineno:
            return False
        if self.kind == "into":
            return True
        depth = puppet_depth(frame)
        if self.kind == "over":
            return depth <= self.depth
        return depth < self.depth or (depth == self.depth == 1 and frame is not self.frame)


class WatchedResources(list[DeclaredResource]):
    """The resources of a catalog; each new one is shown to the debugger."""

    def __init__(self, declared: Callable[[DeclaredResource], None]) -> None:
        super().__init__()
        self.declared = declared

    def append(self, resource: DeclaredResource) -> None:
        """Add a resource."""
        super().append(resource)
        self.declared(resource)


@record()
class WatchedFunction:
    """A function with a breakpoint that is not written in the Puppet language."""

    name: str
    function: Function
    called: Callable[[], None]

    def call(self, scope: Scope, arguments: Sequence[Value], block: Closure | None = None) -> Value:
        """Stop, then call the function."""
        self.called()
        return self.function.call(scope, arguments, block)


@record(eq=False, slots=False)
class Debugger:
    """The breakpoints of a session, and the state of the compile that runs.

    Breakpoints may be set by another thread while code runs. ``levels`` has the breakpoints for ``warning``
    and ``error``. ``virtual_folder`` is a folder that only compiles see, whose
    files are those of the working directory.
    """

    front: FrontEnd
    virtual_folder: str = ""
    lines: list[LineBreakpoint] = field(default_factory=list)
    names: list[NameBreakpoint] = field(default_factory=list)
    levels: dict[str, Breakpoint] = field(default_factory=dict)
    files: dict[str, Stops] = field(default_factory=dict)
    compilation: Compilation | None = None
    stepping: Stepping | None = None
    muted: bool = False
    ending: bool = False
    seen: dict[tuple[int, int], object] = field(default_factory=dict)
    """Breakpoints on variables that have stopped, each with the scope or frame of the variable."""

    @property
    def hooks(self) -> Hooks:
        """The hooks of a compile that is debugged."""
        return Hooks(hits=self.load, begun=self.begin, failed=self.fail, ended=self.finish)

    def run(self, request: Request, *, stop_on_entry: bool = False) -> CompiledCatalog:
        """Compile a catalog. Raises PuppetError and Ended."""
        self.stepping = Stepping("into", "entry") if stop_on_entry else None
        try:
            resolved = resolve(request, self.front.log)
            catalog, _value = compile_resolved(resolved, hooks=self.hooks)
            return catalog
        finally:
            self.ending = False

    # -- hooks -----------------------------------------------------------------------------------

    def begin(self, compilation: Compilation) -> None:
        """Take the state of a compile that begins."""
        self.files = {}
        self.seen = {}
        self.compilation = compilation
        compilation.catalog.resources = WatchedResources(self.declared)
        messages = compilation.messages
        messages.write = partial(self.log, messages.write)
        self.watch_functions()

    def finish(self) -> None:
        """Forget the compile that has ended."""
        self.compilation = None
        self.stepping = None
        self.files = {}
        self.seen = {}

    def load(self, source: Source) -> dict[int, bool]:
        """Return the stops of a file that is loaded."""
        assert self.compilation is not None  # files are loaded by compiles
        stops = Stops(source, self.compilation.loader.parse, self.reached)
        self.files[unit_name(source)] = stops
        self.arm(stops)
        self.front.loaded(source)
        return stops

    def fail(self, error: PuppetError) -> None:
        """Stop at the error that ends the compile."""
        if not self.muted and self.compilation is not None:
            levels = levels_of(error.__traceback__)
            self.stop_for_message("error", error.message, levels, error)

    def log(self, write: Callable[[LogEntry], None], entry: LogEntry) -> None:
        """Pass on a message of code, and stop where its level has a breakpoint."""
        write(entry)
        if self.muted:
            return
        for name in list(self.levels):
            if entry.level in LEVELS[name]:
                self.stop_for_message(name, entry.message, running_levels())

    def stop_for_message(
        self, name: str, text: str, levels: Sequence[Level], error: PuppetError | None = None
    ) -> None:
        """Stop for an error or warning if there is a breakpoint for it whose conditions hold."""
        found = self.levels.get(name)
        if found is None:
            return
        more = {"$message": text}
        if self.holds(found, self.stack(levels), more) and found.counts():
            self.stop("exception", levels, text=text, error=error)

    def declared(self, resource: DeclaredResource) -> None:
        """Stop where a resource with a breakpoint is declared."""
        found = [one for one in self.names if one.kind == "resource" and one.accepts(resource)]
        if found and not self.muted:
            self.stop_for(found, running_levels(), "function breakpoint")

    def called(self, name: str) -> None:
        """Stop where a function with a breakpoint is called."""
        found = [one for one in self.names if one.kind == "definition" and one.definition == name]
        if found and not self.muted:
            self.stop_for(found, running_levels(), "function breakpoint")

    # -- breakpoints -----------------------------------------------------------------------------

    def set_breakpoints(
        self, lines: Iterable[LineBreakpoint] | None, names: Iterable[NameBreakpoint] | None
    ) -> None:
        """Replace the breakpoints on lines, or those on names; None leaves them."""
        if lines is not None:
            self.lines = list(lines)
        if names is not None:
            self.names = list(names)
        for stops in list(self.files.values()):
            self.arm(stops)
        self.watch_functions()

    def arm(self, stops: Stops) -> None:
        """Let the probes of a file ask that have a breakpoint."""
        stops.armed = {}
        path = comparable_path(stops.source, self.virtual_folder)
        for one in self.lines:
            if comparable(one.path) == path and one.stops_on is not None:
                start = start_of(stops.source, one)
                for number in stops.plan.numbers(one.stops_on, start):
                    stops.arm(number, one)
        text = stops.source.text.lower()
        for named in self.names:
            if named.kind == "template" or named.definition.rpartition("::")[2] in text:
                arm_name(stops, named)
        stops.ask_again()

    def watch_functions(self) -> None:
        """Let functions that are not written in the Puppet language stop where they have a breakpoint."""
        if self.compilation is None:
            return
        functions = self.compilation.functions
        for one in self.names:
            name = one.definition
            if one.kind == "definition" and "::" not in name and name.isidentifier():
                found = functions[name]
                if isinstance(found, BuiltinFunction):
                    functions[name] = WatchedFunction(name, found, partial(self.called, name))

    def pause(self) -> None:
        """Stop at the next place; another thread may call this."""
        self.stepping = Stepping("into", "pause")
        self.ask_everywhere()

    def end(self) -> None:
        """End the compile at the next place; another thread may call this."""
        self.ending = True
        self.ask_everywhere()

    def ask_everywhere(self) -> None:
        """Let the probes of all files ask."""
        for stops in list(self.files.values()):
            stops.ask_again()

    # -- deciding --------------------------------------------------------------------------------

    def reached(self, stops: Stops, number: int) -> bool:
        """Stop at a place if something asks for it; return whether the place has to ask again."""
        if self.muted:
            return True
        if self.ending:
            raise Ended
        armed = stops.armed.get(number)
        if armed is None and self.stepping is None:
            return False
        frame = puppet_frame()
        assert frame is not None, "only probes in Puppet code call this"
        if armed is not None and self.stop_at(armed, stops, number, frame):
            return True
        step = self.stepping
        if step is not None and step.ends_at(frame) and stops.place(number).is_step:
            self.stop(step.reason, running_levels())
        return True

    def stop_at(
        self, armed: Sequence[Breakpoint], stops: Stops, number: int, frame: FrameType
    ) -> bool:
        """Stop if one of the breakpoints of a place says so; return whether code stopped."""
        levels = running_levels()
        found = [one for one in armed if self.applies(one, stops, number, frame)]
        lines = [one for one in found if isinstance(one, LineBreakpoint)]
        data = [one for one in found if isinstance(one, NameBreakpoint) and one.kind == "variable"]
        reason: Reason = "function breakpoint"
        if lines or data:
            reason = "breakpoint" if lines else "data breakpoint"
        return bool(found) and self.stop_for(found, levels, reason)

    def applies(self, breakpoint_: Breakpoint, stops: Stops, number: int, frame: FrameType) -> bool:
        """Return whether a breakpoint is about this run of a place, before its conditions."""
        if isinstance(breakpoint_, NameBreakpoint):
            return breakpoint_.kind != "variable" or self.is_new(breakpoint_, frame)
        if isinstance(breakpoint_, LineBreakpoint):
            place = stops.place(number)
            if place.kind == "default":
                breakpoint_.announced = True
            elif breakpoint_.announced:
                breakpoint_.announced = False
                return False
        return True

    def is_new(self, breakpoint_: NameBreakpoint, frame: FrameType) -> bool:
        """Return whether the variable of a breakpoint was set since the last place."""
        values: Mapping[str, Value] = frame.f_locals
        scope = values.get("scope")
        holder: object = frame
        if breakpoint_.variable not in values:
            if not isinstance(scope, Scope) or breakpoint_.variable not in scope:
                return False
            holder = scope
        key = (breakpoint_.identity, id(holder))
        if key in self.seen:
            return False
        self.seen[key] = holder
        return True

    def stop_for(
        self, breakpoints: Sequence[Breakpoint], levels: Sequence[Level], reason: Reason
    ) -> bool:
        """Stop for the breakpoints whose conditions hold; log points only print."""
        frames = self.stack(levels)
        stopping = []
        for one in breakpoints:
            if not self.holds(one, frames) or not one.counts():
                continue
            if one.message is None:
                stopping.append(one.identity)
            else:
                text = self.message_text(one, frames)
                self.front.output(f"{text}\n", frames[0] if frames else None)
        if stopping:
            self.stop(reason, levels, breakpoints=stopping)
        return bool(stopping)

    def holds(
        self,
        breakpoint_: Breakpoint,
        frames: Sequence[CodeFrame],
        more: Mapping[str, Value] = NO_VARIABLES,
    ) -> bool:
        """Return whether the condition of a breakpoint is true; a condition that fails stops, and says why."""
        if not breakpoint_.condition or not frames:
            return True
        try:
            value = self.value_in(breakpoint_, breakpoint_.condition, frames[0], more)
        except (PuppetError, Refused) as error:
            text = f"the condition '{breakpoint_.condition}' fails: {error}\n"
            self.front.output(text, frames[0])
            return True
        return value is not None and value is not False

    def message_text(self, breakpoint_: Breakpoint, frames: Sequence[CodeFrame]) -> str:
        """Return the message of a log point with the values of its expressions."""
        parts = []
        for text, is_code in message_parts(breakpoint_.message or ""):
            if not is_code or not frames:
                parts.append(text)
                continue
            try:
                value = self.value_in(breakpoint_, text, frames[0])
                parts.append(value if isinstance(value, str) else text_of_value(value))
            except (PuppetError, Refused) as error:
                parts.append(f"{{{text}: {error}}}")
        assert self.compilation is not None  # code stops in a compile
        return without_secrets("".join(parts), secrets_of(self.compilation, frames))

    def value_in(
        self,
        breakpoint_: Breakpoint,
        text: str,
        frame: CodeFrame,
        more: Mapping[str, Value] = NO_VARIABLES,
    ) -> Value:
        """Return the value of an expression of a breakpoint, which is compiled once for each compile."""
        assert self.compilation is not None  # code stops in a compile
        key = f"{id(self.compilation)} {text}"
        found = breakpoint_.expressions.get(key)
        with Muted(self):
            if found is None:
                found = compiled_expression(text, self.compilation, only_reads=True)
                breakpoint_.expressions = {**breakpoint_.expressions, key: found}
            return found.value(frame, self.compilation, more)

    def evaluated(
        self, text: str, frame: CodeFrame, compilation: Compilation, *, only_reads: bool = False
    ) -> Value:
        """Return the value of an expression of the user. Raises PuppetError and Refused."""
        with Muted(self):
            expression = compiled_expression(text, compilation, only_reads=only_reads)
            return expression.value(frame, compilation)

    # -- stopping --------------------------------------------------------------------------------

    def stack(self, levels: Sequence[Level]) -> list[CodeFrame]:
        """Return the Puppet code on a stack."""
        assert self.compilation is not None  # code stops in a compile
        return puppet_stack(levels, self.compilation.loader.sources)

    def is_paused(self) -> bool:
        """Return whether the user asked for a pause while code waited or began to go on."""
        return self.stepping is not None

    def stop(
        self,
        reason: Reason,
        levels: Sequence[Level],
        *,
        text: str = "",
        breakpoints: Sequence[int] = (),
        error: PuppetError | None = None,
    ) -> None:
        """Wait for the front end, then go on as it says."""
        assert self.compilation is not None  # code stops in a compile
        frames = self.stack(levels) or list(frames_at(error, self.compilation.top_scope))
        stop = Stop(reason, frames, self.compilation, text, breakpoints, error)
        self.stepping = None
        resume = self.front.stopped(stop)
        if self.ending:
            raise Ended
        if resume == "continue" or self.is_paused():
            return
        frame = next((one for one, _ in levels if is_puppet(one)), None)
        line = 0 if frame is None else frame.f_lineno or 0
        self.stepping = Stepping(resume, "step", max(puppet_depth(frame), 1), frame, line)
        self.ask_everywhere()


class Muted:
    """A ``with`` block in which code that the user evaluates does not stop."""

    def __init__(self, debugger: Debugger) -> None:
        self.debugger = debugger

    def __enter__(self) -> None:
        self.before = self.debugger.muted
        self.debugger.muted = True

    def __exit__(self, *_: object) -> None:
        self.debugger.muted = self.before


def frames_at(error: PuppetError | None, scope: Scope) -> Iterator[CodeFrame]:
    """Yield a frame for an error that no code raises, but the compiler, such as a missing relation."""
    span = None if error is None else error.span
    if span is not None:
        yield CodeFrame("compiler", "compiler", span, scope)


def arm_name(stops: Stops, named: NameBreakpoint) -> None:
    """Arm the beginnings that a breakpoint on a name is about."""
    for place in stops.plan.entries():
        if named.kind == "template":
            if place.kind == "template" and is_template_named(stops.source.path, named.name):
                stops.arm(place.number, named)
        elif named.kind != "resource" and place.name.lower() == named.definition:
            numbers = [place.number]
            if named.kind == "variable":
                numbers = list(stops.plan.within(place))
            for number in numbers:
                stops.arm(number, named)


def is_template_named(path: str, name: str) -> bool:
    """Return whether a template has a name as ``epp`` takes it, or the name of its file.

    >>> is_template_named("/m/ntp/templates/ntp.conf.epp", "ntp/ntp.conf.epp")
    True
    """
    plain = name.rpartition(" ")[2]
    module, _, file = plain.partition("/")
    return f"/{path}".endswith((f"/{plain}", f"/{module}/templates/{file}"))


def comparable(path: str) -> str:
    """Return a path that is equal to others of the same file."""
    return os.path.realpath(path) if path and not path.startswith("<") else path


def comparable_path(source: Source, virtual_folder: str) -> str:
    """Return the path of a source as :func:`comparable` does; the name of code without a file."""
    if not source.on_disk:
        return unit_name(source)
    return comparable(real_path(source.path, virtual_folder))


def real_path(path: str, virtual_folder: str) -> str:
    """Return the file behind a path in a folder that only compiles see.

    >>> real_path("/virtual/spec/a_spec.pp", "/virtual"), real_path("/etc/a.pp", "")
    ('spec/a_spec.pp', '/etc/a.pp')
    """
    is_virtual = virtual_folder and path.startswith(f"{virtual_folder}/")
    return path[len(virtual_folder) + 1 :] if is_virtual else path


def start_of(source: Source, breakpoint_: LineBreakpoint) -> int | None:
    """Return the offset that a breakpoint with a column asks for."""
    if breakpoint_.column is None or breakpoint_.stops_on != breakpoint_.line:
        return None
    start: int = source.line_starts[breakpoint_.line - 1]
    return start + breakpoint_.column - 1
