"""The debugger in a terminal: commands by their first letters, as those of pdb and gdb."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator

from bunraku.base.errors import PuppetError
from bunraku.base.paths import relative
from bunraku.base.source import Source
from bunraku.debug.breakpoints import Breakpoints
from bunraku.debug.records import RequestFailed, Sources
from bunraku.engine.request import Request
from bunraku.runtime.log import LogEntry
from bunraku.workbench.debugging.breakpoints import (
    LEVELS,
    Breakpoint,
    LineBreakpoint,
    NameBreakpoint,
    hit_condition_problem,
)
from bunraku.workbench.debugging.debugger import Debugger, Ended, Resume, Stop
from bunraku.workbench.debugging.evaluation import Refused, set_variable
from bunraku.workbench.debugging.frames import CodeFrame
from bunraku.workbench.debugging.variables import (
    ShownScope,
    scopes_of,
    text_of_value,
    value_type_name,
)

PROMPT = "(debug) "
AT_LINE = re.compile(r"(?:(.*):)?(\d+)\Z")
ASSIGNED = re.compile(r"\$?([a-z_]\w*)\s*=(?![=~>])\s*(.+)", re.DOTALL)
AROUND = 5
"""Lines before and behind the current one that ``list`` shows."""
Action = Callable[[str], Resume | None]


class Quit(BaseException):
    """The user leaves."""


class Terminal:
    """A session. ``ask`` returns the next line of the user; EOFError ends the session.

    ``say`` prints a text, ``report`` an error of the compile, ``log`` its messages.
    """

    def __init__(
        self,
        request: Request,
        ask: Callable[[str], str],
        say: Callable[[str], None],
        report: Callable[[PuppetError], None],
        log: Callable[[LogEntry], None],
        breakpoints: Callable[[Debugger, Sources], Breakpoints],
    ) -> None:
        self.request = request
        self.ask = ask
        self.say = say
        self.report = report
        self.log = log
        self.debugger = Debugger(self)
        self.sources = Sources()
        self.breakpoints = breakpoints(self.debugger, self.sources)
        self.catch("error")
        self.stop: Stop | None = None
        self.at = 0
        self.last = ""
        self.failed = False
        self.again = False

    # -- the session -------------------------------------------------------------------------------

    def session(self) -> bool:
        """Read commands until the user leaves; return whether the last compile succeeded."""
        self.say("'run' compiles, 'break' sets breakpoints, 'help' shows all commands\n")
        try:
            while True:
                try:
                    if self.again:
                        self.again = False
                        self.compile("continue")
                    self.command_loop()
                except Ended:
                    self.stop = None
        except (Quit, EOFError):
            return not self.failed

    def command_loop(self) -> Resume:
        """Read commands until one lets code run."""
        while True:
            line = self.ask(PROMPT).strip() or self.last
            self.last = line if line.partition(" ")[0] in REPEATED else ""
            if not line:
                continue
            try:
                resume = self.action(line)
            except (RequestFailed, Refused) as error:
                self.say(f"{error}\n")
            except PuppetError as error:
                self.say(f"error: {error.message}\n")
            else:
                if resume is not None and self.stop is not None:
                    return resume
                if resume is not None:
                    self.compile(resume)

    def action(self, line: str) -> Resume | None:
        """Do what a line says; return how code goes on, or None if it waits."""
        word, _, rest = line.partition(" ")
        name = ALIASES.get(word) or next((one for one in COMMANDS if one.startswith(word)), None)
        if name is None:
            self.print_value(line)
            return None
        method: Action = getattr(self, COMMANDS[name][1])
        return method(rest.strip())

    def compile(self, resume: Resume) -> None:
        """Compile, and say how it ended. The first step stops at the first statement."""
        self.sources.known.clear()
        for changed in self.breakpoints.begin_run():
            self.say(f"breakpoint {changed.identity}: {changed.path}:{changed.stops_on}\n")
        self.failed = True
        before = signal.signal(signal.SIGINT, lambda _number, _frame: self.debugger.pause())
        try:
            catalog = self.debugger.run(self.request, stop_on_entry=resume != "continue")
        except PuppetError as error:
            self.report(error)
        else:
            self.failed = False
            self.say(f"catalog of {catalog.name}: {len(catalog.resources)} resources\n")
        finally:
            signal.signal(signal.SIGINT, before)
            self.stop = None

    def stopped(self, stop: Stop) -> Resume:
        """See :class:`bunraku.workbench.debugging.debugger.FrontEnd`."""
        self.stop, self.at = stop, 0
        self.say(self.reason(stop))
        self.show_line()
        return self.command_loop()

    def output(self, text: str, frame: CodeFrame | None) -> None:
        """See :class:`bunraku.workbench.debugging.debugger.FrontEnd`."""
        self.say(f"{frame_place(frame)}: {text}" if frame is not None else text)

    def loaded(self, source: Source) -> None:
        """See :class:`bunraku.workbench.debugging.debugger.FrontEnd`."""
        self.sources.add(source)

    def reason(self, stop: Stop) -> str:
        """Return why code waits, as a line; empty for a step."""
        if stop.reason == "exception":
            return f"{'error' if stop.error else 'warning'}: {stop.text}\n"
        if stop.breakpoints:
            return f"breakpoint {', '.join(map(str, stop.breakpoints))}\n"
        return ""

    # -- running -----------------------------------------------------------------------------------

    def run_again(self, _words: str) -> Resume | None:
        """Compile, from the beginning if code waits."""
        if self.stop is not None:
            self.again = True
            raise Ended
        return "continue"

    def go_on(self, _words: str) -> Resume:
        """Run to the next breakpoint."""
        self.waiting()
        return "continue"

    def step(self, _words: str) -> Resume:
        """Run to the next place, also in functions and classes that are called."""
        return "into"

    def next(self, _words: str) -> Resume:
        """Run to the next place in this code or in its caller."""
        return "over"

    def finish(self, _words: str) -> Resume:
        """Run to the end of this code."""
        self.waiting()
        return "out"

    def quit(self, _words: str) -> Resume:
        """Leave."""
        raise Quit

    # -- breakpoints -------------------------------------------------------------------------------

    def set_break(self, words: str) -> None:
        """Set a breakpoint, or list them."""
        if not words:
            self.list_breakpoints()
            return
        where, _, condition = words.partition(" if ")
        where, given = where.strip(), condition.strip() or None
        match = AT_LINE.match(where)
        if match is None:
            self.break_on_name(where, given)
        else:
            self.break_on_line(self.path(match[1]), int(match[2]), given)

    def path(self, written: str | None) -> str:
        """Return the file that a breakpoint names; that of the current code by default."""
        if written is None:
            frame = self.frame()
            if frame is None or frame.span is None:
                path = self.request.path
                if path is None or os.path.isdir(path):
                    raise RequestFailed("which file? Write FILE:LINE")
                return path
            return frame.span.source.path
        if os.path.exists(written):
            return written
        for source in self.sources.known.values():
            if source.path.endswith(f"/{written}"):
                return source.path
        return written

    def break_on_line(self, path: str, line: int, condition: str | None) -> None:
        """Set a breakpoint on a line."""
        made = LineBreakpoint(next(self.breakpoints.numbers), condition, path=path, line=line)
        _path, source, problem = self.breakpoints.source_of({"path": os.path.abspath(path)})
        self.breakpoints.place([made], source, problem)
        if made.problem is not None:
            raise RequestFailed(made.problem)
        self.breakpoints.by_path.setdefault(path, []).append(made)
        self.breakpoints.apply()
        self.say(f"breakpoint {made.identity}: {path}:{made.stops_on}\n")

    def break_on_name(self, name: str, condition: str | None) -> None:
        """Set a breakpoint on a class, a function, a resource, a variable or a template."""
        made = NameBreakpoint(next(self.breakpoints.numbers), condition, name=name)
        self.breakpoints.functions.append(made)
        self.breakpoints.named([made])
        if made.problem is not None:
            self.breakpoints.functions.remove(made)
            raise RequestFailed(made.problem)
        self.say(f"breakpoint {made.identity}: {name}\n")

    def all_breakpoints(self) -> Iterator[LineBreakpoint | NameBreakpoint]:
        """Yield the breakpoints."""
        for made in self.breakpoints.by_path.values():
            yield from made
        yield from self.breakpoints.functions

    def list_breakpoints(self) -> None:
        """Show the breakpoints."""
        for one in sorted(self.all_breakpoints(), key=lambda found: found.identity):
            place = f"{one.path}:{one.stops_on}" if isinstance(one, LineBreakpoint) else one.name
            more = f" if {one.condition}" if one.condition else ""
            hits = f" hits {one.hit_condition}" if one.hit_condition else ""
            log = f" log {one.message}" if one.message else ""
            self.say(f"{one.identity}: {place}{more}{hits}{log} (reached {one.hits} times)\n")

    def numbered(self, words: str) -> tuple[LineBreakpoint | NameBreakpoint, str]:
        """Return the breakpoint of the number at the beginning, and the rest."""
        number, _, rest = words.partition(" ")
        for one in self.all_breakpoints():
            if str(one.identity) == number:
                return one, rest.strip()
        raise RequestFailed(
            f"breakpoint {number} does not exist" if number else "give the number of a breakpoint"
        )

    def set_condition(self, words: str) -> None:
        """Set or remove the condition of a breakpoint."""
        found, condition = self.numbered(words)
        found.condition = condition or None

    def set_hits(self, words: str) -> None:
        """Set or remove the number of hits at which a breakpoint stops."""
        found, condition = self.numbered(words)
        problem = hit_condition_problem(condition)
        if problem is not None:
            raise RequestFailed(problem)
        found.hit_condition = condition or None

    def set_log(self, words: str) -> None:
        """Let a breakpoint print a message instead of stopping."""
        found, message = self.numbered(words)
        found.message = message or None

    def delete(self, words: str) -> None:
        """Remove a breakpoint, or all."""
        gone = [self.numbered(words)[0]] if words else list(self.all_breakpoints())
        for path, made in self.breakpoints.by_path.items():
            self.breakpoints.by_path[path] = [one for one in made if one not in gone]
        left = [one for one in self.breakpoints.functions if one not in gone]
        self.breakpoints.functions = left
        self.breakpoints.apply()

    def catch(self, words: str) -> None:
        """Stop at errors, warnings, both or neither."""
        names = words.replace(",", " ").split()
        if not names or not {*names} <= {*LEVELS, "none"}:
            raise RequestFailed("write: catch error, catch warning, both, or catch none")
        self.debugger.levels = {name: Breakpoint(0) for name in names if name != "none"}

    # -- looking -----------------------------------------------------------------------------------

    def frame(self) -> CodeFrame | None:
        """Return the selected frame."""
        if self.stop is None:
            return None
        frames = self.stop.frames
        if not frames:
            return CodeFrame("top", "main", None, self.stop.compilation.top_scope)
        return frames[self.at]

    def waiting(self) -> tuple[Stop, CodeFrame]:
        """Return where code waits, and the selected frame."""
        frame = self.frame()
        if self.stop is None or frame is None:
            raise RequestFailed(
                "no code waits: 'run' compiles, 'step' stops at the first statement"
            )
        return self.stop, frame

    def where(self, _words: str) -> None:
        """Show the stack."""
        stop, _frame = self.waiting()
        for at, frame in enumerate(stop.frames):
            mark = "->" if at == self.at else "  "
            self.say(f"{mark} {frame.name}{in_place(frame)}\n")

    def up(self, _words: str) -> None:
        """Select the caller."""
        self.select(1)

    def down(self, _words: str) -> None:
        """Select the code that is called."""
        self.select(-1)

    def select(self, by: int) -> None:
        """Select another frame of the stack."""
        stop, _frame = self.waiting()
        if not 0 <= self.at + by < len(stop.frames):
            raise RequestFailed(
                "this is the outermost frame" if by > 0 else "this is the innermost frame"
            )
        self.at += by
        self.show_line()

    def print_value(self, words: str) -> None:
        """Show the value of an expression, or of a lookup."""
        stop, frame = self.waiting()
        value = self.debugger.evaluated(words, frame, stop.compilation)
        self.say(f"{stop.hidden(text_of_value(value))}\n")

    def what_is(self, words: str) -> None:
        """Show the type of an expression."""
        stop, frame = self.waiting()
        value = self.debugger.evaluated(words, frame, stop.compilation)
        self.say(f"{value_type_name(value)}\n")

    def set_value(self, words: str) -> None:
        """Set a variable of the running code."""
        match = ASSIGNED.match(words)
        if match is None:
            raise RequestFailed("write: set $NAME = EXPRESSION")
        stop, frame = self.waiting()
        value = self.debugger.evaluated(match[2], frame, stop.compilation, only_reads=True)
        set_variable(frame, match[1], value, stop.compilation)

    def list_code(self, words: str) -> None:
        """Show the code around the current line, or around another one."""
        _stop, frame = self.waiting()
        if frame.span is None:
            raise RequestFailed("the code of this frame is not known")
        here = frame.span.line
        if words and not words.isdigit():
            raise RequestFailed("write: list, or list LINE")
        middle = int(words) if words else here
        self.say("".join(self.code_lines(frame.span.source, middle, here)))

    def code_lines(self, source: Source, middle: int, here: int) -> Iterator[str]:
        """Yield the lines around one, with a mark at the line that runs."""
        reached = {
            one.stops_on for one in self.breakpoints.by_path.get(source.path, ()) if one.stops_on
        }
        for line in range(max(1, middle - AROUND), middle + AROUND + 1):
            if line <= len(source.line_starts):
                mark = "->" if line == here else " *" if line in reached else "  "
                yield f"{line:5} {mark} {source.line_text(line)}".rstrip() + "\n"

    def show_line(self) -> None:
        """Show the selected frame and its line."""
        frame = self.frame()
        if frame is None or frame.span is None:
            return
        span = frame.span
        self.say(
            f"{frame.name}{in_place(frame)}\n{span.line:5} -> {span.source.line_text(span.line)}\n"
        )

    def local_variables(self, words: str) -> None:
        """Show the variables of the running code."""
        self.show_scopes(lambda one: one.kind == "locals", words)

    def all_scopes(self, words: str) -> None:
        """Show the names of the scopes, or the variables of one."""
        stop, frame = self.waiting()
        if words:
            self.show_scopes(lambda one: one.name.lower().startswith(words.lower()), "")
            return
        for one in scopes_of(frame, stop.compilation):
            self.say(f"{one.name}: {one.count}\n")

    def show_scopes(self, accepts: Callable[[ShownScope], bool], name: str) -> None:
        """Show the variables of scopes, or one of them."""
        stop, frame = self.waiting()
        for scope in scopes_of(frame, stop.compilation):
            for one in scope.parts() if accepts(scope) else ():
                if not name or one.name == f"${name.removeprefix('$')}":
                    kind = f"  ({one.type})" if one.type else ""
                    self.say(f"{one.name} = {stop.hidden(one.text)}{kind}\n")

    def facts(self, words: str) -> None:
        """Show the facts, or one of them."""
        keys = "".join(f"['{name}']" for name in words.split(".")) if words else ""
        self.print_value(f"$facts{keys}")

    def catalog(self, words: str) -> None:
        """Show the resources that are declared so far, all or those of a type."""
        stop, _frame = self.waiting()
        for one in stop.compilation.catalog.resources:
            if not words or one.type.lower() == words.lower():
                place = f"  {one.file}:{one.line}" if one.file and one.line else ""
                self.say(f"{one.reference}{place}\n")

    def help(self, _words: str) -> None:
        """Show the commands."""
        for usage, (summary, _method) in COMMANDS.items():
            self.say(f"{usage:<13}{summary}\n")
        self.say("Everything else is an expression, whose value is shown.\n")


COMMANDS = {
    "break": (
        "[FILE:]LINE or NAME [if CONDITION]: stop there; alone: list breakpoints",
        "set_break",
    ),
    "condition": ("NUMBER [EXPRESSION]: stop only if it is true", "set_condition"),
    "hits": ("NUMBER [N, >= N, % N]: stop only at these hits", "set_hits"),
    "log": ("NUMBER [MESSAGE with {EXPRESSION}]: print instead of stopping", "set_log"),
    "delete": ("[NUMBER]: remove a breakpoint, or all", "delete"),
    "catch": ("error, warning or none: stop at them (at the beginning: error)", "catch"),
    "run": ("compile, from the beginning", "run_again"),
    "continue": ("run to the next breakpoint", "go_on"),
    "step": ("run to the next place, also inside of what is called", "step"),
    "next": ("run to the next place in this code", "next"),
    "finish": ("run to the end of this code", "finish"),
    "where": ("show the stack", "where"),
    "up": ("select the caller", "up"),
    "down": ("select the code that was called", "down"),
    "print": ("EXPRESSION: show its value, such as lookup('key')", "print_value"),
    "whatis": ("EXPRESSION: show its type", "what_is"),
    "set": ("$NAME = EXPRESSION: set a variable of the running code", "set_value"),
    "list": ("[LINE]: show code", "list_code"),
    "locals": ("[NAME]: show the variables of the running code", "local_variables"),
    "scopes": ("[NAME]: show the scopes, or the variables of one", "all_scopes"),
    "facts": ("[NAME]: show the facts, or one such as os.family", "facts"),
    "catalog": ("[TYPE]: show the resources that are declared so far", "catalog"),
    "help": ("this list", "help"),
    "quit": ("leave, as Ctrl-D does", "quit"),
}
"""A command → its summary, and the method that runs it."""
ALIASES = {
    "b": "break",
    "bt": "where",
    "c": "continue",
    "cont": "continue",
    "d": "down",
    "l": "list",
    "n": "next",
    "p": "print",
    "r": "run",
    "s": "step",
    "w": "where",
    "q": "quit",
    "exit": "quit",
    "backtrace": "where",
    "h": "help",
    "out": "finish",
    "restart": "run",
}
REPEATED = frozenset({"s", "step", "n", "next", "c", "continue"})
"""Commands that an empty line repeats."""


def frame_place(frame: CodeFrame) -> str:
    """Return the place of a frame."""
    if frame.span is None:
        return ""
    return f"{relative(frame.span.source.path or '-e')}:{frame.span.line}"


def in_place(frame: CodeFrame) -> str:
    """Return the place of a frame, behind its name."""
    return f" at {frame_place(frame)}" if frame.span is not None else ""
