"""The synthetic site: every document is a valid payload of the newest wire format."""

from __future__ import annotations

import json

import pytest

from bunraku.demonstration import synthetic_site as site
from bunraku.puppetdb.commands.formats import read_catalog, read_factset, read_report

NODES = range(12)


@pytest.mark.parametrize("number", NODES)
def test_documents_are_valid(number: int) -> None:
    """Commands accept the documents of each kind of node and outcome."""
    name = site.certname(number)
    assert read_factset(site.facts(number)).certname == name
    assert len(read_catalog(site.catalog(number, resources=50)).resources) == 50
    assert read_report(site.report(number, run=3)).certname == name


def test_documents_are_the_same_each_time() -> None:
    """The same arguments give the same text."""
    made = [
        json.dumps([site.facts(3, 2), site.catalog(3, 2, 30), site.report(3, 2)]) for _ in range(2)
    ]
    assert made[0] == made[1]


def test_nodes_of_a_role_share_most_resources() -> None:
    """One resource in ten has the node's name in it."""
    first, second = (
        {json.dumps(one) for one in list_of(site.catalog(number, resources=202)["resources"])}
        for number in (1, 6)
    )
    assert len(first & second) == 182


def test_runs_have_every_outcome() -> None:
    """Some runs change something, some fail, some would change something."""
    reports = [site.report(number, run) for number in NODES for run in range(3)]
    statuses = {str(report["status"]) for report in reports}
    assert statuses == {"unchanged", "changed", "failed"}
    assert any(report["noop_pending"] for report in reports)


def list_of(value: object) -> list[object]:
    """Return a list that is known to be one."""
    assert isinstance(value, list)
    return value
