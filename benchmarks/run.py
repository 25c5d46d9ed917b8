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
    rows = [*start_rows(), *parse_rows(options.runs), *compile_rows(options.runs)]
    text = table(rows)
    print(text)
    if options.write:
        Path(options.json).write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
        write_page(text)
    return 0


def bunraku(*arguments: str, given: str = "", cache: str | None = None) -> Row:
    """One measurement of bunraku in a process of its own, its code cache empty."""
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
    """The shortest of three runs, in seconds on the clock."""
    found = []
    for _ in range(3):
        started = time.perf_counter()
        subprocess.run(command, capture_output=True, check=False)
        found.append(time.perf_counter() - started)
    return min(found)


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
    """The workloads: the first compile of a process, the ones after it, and its memory."""
    rows = []
    for name, about in WORKLOADS.items():
        manifest = str(HERE / "workloads" / f"{name}.pp")
        ours = bunraku("compile", manifest, str(runs))
        theirs = puppet("puppet_compile.rb", manifest, str(min(runs, 3) + 1), str(MODULES))
        if "error" in ours:
            rows.append({"work": f"`{name}.pp`", "unit": "s", "error": ours["error"]})
            continue
        names = {"first": "first_compile_cpu", "warm": "cpu_median", "megabytes": "rss_mb"}
        titles = {"first": f"{about}: first compile", "warm": "warm", "megabytes": "peak memory"}
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


def write_page(text: str) -> None:
    """Put the table where readers look."""
    installed = ""
    if shutil.which("puppet"):
        done = subprocess.run(["puppet", "--version"], capture_output=True, text=True, check=True)
        installed = f" and Puppet {done.stdout.strip()}"
    page = f"""# Performance

Made by `make bench` (`benchmarks/run.py`): Python {platform.python_version()}{installed}, both in the same
run, CPU seconds unless said otherwise. Read the ratios: the machine was shared. "First" includes reading, parsing and
compiling every manifest with an empty cache; "warm" is the median of the compiles after it in the same process.

{text}"""
    path = ROOT / "docs" / "performance.md"
    # What data_types.py wrote stays.
    _, mark, types = path.read_text(encoding="utf-8").partition("\n<!-- types: begin -->")
    path.write_text(page + mark + types, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
