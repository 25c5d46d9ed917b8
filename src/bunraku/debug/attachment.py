"""A client that attaches to a program which compiles by itself, such as tests."""

from __future__ import annotations

import socket
from collections.abc import Callable

from bunraku.base.records import record
from bunraku.debug.adapter import Adapter
from bunraku.debug.serving import LOOPBACK, listening, stream_of
from bunraku.engine.hooks import Hooks
from bunraku.workbench.testing.data import FOLDER


@record(eq=False)
class Attachment:
    """An attached client. Compiles with ``hooks`` stop where it wants."""

    adapter: Adapter
    connection: socket.socket

    @property
    def hooks(self) -> Hooks:
        """The hooks of compiles."""
        return self.adapter.debugger.hooks

    def begin_test(self, name: str) -> None:
        """Show the name of a test that begins."""
        self.adapter.note(f"{name}\n", "console")

    def finish(self, code: int) -> None:
        """End the session of the client."""
        self.adapter.report_end(code)
        self.connection.close()


def wait_for_client(port: int, say: Callable[[str], None]) -> Attachment:
    """Return the client that connects to a port, when it has set its breakpoints. Raises UsageError."""
    with listening(port) as server:
        say(f"debugger: waiting for a client on {LOOPBACK}:{server.getsockname()[1]}")
        connection, _address = server.accept()
    adapter = Adapter(stream_of(connection), attached=True, virtual_folder=FOLDER)
    adapter.wait_until_configured()
    return Attachment(adapter, connection)
