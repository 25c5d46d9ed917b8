"""Time checks of values against types and conversions, beside real Puppet in the same run.

    data_types.py [--repeats N] [--write [--busy]]

``--write`` puts the table into ``docs/performance.md``. CPU time, the best of several repeats; on a
shared machine the ratios tell more than the figures.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure
from page import write_section

from bunraku.types.convert.convert import new
from bunraku.types.parse import parse_type
from bunraku.types.relations.instance import is_instance

HERE = Path(__file__).parent
USER = {"name": "alice", "uid": 1000, "groups": ["adm", "www"]}
CHECKS: list[tuple[str, Any]] = [
    ("Integer", 5),
    ("Integer[1, 65535]", 8080),
    ("String", "abc"),
    ("String[1]", "abc"),
    ("Boolean", True),
    ("Optional[String]", "abc"),
    ("Enum['present', 'absent']", "absent"),
    ("Pattern[/\\A[a-z]+\\z/]", "abc"),
    ("Variant[Boolean, Enum['file', 'directory']]", "directory"),
    ("Array[String]", ["a", "b", "c"]),
    ("Hash[String, Integer]", {"a": 1, "b": 2, "c": 3}),
    ("Tuple[String, Integer]", ["a", 1]),
    ("Struct[{name => String[1], uid => Integer[0], groups => Array[String]}]", USER),
    ("Data", [USER] * 5),
]
CONVERSIONS: list[tuple[str, list[Any]]] = [
    ("Integer", ["0x1F"]),
    ("Integer", ["777", 8]),
    ("Float", ["1.5"]),
    ("Numeric", ["42"]),
    ("Boolean", ["yes"]),
    ("String", [255]),
    ("String", [255, "%#06x"]),
    ("String", [[1, "a", {"b": 2}]]),
    ("String", [{"a": [1, 2]}, "%#h"]),
    ("Array", [{"a": 1, "b": 2}]),
    ("Hash", [[["a", 1], ["b", 2]]]),
    ("SemVer", ["1.2.3-rc.1"]),
    ("SemVerRange", [">=1.2.0 <2.0.0"]),
    ("Timespan", ["1-02:03:04"]),
    ("Timestamp", ["2020-02-29", "%F"]),
    ("Binary", ["YWJj"]),
    ("URI", ["http://example.com/a?b"]),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--repeats", type=int, default=9)
    measure.add_options(parser)
    options = parser.parse_args()
    with measure.watched(options) as watch:
        text = table(ours(options.repeats), puppets(options.repeats))
    print(text)
    if measure.may_write(options, watch):
        write_section("types", text)


def best(work: Callable[[], object], repeats: int) -> float:
    """Nanoseconds of CPU time that a call takes, at best; the cost of the loop is taken off."""
    count = 1
    while timed(work, count) < 2e7:
        count *= 2
    idle = min(timed(nothing, count) for _ in range(repeats))
    return max(1.0, (min(timed(work, count) for _ in range(repeats)) - idle) / count)


def nothing() -> None:
    """What the loop itself costs."""


def timed(work: Callable[[], object], count: int) -> int:
    start = time.process_time_ns()
    for _ in range(count):
        work()
    return time.process_time_ns() - start


def ours(repeats: int) -> dict[str, list[float]]:
    """The figures of bunraku."""
    checks, conversions = [], []
    for text, value in CHECKS:
        type_ = parse_type(text)
        assert is_instance(value, type_), text
        checks.append(best(lambda type_=type_, value=value: is_instance(value, type_), repeats))
    for text, given in CONVERSIONS:
        type_ = parse_type(text)
        conversions.append(best(lambda type_=type_, given=given: new(type_, given), repeats))
    return {"checks": checks, "conversions": conversions}


def puppets(repeats: int) -> dict[str, Any] | None:
    """Those of the Puppet that is installed."""
    ruby = "/usr/bin/ruby"
    if not Path(ruby).exists() or shutil.which("puppet") is None:
        return None
    cases = {"repeats": repeats, "checks": CHECKS, "conversions": CONVERSIONS}
    done = subprocess.run(
        [ruby, str(HERE / "data_types.rb")],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def table(ours: dict[str, list[float]], theirs: dict[str, Any] | None) -> str:
    """The figures as a section of the page."""
    beside = f"and Puppet {theirs['puppet']}, both in the same run" if theirs else "alone"
    lines = [
        "## Types",
        "",
        f"Made by `benchmarks/data_types.py`: Python {platform.python_version()} {beside}; CPU time of one check or",
        "conversion, the best of several repeats, and how many bunraku makes in a second.",
        "",
        "| check | bunraku | Puppet | ratio | a second |",
        "|---|--:|--:|--:|--:|",
    ]
    for kind, cases in (("checks", CHECKS), ("conversions", CONVERSIONS)):
        if kind == "conversions":
            lines += [
                "",
                "| conversion | bunraku | Puppet | ratio | a second |",
                "|---|--:|--:|--:|--:|",
            ]
        for place, (text, value) in enumerate(cases):
            shown = f"{text}({json.dumps(value)[1:-1]})" if kind == "conversions" else text
            mine = ours[kind][place]
            row = [f"`{shown}`".replace("|", "\\|"), f"{mine / 1000:.2f} µs"]
            if theirs:
                other = theirs[kind][place]
                row += [f"{other / 1000:.2f} µs", f"{other / mine:.1f}×"]
            else:
                row += ["", ""]
            lines.append(f"| {' | '.join(row)} | {1e9 / mine:,.0f} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
