"""``networking``: interfaces, their addresses, and the interface of the default route."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_interface
from typing import Any

from bunraku.facts.collectors import collects
from bunraku.facts.probe import Probe, known

Facts = dict[str, Any]
MAIN = ("address", "netmask", "network")
# Bits of the flags in /proc/net/if_inet6, by Facter's names.
FLAGS = (
    ("temporary", 0x01),
    ("noad", 0x02),
    ("optimistic", 0x04),
    ("dadfailed", 0x08),
    ("homeaddress", 0x10),
    ("deprecated", 0x20),
    ("tentative", 0x40),
    ("permanent", 0x80),
)


@collects("networking")
def network_facts(probe: Probe) -> Facts:
    """Return the fact ``networking``."""
    interfaces: dict[str, Facts] = {}
    for name in probe.names("/sys/class/net"):
        one = interface(probe, name)
        if one is not None:
            interfaces[name] = one
    try:
        addresses = probe.world.ipv4_addresses()
    except OSError:
        addresses = []
    for name, address, netmask in addresses:
        if name in interfaces:
            interfaces[name].setdefault("bindings", []).append(binding(f"{address}/{netmask}"))
    for name, address, flags in ipv6_addresses(probe):
        if name in interfaces:
            bound = {**binding(address), "flags": flags}
            interfaces[name].setdefault("bindings6", []).append(bound)
    for found in interfaces.values():
        show_main(found)
    names = host_names(probe)
    primary = default_interface(probe) or first_useful(interfaces)
    found = {**names, **known(primary=primary)}
    if interfaces:
        found["interfaces"] = interfaces
    for key, value in interfaces.get(primary or "", {}).items():
        if key not in ("bindings", "bindings6"):
            found[key] = value
    return {"networking": found} if found else {}


def host_names(probe: Probe) -> Facts:
    """Return the names of this host: short, domain, and both.

    The domain comes from the name itself, from ``hostname -f``, or from ``resolv.conf``.
    """
    given = probe.text("/proc/sys/kernel/hostname") or probe.output("hostname")
    hostname, _, domain = given.partition(".")
    if hostname and not domain:
        full = probe.output("hostname", "-f")
        if full.startswith(f"{hostname}."):
            domain = full.partition(".")[2]
    if hostname and not domain:
        domain = resolver_domain(probe)
    domain = domain.rstrip(".")
    return known(
        hostname=hostname, domain=domain, fqdn=f"{hostname}.{domain}" if domain else hostname
    )


def resolver_domain(probe: Probe) -> str:
    """Return the domain that ``resolv.conf`` names, else the first to search in."""
    text = "\n".join(probe.lines("/etc/resolv.conf"))
    for word in ("domain", "search"):
        found = re.search(rf"(?m)^\s*{word}\s+(\S+)", text)
        if found and found[1] != ".":
            return found[1]
    return ""


def interface(probe: Probe, name: str) -> Facts | None:
    """Return the data of an interface except its addresses; None if it is not an interface."""
    folder = f"/sys/class/net/{name}"
    mtu = probe.text(f"{folder}/mtu")
    if not mtu.isdigit():
        return None
    mac = hardware_address(probe, name)
    return known(
        dhcp=dhcp_server(probe, name, probe.text(f"{folder}/ifindex")),
        mac=None if mac == "00:00:00:00:00:00" else mac,
        mtu=int(mtu),
    )


def hardware_address(probe: Probe, name: str) -> str:
    """Return the MAC address; of a member of a bond its own, not the bond's."""
    for bond in probe.names("/proc/net/bonding"):
        text = "\n".join(probe.lines(f"/proc/net/bonding/{bond}"))
        found = re.search(
            rf"Slave Interface: {re.escape(name)}\n(?:(?!Slave Interface).*\n)*?"
            r"Permanent HW addr: (\S+)",
            text,
        )
        if found:
            return found[1]
    return probe.text(f"/sys/class/net/{name}/address")


