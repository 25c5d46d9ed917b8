"""Policies: rules of a site about its catalogs, each a query whose rows are faults."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError, Severity
from bunraku.base.paths import relative
from bunraku.base.records import record
from bunraku.base.source import NOWHERE, Place
from bunraku.base.usage import InvalidInput
from bunraku.jobs.ci_result import with_nodes
from bunraku.jobs.context import Context
from bunraku.jobs.policy_queries import policy_query, without_alternatives
from bunraku.project.config_file import table_lines
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.site.documents import Documents
from bunraku.puppetdb.site.files import FileData
from bunraku.workbench.ci.issues import BAD_POLICY, POLICY
from bunraku.world.machine import Machine

Row = Mapping[str, Any]
Key = tuple[str, ...]
"""What makes a row the same in both states: node and resource, or the whole row."""
PLACE = ("file", "line")
TOTALS = ("avg", "count", "max", "min", "sum")
"""The names of the results of aggregate functions."""


@record(frozen=True)
class Policy:
    """A rule: its name, the query that finds what breaks it, a sentence, and how serious that is."""

    name: str
    query: Json
    message: str
    severity: Severity = "error"
    place: Place = NOWHERE


def policies_of(context: Context) -> list[Policy]:
    """Return the policies of the configuration file; raise InvalidInput for a wrong query."""
    choice = context.options.configured.get("ci")
    if choice is None or choice.file is None:
        return []
    tables = choice.value.get("policy", ())
    lines = table_lines(Machine().read(choice.file).decode("utf-8", "replace"), "ci.policy")
    known = len(lines) == len(tables)
    found, empty = [], FileData(Documents())
    for index, one in enumerate(tables):
        place = Place(relative(choice.file), lines[index] if known else None)
        try:
            query = policy_query(one["query"], empty)
        except PuppetError as error:
            wrong = BAD_POLICY(name=one["name"], reason=without_alternatives(error)).at(place)
            raise InvalidInput(wrong) from error
        severity = one.get("severity", "error")
        found.append(Policy(one["name"], query, one["message"], severity, place))
    return found


class PolicyCheck:
    """Asks the queries of policies of the catalogs of both states."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        self.policies = policies
        self.sides = Documents(), Documents()
        self.places: dict[tuple[str, str, str], Place] = {}
        """The places of resources by node, type and title."""

    def add(self, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> None:
        """Take in the catalogs of a node; None for a state without one."""
        if not self.policies:
            return
        for documents, catalog in zip(self.sides, (old, new), strict=True):
            if catalog is not None:
                documents.add(catalog, str(catalog["name"]))
        for one in new["resources"] if new is not None else ():
            if (file := one.get("file")) is None:
                continue
            key = (str(new["name"]) if new else "", one["type"], one["title"])
            self.places[key] = Place(relative(file), one.get("line"))

    def findings(self) -> list[Diagnostic]:
        """Return a finding for each row that only the new state has, with the nodes that it names."""
        before, after = map(FileData, self.sides)
        found: list[Diagnostic] = []
        for policy in self.policies:
            known = {key_of_row(row): totals_of(row) for row in rows_of(before, policy)}
            nodes: dict[tuple[str, Place], list[str]] = {}
            for row in rows_of(after, policy):
                earlier = known.get(key_of_row(row))
                if earlier is None or has_grown(totals_of(row), earlier):
                    node = str(row.get("certname", ""))
                    place = self.place(row) or policy.place
                    nodes.setdefault((subject_of_row(row), place), []).append(node)
            for (subject, place), names in nodes.items():
                finding = POLICY.diagnostic(
                    place,
                    policy.severity,
                    subject=subject,
                    message=policy.message,
                    name=policy.name,
                )
                found.append(with_nodes(finding, sorted(filter(None, names)), "reaches"))
        return found

    def place(self, row: Row) -> Place | None:
        """Return where the resource of a row is declared; None for other rows."""
        key = tuple(str(row.get(name, "")) for name in ("certname", "type", "title"))
        return self.places.get((key[0], key[1], key[2]))


def rows_of(data: FileData, policy: Policy) -> Iterator[Row]:
    """Yield the rows of a policy's query."""
    for row in data.query(policy.query):
        if isinstance(row, dict):
            yield row


def key_of_row(row: Row) -> Key:
    """Return what makes a row the same in both states.

    >>> key_of_row({"certname": "a", "type": "File", "title": "/x", "line": 3})
    ('a', 'File', '/x')
    """
    if {"type", "title"} <= row.keys():
        return str(row.get("certname", "")), str(row["type"]), str(row["title"])
    rest = {name: value for name, value in row.items() if name not in (*PLACE, *TOTALS)}
    return (json.dumps(rest, sort_keys=True),)


def totals_of(row: Row) -> Row:
    """Return the results of aggregate functions in a row."""
    return {name: row[name] for name in TOTALS if isinstance(row.get(name), int | float)}


def has_grown(new: Row, old: Row) -> bool:
    """Return whether a number is more than before: what is already too much may become less.

    >>> has_grown({"count": 3}, {"count": 2}), has_grown({"count": 1}, {"count": 2})
    (True, False)
    """
    return any(value > old.get(name, value) for name, value in new.items())


def subject_of_row(row: Row) -> str:
    """Return what a row is about: a resource, or the values of the row.

    >>> subject_of_row({"certname": "a", "count": 3})
    'count 3'
    """
    if {"type", "title"} <= row.keys():
        return f"{row['type']}[{row['title']}]"
    rest = {name: value for name, value in row.items() if name not in (*PLACE, "certname")}
    return ", ".join(f"{name} {json.dumps(value)}" for name, value in rest.items()) or "the node"
