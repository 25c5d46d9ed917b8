"""Calls of ``bunraku agent`` and ``bunraku ssl`` in this process, with a small server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from bunraku.cli.main import main
from support.puppet_server import JSON, Answer, Server, catalog, metadata, resource

NODE = "web1.example.com"
CA = "/puppet-ca/v1"
V3 = "/puppet/v3"
EXISTS = f"GET {V3}/file_metadatas/plugins"
FIRST = [
    f"GET {CA}/certificate/ca",
    f"GET {CA}/certificate_revocation_list/ca",
    f"PUT {CA}/certificate_request/{NODE}",
    f"GET {CA}/certificate/{NODE}",
]
EACH = [
    EXISTS,
    f"GET {V3}/file_metadatas/pluginfacts",
    f"GET {V3}/file_metadatas/plugins",
    f"POST {V3}/catalog/{NODE}",
    f"PUT {V3}/report/{NODE}",
]


def answer(data: object, status: int = 200) -> Answer:
    """Return an answer with data as JSON."""
    return status, JSON, json.dumps(data).encode()


def prepare(server: Server) -> None:
    """Let a server answer the requests of a run that shows "hello"."""
    server.answers = {
        f"GET {V3}/node/{NODE}": answer({"name": NODE, "environment": "production"}),
        EXISTS: answer([metadata(".", "directory")]),
        f"GET {V3}/file_metadatas/pluginfacts": answer([metadata(".", "directory")]),
        f"POST {V3}/catalog/{NODE}": catalog(NODE, resource("Notify", "hello")),
        f"PUT {V3}/report/{NODE}": answer(["store"]),
    }


def caller(port: int, folder: Path) -> Callable[..., int]:
    """Return a function that runs a command of the agent and returns its exit code."""

    def run(*words: str, command: str = "agent", test: bool = True) -> int:
        is_run = command == "agent" and test and "--disable" not in words
        return main(
            [
                command,
                *(["--test"] if is_run else []),
                *("--certname", NODE, "--server", "localhost", "--serverport", str(port)),
                *("--confdir", str(folder / "etc"), "--vardir", str(folder / "var")),
                *("--set", f"publicdir={folder / 'public'}"),
                *("--set", f"rundir={folder / 'run'}"),
                *("--set", "keylength=2048", "--no-project"),
                *words,
            ]
        )

    return run
