"""Many nodes: ``bunraku compile --nodes`` beside the time that real Puppet takes for one node."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import measure

HERE = Path(__file__).parent
NODES = 200
FEWER = 30  # show what a second process brings as well as all do
PROCESSES = 2
WORK = "openstack"
Row = dict[str, Any]


def rows(compiles: list[Row], modules: Path) -> list[Row]:
    """A role for many nodes, whose facts differ in their names; all catalogs are written as JSON.

    Nobody waits here for Puppet to compile hundreds of catalogs: its time is that of the first
    compile and of one warm compile for each further node, as measured in the same run.
    """
    found = {row["work"]: row.get("puppet") for row in compiles}
    first = found.get(next((work for work in found if work.endswith("first compile")), ""))
    warm = found.get(f"`{WORK}.pp`, warm")
    theirs = first + (NODES - 1) * warm if first and warm else None
    with tempfile.TemporaryDirectory() as scratch:
        write_facts(Path(scratch) / "facts")
        compile_nodes(Path(scratch), modules, 1, "node000*")  # so that the code is on disk
        side_by_side = compile_nodes(Path(scratch), modules, PROCESSES, "*")
        fewer = f"node0[0-{FEWER // 10 - 1}]*"
        works = {
            jobs: partial(compile_nodes, Path(scratch), modules, jobs, fewer)
            for jobs in (PROCESSES, 1)
        }
        found = measure.in_turn(works, 3)
    two, one = found[PROCESSES], found[1]
    return [
        {
            "work": f"{NODES} nodes with `{WORK}.pp`, {PROCESSES} processes, on the clock, catalogs "
            "written (Puppet: worked out from its first and warm compile, without writing)",
            "unit": "s",
            "bunraku": side_by_side,
            "puppet": theirs,
            "target": 60,
        },
        {
            "work": f"{FEWER} of them, {PROCESSES} processes beside 1 (in the column of Puppet)",
            "unit": "s",
            "bunraku": statistics.median(two),
            "puppet": statistics.median(one),
            "spread": {"bunraku": measure.spread(two), "puppet": measure.spread(one)},
            "target": 0.9 * PROCESSES,
        },
    ]


def write_facts(folder: Path) -> None:
    """The facts of the other measurements, for many names."""
    folder.mkdir()
    facts = (HERE / "facts.json").read_text(encoding="utf-8")
    for number in range(NODES):
        node = f"node{number:03}.example.org"
        named = json.loads(facts.replace("bench.example.org", node))
        (folder / f"{node}.json").write_text(json.dumps(named), encoding="utf-8")


def compile_nodes(scratch: Path, modules: Path, processes: int, nodes: str) -> float:
    """The seconds that ``compile --nodes`` takes, its start included."""
    command = [sys.executable, "-m", "bunraku", "compile", "--nodes", "--match", nodes]
    command += ["--facts-folder", str(scratch / "facts"), "--output-folder", str(scratch / "out")]
    command += ["--jobs", str(processes), "--modulepath", str(modules), "--no-cycles"]
    command += ["--strict", "warning", "--no-strict_variables", "--log_level", "err", "--all"]
    command.append(str(HERE / "workloads" / f"{WORK}.pp"))
    environment = {**os.environ, "XDG_CACHE_HOME": str(scratch / "cache")}
    started = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True, env=environment)
    return time.perf_counter() - started
