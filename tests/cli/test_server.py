"""``bunraku server`` as a process: reload and stop with requests in flight, and systemd."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from bunraku.cli.main import main
from support.own_server import (
    COMMAND,
    PATIENCE,
    Held,
    Server,
    directories,
    environment,
    wait_for,
    write_site,
)
from support.systemd import Messages

pytest.importorskip("uvicorn", reason="the server needs the extra 'server'")
RELOADED = "notice: the configuration is reloaded"
NOT_RELOADED = "err: the configuration is not reloaded: "
METRICS = """
authorization: { version: 1, rules: [
  { name: all, sort-order: 1, allow: "*", match-request: { path: "/", type: path } } ] }
"""
NO_RULES = "authorization: { version: 1, rules: [] }\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The directories of a server that has made its authority."""
    root = tmp_path_factory.mktemp("made")
    write_site(root)
    assert main(["ca", "setup", *directories(root)]) == 0
    assert (
        main(["ca", "generate", *directories(root)[:-4], "--certname", "other.example.test"]) == 0
    )
    return root


@pytest.fixture
def root(made, tmp_path):
    """A copy of these directories."""
    for name in ("etc", "ca"):
        shutil.copytree(made / name, tmp_path / name, symlinks=True)
    (tmp_path / "rules").write_text(NO_RULES)
    shutil.rmtree(tmp_path / "environments", ignore_errors=True)
    (tmp_path / "etc").rename(tmp_path / "kept")
    write_site(tmp_path)
    (tmp_path / "etc").rmdir()
    (tmp_path / "kept").rename(tmp_path / "etc")
    return tmp_path


def start(words, **more):
    return subprocess.Popen(words, env=more.pop("env", environment()), **more)


@contextmanager
def serving(root, *options, start=start, listen=("--listen", "127.0.0.1:0")):
    server = Server(root, *listen, *options, start=start)
    try:
        yield server
    finally:
        server.end()


def configure(root: Path, text: str) -> None:
    """Write ``puppet.conf`` as deployments do: the new file replaces the old one."""
    (root / "etc/new").write_text(text)
    (root / "etc/new").rename(root / "etc/puppet.conf")


# -- reload ------------------------------------------------------------------------------------------


def test_a_reload_drops_no_request_and_changes_all(root):
    rules = root / "rules"
    with serving(root, "--auth-conf", str(rules)) as server:
        assert server.ask("/metrics")[0] == 403
        rules.write_text(METRICS)
        server.signal(signal.SIGHUP)
        wait_for(lambda: RELOADED in server.messages(), "the first reload")
        held = Held(server)
        (root / "access.log").rename(root / "access.log.1")
        configure(root, "[server]\nserverport = 8141\nenvironment = other\n")
        server.signal(signal.SIGHUP)
        wait_for(lambda: server.messages().count(RELOADED) == 2, "the second reload")
        assert "a restart is needed for the new serverport" in server.messages()
        assert "other" in server.catalog("nowhere")[1]
        assert server.ask("/metrics")[0] == 200
        status, text = held.release()
        assert (status, "released" in text) == (200, True)
        server.signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 0
    old, new = ((root / name).read_text() for name in ("access.log.1", "access.log"))
    assert [line.split()[-3] for line in old.splitlines()] == ["403"]
    assert [line.split()[-3] for line in new.splitlines()] == ["200", "200", "200"]


def test_a_reload_uses_another_certificate(root):
    with serving(root) as server:
        assert name_of(server) == "localhost"
        folder = root / "etc/ssl"
        configure(
            root,
            f"[server]\nhostcert = {folder}/certs/other.example.test.pem\n"
            f"hostprivkey = {folder}/private_keys/other.example.test.pem\n",
        )
        server.signal(signal.SIGHUP)
        wait_for(lambda: RELOADED in server.messages(), "the reload")
        assert name_of(server) == "other.example.test"
        assert server.catalog()[0] == 200


