"""The combinations of values that puppetlabs-firewall refuses since version 7, when it changes a rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.firewall.values import host_address
from bunraku.providers.iptables import is_unmanaged
from bunraku.providers.run import Run

Value = Any
Values = Mapping[str, Value]
NEGATED = re.compile(r"!\s")
RANGE = re.compile(r"([^\-/]+)-([^\-/]+)$")
IPV4_ONLY = (
    *("clusterip_new", "clusterip_hashmode", "clusterip_clustermac", "clusterip_total_nodes"),
    *("clusterip_local_node", "clusterip_hash_init"),
)
IPV6_ONLY = ("hop_limit", "ishasmorefrags", "islastfrag", "isfirstfrag")
LOG = (
    *("log_prefix", "log_level", "log_uid", "log_tcp_sequence", "log_tcp_options"),
    "log_ip_options",
)
HIGHEST = 65_535
LONGEST_PREFIX = 64


def check(run: Run, name: str, values: Values) -> None:
    """Raise ResourceFailure for the first combination that is refused."""
    for problem in problems(run, name, values):
        raise ResourceFailure(problem)


def problems(run: Run, name: str, values: Values) -> Iterator[str]:
    """Yield what is wrong with the values of a rule."""
    if is_unmanaged(name) and values["ensure"] == "present":
        yield (
            "Rule name cannot start with 9000-9999, as this range is reserved for unmanaged rules."
        )
    if values.get("isfragment") and values.get("proto") != "tcp":
        yield "`proto` must be set to `tcp` for `isfragment` to be true."
    yield from of_samples(values)
    yield from of_negations(values)
    if values.get("icmp") == "any":
        yield (
            "Value `any` is not valid. This behaviour should be achieved by omitting or undefining "
            "the ICMP parameter."
        )
    if values.get("burst") and not values.get("limit"):
        yield "`burst` cannot be set without `limit`."
    yield from of_length(values)
    yield from of_recent(values)
    yield from of_targets(values)
    yield from of_limits(values)
    yield from of_protocol(values)
    yield from of_ranges(run, values)


def of_samples(values: Values) -> Iterator[str]:
    """Yield what is wrong with the sampling of packets."""
    for name, mode in (("every", "nth"), ("packet", "nth"), ("probability", "random")):
        if values.get(f"stat_{name}") and values.get("stat_mode") != mode:
            yield f"`stat_mode` must be set to `{mode}` for `stat_{name}` to be set."


def of_negations(values: Values) -> Iterator[str]:
    """Yield the arrays in which only some of the values are negated."""
    for name in ("dport", "sport", "state", "ctstate", "ctstatus"):
        value = values.get(name)
        if not isinstance(value, list):
            continue
        negated = [NEGATED.match(str(one)) is not None for one in value]
        count = sum(negated)
        if (count == 1 and not negated[0]) or 2 <= count != len(value):
            yield (
                f"When negating a `{name}` array, you must negate either the first given value "
                "only or all the given values."
            )


def of_length(values: Values) -> Iterator[str]:
    """Yield what is wrong with the length of packets."""
    if values.get("length"):
        low, _, high = str(values["length"]).partition(":")
        limits = [int(one) for one in (low, high) if one]
        if limits != sorted(limits) or max(limits) > HIGHEST:
            yield "`length` values must be between 0 and 65535"


def of_recent(values: Values) -> Iterator[str]:
    """Yield what is wrong with the list of recent addresses and with searches."""
    recent = values.get("recent")
    for name in ("rseconds", "reap", "rhitcount", "rttl"):
        if name == "reap":
            if values.get("reap") and not values.get("rseconds"):
                yield "`rseconds` must be set for `reap` to be set."
        elif values.get(name) and recent not in ("update", "rcheck"):
            yield f"`recent` must be set to `update` or `rcheck` for `{name}` to be set."
    for name in ("rname", "rsource", "rdest"):
        if values.get(name) and not recent:
            yield f"`recent` must be set for `{name}` to be set."
    if values.get("rsource") and values.get("rdest"):
        yield "`rdest` and `rsource` are mutually exclusive, only one may be set at a time."
    if (values.get("string") or values.get("string_hex")) and not values.get("string_algo"):
        yield "`string_algo` must be set for `string` or `string_hex` to be set."
    if values.get("queue_num") and int(values["queue_num"]) > HIGHEST:
        yield "`queue_num`` must be between 0 and 65535"


def of_targets(values: Values) -> Iterator[str]:
    """Yield what is wrong with the options of targets."""
    jump, table = values.get("jump"), values.get("table")
    if jump == "TEE" and not values.get("gateway"):
        yield "When setting `jump => TEE`, the gateway property is required"
    for target, one, other in (
        ("TCPMSS", "set_mss", "clamp_mss_to_pmtu"),
        ("DSCP", "set_dscp", "set_dscp_class"),
    ):
        if jump == target and not (values.get(one) or values.get(other)):
            yield f"When setting `jump => {target}`, the `{one}` or `{other}` property is required"
    for target, name in (("DNAT", "todest"), ("SNAT", "tosource")):
        if jump == target and table != "nat":
            yield f"Parameter `jump => {target}` only applies to `table => nat`"
        if (jump == target) != bool(values.get(name)):
            yield f"Parameter `jump => {target}` must have `{name}` parameter"
    if values.get("checksum_fill") and (jump, table) != ("CHECKSUM", "mangle"):
        yield "Parameter `checksum_fill` requires `jump => CHECKSUM` and `table => mangle`"
    for name in LOG:
        if values.get(name) and jump != "LOG":
            yield f"Parameter `{name}` requires `jump => LOG`"
    if jump == "CT" and table != "raw":
        yield "Parameter `jump => CT` only applies to `table => raw`"
    for name in ("zone", "helper", "notrack"):
        if values.get(name) and jump != "CT":
            yield f"Parameter `{name}` requires `jump => CT`"
    for name in ("ctmask", "nfmask"):
        if values.get(name) and not values.get("restore_mark"):
            yield f"Parameter `{name}` requires `restore_mark => true`"


def of_limits(values: Values) -> Iterator[str]:
    """Yield what is wrong with limits of connections and of rates."""
    above = values.get("connlimit_upto") or values.get("connlimit_above")
    if values.get("connlimit_mask") and not above:
        yield ("Parameter `connlimit_mask` requires either `connlimit_upto` or `connlimit_above`")
    rate = values.get("hashlimit_upto") or values.get("hashlimit_above")
    complete = values.get("hashlimit_name") and rate
    if any(value for name, value in values.items() if name.startswith("hashlimit_")):
        if not complete:
            yield (
                "Parameter `hashlimit_name` and either `hashlimit_upto` or `hashlimit_above` are "
                "required when setting any `hashlimit` attribute."
            )
        if values.get("hashlimit_upto") and values.get("hashlimit_above"):
            yield (
                "`hashlimit_upto` and `hashlimit_above` are mutually exclusive, only one may be "
                "set at a time."
            )


def of_protocol(values: Values) -> Iterator[str]:
    """Yield the options that the protocol lacks, and arrays with equal elements."""
    for names, protocol in ((IPV4_ONLY, "IPv4"), (IPV6_ONLY, "IPv6")):
        for name in names:
            if values.get(name) and values["protocol"] != protocol:
                yield f"Parameter `{name}` is specific to the `{protocol}` protocol"
    for name in ("dst_type", "src_type"):
        value = values.get(name)
        if isinstance(value, list):
            kinds = [re.sub(r"--limit-iface-(in|out)", "", str(one)) for one in value]
            if len(set(kinds)) != len(kinds):
                yield f"`{name}` elements must be unique"
    if len(values.get("nflog_prefix") or "") > LONGEST_PREFIX:
        yield "Parameter `nflog_prefix`` must be less than 64 characters"


def of_ranges(run: Run, values: Values) -> Iterator[str]:
    """Yield what is wrong with ranges of addresses."""
    for name in ("dst_range", "src_range"):
        value = values.get(name)
        if not value:
            continue
        match = RANGE.match(value)
        if match is None:
            yield "The IP range must be in `IP1-IP2` format."
            continue
        for one in match.groups():
            try:
                host_address(run, one, values["protocol"])
            except (ResourceFailure, ValueError):
                yield f"Invalid IP address `{one}` in range `{value}`"
