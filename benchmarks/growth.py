"""How compile time grows with the size of the work; each line is linear where the ratio stays near 1.

    growth.py [--quick] [--json FILE]

The time for each size is the best of some runs, divided by the size; the ratio is that of the largest
to the first. CPU seconds.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable
from pathlib import Path

from bunraku.engine import Request, compile_catalog

ALLOWED = 1.15


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


def seconds(code: str, runs: int) -> float:
    """The best CPU time of some warm compiles."""
    request = Request(code=code, node="growth.example.org", settings={"strict": "warning"})
    compile_catalog(request, lambda _entry: None)
    found = []
    for _ in range(runs):
        gc.collect()  # what the compile before left behind is not this one's work
        started = time.process_time()
        compile_catalog(request, lambda _entry: None)
        found.append(time.process_time() - started)
    return min(found)


def measure(quick: bool = False) -> list[dict[str, object]]:
    """A row for each kind of work."""
    rows: list[dict[str, object]] = []
    for name, (code, sizes) in WORKS.items():
        sizes = sizes[:2] if quick else sizes
        # Small sizes are over soon, and so are measured more often.
        each = [seconds(code(size), 2 if size > 4_000 else 6) / size for size in sizes]
        rows.append(
            {
                "work": name,
                "sizes": sizes,
                "microseconds": [round(one * 1e6, 2) for one in each],
                "ratio": round(each[-1] / each[0], 2),
            }
        )
    return rows


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
