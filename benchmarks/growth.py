"""How compile time grows with the size of the work, beside plain Python that makes as many objects.

    growth.py [--quick] [--json FILE]

Two measures for each kind of work, from the smallest to the largest size:

* by the clock: the CPU time of a warm compile for one resource or edge, divided by that of its *twin*,
  a loop in Python that makes the objects of the same catalog (resources with parameters and tags,
  references in their parameters, and edges) and nothing else. The twin grows, too: memory is used for the first time, and caches are too
  small. The target: the compile grows by at most 10 % more than its twin. Sizes and twins take turns;
  each time is the best round. A machine that is not idle gives no verdict.
* by counting: the instructions of Python that one resource or edge takes (``counts.py``). This number has
  no noise; it grows only if an algorithm is worse than linear.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import measure
from counts import counted

from bunraku.base.garbage_collection import PATIENT
from bunraku.catalog.compiled import CompiledCatalog, CompiledResource
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.types.model import ResourceType

ROUNDS = 3
MOST_BY_CLOCK = 1.10
"""How much more a compile may grow than its twin."""
MOST_BY_COUNT = 1.01
"""How much the instructions for one may grow; they fall where a fixed part is shared by more."""


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

Row = dict[str, Any]


def compiled(code: str) -> Callable[[], CompiledCatalog]:
    """A warm compile, ready to run."""
    request = Request(code=code, node="growth.example.org", settings={"strict": "warning"})
    compile_catalog(request, lambda _entry: None)
    return lambda: compile_catalog(request, lambda _entry: None)


def twin(resources: int, edges: int, parameters: int, references: int) -> CompiledCatalog:
    """As many objects as a catalog has, without the work that finds out what they are.

    ``parameters`` and ``references`` (elements of arrays) are those of one resource.
    """
    catalog = CompiledCatalog("growth.example.org")
    with PATIENT:
        for number in range(resources):
            title = f"/srv/f{number}"
            found: dict[str, Any] = {f"p{at}": f"value {number}" for at in range(parameters)}
            if references:
                found["p0"] = [
                    ResourceType("file", f"/srv/f{number - at}") for at in range(references)
                ]
            catalog.resources.append(
                CompiledResource(
                    type="File",
                    title=title,
                    title_data=title,
                    tags=("file", "class"),
                    file="site.pp",
                    line=number,
                    exported=False,
                    kind="compilable_type",
                    parameters=found,
                    sensitive=(),
                )
            )
        for number in range(edges):
            catalog.edges.append((f"File[/srv/f{number}]", "Class[Main]"))
    return catalog


def twin_of(work: Callable[[], CompiledCatalog]) -> Callable[[], CompiledCatalog]:
    """The twin of a compile."""
    catalog = work()
    count = len(catalog.resources)
    values = [value for one in catalog.resources for value in one.parameters.values()]
    references = sum(len(value) for value in values if isinstance(value, list))
    parts = (round(number / count) for number in (len(values), references))
    return partial(twin, count, len(catalog.edges), *parts)


def timed(work: Callable[[], object], runs: int) -> float:
    """The CPU time of a run; what it makes is given back meanwhile."""
    gc.collect()
    started = time.process_time()
    for _ in range(runs):
        work()
    return (time.process_time() - started) / runs


def row(name: str, code: Callable[[int], str], sizes: list[int]) -> Row:
    """The figures of one kind of work."""
    works = {size: compiled(code(size)) for size in sizes}
    twins = {size: twin_of(work) for size, work in works.items()}
    sides = {
        (side, size): partial(timed, work, max(1, sizes[-1] // size))
        for size in sizes
        for side, work in (("compile", works[size]), ("twin", twins[size]))
    }
    best = {key: min(figures) for key, figures in measure.in_turn(sides, ROUNDS).items()}
    each = {side: [best[side, size] / size for size in sizes] for side in ("compile", "twin")}
    instructions = [counted(works[size]) / size for size in (sizes[0], sizes[-1])]
    grown = {side: found[-1] / found[0] for side, found in each.items()}
    return {
        "work": name,
        "sizes": sizes,
        "microseconds": [round(one * 1e6, 2) for one in each["compile"]],
        "twin": [round(one * 1e6, 2) for one in each["twin"]],
        "ratio": round(grown["compile"], 3),
        "beyond the twin": round(grown["compile"] / grown["twin"], 3),
        "instructions": [round(one, 1) for one in instructions],
        "counted": round(instructions[1] / instructions[0], 3),
    }


def measure_growth(quick: bool = False) -> list[Row]:
    """A row for each kind of work."""
    return [row(name, code, sizes[:2] if quick else sizes) for name, (code, sizes) in WORKS.items()]


def verdict(row: Row, *, idle: bool) -> str:
    """Whether a row meets the targets.

    >>> verdict({"beyond the twin": 1.02, "counted": 1.0}, idle=True)
    'met; counted: met'
    >>> verdict({"beyond the twin": 1.3, "counted": 1.2}, idle=False)
    'not judged, the machine was busy; counted: not met'
    """
    clock = "met" if row["beyond the twin"] <= MOST_BY_CLOCK else "not met"
    count = "met" if row["counted"] <= MOST_BY_COUNT else "not met"
    return f"{clock if idle else 'not judged, the machine was busy'}; counted: {count}"


def table(rows: list[Row], *, idle: bool) -> str:
    """The rows in Markdown."""
    target = f"target: {100 * (MOST_BY_CLOCK - 1):.0f} % beyond plain Python"
    columns = "work | sizes | µs each | growth | beyond plain Python | instructions each | growth"
    lines = [
        f"| {columns} | {target} |",
        "|---|---|---|--:|--:|---|--:|---|",
    ]
    for row in rows:
        sizes = " → ".join(f"{size:,}" for size in row["sizes"])
        each = " → ".join(f"{one:.1f}" for one in row["microseconds"])
        counts = " → ".join(f"{one:,.0f}" for one in row["instructions"])
        lines.append(
            f"| {row['work']} | {sizes} | {each} | {row['ratio']:.2f}× | {row['beyond the twin']:.2f}× "
            f"| {counts} | {row['counted']:.3f}× | {verdict(row, idle=idle)} |"
        )
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="leave out the largest sizes")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    options.write = options.busy = False
    with measure.watched(options) as watch:
        rows = measure_growth(options.quick)
        idle = watch.share() <= measure.IDLE
    print(table(rows, idle=idle))
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 1 if any("not met" in verdict(one, idle=idle) for one in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
