"""Time bunraku, beside real Puppet in the same run where that is installed.

    run.py [--runs N] [--write [--busy]]

``--write`` puts the table and the chart into ``docs/`` and the figures into ``benchmarks/results/``, if
the machine was idle (``measure.py``). CPU seconds, medians with half of their range. Both sides take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import backends
import growth
import history
import measure
import nodes

HERE = Path(__file__).parent
ROOT = HERE.parent
MODULES = Path("/usr/share/puppet/modules")
WORKLOADS = {
    "roles": "web and database host from real modules",
    "openstack": "nova, neutron, keystone",
    "resources": "5,000 resources with relationships, made by iteration",
    "collectors": "2,000 virtual resources, collectors, overrides, defaults",
    "language": "over a million evaluated expressions",
}
WARM = {"roles": 30, "openstack": 30, "resources": 50, "collectors": 50, "language": 30}
"""How many times as fast as real Puppet a warm compile is to be."""
FIRST = {"roles": 8, "openstack": 8}
"""The same of a first compile without a cache."""
GROWTH = """Made by `benchmarks/growth.py`: warm compiles from small to large. *Beyond plain Python* is the growth divided by that of a
loop in Python that makes the objects of the same catalogs. Instructions of Python are counted; they do not depend on the machine.

"""
SIDES = ("bunraku", "puppet")
TURNS = 8
"""How often the smallest commands are timed."""
Row = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=5)
    measure.add_options(parser)
    parser.add_argument("--only", nargs="*", choices=list(WORKLOADS), help="these workloads")
    options = parser.parse_args()
    with measure.watched(options) as watch:
        about = machine()
        rows, sizes = all_rows(options), growth.measure_growth()
        about["others"] = f"{watch.share():.2f}"
        idle = watch.share() <= measure.IDLE
    text = table(rows) + "\n## Growth\n\n" + GROWTH + growth.table(sizes, idle=idle)
    print(text)
    if measure.may_write(options, watch):
        results = {"machine": about, "rows": rows, "growth": sizes}
        file = HERE / "results" / f"{about['date'].replace(':', '').replace(' ', '-')}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
        history.CHART.write_text(history.chart(history.runs()), encoding="utf-8")
        write_page(text, about)
    return 0


def all_rows(options: argparse.Namespace) -> list[Row]:
    """All measurements that are chosen."""
    rows = [*start_rows(), *parse_rows(4)]
    compiles = compile_rows(options.runs, options.only or list(WORKLOADS))
    of_nodes = [row for row in compiles if f"`{nodes.WORK}.pp`" in row["work"]]
    rows += [*compiles, *process_rows(), *backends.rows(), *nodes.rows(of_nodes, MODULES)]
    rows += by_hand_rows()
    for row in rows:
        row["ratio"] = ratio_of(row)
    return rows


def machine() -> dict[str, str]:
    """What the figures were measured on, and what else it was doing."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(": ")[1].strip() for line in file if line.startswith("model name")]
    puppet_version = "not installed"
    if shutil.which("puppet"):
        command = ["puppet", "--version"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        puppet_version = done.stdout.strip()
    return {
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "processor": models[0] if models else platform.machine(),
        "cores": str(os.cpu_count()),
        "load": f"{os.getloadavg()[0]:.1f}",
        "python": platform.python_version(),
        "puppet": puppet_version,
    }


def bunraku(*arguments: str, given: str = "", cache: str | None = None) -> Row:
    """One measurement of bunraku in a process of its own, its code cache empty unless one is given."""
    with tempfile.TemporaryDirectory() as empty:
        return measured(
            [sys.executable, str(HERE / "one_process.py"), *arguments],
            given,
            {"XDG_CACHE_HOME": cache or empty},
        )


def puppet(script: str, *arguments: str, given: str = "") -> Row | None:
    """One measurement of real Puppet; None where it is not installed."""
    if not shutil.which("puppet"):
        return None
    return measured(["ruby", str(HERE / script), *arguments], given, {})


def measured(command: list[str], given: str, environment: dict[str, str]) -> Row:
    """The JSON line that a program prints; what went wrong where it prints none."""
    done = subprocess.run(
        command,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["it failed"])[-1]}
    found: Row = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def sides(found: dict[str, list[float]]) -> Row:
    """The part of a row with the figures of both sides: medians, and their spread."""
    return {
        **{name: statistics.median(found[name]) if found.get(name) else None for name in SIDES},
        "spread": {name: measure.spread(found[name]) for name in SIDES if found.get(name)},
    }


