"""Feed damaged inputs to everything that bunraku reads, and report results that no input may cause.

    python tests/fuzz/fuzz_everything.py --seconds 600 [--kind NAME]... [--seed N] [--jobs N]
    python tests/fuzz/fuzz_everything.py --replay FOLDER

Seeds are the texts of the tests, the examples and the documents, and the Puppet modules installed on
this machine. Each find goes, made small, into a folder with the command that repeats it. The exit code
is 1 when there are finds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rigs.fuzzing.cases import Case, saved
from rigs.fuzzing.kinds import KINDS, case_of
from rigs.fuzzing.lanes import (
    Find,
    Lane,
    Plan,
    Run,
    alone,
    described,
    minimised,
    new_root,
    numbered,
    open_lane,
    warm,
    watch,
)
from rigs.fuzzing.running import Problem

BATCH = 300  # inputs of one worker
MINIMISING = 40.0  # seconds for one find
ISOLATED = "BUNRAKU_FUZZ_ISOLATED"


@dataclass
class Count:
    """The progress of a run."""

    inputs: int = 0
    wall: float = 0.0
    processor: float = 0.0
    finds: int = 0
    left: int = 0
    next: int = 0


def main() -> int:
    """Run the fuzzer; return 1 when there are finds."""
    options = parsed()
    if options.replay:
        return replay(options.replay)
    if options.totals:
        return totals(options.totals)
    seed = random.SystemRandom().randrange(1 << 31) if options.seed is None else options.seed
    finds = Path(options.finds).absolute()
    if isolate(finds):
        return subprocess.call(isolated_command(finds, seed))
    print(f"seed {seed}; finds go to {finds}", flush=True)
    fuzzer = Fuzzer(options, seed, finds)
    try:
        fuzzer.work()
    except KeyboardInterrupt:
        print("interrupted")
    finally:
        fuzzer.close()
    print(fuzzer.table())
    return 1 if fuzzer.finds else 0


def parsed() -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--kind", action="append", choices=list(KINDS), help="only this kind; repeatable"
    )
    parser.add_argument("--dialect", action="append", help="only this dialect; repeatable")
    parser.add_argument("--seconds", type=float, default=600, help="wall clock for all together")
    parser.add_argument("--inputs", type=int, help="inputs for each run, in place of seconds")
    parser.add_argument("--seed", type=int, help="default: a new one")
    parser.add_argument("--jobs", type=int, default=1, help="workers at the same time")
    parser.add_argument("--finds", default="fuzz-finds", help="folder for finds")
    parser.add_argument("--record", help="add the numbers to this file, a JSON line for each run")
    parser.add_argument(
        "--not-isolated", action="store_true", help="root: see and change the machine"
    )
    parser.add_argument("--replay", help="run a find again")
    parser.add_argument(
        "--totals", help="print the numbers of a file of --record for docs/fuzzing.md"
    )
    return parser.parse_args()


def isolate(finds: Path) -> bool:
    """Return whether to start again where nothing of the machine can be changed or reached."""
    finds.mkdir(parents=True, exist_ok=True)
    if os.geteuid() or os.environ.get(ISOLATED) or "--not-isolated" in sys.argv:
        return False
    command = ["unshare", "--mount", "--pid", "--net", "--ipc", "--fork", "--mount-proc", "true"]
    return (
        shutil.which("unshare") is not None and not subprocess.run(command, check=False).returncode
    )


def isolated_command(finds: Path, seed: int) -> list[str]:
    """Return the command for the fuzzer without network, other processes and writable files."""
    os.environ[ISOLATED] = "1"
    script = (
        'set -e; mount --bind "$1" "$1"; mount -t tmpfs -o mode=1777 fuzz /dev/shm; '
        'if [ -n "$2" ]; then touch "$2"; mount --bind "$2" "$2"; fi; '
        'mount -o remount,bind,ro /; shift 2; exec "$@"'
    )
    record = str(Path(parsed().record).absolute()) if parsed().record else ""
    words = [*sys.argv[1:], "--seed", str(seed)]
    return [
        "unshare", "--mount", "--pid", "--net", "--ipc", "--fork", "--kill-child", "--mount-proc",
        "sh", "-c", script, "sh", str(finds), record, sys.executable, __file__, *words,
    ]  # fmt: skip


class Fuzzer:
    """Runs kinds in turns, collects finds and makes them small."""

    def __init__(self, options: argparse.Namespace, seed: int, folder: Path) -> None:
        self.options = options
        self.seed = seed
        self.folder = folder
        self.finds: dict[str, Find] = {}
        self.counts = {
            Run(name, dialect, ruby): Count()
            for name, kind in KINDS.items()
            for dialect, ruby in kind.runs
            if name in (options.kind or KINDS) and dialect in (options.dialect or [dialect])
            if not ruby or shutil.which("ruby")
        }
        self.root = new_root()
        self.began = time.monotonic()
        warm()

    def close(self) -> None:
        """Remove the folder of the workers."""
        shutil.rmtree(self.root, ignore_errors=True)
        if self.options.record:
            with open(self.options.record, "a", encoding="utf-8") as file:
                for run, count in self.counts.items():
                    if count.inputs:
                        file.write(json.dumps([run.kind, run.name, self.seed, vars(count)]) + "\n")

    def work(self) -> None:
        """Run all until the time or the inputs end."""
        lanes: list[Lane] = []
        end = self.began + self.options.seconds
        while True:
            while len(lanes) < self.options.jobs and (run := self.next_run(lanes, end)):
                lanes.append(self.open(run, end))
            if not lanes:
                return
            for lane, problems, used in watch(lanes, 0.25):
                lanes.remove(lane)
                self.ended(lane, problems, used)

    def next_run(self, lanes: list[Lane], end: float) -> Run | None:
        """Return the run that has had the least of its share of time, if there is time."""
        busy = {lane.run for lane in lanes}
        if self.options.inputs is not None:
            runs = [
                run
                for run, count in self.counts.items()
                if count.next < self.options.inputs and run not in busy
            ]
        else:
            runs = [run for run in self.counts if run not in busy] if time.monotonic() < end else []
        share = self.share
        return min(runs, key=lambda run: self.counts[run].wall / share(run), default=None)

    def share(self, run: Run) -> float:
        """Return the part of the time that a run has: its kind's, divided among the dialects."""
        kind = KINDS[run.kind]
        return kind.weight / len(kind.runs) ** 0.5

    def open(self, run: Run, end: float) -> Lane:
        """Start the next worker of a run."""
        count = self.counts[run]
        size = BATCH
        slice_ = min(20.0, max(2.0, self.options.seconds / len(self.counts) / 4))
        seconds = max(1.0, min(slice_, end - time.monotonic()))
        if self.options.inputs is not None:
            size, seconds = min(BATCH, self.options.inputs - count.next), 1e9
        cases = numbered(run, self.seed, count.next, size, True)
        return open_lane(run, cases, self.root, Plan(seconds, twice=10, process=40))

    def ended(self, lane: Lane, problems: list[tuple[int, Problem]], used: object) -> None:
        """Count the work of a worker, and add its finds."""
        count = self.counts[lane.run]
        number, done, _, _ = lane.now()
        first = count.next
        done += number >= 0  # the one that ended the worker
        count.inputs += done
        count.next += done
        count.wall += time.monotonic() - lane.began
        count.processor += used.ru_utime + used.ru_stime  # type: ignore[attr-defined]
        for at, problem in problems:
            if problem.what == "process left":
                count.left += 1
            if at < 0:
                at = self.culprit(lane.run, range(first, count.next), problem)
            self.found(lane.run, at, problem)

    def culprit(self, run: Run, numbers: range, problem: Problem) -> int:
        """Return the number of the input that leaves a process behind."""
        for number in numbers:
            case = self.case(run, number)
            if any(one.what == problem.what for one in alone(run, case, self.root)):
                return number
        return numbers[0]

    def case(self, run: Run, number: int) -> Case:
        """Return an input."""
        return case_of(run.kind, run.dialect, run.ruby, self.seed, number, True)

    def found(self, run: Run, number: int, problem: Problem) -> None:
        """Take in a find: the first of each cause is made small and written."""
        self.counts[run].finds += 1
        known = self.finds.get(problem.signature)
        if known is not None:
            known.count += 1
            return
        find = self.finds[problem.signature] = Find(run, number, problem, self.case(run, number))
        print(f"find: {problem.signature} ({run.kind}, {run.name}, input {number})", flush=True)
        for process in (False, True):
            problems = alone(run, find.case, self.root, twice=True, process=process)
            find.alone = any(one.signature == problem.signature for one in problems)
            find.process = process
            if find.alone:
                break
        if find.alone:
            slow = problem.what in {"too slow", "hangs"}
            find.case = minimised(find, self.root, MINIMISING * (2 if slow else 1))
        name = "".join(one if one.isalnum() else "-" for one in problem.signature)[:80].strip("-")
        folder = self.folder / f"{run.kind}-{name}"
        shutil.rmtree(folder, ignore_errors=True)
        saved(find.case, folder, described(find))

    def table(self) -> str:
        """Return the number of runs and the finds."""
        rows = [("kind", "dialect", "inputs", "seconds", "processor", "finds", "left behind")]
        for run, count in self.counts.items():
            rows.append((
                run.kind, run.name, str(count.inputs), f"{count.wall:.1f}", f"{count.processor:.1f}",
                str(count.finds), str(count.left),
            ))  # fmt: skip
        counts = self.counts.values()
        rows.append((
            "all", "", str(sum(one.inputs for one in counts)), f"{sum(one.wall for one in counts):.1f}",
            f"{sum(one.processor for one in counts):.1f}", str(sum(one.finds for one in counts)),
            str(sum(one.left for one in counts)),
        ))  # fmt: skip
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = [
            "  ".join(
                cell.ljust(width) if column < 2 else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        causes = [f"{find.count:6} of {name}" for name, find in self.finds.items()]
        return "\n".join([*lines, "", f"{len(causes)} causes", *causes])


def totals(path: str) -> int:
    """Print the sums of recorded runs as a Markdown table, by kind and dialect."""
    sums: dict[tuple[str, str], list[float]] = {}
    for line in Path(path).read_text().splitlines():
        kind, dialect, _seed, count = json.loads(line)
        row = sums.setdefault((kind, dialect), [0.0] * 5)
        for column, name in enumerate(("inputs", "wall", "processor", "finds", "left")):
            row[column] += count[name]
    sums["all", ""] = [sum(column) for column in zip(*sums.values(), strict=True)]
    print("| kind | dialect | inputs | minutes | processor minutes | finds | left behind |")
    print("|---|---|---|---|---|---|---|")
    for (kind, dialect), (inputs, wall, processor, finds, left) in sums.items():
        shown = f"{inputs:,.0f} | {wall / 60:.1f} | {processor / 60:.1f} | {finds:.0f} | {left:.0f}"
        print(f"| {kind} | {dialect} | {shown} |")
    return 0


def replay(folder: str) -> int:
    """Run a find again, print its problems, return 1 when there are any."""
    case = Case.from_data(json.loads(Path(folder, "case.json").read_text()))
    root = tempfile.mkdtemp(prefix="bunraku-fuzz-")
    ruby = not case.environment
    problems = alone(Run("replay", "8", ruby), case, root, twice=True, process=True)
    shutil.rmtree(root)
    for problem in problems:
        print(problem.signature, problem.text, sep="\n")
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
