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
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.queries.reading import read_any_query
from bunraku.puppetdb.site.documents import Documents
from bunraku.puppetdb.site.files import FileData
from bunraku.workbench.ci.issues import POLICY

Row = Mapping[str, Any]
Key = tuple[str, ...]
"""What makes a row the same in both states: node and resource, or the whole row."""
PLACE = ("file", "line")


@record(frozen=True)
class Policy:
    """A rule: its name, the query that finds what breaks it, a sentence, and how serious that is."""

    name: str
    query: Json
    message: str
    severity: Severity = "error"


def policies_of(context: Context) -> list[Policy]:
    """Return the policies of the configuration file; raise InvalidInput for a wrong query."""
    choice = context.options.configured.get("ci")
    found = []
    for one in choice.value.get("policy", ()) if choice else ():
        try:
            query = read_any_query(one["query"])
        except PuppetError as error:
            place = Place(choice.file if choice else None)
            wrong = error.at(place, replaces=True).hinted(
                f"it is the query of policy '{one['name']}'"
            )
            raise InvalidInput(wrong) from error
        found.append(Policy(one["name"], query, one["message"], one.get("severity", "error")))
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
            file = one.get("file")
            key = (str(new["name"]) if new else "", one["type"], one["title"])
            self.places[key] = Place(file and relative(file), one.get("line"))

    def findings(self) -> list[Diagnostic]:
        """Return a finding for each row that only the new state has, with the nodes that it names."""
        before, after = map(FileData, self.sides)
        found: list[Diagnostic] = []
        for policy in self.policies:
            known = {key_of_row(row) for row in rows_of(before, policy)}
            nodes: dict[tuple[str, Place], list[str]] = {}
            for row in rows_of(after, policy):
                if key_of_row(row) not in known:
                    node = str(row.get("certname", ""))
                    nodes.setdefault((subject_of_row(row), self.place(row)), []).append(node)
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

    def place(self, row: Row) -> Place:
        """Return where the resource of a row is declared."""
        key = tuple(str(row.get(name, "")) for name in ("certname", "type", "title"))
        return self.places.get((key[0], key[1], key[2]), NOWHERE)


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
    rest = {name: value for name, value in row.items() if name not in PLACE}
    return (json.dumps(rest, sort_keys=True),)


def subject_of_row(row: Row) -> str:
    """Return what a row is about: a resource, or the values of the row.

    >>> subject_of_row({"certname": "a", "count": 3})
    'count 3'
    """
    if {"type", "title"} <= row.keys():
        return f"{row['type']}[{row['title']}]"
    rest = {name: value for name, value in row.items() if name not in (*PLACE, "certname")}
    return ", ".join(f"{name} {json.dumps(value)}" for name, value in rest.items()) or "the node"
