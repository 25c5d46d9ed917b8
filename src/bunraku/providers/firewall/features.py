"""The features of old providers that attributes need."""

from __future__ import annotations

FEATURES = {
    "iptables": "chain table jump goto clamp_mss_to_pmtu set_dscp set_dscp_class set_mss gateway "
    "checksum_fill physdev_in physdev_out physdev_is_bridged physdev_is_in physdev_is_out "
    "date_start date_stop time_start time_stop month_days week_days time_contiguous "
    "kernel_timezone bytecode",
    "iprange": "src_range dst_range",
    "address_type": "dst_type src_type",
    "tcp_option": "tcp_option",
    "tcp_flags": "tcp_flags",
    "interface_match": "iniface outiface",
    "snat": "tosource",
    "dnat": "todest toports random",
    "netmap": "to",
    "random_fully": "random_fully",
    "reject_type": "reject",
    "log_level": "log_level",
    "log_prefix": "log_prefix",
    "log_uid": "log_uid",
    "log_tcp_sequence": "log_tcp_sequence",
    "log_tcp_options": "log_tcp_options",
    "log_ip_options": "log_ip_options",
    "nflog_group": "nflog_group",
    "nflog_prefix": "nflog_prefix",
    "nflog_range": "nflog_range",
    "nflog_size": "nflog_size",
    "nflog_threshold": "nflog_threshold",
    "icmp_match": "icmp",
    "state_match": "state",
    "conntrack": "ctstate ctproto ctorigsrc ctorigdst ctreplsrc ctrepldst ctorigsrcport "
    "ctorigdstport ctreplsrcport ctrepldstport ctstatus ctexpire ctdir",
    "mark": "connmark match_mark set_mark",
    "connection_limiting": "connlimit_above connlimit_mask",
    "hop_limiting": "hop_limit",
    "rate_limiting": "limit burst",
    "owner": "uid gid",
    "pkttype": "pkttype",
    "isfragment": "isfragment",
    "recent_limiting": "recent rdest rsource rname rseconds reap rhitcount rttl",
    "rpfilter": "rpfilter",
    "socket": "socket",
    "ishasmorefrags": "ishasmorefrags",
    "islastfrag": "islastfrag",
    "isfirstfrag": "isfirstfrag",
    "ipsec_policy": "ipsec_policy",
    "ipsec_dir": "ipsec_dir",
    "mask": "mask",
    "ipset": "ipset",
    "clusterip": "clusterip_new clusterip_hashmode clusterip_clustermac clusterip_total_nodes "
    "clusterip_local_node clusterip_hash_init",
    "length": "length",
    "string_matching": "string string_algo string_from string_to",
    "queue_num": "queue_num",
    "queue_bypass": "queue_bypass",
    "ipvs": "ipvs",
    "ct_target": "zone helper notrack",
    "condition": "condition",
}
FEATURE_OF = {name: feature for feature, names in FEATURES.items() for name in names.split()}
"""Attribute → the feature that it needs."""
