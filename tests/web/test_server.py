"""Limits of a real server: clients that send or take nothing lose their connection."""

from __future__ import annotations

import socket
import subprocess
import sys
import textwrap
import time
from contextlib import closing

import pytest

from support.server_process import ROOT

PROGRAM = """
    from bunraku.web.application import Application, Limits
    from bunraku.web.http import Response
    from bunraku.web.listeners import Listener, open_socket
    from bunraku.web.server import serve
    from bunraku.web.server_limits import ServerLimits

    def answer(request):
        if request.path == "/refused":
            return Response(403, {}, ["no"])
        size = len(request.read(1 << 20))
        if request.path == "/large":
            return Response(200, {}, (b"x" * 100_000 for _ in range(1000)))
        if request.path == "/last":
            return Response(200, {"connection": "close"}, [b"x" * 50_000_000])
        return Response(200, {}, [str(size)])

    serve(
        Application(answer, Limits(threads=4, ahead=10, body_seconds=1.0, piece_seconds=1.0)),
        [listener := Listener(open_socket("127.0.0.1", 0))],
        lambda: print(listener.socket.getsockname()[1], flush=True),
        ServerLimits(connections=50, header_seconds=1.0, idle_seconds=8),
    )
"""
SECONDS = 30


@pytest.fixture(scope="module")
def port():
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(ROOT / "src")},
    ) as process:
        yield int(process.stdout.readline())
        process.terminate()
        assert process.wait(SECONDS) == 0
        assert process.stderr.read() == ""


def connected(port):
    return closing(socket.create_connection(("127.0.0.1", port), SECONDS))


def rest(client):
    """All that comes until the server ends the connection."""
    found = b""
    try:
        while piece := client.recv(1 << 16):
            found += piece
    except ConnectionResetError:
        pass
    return found


def whole(client):
    """One answer; its body is ``0``."""
    found = b""
    while not found.endswith(b"\r\n\r\n0"):
        found += client.recv(1000)
    return found


HEAD = b"Host: localhost\r\n"
CASES = {
    "nothing": (b"", b""),
    "half a head": (b"GET / HTTP/1.1\r\nHost: lo", b""),
    "half a body": (b"POST / HTTP/1.1\r\n" + HEAD + b"Content-Length: 100\r\n\r\nabc", b"408"),
    "a request, then nothing": (b"GET / HTTP/1.1\r\n" + HEAD + b"\r\n", b"200"),
    "a request, then half a head": (b"GET / HTTP/1.1\r\n" + HEAD + b"\r\nGET / HT", b"200"),
    "a refused request, then half a body": (
        b"POST /refused HTTP/1.1\r\n" + HEAD + b"Content-Length: 1000\r\n\r\n" + b"x" * 20,
        b"403",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_client_that_stops_loses_the_connection(port, case):
    content, expected = CASES[case]
    with connected(port) as client:
        client.sendall(content)
        assert expected in rest(client)[:20]


def test_a_body_that_trickles_after_its_response_loses_the_connection(port):
    with connected(port) as client:
        client.sendall(CASES["a refused request, then half a body"][0])
        client.settimeout(0.2)
        for _ in range(500):
            try:
                client.sendall(b"x")
                if not client.recv(1000):
                    return
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                return
        pytest.fail("the server reads on")


@pytest.mark.parametrize("path", ["/large", "/last"])
def test_a_client_that_takes_nothing_loses_the_connection(port, path):
    with connected(port) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(b"GET %s HTTP/1.1\r\n" % path.encode() + HEAD + b"\r\n")
        for _ in range(600):  # sending fails once the server has ended the connection
            try:
                client.sendall(b"\r\n")
            except (ConnectionResetError, BrokenPipeError):
                return
            time.sleep(0.05)
        pytest.fail("the connection stays")


def test_an_idle_connection_is_kept_longer_than_a_begun_request(port):
    with connected(port) as client:
        client.sendall(b"GET / HTTP/1.1\r\n" + HEAD + b"\r\n")
        assert whole(client).startswith(b"HTTP/1.1 200 ")
        client.settimeout(2.0)
        with pytest.raises(TimeoutError):
            client.recv(1)
        client.settimeout(SECONDS)
        client.sendall(b"GET / HTTP/1.1\r\n" + HEAD + b"\r\n")
        assert whole(client).startswith(b"HTTP/1.1 200 ")


def test_two_statements_about_the_end_of_a_body_are_refused(port):
    request = (
        b"POST / HTTP/1.1\r\n" + HEAD + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    with connected(port) as client:
        client.sendall(request + b"0\r\n\r\nGET /smuggled HTTP/1.1\r\n" + HEAD + b"\r\n")
        found = rest(client)
    assert found.startswith(b"HTTP/1.1 400 ")
    assert found.count(b"HTTP/1.1 ") == 1


LIMITS = """
    import resource, sys
    from bunraku.web.server import RESERVE, possible_connections

    soft, hard, wanted = map(int, sys.argv[1:])
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    print(possible_connections(wanted), resource.getrlimit(resource.RLIMIT_NOFILE)[0], RESERVE)
"""


@pytest.mark.parametrize(
    ("soft", "hard", "wanted", "found", "allowed"),
    [(256, 4000, 100, 100, 100 + 2048), (256, 400, 1000, 200, 400), (3500, 4000, 100, 100, 3500)],
)
def test_the_limit_of_open_files_is_raised_for_connections(soft, hard, wanted, found, allowed):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(LIMITS), *map(str, (soft, hard, wanted))],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "src")},
    )
    assert done.stdout.split() == [str(found), str(allowed), "2048"]