def wall(ours: list[str], theirs: list[str] | None) -> Row:
    """Both sides in seconds on the clock, in turn, after a run of each that is not counted."""
    # An installed program has its bytecode beside it, whatever this shell says about writing it.
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(command: list[str]) -> float:
        started = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True, env=environment)
        return time.perf_counter() - started

    commands = {"bunraku": ours, **({"puppet": theirs} if theirs else {})}
    works = {name: partial(run, command) for name, command in commands.items()}
    return sides(measure.in_turn(works, TURNS, unmeasured=1))


def start_rows() -> list[Row]:
    """What a person waits for the smallest commands."""
    ours = [sys.executable, "-m", "bunraku"]
    theirs = ["puppet"] if shutil.which("puppet") else None
    with tempfile.NamedTemporaryFile("w", suffix=".pp") as file:
        file.write("notice('hello')\n")
        file.flush()
        pairs = {
            "`--version`": (["--version"], ["--version"]),
            "`validate` of one line": (["validate", file.name], ["parser", "validate", file.name]),
        }
        rows = []
        for name, (mine, other) in pairs.items():
            found = wall([*ours, *mine], [*theirs, *other] if theirs else None)
            rows.append({"work": f"{name}, on the clock", "unit": "s", **found, "target": 15})
        return rows


def parse_rows(runs: int) -> list[Row]:
    """Parsing and checking all manifests of the modules that Debian packages."""
    files = sorted({str(path.resolve()) for path in MODULES.glob("*/**/*.pp")})
    if not files:
        return []
    given = "\n".join(files) + "\n"
    speeds: dict[str, list[float]] = {"bunraku": [], "puppet": []}
    for _ in range(2):
        ours = bunraku("parse", str(runs), given=given)
        theirs = puppet("puppet_parse.rb", "1", given=given)
        for name, one in (("bunraku", ours), ("puppet", theirs)):
            speeds[name] += [one["bytes"] / one["seconds"] / 1e6] if one else []
    work = f"parse and check {ours['files']} manifests, {ours['bytes'] / 1e6:.1f} MB"
    rows = [{"work": work, "unit": "MB/s", **sides(speeds), "target": 6}]
    found = bunraku("cached", str(runs), given=given)
    if "error" not in found:
        speeds["bunraku"] = [found["bytes"] / found["seconds"] / 1e6]
        rows.append(
            {"work": "the same, code cached", "unit": "MB/s", **sides(speeds), "target": 40}
        )
    return rows


def compile_rows(runs: int, names_: list[str]) -> list[Row]:
    """The workloads: the first compile of a process, the ones after it, and its memory.

    "First" has an empty cache of code; "cached" is the first compile of another process that finds the
    code of the one before. Real Puppet runs between the two, and all of it is done twice.
    """
    rows = []
    for name in names_:
        manifest = str(HERE / "workloads" / f"{name}.pp")
        found = [compile_turn(manifest, runs) for _ in range(2)]
        error = next((one["error"] for one in found if "error" in one), None)
        if error is not None:
            rows.append({"work": f"`{name}.pp`", "unit": "s", "error": error})
            continue
        targets: dict[str, float | None] = {"first": FIRST.get(name), "warm": WARM[name]}
        if name == "resources":
            targets["megabytes"] = 1 / 0.7
        rows += [
            {
                "work": f"`{name}.pp`, {title.format(WORKLOADS[name])}",
                "unit": "MB" if part == "megabytes" else "s",
                **sides(
                    {side: [value for one in found for value in one[side][part]] for side in SIDES}
                ),
                "resources": found[0]["resources"],
                "target": targets.get(part),
                "warm": part == "warm",
            }
            for part, title in PARTS.items()
        ]
    return rows


