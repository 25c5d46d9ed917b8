"""PuppetDB: ``bunraku puppetdb`` over HTTP, beside the real one, on PostgreSQL, and as a site grows.

    python benchmarks/puppetdb.py [--nodes 1000] [--resources 200] [--only WORDS] [--write [--busy]]
        [--peer http://127.0.0.1:8080 --peer-pid JAVA --peer-postgres-pid POSTMASTER]
        [--postgresql | --database postgresql://…] [--minutes 30]
    python benchmarks/puppetdb.py --growth 1000 10000 [--resources 200] [--write [--busy]]

Starts bunraku on an empty file, sends the commands of a synthetic site by four connections as fast as
they are accepted, and asks twelve queries. A kind of command is done when the last document shows in a
query. ``--peer`` names a real PuppetDB that runs already, is empty and warm; its processor time and
memory are read from ``/proc`` by process ids. ``--postgresql`` starts a private PostgreSQL for bunraku
(durable, with 64 MB of shared buffers); ``--database`` names one that is empty. ``--growth`` sends new
facts, catalogs and reports only, up to each number of nodes in turn, and asks the queries after each.

``--write`` puts the tables into ``docs/performance.md`` between the marks of their section:
``puppetdb``, ``puppetdb-postgresql`` or ``puppetdb-growth``. After ``--minutes`` the program gives up.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import measure
from page import write_section
from processes import processor_seconds, proportional_memory, with_descendants

from bunraku.demonstration import synthetic_site as site
from bunraku.puppetdb.queries.pql import ENTITIES

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.postgresql_server import Server, reason_to_skip  # noqa: E402 - needs the path above

CONNECTIONS = 4
PATIENCE = 1800
"""Seconds until documents must show in a query; a connection waits as long."""
POLL_SECONDS = 0.05
"""The time between two questions whether documents show: an error of each measured time."""
WARM, TIMES = 3, 20
"""How often each query is asked without and with a clock."""
MANY = 1600
MANY_EVERY = 10
"""Catalogs of 1,600 resources are sent for every tenth node only."""
NODE = site.certname(7)

Make = Callable[[int], dict[str, Any]]


@dataclass(frozen=True)
class Load:
    """Commands of one kind: ``make`` returns the payload of a node; all have one run's timestamps."""

    title: str
    command: str
    version: int
    entity: str
    make: Make
    run: int
    every: int = 1
    target: float | None = None


def loads(resources: int) -> list[Load]:
    """Return the kinds of commands, in the order in which they are sent."""
    catalog = "replace_catalog", 9, "catalogs"
    facts = "replace_facts", 5, "factsets"

    def same_catalog(number: int) -> dict[str, Any]:
        return {**site.catalog(number, 0, resources), **site.head(number, 1)}

    def same_facts(number: int) -> dict[str, Any]:
        return {**site.facts(number, 0), **site.head(number, 1)}

    def changed_catalog(number: int) -> dict[str, Any]:
        changed = site.catalog(number, 2, resources)
        for resource in changed["resources"][-2:]:
            resource["parameters"]["content"] = f"changed on {site.certname(number)}\n"
        return changed

    return [
        Load("facts, new", *facts, site.facts, 0, target=4),
        Load("facts, unchanged", *facts, same_facts, 1),
        Load("facts, one value changed", *facts, lambda number: site.facts(number, 2), 2),
        Load(f"catalogs of {resources} resources, new", *catalog,
             lambda number: site.catalog(number, 0, resources), 0, target=8),
        Load(f"catalogs of {resources} resources, unchanged", *catalog, same_catalog, 1),
        Load(f"catalogs of {resources} resources, two changed", *catalog, changed_catalog, 2),
        Load("reports", "store_report", 8, "reports", site.report, 0, target=4),
        Load(f"catalogs of {MANY} resources, every tenth node", *catalog,
             lambda number: site.catalog(number, 3, MANY), 3, every=MANY_EVERY),
    ]  # fmt: skip


def new_documents(resources: int) -> list[Load]:
    """Return the kinds of commands that bring a node into an empty database."""
    titles = ("facts, new", f"catalogs of {resources} resources, new", "reports")
    return [load for load in loads(resources) if load.title in titles]


