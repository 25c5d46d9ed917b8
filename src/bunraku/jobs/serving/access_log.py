"""The access log: a line for each request, in the common format with the time it took."""

from __future__ import annotations

from collections.abc import Callable
from time import localtime, strftime

from bunraku.web.application import Visit


def nothing() -> None:
    """Do nothing: the standard error is not opened again."""


class AccessLog:
    """A log whose lines go to ``write``; ``reopen`` opens its file again after a rotation."""

    def __init__(
        self, write: Callable[[str], object], reopen: Callable[[], None] = nothing
    ) -> None:
        self.out = write
        self.reopen = reopen

    def write(self, visit: Visit) -> None:
        """Write the line of a request."""
        self.out(f"{line(visit, strftime('%d/%b/%Y:%H:%M:%S %z', localtime()))}\n")


def line(visit: Visit, time: str) -> str:
    """Return the line of a request; ``-`` stands for a status that was not sent.

    The fields are address, identity (never known), name in the certificate, time, request, status,
    bytes and milliseconds.
    """
    request = f"{visit.request.method} {visit.target} {visit.protocol}"
    return (
        f'{visit.address} - {visit.request.client or "-"} [{time}] "{quoted(request)}"'
        f" {visit.status or '-'} {visit.size} {visit.seconds * 1000:.0f}"
    )


def quoted(text: str) -> str:
    """Return a text without characters that could end the field or the line.

    >>> print(quoted('GET /a"b\\x1b HTTP/1.1'))
    GET /a\\x22b\\x1b HTTP/1.1
    """
    return "".join(
        one if one.isprintable() and one not in '"\\' else f"\\x{ord(one):02x}" for one in text
    )
