"""A server, and calls of the agent."""

from __future__ import annotations

import pytest

from support.agent_calls import caller, prepare
from support.puppet_server import serving


@pytest.fixture
def server(tmp_path):
    with serving(tmp_path / "server") as found:
        prepare(found)
        yield found


@pytest.fixture
def agent(server, tmp_path):
    """Return a function that runs the agent and returns its exit code."""
    return caller(server.port, tmp_path)