QUERIES = {
    "a node by name": f'nodes {{ certname = "{NODE}" }}',
    "all nodes": "nodes {}",
    "nodes whose last run failed": 'nodes[certname] { latest_report_status = "failed" }',
    "one fact of all nodes": 'facts[certname, value] { name = "kernel" }',
    "nodes by structured facts": "inventory[certname]"
    ' { facts.os.family = "Debian" and facts.processors.count > 4 }',
    "values of a fact, counted": 'facts[value, count()] { name = "site_03" group by value }',
    "nodes with a class": "nodes[certname]"
    ' { resources { type = "Class" and title = "Role::Database" } }',
    "a node's resources": f'resources {{ certname = "{NODE}" }}',
    "exported resources with a tag": 'resources[certname, title] { exported = true and tag = "web" }',
    "the newest ten reports": "reports[certname, status, end_time]"
    " { order by end_time desc limit 10 }",
    "events of failures": 'events[certname, message] { status = "failure" and latest_report? = true'
    " limit 50 }",
    "resources by type, counted": "resources[type, count()] { group by type }",
}


@dataclass
class Side:
    """A PuppetDB: where it answers, and the processes that work for it."""

    name: str
    host: str
    port: int
    processes: Callable[[], list[int]]
    size: Callable[[], int]
    """Bytes on disk."""
    start: float | None = None
    commands: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Commands a second, and milliseconds of processor time for each."""
    queries: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    """Milliseconds: the median, the 95th of 100, and the processor time of each."""
    memory: int = 0

    def connection(self) -> http.client.HTTPConnection:
        """Return a new connection."""
        return http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)

    def seconds(self) -> float:
        """Return the processor time of all processes."""
        return sum(map(processor_seconds, self.processes()))


# -- processes ---------------------------------------------------------------------------------------


def bytes_below(folder: Path) -> int:
    """Return the size of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


# -- work --------------------------------------------------------------------------------------------


