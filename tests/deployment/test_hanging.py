"""Remotes that hang or end early cost a bounded time, and Ctrl-C leaves nothing."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from bunraku.base.errors import PuppetError
from bunraku.deployment.git_cache import GitCache
from bunraku.web.client import exchange
from bunraku.web.requests import HttpRequest
from support.marked_processes import MarkedProcesses
from support.ruby import needs_reader


@contextmanager
def server(answer):
    """Accept connections and pass each to a function; yield the port and the connections."""
    connections = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve():
            while True:
                try:
                    connection, _address = listening.accept()
                except OSError:
                    return
                connections.append(connection)
                answer(connection)

        threading.Thread(target=serve, daemon=True).start()
        yield listening.getsockname()[1], connections
        listening.shutdown(socket.SHUT_RDWR)
    for connection in connections:
        connection.close()


def test_a_remote_that_says_nothing_is_asked_once_and_not_for_long(tmp_path):
    with server(lambda _connection: None) as (port, connections):
        cache = GitCache(str(tmp_path / "git"), seconds=1.0)
        remote = f"git://127.0.0.1:{port}/x.git"
        start = time.monotonic()
        for ref in ("main", "other"):
            with pytest.raises(PuppetError) as caught:
                cache.resolve(remote, ref)
            assert caught.value.code == "REMOTE_TIMEOUT"
        assert time.monotonic() - start < 10
        assert len(connections) == 1


@pytest.mark.parametrize("scheme", ["git", "http"])
def test_a_remote_that_ends_early_is_an_error(tmp_path, scheme):
    def end(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n00")
        connection.close()

    with server(end) as (port, _connections):
        cache = GitCache(str(tmp_path / "git"), seconds=20.0)
        with pytest.raises(PuppetError) as caught:
            cache.resolve(f"{scheme}://127.0.0.1:{port}/x.git", "main")
    assert caught.value.code == "REMOTE_FAILED"


@needs_reader
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_children_and_leaves_nothing(site, number):
    site.deploy()
    before = site.files()
    with server(lambda _connection: None) as (port, connections):
        site.puppetfile(
            *(
                f"mod '{name}', :git => 'git://127.0.0.1:{port}/{name}.git', :ref => 'x'"
                for name in "abcdef"
            )
        )
        command = [sys.executable, "-m", "bunraku", "deploy", "environment", "--config"]
        marked = MarkedProcesses(f"interrupt-{number}")
        process = subprocess.Popen(
            [*command, site.configure()],
            env={**os.environ, **marked.environment},
            stderr=subprocess.PIPE,
        )
        deadline = time.monotonic() + 60
        while len(connections) < 2:
            assert process.poll() is None, "it ended before it asked the remotes"
            assert time.monotonic() < deadline, "it has not asked the remotes"
            time.sleep(0.02)
        start = time.monotonic()
        process.send_signal(number)
        _output, errors = process.communicate(timeout=60)
        assert time.monotonic() - start < 20
        assert process.returncode in {130, 143}
        assert b"Traceback" not in errors
        marked.await_end()
    assert list((site.top / "cache/staging").iterdir()) == []
    assert list((site.top / ".env.bunraku").glob("staging/*")) == []
    assert site.files() == before


def run(site, *arguments, config=""):
    command = [sys.executable, "-m", "bunraku", "deploy", *arguments, "--config"]
    return subprocess.Popen([*command, config or site.configure()], stderr=subprocess.PIPE)


@needs_reader
def test_deployments_at_once_are_all_right(site):
    module = site.module()
    lines = [f"mod '{name}', :git => '{module.url}', :branch => 'main'" for name in "abc"]
    site.puppetfile(*lines)
    for number in range(3):
        site.control.branch(f"b{number}", {"marker": str(number)})
    config = site.configure()
    other = site.top / "other.yaml"
    data = json.loads((site.top / "r10k.yaml").read_text())
    sources = {"main": {"remote": site.control.url, "basedir": str(site.top / "env2")}}
    other.write_text(json.dumps({**data, "sources": sources}))
    site.deploy()
    for _round in range(2):
        runs = [run(site, "environment", config=config) for _number in range(2)]
        runs += [
            run(site, "environment", config=str(other)),
            run(site, "module", "a", config=config),
        ]
        for one in runs:
            _output, errors = one.communicate(timeout=120)
            assert one.returncode == 0, errors
        for base in ("env", "env2"):
            for name in ("production", "b0", "b1", "b2"):
                top = site.top / base / name
                found = {str(path.relative_to(top)) for path in top.rglob("*") if path.is_file()}
                assert {f"modules/{one}/manifests/init.pp" for one in "abc"} <= found
                assert ("marker" in found) is (name != "production")
        module.commit({f"new{_round}": "x"})
    assert list((site.top / "cache/staging").iterdir()) == []


@pytest.mark.parametrize(
    "head",
    ["Content-Length: 100000\r\n\r\n", "\r\n", "Transfer-Encoding: chunked\r\n\r\n5000\r\n", "X: "],
)
def test_an_answer_that_comes_byte_by_byte_ends(head):
    def drip(connection):
        def send():
            with suppress(OSError):
                connection.sendall(f"HTTP/1.1 200 OK\r\n{head}".encode())
                while True:
                    connection.sendall(b"x")
                    time.sleep(0.05)

        threading.Thread(target=send, daemon=True).start()

    with server(drip) as (port, _connections):
        request = HttpRequest("GET", f"http://127.0.0.1:{port}/", longest=1.0)
        start = time.monotonic()
        with pytest.raises(TimeoutError, match="more than 1 seconds"):
            read_all(request)
        assert time.monotonic() - start < 10


def read_all(request):
    with exchange(request) as answer:
        while answer.read(1 << 16):
            pass
