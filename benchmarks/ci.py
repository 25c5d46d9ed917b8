"""What a check of a change costs: ``bunraku ci`` on all nodes beside octocatalog-diff on those that change.

    python benchmarks/ci.py [--nodes 200] [--resources 300] [--busy]

makes up a control repository (that of ``fleet.py``) with a branch that changes the files of 2 % of the nodes.
``bunraku ci`` runs without a cache, and again. octocatalog-diff has no way to find out which nodes
change, so it gets exactly these, one after the other, with real Puppet and with ``bunraku puppet``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fleet import PROFILES, edit, write_fleet
from measure import add_options, watched

OCTOCATALOG_DIFF = "octocatalog-diff"
PUPPET = "/usr/bin/puppet"
MODULES = "/usr/share/puppet/modules"
"""Debian's modules: Puppet needs stdlib for ``range``."""
PROFILE = 7


def make_repository(root: Path, nodes: int, resources: int) -> list[str]:
    """Make the repository and its branch; return the nodes that the branch changes."""
    write_fleet(root, nodes, resources)
    (root / "environment.conf").write_text(f"modulepath = modules:{MODULES}\n", encoding="utf-8")
    git(root, "init", "-q", "-b", "production")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Start")
    git(root, "checkout", "-qb", "change")
    manifest = root / f"modules/profile{PROFILE}/manifests/init.pp"
    edit(manifest, "owner   => $owner,", "owner   => $owner,\n      group   => 'adm',")
    git(root, "commit", "-qam", "Change a profile")
    return [f"node{number:04}.example.org" for number in range(PROFILE, nodes, PROFILES)]


def git(root: Path, *words: str) -> None:
    """Run git as a made-up person."""
    who = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@example.org")
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


def timed(command: list[str], root: Path, **environment: str) -> tuple[int, str, float, float]:
    """Return exit code, output, seconds, and seconds of processors."""
    started = time.perf_counter()
    before = os.times()
    done = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    return done.returncode, done.stdout + done.stderr, time.perf_counter() - started, used


def with_octocatalog_diff(root: Path, nodes: list[str], puppet: str) -> tuple[float, float]:
    """Return the seconds, and seconds of processors, of octocatalog-diff on nodes that change."""
    total, busy = 0.0, 0.0
    for node in nodes:
        words = [OCTOCATALOG_DIFF, "--basedir", str(root), "-n", node, "-f", "production"]
        words += ["-t", "change", "--fact-file", f"facts/{node}.json", "--puppet-binary", puppet]
        code, text, seconds, used = timed(words, root)
        if code != 2:
            raise SystemExit(f"octocatalog-diff ended with {code}: {text[-2000:]}")
        total += seconds
        busy += used
    return total, busy


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--resources", type=int, default=300)
    add_options(parser)
    options = parser.parse_args()
    with watched(options), tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "control"
        changed = make_repository(root, options.nodes, options.resources)
        print("| | nodes | s | s of processors |\n|---|---|---|---|")

        def row(name: str, nodes: int, seconds: float, used: float) -> None:
            print(f"| {name} | {nodes} | {seconds:.1f} | {used:.1f} |", flush=True)

        for name in ("`bunraku ci`, no cache", "`bunraku ci`, again"):
            command = [sys.executable, "-m", "bunraku", "ci"]
            code, text, seconds, used = timed(command, root, XDG_CACHE_HOME=f"{scratch}/cache")
            if code or f"{len(changed)} changed" not in text:
                raise SystemExit(f"bunraku ci ended with {code}: {text[-2000:]}")
            row(name, options.nodes, seconds, used)
        if shutil.which(OCTOCATALOG_DIFF) is None:
            print(f"{OCTOCATALOG_DIFF} is not installed", file=sys.stderr)
            return
        if os.path.exists(PUPPET):
            row(
                "octocatalog-diff, Puppet",
                len(changed),
                *with_octocatalog_diff(root, changed, PUPPET),
            )
        install = [sys.executable, "-m", "bunraku", "puppet", "--install", scratch]
        subprocess.run(install, check=True, capture_output=True)
        ours = with_octocatalog_diff(root, changed, f"{scratch}/puppet")
        row("octocatalog-diff, `bunraku puppet`", len(changed), *ours)


if __name__ == "__main__":
    main()
