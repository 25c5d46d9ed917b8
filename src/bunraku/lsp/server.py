"""The life of a server: it reads messages in one thread, and answers them in order in the main one."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from functools import cached_property
from threading import Thread

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.usage import UsageError
from bunraku.base.version import version
from bunraku.lsp.background import Background, Interrupted
from bunraku.lsp.client_process import watch_client
from bunraku.lsp.connection import (
    CONTENT_MODIFIED,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    REQUEST_CANCELLED,
    REQUEST_FAILED,
    SERVER_NOT_INITIALIZED,
    InvalidMessage,
    JsonRpcStream,
)
from bunraku.lsp.garbage import RareCollections, collect_later
from bunraku.lsp.inbox import Arrival, Inbox
from bunraku.lsp.methods import NOTIFICATIONS, REQUESTS, server_capabilities
from bunraku.lsp.programs import LaterAnswer, ProgramOutcome
from bunraku.lsp.query import ClientQuery, Json, member
from bunraku.lsp.session import ClientSession
from bunraku.lsp.shapes import check_shapes
from bunraku.lsp.uris import uri_path
from bunraku.workbench.editor.guard import Cancelled, Guard, Reason
from bunraku.workbench.editor.host import EditorHost, ProjectFinder
from bunraku.workbench.editor.project import EditedProject

if TYPE_CHECKING:
    from bunraku.workbench.lint.run import LintSettings

CANCELLED = {"cancelled": REQUEST_CANCELLED, "changed": CONTENT_MODIFIED}
Lint = Callable[[], "LintSettings"]
"""Returns the settings of the lint; raises UsageError."""


class LazyProjects:
    """Finds the projects of files; what it needs is imported after the first answer."""

    def __init__(self, note: Callable[[str], None], lint: Lint) -> None:
        self.note = note
        self.lint = lint

    @cached_property
    def finder(self) -> ProjectFinder:
        """What finds projects."""
        from bunraku.jobs.editor import Projects

        return Projects(self.note, self.lint)

    def __call__(self, directory: str) -> EditedProject:
        """Return the project of a directory."""
        return self.finder(directory)

    def forget(self) -> None:
        """Read the projects again."""
        self.__dict__.pop("finder", None)


class Server:
    """One client's server."""

    def __init__(self, connection: JsonRpcStream, lint: Lint) -> None:
        self.connection = connection
        self.background = Background()
        self.inbox = Inbox(self.background.interrupt)
        self.session = ClientSession(
            connection,
            EditorHost(LazyProjects(self.note, lint), gc.freeze),
            self.background,
            self.inbox,
        )
        self.inbox.on_cancel = lambda request: self.session.programs.kill(program_of(request))
        self.state = "new"
        self.shut_down = False

    def run(self) -> int:
        """Serve until the client ends; return 0 if it said so before, else 1."""
        Thread(target=self.read_all, name="reader", daemon=True).start()
        try:
            return self.serve()
        finally:
            self.session.programs.end_all()
            self.session.closing.close()

    def serve(self) -> int:
        """Answer messages until the client ends."""
        with self.background, RareCollections():
            while self.state != "ended":
                message = self.inbox.take(self.background.wait())
                if message is not None:
                    self.handle(message)
                    collect_later(self.background)
                elif self.inbox.is_closed:
                    return 1
                elif self.background.tasks:
                    self.run_step()
        return 0 if self.shut_down else 1

    def read_all(self) -> None:
        """Read messages to the end."""
        while True:
            try:
                message = self.connection.read()
            except InvalidMessage as error:
                self.inbox.add(error)
                continue
            except (OSError, ValueError):  # a closed file raises ValueError
                message = None
            if message is None:
                self.inbox.close()
                return
            self.inbox.add(message)

    def run_step(self) -> None:
        """Run a step of the work in the background; its errors are logged."""
        try:
            self.background.run_step(lambda: self.inbox.is_waiting)
        except Interrupted:
            return
        except Exception as error:
            self.background.drop_current()
            self.session.log(self.failure(error), "error")

    # -- messages --------------------------------------------------------------------------------

    def handle(self, message: Arrival) -> None:
        """Answer a message."""
        if callable(message):
            message()
            return
        if isinstance(message, InvalidMessage):
            self.refuse(None, message.code, str(message))
        elif isinstance(message, dict):
            if "method" not in message:
                self.session.answered(message)
            elif "id" in message:
                self.answer(message["id"], str(message["method"]), message.get("params"))
            else:
                self.take(str(message["method"]), message.get("params"))

    def answer(self, request: Any, method: str, params: Any) -> None:
        """Answer a request: with a result or an error, and exactly once."""
        is_first = self.state == "new"
        self.respond(request, lambda: self.result(request, method, params))
        if not is_first:
            self.background.pause()

    def respond(self, request: Any, compute: Callable[[], Json]) -> None:
        """Send what is computed as the answer, or the reason why there is none."""
        try:
            if self.inbox.is_cancelled(request):
                raise Cancelled("cancelled")
            result = compute()
            if isinstance(result, LaterAnswer):
                self.begin(request, result)
                return
        except Cancelled as cancelled:
            self.refuse(request, CANCELLED[cancelled.reason], "the request was cancelled")
        except InvalidMessage as error:
            self.refuse(request, error.code, str(error))
        except (PuppetError, UsageError) as error:
            self.refuse(request, REQUEST_FAILED, str(error))
        except Exception as error:
            text = self.failure(error)
            self.session.log(text, "error")
            self.refuse(request, INTERNAL_ERROR, text.partition("\n")[0])
        else:
            self.connection.write({"id": request, "result": result})
        self.inbox.forget(request)

    def begin(self, request: Any, later: LaterAnswer) -> None:
        """Start the program that finds an answer."""

        def take(outcome: ProgramOutcome) -> None:
            self.respond(request, lambda: later.answer(outcome))

        self.session.programs.start(
            program_of(request),
            later.command,
            later.directory,
            take,
            content=later.content,
            is_urgent=True,
        )

    def refuse(self, request: Any, code: int, text: str) -> None:
        """Answer a request with an error."""
        self.connection.write({"id": request, "error": {"code": code, "message": text}})

    def failure(self, error: Exception) -> str:
        """Return what an internal error was, and where; its text can have data, so that is left out."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = ""
        if trace is not None:
            code = trace.tb_frame.f_code
            place = f" in {code.co_name} ({os.path.basename(code.co_filename)}:{trace.tb_lineno})"
        return f"internal error: {type(error).__name__}{place}"

    def result(self, request: Any, method: str, params: Any) -> Json:
        """Return the result of a request. Raises InvalidMessage, Cancelled and what a feature raises."""
        if self.state == "new" and method != "initialize":
            raise InvalidMessage(SERVER_NOT_INITIALIZED, "the first request must be initialize")
        if self.shut_down:
            raise InvalidMessage(INVALID_REQUEST, "the server is shut down")
        if method == "initialize":
            return self.initialize(checked_params(params))
        if method == "shutdown":
            self.shut_down = True
            return None
        feature = REQUESTS.get(method)
        if feature is None:
            raise InvalidMessage(METHOD_NOT_FOUND, f"unknown method {method}")
        guard = Guard(lambda: self.reason_to_end(request, feature.retried))
        query = ClientQuery(self.session, checked_params(params), guard)
        return feature.answer(query)

    def reason_to_end(self, request: Any, retried: bool) -> Reason | None:
        """Return why the answer to a request is not needed any more."""
        if self.inbox.is_cancelled(request):
            return "cancelled"
        return "changed" if retried and self.inbox.changes else None

    def take(self, method: str, params: Any) -> None:
        """Take a notification; unknown ones are ignored, as the protocol says."""
        if method == "exit":
            self.state = "ended"
        elif self.state == "running" and not self.shut_down:
            act = NOTIFICATIONS.get(method)
            if act is None:
                return
            try:
                act(ClientQuery(self.session, checked_params(params), Guard()))
            except InvalidMessage as error:
                self.session.log(f"{method}: {error}", "error")
            except Exception as error:
                self.session.log(self.failure(error), "error")

    def note(self, text: str) -> None:
        """Show what is wrong with the configuration of a project."""
        self.session.show(text)

    # -- the beginning ---------------------------------------------------------------------------

    def initialize(self, params: dict[str, Any]) -> Json:
        """Learn what the client can do, and say what the server can do."""
        if self.state != "new":
            raise InvalidMessage(INVALID_REQUEST, "initialize was sent before")
        session = self.session
        session.capabilities = params.get("capabilities") or {}
        session.given_options = params.get("initializationOptions") or {}
        session.choose_encoding()
        session.host.set_folders(folders_in(params))
        watch_client(params.get("processId"), self.inbox.close)
        self.state = "running"
        return {
            "capabilities": {"positionEncoding": session.encoding, **server_capabilities()},
            "serverInfo": {"name": "bunraku", "version": version()},
        }


def program_of(request: Any) -> str:
    """Return the name of the program that finds the answer to a request."""
    return f"request {request!r}"


def checked_params(params: Any) -> dict[str, Any]:
    """Return the parameters of a message. Raises InvalidMessage."""
    if params is None:
        return {}
    if not isinstance(params, dict):
        raise InvalidMessage(INVALID_PARAMS, "the parameters are not an object")
    check_shapes(params)
    return params


def folders_in(params: dict[str, Any]) -> list[str]:
    """Return the paths of the folders that a client opens."""
    folders = params.get("workspaceFolders")
    if folders is None:
        root = params.get("rootUri")
        path = params.get("rootPath")
        return [uri_path(root)] if root else [path] if path else []
    return [uri_path(member(one, "uri")) for one in folders]
