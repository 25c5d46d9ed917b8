"""What could manage the nodes of a fleet, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.apply.coverage import Way
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
HEAD = ("nodes", "only", "resources", "reason")


def fleet_answer(
    sources: Sequence[str], puppet: bool, module_path: str, *, as_json: bool
) -> tuple[str, int]:
    """Return what is printed about a fleet, and the exit code; UsageError if a source cannot be read.

    The values are those of :class:`FleetOptions`.
    """
    try:
        fleet = fleet_of(FleetOptions(sources, puppet, module_path))
    except PuppetError as error:
        raise UsageError(str(error)) from None
    text = json_text(fleet_data(fleet), indent=True) + "\n" if as_json else fleet_text(fleet)
    return text, fleet.exit_code()


def fleet_text(fleet: Fleet) -> str:
    """Return the numbers of nodes, and the reasons of those that need more than bunraku."""
    total = len(fleet.nodes)
    lines = [f"{total} node{'' if total == 1 else 's'}"]
    for way in WAYS:
        count = fleet.count(way)
        lines.append(f"{count:7} {percent(count, total):>5}  {PHRASES[way]}")
    reasons = fleet.reasons()
    for way in WAYS[1:]:
        lines += reason_lines([one for one in reasons if one.lack.way == way], PHRASES[way])
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


def percent(count: int, total: int) -> str:
    """Return a part of a whole in percent, rounded down.

    >>> percent(175, 433), percent(0, 0)
    ('40 %', '')
    """
    return f"{100 * count // total} %" if total else ""


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
    return {"node": node.name, "family": node.family, "way": node.way, "reasons": reasons}
