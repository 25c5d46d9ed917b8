"""The combinations of values that puppetlabs-firewall refused before version 7, before the run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.types.ruby_semantics.values import to_s

TABLES = {
    "filter": (
        "PREROUTING|POSTROUTING",
        "PREROUTING and POSTROUTING cannot be used in table 'filter'",
    ),
    "nat": ("INPUT|FORWARD", "INPUT and FORWARD cannot be used in table 'nat'"),
    "raw": (
        "INPUT|FORWARD|POSTROUTING",
        "INPUT, FORWARD and POSTROUTING cannot be used in table raw",
    ),
}
"""Table → the chains that it does not have, and the message."""
LOG = ("log_prefix", "log_level", "log_uid", "log_tcp_sequence", "log_tcp_options")
NEEDED = {
    "DSCP": (("set_dscp", "set_dscp_class"), "the set_dscp or set_dscp_class property is required"),
    "TCPMSS": (
        ("set_mss", "clamp_mss_to_pmtu"),
        "the set_mss or clamp_mss_to_pmtu property is required",
    ),
    "TEE": (("gateway",), "the gateway property is required"),
}
"""Target → the options of which it needs one, and the message."""


def check(resource: ManagedResource) -> None:
    """Raise InvalidValue for the first combination that is refused."""
    for problem in problems(resource):
        raise InvalidValue(problem)


def problems(resource: ManagedResource) -> Iterator[str]:
    """Yield what is wrong with the values of a rule."""
    chain, table = to_s(resource["chain"]), to_s(resource["table"])
    if table in TABLES and re.search(TABLES[table][0], chain):
        yield TABLES[table][1]
    for name in ("uid", "gid"):
        if resource[name] is not None and not re.search("OUTPUT|POSTROUTING", chain):
            yield f"Parameter {name} only applies to chains OUTPUT,POSTROUTING"
    jump = to_s(resource["jump"] or "")
    if resource["set_mark"] and not ("MARK" in jump and "mangle" in table):
        yield "Parameter set_mark only applies to the mangle table and when jump => MARK"
    if resource["dport"] and not re.search("tcp|udp|sctp", to_s(resource["proto"])):
        ports = "[" + ", ".join(f'"{one}"' for one in resource["dport"]) + "]"
        yield (
            f"[{resource.name}] Parameter dport only applies to sctp, tcp and udp protocols. "
            f"Current protocol is [{resource['proto']}] and dport is [{ports}]"
        )
    yield from of_targets(resource, jump, table)
    yield from of_logging(resource, jump)
    yield from of_matches(resource)
    yield from of_samples(resource)
    yield from of_special_targets(resource, jump, table)


def of_targets(resource: ManagedResource, jump: str, table: str) -> Iterator[str]:
    """Yield what targets lack."""
    if jump in NEEDED and not any(resource[name] for name in NEEDED[jump][0]):
        yield f"When using jump => {jump}, {NEEDED[jump][1]}"
    for target, name in (("DNAT", "todest"), ("SNAT", "tosource"), ("MASQUERADE", None)):
        if jump == target and "nat" not in table:
            yield f"Parameter jump => {target} only applies to table => nat"
        if jump == target and name is not None and not resource[name]:
            yield f"Parameter jump => {target} must have {name} parameter"


def of_logging(resource: ManagedResource, jump: str) -> Iterator[str]:
    """Yield what is wrong with the options of messages."""
    logs = any(resource[name] for name in LOG) or resource["log_ip_options"] == "true"
    if logs and jump != "LOG":
        yield (
            "Parameter log_prefix, log_level, log_tcp_sequence, log_tcp_options, log_ip_options  "
            "and log_uid require jump => LOG"
        )


def of_matches(resource: ManagedResource) -> Iterator[str]:
    """Yield options without the option that they need."""
    if resource["burst"] and not resource["limit"]:
        yield "burst makes no sense without limit"
    if resource["action"] and resource["jump"]:
        yield "Only one of the parameters 'action' and 'jump' can be set"
    if resource["connlimit_mask"] and not resource["connlimit_above"]:
        yield "Parameter 'connlimit_mask' requires 'connlimit_above'"
    if resource["mask"] and not resource["recent"]:
        yield "Mask can only be set if recent is enabled."


def of_samples(resource: ManagedResource) -> Iterator[str]:
    """Yield what is wrong with the sampling of packets."""
    for name in ("stat_packet", "stat_every", "stat_probability"):
        if resource[name] and not resource["stat_mode"]:
            yield f"Parameter '{name}' requires 'stat_mode' to be set"
    for name, mode in (("packet", "nth"), ("every", "nth"), ("probability", "random")):
        if resource[f"stat_{name}"] and resource["stat_mode"] != mode:
            yield f"Parameter 'stat_{name}' requires 'stat_mode' to be set to '{mode}'"


def of_special_targets(resource: ManagedResource, jump: str, table: str) -> Iterator[str]:
    """Yield what is wrong with checksums, queues, rates and connection tracking."""
    if resource["checksum_fill"] == "true" and (jump, table) != ("CHECKSUM", "mangle"):
        yield "Parameter checksum_fill requires jump => CHECKSUM and table => mangle"
    queue = resource["queue_num"] is not None or resource["queue_bypass"] == "true"
    if queue and jump != "NFQUEUE":
        yield "Paramter queue_number and queue_bypass require jump => NFQUEUE"
    rate = resource["hashlimit_upto"] or resource["hashlimit_above"]
    if resource["hashlimit_name"] and not rate:
        yield "Either hashlimit_upto or hashlimit_above are required"
    for name in ("zone", "helper", "notrack"):
        if resource[name] is not None and jump != "CT":
            yield f"Parameter {name} requires jump => CT"
    if jump == "CT" and "raw" not in table:
        yield "Parameter jump => CT only applies to table => raw"