PARTS = {
    "first": "{}: first compile",
    "cached": "first compile, code cached",
    "warm": "warm",
    "megabytes": "peak memory",
}


def compile_turn(manifest: str, runs: int) -> Row:
    """One turn of a workload: ours without and with cached code, and real Puppet in between."""
    with tempfile.TemporaryDirectory() as cache:
        ours = bunraku("compile", manifest, str(runs), cache=cache)
        theirs = puppet("puppet_compile.rb", manifest, "2", str(MODULES)) or {}
        again = bunraku("compile", manifest, str(runs), cache=cache)
    for one in (ours, theirs, again):
        if "error" in one:
            return {"error": one["error"]}
    if theirs and theirs["resources"] != ours["resources"]:
        return {"error": f"{ours['resources']} resources; Puppet has {theirs['resources']}"}
    first, warm = theirs.get("first_compile_cpu"), theirs.get("cpu_median")
    memory = theirs.get("rss_mb")
    return {
        "resources": ours["resources"],
        "bunraku": {
            "first": [ours["first"]],
            "cached": [again["first"]],
            "warm": [*ours["all"], *again["all"]],
            "megabytes": [ours["megabytes"]],
        },
        "puppet": {
            "first": [first] if first else [],
            "cached": [first] if first else [],
            "warm": [warm] if warm else [],
            "megabytes": [memory] if memory else [],
        },
    }


def process_rows() -> list[Row]:
    """A whole process that compiles a role, the code of its manifests on disk."""
    manifest = str(HERE / "workloads" / "roles.pp")
    options = ["--facts", str(HERE / "facts.json"), "--modulepath", str(MODULES), "--no-cycles"]
    options += ["--node", "bench.example.org", "--strict", "warning", "--no-strict_variables"]
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        command = [sys.executable, "-m", "bunraku", "compile", *options, manifest]
        works = {"bunraku": partial(children_seconds, command, environment)}
        if shutil.which("puppet"):
            script = ["ruby", str(HERE / "puppet_compile.rb"), manifest, "1", str(MODULES)]
            works["puppet"] = partial(children_seconds, script, {**os.environ})
        works["bunraku"]()  # so that the code is on disk
        found = sides(measure.in_turn(works, 3))
    return [{"work": "`roles.pp`, whole process, code cached", "unit": "s", **found, "target": 10}]


