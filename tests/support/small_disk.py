"""Small file systems, to fill them."""

from __future__ import annotations

import errno
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PAGE = 4096


@contextmanager
def small_disk(folder: str, megabytes: int) -> Iterator[None]:
    """Mount a file system of a size at a folder; SystemExit where this is not allowed."""
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"cannot mount a small file system: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(ballast: Path, room: int) -> None:
    """Fill a disk with a file, but for some pages."""
    with ballast.open("ab", buffering=0) as file:
        try:
            while True:
                file.write(bytes(PAGE))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
        file.truncate(max(0, file.tell() // PAGE - room) * PAGE)
