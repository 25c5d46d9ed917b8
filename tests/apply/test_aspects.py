"""Check that the recorded cases show what Puppet does with each native type, from the first run to wrong values.

Each recorded run of a file in ``cases/`` is a case. The tests read the recorded outcomes; nothing is applied.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bunraku.providers.index import TYPES, type_class
from rigs.roots.compare import Outcome

CASES = Path(__file__).parent / "cases"
RUNS = 6
"""The recorded runs that each type has at least."""
ABSENT = ("absent", "purged")
REFERENCE = re.compile(r"\b([A-Z][a-z0-9_]*)\[")
CHECKS = "the type only checks something: an absent connection is a failure"
WITHOUT: dict[str, dict[str, str]] = {
    "file_line": {"changed": "a line that a pattern finds and replaces is an event of ensure"},
    "firewalld_direct_purge": {
        "changed": "its only change is to `purged`, which counts as removed"
    },
    "mysql_datadir": {"removed": "the provider refuses to remove a directory with data"},
    "mysql_plugin": {"changed": "the library of an installed plugin cannot be changed"},
    "postgresql_conn_validator": {"created": CHECKS, "removed": CHECKS},
    "puppet_agent_end_run": {
        "changed": "the type ends the run and reports no change",
        "noop": "the type ends the run also in a noop run, and reports no change",
    },
    "puppetdb_conn_validator": {"created": CHECKS, "removed": CHECKS},
    "reboot": {
        "changed": "a reboot is a refresh, which is no change",
        "noop": "a refresh that a noop run leaves out has no event of a property",
    },
    "tcp_conn_validator": {"created": CHECKS, "removed": CHECKS},
}
"""Type → aspect → the reason why no run can show it."""


def aspects(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Yield the types of a recorded run, each with the aspects that the run shows."""
    report = outcome["report"]
    if report is None:
        for line in outcome["stderr"]:
            if line.startswith("Error:"):
                yield from ((name.lower(), "refused") for name in REFERENCE.findall(line))
        return
    for reference, flags in report["statuses"].items():
        name = type_of(reference)
        yield name, "applied"
        if "failed" in flags:
            yield name, "refused"
        if not flags and not report["noop"]:
            yield name, "unchanged"
    for event in report["events"]:
        aspect = aspect_of(event)
        if aspect is not None:
            yield type_of(event["resource"]), aspect


def type_of(reference: str) -> str:
    """Return the type in a reference such as ``File[/etc/hosts]``."""
    return reference.partition("[")[0].lower()


def aspect_of(event: Outcome) -> str | None:
    """Return the aspect that an event shows; None for audits, refreshes and failures."""
    if event["status"] == "noop":
        return "noop"
    if event["status"] != "success" or event["property"] is None:
        return None
    if event["property"] != "ensure":
        return "changed"
    if event["new"] in ABSENT:
        return "removed"
    return "created" if event["old"] in ABSENT else "changed"


def applicable(name: str) -> set[str]:
    """Return the aspects that the attributes of a type make possible."""
    properties = [one for one in type_class(name).attributes if one.is_property]
    possible = {"unchanged", "refused"}
    if properties:
        possible.add("noop")
    removable = {one.name for one in properties if one.name == "ensure" and "absent" in one.words}
    if removable:
        possible |= {"created", "removed"}
    if {one.name for one in properties} - removable:
        possible.add("changed")
    return possible


@cache
def recorded() -> tuple[Counter[str], dict[str, set[str]]]:
    """Return the number of recorded runs of each type, and the aspects that they show."""
    runs: Counter[str] = Counter()
    shown: dict[str, set[str]] = defaultdict(set)
    for path in CASES.glob("*.expected.json"):
        for outcome in json.loads(path.read_text("utf-8"))["runs"]:
            found = set(aspects(outcome))
            runs.update({name for name, _aspect in found})
            for name, aspect in found:
                shown[name].add(aspect)
    return runs, shown


def test_each_native_type_has_recorded_runs() -> None:
    runs, _shown = recorded()
    few = {name: runs[name] for name in TYPES if runs[name] < RUNS}
    assert few == {}, f"each type has at least {RUNS} recorded runs"


def test_each_native_type_is_recorded_with_all_aspects() -> None:
    _runs, shown = recorded()
    missing = {
        name: sorted(applicable(name) - shown[name] - WITHOUT.get(name, {}).keys())
        for name in TYPES
    }
    assert {name: aspects for name, aspects in missing.items() if aspects} == {}


def test_exceptions_are_needed() -> None:
    _runs, shown = recorded()
    unneeded = [
        f"{name}: {aspect}"
        for name, reasons in WITHOUT.items()
        for aspect in reasons
        if name not in TYPES or aspect in shown[name] or aspect not in applicable(name)
    ]
    assert unneeded == []


def test_aspects_are_read_from_events() -> None:
    event = {"status": "success", "property": "ensure", "old": "absent", "new": "present"}
    assert aspect_of(event) == "created"
    assert aspect_of({**event, "old": "present", "new": "purged"}) == "removed"
    assert aspect_of({**event, "old": "stopped", "new": "running"}) == "changed"
    assert aspect_of({**event, "property": "mode", "old": "0644", "new": "0600"}) == "changed"
    assert aspect_of({**event, "status": "noop"}) == "noop"
    assert aspect_of({**event, "status": "failure"}) is None
    assert aspect_of({**event, "property": None}) is None


def test_refusals_are_read_from_errors() -> None:
    line = (
        "Error: Parameter size failed on Logical_volume[a]: 10 is not a valid logical volume size"
    )
    outcome = {"report": None, "stderr": [line, "Warning: File[/a] is odd"]}
    assert list(aspects(outcome)) == [("logical_volume", "refused")]