def children_seconds(command: list[str], environment: dict[str, str]) -> float:
    """The CPU seconds of a process and those it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def by_hand_rows() -> list[Row]:
    """The work of ``language.pp`` beside the same written in Python by hand."""
    manifest = str(HERE / "workloads" / "language.pp")
    by_hand = [sys.executable, str(HERE / "by_hand" / "language.py"), "8"]
    works = {
        "bunraku": lambda: float(bunraku("compile", manifest, "8")["best"]),
        "puppet": lambda: float(measured(by_hand, "", {})["seconds"]),
    }
    return [
        {
            "work": "`language.pp` beside plain Python (in the column of Puppet)",
            "unit": "s",
            **sides(measure.in_turn(works, 2)),
            "most": True,
            "target": 2.5,
        }
    ]


def ratio_of(row: Row) -> float | None:
    """How many times as good as the other side; beside plain Python, how many times its time."""
    ours, theirs = row.get("bunraku"), row.get("puppet")
    if not ours or not theirs:
        return None
    return float(ours / theirs if row["unit"] == "MB/s" or row.get("most") else theirs / ours)


def table(rows: list[Row]) -> str:
    """The rows as a table in Markdown."""
    lines = ["| work | bunraku | Puppet | ratio | target |", "|---|---|---|--:|---|"]
    for row in rows:
        if "error" in row:
            lines.append(f"| {row['work']} | {row['error'][:80]} | | | |")
            continue
        ratio = f"{row['ratio']:.1f}×" if row["ratio"] else ""
        wanted = row.get("target")
        target = f"{wanted:.3g}×" if wanted else ""
        if wanted and row["ratio"]:
            # By hand Python itself is the other side: there the ratio has to be small.
            good = row["ratio"] <= wanted if row.get("most") else row["ratio"] >= wanted
            target += ": met" if good else ": not met"
        shown = [figure(row, side) for side in SIDES]
        lines.append(f"| {row['work']} | {shown[0]} | {shown[1]} | {ratio} | {target} |")
    return "\n".join(lines) + "\n"


def figure(row: Row, side: str) -> str:
    """The figure of a side with its spread."""
    if not row[side]:
        return "–"
    part = row.get("spread", {}).get(side)
    return f"{row[side]:.3g} {row['unit']}{f' ±{100 * part:.0f} %' if part else ''}"


def findings() -> str:
    """What profiles say of the targets that are not met: written by hand, kept beside this file."""
    return (HERE / "findings.md").read_text(encoding="utf-8").rstrip("\n") + "\n"


HEADLINES = ("`openstack.pp`, warm", "`validate` of one line", "200 nodes")
"""The rows that the page begins with."""


def headlines(text: str) -> str:
    """Return the most telling rows of the table, without the column of targets."""
    rows = ["work", "---", *HEADLINES]
    found = [
        line.rpartition("|")[0].rpartition("|")[0] + "|"
        for row in rows
        for line in text.partition("\n\n")[0].splitlines()
        if line.startswith((f"| {row}", f"|{row}"))
    ]
    return "\n".join(found) + "\n"


def write_page(text: str, about: dict[str, str]) -> None:
    """Put the table where readers look."""
    page = f"""# Performance

{headlines(text)}
Measured by `make bench` (`benchmarks/run.py`) on {about["date"]}: {about["processor"]}, {about["cores"]} cores, load
{about["load"]} at the start; other programs used {about["others"]} processors meanwhile. Python {about["python"]}, Puppet
{about["puppet"]}, in turn; medians ± half of their range. `openstack.pp` installs nova, neutron and keystone
(1,642 resources); *warm* is a compile in a process that has compiled it before.

## How it is measured

Before and during a run, the benchmarks read from `/proc` how many processors other programs use. Above 0.1 processors they warn and
name the programs, and `--write` writes nothing unless `--busy` is given: an idle Debian uses less than 0.02, one busy program 1.0.
Both sides take turns, because machines change their speed within seconds. Figures are medians; ± is half of their range. The code
is in `benchmarks/measure.py`.

Between releases, no clock is used: `benchmarks/counts.py` counts the instructions of Python that the hot paths execute, from the
lexer to the comparison of catalogs, for a small site in `benchmarks/workloads/counted/`. The counts are the same for every hash seed,
load and temporary directory. `benchmarks/counts/` has them for Python 3.11; a test fails if a path executes 3 % more. `make counts`
accepts new counts. Code in C is not counted.

## All figures

CPU seconds, unless "on the clock" (wall-clock time) is stated. Both programs made catalogs with the same number of resources.

| term | meaning |
|---|---|
| first compile | in a new process: reads, parses and compiles every manifest; Puppet also loads types and functions. The start of the programs is not included |
| code cached | the same with the compiled code of an earlier process on disk; Puppet has no such cache |
| warm | the median of later compiles in the same process, as in a server |
| target | what the project aims at |

{text}
## History

![How many times as fast as real Puppet, by run](performance-history.svg)

Each run is a file in `benchmarks/results/`, with the machine it ran on.

{findings()}"""
    path = ROOT / "docs" / "performance.md"
    # What data_types.py wrote stays.
    _, mark, types = path.read_text(encoding="utf-8").partition("\n<!-- types: begin -->")
    path.write_text(page + mark + types, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
