"""What the server knows of its client, and what it sends without being asked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property

from bunraku.base.lazy_typing import TYPE_CHECKING, Any, Literal
from bunraku.base.records import field, record
from bunraku.lsp.background import Background
from bunraku.lsp.connection import JsonRpcStream
from bunraku.lsp.inbox import Inbox
from bunraku.lsp.options import editor_options
from bunraku.lsp.positions import ENCODINGS, Encoding
from bunraku.lsp.programs import Programs
from bunraku.workbench.editor.host import EditorHost

if TYPE_CHECKING:
    from bunraku.lsp import protocol

MESSAGE_TYPES = {"error": 1, "warning": 2, "info": 3, "log": 4}
MessageLevel = Literal["error", "warning", "info", "log"]


@record(eq=False, slots=False)
class ClientSession:
    """A client with its capabilities and its documents.

    ``options`` are the settings of the editor by name, ``given_options`` those with which it began, ``project_findings`` what the last check of the whole
    project found, by path. ``class_nodes`` are the nodes that include each class, by folder. ``versions`` are those of open documents by path, ``pending`` what waits for answers of the client.
    """

    connection: JsonRpcStream
    host: EditorHost
    background: Background
    inbox: Inbox
    encoding: Encoding = "utf-16"
    capabilities: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=lambda: editor_options({})[0])
    given_options: dict[str, Any] = field(default_factory=dict)
    project_findings: dict[str, list[protocol.Diagnostic]] = field(default_factory=dict)
    class_nodes: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    pending: dict[int, Callable[[Any], None]] = field(default_factory=dict)
    closing: ExitStack = field(default_factory=ExitStack)
    requests: int = 0
    shows_lenses: bool = False

    @cached_property
    def programs(self) -> Programs:
        """The programs that work for this client."""
        return Programs(self.inbox)

    @cached_property
    def directory(self) -> str:
        """A directory that only this user can read; it goes with the server."""
        from bunraku.world.scratch import scratch_directory

        return self.closing.enter_context(scratch_directory())

    def capability(self, *path: str) -> Any:
        """Return a capability of the client; None without it."""
        found: Any = self.capabilities
        for name in path:
            found = found.get(name) if isinstance(found, dict) else None
        return found

    def choose_encoding(self) -> None:
        """Choose the encoding of positions among those of the client."""
        offered = self.capability("general", "positionEncodings")
        if isinstance(offered, list):
            self.encoding = next((one for one in ENCODINGS if one in offered), "utf-16")

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.connection.write({"method": method, "params": params})

    def request(
        self, method: str, params: Any, then: Callable[[Any], None] = lambda _answer: None
    ) -> None:
        """Send a request; ``then`` gets the answer, and nothing if the client refuses."""
        self.requests += 1
        self.pending[self.requests] = then
        self.connection.write({"id": self.requests, "method": method, "params": params})

    def answered(self, message: dict[str, Any]) -> None:
        """Take an answer of the client."""
        then = self.pending.pop(message.get("id", 0), None)
        if then is not None and "error" not in message:
            then(message.get("result"))

    def log(self, text: str, level: MessageLevel = "info") -> None:
        """Write a line to the log that the editor shows."""
        params = {"type": MESSAGE_TYPES[level], "message": text}
        self.notify("window/logMessage", params)

    def show(self, text: str, level: MessageLevel = "warning") -> None:
        """Show a message to the user."""
        self.notify("window/showMessage", {"type": MESSAGE_TYPES[level], "message": text})
