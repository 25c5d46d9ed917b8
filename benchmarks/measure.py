"""What all benchmarks share: an idle machine, both sides in turn, medians with their spread.

A benchmark calls :func:`add_options`, runs in :func:`watched`, takes figures with :func:`in_turn` and shows
them with :func:`shown`. Before and while it measures, :class:`Watch` reads from ``/proc`` how many
processors other programs use. :func:`check_writing` refuses to write figures of a machine that was busy,
unless ``--busy`` is given; such figures carry the share of the others.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from processes import TICKS, processor_seconds, with_descendants

IDLE = 0.1
"""Processors that other programs may use. Those of an idle Debian use less than 0.02, one busy program
uses 1.0. With one processor, 0.1 makes figures by the clock 10 % worse: as much as the growth that
``growth.py`` allows, and less than the differences that are of interest."""
SAMPLE_SECONDS = 2.0
"""How long the machine is watched before a measurement."""
NAMES = 3
"""The busiest other programs that a warning names."""
K = TypeVar("K")


# -- the machine -----------------------------------------------------------------------------------


def busy_seconds() -> float:
    """Return the processor time that all programs have used, with that of other virtual machines.

    The fields are those of ``cpu`` in ``/proc/stat`` (proc(5)): user, nice, system, idle, iowait, irq,
    softirq, steal; guest time is part of user time.
    """
    line = Path("/proc/stat").read_text().split("\n", 1)[0]
    user, nice, system, _idle, _wait, irq, softirq, steal = map(int, line.split()[1:9])
    return (user + nice + system + irq + softirq + steal) / TICKS


def programs() -> dict[int, float]:
    """Return the processor time of every process by its number."""
    numbers = (int(name) for name in os.listdir("/proc") if name.isdigit())
    return {number: processor_seconds(number) for number in numbers}


class Watch:
    """How many processors other programs use, from its making on.

    Own are this process, its descendants, and those that ``others`` returns: servers that are measured
    and were started elsewhere.
    """

    def __init__(self, others: Callable[[], Iterable[int]] = lambda: ()) -> None:
        self.others = others
        self.restart()

    def restart(self) -> None:
        """Begin anew."""
        self.started = time.monotonic()
        self.busy = busy_seconds()
        self.used = self.own()
        self.programs = programs()

    def own(self) -> float:
        """Return the processor time of what is measured."""
        return sum(processor_seconds(one, children=True) for one in self.mine())

    def mine(self) -> set[int]:
        """Return the processes that are measured."""
        return {*with_descendants(os.getpid()), *self.others()}

    def share(self) -> float:
        """Return the processors that other programs used on average."""
        passed = time.monotonic() - self.started
        others = busy_seconds() - self.busy - (self.own() - self.used)
        return max(0.0, others / passed) if passed else 0.0

    def busiest(self) -> list[str]:
        """Return the other programs that used the most, with their processors."""
        passed = max(time.monotonic() - self.started, 1 / TICKS)
        mine = self.mine()
        used = {
            number: (seconds - self.programs.get(number, 0.0)) / passed
            for number, seconds in programs().items()
            if number not in mine
        }
        most = sorted(used, key=lambda number: -used[number])[:NAMES]
        return [f"{name_of(one)} ({one}): {used[one]:.2f}" for one in most if used[one] > IDLE / 10]


def name_of(process: int) -> str:
    """Return the name of a program; a question mark if it has ended."""
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return "?"


def warning(share: float, when: str, busiest: Iterable[str] = ()) -> str:
    """Return a warning about a machine that is not idle; nothing for one that is.

    >>> warning(0.05, "before")
    ''
    >>> warning(1.5, "before", ["make (7): 1.50"])
    'not idle before the measurement: other programs use 1.50 processors (make (7): 1.50)'
    """
    if share <= IDLE:
        return ""
    names = ", ".join(busiest)
    return (
        f"not idle {when} the measurement: other programs use {share:.2f} processors"
        f"{f' ({names})' if names else ''}"
    )


# -- options ---------------------------------------------------------------------------------------


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a benchmark that writes figures."""
    parser.add_argument("--write", action="store_true", help="write the figures to docs/")
    parser.add_argument(
        "--busy", action="store_true", help="write figures of a machine that is not idle, too"
    )


@contextmanager
def watched(
    options: argparse.Namespace, others: Callable[[], Iterable[int]] = lambda: ()
) -> Iterator[Watch]:
    """Measure in this block: it warns of a machine that is busy before or meanwhile.

    With ``--write`` and without ``--busy``, a busy machine ends the program before it measures.
    """
    watch = Watch(others)
    time.sleep(SAMPLE_SECONDS)
    before = warning(watch.share(), "before", watch.busiest())
    if before:
        print(f"warning: {before}; load {os.getloadavg()[0]:.1f}", file=sys.stderr)
        check_writing(options, before)
    watch.restart()
    yield watch
    during = warning(watch.share(), "during", watch.busiest())
    if during:
        print(f"warning: {during}", file=sys.stderr)


def check_writing(options: argparse.Namespace, problem: str) -> None:
    """End the program if it was to write figures of a machine that is not idle."""
    if problem and options.write and not options.busy:
        raise SystemExit(f"nothing is written: {problem}; --busy writes all the same")


def may_write(options: argparse.Namespace, watch: Watch) -> bool:
    """Return whether to write figures; end the program if the machine was not idle meanwhile."""
    check_writing(options, warning(watch.share(), "during", watch.busiest()))
    return bool(options.write)


# -- figures ---------------------------------------------------------------------------------------


def in_turn(
    works: Mapping[K, Callable[[], float]], rounds: int, unmeasured: int = 0
) -> dict[K, list[float]]:
    """Run works in turn (ABAB…) and return the figures of each; the first rounds may not count.

    Machines change their speed within seconds: sides that take turns are slow together.

    >>> order = []
    >>> works = {name: lambda name=name: order.append(name) or len(order) for name in "ab"}
    >>> in_turn(works, 2, unmeasured=1), order
    ({'a': [3, 5], 'b': [4, 6]}, ['a', 'b', 'a', 'b', 'a', 'b'])
    """
    found: dict[K, list[float]] = {name: [] for name in works}
    for number in range(unmeasured + rounds):
        for name, work in works.items():
            figure = work()
            if number >= unmeasured:
                found[name].append(figure)
    return found


def spread(figures: list[float]) -> float:
    """Return half of the range of figures, as a part of their median.

    >>> spread([10.0, 9.0, 12.0]), spread([3.0])
    (0.15, 0.0)
    """
    middle = statistics.median(figures)
    return (max(figures) - min(figures)) / 2 / middle if middle else 0.0


def shown(figures: list[float], unit: str = "s", form: str = ".3g") -> str:
    """Return the median of figures with their spread.

    >>> shown([10.0, 9.0, 12.0]), shown([3.0])
    ('10 s ±15 %', '3 s')
    """
    text = f"{statistics.median(figures):{form}} {unit}"
    return f"{text} ±{100 * spread(figures):.0f} %" if len(figures) > 1 else text
