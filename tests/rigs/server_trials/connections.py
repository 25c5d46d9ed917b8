"""Clients that stop halfway, are slow, or are many: limits free them, and others are served meanwhile."""

from __future__ import annotations

import resource
import socket
import ssl
import threading
import time
from collections import Counter
from pathlib import Path

from rigs.server_trials.served_site import (
    ServedSite,
    asked_once,
    catalog_request,
    large_request,
)
from support.server_process import ServerProcess

LONGEST_ANSWER = 60.0
"""Seconds within which a good request is answered on a busy machine."""
LONGEST_LIFE = 420.0
"""Seconds after which no client that stops halfway has its connection: 300 for a body, and a reserve."""
ESTABLISHED = 1
"""The state of a connection in ``TCP_INFO`` (Linux, ``include/net/tcp_states.h``)."""
HEAD = b"Host: localhost\r\nAccept: */*\r\n"
PER_ADDRESS = 4000
"""Connections of a source address: each has about 28,000 ports."""


class HalfOpen:
    """A connection of a client that stops; ``trickle`` bytes are sent one each second."""

    def __init__(self, kind: str, connection: socket.socket, trickle: bytes = b"") -> None:
        self.kind = kind
        self.connection = connection
        self.trickle = trickle
        self.begin = time.monotonic()
        self.end: float | None = None
        connection.settimeout(0.001)

    def look(self) -> None:
        """Note whether the server has ended the connection; a client that reads nothing only looks."""
        try:
            if self.trickle:
                self.connection.sendall(self.trickle[:1])
                self.trickle = self.trickle[1:]
            if self.kind == "reads nothing":
                state = self.connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
                if state != ESTABLISHED:
                    self.finish()
            elif not self.connection.recv(1 << 16):
                self.finish()
        except (TimeoutError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return
        except OSError:
            self.finish()

    def finish(self) -> None:
        """Note the end."""
        self.end = time.monotonic() - self.begin
        self.connection.close()


def opened(site: ServedSite, server: ServerProcess, kind: str, node: str) -> HalfOpen:
    """Return a connection of a kind."""
    plain = socket.create_connection(server.address, timeout=60)
    if kind == "connects only":
        return HalfOpen(kind, plain)
    if kind in {"half a TLS handshake", "a TLS handshake, one byte a second"}:
        hello = client_hello(site, node)
        if kind == "half a TLS handshake":
            plain.sendall(hello[:100])
            return HalfOpen(kind, plain)
        return HalfOpen(kind, plain, hello)
    if kind == "reads nothing":
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    secure = site.context(node).wrap_socket(plain, server_hostname="localhost")
    method, target = large_request()
    head = f"{method} {target} HTTP/1.1\r\n".encode() + HEAD
    put = b"PUT /puppet-ca/v1/certificate_request/x HTTP/1.1\r\n" + HEAD
    if kind == "half a head":
        secure.sendall(head)
    elif kind == "half a body":
        secure.sendall(put + b"Content-Length: 1000\r\n\r\nabc")
    elif kind == "a head, one byte a second":
        return HalfOpen(kind, secure, head + b"X-Long: " + b"x" * 2000)
    elif kind == "a body, one byte a second":
        secure.sendall(put + b"Content-Length: 2000\r\n\r\n")
        return HalfOpen(kind, secure, b"x" * 2000)
    elif kind == "reads nothing":
        secure.sendall(head + b"\r\n")
    return HalfOpen(kind, secure)


KINDS = (
    "connects only",
    "half a TLS handshake",
    "a TLS handshake, one byte a second",
    "a handshake without a request",
    "half a head",
    "a head, one byte a second",
    "half a body",
    "a body, one byte a second",
    "reads nothing",
)


def client_hello(site: ServedSite, node: str) -> bytes:
    """Return the first message of a client of TLS."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    secure = site.context(node).wrap_bio(incoming, outgoing, server_hostname="localhost")
    try:
        secure.do_handshake()
    except ssl.SSLWantReadError:
        return outgoing.read()
    raise AssertionError("a handshake without an answer")


class GoodClient:
    """Sends good requests until the end, and notes the longest time of an answer."""

    def __init__(self, site: ServedSite, server: ServerProcess, faults: list) -> None:
        self.site = site
        self.server = server
        self.faults = faults
        self.answers = 0
        self.longest = 0.0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def __enter__(self) -> GoodClient:
        self.thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.ended.set()
        self.thread.join()

    def run(self) -> None:
        """Send a request each half second."""
        node = self.site.nodes[0]
        while not self.ended.wait(0.5):
            begin = time.monotonic()
            try:
                request = catalog_request(self.site, node, self.answers)
                status, body = asked_once(self.site, self.server, node, *request)
            except OSError as error:
                self.faults.append(("good request", repr(error)))
                continue
            self.longest = max(self.longest, time.monotonic() - begin)
            self.answers += 1
            if status != 200:
                self.faults.append(("good request", status, body[:300]))

    def judge(self, counts: Counter) -> None:
        """Count the answers."""
        counts["good requests answered meanwhile"] = self.answers
        counts["longest answer to a good request, milliseconds"] = round(self.longest * 1000)
        if self.longest > LONGEST_ANSWER or not self.answers:
            self.faults.append(("good requests", self.answers, self.longest))


def half_open(folder: Path, count: int) -> tuple[Counter, list]:
    """Let ``count`` clients of each kind stop halfway; return when they were freed, and the faults."""
    site = ServedSite(folder / "site", 1)
    server = site.start()
    counts: Counter = Counter()
    faults: list[tuple] = []
    try:
        before = server.megabytes()
        with GoodClient(site, server, faults) as good:
            clients = [
                opened(site, server, kind, site.nodes[0]) for kind in KINDS for _ in range(count)
            ]
            deadline = time.monotonic() + LONGEST_LIFE
            while any(one.end is None for one in clients) and time.monotonic() < deadline:
                begin = time.monotonic()
                for one in clients:
                    if one.end is None:
                        one.look()
                time.sleep(max(0.0, 1.0 - (time.monotonic() - begin)))
        good.judge(counts)
        for kind in KINDS:
            ends = [one.end for one in clients if one.kind == kind]
            if None in ends:
                faults.append((kind, "connections that stay", ends.count(None)))
            longest = max((end for end in ends if end is not None), default=0)
            counts[f"{kind}: seconds until the last of {count} connections was ended"] = round(
                longest
            )
        counts["more memory of the front process, MB"] = server.megabytes() - before
    finally:
        faults += [("exit code", code)] if (code := server.stop()) else []
    if "Traceback" in server.reported():
        faults.append(("log", server.reported()[-2000:]))
    return counts, faults


# -- many connections ------------------------------------------------------------------------------


def idle(folder: Path, count: int, clients: int = 4) -> tuple[Counter, list]:
    """Keep ``count`` connections open after a request each; return the memory, and the faults."""
    allow_descriptors(count + 500)
    site = ServedSite(folder / "site", 1)
    server = site.start()
    counts: Counter = Counter()
    faults: list[tuple] = []
    kept: list[socket.socket] = []
    try:
        asked_once(site, server, site.nodes[0], *catalog_request(site, site.nodes[0], 1))
        before = resident(server)
        begin = time.monotonic()
        with GoodClient(site, server, faults) as good:
            threads = [
                threading.Thread(
                    target=keep, args=(site, server, kept, faults, range(one, count, clients))
                )
                for one in range(clients)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            counts["seconds to open them"] = round(time.monotonic() - begin)
            counts["connections that are open"] = len(kept) - ended_among(kept)
            after = resident(server)
            time.sleep(5)
        good.judge(counts)
        counts["memory of the front process before, MB"] = before >> 20
        counts["memory of the front process with them, MB"] = after >> 20
        counts["bytes for each connection"] = (after - before) // max(1, len(kept))
        if counts["connections that are open"] != count:
            faults.append(("connections", counts["connections that are open"]))
    finally:
        for one in kept:
            one.close()
        faults += [("exit code", code)] if (code := server.stop()) else []
    if "Traceback" in server.reported():
        faults.append(("log", server.reported()[-2000:]))
    return counts, faults


def keep(site: ServedSite, server: ServerProcess, kept: list, faults: list, numbers: range) -> None:
    """Open connections, send a request on each, and keep them."""
    context = site.context(site.nodes[0])
    for number in numbers:
        source = (f"127.0.0.{2 + number // PER_ADDRESS}", 0)
        try:
            plain = socket.create_connection(server.address, 60, source)
            one = context.wrap_socket(plain, server_hostname="localhost")
            one.sendall(b"GET /status/v1/simple HTTP/1.1\r\n" + HEAD + b"\r\n")
            answer = one.recv(1000)
        except OSError as error:
            faults.append(("connection", number, repr(error)))
            return
        if b" 200 " not in answer:
            faults.append(("answer", number, answer))
            return
        kept.append(one)


def ended_among(kept: list[socket.socket]) -> int:
    """Return how many connections the server has ended."""
    ended = 0
    for one in kept:
        one.settimeout(0)
        try:
            ended += one.recv(1) == b""
        except (BlockingIOError, ssl.SSLWantReadError):
            continue
        except OSError:
            ended += 1
    return ended


def allow_descriptors(count: int) -> None:
    """Let this process open files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))


def resident(server: ServerProcess) -> int:
    """Return the bytes of memory that the front process has now."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize()
