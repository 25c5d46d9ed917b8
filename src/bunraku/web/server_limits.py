"""What the clients of a server may use of its connections."""

from __future__ import annotations

from bunraku.base.records import record


@record(frozen=True)
class ServerLimits:
    """Limits of connections; times are in seconds.

    ``header_bytes`` limits line and headers of a request, ``header_seconds`` the time for them, and
    for the rest of a body whose response is complete, and to take the end of a response. A connection
    without requests is closed after ``idle_seconds``. After a signal, requests have ``stop_seconds``
    to end, and clients ``close_seconds`` to confirm the end of the connection.
    """

    connections: int = 500
    header_bytes: int = 64 * 1024
    header_seconds: float = 30.0
    idle_seconds: int = 30
    stop_seconds: int = 30
    close_seconds: float = 2.0
