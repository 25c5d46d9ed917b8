"""Which server answers for a service: SRV records, ``server_list``, or the setting of the service.

The order, the messages and the choices are those of Puppet's agent 8 (``Puppet::HTTP::Session``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Literal, Protocol

from bunraku.agent import issues
from bunraku.agent.issues import NO_CONNECTION, REFUSED
from bunraku.agent.settings import AgentSettings
from bunraku.agent.splay import RANDOM
from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.providers.run import Log
from bunraku.world.host import Host, ServiceRecord

Service = Literal["puppet", "fileserver", "ca", "report"]
SETTINGS: Mapping[Service, tuple[str, str]] = {
    "puppet": ("server", "serverport"),
    "fileserver": ("server", "serverport"),
    "ca": ("ca_server", "ca_port"),
    "report": ("report_server", "report_port"),
}
"""Service → the settings with its host and port."""
OWN_SERVERS: Mapping[Service, str] = {"ca": "ca_server", "report": "report_server"}
"""Service → the setting that excludes it from ``server_list``."""
RECORDS: Mapping[Service, str] = {
    "puppet": "_x-puppet",
    "fileserver": "_x-puppet-fileserver",
    "ca": "_x-puppet-ca",
    "report": "_x-puppet-report",
}
"""Service → the first label of its SRV records."""
NEXT = " Trying with next server from server_list."


@record(frozen=True)
class Address:
    """The host and the port of a server."""

    host: str
    port: int

    def text(self) -> str:
        """Return the address as it stands in a URL.

        >>> Address("::1", 8140).text()
        '[::1]:8140'
        """
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Prober(Protocol):
    """What asks servers whether they answer; PuppetError if they do not."""

    def service_url(self, service: Service, address: Address) -> str:
        """Return the URL of a service on a server."""

    def reach(self, service: Service, address: Address) -> None:
        """Connect to a server."""

    def ask_status(self, address: Address) -> None:
        """Ask a server for its status."""


class Routes:
    """The servers of an agent, each found when its service is used for the first time."""

    def __init__(self, settings: AgentSettings, host: Host, log: Log) -> None:
        self.settings = settings
        self.host = host
        self.log = log
        self.found: dict[Service, Address] = {}
        self.listed: Address | None = None
        """The server of ``server_list`` that answered."""

    def forget(self) -> None:
        """Find all servers again."""
        self.found.clear()
        self.listed = None

    def find(self, service: Service, prober: Prober) -> Address:
        """Return the server of a service; PuppetError if none answers."""
        if service not in self.found:
            self.found[service] = self.search(service, prober)
        return self.found[service]

    def search(self, service: Service, prober: Prober) -> Address:
        """Return the first server that answers, by SRV records, ``server_list`` or the settings."""
        if self.settings.flag("use_srv_records"):
            for address in self.addresses_in_dns(service):
                if self.answers(service, address, prober):
                    return address
        if self.is_listed(service):
            listed = self.first_of_list(prober)
            if listed is None:
                raise issues.NO_ROUTE(service=service)
            return listed
        host, port = SETTINGS[service]
        address = Address(self.settings.text(host), self.settings.port(port))
        if self.answers(service, address, prober):
            return address
        raise issues.NO_ROUTE(service=service)

    def answers(self, service: Service, address: Address, prober: Prober) -> bool:
        """Return whether a server can be reached; log an error if not."""
        try:
            prober.reach(service, address)
        except PuppetError as error:
            if not error.is_a(NO_CONNECTION):
                raise
            url = prober.service_url(service, address)
            self.log("err", f"Connection to {url} failed, trying next route: {error.message}")
            return False
        return True

    # -- server_list -----------------------------------------------------------------------------

    def is_listed(self, service: Service) -> bool:
        """Return whether a service is on the servers of ``server_list``."""
        listed = bool(self.settings.words("server_list"))
        return listed and OWN_SERVERS.get(service) not in self.settings.given

    def first_of_list(self, prober: Prober) -> Address | None:
        """Return the first server of ``server_list`` whose status is good; None without one."""
        addresses = list(self.list_of_servers())
        for address in addresses if self.listed is None else ():
            try:
                prober.ask_status(address)
            except PuppetError as error:
                self.note_failure(address, error, last=address is addresses[-1])
            else:
                self.listed = address
                break
        return self.listed

    def list_of_servers(self) -> Iterator[Address]:
        """Yield the entries of ``server_list``; PuppetError for a wrong port."""
        for entry in self.settings.words("server_list"):
            host, colon, port = entry.partition(":")
            number = self.settings.port("serverport")
            if colon:
                number = int(port) if port.isdecimal() else 0
            if not host or not 1 <= number <= 65535:
                reason = "use names, each with a port if it is not serverport, such as a,b:8141"
                raise issues.BAD_SETTING(name="server_list", value=entry, reason=reason)
            yield Address(host, number)

    def note_failure(self, address: Address, error: PuppetError, *, last: bool) -> None:
        """Log why a server of ``server_list`` is not used; raise what ends the search."""
        if error.is_a(REFUSED):
            status, reason = error.arguments["status"], error.arguments["message"]
            text = f"Puppet server {address.text()} is unavailable: {status} {reason}"
        elif error.is_a(NO_CONNECTION):
            text = f"Unable to connect to server from server_list setting: {error.message}"
        else:
            raise error
        self.log("err" if last else "warning", text if last else text + NEXT)

    # -- SRV records -----------------------------------------------------------------------------

    def addresses_in_dns(self, service: Service) -> Iterator[Address]:
        """Yield the servers that SRV records name, the preferred ones first."""
        domain = self.settings.text("srv_domain")
        if not domain:
            self.log("debug", "Domain not known; skipping SRV lookup")
            return
        for kind in dict.fromkeys((service, "puppet")):
            name = f"{RECORDS[kind]}._tcp.{domain}"
            found = self.records(name)
            self.log("debug", f"Found {len(found)} SRV records for: {name}")
            if found:
                yield from (Address(one.target, one.port) for one in by_priority(found))
                return

    def records(self, name: str) -> list[ServiceRecord]:
        """Return the SRV records of a name; PuppetError if the lookup fails."""
        try:
            return self.host.service_records(name)
        except OSError as error:
            raise issues.NO_RECORDS(name=name, reason=error) from None


def by_priority(records: Iterable[ServiceRecord], random: Random = RANDOM) -> list[ServiceRecord]:
    """Return SRV records by priority; those of one priority at random, by weight, as Puppet 8.

    >>> first, last = ServiceRecord(1, 5, "a", 1), ServiceRecord(2, 9, "b", 1)
    >>> by_priority([last, first]) == [first, last]
    True
    """
    left = sorted(records, key=lambda one: one.priority)
    found = []
    while left:
        group = [one for one in left if one.priority == left[0].priority]
        chosen = random.choices(group, [one.weight * 10 or 1 for one in group])[0]
        left.remove(chosen)
        found.append(chosen)
    return found
