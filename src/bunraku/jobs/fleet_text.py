"""What could manage the nodes of a fleet, as text and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.apply.coverage import Way, package_with_puppet
from bunraku.base.errors import PuppetError
from bunraku.base.excerpt import visible
from bunraku.base.usage import UsageError
from bunraku.formats.json import json_text
from bunraku.jobs.fleet import WAYS, Fleet, FleetNode, FleetOptions, FleetReason, fleet_of

PHRASES: Mapping[Way, str] = {
    "native": "with bunraku alone",
    "ruby": "with an installed Puppet",
    "none": "not at all",
}
OF_THIS_MACHINE: Mapping[str, str] = {
    "file": "FILE",
    "execute": "--execute",
    "catalog": "--catalog",
    "facts": "--facts",
    "node": "--node",
    "tags": "--tags",
    "skip_tags": "--skip-tags",
    "ignoreschedules": "--ignoreschedules",
    "out": "--out",
}
"""The options of a plan for this machine, by their attributes."""
HEAD = ("nodes", "only", "resources", "reason")


def fleet_answer(options: Mapping[str, Any]) -> tuple[str, int]:
    """Return what is printed about the nodes that the options of ``bunraku plan`` name, and the exit code.

    UsageError if a source cannot be read, or if an option has no meaning for saved catalogs.
    """
    unused = [shown for name, shown in OF_THIS_MACHINE.items() if options[name]]
    if unused:
        raise UsageError(f"{' and '.join(unused)} cannot be used with --nodes")
    path = options["modulepath"] or ""
    try:
        fleet = fleet_of(FleetOptions(options["nodes"], options["ruby_providers"], path))
    except PuppetError as error:
        raise UsageError(str(error)) from None
    as_json = options["format"] == "json"
    text = json_text(fleet_data(fleet), indent=True) + "\n" if as_json else fleet_text(fleet)
    return text, fleet.exit_code()


def fleet_text(fleet: Fleet) -> str:
    """Return the numbers of nodes, and the reasons of those that need more than bunraku."""
    total = len(fleet.nodes)
    lines = [f"{total} node{'' if total == 1 else 's'}"]
    counts = [fleet.count(way) for way in WAYS]
    for way, count, share in zip(WAYS, counts, percentages(counts), strict=True):
        lines.append(f"{count:7} {share:3} %  {PHRASES[way]}")
    reasons = fleet.reasons()
    for way in WAYS[1:]:
        lines += reason_lines([one for one in reasons if one.lack.way == way], PHRASES[way])
        lines += package_lines(fleet) if way == "ruby" else ()
    return "\n".join(lines) + "\n"


def reason_lines(reasons: list[FleetReason], phrase: str) -> Iterator[str]:
    """Yield the lines about the reasons for one way."""
    if not reasons:
        return
    yield ""
    yield f"{phrase}:"
    yield "{:>7} {:>5} {:>9}  {}".format(*HEAD)
    for one in reasons:
        lack = one.lack
        what = visible(f"{lack.type}: {lack.reason}" if lack.type else lack.reason)
        yield f"{one.nodes:7} {one.only:5} {one.resources:9}  {what} (such as {visible(one.example)})"


def package_lines(fleet: Fleet) -> Iterator[str]:
    """Yield the packages with Puppet that nodes need, most nodes first."""
    families = (one.family for one in fleet.nodes if one.way == "ruby")
    packages = Counter(package_with_puppet(*filter(None, [one])) for one in families)
    for name, count in sorted(packages.items(), key=lambda pair: (-pair[1], pair[0])):
        yield f"install {name} on {count} node{'' if count == 1 else 's'}"


def percentages(counts: Sequence[int]) -> list[int]:
    """Return the parts of a whole in percent, rounded to numbers that add up to 100.

    >>> percentages([495, 5, 24]), percentages([1, 1, 1]), percentages([0, 3, 0])
    ([94, 1, 5], [34, 33, 33], [0, 100, 0])
    """
    total = sum(counts)
    if not total:
        return list(counts)
    shares = [100 * count // total for count in counts]
    by_rest = sorted(range(len(counts)), key=lambda index: -(100 * counts[index] % total))
    for index in by_rest[: 100 - sum(shares)]:
        shares[index] += 1
    return shares


def fleet_data(fleet: Fleet) -> dict[str, Any]:
    """Return all that is known about the nodes as data."""
    return {
        "summary": {"nodes": len(fleet.nodes), **{way: fleet.count(way) for way in WAYS}},
        "reasons": [reason_data(one) for one in fleet.reasons()],
        "nodes": [node_data(one) for one in fleet.nodes],
    }


def reason_data(one: FleetReason) -> dict[str, Any]:
    """Return a reason as data."""
    lack = one.lack
    counts = {"nodes": one.nodes, "only": one.only, "resources": one.resources}
    names = {"way": lack.way, "type": lack.type, "missing": lack.missing, "reason": lack.reason}
    return {**names, **counts, "example": one.example}


def node_data(node: FleetNode) -> dict[str, Any]:
    """Return a node as data."""
    reasons = [
        {
            "way": lack.way,
            "type": lack.type,
            "missing": lack.missing,
            "reason": lack.reason,
            "resources": count,
        }
        for lack, count in node.lacks.items()
    ]
    return {
        "node": node.name,
        "source": node.source,
        "family": node.family,
        "way": node.way,
        "reasons": reasons,
    }
