"""Run rspec-puppet suites with Puppet and with bunraku, and compare each example.

rspec.py SUITE... [--include DIR]... [--files N] [--seconds N] [--write]

A SUITE is the directory of a module with ``spec/`` and its fixtures. Both sides run the same spec files in
turn, each in one process of rspec. ``--include`` adds directories to Ruby's load path, such as that of a newer
rspec-puppet. ``--write`` puts the table into docs/rspec.md.
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
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
GEM = ROOT / "integrations" / "rspec" / "lib"
PAGE = ROOT / "docs" / "rspec.md"
BEGIN, END = "<!-- suites -->\n", "<!-- end of suites -->\n"
KINDS = ("classes", "defines", "functions", "hosts", "type_aliases")
"""The directories of specs that compile catalogs or call functions; those of Ruby code stay out."""
SUMMARY = re.compile(
    r"^bunraku: (\d+) catalogs? compiled(?:, \d+ taken from the cache)?(?:, (\d+) examples? compiled by Puppet)?",
    re.MULTILINE,
)


class Side(NamedTuple):
    """What one side made of a suite: the status of each example, seconds, and the summary of the gem."""

    examples: dict[str, str]
    messages: dict[str, str]
    seconds: float
    processor: float
    catalogs: int
    fallbacks: int
    failure: str

    def passed(self) -> int:
        """Return the number of examples that passed."""
        return sum(status == "passed" for status in self.examples.values())


class Suite(NamedTuple):
    """A suite and both sides."""

    name: str
    puppet: Side
    bunraku: Side

    def differences(self) -> list[str]:
        """Return the examples that do not have the same status on both sides."""
        names = self.puppet.examples.keys() | self.bunraku.examples.keys()
        return sorted(
            name
            for name in names
            if self.puppet.examples.get(name) != self.bunraku.examples.get(name)
        )

    def counts(self) -> list[int]:
        """Return the numbers of examples, of those that pass on each side, that differ, and that fall back."""
        puppet, bunraku = self.puppet, self.bunraku
        passed = puppet.passed(), bunraku.passed()
        return [len(puppet.examples), *passed, len(self.differences()), bunraku.fallbacks]

    def seconds(self) -> list[float]:
        """Return the seconds of both sides by the clock, then of the processor."""
        puppet, bunraku = self.puppet, self.bunraku
        return [puppet.seconds, bunraku.seconds, puppet.processor, bunraku.processor]

    def row(self) -> str:
        """Return the row of the table."""
        return row(self.name, self.counts(), self.seconds())


def row(name: str, counts: Sequence[int], seconds: Sequence[float]) -> str:
    """Return a row of the table."""
    puppet, bunraku, puppet_processor, processor = seconds
    cells = [
        name,
        *(f"{one:,}" for one in counts),
        f"{puppet:.0f} s",
        f"{bunraku:.0f} s",
        f"{puppet_processor / max(processor, 0.01):.1f}×",
    ]
    return f"| {' | '.join(cells)} |\n"


def total(suites: Sequence[Suite]) -> str:
    """Return the row with the sums of all suites."""
    counts = [sum(one) for one in zip(*(suite.counts() for suite in suites), strict=True)]
    seconds = [sum(one) for one in zip(*(suite.seconds() for suite in suites), strict=True)]
    return row("all", counts, seconds)


HEAD = """| suite | examples | pass with Puppet | with bunraku | differ | fall back | Puppet | bunraku | processor time |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
"""


def main() -> int:
    """Run the suites; return 1 if an example differs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("suites", nargs="+", type=Path, metavar="SUITE")
    parser.add_argument("--include", action="append", default=[], metavar="DIR")
    parser.add_argument("--files", type=int, default=10_000, help="at most so many spec files each")
    parser.add_argument("--seconds", type=float, default=900, help="time limit of one side")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if not shutil.which("rspec"):
        raise SystemExit("rspec is not installed")
    found = []
    for directory in options.suites:
        suite = compared(directory, options)
        found.append(suite)
        print(suite.row(), end="", flush=True)
        report(suite)
    print(total(found), end="")
    if options.write:
        write(found)
    return 1 if any(suite.differences() for suite in found) else 0


def compared(directory: Path, options: argparse.Namespace) -> Suite:
    """Run a suite on both sides."""
    files = [
        str(path.relative_to(directory))
        for kind in KINDS
        for path in sorted((directory / "spec" / kind).rglob("*_spec.rb"))
    ][: options.files]
    if not files:
        raise SystemExit(f"no specs of classes, defined types or functions in {directory}")
    sides = {
        mode: run(directory, files, mode, options.include, options.seconds)
        for mode in ("off", "on")
    }
    return Suite(directory.name, sides["off"], sides["on"])


def run(
    directory: Path, files: Sequence[str], mode: str, include: Sequence[str], limit: float
) -> Side:
    """Run spec files with Puppet (``off``) or bunraku (``on``)."""
    program = Path(sys.executable).with_name("bunraku")
    paths = [f"-I{os.path.abspath(path)}" for path in [*include, GEM]]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "examples.json"
        command = ["rspec", *paths, "-r", "bunraku/rspec", "--format", "json", "--out", str(output)]
        environment = {**os.environ, "BUNRAKU_RSPEC": mode, "BUNRAKU": str(program)}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.monotonic()
        try:
            done = subprocess.run(
                [*command, *files], cwd=directory, env=environment, capture_output=True, text=True,
                timeout=limit, check=False,
            )  # fmt: skip
            problem = done.stdout[-400:] + done.stderr
        except subprocess.TimeoutExpired:
            problem = f"longer than {limit:.0f} s"
        seconds = time.monotonic() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        text = output.read_text() if output.exists() else ""
        made = json.loads(text) if text else {"examples": []}  # empty if rspec was ended
        examples = made["examples"]
    counts = SUMMARY.search(problem)
    return Side(
        {identity(one): one["status"] for one in examples},
        {identity(one): (one.get("exception") or {}).get("message", "") for one in examples},
        seconds,
        processor,
        int(counts[1]) if counts else 0,
        int(counts[2] or 0) if counts else 0,
        "" if examples else "".join(made.get("messages", ()))[:1000] + problem[-1000:],
    )


def identity(example: dict[str, Any]) -> str:
    """Return the name of an example, which is the same in both runs."""
    return f"{example['id']} {example['full_description']}"


def report(suite: Suite) -> None:
    """Print what differs, and why a side ran no example."""
    for side in (suite.puppet, suite.bunraku):
        if side.failure:
            print(f"  no examples: {side.failure}", flush=True)
    for name in suite.differences():
        old, new = (side.examples.get(name, "absent") for side in (suite.puppet, suite.bunraku))
        message = suite.bunraku.messages.get(name) or suite.puppet.messages.get(name, "")
        print(f"  {name}: {old}, {new}: {message[:1500]}", flush=True)


def write(suites: Sequence[Suite]) -> None:
    """Put the table into the page."""
    text = HEAD + "".join(suite.row() for suite in suites) + total(suites)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
