"""Time bunraku, beside real Puppet in the same run where that is installed.

    run.py [--runs N] [--write]

``--write`` puts the table and the chart into ``docs/`` and the figures into ``benchmarks/results/``.
CPU seconds; on a shared machine the ratios tell more than the figures.
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
from pathlib import Path
from typing import Any

import backends
import growth
import history
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
WARM = {"roles": 25, "openstack": 25, "resources": 50, "collectors": 50, "language": 30}
"""How many times as fast as real Puppet a warm compile is to be."""
GROWTH = """Made by `benchmarks/growth.py`: microseconds for one, by the size of the whole.

"""
Row = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", nargs="*", choices=list(WORKLOADS), help="these workloads")
    options = parser.parse_args()
    about = machine()
    rows = [*start_rows(), *parse_rows(4)]
    compiles = compile_rows(options.runs, options.only or list(WORKLOADS))
    of_nodes = [row for row in compiles if f"`{nodes.WORK}.pp`" in row["work"]]
    rows += [*compiles, *process_rows(), *backends.rows(), *nodes.rows(of_nodes, MODULES)]
    rows += by_hand_rows()
    for row in rows:
        row["ratio"] = ratio_of(row)
    sizes = growth.measure()
    text = table(rows) + "\n## Growth\n\n" + GROWTH + growth.table(sizes)
    print(text)
    if options.write:
        results = {"machine": about, "rows": rows, "growth": sizes}
        file = HERE / "results" / f"{about['date'].replace(':', '').replace(' ', '-')}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
        history.CHART.write_text(history.chart(history.runs()), encoding="utf-8")
        write_page(text, about)
    return 0


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
            [sys.executable, str(HERE / "measure.py"), *arguments],
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


def wall(ours: list[str], theirs: list[str] | None) -> tuple[float, float | None]:
    """The medians of runs after one that is not counted, in seconds on the clock; both sides in turn,
    and ours more often.
    """
    # An installed program has its bytecode beside it, whatever this shell says about writing it.
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(command: list[str]) -> float:
        started = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True, env=environment)
        return time.perf_counter() - started

    mine: list[float] = []
    others: list[float] = []
    for _ in range(4):
        mine += [run(ours) for _ in range(5)]
        others += [run(theirs)] if theirs else []
    return statistics.median(mine[5:]), statistics.median(others[1:]) if theirs else None


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
            spent = wall([*ours, *mine], [*theirs, *other] if theirs else None)
            sides = dict(zip(("bunraku", "puppet"), spent, strict=True))
            rows.append({"work": f"{name}, on the clock", "unit": "s", **sides, "target": 15})
        return rows


def parse_rows(runs: int) -> list[Row]:
    """Parsing and checking all manifests of the modules that Debian packages."""
    files = sorted({str(path.resolve()) for path in MODULES.glob("*/**/*.pp")})
    if not files:
        return []
    given = "\n".join(files) + "\n"
    ours = bunraku("parse", str(runs), given=given)
    theirs = puppet("puppet_parse.rb", "1", given=given)
    again = bunraku("parse", str(runs), given=given)  # for the machine's speed changes
    ours["seconds"] = min(ours["seconds"], again["seconds"])
    speed = [one and one["bytes"] / one["seconds"] / 1e6 for one in (ours, theirs)]
    work = f"parse and check {ours['files']} manifests, {ours['bytes'] / 1e6:.1f} MB"
    found = bunraku("cached", str(runs), given=given)
    rows = [{"work": work, "unit": "MB/s", "bunraku": speed[0], "puppet": speed[1], "target": 6}]
    if "error" not in found:
        cached = found["bytes"] / found["seconds"] / 1e6
        work = "the same, code cached"
        rows.append(
            {"work": work, "unit": "MB/s", "bunraku": cached, "puppet": speed[1], "target": 40}
        )
    return rows


def compile_rows(runs: int, names_: list[str]) -> list[Row]:
    """The workloads: the first compile of a process, the ones after it, and its memory.

    "First" has an empty cache of code; the second row is the first compile of another process that
    finds the code of the one before. That process runs after Puppet's: the machine may have become
    faster or slower meanwhile, so the warm figure is the median of both processes' compiles.
    """
    rows = []
    for name in names_:
        about = WORKLOADS[name]
        manifest = str(HERE / "workloads" / f"{name}.pp")
        with tempfile.TemporaryDirectory() as cache:
            ours = bunraku("compile", manifest, str(runs), cache=cache)
            theirs = puppet("puppet_compile.rb", manifest, "2", str(MODULES))
            if "error" not in ours:
                again = bunraku("compile", manifest, str(runs), cache=cache)
                ours["cached"] = again["first"]
                ours["warm"] = statistics.median([*ours["all"], *again["all"]])
        if "error" in ours:
            rows.append({"work": f"`{name}.pp`", "unit": "s", "error": ours["error"]})
            continue
        if theirs and theirs["resources"] != ours["resources"]:
            text = f"{ours['resources']} resources; Puppet has {theirs['resources']}"
            rows.append({"work": f"`{name}.pp`", "unit": "s", "error": text})
            continue
        names = {
            "first": "first_compile_cpu",
            "cached": "first_compile_cpu",
            "warm": "cpu_median",
            "megabytes": "rss_mb",
        }
        titles = {
            "first": f"{about}: first compile",
            "cached": "first compile, code cached",
            "warm": "warm",
            "megabytes": "peak memory",
        }
        targets = {"warm": WARM[name]}
        if name == "resources":
            targets["megabytes"] = 1 / 0.7
        rows += [
            {
                "work": f"`{name}.pp`, {titles[mine]}",
                "unit": "MB" if mine == "megabytes" else "s",
                "bunraku": ours[mine],
                "puppet": theirs and theirs.get(other),
                "resources": ours["resources"],
                "target": targets.get(mine),
                "warm": mine == "warm",
            }
            for mine, other in names.items()
        ]
    return rows


def process_rows() -> list[Row]:
    """A whole process that compiles a role, the code of its manifests on disk."""
    manifest = str(HERE / "workloads" / "roles.pp")
    options = ["--facts", str(HERE / "facts.json"), "--modulepath", str(MODULES), "--no-cycles"]
    options += ["--node", "bench.example.org", "--strict", "warning", "--no-strict_variables"]
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        command = [sys.executable, "-m", "bunraku", "compile", *options, manifest]
        found = [children_seconds(command, environment) for _ in range(4)]
    script = [str(HERE / "puppet_compile.rb"), manifest, "1", str(MODULES)]
    theirs = children_seconds(["ruby", *script], {**os.environ}) if shutil.which("puppet") else None
    work = "`roles.pp`, whole process, code cached"
    ours = min(found[1:])
    return [{"work": work, "unit": "s", "bunraku": ours, "puppet": theirs, "target": 10}]


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
    before = measured(by_hand, "", {})
    ours = bunraku("compile", manifest, "8")
    after = measured(by_hand, "", {})
    hand = statistics.mean([before["seconds"], after["seconds"]])
    return [
        {
            "work": "`language.pp` beside plain Python (in the column of Puppet)",
            "unit": "s",
            "bunraku": ours["best"],
            "puppet": hand,
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
        ours, theirs = row["bunraku"], row["puppet"]
        ratio = f"{row['ratio']:.1f}×" if row["ratio"] else ""
        wanted = row.get("target")
        target = f"{wanted:.3g}×" if wanted else ""
        if wanted and row["ratio"]:
            # By hand Python itself is the other side: there the ratio has to be small.
            good = row["ratio"] <= wanted if row.get("most") else row["ratio"] >= wanted
            target += ": met" if good else ": not met"
        shown = [f"{one:.3g} {row['unit']}" if one else "–" for one in (ours, theirs)]
        lines.append(f"| {row['work']} | {shown[0]} | {shown[1]} | {ratio} | {target} |")
    return "\n".join(lines) + "\n"


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
{about["load"]} from other programs at the start; Python {about["python"]}, Puppet {about["puppet"]}, both in the same run,
one after the other. The machine was shared, so ratios say more than seconds. `openstack.pp` installs nova, neutron and keystone
(1,642 resources); *warm* is a compile in a process that has compiled it before.

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
