"""Run rspec-puppet suites with Puppet and twice with bunraku, and compare each example.

rspec.py SUITE... [--include DIR]... [--files N] [--seconds N] [--record FILE]
rspec.py --write suites|others FILE...

A SUITE is the directory of a module with ``spec/`` and its fixtures. All sides run the same spec files in
turn, each in one process of rspec. bunraku's cache is empty before the first suite. ``--include`` adds directories to
Ruby's load path, such as that of a newer rspec-puppet. ``--record`` appends the results to a file; ``--write`` puts
such files as a table into docs/rspec.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
GEM = ROOT / "integrations" / "rspec" / "lib"
PAGE = ROOT / "docs" / "rspec.md"
BEGIN, END = "<!-- {} -->\n", "<!-- end of {} -->\n"
KINDS = ("classes", "defines", "functions", "hosts", "type_aliases")
"""The directories of specs that compile catalogs or call functions; those of Ruby code stay out."""
SUMMARY = re.compile(
    r"^bunraku: \d+ catalogs? compiled(?:, \d+ taken from the cache)?(?:, (\d+) examples? compiled by Puppet)?",
    re.MULTILINE,
)


class Side(NamedTuple):
    """What one run made of a suite: the status of each example, seconds of the processor, and fallbacks of the gem."""

    examples: dict[str, str]
    messages: dict[str, str]
    processor: float
    fallbacks: int
    failure: str

    def passed(self) -> int:
        """Return the number of examples that passed."""
        return sum(status == "passed" for status in self.examples.values())


class Suite(NamedTuple):
    """A suite and its runs: with Puppet, with bunraku for the first time, and again."""

    name: str
    puppet: Side
    first: Side
    second: Side

    def differences(self) -> list[str]:
        """Return the examples that do not have the same status in all runs."""
        sides = (self.puppet, self.first, self.second)
        names = {name for side in sides for name in side.examples}
        return sorted(name for name in names if len({one.examples.get(name) for one in sides}) > 1)

    def record(self) -> Record:
        """Return what the table shows of the suite."""
        sides = (self.puppet, self.first, self.second)
        passed = [side.passed() for side in sides[:2]]
        counts = [len(self.puppet.examples), *passed, len(self.differences()), self.first.fallbacks]
        return Record(self.name, counts, [side.processor for side in sides])


class Record(NamedTuple):
    """A row of the table: numbers of examples, and seconds of the processor in each run."""

    name: str
    counts: list[int]
    seconds: list[float]

    def row(self) -> str:
        """Return the row as text."""
        puppet, first, second = self.seconds
        cells = [
            self.name,
            *(f"{one:,}" for one in self.counts),
            *(f"{one:.1f} s" for one in self.seconds),
            f"{puppet / max(first, 0.01):.1f}×",
            f"{puppet / max(second, 0.01):.1f}×",
        ]
        return f"| {' | '.join(cells)} |\n"


def total(records: Sequence[Record]) -> Record:
    """Return the sums of all suites."""
    counts = [sum(one) for one in zip(*(record.counts for record in records), strict=True)]
    seconds = [sum(one) for one in zip(*(record.seconds for record in records), strict=True)]
    return Record("all", counts, seconds)


HEAD = """| suite | examples | pass with Puppet | with bunraku | differ | fall back | Puppet | first run | second run | first | second |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"""


def main() -> int:
    """Run the suites; return 1 if an example differs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("paths", nargs="+", type=Path, metavar="SUITE")
    parser.add_argument("--include", action="append", default=[], metavar="DIR")
    parser.add_argument("--files", type=int, default=10_000, help="at most so many spec files each")
    parser.add_argument("--seconds", type=float, default=900, help="time limit of one side")
    parser.add_argument("--record", type=Path, metavar="FILE")
    parser.add_argument("--write", choices=("suites", "others"))
    options = parser.parse_args()
    if options.write:
        write(options.write, options.paths)
        return 0
    if not shutil.which("rspec"):
        raise SystemExit("rspec is not installed")
    found = []
    with tempfile.TemporaryDirectory() as cache:
        for directory in options.paths:
            suite = compared(directory, options, cache)
            found.append(suite)
            print(suite.record().row(), end="", flush=True)
            report(suite)
            if options.record:
                with options.record.open("a") as file:
                    file.write(f"{json.dumps(suite.record())}\n")
    print(total([suite.record() for suite in found]).row(), end="")
    return 1 if any(suite.differences() for suite in found) else 0


