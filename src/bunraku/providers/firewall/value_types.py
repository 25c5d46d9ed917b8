"""The types of values that rules accept since puppetlabs-firewall 7, as Puppet's type expressions."""

from __future__ import annotations

NOT = r"(?:!\s)?"
"""The beginning of a negated value."""


def pattern_type(text: str) -> str:
    """Return the type of texts that match a regular expression."""
    return f"Optional[Pattern[/{text}/]]"


def one_or_many(type_: str) -> str:
    """Return the type of a value or an array of values."""
    return f"Optional[Variant[{type_}, Array[{type_}]]]"


def enumeration(text: str) -> str:
    """Return the enumeration of words.

    >>> enumeration("in out")
    "Enum['in', 'out']"
    """
    return f"Enum[{', '.join(repr(word) for word in text.split())}]"


def states(text: str) -> str:
    """Return the type of one or more words, each of which may be negated."""
    return one_or_many(f"Pattern[/^{NOT}(?:{text})$/]")


TEXT = "Optional[String[1]]"
SWITCH = "Optional[Boolean]"
COUNT = "Optional[Integer[1]]"
NUMBER = "Optional[Integer]"
NAME = r"Pattern[/(^\d+(?:[ \t_-]\S+)+$)/]"
PROTOCOL = enumeration("iptables ip6tables IPv4 IPv6")
TABLE = enumeration("nat mangle filter raw rawpost broute security")
CHAIN = "String[1]"
INTERFACE = pattern_type(rf"^{NOT}[a-zA-Z0-9\-\._\+\:@]+$")
BRIDGE_PORT = pattern_type(rf"^{NOT}[a-zA-Z0-9\-\._\+]+$")
PROTO = pattern_type(
    rf"^{NOT}(?:ip(?:encap)?|tcp|udp|icmp|esp|ah|vrrp|carp|igmp|ipv4|ospf|gre|cbt|sctp|pim|all)"
)
STAT_MODE = "Optional[Enum[nth, random]]"
STAT_PROBABILITY = "Optional[Variant[Integer[0,1], Float[0.0,1.0]]]"
TCP_OPTION = (
    rf"Optional[Variant[Pattern[/^{NOT}(?:[0-1][0-9]{{0,2}}|2[0-4][0-9]|25[0-5])$/], "
    "Integer[0,255]]]"
)
FLAGS = r"((FIN|SYN|RST|PSH|ACK|URG|ALL|NONE),?)+"
TCP_FLAGS = pattern_type(rf"^{NOT}{FLAGS}\s{FLAGS}$")
OWNER = "Optional[Variant[String[1], Integer]]"
MAC = r"([0-9a-fA-F]{2}[:]){5}([0-9a-fA-F]{2})$"
MAC_SOURCE = pattern_type(f"^{NOT}{MAC}")
CLUSTER_MAC = pattern_type(f"^{MAC}")
PORT = rf"Pattern[/^{NOT}\d+(?:(?:\:|-)\d+)?$/]"
PORTS = f"Optional[Variant[Array[Variant[{PORT},Integer]],{PORT},Integer]]"
ADDRESS_TYPE = (
    rf"Pattern[/^{NOT}(?:UNSPEC|UNICAST|LOCAL|BROADCAST|ANYCAST|MULTICAST|BLACKHOLE|UNREACHABLE|"
    r"UNREACHABLE|PROHIBIT|THROW|NAT|XRESOLVE)(?:\s--limit-iface-(?:in|out))?$/]"
)
ADDRESS_TYPES = f"Optional[Variant[Array[{ADDRESS_TYPE}], {ADDRESS_TYPE}]]"
PACKET_TYPE = f"Optional[{enumeration('unicast broadcast multicast')}]"
IPSEC_DIRECTION = f"Optional[{enumeration('in out')}]"
IPSEC_POLICY = f"Optional[{enumeration('none ipsec')}]"
STATE = states("INVALID|ESTABLISHED|NEW|RELATED|UNTRACKED")
CT_STATE = states("INVALID|ESTABLISHED|NEW|RELATED|UNTRACKED|SNAT|DNAT")
CT_STATUS = states("EXPECTED|SEEN_REPLY|ASSURED|CONFIRMED|NONE")
CT_PROTO = rf"Optional[Variant[Pattern[/^{NOT}\d+$/],Integer]]"
CT_DIRECTION = f"Optional[{enumeration('REPLY ORIGINAL')}]"
NUMBER_OR_RANGE = pattern_type(rf"^{NOT}\d+(?:\:\d+)?$")
TEXT_OR_NUMBER = "Optional[Variant[String[1],Integer]]"
LIMIT = pattern_type(r"^\d+\/(?:sec(?:ond)?|min(?:ute)?|hour|day)$")
LENGTH = pattern_type("^([0-9]+)(:)?([0-9]+)?$")
RECENT = (
    "Optional[Enum['set', 'update', 'rcheck', 'remove', '! set', '! update', '! rcheck', "
    "'! remove']]"
)
MASK = pattern_type(r"^\d+\.\d+\.\d+\.\d+$")
IPSET = one_or_many(rf"Pattern[/^{NOT}[\w\-:_.]+\s(?:src|dst)(?:,src|,dst)?$/]")
STRING_HEX = pattern_type(rf"^{NOT}\|[a-zA-Z0-9\s]+\|$")
STRING_ALGO = f"Optional[{enumeration('bm kmp')}]"
HASH_MODE = f"Optional[{enumeration('sourceip sourceip-sourceport sourceip-sourceport-destport')}]"
NFLOG_GROUP = "Optional[Integer[1, 65535]]"
NFLOG_PREFIX = "Optional[String]"
GATEWAY = pattern_type(r"^(\d+.\d+.\d+.\d+|\w+:\w+::\w+)$")
DSCP_CLASSES = (
    "af11 af12 af13 af21 af22 af23 af31 af32 af33 af41 af42 af43 cs1 cs2 cs3 cs4 cs5 cs6 cs7 ef"
)
DSCP_CLASS = f"Optional[{enumeration(DSCP_CLASSES)}]"
TO_PORTS = r"Optional[Variant[Integer[0, 65535], Pattern[/^\d+(?:-\d+)?$/]]]"
LOG_LEVEL = "Optional[Variant[Integer[0,7],String[1]]]"
REJECT = "Optional[{}]".format(
    enumeration(
        "icmp-net-unreachable icmp-host-unreachable icmp-port-unreachable icmp-proto-unreachable "
        "icmp-net-prohibited icmp-host-prohibited icmp-admin-prohibited icmp6-no-route no-route "
        "icmp6-adm-prohibited adm-prohibited icmp6-addr-unreachable addr-unreach "
        "icmp6-port-unreachable tcp-reset"
    )
)
MARK = pattern_type(r"^[a-fA-F0-9x]+(?:\/[a-fA-F0-9x]+)?$")
MARK_OR_NOT = pattern_type(rf"^{NOT}[a-fA-F0-9x]+(?:\/[a-fA-F0-9x]+)?$")
CONNECTION_PREFIX = "Optional[Integer[0,128]]"
TIME = pattern_type(r"^([0-9]|[0-1][0-9]|2[0-3])\:[0-5][0-9](?:\:[0-5][0-9])?")
MONTH_DAYS = one_or_many("Integer[0,31]")
WEEK_DAYS = one_or_many(enumeration("Mon Tue Wed Thu Fri Sat Sun"))
MOMENT = pattern_type(
    r"^[0-9]{4}\-(?:0[0-9]|1[0-2])\-(?:[0-2][0-9]|3[0-1])"
    r"T(?:[0-1][0-9]|2[0-3])\:[0-5][0-9]\:[0-5][0-9]$"
)
BYTES = "0x[0-9a-fA-F]+"
U32_TEST = f"{BYTES}&{BYTES}={BYTES}(?::{BYTES})?"
U32 = pattern_type(f"^{U32_TEST}(?:&&{U32_TEST})*$")
COUNTRIES = pattern_type("^[A-Z]{2}(,[A-Z]{2})*$")
RATE = pattern_type(r"^\d+(?:\/(?:sec|min|hour|day))?$")
HASHLIMIT_MODE = pattern_type(
    r"^(?:srcip|srcport|dstip|dstport)(?:\,(?:srcip|srcport|dstip|dstport))*$"
)
PREFIX = "Optional[Integer[0,32]]"
RPFILTER = one_or_many(enumeration("loose validmark accept-local invert"))
