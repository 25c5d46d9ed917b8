"""Count the catalogs that a server reuses in the steady state: each node again, with other volatile facts.

    python tests/record/count_reused.py SITES [--only TEXT]… [--limit NUMBER] [--facts FOLDER] [--json FILE]

SITES is the scratch folder of ``sites.py``: each folder in it has the environments of a public repository in ``code``, and the
facts of its nodes in ``bunraku/facts``; FOLDER has other facts of some of these nodes, in a folder for each site. Each node is compiled through the server's compile job, and once more after its
facts of uptime, memory, load, disks and processes have changed. Printed are the nodes whose second catalog was reused,
and for the others the reason with its line of code. Nodes whose code fails are left out: nothing is stored for them.
Code of sites runs here; run it without a network: ``unshare --net python …``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bunraku.base.records import replace
from bunraku.server.compiling.jobs import Job
from bunraku.server.compiling.work import job_result
from support.reused_catalogs import Counted
from support.volatile_facts import USUAL, with_volatile


def jobs_of(site: Path, facts: Path | None = None) -> list[Job]:
    """Return the jobs of a site's nodes; of those that have other facts, if these are given."""
    settings: dict[str, Any] = {
        "environmentpath": str(site / "code/environments"),
        "basemodulepath": "",
        "strict": "warning",
        "strict_variables": False,
    }
    if (site / "classifier/classify").exists():
        settings |= {
            "node_terminus": "exec",
            "external_nodes": str(site / "classifier/classify"),
        }
    if (site / "conf/hiera.yaml").exists():
        settings["hiera_config"] = str(site / "conf/hiera.yaml")
    trusted = loaded(site / "bunraku/trusted.json")
    server_facts = loaded(site / "bunraku/server_facts.json")
    return [
        Job(
            *("catalog", path.stem, "production", settings),
            facts={**USUAL, **loaded(path)},
            trusted=trusted.get(path.stem) or {**trusted, "certname": path.stem},
            server_facts=server_facts,
            formats=("rich_json", "json", "pson"),
        )
        for path in sorted((facts or site / "bunraku/facts").glob("*.json"))
    ]


def loaded(path: Path) -> dict[str, Any]:
    """Return the object in a file; an empty one without the file."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def count(site: Path, facts: Path | None, counted: Counted, limit: int) -> None:
    """Compile the nodes of a site, each twice."""
    for job in jobs_of(site, facts)[: limit or None]:
        first = job_result(job)
        second = job_result(replace(job, facts=with_volatile(dict(job.facts or {}))))
        counted.add(f"{site.name} {job.node}", first, second)


def report(counted: Counted, sites: int) -> None:
    """Print the numbers, and the reasons against reuse with the number of nodes."""
    whole = counted.reused + counted.missed
    print(f"{whole} nodes of {sites} sites: {counted.reused} reused ({counted.rate:.1f} %)")
    print(f"{counted.failed} nodes whose code fails are left out")
    for cause, number in counted.causes.most_common():
        print(f"{number:5} {cause}")
    for reason, nodes in sorted(counted.reasons.items(), key=lambda one: -len(one[1])):
        print(f"{len(nodes):5} {reason} ({nodes[0]})")


def main() -> None:
    """Count the nodes of all sites."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sites", type=Path)
    parser.add_argument("--only", action="append", default=[], metavar="TEXT")
    parser.add_argument("--limit", type=int, default=0, help="at most so many nodes of a site")
    parser.add_argument("--facts", type=Path, metavar="FOLDER")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    counted, number = Counted(), 0
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        for site in sorted(options.sites.iterdir()):
            if not (site / "bunraku/facts").is_dir() or not all(
                one in site.name for one in options.only
            ):
                continue
            number += 1
            before = counted.reused, counted.missed, counted.failed
            facts = None if options.facts is None else options.facts / site.name
            count(site, facts, counted, options.limit)
            now = counted.reused, counted.missed, counted.failed
            print(
                site.name,
                *[two - one for one, two in zip(before, now, strict=True)],
                file=sys.stderr,
            )
    report(counted, number)
    if options.json is not None:
        found = {name: getattr(counted, name) for name in ("reused", "missed", "failed", "reasons")}
        options.json.write_text(json.dumps(found, indent=1), "utf-8")


if __name__ == "__main__":
    main()
