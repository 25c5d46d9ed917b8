"""The HTTP client: kept connections, busy servers, compressed and cut answers."""

from __future__ import annotations

import gzip
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bunraku.web.client import Client, exchange
from bunraku.web.requests import HttpRequest

GZIP = {"accept-encoding": "gzip"}


class Handler(BaseHTTPRequestHandler):
    """Answers by the path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server = self.server
        server.seen.append((self.path, self.client_address[1]))
        if self.path == "/busy" and len(server.seen) < 3:
            return self.reply(503, b"", ("retry-after", "7"))
        if self.path == "/full":
            return self.reply(503, b"full")
        if self.path == "/closing":
            self.close_connection = True
            return self.reply(200, b"last")
        if self.path == "/packed":
            return self.reply(200, gzip.compress(b"x" * 100_000), ("content-encoding", "gzip"))
        if self.path == "/cut":
            packed = gzip.compress(bytes(range(256)) * 100)[:-20]
            return self.reply(200, packed, ("content-encoding", "gzip"))
        if self.path == "/unpacked":
            return self.reply(200, b"plain", ("content-encoding", "gzip"))
        return self.reply(200, b"hello")

    def reply(self, status, body, *headers):
        self.send_response(status)
        for name, value in (*headers, ("content-length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments):
        """Print nothing."""


@contextmanager
def serving():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.seen, server.daemon_threads = [], True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server, f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def get(client, url, headers=None):
    with client.exchange(HttpRequest("GET", url, headers or {})) as answer:
        return answer.status, answer.read()


def connections(server):
    return len({port for _path, port in server.seen})


def test_a_connection_is_kept_between_requests():
    with serving() as (server, base):
        client = Client()
        assert [get(client, f"{base}/{path}") for path in "abc"] == [(200, b"hello")] * 3
        client.close()
        assert connections(server) == 1


def test_an_unread_answer_does_not_disturb_the_next_one():
    with serving() as (server, base):
        client = Client()
        for _ in range(2):
            with client.exchange(HttpRequest("GET", f"{base}/packed", GZIP)) as answer:
                assert answer.read(10) == b"x" * 10
        assert get(client, base) == (200, b"hello")
        client.close()
        assert connections(server) == 1


def test_a_connection_is_not_used_after_its_time():
    times = iter([0.0, 5.0, 5.0])
    with serving() as (server, base):
        client = Client(keep=4.0, clock=lambda: next(times))
        get(client, base)
        get(client, base)
        client.close()
        assert connections(server) == 2


def test_a_connection_that_the_server_closed_is_replaced():
    with serving() as (server, base):
        client = Client()
        assert get(client, f"{base}/closing") == (200, b"last")
        assert get(client, base) == (200, b"hello")
        client.close()
        assert connections(server) == 2


def test_a_busy_server_is_asked_again_after_its_time():
    slept = []
    with serving() as (_server, base):
        client = Client(longest_wait=60.0, sleep=slept.append)
        assert get(client, f"{base}/busy") == (200, b"hello")
        assert get(client, f"{base}/full") == (503, b"full")  # does not say when
        client.close()
    assert slept == [7.0, 7.0]


def test_the_wait_for_a_busy_server_has_a_limit():
    slept = []
    with serving() as (_server, base):
        client = Client(longest_wait=2.0, sleep=slept.append)
        get(client, f"{base}/busy")
        client.close()
    assert slept == [2.0, 2.0]


def test_a_busy_server_is_an_answer_without_patience():
    with serving() as (_server, base), exchange(HttpRequest("GET", f"{base}/busy")) as answer:
        assert answer.status == 503


def test_compressed_answers_are_read_in_pieces():
    with serving() as (_server, base):
        with exchange(HttpRequest("GET", f"{base}/packed", GZIP)) as answer:
            pieces = []
            while piece := answer.read(30_000):
                pieces.append(len(piece))
        assert sum(pieces) == 100_000
        assert max(pieces) <= 30_000


@pytest.mark.parametrize(
    ("path", "reason"), [("cut", "ends early"), ("unpacked", "is not compressed as it says")]
)
def test_damaged_compressed_answers_are_errors(path, reason):
    with serving() as (_server, base), pytest.raises(OSError, match=reason):
        get(Client(keep=0.0), f"{base}/{path}", GZIP)


def test_answers_are_left_as_they_are_unless_gzip_was_allowed():
    with serving() as (_server, base), exchange(HttpRequest("GET", f"{base}/packed")) as answer:
        assert gzip.decompress(answer.read()) == b"x" * 100_000
