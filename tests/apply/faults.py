"""Break runs of ``bunraku apply`` on purpose, and check the state of the machine afterwards.

    python tests/apply/faults.py [--kills 200] [--seed N] [--jobs N] [--only NAME] [--write|--add docs/apply-faults.md]

Every trial has a fresh root (:mod:`rigs.roots.sandbox`), so this needs root, Linux namespaces and,
once, mmdebstrap. ``fault_kills.py`` has the runs that are killed at random moments,
``fault_trials.py`` all other faults. A trial returns its errors; none may show a Python traceback.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rigs.roots import layers, run
from rigs.roots.inside import serve_as_init
from rigs.roots.sandbox import NAMESPACES, Sandbox

PAGE_HEAD = """\
# Faults during a run

What a run of `bunraku apply` leaves behind when it is killed, or when the machine does not do what it should. The table is written by
`make apply-faults`, which breaks runs on purpose in throw-away Debian 12 roots (`tests/apply/faults.py`). A trial is passed if

* every file has its old content, owner and mode or its new ones, at every moment at which another process looked, and
  a killed run is completed by the next one, after which a third one changes nothing;
* every other fault is reported by one error that names the resource and the reason, what depends on the resource is skipped, all other
  resources are applied, the report is written, and the exit code is the [documented one](exit-codes.md);
* nothing prints a Python traceback.

"""
LIMIT = 600.0
"""Seconds that a trial may take."""


@dataclass(frozen=True)
class Trial:
    """One trial: the name of its fault, the seed of its random choices, and its part of the table."""

    name: str
    seed: int = 0


@dataclass
class Verdict:
    """The result of a trial: its errors, and events to count (such as ``ended before the signal``)."""

    problems: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    note: str = ""


Fault = Callable[["Sandbox", dict[str, str], random.Random], Verdict]


def faults() -> dict[str, tuple[str, Fault]]:
    """Return all faults by name, each with the words of the table."""
    return {**killing_faults(), **other_faults()}


def other_faults() -> dict[str, tuple[str, Fault]]:
    """Return all other faults by name."""
    from apply import fault_secrets, fault_trials

    assert fault_secrets.FAULTS is fault_trials.FAULTS  # Both modules add to it.
    return fault_trials.FAULTS


def killing_faults() -> dict[str, tuple[str, Fault]]:
    """Return the faults that end a run by a signal at a random moment, by name."""
    from apply import fault_kills, fault_programs, fault_settings, fault_stores, fault_types

    types = fault_types.FAULTS | fault_settings.FAULTS
    return fault_kills.FAULTS | types | fault_programs.FAULTS | fault_stores.FAULTS


def packages_for(name: str) -> tuple[str, ...]:
    """Return Debian's packages that a fault needs besides."""
    from apply import fault_programs, fault_settings, fault_stores, fault_types

    if name == "repository_full":
        return fault_types.PACKAGES
    sites = (fault_types, fault_settings, fault_programs, fault_stores)
    return next((site.PACKAGES for site in sites if name in site.FAULTS), ())


# -- one trial, in its namespaces ------------------------------------------------------------------


def inside(folder: Path) -> None:
    """Run the trial of ``request.json`` and write ``verdict.json`` beside it."""
    request = json.loads((folder / "request.json").read_text())
    trial = Trial(**request["trial"])
    top = folder / "top"
    top.mkdir()
    sandbox = Sandbox([Path(layer) for layer in request["base"]], top, request["binds"])
    _words, fault = faults()[trial.name]
    verdict = fault(sandbox, request["environment"], random.Random(trial.seed))
    (folder / "verdict.json").write_text(json.dumps(asdict(verdict)))


def outcome(trial: Trial) -> Verdict:
    """Run a trial in fresh namespaces."""
    program = run.bunraku()
    with tempfile.TemporaryDirectory(prefix="bunraku-fault-") as name:
        folder = Path(name)
        request = {
            "trial": asdict(trial),
            "base": [str(layer) for layer in layers.of(packages_for(trial.name))],
            "binds": program.binds,
            "environment": run.VARIABLES,
        }
        (folder / "request.json").write_text(json.dumps(request))
        try:
            done = subprocess.run(
                ["unshare", *NAMESPACES, sys.executable, __file__, "--inside", name],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Verdict([f"it did not end in {LIMIT:.0f} seconds"])
        if done.returncode != 0:
            return Verdict([f"the trial itself failed: {done.stderr.strip()[-2000:]}"])
        return Verdict(**json.loads((folder / "verdict.json").read_text()))


# -- all trials ------------------------------------------------------------------------------------


def trials(kills: int, seed: int, only: Sequence[str]) -> Iterator[Trial]:
    """Yield the trials: the kills share their number, every other fault has one trial."""
    killing = list(killing_faults())
    for number in range(kills):
        name = killing[number % len(killing)]
        if not only or name in only:
            yield Trial(name, seed + number)
    for name in other_faults():
        if not only or name in only:
            yield Trial(name, seed)


def run_trials(
    kills: int, *, seed: int, jobs: int = 2, only: Sequence[str] = ()
) -> dict[str, list[Verdict]]:
    """Run trials and return their verdicts by fault."""
    found: dict[str, list[Verdict]] = {}
    planned = list(trials(kills, seed, only))
    with ThreadPoolExecutor(jobs) as pool:
        for trial, verdict in zip(planned, pool.map(outcome, planned), strict=True):
            found.setdefault(trial.name, []).append(verdict)
            for problem in verdict.problems:
                print(f"{trial.name}, seed {trial.seed}: {problem}", file=sys.stderr, flush=True)
    return found


def table(found: dict[str, list[Verdict]]) -> str:
    """Return the verdicts as a table in Markdown."""
    lines = ["| fault | trials | passed | remarks |", "|---|---|---|---|"]
    for name, verdicts in found.items():
        counts: Counter[str] = Counter()
        for verdict in verdicts:
            counts.update(verdict.counts)
        notes = [f"{counted}: {number}" for counted, number in sorted(counts.items())]
        notes += dict.fromkeys(verdict.note for verdict in verdicts if verdict.note)
        passed = sum(not verdict.problems for verdict in verdicts)
        lines.append(f"| {faults()[name][0]} | {len(verdicts)} | {passed} | {'; '.join(notes)} |")
    return "\n".join(lines) + "\n"


def section(found: dict[str, list[Verdict]], seed: int) -> str:
    """Return a part of the page of the documentation: the table of a run of this program."""
    command = ["git", "log", "-1", "--format=%h"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    day = datetime.now(UTC).date()
    return f"Counted on {day} at commit {commit} with seed {seed}:\n\n{table(found)}"


def main() -> int:
    """Run the trials that the options choose; 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="runs that are killed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--write", metavar="FILE", help="write the page of the documentation")
    parser.add_argument("--add", metavar="FILE", help="add the table to the page")
    parser.add_argument("--inside", metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        if child := os.fork():
            serve_as_init(child)
        inside(Path(options.inside))
        return 0
    if unknown := set(options.only) - faults().keys():
        parser.error(f"no fault {', '.join(sorted(unknown))}; use {', '.join(sorted(faults()))}")
    found = run_trials(options.kills, seed=options.seed, jobs=options.jobs, only=options.only)
    print(table(found))
    if options.write:
        Path(options.write).write_text(PAGE_HEAD + section(found, options.seed), "utf-8")
    if options.add:
        with Path(options.add).open("a", encoding="utf-8") as page:
            page.write("\n" + section(found, options.seed))
    return 1 if any(one.problems for verdicts in found.values() for one in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
