"""How the cost of a document and of a query in PuppetDB grows with its size, on SQLite and on PostgreSQL.

    python benchmarks/puppetdb_rows.py [--unit 1250] [--only WORDS] [--sqlite]

Sizes are 1, 2, 4 and 8 units: rows of a document, branches of ``or``, names in a list; an eighth of that for
regular expressions and pairs. Times are seconds of
processors: of this process and of the PostgreSQL server. The last column is the cost of one row at the largest
size, by that at the smallest; 1.10 is the target.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from processes import processor_seconds, with_descendants

from bunraku.base.bounded_cache import forget
from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.queries.root import answer_to
from support import puppetdb_commands as documents
from support.postgresql_server import reason_to_skip, running_server

SIZES = (1, 2, 4, 8)
TARGET = 1.10
ROUNDS = 3
Database = Any
NODE = "growth.example.org"
IN_ONE = ["=", "certname", "n1"]


def send(database: Database, name: str, version: int, payload: Any) -> None:
    """Process a command."""
    body = json.dumps(payload).encode()
    process(database, Command(name, version, NODE, body, 1_800_000_000_000))


def facts(database: Database, day: int, count: int, text: str) -> None:
    """Replace the facts of the node."""
    values = {f"fact{at}": f"{text} {at}" for at in range(count)}
    send(database, "replace facts", 5, documents.facts(NODE, day, **values))


def resources(count: int, text: str) -> list[dict[str, Any]]:
    """So many resources."""
    return [
        documents.resource(title=f"/srv/{text}/{at}", parameters={"content": f"{text} {at}"})
        for at in range(count)
    ]


def catalog(database: Database, day: int, count: int, text: str) -> None:
    """Replace the catalog of the node: resources, and an edge for each."""
    found = resources(count, text)
    edges = [documents.edge(found[0], one) for one in found[1:]]
    payload = documents.catalog(NODE, day, resources=found, edges=edges)
    send(database, "replace catalog", 9, payload)


def packages(database: Database, day: int, count: int, text: str) -> None:
    """Replace the packages of the node."""
    found = [[f"{text}{at}", "1.0", "apt"] for at in range(count)]
    payload = {**documents.facts(NODE, day, one=day), "package_inventory": found}
    send(database, "replace facts", 5, payload)


def report(database: Database, day: int, count: int, text: str) -> None:
    """Store a report with an event for each resource."""
    found = [documents.changed(f"/srv/{text}/{at}") for at in range(count)]
    payload = documents.report(NODE, day, resources=found)
    send(database, "store report", 8, payload)


Work = Callable[[Database, int], None]
"""Does the work of a size in a database."""
Document = Callable[[Database, int, int, str], None]


def first(send_document: Document) -> tuple[Work, Work]:
    """Return what prepares a database, and a first document."""
    return lambda *_: None, lambda database, count: send_document(database, 1, count, "a")


def replaced(send_document: Document, left: int | None = None) -> tuple[Work, Work]:
    """Return what sends a document, and one that replaces it: others of the same number, or few."""

    def before(database: Database, count: int) -> None:
        send_document(database, 1, count, "a")

    def after(database: Database, count: int) -> None:
        send_document(database, 2, count if left is None else left, "b")

    return before, after


def asked(query: Callable[[int], list[Any]]) -> tuple[Work, Work]:
    """Return what stores nodes, and a query of them."""

    def before(database: Database, _count: int) -> None:
        for at in range(50):
            payload = documents.facts(f"n{at}", 1, role="web")
            send(database, "replace facts", 5, payload)

    def ask(database: Database, count: int) -> None:
        answer_to(database, ["from", "nodes", query(count)])

    return before, ask


WORKS: dict[str, tuple[Work, Work]] = {
    "facts, first": first(facts),
    "facts, all others": replaced(facts),
    "facts, one left": replaced(facts, 1),
    "catalog, first": first(catalog),
    "catalog, all others": replaced(catalog),
    "catalog, one left": replaced(catalog, 1),
    "packages, first": first(packages),
    "packages, one left": replaced(packages, 1),
    "report, first": first(report),
    "`or`": asked(lambda count: ["or", *[["=", "certname", f"x{at}"] for at in range(count)]]),
    "`and` of `not`": asked(
        lambda count: ["and", *[["not", ["=", "certname", f"x{at}"]] for at in range(count)]]
    ),
    "`or` of facts": asked(
        lambda count: ["or", *[["=", ["fact", "role"], f"x{at}"] for at in range(count)]]
    ),
    "`and` of `not` of facts": asked(
        lambda count: ["and", *[["not", ["=", ["fact", "role"], f"x{at}"]] for at in range(count)]]
    ),
    "`or` of `~`": asked(
        lambda count: ["or", *[["~", "certname", f"x{at}"] for at in range(count // 8)]]
    ),
    "`and` of pairs": asked(
        lambda count: [
            "and",
            *[["or", IN_ONE, ["=", "certname", f"x{at}"]] for at in range(count // 8)],
        ]
    ),
    "list of names": asked(
        lambda count: ["in", "certname", ["array", [f"x{at}" for at in range(count)]]]
    ),
}


def seconds(pid: int | None) -> float:
    """Return the processor time of this process, and of a server by its process id."""
    used = time.process_time()
    if pid is None:
        return used
    _, *workers = with_descendants(pid)
    return used + processor_seconds(pid, children=True) + sum(map(processor_seconds, workers))


def measured(
    work: tuple[Work, Work], count: int, new_name: Callable[[], str], pid: int | None
) -> float:
    """Return the seconds of a work in an empty database: those of the best round.

    Caches are empty, for the largest works are larger than they are.
    """
    best = float("inf")
    for _ in range(ROUNDS):
        with closing(open_database(new_name())) as database:
            before, after = work
            before(database, count)
            forget()
            gc.collect()
            started = seconds(pid)
            after(database, count)
            best = min(best, seconds(pid) - started)
    return best


@contextmanager
def databases(only_sqlite: bool) -> Iterator[dict[str, tuple[Callable[[], str], int | None]]]:
    """Provide names of empty databases, and the process id of the server."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        numbers = iter(range(100_000))
        found: dict[str, tuple[Callable[[], str], int | None]] = {
            "SQLite": (lambda: f"{folder}/{next(numbers)}.sqlite", None)
        }
        if not only_sqlite and not reason_to_skip():
            server = stack.enter_context(running_server())
            found["PostgreSQL"] = (lambda: server.create(f"g{next(numbers)}"), server.pid())
        yield found


def main() -> int:
    """Print the table; return 1 if a cost grows by more than the target."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--unit", type=int, default=1_250)
    parser.add_argument("--only", default="")
    parser.add_argument("--sqlite", action="store_true", help="leave out PostgreSQL")
    options = parser.parse_args()
    sizes = [options.unit * size for size in SIZES]
    print(f"| | database | {' | '.join(f'{one:,}' for one in sizes)} | one row |")
    print(f"|---|---|{'--:|' * (len(sizes) + 1)}")
    grown = 0
    with databases(options.sqlite) as found:
        for name, work in WORKS.items():
            if options.only not in name:
                continue
            for database, (new_name, pid) in found.items():
                times = [measured(work, size, new_name, pid) for size in sizes]
                ratio = times[-1] / times[0] / SIZES[-1]
                grown += ratio > TARGET
                cells = [f"{one:.2f} s" for one in times]
                print(f"| {name} | {database} | {' | '.join(cells)} | {ratio:.2f}× |", flush=True)
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
