"""Servers and agents of a site that ``bunraku site init`` has made, as processes on loopback."""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bunraku.cli.main import main

BUNRAKU = (sys.executable, "-m", "bunraku")
NAME = "localhost"
SECONDS = 60


def free_ports(count: int) -> list[int]:
    """Return ports that are free at this moment."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def init_words(root: Path, *options: str) -> list[str]:
    """Return the command that makes a site on free ports of this machine."""
    server, puppetdb, dashboards = free_ports(3)
    return [
        *("site", "init", str(root), "--certname", NAME, "--listen", f"127.0.0.1:{server}"),
        *("--puppetdb-port", str(puppetdb), "--dashboard-port", str(dashboards)),
        *("--user", "root" if os.geteuid() == 0 else "", *options),
    ]


def printed_commands(text: str) -> list[list[str]]:
    """Return the commands that ``site init`` has printed for two terminals."""
    lines = re.findall(r"^  bunraku ((?:puppetdb|server) .*)$", text, re.MULTILINE)
    return [shlex.split(line) for line in lines]


def nodes_in(port: str) -> set[str]:
    """Return the nodes that the port for dashboards lists."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/pdb/query/v4/nodes") as answer:
        return {one["certname"] for one in json.load(answer)}


def ports_of(root: Path) -> tuple[str, str]:
    """Return the ports of the server and of dashboards."""
    data = json.loads((root / "site.json").read_text())
    return data["listen"].rpartition(":")[2], data["dashboards"].rpartition(":")[2]


@contextmanager
def running(commands: Sequence[Sequence[str]], log: Path) -> Iterator[None]:
    """Run the PuppetDB and the server of a site; each has answered when the block begins."""
    with ExitStack() as programs:
        for words in commands:
            programs.enter_context(service(words, log))
        yield


@contextmanager
def service(words: Sequence[str], log: Path) -> Iterator[None]:
    """Run one program until the end of the block."""
    with log.open("ab") as errors:
        process = subprocess.Popen([*BUNRAKU, *words], stdout=subprocess.PIPE, stderr=errors)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert b"://" in line, log.read_text()
        yield
    finally:
        process.terminate()
        try:
            process.wait(SECONDS)
        finally:
            process.kill()
            process.communicate()


def agent_words(root: Path, node: str, port: str) -> list[str]:
    """Return the command of an agent that writes below a directory only."""
    own = root / node
    names = ("confdir", "vardir", "publicdir", "rundir", "logdir", "codedir")
    return [
        *("agent", "--onetime", "--detailed-exitcodes", "--no-project", "--color", "never"),
        *("--certname", node, "--server", NAME, "--serverport", port, "--keylength", "2048"),
        *(word for name in names for word in (f"--{name}", str(own / name))),
        *("--waitforcert", "0"),
    ]


def agent(root: Path, node: str, port: str) -> subprocess.CompletedProcess[str]:
    """Run an agent once."""
    words = [*BUNRAKU, *agent_words(root, node, port)]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=SECONDS)


def call(*words: object) -> int:
    """Run a command in this process and return its exit code."""
    return main([str(word) for word in words])
