"""The results of many nodes for programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bunraku.apply.log import RANKS
from bunraku.engine.nodes import Outcome
from bunraku.jobs.finding_data import finding_data
from bunraku.runtime.error_texts import puppet_text
from bunraku.runtime.log import LogEntry


def summary_data(outcomes: Sequence[Outcome], least: int, environment: str) -> dict[str, Any]:
    """Return the summary for programs: each node, and the failures grouped by error.

    ``least`` is the rank of the least urgent level whose messages are part of it. ``puppet_text`` is the error as Puppet
    prints it.
    """
    nodes = [
        {
            "node": one.node,
            "outcome": outcome_word(one),
            "resources": one.resources if one.ok else None,
            "seconds": round(one.seconds, 3),
            "diagnostics": [finding_data(finding) for finding in (*one.findings, *one.warnings)],
            "puppet_text": None
            if one.error is None
            else puppet_text(one.error, environment, one.node),
            "log": [log_data(entry) for entry in one.puppet_log if RANKS[entry.level] >= least],
        }
        for one in outcomes
    ]
    failures = [
        {
            "nodes": [one.node for one in group],
            "diagnostics": [finding_data(finding) for finding in group[0].findings],
        }
        for group in failure_groups(outcomes)
    ]
    count = counts(outcomes)
    return {
        "schema": 1,
        **{word: count[word] for word in WORDS},
        "nodes": nodes,
        "failures": failures,
    }


def log_data(entry: LogEntry) -> dict[str, Any]:
    """Return a log entry as JSON data; unknown fields are null.

    >>> log_data(LogEntry("warning", "too old", None, "site.pp", 3, None))["line"]
    3
    """
    fields = ("level", "message", "scope", "file", "line", "column", "code")
    return {name: getattr(entry, name) for name in fields}


def without_name(text: str, node: str) -> str:
    """Return a message without the name of the node that it is about.

    >>> without_name("Could not find class a for a.example.com", "a.example.com")
    'Could not find class a for '
    """
    return re.sub(rf"(?<![\w.-]){re.escape(node)}(?![\w-])", "", text) if node in text else text


def failure_groups(outcomes: Sequence[Outcome]) -> list[list[Outcome]]:
    """Return the nodes that failed, those with the same findings together, the most nodes first.

    A message that holds the node's name is the same for all nodes.
    """
    found: dict[tuple[object, ...], list[Outcome]] = {}
    for one in outcomes:
        if one.findings:
            key = tuple(
                (item.code, without_name(item.message, one.node), item.place.where)
                for item in one.findings
            )
            found.setdefault(key, []).append(one)
    return sorted(found.values(), key=len, reverse=True)


def outcome_word(outcome: Outcome) -> str:
    """Return the outcome of a node as one word.

    >>> outcome_word(Outcome("a", "")), outcome_word(Outcome("a", "", unsaved="Disk full"))
    ('compiled', 'unsaved')
    """
    if not outcome.ok:
        return "failed"
    if outcome.unsaved is not None:
        return "unsaved"
    return "unchanged" if outcome.unchanged else "compiled"


WORDS = ("compiled", "unchanged", "failed", "unsaved")
"""The outcomes in the order of the summary."""


def counts(outcomes: Sequence[Outcome]) -> Counter[str]:
    """Return the number of nodes by outcome; those of no node only where the summary always has them."""
    found = Counter({"compiled": 0, "failed": 0})
    found.update(map(outcome_word, outcomes))
    return found
