"""The share of catalogs that a server reuses for a generated fleet with the facts of real machines."""

from __future__ import annotations

import json
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

from bunraku.base.records import replace
from bunraku.facts.facterdb import all_fact_sets
from bunraku.server.compiling.jobs import Job
from bunraku.server.compiling.work import job_result
from support.reused_catalogs import Counted
from support.volatile_facts import USUAL, with_volatile

NODES, RESOURCES, RUNS = 50, 6, 2
READS_UPTIME = "class profile49() {\n  notify { \"up ${facts['system_uptime']['uptime']}\": }\n}\n"
"""Code of one profile, which 2 % of the nodes have."""
SYSTEMS = ("almalinux-", "debian-", "rocky-", "ubuntu-")


@pytest.fixture
def fleet(tmp_path, monkeypatch):
    """The jobs of the generated fleet, each with the facts of a real machine."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    root = tmp_path / "environments/production"
    import_module("fleet").write_fleet(root, NODES, RESOURCES)
    (root / "modules/profile49/manifests/init.pp").write_text(READS_UPTIME)
    sets = [one for one in all_fact_sets().values() if one.name.startswith(SYSTEMS)]
    own = [json.loads(path.read_text()) for path in sorted((root / "facts").iterdir())]
    return [
        Job(
            *("catalog", facts["fqdn"], "production"),
            {"environmentpath": str(root.parent)},
            facts={
                **sets[at % len(sets)].facts(),
                **USUAL,
                **{name: facts[name] for name in ("fqdn", "profile", "site")},
            },
            trusted={"certname": facts["fqdn"]},
            formats=("rich_json", "json"),
        )
        for at, facts in enumerate(own)
    ]


def test_at_least_95_percent_are_reused_and_each_miss_has_a_reason(fleet):
    counted = Counted()
    for job in fleet:
        results = []
        for _ in range(RUNS):
            results.append(job_result(job))
            job = replace(job, facts=with_volatile(dict(job.facts)))
        for first, second in pairwise(results):
            assert first.status == 200, first.message
            counted.add(job.node, first, second)
    print(f"{counted.rate:.1f} % of {counted.reused + counted.missed} reused, {counted.reasons}")
    assert counted.reused + counted.missed == NODES * (RUNS - 1)
    assert counted.rate >= 95
    assert counted.reasons == {
        "the fact system_uptime.uptime changed": ["node0049.example.org"] * (RUNS - 1)
    }
