"""File systems that have little room left, and files that interrupted writers left behind."""

from __future__ import annotations

import os.path
from collections.abc import Iterator
from subprocess import CalledProcessError

from bunraku.workbench.doctor.findings import Fault, FoundFault, Gap
from bunraku.workbench.doctor.machine import Examined

NEARLY, FULL = 90, 97
"""Percent of the blocks or inodes."""
OLD = 24 * 3600.0
SPACE = "find what is large: du -xh --max-depth=2 {place} | sort -h | tail"
DISK_FULL = Fault("disk-full", "error", "the file system is {used} % full", SPACE)
DISK_NEARLY_FULL = Fault("disk-nearly-full", "warning", "the file system is {used} % full", SPACE)
NO_INODES = Fault(
    "inodes-nearly-used",
    "error",
    "{used} % of the inodes are used",
    "find where many files are: du --inodes -x --max-depth=2 {place} | sort -n | tail",
)
LEFT_BEHIND = Fault(
    "temporary-files",
    "warning",
    "an interrupted program left temporary files ({count}), such as {name}",
    "find {place} -maxdepth 1 -name '.bunraku-*' -mtime +0 -delete",
)


def places(machine: Examined) -> list[str]:
    """Return the directories that grow."""
    paths = [machine.of_agent("vardir"), machine.of_server("vardir"), machine.of_server("codedir")]
    paths += [machine.of_server("logdir"), *machine.basedirs, machine.store]
    if machine.database and "://" not in machine.database:
        paths.append(os.path.dirname(machine.database))
    return [path for path in dict.fromkeys(paths) if machine.host.is_directory(path)]


def check_space(machine: Examined) -> Iterator[FoundFault | Gap]:
    """Find file systems with little room, each once."""
    devices = set()
    for path in places(machine):
        status = machine.status(path)
        if status is None or status.device in devices:
            continue
        devices.add(status.device)
        total, _free, available = machine.host.disk_space(path)
        used = 100 - 100 * available // total if total else 0
        if used >= NEARLY:
            yield (DISK_FULL if used >= FULL else DISK_NEARLY_FULL).at(path, used=used)
        yield from check_inodes(machine, path)


def check_inodes(machine: Examined, path: str) -> Iterator[FoundFault | Gap]:
    """Find a file system whose inodes are nearly used."""
    try:
        text = machine.host.run(["df", "-Pi", path])
    except (OSError, CalledProcessError) as error:
        yield Gap("inodes", f"df -Pi {path}: {error}")
        return
    words = text.splitlines()[-1].split()
    percent = next((word[:-1] for word in words if word.endswith("%")), "")
    if percent.isdecimal() and int(percent) >= NEARLY:
        yield NO_INODES.at(path, used=percent)


def check_left_files(machine: Examined) -> Iterator[FoundFault]:
    """Find temporary files of bunraku that are older than a day."""
    settings = ("vardir", "statedir", "publicdir", "ssldir", "certdir", "privatekeydir")
    folders = [machine.of_agent(name) for name in settings]
    folders += [machine.of_server("vardir"), machine.of_server("cadir"), *places(machine)]
    for folder in dict.fromkeys(folders):
        names = [one for one in machine.names(folder) if one.startswith(".bunraku-")]
        old = [name for name in names if machine.age(f"{folder}/{name}") > OLD]
        if old:
            yield LEFT_BEHIND.at(folder, count=len(old), name=old[0])
