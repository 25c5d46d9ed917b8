"""A node's life with a server: certificate, runs, environments, failures. What the agent sends is
compared with the records of Puppet's agent.
"""

from __future__ import annotations

import json

import pytest

from bunraku.cli.main import main
from support.puppet_server import JSON, catalog, metadata, resource, serving

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


@pytest.fixture
def server(tmp_path):
    with serving(tmp_path / "server") as found:
        found.answers = {
            f"GET {V3}/node/{NODE}": answer({"name": NODE, "environment": "production"}),
            EXISTS: answer([metadata(".", "directory")]),
            f"GET {V3}/file_metadatas/pluginfacts": answer([metadata(".", "directory")]),
            f"POST {V3}/catalog/{NODE}": catalog(NODE, resource("Notify", "hello")),
            f"PUT {V3}/report/{NODE}": answer(["store"]),
        }
        yield found


def answer(data, status=200):
    return status, JSON, json.dumps(data).encode()


@pytest.fixture
def agent(server, tmp_path):
    """Return a function that runs the agent and returns its exit code."""

    def run(*words, command="agent"):
        return main(
            [
                command,
                *(["--test"] if command == "agent" and "--disable" not in words else []),
                "--certname", NODE,
                "--server", "localhost",
                "--serverport", str(server.port),
                "--confdir", str(tmp_path / "etc"),
                "--vardir", str(tmp_path / "var"),
                "--set", f"publicdir={tmp_path / 'public'}",
                "--set", f"rundir={tmp_path / 'run'}",
                "--set", "keylength=2048",
                "--no-project",
                *words,
            ]
        )  # fmt: skip

    return run


def test_first_run_asks_as_puppet_does(server, agent, tmp_path, capsys):
    assert agent() == 2
    printed = capsys.readouterr()
    assert "Notice: hello" in printed.out
    assert "Info: Using environment 'production'" in printed.out
    assert [one.line for one in server.asked] == [*FIRST, f"GET {V3}/node/{NODE}", *EACH]
    assert [one.client for one in server.asked] == [None] * 4 + [NODE] * 6
    assert len({one.connection for one in server.asked[4:]}) == 1
