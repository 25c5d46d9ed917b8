"""The page "Run a site" with the Debian package of ``dist/`` and systemd as process 1: ``make administrator-day``.

``rigs.administration.day`` has the steps, ``rigs.packages.boot`` the machine.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rigs.administration.day import NODES, PAGE, trial
from rigs.administration.machines import LOWER, OVERLAID, SITE_SIZE, Machines
from rigs.packages.boot import ENVIRONMENT, booted, enter_words, unpacked
from rigs.packages.trial import TOP, older_deb

PLACE = "/run/day"
MOUNTS = f"mount -t tmpfs -o mode=755,size={SITE_SIZE} tmpfs /srv"


def main() -> int:
    """Boot a root and go through the page in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", default="bookworm")
    parser.add_argument("--dist", type=Path, default=TOP / "dist")
    parser.add_argument("--nodes", type=int, default=len(NODES))
    parser.add_argument(
        "--older",
        type=Path,
        help="the package to begin with (default: that of dist/, as an older one)",
    )
    options = parser.parse_args()
    with unpacked(options.suite, options.dist, ("curl",)) as root, booted(root) as pid:
        root_here = Path(f"/proc/{pid}/root")
        nodes = NODES[: options.nodes]
        machines = Machines(enter_words(pid), root_here, PLACE, nodes, ENVIRONMENT)
        names = " ".join(OVERLAID)
        machines.shell(f"set -- {PLACE} '{names}'\n{LOWER}\n{MOUNTS}")
        machines.prepare()
        new = root.directory / "packages/new"
        new.mkdir()
        for package in root.directory.glob("packages/bunraku_*.deb"):
            package.rename(new / package.name)
        older_deb(options.older or next(new.iterdir()), root.directory / "root")
        machines.shell("mv /root/old.deb /root/bunraku_0.deb")
        return trial(PAGE.read_text(encoding="utf-8"), machines, packages=True)


if __name__ == "__main__":
    sys.exit(main())
