"""Values of rules in the forms in which ``iptables-save`` prints them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Command

NEGATED = re.compile(r"!\s?(.*)$")
MARK = re.compile(r"(!\s)?([a-fA-F0-9x]+)(/)?([a-fA-F0-9x]+)?")
SERVICE = re.compile(r"^(\S+)\s+(\d+)/(\w+)(.*)$", re.MULTILINE)
ICMP: Mapping[str, Mapping[str, str]] = {
    "IPv4": {
        "echo-reply": "0",
        "destination-unreachable": "3",
        "source-quench": "4",
        "redirect": "6",
        "echo-request": "8",
        "router-advertisement": "9",
        "router-solicitation": "10",
        "time-exceeded": "11",
        "parameter-problem": "12",
        "timestamp-request": "13",
        "timestamp-reply": "14",
        "address-mask-request": "17",
        "address-mask-reply": "18",
    },
    "IPv6": {
        "destination-unreachable": "1",
        "too-big": "2",
        "time-exceeded": "3",
        "parameter-problem": "4",
        "echo-request": "128",
        "echo-reply": "129",
        "router-solicitation": "133",
        "router-advertisement": "134",
        "neighbour-solicitation": "135",
        "neighbour-advertisement": "136",
        "redirect": "137",
    },
}
"""The numbers of the types of ICMP messages; ``redirect`` is 6 in the module, too."""
LEVELS = {
    "panic": "0",
    "alert": "1",
    "crit": "2",
    "err": "3",
    "error": "3",
    "warn": "4",
    "warning": "4",
    "not": "5",
    "notice": "5",
    "info": "6",
    "debug": "7",
}
PROTOCOLS = {
    "1": "icmp",
    "2": "igmp",
    "4": "ipencap",
    "6": "tcp",
    "7": "cbt",
    "17": "udp",
    "47": "gre",
    "50": "esp",
    "51": "ah",
    "89": "ospf",
    "103": "pim",
    "112": "vrrp",
    "132": "sctp",
}
DSCP = {
    "0x0a": "af11",
    "0x0c": "af12",
    "0x0e": "af13",
    "0x12": "af21",
    "0x14": "af22",
    "0x16": "af23",
    "0x1a": "af31",
    "0x1c": "af32",
    "0x1e": "af33",
    "0x22": "af41",
    "0x24": "af42",
    "0x26": "af43",
    "0x08": "cs1",
    "0x10": "cs2",
    "0x18": "cs3",
    "0x20": "cs4",
    "0x28": "cs5",
    "0x30": "cs6",
    "0x38": "cs7",
    "0x2e": "ef",
}


# -- addresses -------------------------------------------------------------------------------------


def network(text: str) -> str | None:
    """Return an address as a network, None for the network of all addresses.

    ValueError for a text that is no address.

    >>> network("10.1.2.3"), network("10.1.2.3/255.255.0.0"), network("::/0"), network("FE80::1/64")
    ('10.1.2.3/32', '10.1.0.0/16', None, 'fe80::/64')
    """
    found: IPv4Network | IPv6Network = ip_network(text, strict=False)
    return None if found.prefixlen == 0 else str(found)


def address(run: Run, value: str, protocol: str) -> str | None:
    """Return an address, a network or the name of a host as a network; ``! `` before it stays.

    None stands for all addresses.
    """
    match = NEGATED.search(value)
    found = host_address(run, value if match is None else match[1], protocol)
    return found if match is None or found is None else f"! {found}"


def host_address(run: Run, text: str, protocol: str) -> str | None:
    """Return an address, a network or the name of a host as a network; None for all addresses."""
    try:
        return network(text)
    except ValueError:
        found = address_of_name(run, text, protocol)
    try:
        return network(found)
    except ValueError as error:
        raise ResourceFailure(str(error)) from None


def address_of_name(run: Run, name: str, protocol: str) -> str:
    """Return the first address of a host; ResourceFailure if it has none."""
    known: dict[tuple[str, str], str] = run.shared.setdefault((Run, "addresses of hosts"), {})
    if (name, protocol) not in known:
        database = "ahostsv4" if protocol == "IPv4" else "ahostsv6"
        done = run.host.execute(Command(("getent", database, "--", name)))
        words = [line.split()[0] for line in done.output.splitlines() if line.strip()]
        found = next((one for one in words if not one.startswith("::ffff:")), None)
        if found is None:
            raise ResourceFailure(f"Failed to resolve hostname {name}")
        known[name, protocol] = found
    return known[name, protocol]


def port_number(run: Run, value: object, protocol: str) -> str:
    """Return a port or a range as text; ResourceFailure for an unknown service.

    ``! `` before the value stays.
    """
    match = re.match(r"(!\s+)?(\S+)", to_s(value))
    negation, text = ("", to_s(value)) if match is None else (match[1] or "", match[2])
    if re.fullmatch(r"\d+(-\d+)?", text):
        return negation + text
    kind = protocol if protocol in ("tcp", "udp") else "tcp"
    services = run.host.read("/etc/services").decode("utf-8", "replace")
    for name, number, of, rest in SERVICE.findall(services):
        if of == kind and text in (name, *rest.partition("#")[0].split()):
            return f"{negation}{number}"
    raise ResourceFailure(f"no such service {text}/{kind}")


# -- words and numbers -----------------------------------------------------------------------------


def icmp_number(value: object, protocol: str) -> str | None:
    """Return the number of an ICMP type, None for an unknown name."""
    text = to_s(value)
    return text if re.match(r"\d+(/\d+)?$", text) else ICMP[protocol].get(text)


def level_number(value: object) -> str | None:
    """Return the number of a level of the system log, None for an unknown name."""
    text = to_s(value)
    return text if re.fullmatch("[0-7]", text) else LEVELS.get(text)


def hexadecimal(text: str) -> str | None:
    """Return a mark as a hexadecimal number, None if it is not one of 32 bits.

    >>> hexadecimal("10"), hexadecimal("0x1F"), hexadecimal("abc")
    ('0xa', '0x1f', None)
    """
    try:
        number = int(text, 8 if re.fullmatch("0[0-7]+", text) else 0)
    except ValueError:
        return None
    return hex(number) if 0 <= number <= 0xFFFFFFFF else None


def mark(value: object) -> str:
    """Return a mark with its mask in hexadecimal form.

    >>> mark("100"), mark("! 0x1/15")
    ('0x64/0xffffffff', '! 0x1/0xf')
    """
    match = MARK.match(to_s(value))
    if match is None:
        return to_s(value)
    mask = "0xffffffff" if match[4] is None else hexadecimal(match[4])
    return f"{'! ' if match[1] else ''}{hexadecimal(match[2]) or ''}/{mask or ''}"


def full_time(value: str) -> str:
    """Return a time of day with two digits for hours, and with seconds.

    >>> full_time("1:30"), full_time("01:30:05")
    ('01:30:00', '01:30:05')
    """
    value = f"0{value}" if re.match(r"\d:", value) else value
    return f"{value}:00" if re.fullmatch(r"(?:[01]?\d|2[0-3]):[0-5]\d", value) else value


def protocol_name(value: str) -> str:
    """Return the name of a protocol for its number; ResourceFailure for an unknown number."""
    match = re.match(r"(!\s)?(.*)", value)
    assert match is not None
    if re.match("[a-z]", match[2]):
        return value
    if match[2] not in PROTOCOLS:
        raise ResourceFailure(f"Unsupported proto number: {value}")
    return f"{match[1] or ''}{PROTOCOLS[match[2]]}"