def send(side: Side, load: Load, numbers: range) -> None:
    """Send the commands of a kind for some nodes; note how many are stored a second, and their cost.

    Documents of the same run for the nodes before them are stored already.
    """
    chosen = [number for number in numbers if number % load.every == 0]
    print(f"{side.name}: {load.title}: {len(chosen):,} commands", flush=True)
    bodies = [
        (site.certname(number), gzip.compress(json.dumps(load.make(number)).encode(), 1))
        for number in chosen
    ]
    before, begin = side.seconds(), time.monotonic()
    waiting, lock = iter(bodies), threading.Lock()
    failures: list[str] = []

    def post() -> None:
        connection = side.connection()
        while True:
            with lock:
                item = next(waiting, None)
            if item is None or failures:
                return
            name, body = item
            query = urllib.parse.urlencode(
                {"command": load.command, "version": load.version, "certname": name}
            )
            headers = {
                "Content-Type": "application/json",
                "Accept": "application/json",
                "Content-Encoding": "gzip",
            }
            connection.request("POST", f"/pdb/cmd/v1?{query}", body, headers)
            response = connection.getresponse()
            text = response.read()
            if response.status != http.client.OK:
                failures.append(f"{response.status} {text[:200]!r}")

    threads = [threading.Thread(target=post, daemon=True) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise SystemExit(f"{side.name}: {load.title}: {failures[0]}")
    wait_until_stored(side, load, len(range(0, numbers.stop, load.every)))
    wall, cpu = time.monotonic() - begin, side.seconds() - before
    side.commands[load.title] = len(bodies) / wall, 1000 * cpu / len(bodies)


def wait_until_stored(side: Side, load: Load, count: int) -> None:
    """Return when the documents of a run show in a query."""
    start = site.to_text(site.end_of_run(0, load.run))
    text = f'{load.entity}[count()] {{ producer_timestamp >= "{start}" }}'
    end = time.monotonic() + PATIENCE
    while int(json.loads(ask(side.connection(), text))[0]["count"]) < count:
        if time.monotonic() > end:
            raise SystemExit(f"{side.name}: {load.title}: not stored in {PATIENCE} s")
        time.sleep(POLL_SECONDS)


def ask(connection: http.client.HTTPConnection, text: str) -> bytes:
    """Return the answer to a query in PQL."""
    connection.request("GET", "/pdb/query/v4?" + urllib.parse.urlencode({"query": text}))
    response = connection.getresponse()
    body = response.read()
    if response.status != http.client.OK:
        raise SystemExit(f"{text}: {response.status} {body[:300]!r}")
    return body


def ask_all(side: Side) -> None:
    """Ask each query; note the median and the 95th percentile of its time, and its cost."""
    print(f"{side.name}: {len(QUERIES)} queries, each {WARM + TIMES} times", flush=True)
    for title, text in QUERIES.items():
        times, before = [], 0.0
        for number in range(WARM + TIMES):
            if number == WARM:
                before = side.seconds()
            connection = side.connection()
            begin = time.monotonic()
            ask(connection, text)
            times.append(1000 * (time.monotonic() - begin))
            connection.close()
        percentiles = statistics.quantiles(times[WARM:], n=100, method="inclusive")
        cost = 1000 * (side.seconds() - before) / TIMES
        side.queries[title] = percentiles[49], percentiles[94], cost


def work(side: Side, options: argparse.Namespace) -> None:
    """Do all that is chosen."""
    for load in loads(options.resources):
        if options.only in load.title:
            send(side, load, range(options.nodes))
            print_rate(side, load)
    if options.only in "queries":
        ask_all(side)
    side.memory = sum(map(proportional_memory, side.processes()))


def print_rate(side: Side, load: Load) -> None:
    """Print how many commands of a kind were stored a second."""
    rate, cost = side.commands[load.title]
    print(f"{side.name}: {load.title}: {rate:.1f}/s, {cost:.2f} ms of CPU for each", flush=True)


@dataclass
class Stage:
    """A size of the site: figures after its documents are stored."""

    nodes: int
    commands: dict[str, tuple[float, float]]
    queries: dict[str, tuple[float, float, float]]
    memory: int
    size: int
    slowest: tuple[float, str]
    """The longest answer of all entities, in milliseconds."""


def grow(side: Side, sizes: list[int], resources: int) -> Iterator[Stage]:
    """Store more and more nodes; yield the figures at each size."""
    before = 0
    for size in sizes:
        for load in new_documents(resources):
            send(side, load, range(before, size))
            print_rate(side, load)
        ask_all(side)
        memory = sum(map(proportional_memory, side.processes()))
        yield Stage(
            size, dict(side.commands), dict(side.queries), memory, side.size(), ask_entities(side)
        )
        before = size


def ask_entities(side: Side) -> tuple[float, str]:
    """Count the rows of each entity and ask for ten of them; return the longest time and its query."""
    times = []
    for entity in ENTITIES:
        for text in (f"{entity}[count()] {{}}", f"{entity} {{ limit 10 }}"):
            begin = time.monotonic()
            ask(side.connection(), text)
            times.append((1000 * (time.monotonic() - begin), text))
    print(f"{side.name}: {len(times)} queries of all entities are answered", flush=True)
    return max(times)


# -- sides -------------------------------------------------------------------------------------------


@contextmanager
def postgresql() -> Iterator[Server]:
    """Run a private PostgreSQL that puts transactions on disk."""
    import psycopg

    reason = reason_to_skip()
    if reason is not None:
        raise SystemExit(f"--postgresql: {reason}")
    with tempfile.TemporaryDirectory(prefix="bunraku-bench-") as name:
        server = Server(Path(name) / "postgresql")
        Path(name).chmod(0o755)
        server.enter()
        try:
            with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
                for setting in ("fsync", "full_page_writes", "synchronous_commit", "autovacuum"):
                    connection.execute(f"ALTER SYSTEM SET {setting} = on".encode())
                connection.execute("SELECT pg_reload_conf()")
            yield server
        finally:
            server.leave()


@contextmanager
def bunraku(database: str | None, server: Server | None = None) -> Iterator[Side]:
    """Run our server on an empty database: a file, one by a URL, or one on a server of our own."""
    if server is not None:
        database = server.create("benchmark")
    others = server.pid() if server is not None else None
    with tempfile.TemporaryDirectory(prefix="bunraku-bench-") as name:
        folder = Path(name)
        place = ["--database", database or str(folder / "puppetdb.sqlite")]
        if database:
            place += ["--queue", str(folder / "queue")]
        begin = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "bunraku", "puppetdb", "--listen", "127.0.0.1:0", *place],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout
            address = urllib.parse.urlsplit(first_url(process.stdout.readline()))
            side = Side(
                "bunraku",
                address.hostname or "",
                address.port or 0,
                lambda: (
                    with_descendants(process.pid) + (with_descendants(others) if others else [])
                ),
                lambda: bytes_below(folder if server is None else server.data),
            )
            ask(side.connection(), "nodes {}")
            side.start = time.monotonic() - begin
            yield side
        finally:
            process.terminate()
            process.wait(60)


