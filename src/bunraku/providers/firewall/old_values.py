"""The values that rules accepted before version 7 of puppetlabs-firewall."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.providers.attributes import Parameter
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.firewall.options import SWITCHES
from bunraku.providers.firewall.value_types import DSCP_CLASSES
from bunraku.providers.firewall.values import (
    address,
    full_time,
    hexadecimal,
    icmp_number,
    level_number,
    network,
    port_number,
)
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import munging, text
from bunraku.types.ruby_semantics.values import to_s

Value = Any
Read = Callable[[str, Value, ManagedResource], Value]
PROTOCOLS = (
    *("ip", "tcp", "udp", "icmp", "ipv6-icmp", "esp", "ah", "vrrp", "carp", "igmp", "ipencap"),
    *("ipv4", "ipv6", "ospf", "gre", "cbt", "sctp", "pim", "all"),
)
TYPES = (
    *("UNSPEC", "UNICAST", "LOCAL", "BROADCAST", "ANYCAST", "MULTICAST", "BLACKHOLE"),
    *("UNREACHABLE", "PROHIBIT", "THROW", "NAT", "XRESOLVE"),
)
TYPE_WORDS = tuple(
    form.format(kind)
    for kind in TYPES
    for form in (
        *("{}", "! {}", "{} --limit-iface-in", "{} --limit-iface-out"),
        *("! {} --limit-iface-in", "! {} --limit-iface-out"),
    )
)
STATES = ("INVALID", "ESTABLISHED", "NEW", "RELATED", "UNTRACKED")
WORDS: Mapping[str, tuple[str, ...]] = {
    "action": ("accept", "reject", "drop"),
    "proto": tuple(form + name for name in PROTOCOLS for form in ("", "! ")),
    "dst_type": TYPE_WORDS,
    "src_type": TYPE_WORDS,
    "table": ("nat", "mangle", "filter", "raw", "rawpost"),
    "state": STATES,
    "ctstate": (*STATES, "SNAT", "DNAT"),
    "ctstatus": ("NONE", "EXPECTED", "SEEN_REPLY", "ASSURED", "CONFIRMED"),
    "ctdir": ("REPLY", "ORIGINAL"),
    "pkttype": ("unicast", "broadcast", "multicast"),
    "ipsec_policy": ("none", "ipsec"),
    "ipsec_dir": ("in", "out"),
    "stat_mode": ("nth", "random"),
    "week_days": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "clusterip_hashmode": ("sourceip", "sourceip-sourceport", "sourceip-sourceport-destport"),
    "string_algo": ("bm", "kmp"),
    "recent": ("set", "update", "rcheck", "remove"),
    "rpfilter": ("loose", "validmark", "accept-local", "invert"),
}
INTERFACE = r"^!?\s?[a-zA-Z0-9\-\._\+\:@]+$"
BRIDGE_PORT = r"^[a-zA-Z0-9\-\._\+]+$"
RANGE = r"^!?\s?\d+$|^!?\s?\d+\:\d+$"
COUNTRIES = r"^[A-Z]{2}(,[A-Z]{2})*$"
MAC = r"^([0-9a-f]{2}[:]){5}([0-9a-f]{2})$"
PATTERNS: Mapping[str, str] = {
    "chain": r"^[a-zA-Z0-9\-_]+$",
    "iniface": INTERFACE,
    "outiface": INTERFACE,
    "ctproto": r"^!?\s?\d+$",
    **dict.fromkeys(
        ("ctorigsrcport", "ctorigdstport", "ctreplsrcport", "ctrepldstport", "ctexpire"), RANGE
    ),
    **dict.fromkeys(
        ("connlimit_above", "connlimit_mask", "hop_limit", "burst", "stat_packet"), r"^\d+$"
    ),
    "hashlimit_burst": r"^\d+$",
    "physdev_in": BRIDGE_PORT,
    "physdev_out": BRIDGE_PORT,
    "clusterip_total_nodes": r"\d+",
    "clusterip_local_node": r"\d+",
    "src_cc": COUNTRIES,
    "dst_cc": COUNTRIES,
    "mac_source": f"(?i){MAC}",
    "clusterip_clustermac": f"(?i){MAC}",
}
LOWER_MAC = frozenset({("ubuntu", "22.04"), ("debian", "11"), ("sles", "15")})
"""The systems on which the module writes MAC addresses in lower case."""
HIGHEST = 65_535
LONGEST_PREFIX = 64
LARGEST_OPTION = 128
DAYS_OF_MONTH = range(1, 32)


def old_value(name: str, value: Value, resource: ManagedResource) -> Value:
    """Return the internal form of a value; raise InvalidValue if it is not accepted."""
    form = accepted_form(name)
    if form is not None:
        value = form.word(value)
    reader = READERS.get(name)
    if reader is None:
        return value
    try:
        return reader(name, value, resource)
    except ResourceFailure as error:
        raise munging(name, value, str(error)) from None


@remembered(256)
def accepted_form(name: str) -> Parameter | None:
    """Return the parameter that checks the words or the pattern of an attribute."""
    words = ("true", "false") if name in SWITCHES else WORDS.get(name, ())
    pattern = PATTERNS.get(name)
    return Parameter(name, words=words, pattern=pattern) if words or pattern else None


def protocol_of(resource: ManagedResource) -> str:
    """Return the protocol of the provider of a resource."""
    return "IPv6" if resource.provider.name == "ip6tables" else "IPv4"


# -- readers ---------------------------------------------------------------------------------------


def read_address(name: str, value: Value, resource: ManagedResource) -> Value:
    """Return an address as a network; None for all addresses."""
    try:
        return address(resource.run, text(value), protocol_of(resource))
    except (ResourceFailure, ValueError) as error:
        reason = f"host_to_ip failed for {value}, exception {error}"
        raise munging(name, value, reason) from None


def read_connection_address(name: str, value: Value, resource: ManagedResource) -> Value:
    """Return an address without the mask of a single host."""
    read_address(name, value, resource)
    return text(value).removesuffix("/32" if protocol_of(resource) == "IPv4" else "/128")


def read_range(name: str, value: Value, _resource: ManagedResource) -> Value:
    """Check a range of addresses."""
    kind = "source" if name == "src_range" else "destination"
    match = re.match(r"([^\-/]+)-([^\-/]+)$", text(value))
    if match is None:
        raise InvalidValue(f"The {kind} IP range must be in 'IP1-IP2' format.")
    for one in match.groups():
        try:
            network(one)
        except ValueError:
            reason = f'Invalid IP address "{one}" in range "{value}"'
            raise InvalidValue(f"Validate method failed for class {name}: {reason}") from None
    return value


def read_port(_name: str, value: Value, resource: ManagedResource) -> Value:
    """Return a port by number; the names of services are looked up."""
    return port_number(resource.run, value, to_s(resource["proto"] or "tcp"))


def read_target(name: str, value: Value, _resource: ManagedResource) -> Value:
    """Check the name of a target or a chain."""
    title = name.capitalize()
    if re.search(r"^[a-zA-Z0-9\-_]+$", text(value), re.MULTILINE) is None:
        raise InvalidValue(
            f"          {title} destination must consist of alphanumeric characters, an\n"
            "          underscore or a hyphen.\n"
        )
    if text(value).lower() in ("accept", "reject", "drop"):
        raise InvalidValue(
            f"          {title} destination should not be one of ACCEPT, REJECT or DROP. Use\n"
            "          the action property instead.\n"
        )
    return value


def read_level(name: str, value: Value, _resource: ManagedResource) -> Value:
    """Return the number of a level."""
    if not isinstance(value, str):
        return value
    found = level_number(value)
    if found is None:
        raise munging(name, value, "Unable to determine log level")
    return found


def read_prefix(name: str, value: Value, _resource: ManagedResource) -> Value:
    """Refuse an empty prefix of messages."""
    if value == "":
        raise munging(name, value, "log_prefix should not be an empty string")
    return value


def read_netlink_prefix(_name: str, value: Value, _resource: ManagedResource) -> Value:
    """Refuse a prefix that is too long."""
    if len(text(value)) > LONGEST_PREFIX:
        raise InvalidValue("nflog_prefix must be less than 64 characters.")
    return value


def read_netlink_group(_name: str, value: Value, resource: ManagedResource) -> Value:
    """Return the number of a netlink group."""
    if not 0 <= leading_number(value) <= HIGHEST:
        raise InvalidValue("nflog_group must be between 0 and 2^16-1")
    return read_number(_name, value, resource)


def read_number(_name: str, value: Value, _resource: ManagedResource) -> Value:
    """Return a number for a text of digits."""
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?\d+", value) else value


def leading_number(value: Value) -> int:
    """Return the number at the beginning of a value, 0 without one."""
    match = re.match(r"\s*(-?\d+)", text(value))
    return 0 if match is None else int(match[1])


def read_icmp(name: str, value: Value, resource: ManagedResource) -> Value:
    """Return the number of an ICMP type."""
    if value == "any":
        raise InvalidValue(
            "Value 'any' is not valid. This behaviour should be achieved by omitting or undefining "
            "the ICMP parameter."
        )
    if not isinstance(value, str):
        return value
    found = value if re.search(r"\d{1,2}$", value) else icmp_number(value, protocol_of(resource))
    if found is None:
        raise munging(name, value, "cannot work out icmp type")
    return found


def read_match_mark(name: str, value: Value, _resource: ManagedResource) -> Value:
    """Return a mark in hexadecimal form; a mask is refused."""
    kind = "Match MARK" if name == "match_mark" else "MARK"
    match = re.match(r"([a-fA-F0-9x]+)(/)?([a-fA-F0-9x]+)?", text(value))
    found = None if match is None else hexadecimal(match[1])
    if match is None or found is None or (match[2] and not match[3]):
        reason = f"{kind} value must be integer or hex between 0 and 0xffffffff"
        raise munging(name, value, reason)
    if match[3]:
        raise munging(name, value, "iptables does not support masks on MARK match rules")
    return found


def read_set_mark(name: str, value: Value, _resource: ManagedResource) -> Value:
    """Return a mark and its mask in hexadecimal form."""
    match = re.match(r"([a-fA-F0-9x]+)(/)?([a-fA-F0-9x]+)?", text(value))
    found = None if match is None else hexadecimal(match[1])
    if match is None or found is None or (match[2] and not match[3]):
        reason = "MARK value must be integer or hex between 0 and 0xffffffff"
        raise munging(name, value, reason)
    mask = "0xffffffff" if match[3] is None else hexadecimal(match[3])
    if mask is None:
        reason = "MARK mask must be integer or hex between 0 and 0xffffffff"
        raise munging(name, value, reason)
    return f"{found}/{mask}"


def read_class(name: str, value: Value, _resource: ManagedResource) -> Value:
    """Return a DiffServ class in lower case."""
    if text(value).lower() not in DSCP_CLASSES.split():
        raise munging(name, value, f"{value} is not a valid DSCP Class")
    return text(value).lower()


def read_recent(_name: str, value: Value, _resource: ManagedResource) -> Value:
    """Return the option for a word."""
    return f"--{value}"


def read_option(_name: str, value: Value, _resource: ManagedResource) -> Value:
    """Check the number of a TCP option."""
    number = leading_number(value)
    if not 0 <= number < LARGEST_OPTION:
        raise InvalidValue(
            f"TCP Options fall in the range 0-255, {value} is not a valid TCP Option number"
        )
    return text(value)


def read_every(_name: str, value: Value, _resource: ManagedResource) -> Value:
    """Check the number of packets of which one matches."""
    if re.search(r"^\d+$", text(value), re.MULTILINE) is None:
        raise InvalidValue("          stat_every value must be a digit\n")
    if leading_number(value) <= 0:
        raise InvalidValue("          stat_every value must be larger than 0\n")
    return value


def read_probability(_name: str, value: Value, _resource: ManagedResource) -> Value:
    """Check a probability, which is a text."""
    match = re.match(r"([01])\.(\d+)$", value) if isinstance(value, str) else None
    if match is None:
        raise InvalidValue("          stat_probability must be between 0.0 and 1.0\n")
    if match[1] == "1" and int(match[2]) != 0:
        raise InvalidValue("          start_probability must be between 0.0 and 1.0\n")
    return value


def read_time(_name: str, value: Value, _resource: ManagedResource) -> Value:
    """Return a time of day in full."""
    return full_time(text(value))


def read_day(_name: str, value: Value, _resource: ManagedResource) -> Value:
    """Check a day of the month."""
    if leading_number(value) not in DAYS_OF_MONTH:
        raise InvalidValue("month_days must be in the range of 1-31")
    return value


def read_length(name: str, value: Value, _resource: ManagedResource) -> Value:
    """Return a length or a range of lengths, with a colon."""
    match = re.match(r"([0-9]+)(-)?([0-9]+)?$", text(value))
    if match is None:
        raise munging(name, value, "Length value must either be an integer or a range")
    low, high = int(match[1]), None if match[3] is None else int(match[3])
    if low > HIGHEST or (high is not None and not low <= high <= HIGHEST):
        raise munging(name, value, "Length values must be between 0 and 65535")
    return str(low) if high is None else f"{low}:{high}"


def read_bytes(_name: str, value: Value, _resource: ManagedResource) -> Value:
    """Return bytes without the spaces between them."""
    written = text(value)
    if "!" not in written:
        return written.replace(" ", "")
    parts = (one if "!" in one else f"|{one.replace(' ', '')}|" for one in written.split("|"))
    return "".join(part for part in parts if part != "||")


def read_queue(name: str, value: Value, _resource: ManagedResource) -> Value:
    """Check the number of a queue."""
    if re.fullmatch(r"[0-9]*", text(value)) is None:
        raise munging(name, value, "queue_num must be an integer")
    return value


def read_mac(_name: str, value: Value, resource: ManagedResource) -> Value:
    """Return a MAC address, in lower case on some systems."""
    found = dict(os_release(resource))
    version = found.get("VERSION_ID", "")
    version = version if found.get("ID") == "ubuntu" else version.partition(".")[0]
    return text(value).lower() if (found.get("ID"), version) in LOWER_MAC else value


def os_release(resource: ManagedResource) -> Iterator[tuple[str, str]]:
    """Yield the settings of ``/etc/os-release``."""
    written = resource.run.host.read("/etc/os-release").decode("utf-8", "replace")
    for line in written.splitlines():
        name, _, value = line.partition("=")
        yield name, value.strip("\"'")


READERS: Mapping[str, Read] = {
    **dict.fromkeys(("source", "destination"), read_address),
    **dict.fromkeys(("ctorigsrc", "ctorigdst", "ctreplsrc", "ctrepldst"), read_connection_address),
    **dict.fromkeys(("src_range", "dst_range"), read_range),
    **dict.fromkeys(("sport", "dport", "port"), read_port),
    **dict.fromkeys(("jump", "goto"), read_target),
    **dict.fromkeys(("connmark", "match_mark"), read_match_mark),
    **dict.fromkeys(("time_start", "time_stop"), read_time),
    **dict.fromkeys(("recent", "rpfilter"), read_recent),
    "log_level": read_level,
    "log_prefix": read_prefix,
    "nflog_prefix": read_netlink_prefix,
    "nflog_group": read_netlink_group,
    "nflog_threshold": read_number,
    "icmp": read_icmp,
    "set_mark": read_set_mark,
    "set_dscp_class": read_class,
    "tcp_option": read_option,
    "stat_every": read_every,
    "stat_probability": read_probability,
    "month_days": read_day,
    "length": read_length,
    "string_hex": read_bytes,
    "queue_num": read_queue,
    "mac_source": read_mac,
}
