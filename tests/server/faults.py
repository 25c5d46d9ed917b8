"""Faults of ``bunraku server``, counted.

``PYTHONPATH=src:tests python tests/server/faults.py --kills 200 --full-disk --connections 10000``
``PYTHONPATH=src:tests python tests/server/faults.py --hostile 1800``

Each trial runs a server of a site with several nodes and their certificates, does something bad to it,
and counts what was lost, and what was not answered as it should be. It prints the tables of
``docs/server-faults.md`` and ends with 1 if something is wrong. ``test_faults.py`` runs a bounded part.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from support.server_trials import clocks, connections, disks, hostile, kills


def table(title: str, counts: Mapping[str, object], faults: list) -> str:
    """Return counts as a table in Markdown."""
    rows = [f"| {name} | {shown(value)} |" for name, value in sorted(counts.items())]
    return "\n".join([f"| {title} | |", "|---|---|", *rows, f"| faults | {len(faults)} |"])


def shown(value: object) -> str:
    """Return a value of a table."""
    return f"{value:,}" if isinstance(value, int) else str(value)


def main() -> int:
    """Run the trials of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--kills", type=int, metavar="COUNT")
    parser.add_argument("--full-disk", action="store_true", help="fill small disks (root only)")
    parser.add_argument("--clock", action="store_true", help="clocks that are wrong (libfaketime)")
    parser.add_argument("--half-open", type=int, metavar="COUNT", help="clients that stop halfway")
    parser.add_argument("--connections", type=int, metavar="COUNT", help="idle connections")
    parser.add_argument("--hostile", type=float, metavar="SECONDS")
    options = parser.parse_args()
    seed = options.seed
    trials: dict[str, Callable[[Path], tuple]] = {}
    if options.kills:
        trials[f"SIGKILL, seed {seed}"] = lambda folder: kills.kill_often(
            folder, options.kills, seed
        )
    if options.full_disk:
        trials["full disks"] = disks.full_disks
    if options.clock:
        trials["wrong clocks"] = clocks.wrong_clocks
    if options.half_open:
        trials["clients that stop halfway"] = lambda folder: connections.half_open(
            folder, options.half_open
        )
    if options.connections:
        trials["idle connections"] = lambda folder: connections.idle(folder, options.connections)
    if options.hostile:
        trials[f"hostile requests, seed {seed}"] = lambda folder: hostile.attack(
            folder, seed, seconds=options.hostile
        )
    return sum(run(title, trial) for title, trial in trials.items()) and 1


def run(title: str, trial: Callable[[Path], tuple]) -> int:
    """Run a trial and print its table; return the number of its faults."""
    folder = Path(tempfile.mkdtemp(prefix="bunraku-faults-"))
    begin = time.monotonic()
    try:
        counts, faults = trial(folder)
    finally:
        shutil.rmtree(folder)
    counts = {**counts, "seconds": round(time.monotonic() - begin)}
    print(table(title, counts, faults), flush=True)
    for fault in faults:
        print("FAULT", *fault, flush=True)
    return len(faults)


if __name__ == "__main__":
    sys.exit(main())
