"""Processor time and memory of programs, read from ``/proc``."""

import os
from contextlib import suppress
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(process: int, *, children: bool = False) -> float:
    """Return the seconds of processor time of a process; 0 if it is gone.

    With ``children``, those of its children that have ended and were waited for are added.
    """
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11 : 15 if children else 13])) / TICKS


def proportional_memory(process: int) -> int:
    """Return the memory of a process in KiB, shared pages in proportion."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def with_descendants(process: int) -> list[int]:
    """Return a process and all processes that it and they have started."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found = [process]
    for one in found:
        found += children.get(one, [])
    return found


def with_socket(port: int, processes: list[int]) -> list[int]:
    """Return the processes that hold the socket which listens at a port of 127.0.0.1."""
    ending = f":{port:04X}"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    inodes = {one[9] for one in lines if one[1].endswith(ending) and one[3] == "0A"}
    wanted = {f"socket:[{inode}]" for inode in inodes}
    found = []
    for pid in processes:
        with suppress(OSError):  # the process, or one of its descriptors, is gone
            names = [os.readlink(one) for one in Path(f"/proc/{pid}/fd").iterdir()]
            found += [pid] if wanted.intersection(names) else []
    return found
