"""The work of ``workloads/language.pp`` as a Python programmer would write it by hand.

Prints one JSON line: the CPU seconds of the best of some runs, and the texts of the notify resources,
which must be those of the manifest.
"""

from __future__ import annotations

import json
import re
import sys
import time
from functools import reduce
from typing import Any

HOST = re.compile(r"^host-(\d+)\.rack(\d+)\.dc(\d)\.", re.MULTILINE)
MEDIUM = re.compile("[23]")
CORE = re.compile(r"^r1\d$", re.MULTILINE)


def classify(number: int) -> str:
    """Part 8."""
    if not isinstance(number, int):
        raise TypeError(number)
    if number % 15 == 0:
        return "fizzbuzz"
    if number % 5 == 0:
        return "buzz"
    return "fizz" if number % 3 == 0 else f"{number}"


def total(memo: int, number: int) -> int:
    """Part 1."""
    if number % 2 == 0 and number > 10:
        return memo + number * 3 - 1
    return memo - number // 2 + 1


def host(name: str) -> dict[str, Any]:
    """Part 3."""
    found = HOST.search(name)
    if found is None:
        raise ValueError(f"no match {name}")
    return {"id": int(found[1]), "rack": f"r{found[2]}", "dc": found[3]}


def selected(entry: dict[str, Any]) -> bool:
    """Part 4."""
    return entry["dc"] == "2" or (entry["id"] < 100 and entry["rack"] not in ("r1", "r2", "r3"))


def kind(entry: dict[str, Any]) -> str:
    """Part 5."""
    rest = entry["id"] % 7
    if rest == 0:
        size = "xl"
    elif rest == 1:
        size = "l"
    elif isinstance(rest, str) and MEDIUM.search(rest):
        size = "m"
    else:
        size = "s"
    rack = entry["rack"]
    if rack in ("r1", "r2", "r3"):
        return f"edge-{size}"
    if CORE.search(rack):
        return f"core-{size}"
    if rack in ("r20", "r21"):
        return f"gpu-{size}"
    return f"std-{size}"


def picked(value: int | None) -> int:
    """Part 6."""
    return 0 if value is None else value


def checked(number: Any) -> bool:
    """Part 7."""
    pair, entry = [number, f"a{number}"], {"a": number}
    return (
        isinstance(number, int)
        and 1 <= number <= 65535
        and 10 <= number <= 9000
        and not isinstance(number, str)
        and len(pair) == 2
        and isinstance(pair[0], int)
        and isinstance(pair[1], str)
        and entry.keys() == {"a"}
        and isinstance(entry["a"], int)
    )


def highest(left: int) -> int:
    """Part 9."""
    most = 0
    for right in range(1, 151):
        product = left * right
        difference = product - left
        most = max(most, difference)
    return most


def texts() -> list[str]:
    """All parts, and what is notified of them."""
    sum_ = reduce(total, range(1, 20001), 0)
    names = [f"host-{i}.rack{i % 40}.dc{i % 4}.example.org" for i in range(1, 10001)]
    hosts = [host(name) for name in names]
    some = [entry for entry in hosts if selected(entry)]
    counts: dict[str, int] = {}
    for found in [kind(entry) for entry in hosts]:
        counts = {**counts, found: picked(counts.get(found)) + 1}
    good = [number for number in range(1, 10001) if checked(number)]
    words = [classify(number) for number in range(1, 20001)]
    grid = [highest(left) for left in range(1, 151)]
    tree: dict[str, dict[str, Any]] = {}
    for i in range(1, 61):
        tree = {**tree, f"k{i}": {"list": list(range(1, 61)), "name": f"n{i}"}}
    flat = [[f"{k}/{v['name']}/{n}" for n in v["list"]] for k, v in tree.items()]
    numbers: list[int] = []
    for i in range(1, 401):
        if f"A{i}".lower() != "a7":
            numbers = numbers + [i]  # noqa: RUF005, the two ways of the manifest
        else:
            numbers = [*numbers, i]
    shown = ", ".join(f"{key} => {value}" for key, value in counts.items())
    return [
        f"total {sum_}",
        f"names {names[9999]} {len(names)}",
        f"sel {len(some)} {some[0]['rack']}",
        f"counts {{{shown}}}",
        f"checked {len(good)}",
        f"fb {words[14]} {len(words)}",
        f"grid {grid[149]}",
        f"flat {len(flat)} {flat[59][59]}",
        f"acc {len(numbers)}",
    ]


def main() -> None:
    seconds = []
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5):
        started = time.process_time()
        found = texts()
        seconds.append(time.process_time() - started)
    print(json.dumps({"seconds": min(seconds), "texts": found}))


if __name__ == "__main__":
    main()
