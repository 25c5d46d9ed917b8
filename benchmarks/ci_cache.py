"""What a restored cache saves: the first ``bunraku ci`` on a fresh machine with and without it.

    python benchmarks/ci_cache.py DIRECTORY... [--rounds 3]

A DIRECTORY is a git repository whose modules are installed; ``make from-clone`` shows how public control repositories
get theirs. One machine runs ``ci`` and exports its cache. A fresh machine is an empty cache, with the files of
the repository written again: their times are others. It runs ``ci`` once without the file and once after the import,
whose time counts. Seconds are of the clock and of processors; the best of the rounds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECRET = "0123456789abcdef" * 4
BUNRAKU = str(Path(sys.executable).with_name("bunraku"))


def timed(words: list[str], directory: Path, cache: str) -> tuple[float, float, str]:
    """Return seconds of the clock and of processors, and the last line of the output."""
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "BUNRAKU_CACHE_KEY": SECRET}
    started, before = time.perf_counter(), os.times()
    done = subprocess.run(
        [BUNRAKU, *words],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    after = os.times()
    used = sum(after[2:4]) - sum(before[2:4])
    if "Traceback" in done.stderr or done.returncode > 2:
        raise SystemExit(done.stderr)
    return time.perf_counter() - started, used, done.stdout.rstrip().rpartition("\n")[2]


def renew(directory: Path) -> None:
    """Give each file another time."""
    for path in directory.rglob("*"):
        if ".git" not in path.parts and path.is_file() and not path.is_symlink():
            path.touch()
    subprocess.run(["git", "status"], cwd=directory, check=True, capture_output=True)


def measured(directory: Path, rounds: int) -> str:
    """Return the row of a repository."""
    without, with_file = [], []
    with tempfile.TemporaryDirectory() as scratch:
        file = f"{scratch}/bunraku.cache"
        _, _, verdict = timed(["ci"], directory, f"{scratch}/first")
        timed(["cache", "export", file], directory, f"{scratch}/first")
        size = Path(file).stat().st_size
        for number in range(rounds):
            renew(directory)
            without.append(timed(["ci"], directory, f"{scratch}/without{number}"))
            taken = timed(["cache", "import", file], directory, f"{scratch}/with{number}")
            checked = timed(["ci"], directory, f"{scratch}/with{number}")
            with_file.append((taken[0] + checked[0], taken[1] + checked[1], checked[2]))
            if {one[2] for one in (without[-1], with_file[-1])} != {verdict}:
                raise SystemExit(f"another result: {without[-1]}, {with_file[-1]}, {verdict}")
    clock, used = (min(one[at] for one in without) for at in (0, 1))
    clock_with, used_with = (min(one[at] for one in with_file) for at in (0, 1))
    return (
        f"| {directory.parent.name} | {size / 1e6:.1f} MB | {clock:.1f} s, {used:.1f} s "
        f"| {clock_with:.1f} s, {used_with:.1f} s | {used / used_with:.1f}× | {verdict} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("directories", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print("| repository | file | without: clock, processor | with | times | result |")
    print("|---|--:|--:|--:|--:|---|")
    for directory in options.directories:
        print(measured(directory.resolve(), options.rounds), flush=True)


if __name__ == "__main__":
    main()
