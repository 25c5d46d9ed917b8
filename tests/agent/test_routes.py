"""Which server an agent asks: SRV records, server_list, settings; messages are Puppet's."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from random import Random

import pytest

from bunraku.agent import issues
from bunraku.agent.http import refused
from bunraku.agent.routes import Address, Routes, by_priority
from bunraku.agent.settings import AgentSettings
from bunraku.base.errors import PuppetError
from bunraku.world.host import ServiceRecord
from bunraku.world.service_records import service_records
from support.host import MemoryHost

NO_CONNECTION = issues.NO_CONNECTION(url="URL", what="failed after 0.1 seconds: gone")


class Network:
    """Servers that answer, by address; all others cannot be reached."""

    def __init__(self, *running, busy=()):
        self.running, self.busy, self.asked = running, busy, []

    def service_url(self, service, address):
        return f"https://{address.text()}/{service}"

    def reach(self, _service, address):
        self.asked.append(f"reach {address.text()}")
        if address.text() not in (*self.running, *self.busy):
            raise NO_CONNECTION

    def ask_status(self, address):
        self.asked.append(f"status {address.text()}")
        if address.text() in self.busy:
            raise refused(503, "Service Unavailable")
        if address.text() not in self.running:
            raise NO_CONNECTION


@pytest.fixture
def routes():
    """Return a function that makes the routes of settings; ``log`` has what they say."""

    def make(records=(), **given):
        host = MemoryHost()
        host.records = dict(records)
        log = []
        found = Routes(AgentSettings(given, "web1"), host, lambda *words: log.append(words))
        found.lines = log
        return found

    return make


def test_the_settings_name_a_server_for_each_service(routes):
    found = routes(server="a", serverport="1", ca_server="b", report_server="c", report_port="3")
    network = Network("a:1", "b:1", "c:3")
    services = ("puppet", "fileserver", "ca", "report")
    addresses = [found.find(one, network).text() for one in services]
    assert addresses == ["a:1", "a:1", "b:1", "c:3"]
    assert found.find("puppet", network) == Address("a", 1)
    assert network.asked == ["reach a:1", "reach a:1", "reach b:1", "reach c:3"]


def test_a_server_that_is_gone_has_no_route(routes):
    found = routes(server="a")
    with pytest.raises(PuppetError, match="No more routes to ca"):
        found.find("ca", Network())
    assert found.lines == [
        (
            "err",
            (
                "Connection to https://a:8140/ca failed, trying next route: Request to URL failed after "
                "0.1 seconds: gone"
            ),
        )
    ]


def test_the_first_server_of_the_list_that_answers_is_used(routes):
    found = routes(server_list="a,b:1,c,d", server="x")
    network = Network("c:8140", "d:8140", busy=["b:1"])
    assert found.find("puppet", network).text() == "c:8140"
    assert found.find("ca", network).text() == "c:8140"
    assert network.asked == ["status a:8140", "status b:1", "status c:8140"]
    assert found.lines == [
        (
            "warning",
            (
                "Unable to connect to server from server_list setting: Request to URL failed after 0.1 "
                "seconds: gone Trying with next server from server_list."
            ),
        ),
        (
            "warning",
            (
                "Puppet server b:1 is unavailable: 503 Service Unavailable Trying with next server from "
                "server_list."
            ),
        ),
    ]


def test_a_list_without_a_good_server_is_an_error(routes):
    found = routes(server_list="a,b", server="x")
    network = Network("x:8140", busy=["b:8140"])
    with pytest.raises(PuppetError, match="No more routes to puppet"):
        found.find("puppet", network)
    assert network.asked == ["status a:8140", "status b:8140"]
    assert found.lines[-1] == (
        "err",
        "Puppet server b:8140 is unavailable: 503 Service Unavailable",
    )


def test_services_with_a_server_of_their_own_are_not_on_the_list(routes):
    found = routes(server_list="a", ca_server="b", report_server="c")
    network = Network("a:8140", "b:8140", "c:8140")
    services = ("puppet", "ca", "report")
    assert [found.find(one, network).host for one in services] == ["a", "b", "c"]


def test_a_forgotten_server_is_chosen_again(routes):
    found = routes(server_list="a,b")
    assert found.find("puppet", Network("a:8140")).host == "a"
    found.forget()
    assert found.find("puppet", Network("b:8140")).host == "b"


@pytest.mark.parametrize("entry", ["a:b", "a:0", ":1", "a:99999"])
def test_wrong_entries_of_the_list_are_errors(routes, entry):
    with pytest.raises(PuppetError, match=f"The setting 'server_list' cannot be '{entry}'"):
        routes(server_list=entry).find("puppet", Network())


# -- SRV records -----------------------------------------------------------------------------------

SRV = {"use_srv_records": True, "srv_domain": "example.com", "server": "x"}


def test_srv_records_come_first(routes):
    records = {
        "_x-puppet._tcp.example.com": [ServiceRecord(2, 1, "b", 2), ServiceRecord(1, 1, "a", 1)],
        "_x-puppet-ca._tcp.example.com": [ServiceRecord(1, 1, "ca", 3)],
    }
    found = routes(records, **SRV)
    network = Network("b:2", "ca:3", "x:8140")
    assert found.find("puppet", network).text() == "b:2"
    assert found.find("ca", network).text() == "ca:3"
    assert found.find("report", network).text() == "b:2"  # has no records of its own
    assert network.asked == ["reach a:1", "reach b:2", "reach ca:3", "reach a:1", "reach b:2"]


def test_the_settings_are_used_without_records(routes):
    found = routes(**SRV)
    assert found.find("puppet", Network("x:8140")).host == "x"
    assert ("debug", "Found 0 SRV records for: _x-puppet._tcp.example.com") in found.lines


def test_without_a_domain_no_records_are_looked_up(routes):
    found = routes(use_srv_records=True, server="x")
    assert found.find("puppet", Network("x:8140")).host == "x"
    assert ("debug", "Domain not known; skipping SRV lookup") in found.lines


def test_records_are_ordered_by_priority_and_chosen_by_weight():
    records = [ServiceRecord(1, weight, str(weight), 1) for weight in (0, 1, 9)]
    last = ServiceRecord(2, 60000, "last", 1)
    random = Random(7)
    firsts = []
    for _ in range(400):
        found = by_priority([last, *records], random)
        assert sorted(found[:3], key=lambda one: one.weight) == records
        assert found[3] == last
        firsts.append(found[0].weight)
    assert firsts.count(9) > firsts.count(1) > firsts.count(0)


@contextmanager
def name_server(answer):
    """Answer one question in the DNS over UDP; yield the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))

        def serve():
            question, client = listener.recvfrom(4096)
            listener.sendto(answer(question), client)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


def test_records_are_read_from_the_dns():
    message = pytest.importorskip("dns.message", reason="SRV records need the extra 'srv'")
    rrset = pytest.importorskip("dns.rrset")

    def answer(question):
        asked = message.from_wire(question)
        made = message.make_response(asked)
        name = asked.question[0].name
        made.answer.append(rrset.from_text(name, 60, "IN", "SRV", "1 5 8140 puppet.example.com."))
        return made.to_wire()

    with name_server(answer) as port:
        found = service_records("_x-puppet._tcp.example.com", ["127.0.0.1"], port)
    assert found == [ServiceRecord(1, 5, "puppet.example.com", 8140)]


def test_a_name_that_does_not_exist_has_no_records():
    message = pytest.importorskip("dns.message", reason="SRV records need the extra 'srv'")

    def answer(question):
        made = message.make_response(message.from_wire(question))
        made.set_rcode(3)
        return made.to_wire()

    with name_server(answer) as port:
        assert service_records("_x-puppet._tcp.example.com", ["127.0.0.1"], port) == []