def compared(directory: Path, options: argparse.Namespace, cache: str) -> Suite:
    """Run a suite with Puppet, and twice with bunraku."""
    whole = [
        str(path.relative_to(directory))
        for kind in KINDS
        for path in sorted((directory / "spec" / kind).rglob("*_spec.rb"))
    ]
    files = whole[: options.files]
    if not files:
        raise SystemExit(f"no specs of classes, defined types or functions in {directory}")
    sides = [
        run(directory, files, mode, options.include, options.seconds, cache)
        for mode in ("off", "on", "on")
    ]
    noun = "file" if len(files) == 1 else "files"
    part = f" ({len(files)} {noun} of {len(whole)})" if len(files) < len(whole) else ""
    return Suite(f"{directory.name}{part}", *sides)


def run(
    directory: Path,
    files: Sequence[str],
    mode: str,
    include: Sequence[str],
    limit: float,
    cache: str,
) -> Side:
    """Run spec files with Puppet (``off``) or bunraku (``on``)."""
    program = Path(sys.executable).with_name("bunraku")
    paths = [f"-I{os.path.abspath(path)}" for path in [*include, GEM]]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "examples.json"
        command = ["rspec", *paths, "-r", "bunraku/rspec", "--format", "json", "--out", str(output)]
        environment = {
            **os.environ,
            "BUNRAKU_RSPEC": mode,
            "BUNRAKU": str(program),
            "XDG_CACHE_HOME": cache,
        }
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(
                [*command, *files], cwd=directory, env=environment, capture_output=True, text=True,
                timeout=limit, check=False,
            )  # fmt: skip
            problem = done.stdout[-400:] + done.stderr
        except subprocess.TimeoutExpired:
            problem = f"longer than {limit:.0f} s"
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        text = output.read_text() if output.exists() else ""
        made = json.loads(text) if text else {"examples": []}  # empty if rspec was ended
        examples = made["examples"]
    counts = SUMMARY.search(problem)
    return Side(
        {identity(one): one["status"] for one in examples},
        {identity(one): (one.get("exception") or {}).get("message", "") for one in examples},
        processor,
        int(counts[1] or 0) if counts else 0,
        "" if examples else "".join(made.get("messages", ()))[:1000] + problem[-1000:],
    )


def identity(example: dict[str, Any]) -> str:
    """Return the name of an example, which is the same in both runs."""
    return f"{example['id']} {example['full_description']}"


def report(suite: Suite) -> None:
    """Print what differs, and why a side ran no example."""
    for side in (suite.puppet, suite.first, suite.second):
        if side.failure:
            print(f"  no examples: {side.failure}", flush=True)
    for name in suite.differences():
        sides = (suite.puppet, suite.first, suite.second)
        outcomes = ", ".join(side.examples.get(name, "absent") for side in sides)
        message = suite.first.messages.get(name) or suite.puppet.messages.get(name, "")
        print(f"  {name}: {outcomes}: {message[:1500]}", flush=True)


def write(table: str, files: Sequence[Path]) -> None:
    """Put recorded results as a table into the page."""
    lines = [line for file in files for line in file.read_text().splitlines()]
    records = sorted(Record(*json.loads(line)) for line in lines)
    text = HEAD + "".join(record.row() for record in records) + total(records).row()
    begin, end = BEGIN.format(table), END.format(table)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    PAGE.write_text(before + begin + text + end + rest.partition(end)[2], encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