def name_of(server):
    """Return the common name in the certificate of the server."""
    address = ("127.0.0.1", server.port)
    with (
        socket.create_connection(address, PATIENCE) as raw,
        server.context().wrap_socket(raw) as secured,
    ):
        return dict(part[0] for part in secured.getpeercert()["subject"])["commonName"]


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("etc/puppet.conf", "[server]\nenvironment_timeout = soon\n", "environment_timeout"),
        ("etc/puppet.conf", "[server]\nreports = nowhere\n", "unknown report processor 'nowhere'"),
        ("etc/puppet.conf", "[server]\nhostcert = /nowhere\n", "/nowhere is missing"),
        ("etc/puppet.conf", "[server]\ncacert = /nowhere\n", "/nowhere"),
        ("rules", "authorization: { version: 1, rules: [ {} ] }", "/rules:"),
        ("etc/ssl/certs/localhost.pem", "no certificate", "cannot use the certificate"),
        ("etc/fileserver.conf", "[broken\n", "fileserver.conf"),
    ],
)
def test_a_wrong_configuration_changes_nothing(root, file, text, message):
    (root / "rules").write_text(METRICS)
    with serving(root, "--auth-conf", str(root / "rules")) as server:
        kept = server.context()
        held = Held(server)
        configure(root, "[server]\nenvironment = other\n")
        (root / "rules").write_text(NO_RULES)
        (root / file).write_text(text)
        server.signal(signal.SIGHUP)
        wait_for(lambda: NOT_RELOADED in server.messages(), "the refusal")
        assert message in server.messages().partition(NOT_RELOADED)[2]
        assert RELOADED not in server.messages()
        server.context = lambda: kept
        assert server.ask("/metrics")[0] == 200
        assert "plain" in server.catalog("nowhere")[1]
        assert held.release()[0] == 200
        assert server.process.poll() is None


# -- stop --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_finishes_requests_in_flight(root, number):
    with serving(root) as server:
        held = Held(server)
        server.signal(number)
        wait_for(lambda: not is_open(server.port), "the port is closed")
        assert server.process.poll() is None
        status, text = held.release()
        assert (status, "released" in text) == (200, True)
        assert server.process.wait(PATIENCE) == 0
        assert server.messages() == ""


def is_open(port):
    with socket.socket() as raw:
        return raw.connect_ex(("127.0.0.1", port)) == 0


def test_a_second_signal_interrupts_requests(root):
    with serving(root) as server:
        held = Held(server)
        server.signal(signal.SIGTERM)
        wait_for(lambda: not is_open(server.port), "the port is closed")
        server.signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 0
        held.thread.join(PATIENCE)
        answer = held.answers[0]
        assert not isinstance(answer, tuple) or answer[0] == 500


# -- systemd -----------------------------------------------------------------------------------------


