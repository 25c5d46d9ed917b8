"""Many nodes: ``bunraku compile --nodes`` beside the time that real Puppet takes for one node.

    nodes.py [--runs N] [--busy]

Prints what a second process gains, and why it is not twice: two programs that share nothing, a loop and
two halves of the same nodes, show what the machine itself allows; the rest is the pool.
"""

from __future__ import annotations

import argparse
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

MODULES = Path("/usr/share/puppet/modules")
HERE = Path(__file__).parent
NODES = 200
FEWER = 30  # nodes, where the parts of what a second process gains are measured
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
        works = {
            jobs: partial(compile_nodes, Path(scratch), modules, jobs, "*")
            for jobs in (PROCESSES, 1)
        }
        taken = measure.in_turn(works, 3)
    two, one = taken[PROCESSES], taken[1]
    return [
        {
            "work": f"{NODES} nodes with `{WORK}.pp`, {PROCESSES} processes, on the clock, catalogs "
            "written (Puppet: computed from its first and warm compile, without writing)",
            "unit": "s",
            "bunraku": statistics.median(two),
            "puppet": theirs,
            "spread": {"bunraku": measure.spread(two)},
            "target": 45,
        },
        {
            "work": f"the same, {PROCESSES} processes beside 1 (in the column of Puppet)",
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


def node_command(scratch: Path, modules: Path, processes: int, nodes: str) -> list[str]:
    """Return the command that compiles nodes."""
    command = [sys.executable, "-m", "bunraku", "compile", "--nodes", "--match", nodes]
    command += ["--facts-folder", str(scratch / "facts"), "--output-folder", str(scratch / "out")]
    command += ["--jobs", str(processes), "--modulepath", str(modules), "--no-cycles"]
    command += ["--strict", "warning", "--no-strict_variables", "--log_level", "err", "--all"]
    return [*command, str(HERE / "workloads" / f"{WORK}.pp")]


def compile_nodes(scratch: Path, modules: Path, processes: int, nodes: str) -> float:
    """The seconds that ``compile --nodes`` takes, its start included."""
    return together([node_command(scratch, modules, processes, nodes)], scratch)


# -- what a second process gains -------------------------------------------------------------------

LOOP = "number = 0\nwhile number < 20_000_000: number += 1"
"""Work that needs neither memory nor the kernel."""


def together(commands: list[list[str]], scratch: Path) -> float:
    """Return the seconds until programs that start at the same time have all ended."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(scratch / "cache")}
    started = time.perf_counter()
    running = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
        for command in commands
    ]
    codes = [one.wait() for one in running]
    if any(codes):
        raise SystemExit(f"{commands[0]} failed: {codes}")
    return time.perf_counter() - started


def gains(scratch: Path, modules: Path, rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each way, in turn: a loop once and twice; all nodes by one process, as two
    halves by two programs that share nothing, and by a pool; the start of one program.
    """
    write_facts(scratch / "facts")
    compile_nodes(scratch, modules, 1, "node000*")  # so that the code is on disk
    loop = [sys.executable, "-c", LOOP]
    tens = FEWER // 10 - 1
    all_, halves = f"node0[0-{tens}]*", [f"node0[0-{tens}][{part}]*" for part in ("0-4", "5-9")]
    commands = {
        "a loop": [loop],
        "two loops at once": [loop, loop],
        "one node": [node_command(scratch, modules, 1, "node000*")],
        "all nodes, one process": [node_command(scratch, modules, 1, all_)],
        "half of the nodes, one process": [node_command(scratch, modules, 1, halves[0])],
        "two halves at once": [node_command(scratch, modules, 1, half) for half in halves],
        "all nodes, a pool of two": [node_command(scratch, modules, PROCESSES, all_)],
    }
    works = {name: partial(together, given, scratch) for name, given in commands.items()}
    return measure.in_turn(works, rounds)


def gain_table(found: dict[str, list[float]]) -> str:
    """Return the figures as a table in Markdown, with the gain beside one process.

    >>> print(
    ...     gain_table(
    ...         {
    ...             "a loop": [1.0],
    ...             "two loops at once": [1.25],
    ...             "half of the nodes, one process": [2.0],
    ...             "two halves at once": [2.5],
    ...             "all nodes, one process": [4.0],
    ...             "all nodes, a pool of two": [2.5],
    ...         }
    ...     ),
    ...     end="",
    ... )
    | work | s | times one process |
    |---|--:|--:|
    | a loop | 1 s |  |
    | two loops at once | 1.25 s | 1.60 |
    | half of the nodes, one process | 2 s |  |
    | two halves at once | 2.5 s | 1.60 |
    | all nodes, one process | 4 s |  |
    | all nodes, a pool of two | 2.5 s | 1.60 |
    """
    medians = {name: statistics.median(figures) for name, figures in found.items()}
    alone = {
        "two loops at once": 2 * medians["a loop"],
        "two halves at once": 2 * medians["half of the nodes, one process"],
        "all nodes, a pool of two": medians["all nodes, one process"],
    }
    lines = ["| work | s | times one process |", "|---|--:|--:|"]
    for name, figures in found.items():
        times = f"{alone[name] / medians[name]:.2f}" if name in alone else ""
        lines.append(f"| {name} | {measure.shown(figures)} | {times} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Print what a second process gains."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=5)
    measure.add_options(parser)
    options = parser.parse_args()
    with measure.watched(options), tempfile.TemporaryDirectory() as scratch:
        print(gain_table(gains(Path(scratch), MODULES, options.runs)), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