def first_url(line: str) -> str:
    """Return the address in the line that the server prints when it is ready."""
    found = [word.rstrip(".,") for word in line.split() if word.startswith("http://")]
    if not found:
        raise SystemExit(f"the server did not start: {line!r}")
    return found[0]


def peer(options: argparse.Namespace) -> Side:
    """Return the real PuppetDB."""
    address = urllib.parse.urlsplit(options.peer)
    processes = partial(peer_processes, options)
    return Side("PuppetDB", address.hostname or "", address.port or 0, processes, lambda: 0)


def peer_processes(options: argparse.Namespace) -> list[int]:
    """Return the processes of the real PuppetDB, if there is one."""
    postgres = options.peer_postgres_pid
    java = [options.peer_pid] if options.peer_pid else []
    return [*java, *(with_descendants(postgres) if postgres else ())]


# -- tables ------------------------------------------------------------------------------------------


def table(sides: list[Side], options: argparse.Namespace) -> str:
    """Return the section of the page."""
    ours, theirs = sides[0], sides[1] if len(sides) > 1 else None
    on = " on PostgreSQL" if options.postgresql or options.database else ""
    lines = [
        f"## PuppetDB{on}\n\n",
        f"Made by `benchmarks/puppetdb.py` on {datetime.now(UTC).date()}: {options.nodes:,} nodes, ",
        "four connections, one after the other on the same machine with ",
        f"{os.cpu_count()} cores. A kind of command ends when its last document shows in a query.\n\n",
        "| commands | bunraku, a second | PuppetDB | ratio | target | CPU for each | PuppetDB |\n",
        "|---|--:|--:|--:|---|--:|--:|\n",
    ]
    for load in loads(options.resources):
        if load.title in ours.commands:
            rate, cost = ours.commands[load.title]
            other = theirs.commands.get(load.title) if theirs else None
            ratio = f"{rate / other[0]:.1f}×" if other else ""
            target = "" if load.target is None else f"{load.target:g}×"
            if other and load.target is not None:
                target += ": met" if rate >= load.target * other[0] else ": not met"
            real = f"{other[0]:.1f}" if other else ""
            real_cost = f"{other[1]:.1f} ms" if other else ""
            lines.append(
                f"| {load.title} | {rate:.1f} | {real} | {ratio} | {target} | {cost:.1f} ms "
                f"| {real_cost} |\n"
            )
    lines += [
        "\n| query | bunraku, median | p95 | CPU | PuppetDB, median | p95 | CPU |\n",
        "|---|--:|--:|--:|--:|--:|--:|\n",
    ]
    for title in ours.queries:
        cells = [f"{value:.1f} ms" for side in sides for value in side.queries.get(title, ())] + [
            *[""] * 3,
        ]
        lines.append(f"| {title} | {' | '.join(cells[:6])} |\n")
    memory = f"\nMemory afterwards: bunraku {ours.memory / 1024:.0f} MB"
    if theirs:
        memory += f", PuppetDB with PostgreSQL {theirs.memory / 1024:.0f} MB"
    lines.append(f"{memory}. Start until the first answer: {ours.start or 0:.2f} s. ")
    lines.append(f"Size on disk: {ours.size() / 1e6:.1f} MB.\n")
    return "".join(lines)


