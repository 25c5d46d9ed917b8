"""The attributes of rules: the options of ``iptables`` that they stand for, in the order of commands."""

from __future__ import annotations

from bunraku.base.records import record
from bunraku.providers.firewall import value_types as v


@record(frozen=True)
class Option:
    """An attribute, the module of matches that it needs, its option, and the type of its values."""

    name: str
    match: str
    flag: str
    type: str | None


OPTIONS = (
    Option("source", "", "-s", v.TEXT),
    Option("destination", "", "-d", v.TEXT),
    Option("iniface", "", "-i", v.INTERFACE),
    Option("outiface", "", "-o", v.INTERFACE),
    Option("physdev_in", "physdev", "--physdev-in", v.BRIDGE_PORT),
    Option("physdev_out", "physdev", "--physdev-out", v.BRIDGE_PORT),
    Option("physdev_is_bridged", "physdev", "--physdev-is-bridged", v.SWITCH),
    Option("physdev_is_in", "physdev", "--physdev-is-in", v.SWITCH),
    Option("physdev_is_out", "physdev", "--physdev-is-out", v.SWITCH),
    Option("proto", "", "-p", v.PROTO),
    Option("isfragment", "", "-f", v.SWITCH),
    Option("ishasmorefrags", "frag", "--fragid 0 --fragmore", v.SWITCH),
    Option("islastfrag", "frag", "--fragid 0 --fraglast", v.SWITCH),
    Option("isfirstfrag", "frag", "--fragid 0 --fragfirst", v.SWITCH),
    Option("stat_mode", "statistic", "--mode", v.STAT_MODE),
    Option("stat_every", "", "--every", v.COUNT),
    Option("stat_packet", "", "--packet", v.NUMBER),
    Option("stat_probability", "", "--probability", v.STAT_PROBABILITY),
    Option("src_range", "iprange", "--src-range", v.TEXT),
    Option("dst_range", "iprange", "--dst-range", v.TEXT),
    Option("tcp_option", "tcp", "--tcp-option", v.TCP_OPTION),
    Option("tcp_flags", "tcp", "--tcp-flags", v.TCP_FLAGS),
    Option("uid", "owner", "--uid-owner", v.OWNER),
    Option("gid", "owner", "--gid-owner", v.OWNER),
    Option("mac_source", "mac", "--mac-source", v.MAC_SOURCE),
    Option("sport", "multiport", "--sports", v.PORTS),
    Option("dport", "multiport", "--dports", v.PORTS),
    Option("port", "multiport", "--ports", None),
    Option("src_type", "addrtype", "--src-type", v.ADDRESS_TYPES),
    Option("dst_type", "addrtype", "--dst-type", v.ADDRESS_TYPES),
    Option("socket", "socket", "", v.SWITCH),
    Option("pkttype", "pkttype", "--pkt-type", v.PACKET_TYPE),
    Option("ipsec_dir", "policy", "--dir", v.IPSEC_DIRECTION),
    Option("ipsec_policy", "policy", "--pol", v.IPSEC_POLICY),
    Option("state", "state", "--state", v.STATE),
    Option("ctstate", "conntrack", "--ctstate", v.CT_STATE),
    Option("ctproto", "conntrack", "--ctproto", v.CT_PROTO),
    Option("ctorigsrc", "conntrack", "--ctorigsrc", v.TEXT),
    Option("ctorigdst", "conntrack", "--ctorigdst", v.TEXT),
    Option("ctreplsrc", "conntrack", "--ctreplsrc", v.TEXT),
    Option("ctrepldst", "conntrack", "--ctrepldst", v.TEXT),
    Option("ctorigsrcport", "conntrack", "--ctorigsrcport", v.NUMBER_OR_RANGE),
    Option("ctorigdstport", "conntrack", "--ctorigdstport", v.NUMBER_OR_RANGE),
    Option("ctreplsrcport", "conntrack", "--ctreplsrcport", v.NUMBER_OR_RANGE),
    Option("ctrepldstport", "conntrack", "--ctrepldstport", v.NUMBER_OR_RANGE),
    Option("ctstatus", "conntrack", "--ctstatus", v.CT_STATUS),
    Option("ctexpire", "conntrack", "--ctexpire", v.NUMBER_OR_RANGE),
    Option("ctdir", "conntrack", "--ctdir", v.CT_DIRECTION),
    Option("hop_limit", "hl", "--hl-eq", v.CT_PROTO),
    Option("icmp", "icmp", "--icmp-type", v.TEXT_OR_NUMBER),
    Option("limit", "limit", "--limit", v.LIMIT),
    Option("burst", "limit", "--limit-burst", v.COUNT),
    Option("length", "length", "--length", v.LENGTH),
    Option("recent", "recent", "", v.RECENT),
    Option("rseconds", "", "--seconds", v.COUNT),
    Option("reap", "", "--reap", v.SWITCH),
    Option("rhitcount", "", "--hitcount", v.COUNT),
    Option("rttl", "", "--rttl", v.SWITCH),
    Option("rname", "", "--name", v.TEXT),
    Option("mask", "", "--mask", v.MASK),
    Option("rsource", "", "--rsource", v.SWITCH),
    Option("rdest", "", "--rdest", v.SWITCH),
    Option("ipset", "set", "--match-set", v.IPSET),
    Option("string", "string", "--string", v.TEXT),
    Option("string_hex", "string", "--hex-string", v.STRING_HEX),
    Option("string_algo", "string", "--algo", v.STRING_ALGO),
    Option("string_from", "string", "--from", v.COUNT),
    Option("string_to", "string", "--to", v.COUNT),
    Option("jump", "", "-j", v.TEXT),
    Option("goto", "", "-g", v.TEXT),
    Option("clusterip_new", "", "--new", v.SWITCH),
    Option("clusterip_hashmode", "", "--hashmode", v.HASH_MODE),
    Option("clusterip_clustermac", "", "--clustermac", v.CLUSTER_MAC),
    Option("clusterip_total_nodes", "", "--total-nodes", v.COUNT),
    Option("clusterip_local_node", "", "--local-node", v.COUNT),
    Option("clusterip_hash_init", "", "--hash-init", v.TEXT),
    Option("queue_num", "", "--queue-num", v.COUNT),
    Option("queue_bypass", "", "--queue-bypass", v.SWITCH),
    Option("nflog_group", "", "--nflog-group", v.NFLOG_GROUP),
    Option("nflog_prefix", "", "--nflog-prefix", v.NFLOG_PREFIX),
    Option("nflog_range", "", "--nflog-range", v.COUNT),
    Option("nflog_size", "", "--nflog-size", v.COUNT),
    Option("nflog_threshold", "", "--nflog-threshold", v.COUNT),
    Option("clamp_mss_to_pmtu", "", "--clamp-mss-to-pmtu", v.SWITCH),
    Option("gateway", "", "--gateway", v.GATEWAY),
    Option("set_mss", "", "--set-mss", v.COUNT),
    Option("set_dscp", "", "--set-dscp", v.TEXT),
    Option("set_dscp_class", "", "--set-dscp-class", v.DSCP_CLASS),
    Option("todest", "", "--to-destination", v.TEXT),
    Option("tosource", "", "--to-source", v.TEXT),
    Option("toports", "", "--to-ports", v.TO_PORTS),
    Option("to", "", "--to", v.TEXT),
    Option("checksum_fill", "", "--checksum-fill", v.SWITCH),
    Option("random_fully", "", "--random-fully", v.SWITCH),
    Option("random", "", "--random", v.SWITCH),
    Option("log_prefix", "", "--log-prefix", v.TEXT),
    Option("log_level", "", "--log-level", v.LOG_LEVEL),
    Option("log_uid", "", "--log-uid", v.SWITCH),
    Option("log_tcp_sequence", "", "--log-tcp-sequence", v.SWITCH),
    Option("log_tcp_options", "", "--log-tcp-options", v.SWITCH),
    Option("log_ip_options", "", "--log-ip-options", v.SWITCH),
    Option("reject", "", "--reject-with", v.REJECT),
    Option("set_mark", "", "--set-xmark", v.MARK),
    Option("match_mark", "mark", "--mark", v.MARK_OR_NOT),
    Option("restore_mark", "", "--restore-mark", v.SWITCH),
    Option("nfmask", "", "--nfmask", v.MARK),
    Option("ctmask", "", "--ctmask", v.MARK),
    Option("mss", "tcpmss", "--mss", v.NUMBER_OR_RANGE),
    Option("connlimit_upto", "connlimit", "--connlimit-upto", v.NUMBER),
    Option("connlimit_above", "connlimit", "--connlimit-above", v.NUMBER),
    Option("connlimit_mask", "connlimit", "--connlimit-mask", v.CONNECTION_PREFIX),
    Option("connmark", "connmark", "--mark", v.MARK_OR_NOT),
    Option("time_start", "time", "--timestart", v.TIME),
    Option("time_stop", "time", "--timestop", v.TIME),
    Option("month_days", "time", "--monthdays", v.MONTH_DAYS),
    Option("week_days", "time", "--weekdays", v.WEEK_DAYS),
    Option("date_start", "time", "--datestart", v.MOMENT),
    Option("date_stop", "time", "--datestop", v.MOMENT),
    Option("time_contiguous", "time", "--contiguous", v.SWITCH),
    Option("kernel_timezone", "time", "--kerneltz", v.SWITCH),
    Option("u32", "u32", "--u32", v.U32),
    Option("src_cc", "geoip", "--source-country", v.COUNTRIES),
    Option("dst_cc", "geoip", "--destination-country", v.COUNTRIES),
    Option("hashlimit_upto", "hashlimit", "--hashlimit-upto", v.RATE),
    Option("hashlimit_above", "hashlimit", "--hashlimit-above", v.RATE),
    Option("hashlimit_name", "hashlimit", "--hashlimit-name", v.TEXT),
    Option("hashlimit_burst", "hashlimit", "--hashlimit-burst", v.COUNT),
    Option("hashlimit_mode", "hashlimit", "--hashlimit-mode", v.HASHLIMIT_MODE),
    Option("hashlimit_srcmask", "hashlimit", "--hashlimit-srcmask", v.PREFIX),
    Option("hashlimit_dstmask", "hashlimit", "--hashlimit-dstmask", v.PREFIX),
    Option("hashlimit_htable_size", "hashlimit", "--hashlimit-htable-size", v.NUMBER),
    Option("hashlimit_htable_max", "hashlimit", "--hashlimit-htable-max", v.NUMBER),
    Option("hashlimit_htable_expire", "hashlimit", "--hashlimit-htable-expire", v.NUMBER),
    Option("hashlimit_htable_gcinterval", "hashlimit", "--hashlimit-htable-gcinterval", v.NUMBER),
    Option("bytecode", "bpf", "--bytecode", v.TEXT),
    Option("ipvs", "ipvs", "--ipvs", v.SWITCH),
    Option("helper", "", "--helper", v.TEXT),
    Option("zone", "", "--zone", v.NUMBER),
    Option("cgroup", "cgroup", "--cgroup", v.TEXT),
    Option("rpfilter", "rpfilter", "", v.RPFILTER),
    Option("condition", "condition", "--condition", v.TEXT),
    Option("name", "comment", "--comment", v.NAME),
    Option("notrack", "", "--notrack", v.SWITCH),
)
"""The attributes in the order in which ``iptables-save`` prints matches and options."""

BY_NAME = {option.name: option for option in OPTIONS}
SWITCHES = frozenset(option.name for option in OPTIONS if option.type == v.SWITCH)
"""The attributes whose option has no value."""
SINGLE_PORTS = {"sport": "--sport", "dport": "--dport"}
"""The options for one port or one range, without the module multiport."""
SEVERAL = frozenset({"src_type", "dst_type", "ipset"})
"""The attributes whose option is repeated for each value."""
JOINED = frozenset(
    {
        *("sport", "dport", "port", "state", "ctstate", "ctstatus"),
        *("month_days", "week_days"),
    }
)
"""The attributes whose values are joined by commas."""
QUOTED = frozenset(
    {"name", "string", "string_hex", "bytecode", "u32", "nflog_prefix", "log_prefix"}
)
"""The attributes whose values are one word each, even with spaces."""
SINCE_7 = frozenset({"restore_mark", "nfmask", "ctmask", "connlimit_upto", "u32", "protocol"})
"""The attributes that came with puppetlabs-firewall 7."""
BEFORE_7 = frozenset({"action", "port"})
"""The attributes that puppetlabs-firewall 7 removed."""