def dhcp_server(probe: Probe, name: str, index: str) -> str | None:
    """Return the server that leased the interface's address."""
    found = re.search(r"SERVER_ADDRESS=(\S+)", probe.text(f"/run/systemd/netif/leases/{index}"))
    if found:
        return found[1]
    for folder in ("/var/lib/dhclient", "/var/lib/dhcp", "/var/lib/NetworkManager"):
        for file in probe.names(folder):
            text = probe.text(f"{folder}/{file}") if "lease" in file else ""
            if re.match(rf"internal.*{re.escape(name)}\.lease", file):
                found = re.search(r"SERVER_ADDRESS=(\S+)", text)
            elif re.search(rf'interface\s+"?{re.escape(name)}"?;', text):
                found = re.search(r"dhcp-server-identifier ([\d.]+)", text)
            if found:
                return found[1]
    return None


def ipv6_addresses(probe: Probe) -> Iterator[tuple[str, str, list[str]]]:
    """Yield interface, address with prefix length, and flags of each IPv6 address.

    The widest scope comes first: the kernel lists the addresses of an interface in this order, which
    Facter shows, but ``/proc`` lists them by their hash.
    """
    rows = [line.split() for line in probe.lines("/proc/net/if_inet6")]
    addresses = [(IPv6Address(int(row[0], 16)), row) for row in rows]
    for address, row in sorted(addresses, key=lambda pair: SCOPES.index(scope(pair[0]))):
        _, _, length, _, flags, name = row
        given = int(flags, 16)
        yield name, f"{address}/{int(length, 16)}", [word for word, bit in FLAGS if given & bit]


def binding(text: str) -> Facts:
    """Return an address and its network.

    >>> binding("192.0.2.2/255.255.255.0")
    {'address': '192.0.2.2', 'netmask': '255.255.255.0', 'network': '192.0.2.0'}
    >>> binding("fe80::1/64")["scope6"]
    'link'
    """
    found = ip_interface(text)
    facts = {
        "address": str(found.ip),
        "netmask": str(found.netmask),
        "network": str(found.network.network_address),
    }
    if isinstance(found.ip, IPv6Address):
        facts["scope6"] = scope(found.ip)
    return facts


SCOPES = ("global", "site", "link", "host")
"""The scopes of IPv6 addresses, the widest first."""


def scope(address: IPv6Address) -> str:
    """Return the scope of an IPv6 address."""
    if address.is_loopback:
        return "host"
    if address.is_link_local:
        return "link"
    return "site" if address.is_site_local else "global"


def is_local(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is used only as a last resort: loopback, link, unique local."""
    unique = isinstance(address, IPv6Address) and address.packed[0] & 0xFE == 0xFC
    return address.is_loopback or address.is_link_local or unique


def show_main(found: Facts) -> None:
    """Name the main address of an interface: the first that reaches beyond it."""
    for key, end in (("bindings", ""), ("bindings6", "6")):
        bindings = found.get(key)
        if not bindings:
            continue
        useful = (one for one in bindings if not is_local(ip_address(one["address"])))
        main = next(useful, bindings[0])
        for name, short in (("address", "ip"), ("netmask", "netmask"), ("network", "network")):
            found[short + end] = main[name]
        if end:
            found["scope6"] = main["scope6"]


def default_interface(probe: Probe) -> str | None:
    """Return the interface of the default route."""
    for line in probe.lines("/proc/net/route")[1:]:
        route = line.split("\t")
        if len(route) > 7 and route[1] == route[7] == "00000000" and route[0] != "*":
            return route[0]
    found = re.search(r"(?m)^default .*?\bdev (\S+)", probe.output("ip", "route", "show"))
    return found[1] if found else None


def first_useful(interfaces: dict[str, Facts]) -> str | None:
    """Return the first interface with an address that reaches beyond it."""
    for name, found in interfaces.items():
        for one in (*found.get("bindings", ()), *found.get("bindings6", ())):
            if not is_local(ip_address(one["address"])):
                return name
    return None