def growth_table(stages: list[Stage], resources: int) -> str:
    """Return the section about a growing site."""
    first, last = stages[0], stages[-1]
    sizes = [f"{stage.nodes:,} nodes" for stage in stages]
    lines = [
        "## PuppetDB of a large site\n\n",
        f"Made by `benchmarks/puppetdb.py --growth` on {datetime.now(UTC).date()}: bunraku alone, ",
        f"facts, a catalog of {resources} resources and a report of each node, {os.cpu_count()} cores. ",
        f"At {last.nodes:,} nodes, a count and ten rows of all {len(ENTITIES)} entities of PQL are ",
        f"answered; the longest answer, to `{last.slowest[1]}`, takes {last.slowest[0]:.0f} ms.\n\n",
        f"| commands, a second | {' | '.join(sizes)} |\n|---|{'--:|' * len(stages)}\n",
    ]
    for title in last.commands:
        cells = [f"{stage.commands[title][0]:.1f}" for stage in stages]
        lines.append(f"| {title} | {' | '.join(cells)} |\n")
    costs = [f"{sum(cost for _, cost in stage.commands.values()):.1f} ms" for stage in stages]
    lines.append(f"| CPU for the three | {' | '.join(costs)} |\n")
    lines.append(f"| memory | {' | '.join(f'{one.memory / 1024:.0f} MB' for one in stages)} |\n")
    lines.append(f"| size on disk | {' | '.join(f'{one.size / 1e6:.0f} MB' for one in stages)} |\n")
    lines.append(
        f"\n| query: median / p95 / CPU | {' | '.join(sizes)} | growth of the median |\n"
        f"|---|{'--:|' * len(stages)}--:|\n"
    )
    for title in last.queries:
        cells = [
            f"{' / '.join(f'{one:.1f}' for one in stage.queries[title])} ms" for stage in stages
        ]
        growth = last.queries[title][0] / first.queries[title][0]
        lines.append(f"| {title} | {' | '.join(cells)} | {growth:.1f}× |\n")
    return "".join(lines)


def give_up(minutes: float) -> Callable[..., None]:
    """Return what the alarm calls when the time is up."""

    def handler(*_: object) -> None:
        raise SystemExit(f"given up after {minutes:g} minutes")

    return handler


def read_options() -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--resources", type=int, default=200)
    parser.add_argument("--only", default="", metavar="WORDS")
    parser.add_argument("--growth", type=int, nargs="+", metavar="NODES")
    parser.add_argument("--database", metavar="URL")
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--peer", metavar="URL")
    parser.add_argument("--peer-pid", type=int, default=0, metavar="PID")
    parser.add_argument("--peer-postgres-pid", type=int, default=0, metavar="PID")
    parser.add_argument("--minutes", type=float, default=30)
    measure.add_options(parser)
    options = parser.parse_args()
    if options.postgresql and options.database:
        parser.error("--postgresql and --database exclude each other")
    if options.growth and (options.peer or options.only):
        parser.error("--growth measures bunraku alone, with all kinds of new documents")
    if options.growth and options.growth != sorted(set(options.growth)):
        parser.error("--growth: the numbers must increase")
    return options


def measured(side: Side, options: argparse.Namespace) -> str:
    """Return the section of the page."""
    if options.growth:
        return growth_table(list(grow(side, options.growth, options.resources)), options.resources)
    sides = [side]
    work(side, options)
    if options.peer:
        sides.append(peer(options))
        work(sides[1], options)
    return table(sides, options)


def section_name(options: argparse.Namespace) -> str:
    """Return the name of the section in the page."""
    if options.growth:
        return "puppetdb-growth"
    return "puppetdb-postgresql" if options.postgresql or options.database else "puppetdb"


def main() -> None:
    """Measure, and write the section of the page."""
    options = read_options()
    signal.signal(signal.SIGALRM, give_up(options.minutes))
    signal.alarm(max(1, int(60 * options.minutes)))
    with ExitStack() as stack:
        watch = stack.enter_context(measure.watched(options, partial(peer_processes, options)))
        server = stack.enter_context(postgresql()) if options.postgresql else None
        side = stack.enter_context(bunraku(options.database, server))
        section = measured(side, options)
    print(section)
    if measure.may_write(options, watch):
        write_section(section_name(options), section)


if __name__ == "__main__":
    main()
