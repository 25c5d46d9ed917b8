"""A site of many agents: ``bunraku server`` with runs of simulated agents at their interval, over mutual TLS.

    python benchmarks/agents.py [--agents 2000 10000] [--minutes 10] [--interval 1800] [--first 2] [--puppetdb none]
        [--fronts 1]

Each agent has its certificate, and runs once in the interval, at a random moment: a new connection, the lists of plugins,
a catalog, a report. Its facts differ from run to run in uptime, memory, load and disk. The site is that of ``server.py``: 401
resources from Debian's modules. Only agents whose moment comes within the time are enrolled. Each of them has run twice
before, so the server has their catalogs, unless ``--first`` says otherwise.

For each number of agents the program prints the runs, the errors, how long a run took, and for each part of the
server the share of one processor, the processor time of a run, and the memory.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import measure
from processes import processor_seconds, proportional_memory, with_descendants, with_socket
from reuse import bunraku, changed_facts, drained

import server

METRICS = '{"name": "metrics", "sort-order": 1, "match-request": {"path": "/metrics", "type": "path"}, "allow": ["*"]},'
"""The rule that lets the agents ask how their catalogs came about."""
THREADS = 24
WARM_THREADS = 8
HEAD = """\
| agents | runs | errors | milliseconds of a run (p50 / p95) | front | compiles | background | MiB: front | compiles | background |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"""


@dataclass
class SimulatedAgent:
    """An agent whose facts differ from run to run."""

    agent: server.Agent
    chance: random.Random

    def run(self) -> None:
        """Run once."""
        values = changed_facts(self.agent.name, self.chance)
        server.Agent(
            self.agent.name,
            self.agent.side,
            self.agent.context,
            server.form(self.agent.name, values),
        ).run()


def moments(count: int, interval: float, seconds: float) -> list[float]:
    """Return the moments within a time at which agents run, sorted."""
    chance = random.Random(count)
    return sorted(
        one for one in (chance.uniform(0, interval) for _ in range(count)) if one < seconds
    )


def in_threads(
    number: int, works: list[tuple[float, Callable[[], None]]]
) -> tuple[list[float], list[str]]:
    """Do works at their moments; return the milliseconds that each took, and the errors."""
    times: list[float] = []
    errors: list[str] = []
    lock, begin, left = threading.Lock(), time.monotonic(), list(reversed(works))

    def loop() -> None:
        while True:
            with lock:
                if not left:
                    return
                moment, work = left.pop()
            time.sleep(max(0.0, begin + moment - time.monotonic()))
            started = time.monotonic()
            try:
                work()
            except (SystemExit, OSError, http.client.HTTPException) as error:
                errors.append(repr(error))
            times.append(1000 * (time.monotonic() - started))

    threads = [threading.Thread(target=loop) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times, errors


def parts(side: server.Side) -> dict[str, list[int]]:
    """Return the processes of a server by what they do; those of the lowest priority compile in the background."""
    home, *others = with_descendants(side.process)
    fronts = with_socket(side.port, others)
    behind = [one for one in others if os.getpriority(os.PRIO_PROCESS, one) == 19]
    others = [one for one in others if one not in fronts]
    return {
        "front": [home, *fronts],
        "compile": [one for one in others if one not in behind],
        "background": behind,
    }


def used_seconds(side: server.Side) -> dict[str, float]:
    """Return the processor time of each part."""
    return {name: sum(map(processor_seconds, found)) for name, found in parts(side).items()}


def rules(folder: Path) -> str:
    """Write the rules of access, with that for metrics; return the path of the file."""
    command = [sys.executable, "-m", "bunraku", "server", "auth-conf"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    path = folder / "auth.conf"
    path.write_text(text.replace("rules: [", f"rules: [\n{METRICS}", 1))
    return str(path)


def catalogs(agent: server.Agent) -> dict[str, int]:
    """Return the number of catalogs by why they were compiled; ``reused`` ones were not."""
    connection = agent.connect()
    text = server.ask(connection, "GET", "/metrics").decode()
    connection.close()
    found = re.findall(r'^bunraku_catalogs_total\{cause="(.*)"\} (\d+)$', text, re.MULTILINE)
    return {cause: int(number) for cause, number in found}


def measured(side: server.Side, count: int, options: argparse.Namespace) -> str:
    """Let agents run; return the row of the table."""
    seconds = options.minutes * 60
    due = moments(count, options.interval, seconds)
    agents = [
        SimulatedAgent(
            server.enrolled(f"small-{count}-{n}.auto.example.test", side), random.Random(n)
        )
        for n in range(len(due))
    ]
    for _ in range(options.first):
        _times, errors = in_threads(WARM_THREADS, [(0.0, one.run) for one in agents])
        if errors:
            raise SystemExit(f"{len(errors)} first runs failed: {errors[0]}")
    drained(side)
    made = catalogs(agents[0].agent)
    before, begin, own = used_seconds(side), time.monotonic(), time.process_time()
    times, errors = in_threads(THREADS, [(m, one.run) for m, one in zip(due, agents, strict=True)])
    wall = time.monotonic() - begin
    rest = drained(side)
    after, own = used_seconds(side), time.process_time() - own
    share = {name: (value - before[name]) / wall for name, value in after.items()}
    memory = {
        name: sum(map(proportional_memory, found)) / 1024 for name, found in parts(side).items()
    }
    percentiles = statistics.quantiles(times, n=100, method="inclusive")
    for error in errors[:3]:
        print(error)
    print(
        f"{count:,} agents: {rest:.1f} s for the rest of the queue, {own / wall:.2f} processors ask",
        flush=True,
    )
    made = {
        cause: number - made.get(cause, 0)
        for cause, number in catalogs(agents[0].agent).items()
        if number > made.get(cause, 0)
    }
    print("catalogs by why they were compiled:", made)
    each = {name: 1000 * wall * one / len(times) for name, one in share.items()}
    used = " | ".join(f"{100 * share[name]:.1f} % ({each[name]:.1f} ms)" for name in share)
    held = " | ".join(f"{one:.0f}" for one in memory.values())
    run = f"{percentiles[49]:.0f} / {percentiles[94]:.0f}"
    return f"| {count:,} | {len(times):,} | {len(errors)} | {run} | {used} | {held} |"


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", type=int, nargs="+", default=[2000, 10_000])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--interval", type=float, default=server.INTERVAL)
    parser.add_argument("--first", type=int, default=2, metavar="RUNS")
    parser.add_argument("--puppetdb", metavar="FILE|URL|none")
    parser.add_argument("--fronts", type=int, default=1, metavar="PROCESSES")
    options = parser.parse_args()
    rows: list[str] = []
    with tempfile.TemporaryDirectory(prefix="bunraku-bench-") as name:
        os.environ["XDG_CACHE_HOME"] = f"{name}/cache"
        server.make_environment(Path(name) / "environments")
        watch = measure.Watch()
        for count in options.agents:
            words = ["--fronts", str(options.fronts), "--auth-conf", rules(Path(name))]
            words += [] if options.puppetdb is None else ["--puppetdb", options.puppetdb]
            with bunraku(Path(name), words) as side:
                rows.append(measured(side, count, options))
    print(f"{os.cpu_count()} cores; other programs used {watch.share():.2f} processors")
    print(HEAD)
    print("\n".join(rows))


if __name__ == "__main__":
    main()
