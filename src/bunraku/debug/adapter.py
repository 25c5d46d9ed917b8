"""The debug adapter: one session with a client, from ``initialize`` to ``disconnect``.

The compile runs in the thread that calls :meth:`Adapter.serve`, for it needs the main thread. A second
thread reads messages: while code runs, it answers what needs no waiting code; other messages are answered by
the first thread. The lock ensures that each message is answered by one of them.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from itertools import count
from queue import SimpleQueue
from threading import RLock, Thread
from typing import Any, Literal

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.base.usage import UsageError
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.debug.breakpoints import Breakpoints
from bunraku.debug.capabilities import capabilities
from bunraku.debug.inspection import Inspection
from bunraku.debug.launch import Launch, read_launch
from bunraku.debug.records import ClientOptions, Json, RequestFailed, Sources
from bunraku.dialects.languages import dialect_named
from bunraku.engine.compile import compile_catalog
from bunraku.runtime.log import LogEntry
from bunraku.web.message_stream import MessageStream, UnreadableMessage
from bunraku.workbench.debugging.breakpoints import LineBreakpoint
from bunraku.workbench.debugging.debugger import Debugger, Ended, Resume, Stop
from bunraku.workbench.debugging.frames import CodeFrame

THREAD = 1
"""The number of the only thread that clients see."""
RESUMES: Mapping[str, Resume] = {
    "continue": "continue",
    "next": "over",
    "stepIn": "into",
    "stepOut": "out",
}
State = Literal["idle", "running", "waiting"]
Answer = Callable[[Mapping[str, Any]], Json]


class Adapter:
    """One session. ``attached`` is whether another program runs the compiles, such as a test.

    ``virtual_folder`` is that of the debugger.
    """

    def __init__(
        self, stream: MessageStream, *, attached: bool = False, virtual_folder: str = ""
    ) -> None:
        self.stream = stream
        self.attached = attached
        self.numbers = count(1)
        self.lock = RLock()
        self.messages: SimpleQueue[Json | None] = SimpleQueue()
        self.state: State = "idle"
        self.debugger = Debugger(self, virtual_folder)
        self.sources = Sources(virtual_folder)
        self.options = ClientOptions()
        self.breakpoints = Breakpoints(self.debugger, self.sources, dialect_named(None, "puppet"))
        self.launched: Launch | None = None
        self.arguments: Mapping[str, Any] = {}
        self.configured = False
        self.restarts = False
        self.is_over = False
        self.interrupts = False
        self.inspection: Inspection | None = None
        self.resume: Resume | None = None
        self.at_any_time: dict[str, Answer] = {
            "initialize": self.initialize,
            "launch": self.launch,
            "attach": self.attach,
            "configurationDone": self.configuration_done,
            "setBreakpoints": self.breakpoints.set_lines,
            "setFunctionBreakpoints": self.breakpoints.set_functions,
            "setDataBreakpoints": self.breakpoints.set_data,
            "setExceptionBreakpoints": self.breakpoints.set_exceptions,
            "breakpointLocations": self.breakpoints.locations,
            "threads": self.threads,
            "source": self.source,
            "loadedSources": self.loaded_sources,
            "pause": self.pause,
            "terminate": self.terminate,
            "restart": self.restart,
            "disconnect": self.disconnect,
            "cancel": no_body,
        }
        self.while_waiting: dict[str, Callable[[Inspection], Answer]] = {
            "stackTrace": lambda shown: shown.stack_trace,
            "scopes": lambda shown: shown.scopes,
            "variables": lambda shown: shown.variables,
            "evaluate": lambda shown: shown.evaluate,
            "setVariable": lambda shown: shown.set_variable,
            "setExpression": lambda shown: shown.set_expression,
            "dataBreakpointInfo": lambda shown: shown.data_breakpoint_info,
            "completions": lambda shown: shown.completions,
            "exceptionInfo": lambda shown: shown.exception_info,
        }

    # -- messages ----------------------------------------------------------------------------------

    def send(self, kind: str, **fields: Any) -> None:
        """Send a message with the next number."""
        with self.lock:
            self.stream.write({"seq": next(self.numbers), "type": kind, **fields})

    def event(self, name: str, **body: Any) -> None:
        """Send an event."""
        self.send("event", event=name, body=body)

    def read_messages(self) -> None:
        """Take the messages of the client until it is gone."""
        while True:
            try:
                message = self.stream.read()
            except UnreadableMessage as error:
                self.event("output", category="stderr", output=f"{error}\n")
                message = {}
            except OSError:
                message = None
            if message is None:
                self.client_is_gone()
                return
            with self.lock:
                if self.state == "running":
                    self.answer(message)
                else:
                    self.messages.put(message)

    def client_is_gone(self) -> None:
        """End the session."""
        with self.lock:
            self.is_over = True
            self.messages.put(None)
            self.let_go(ends=not self.attached)

    def let_go(self, *, ends: bool) -> None:
        """End the compile, or let the program go on without the debugger."""
        if ends:
            self.debugger.end()
            return
        self.debugger.set_breakpoints([], [])
        self.debugger.levels = {}
        self.debugger.stepping = None
        self.resume = "continue"

    def answer(self, message: Json) -> None:
        """Answer a request; everything else is ignored."""
        if message.get("type") != "request":
            return
        name = str(message.get("command"))
        arguments = message.get("arguments")
        try:
            body = self.answer_of(name)(arguments if isinstance(arguments, dict) else {})
        except (RequestFailed, UsageError, PuppetError) as error:
            self.respond(message, error=str(error))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            self.respond(message, error=f"invalid arguments of {name}: {error!r}")
        else:
            self.respond(message, body)
        self.after(name)

    def answer_of(self, name: str) -> Answer:
        """Return the function that answers a request."""
        if name in self.at_any_time:
            return self.at_any_time[name]
        if name in RESUMES:
            return lambda _arguments: self.go_on(RESUMES[name])
        found = self.while_waiting.get(name)
        if found is None:
            raise RequestFailed(f"unknown request {name!r}")
        if self.inspection is None:
            raise RequestFailed("no code waits")
        return found(self.inspection)

    def respond(self, request: Json, body: Json | None = None, error: str | None = None) -> None:
        """Answer a request with a body or an error."""
        fields: Json = {"request_seq": request.get("seq"), "command": request.get("command")}
        if error is None:
            self.send("response", success=True, body=body or {}, **fields)
            return
        shown = {"id": 1, "format": error.replace("{", "{{"), "showUser": True}
        self.send("response", success=False, message=error, body={"error": shown}, **fields)

    def after(self, name: str) -> None:
        """Do what follows the answer to a request."""
        if name == "initialize":
            self.event("initialized")
        if self.interrupts:
            self.interrupts = False
            os.kill(os.getpid(), signal.SIGINT)

    # -- life --------------------------------------------------------------------------------------

    def serve(self) -> None:
        """Answer the client until it is gone."""
        self.begin_reading()
        while not self.is_over:
            if self.launched is not None and self.configured and self.restarts:
                self.run(self.launched)
            else:
                self.answer_one()

    def wait_until_configured(self) -> None:
        """Answer the client until it has set its breakpoints; then the program goes on."""
        self.begin_reading()
        while not (self.configured or self.is_over):
            self.answer_one()
        self.change_state("running")

    def begin_reading(self) -> None:
        """Start the thread that reads messages."""
        Thread(target=self.read_messages, name="messages", daemon=True).start()

    def answer_one(self) -> None:
        """Wait for a message and answer it."""
        message = self.messages.get()
        with self.lock:
            if message is None:
                self.is_over = True
            else:
                self.answer(message)

    def initialize(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``initialize``."""
        self.options = self.breakpoints.options = ClientOptions.of(arguments)
        return capabilities()

    def launch(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``launch``; the compile begins when the client has set its breakpoints."""
        self.arguments = arguments
        self.launched = self.read(arguments)
        self.restarts = True
        return {}

    def read(self, arguments: Mapping[str, Any]) -> Launch:
        """Return the compile that a client asks for."""
        found = read_launch(arguments, lambda text: self.note(text, "important"))
        dialect = dialect_named(found.request.language, found.request.follow)
        for changed in self.breakpoints.use_dialect(dialect):
            self.report_change(changed)
        return found

    def report_change(self, breakpoint_: LineBreakpoint) -> None:
        """Report to the client where a breakpoint stops now."""
        shown = self.breakpoints.shown_line(breakpoint_)
        self.event("breakpoint", reason="changed", breakpoint=shown)

    def attach(self, _arguments: Mapping[str, Any]) -> Json:
        """Answer ``attach``, which needs a program that waits for it."""
        if not self.attached:
            raise RequestFailed(
                "nothing to attach to: start tests with 'bunraku test --debugger PORT' and connect to the port"
            )
        return {}

    def configuration_done(self, _arguments: Mapping[str, Any]) -> Json:
        """Answer ``configurationDone``."""
        self.configured = True
        return {}

    def run(self, launch: Launch) -> None:
        """Compile, and report the result."""
        self.restarts = False
        self.sources.known.clear()
        for changed in self.breakpoints.begin_run():
            self.report_change(changed)
        self.change_state("running")
        self.event("thread", reason="started", threadId=THREAD)
        code = 1
        try:
            self.report(self.compile(launch))
            code = 0
        except PuppetError as error:
            self.report_error(error)
        except Ended:
            self.note("the compile was ended\n", "console")
        finally:
            self.change_state("idle")
            self.inspection = None
        if not self.goes_on():
            self.report_end(code)

    def goes_on(self) -> bool:
        """Return whether the client wants another compile, or is gone."""
        return self.restarts or self.is_over

    def report_end(self, code: int) -> None:
        """Report the end of the compile to the client."""
        self.event("thread", reason="exited", threadId=THREAD)
        self.event("exited", exitCode=code)
        self.event("terminated")

    def compile(self, launch: Launch) -> CompiledCatalog:
        """Compile with the debugger, or without it if the client asks for that."""
        if launch.no_debug:
            return compile_catalog(launch.request, self.log)
        return self.debugger.run(launch.request, stop_on_entry=launch.stop_on_entry)

    def change_state(self, state: State) -> None:
        """Change the state; messages that came before are answered."""
        with self.lock:
            self.state = state
            if state != "running":
                return
            while not self.messages.empty():
                message = self.messages.get()
                if message is None:
                    self.is_over = True
                    self.debugger.end()
                else:
                    self.answer(message)

    def threads(self, _arguments: Mapping[str, Any]) -> Json:
        """Answer ``threads``: there is one."""
        return {"threads": [{"id": THREAD, "name": "compile"}]}

    def pause(self, _arguments: Mapping[str, Any]) -> Json:
        """Answer ``pause``."""
        if self.state == "running":
            self.debugger.pause()
        return {}

    def terminate(self, _arguments: Mapping[str, Any]) -> Json:
        """Answer ``terminate``: the compile ends, and the session with it."""
        self.restarts = False
        if self.attached:
            self.interrupt()
        elif self.state == "idle":
            self.event("terminated")
        else:
            self.debugger.end()
        return {}

    def interrupt(self) -> None:
        """Interrupt the program that compiles, as Ctrl-C does, after the answer."""
        self.let_go(ends=False)
        self.interrupts = True

    def restart(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``restart``: compile again, perhaps something else."""
        if self.launched is None:
            raise RequestFailed("nothing was launched")
        given = arguments.get("arguments")
        self.arguments = {**self.arguments, **(given if isinstance(given, dict) else {})}
        self.launched = self.read(self.arguments)
        self.restarts = True
        if self.state != "idle":
            self.debugger.end()
        return {}

    def disconnect(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``disconnect``: the compile ends; an attached program goes on without the debugger."""
        self.is_over = True
        self.restarts = False
        if self.attached and arguments.get("terminateDebuggee"):
            self.interrupt()
        else:
            self.let_go(ends=not self.attached)
        return {}

    # -- sources -----------------------------------------------------------------------------------

    def source(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``source``: the text of code that has no file."""
        given = arguments.get("source") or {}
        number = int(given.get("sourceReference") or arguments.get("sourceReference") or 0)
        name = self.sources.numbered(number)
        if name is None:
            found = self.sources.at_path(self.options.our_path(str(given.get("path") or "")))
        else:
            found = self.sources.known.get(name)
        if found is None:
            raise RequestFailed(f"source {number} does not exist")
        text = found.text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        return {"content": text, "mimeType": "text/x-puppet"}

    def loaded_sources(self, _arguments: Mapping[str, Any]) -> Json:
        """Answer ``loadedSources``."""
        known = list(self.sources.known.values())
        return {"sources": [self.sources.as_json(one, self.options) for one in known]}

    def loaded(self, source: Source) -> None:
        """See :class:`bunraku.workbench.debugging.debugger.FrontEnd`."""
        with self.lock:
            if self.sources.add(source):
                shown = self.sources.as_json(source, self.options)
                self.event("loadedSource", reason="new", source=shown)

    # -- stops -------------------------------------------------------------------------------------

    def stopped(self, stop: Stop) -> Resume:
        """See :class:`bunraku.workbench.debugging.debugger.FrontEnd`."""
        with self.lock:
            if self.is_over:
                return "continue"
            self.state = "waiting"
            self.resume = None
            self.inspection = Inspection(self.debugger, stop, self.options, self.sources)
        self.event("stopped", **self.stop_body(stop))
        while self.waits():
            self.answer_one()
        self.inspection = None
        self.change_state("running")
        return self.chosen()

    def chosen(self) -> Resume:
        """Return how the client lets code go on."""
        return self.resume or "continue"

    def waits(self) -> bool:
        """Return whether code waits for the client."""
        return self.resume is None and not self.debugger.ending

    def stop_body(self, stop: Stop) -> Json:
        """Return the body of the event ``stopped``."""
        words = {"exception": "error" if stop.error else "warning"}
        body: Json = {
            "reason": stop.reason,
            "description": f"Paused on {words.get(stop.reason, stop.reason)}",
            "threadId": THREAD,
            "allThreadsStopped": True,
        }
        if stop.text:
            body["text"] = stop.text
        if stop.breakpoints:
            body["hitBreakpointIds"] = list(stop.breakpoints)
        return body

    def go_on(self, resume: Resume) -> Json:
        """Answer a request that lets code run."""
        if self.inspection is None:
            raise RequestFailed("no code waits")
        self.resume = resume
        return {"allThreadsContinued": True} if resume == "continue" else {}

    # -- output ------------------------------------------------------------------------------------

    def note(self, text: str, category: str, **fields: Any) -> None:
        """Show a text in the console of the client."""
        self.event("output", category=category, output=text, **fields)

    def log(self, entry: LogEntry) -> None:
        """See :class:`bunraku.workbench.debugging.debugger.FrontEnd`."""
        category = "stdout" if entry.level in ("notice", "info", "debug") else "stderr"
        scope = f"{entry.scope}: " if entry.scope else ""
        where = {}
        if entry.file and entry.line:
            source = self.sources.at_path(entry.file)
            if source is not None:
                where = {
                    "source": self.sources.as_json(source, self.options),
                    "line": self.options.line(entry.line),
                }
        self.note(f"{entry.level}: {scope}{entry.message}\n", category, **where)

    def output(self, text: str, frame: CodeFrame | None) -> None:
        """See :class:`bunraku.workbench.debugging.debugger.FrontEnd`."""
        where: Json = {}
        if frame is not None and frame.span is not None:
            where["source"] = self.sources.as_json(frame.span.source, self.options)
            where["line"] = self.options.line(frame.span.line)
        self.note(text, "console", **where)

    def report(self, catalog: CompiledCatalog) -> None:
        """Show a summary of the catalog."""
        by_type: dict[str, int] = {}
        for one in catalog.resources:
            by_type[one.type] = by_type.get(one.type, 0) + 1
        most = sorted(by_type.items(), key=lambda pair: (-pair[1], pair[0]))
        parts = ", ".join(f"{number} {name}" for name, number in most[:8])
        more = f", {len(most) - 8} other types" if len(most) > 8 else ""
        total = len(catalog.resources)
        self.note(f"catalog of {catalog.name}: {total} resources: {parts}{more}\n", "console")

    def report_error(self, error: PuppetError) -> None:
        """Show the errors of a compile, with their places."""
        for one in error:
            where: Json = {}
            source = self.sources.at_path(one.file) if one.file else None
            if source is not None and one.line:
                where["source"] = self.sources.as_json(source, self.options)
                where["line"] = self.options.line(one.line)
                where["column"] = self.options.column(one.column or 1)
            place = f"{one.file or '-e'}:{one.line}:{one.column}: " if one.line else ""
            hint = f"\n  hint: {one.hint}" if one.hint else ""
            text = f"{place}{one.severity}: {one.message} [{one.code}]{hint}\n"
            self.note(text, "stderr", **where)


def no_body(_arguments: Mapping[str, Any]) -> Json:
    """Answer a request that needs nothing."""
    return {}