AS_SYSTEMD = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=sys.argv[2], LISTEN_FDNAMES="x")
os.execv(sys.argv[3], sys.argv[3:])
"""
"""A program that starts another in its place, with a socket as descriptor 3."""


@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_is_notified(root, abstract):
    name = f"bunraku-test-{os.getpid()}" if abstract else str(root / "notify")
    address = f"@{name}" if abstract else name

    def with_watchdog(words, **more):
        env = environment(NOTIFY_SOCKET=address, WATCHDOG_USEC="100000")
        return start(words, env=env, **more)

    with (
        Messages(f"\0{name}" if abstract else name) as messages,
        serving(root, start=with_watchdog) as server,
    ):
        assert f"STATUS=serves on https://127.0.0.1:{server.port}" in messages.next("READY=1")
        for _ in range(3):
            messages.next("WATCHDOG=1")
        server.signal(signal.SIGHUP)
        name, _, number = messages.next("RELOADING=1").partition("\n")[2].partition("=")
        assert (name, number.isdigit()) == ("MONOTONIC_USEC", True)
        messages.next("READY=1")
        held = Held(server)
        server.signal(signal.SIGTERM)
        messages.next("STOPPING=1")
        messages.next("WATCHDOG=1")
        assert held.release()[0] == 200
        assert server.process.wait(PATIENCE) == 0
    assert {one.partition("=")[0] for one in messages.seen} == {
        *("READY", "WATCHDOG", "RELOADING", "STOPPING"),
    }


def test_the_watchdog_of_another_process_is_not_served(root):
    def with_watchdog(words, **more):
        more["env"] = environment(
            NOTIFY_SOCKET=str(root / "notify"), WATCHDOG_USEC="100000", WATCHDOG_PID="1"
        )
        return start(words, **more)

    with Messages(str(root / "notify")) as messages:
        with serving(root, start=with_watchdog) as server:
            messages.next("READY=1")
            assert server.catalog()[0] == 200
        messages.next("STOPPING=1")
    assert [one.partition("=")[0] for one in messages.seen] == ["READY", "STOPPING"]


def test_a_notification_that_fails_is_logged(root):
    def without_reader(words, **more):
        return start(words, env=environment(NOTIFY_SOCKET=str(root / "absent")), **more)

    with serving(root, start=without_reader) as server:
        assert server.catalog()[0] == 200
        assert "cannot send READY=1 to systemd: No such file or directory" in server.messages()


def test_the_server_explains_catalogs(root, capsys):
    def explain(node, *options):
        words = ("server", "explain", node, *directories(root), *options)
        code = main([*words, "--environmentpath", str(root / "environments")])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    with serving(root) as server:
        port = ("--serverport", str(server.port))
        code, text = explain("localhost", *port)
        assert (code, "No catalog of localhost was requested" in text) == (2, True)
        assert server.catalog()[0] == 200
        code, text = explain("localhost", *port)
        assert code == 0
        assert text.startswith("localhost (environment production, 20")
        assert text.endswith("Z): compiled, because what it depends on is not recorded\n")
        code, text = explain("localhost", *port, "--format", "json")
        assert (code, json.loads(text)["cause"]) == (0, "other")
        assert explain("../x", *port)[0] == 2
    code, text = explain("localhost", *port)
    assert (code, "Connection refused" in text) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["explain"], "explain needs the name of a node"),
        (["demo", "a.example.com"], "NODE belongs to bunraku server explain"),
        (["unit", "--format", "json"], "--format belongs to bunraku server explain"),
    ],
)
def test_only_explain_takes_a_node(words, message, capsys):
    assert main(["server", *words]) == 2
    assert message in capsys.readouterr().err


def with_descriptor(listening, count="1"):
    """Return a function that starts a program as systemd does, with a socket as descriptor 3."""

    def start_with(words, **more):
        program = [sys.executable, "-c", AS_SYSTEMD, str(listening.fileno()), count]
        return start([*program, *words], pass_fds=[listening.fileno()], **more)

    return start_with


def test_the_socket_of_systemd_is_used(root):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        early = socket.create_connection(("127.0.0.1", port))
        manifest = root / "environments/production/manifests/site.pp"
        manifest.write_text("notify { generate('/bin/sh', '-c', 'env; ls /proc/self/fd'): }\n")
        with serving(root, start=with_descriptor(listening), listen=()) as server:
            assert server.port == port
            # a connection from before the start of the server
            with early, server.context().wrap_socket(early) as secured:
                secured.sendall(b"GET /status/v1/simple HTTP/1.1\r\nHost: x\r\n\r\n")
                assert secured.recv(100).startswith(b"HTTP/1.1 200")
            status, text = server.catalog()
            assert (status, "LISTEN_" in text) == (200, False)
        assert is_open(port)  # the socket is systemd's: it stays


@pytest.mark.parametrize(
    ("kind", "count", "message"),
    [
        ("tcp", "2", "systemd has passed 2 sockets; use one ListenStream"),
        ("unix", "1", "the socket of systemd is not one that listens for TCP"),
        ("datagram", "1", "the socket of systemd is not one that listens for TCP"),
    ],
)
def test_other_sockets_are_refused(root, kind, count, message):
    family = socket.AF_UNIX if kind == "unix" else socket.AF_INET
    with socket.socket(
        family, socket.SOCK_DGRAM if kind == "datagram" else socket.SOCK_STREAM
    ) as one:
        one.bind(str(root / "socket") if kind == "unix" else ("127.0.0.1", 0))
        if kind != "datagram":
            one.listen()
        process = with_descriptor(one, count)(
            [*COMMAND, "server", *directories(root), "--puppetdb", "none"], stderr=-1, text=True
        )
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, message in errors) == (2, True), errors


def test_the_units_are_those_of_the_page(capsys):
    page = (Path(__file__).parents[2] / "docs/server.md").read_text(encoding="utf-8")
    for action in ("unit", "socket"):
        assert main(["server", action]) == 0
        text = capsys.readouterr().out
        program = next(
            (line for line in text.splitlines() if line.startswith("ExecStart=")), ""
        ).partition(" server")[0]
        assert text.replace(program or "\0", "ExecStart=/usr/local/bin/bunraku") in page


def test_systemd_accepts_the_units(tmp_path, capsys):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    for action, name in (("unit", "bunraku-server.service"), ("socket", "bunraku-server.socket")):
        assert main(["server", action]) == 0
        (tmp_path / name).write_text(capsys.readouterr().out)
        (tmp_path / name).chmod(0o644)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, tmp_path.iterdir())],
        capture_output=True,
        text=True,
        check=False,
    )
    mine = [line for line in done.stderr.splitlines() if "bunraku" in line]
    assert (done.returncode, mine) == (0, [])
