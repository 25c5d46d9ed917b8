"""How long the threads of a process and of those that it has started waited for a processor: Linux counts it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

PROC = Path("/proc")


def processes_below(pid: int) -> Iterator[int]:
    """Yield a process and those that it has started, as far as they run."""
    yield pid
    try:
        tasks = list((PROC / str(pid) / "task").iterdir())
        children = [(one / "children").read_text().split() for one in tasks]
    except OSError:  # it has ended, or this is not Linux
        return
    for child in (int(one) for some in children for one in some):
        yield from processes_below(child)


def waits_below(pid: int) -> dict[str, float]:
    """Return the seconds that each thread below a process could have run and had no processor."""
    found = {}
    for process in processes_below(pid):
        for task in (PROC / str(process) / "task").glob("*/schedstat"):
            try:
                found[task.parent.name] = int(task.read_text().split()[1]) / 1e9
            except (OSError, IndexError):
                continue
    return found


def waited_since(before: Mapping[str, float], now: Mapping[str, float]) -> float:
    """Return the seconds that the thread waited for a processor that waited longest."""
    return max((now[one] - before.get(one, 0.0) for one in now), default=0.0)


def described_processes(pid: int) -> str:
    """Return what a process and those that it has started do, for a message of a test."""
    lines = []
    for process in processes_below(pid):
        for task in sorted((PROC / str(process) / "task").glob("*")):
            try:
                fields = (task / "stat").read_text().rpartition(")")[2].split()
                where = (task / "wchan").read_text()
                command = (PROC / str(process) / "cmdline").read_text().replace("\0", " ")
            except OSError:
                continue
            ticks = int(fields[11]) + int(fields[12])
            lines.append(f"{task.name} {fields[0]} in {where}, {ticks} ticks: {command[:120]}")
    return "\n".join(lines)
