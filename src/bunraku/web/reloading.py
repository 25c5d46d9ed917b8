"""TLS whose files are read again when they change, such as a revocation list."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable
from threading import Lock
from typing import TypeAlias

from bunraku.web.tls import Tls, TlsError

Signature: TypeAlias = "tuple[tuple[int, int, int] | None, ...]"


class ReloadingTls:
    """A context of TLS that follows its files: each handshake uses their current contents.

    Sessions are not resumed, so that a revoked certificate is refused at the next handshake. If a
    changed file cannot be used, the earlier contents stay in use, and ``report`` is called.
    """

    def __init__(self, tls: Tls, report: Callable[[str], None]) -> None:
        self.tls = tls
        self.report = report
        self.lock = Lock()
        self.signature = signature(tls)
        self.current = new_context(tls)
        self.context = new_context(tls)
        self.context.sni_callback = self.use_current

    def use_current(
        self, connection: ssl.SSLObject | ssl.SSLSocket, _name: str | None, _context: ssl.SSLContext
    ) -> None:
        """Give a new connection the context of the current files."""
        with self.lock:
            found = signature(self.tls)
            if found != self.signature:
                self.signature = found
                try:
                    self.current = new_context(self.tls)
                except TlsError as error:
                    self.report(f"The changed files of TLS are not used: {error}")
            connection.context = self.current


def new_context(tls: Tls) -> ssl.SSLContext:
    """Return a context without tickets for sessions."""
    context = tls.context()
    context.options |= ssl.OP_NO_TICKET
    context.num_tickets = 0
    return context


def signature(tls: Tls) -> Signature:
    """Return what changes when one of the files changes; None for a file that is missing."""
    found: list[tuple[int, int, int] | None] = []
    for path in (tls.cert, tls.key, tls.ca_cert, tls.crl):
        try:
            status = os.stat(path or "")
            found.append((status.st_mtime_ns, status.st_size, status.st_ino))
        except OSError:
            found.append(None)
    return tuple(found)
