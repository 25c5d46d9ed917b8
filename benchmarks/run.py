"""Time bunraku, beside real Puppet in the same run where that is installed.

    run.py [--runs N] [--write] [--json FILE]

``--write`` puts the table into ``docs/performance.md`` and the figures into ``benchmarks/results.json``.
CPU seconds; on a shared machine the ratios tell more than the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

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
Row = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", default=str(HERE / "results.json"))
    options = parser.parse_args()
    about = machine()
    rows = [*start_rows(), *parse_rows(options.runs), *compile_rows(options.runs)]
    text = table(rows)
    print(text)
    if options.write:
        results = {"machine": about, "rows": rows}
        Path(options.json).write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
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
        "date": time.strftime("%Y-%m-%d"),
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


def wall(command: list[str]) -> float:
    """The median of five runs after one that is not counted, in seconds on the clock."""
    # An installed program has its bytecode beside it, whatever this shell says about writing it.
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    found = []
    for _ in range(6):
        started = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True, env=environment)
        found.append(time.perf_counter() - started)
    return statistics.median(found[1:])


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
        return [
            {
                "work": f"{name}, on the clock",
                "unit": "s",
                "bunraku": wall([*ours, *mine]),
                "puppet": wall([*theirs, *other]) if theirs else None,
            }
            for name, (mine, other) in pairs.items()
        ]


def parse_rows(runs: int) -> list[Row]:
    """Parsing and checking all manifests of the modules that Debian packages."""
    files = sorted({str(path.resolve()) for path in MODULES.glob("*/**/*.pp")})
    if not files:
        return []
    given = "\n".join(files) + "\n"
    ours = bunraku("parse", str(runs), given=given)
    theirs = puppet("puppet_parse.rb", str(min(runs, 3)), given=given)
    speed = [one and one["bytes"] / one["seconds"] / 1e6 for one in (ours, theirs)]
    work = f"parse and check {ours['files']} manifests, {ours['bytes'] / 1e6:.1f} MB"
    return [{"work": work, "unit": "MB/s", "bunraku": speed[0], "puppet": speed[1]}]


def compile_rows(runs: int) -> list[Row]:
    """The workloads: the first compile of a process, the ones after it, and its memory.

    "First" has an empty cache of code; the second row is the first compile of another process that
    finds the code of the one before.
    """
    rows = []
    for name, about in WORKLOADS.items():
        manifest = str(HERE / "workloads" / f"{name}.pp")
        with tempfile.TemporaryDirectory() as cache:
            ours = bunraku("compile", manifest, str(runs), cache=cache)
            if "error" not in ours:
                again = bunraku("compile", manifest, "1", cache=cache)
                ours["cached"] = again["first"]
        theirs = puppet("puppet_compile.rb", manifest, str(min(runs, 3) + 1), str(MODULES))
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
        rows += [
            {
                "work": f"`{name}.pp`, {titles[mine]}",
                "unit": "MB" if mine == "megabytes" else "s",
                "bunraku": ours[mine],
                "puppet": theirs and theirs.get(other),
                "resources": ours["resources"],
            }
            for mine, other in names.items()
        ]
    return rows


def table(rows: list[Row]) -> str:
    """The rows as a table in Markdown."""
    lines = ["| work | bunraku | Puppet | ratio |", "|---|---|---|---|"]
    for row in rows:
        if "error" in row:
            lines.append(f"| {row['work']} | {row['error'][:80]} | | |")
            continue
        ours, theirs = row["bunraku"], row["puppet"]
        ratio = ""
        if theirs:
            ratio = f"{(ours / theirs if row['unit'] == 'MB/s' else theirs / ours):.1f}×"
        shown = [f"{one:.3g} {row['unit']}" if one else "–" for one in (ours, theirs)]
        lines.append(f"| {row['work']} | {shown[0]} | {shown[1]} | {ratio} |")
    return "\n".join(lines) + "\n"


def write_page(text: str, about: dict[str, str]) -> None:
    """Put the table where readers look."""
    page = f"""# Performance

Made by `make bench` (`benchmarks/run.py`) on {about["date"]}: {about["processor"]}, {about["cores"]} cores, load
{about["load"]} from other programs at the start; Python {about["python"]}, Puppet {about["puppet"]}, both in the same run,
one after the other. CPU seconds unless said otherwise; both programs made catalogs with as many resources. Read the
ratios: the machine was shared.

"First" is the first compile of a process: it includes reading, parsing and compiling every manifest and, for Puppet,
loading types and functions, but neither program's own start. "Code cached" is the same in a process that finds the
code of an earlier one on disk, which Puppet cannot. "Warm" is the median of the compiles after the first in the same
process, the environment kept as in a server.

{text}"""
    path = ROOT / "docs" / "performance.md"
    # What data_types.py wrote stays.
    _, mark, types = path.read_text(encoding="utf-8").partition("\n<!-- types: begin -->")
    path.write_text(page + mark + types, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
