"""The resource types that wait for a server or a command: how long they wait, and when they give up."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.catalog.catalog import Catalog
from support.applying import Applied, apply
from support.host import Expected, MemoryHost

TCP = "Tcp_conn_validator"
WAIT = "Wait_for"


def manage(host: MemoryHost, kind: str, title: str, /, **parameters: object) -> Applied:
    """Apply one resource."""
    resource = {"type": kind, "title": title, "parameters": parameters}
    return apply(host, Catalog({"name": "host", "resources": [resource]}))


def test_a_server_that_answers_later() -> None:
    host = MemoryHost()
    host.addresses["db"] = "192.0.2.1"
    host.answering["192.0.2.1", 5432] = 2

    done = manage(host, TCP, "x y", host=["db"], port=5432, try_sleep=3)

    assert done.changes == []
    assert host.slept == [3, 3]


def test_a_server_that_never_answers() -> None:
    host = MemoryHost()
    host.addresses["db"] = "192.0.2.1"

    done = manage(host, TCP, "db:5432", timeout=4)

    reason = "Unable to connect to the  host. (192.0.2.1:5432)"
    text = f"change from 'absent' to 'present' failed: {reason}"
    assert done.changes == [f"Tcp_conn_validator[db:5432]/ensure: {text}"]


PUPPETDB = "Puppetdb_conn_validator"


def test_a_puppetdb_that_never_answers() -> None:
    host = MemoryHost()

    done = manage(host, PUPPETDB, "a", puppetdb_server="db", puppetdb_port=8081, timeout=4)

    reason = "Unable to connect to puppetdb server! (db:8081)"
    text = f"change from 'absent' to 'present' failed: {reason}"
    assert done.changes == [f"Puppetdb_conn_validator[a]/ensure: {text}"]
    assert set(host.slept) == {2.0}


def test_a_command_that_succeeds_later() -> None:
    fails, succeeds = Expected("check it", code=1), Expected("check it", output="a\nready\n")
    host = MemoryHost(commands=[fails, fails, succeeds])

    done = manage(host, WAIT, "check it", regex="^ready$", polling_frequency=2, max_retries=3)

    assert done.changes == ["Wait_for[check it]/regex: regex changed 'notrun' to '^ready$'"]
    assert host.slept == [2.0, 2.0]


def test_a_command_that_never_succeeds() -> None:
    host = MemoryHost(commands=[Expected("check it", code=4)])

    done = manage(host, WAIT, "check it", exit_code=[0, 1], max_retries=1)

    assert "failed: Exit status 4 after max_retries" in done.changes[0]
    assert host.slept == []


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (TCP, {"timeout": "soon"}),
        (TCP, {"ensure": "open"}),
        (TCP, {"timeout": float("inf")}),
        (WAIT, {}),
        (WAIT, {"regex": "x", "seconds": 1}),
        (WAIT, {"regex": "x", "max_retries": 0}),
        (WAIT, {"regex": "x", "environment": "A"}),
    ],
)
def test_wrong_values(kind: str, parameters: dict[str, object]) -> None:
    with pytest.raises(PuppetError):
        manage(MemoryHost(), kind, "a", **parameters)
