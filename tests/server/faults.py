"""Faults of ``bunraku server``, counted.

``PYTHONPATH=src:tests python tests/server/faults.py --kills 200 --full-disk --connections 10000``
``PYTHONPATH=src:tests python tests/server/faults.py --hostile 1800``

Each trial runs a server of a site with several nodes and their certificates, does something bad to it,
and counts what was lost, and what was not answered as it should be. It prints the tables of
``docs/server-faults.md``, replaces them there with ``--write``, and ends with 1 if something is wrong.
``test_faults.py`` runs a bounded part.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from rigs.server_trials import clocks, connections, disks, hostile, kills


def table(title: str, counts: Mapping[str, object], faults: list) -> str:
    """Return counts as a table in Markdown."""
    rows = [f"| {name} | {shown(value)} |" for name, value in sorted(counts.items())]
    return "\n".join([f"| {title} | |", "|---|---|", *rows, f"| faults | {len(faults)} |"])


def replaced(page: str, title: str, text: str) -> str:
    """Return a page with another table of a trial; ValueError if it has none.

    >>> replaced(
    ...     "| a | |\\n|---|---|\\n| x | 1 |\\n\\nend\\n", "a", "| a | |\\n|---|---|\\n| y | 2 |"
    ... )
    '| a | |\\n|---|---|\\n| y | 2 |\\n\\nend\\n'
    """
    begin = page.index(f"| {title} | |\n")
    end = page.index("\n\n", begin)
    return page[:begin] + text + page[end:]


def shown(value: object) -> str:
    """Return a value of a table."""
    return f"{value:,}" if isinstance(value, int) else str(value)


def main() -> int:
    """Run the trials of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--kills", type=int, metavar="COUNT")
    parser.add_argument("--seconds", type=float, default=1e9, help="longest time of the kills")
    parser.add_argument("--full-disk", action="store_true", help="fill small disks (root only)")
    parser.add_argument("--clock", action="store_true", help="clocks that are wrong (libfaketime)")
    parser.add_argument("--half-open", type=int, metavar="COUNT", help="clients that stop halfway")
    parser.add_argument("--connections", type=int, metavar="COUNT", help="idle connections")
    parser.add_argument("--hostile", type=float, metavar="SECONDS")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="replace the tables of a page")
    options = parser.parse_args()
    seed = options.seed
    trials: dict[str, Callable[[Path], tuple]] = {}
    if options.kills:
        trials["SIGKILL"] = lambda folder: kills.kill_often(
            folder, options.kills, seed, seconds=options.seconds
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
        trials["hostile requests"] = lambda folder: hostile.attack(
            folder, seed, seconds=options.hostile
        )
    return sum(run(title, trial, options) for title, trial in trials.items()) and 1


def run(title: str, trial: Callable[[Path], tuple], options: argparse.Namespace) -> int:
    """Run a trial, print its table and write it to the page; return the number of its faults."""
    folder = Path(tempfile.mkdtemp(prefix="bunraku-faults-"))
    begin = time.monotonic()
    try:
        counts, faults = trial(folder)
    finally:
        shutil.rmtree(folder)
    counts = {**counts, "seed": options.seed, "seconds": round(time.monotonic() - begin)}
    text = table(title, counts, faults)
    print(text, flush=True)
    if options.write:
        page = options.write.read_text(encoding="utf-8")
        options.write.write_text(replaced(page, title, text), encoding="utf-8")
    for fault in faults:
        print("FAULT", *fault, flush=True)
    return len(faults)


if __name__ == "__main__":
    sys.exit(main())
