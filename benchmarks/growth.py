"""How compile time grows with the size of the work; each line is linear where the ratio stays near 1.

    growth.py [--quick] [--json FILE]

The sizes take turns, each round as much work of every size; the time of a size is the mean of its runs in
the best round, divided by the size, and the ratio is that of the largest to the first. CPU seconds. The
last line is no compile: Python making the objects that a resource is, and nothing else. It tells how
much of the growth is the machine's: memory touched for the first time, and caches that are too small.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bunraku.base.garbage_collection import PATIENT
from bunraku.catalog.model import Resource
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request

ROUNDS = 3


def resources(count: int) -> str:
    """So many files."""
    return (
        f"Integer[1, {count}].each |$i| {{\n"
        '  file { "/srv/f${i}": ensure => file, mode => \'0644\', content => "line ${i}" }\n}\n'
    )


def edges(count: int) -> str:
    """So many relationships: each of a tenth as many resources requires ten others before it."""
    return (
        f"Integer[11, {count // 10 + 10}].each |$i| {{\n"
        '  notify { "n${i}": require => Integer[1, 10].map |$d| { Notify["n${$i - $d}"] } }\n}\n'
        'Integer[1, 10].each |$i| { notify { "n${i}": } }\n'
    )


def classes(count: int) -> str:
    """So many classes, each with two resources."""
    body = "notify {{ 'a{0}': message => $text }} notify {{ 'b{0}': require => Notify['a{0}'] }}"
    code = "class k{0}(String $text = 'x') {{ " + body + " }}"
    lines = [code.format(i) for i in range(count)]
    return "\n".join([*lines, *(f"include k{i}" for i in range(count))]) + "\n"


def virtual(count: int) -> str:
    """So many virtual resources, and a collector for each fifty of them."""
    return (
        f"Integer[1, {count}].each |$i| {{\n"
        '  @notify { "v${i}": tag => "group${$i / 50}", message => "m${i}" }\n}\n'
        + "".join(f"Notify <| tag == 'group{group}' |>\n" for group in range(count // 50))
    )


WORKS: dict[str, tuple[Callable[[int], str], list[int]]] = {
    "resources": (resources, [1_000, 5_000, 50_000]),
    "edges": (edges, [4_000, 20_000, 200_000]),
    "classes": (classes, [100, 500, 2_000]),
    "virtual resources, a collector for each 50": (virtual, [500, 2_000, 10_000]),
}


PLAIN = "the objects of a resource, made by a loop in Python"


def compiled(code: str) -> Callable[[], object]:
    """A warm compile, ready to run."""
    request = Request(code=code, node="growth.example.org", settings={"strict": "warning"})
    compile_catalog(request, lambda _entry: None)
    return lambda: compile_catalog(request, lambda _entry: None)


def plain(count: int) -> dict[tuple[str, str], object]:
    """So many resources, without the work that finds out what they are."""
    found: dict[tuple[str, str], object] = {}
    with PATIENT:
        for number in range(count):
            made = Resource("File", f"/srv/f{number}", line=number)
            made.parameters = {"ensure": "file", "mode": "0644", "content": f"line {number}"}
            made.tags.update({"file": None, "class": None})
            found[made.type, made.title] = made
    return found


def seconds(works: dict[int, Callable[[], object]]) -> dict[int, float]:
    """The CPU time of one run of each size."""
    best: dict[int, float] = {}
    most = max(works)
    for _ in range(ROUNDS):
        for size, work in works.items():
            runs = max(1, most // size)
            gc.collect()
            spent = sum(timed(work) for _ in range(runs)) / runs
            best[size] = min(spent, best.get(size, spent))
    return best


def timed(work: Callable[[], object]) -> float:
    """The CPU time of a run; what it makes is given back afterwards."""
    started = time.process_time()
    made = work()
    spent = time.process_time() - started
    del made
    return spent


def measure(quick: bool = False) -> list[dict[str, object]]:
    """A row for each kind of work."""
    rows = []
    for name, (code, all_sizes) in WORKS.items():
        sizes = all_sizes[:2] if quick else all_sizes
        rows.append(row(name, {size: compiled(code(size)) for size in sizes}))
    sizes = WORKS["resources"][1][: 2 if quick else None]
    rows.append(row(PLAIN, {size: partial(plain, size) for size in sizes}))
    return rows


def row(name: str, works: dict[int, Callable[[], object]]) -> dict[str, object]:
    """The figures of one kind of work."""
    each = [spent / size for size, spent in seconds(works).items()]
    return {
        "work": name,
        "sizes": list(works),
        "microseconds": [round(one * 1e6, 2) for one in each],
        "ratio": round(each[-1] / each[0], 2),
    }


def table(rows: list[dict[str, object]]) -> str:
    """The rows in Markdown."""
    lines = ["| work | sizes | µs each | largest : smallest |", "|---|---|---|--:|"]
    for row in rows:
        sizes = " → ".join(f"{size:,}" for size in row["sizes"])  # type: ignore[attr-defined]
        each = " → ".join(f"{one:.1f}" for one in row["microseconds"])  # type: ignore[attr-defined]
        lines.append(f"| {row['work']} | {sizes} | {each} | {row['ratio']} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = measure(options.quick)
    print(table(rows))
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
