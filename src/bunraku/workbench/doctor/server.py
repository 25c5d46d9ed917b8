"""The settings, and the server that they name: its address, its port, its clock."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from ssl import SSLError

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.checks.settings_files import check_puppet_conf
from bunraku.formats.hocon import HoconError, read_hocon
from bunraku.modules.ini import SETTING, read_sections, setting_value
from bunraku.modules.settings import DEFAULTS, convert, wrong_value
from bunraku.puppetdb.client import connection_failure
from bunraku.web.requests import HttpRequest, TlsFiles
from bunraku.workbench.doctor.findings import Fault, FoundFault, Gap
from bunraku.workbench.doctor.machine import Examined, length

SECONDS = 5.0
SKEW = 120
"""Seconds between two clocks that are not a fault: a request takes some of them."""
BAD_LINE = Fault(
    "settings-unreadable",
    "error",
    "line {line} cannot be read",
    "bunraku validate {place} shows why",
)
UNKNOWN = Fault(
    "unknown-setting",
    "warning",
    "line {line}: {reason}",
    "correct or remove the line; bunraku validate {place} checks the file",
)
BAD_FILE = Fault(
    "configuration-invalid", "error", "the file cannot be read: {reason}", "correct {place}"
)
WRONG = Fault(
    "wrong-setting",
    "error",
    "line {line}: invalid value {value!r} of the setting {name}",
    "{reason}",
)
UNRESOLVED = Fault(
    "server-name-unresolved",
    "error",
    "the name of the server {place} does not resolve: {reason}",
    "see getent hosts {place}; bunraku puppet config set server NAME --section main names another one",
)
REFUSED = Fault(
    "server-unreachable",
    "error",
    "no connection to port {port} of {place}: {reason}",
    "on the server: systemctl status bunraku-server or puppetserver; ss -ltn shows the ports",
)
UNTRUSTED = Fault(
    "server-untrusted",
    "error",
    "the TLS connection failed: {reason}",
    "bunraku ssl verify checks the certificate of this machine",
)
CLOCK = Fault(
    "clock-differs",
    "error",
    "the clock of this machine is {age} {direction} that of {place}",
    "timedatectl status shows whether the clock is synchronized; timedatectl set-ntp true",
)


def check_settings(machine: Examined) -> Iterator[FoundFault | Gap]:
    """Find lines of puppet.conf that are not settings, unknown names and wrong values."""
    path = machine.configuration
    if machine.status(path) is None:
        yield Gap("puppet.conf", f"no file {path}", absent=True)
        return
    text = machine.host.read(path).decode("utf-8", "surrogateescape")
    for one in check_puppet_conf(Source(text, path)):
        fault = BAD_LINE if one.severity == "error" else UNKNOWN  # such a line can have a secret
        yield fault.at(path, line=one.line, reason=one.message)
    for number, line in enumerate(text.splitlines(), 1):
        found = None if line.lstrip().startswith("#") else SETTING.match(line)
        if found is not None:
            value = convert(found[1], setting_value(found[2]))
            reason = wrong_value(found[1], value)
            if reason is not None:
                yield WRONG.at(path, line=number, name=found[1], value=value, reason=reason)


def check_other_files(machine: Examined) -> Iterator[FoundFault]:
    """Find files of the server and of Hiera that cannot be read."""
    confdir = machine.of_server("confdir")
    above = f"{confdir.rstrip('/').rpartition('/')[0]}/puppetserver/conf.d"
    for path in (f"{above}/ca.conf", f"{above}/auth.conf"):
        if machine.status(path) is not None:
            try:
                read_hocon(machine.host.read(path).decode("utf-8", "replace"))
            except HoconError as error:
                yield BAD_FILE.at(path, reason=error)
    path = f"{confdir}/puppetdb.conf"
    if machine.status(path) is not None:
        try:
            read_sections(path, machine.host)
        except PuppetError as error:
            yield BAD_LINE.at(path, line=error.place.where[1])


def check_servers(machine: Examined) -> Iterator[FoundFault | Gap]:
    """Find servers without an address, without a listener, or with another time."""
    named = any(name in machine.given for name in ("server", "server_list", "ca_server"))
    if machine.agent["use_srv_records"]:
        yield Gap("server", "its name comes from SRV records")
        return
    if not named and not machine.has_agent:
        yield Gap("server", "no setting names it, and no agent is here", absent=True)
        return
    for name, port in dict.fromkeys(servers_of(machine)):
        yield from check_server(machine, name, port)


def servers_of(machine: Examined) -> Iterator[tuple[str, int]]:
    """Yield the names and ports of the servers that the agent asks."""
    number = machine.agent["serverport"]
    port = number if isinstance(number, int) else int(DEFAULTS["serverport"])
    listed = machine.agent["server_list"]
    listed = listed if isinstance(listed, list) else str(listed or "").split(",")
    for one in listed or [machine.of_agent("server")]:
        name, _, own = str(one).strip().partition(":")
        yield name, int(own) if own.isdecimal() else port
    if "ca_server" in machine.given:
        own = machine.of_agent("ca_port")
        yield machine.of_agent("ca_server"), int(own) if own.isdecimal() else port


def check_server(machine: Examined, name: str, port: int) -> Iterator[FoundFault | Gap]:
    """Find what is wrong with one server."""
    try:
        address = machine.host.address(name)
    except OSError as error:
        yield UNRESOLVED.at(name, reason=error.strerror or error)
        return
    try:
        machine.host.connect(address, port, SECONDS)
    except OSError as error:
        yield REFUSED.at(name, port=port, reason=error.strerror or error)
        return
    yield from check_clock(machine, name, port)


def check_clock(machine: Examined, name: str, port: int) -> Iterator[FoundFault | Gap]:
    """Find a clock that differs from that of a server."""
    authority = machine.of_agent("localcacert")
    if machine.status(authority) is None:
        yield Gap(f"clock of {name}", f"no file {authority}")
        return
    url = f"https://{name}:{port}/status/v1/simple"
    request = HttpRequest("GET", url, tls=TlsFiles(authority), seconds=SECONDS, longest=SECONDS)
    try:
        with machine.host.http(request) as response:
            text = response.headers.get("date", "")
        skew = machine.host.now() - parsedate_to_datetime(text).timestamp()
    except SSLError as error:
        yield UNTRUSTED.at(name, reason=connection_failure(error))
        return
    except OSError as error:
        yield Gap(f"clock of {name}", str(error.strerror or error))
        return
    except ValueError:
        yield Gap(f"clock of {name}", "it did not send its time")
        return
    if abs(skew) > SKEW:
        yield CLOCK.at(name, age=length(abs(skew)), direction="after" if skew > 0 else "before")
