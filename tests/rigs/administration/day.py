"""A day of an administrator: the commands of the page "Run a site", one after the other, and nothing else.

    make administrator-day          ten nodes, the Debian package of dist/, systemd
    python day.py --nodes 4         in namespaces of this machine, with a stand-in for systemd
    python day.py --update          the same, and writes the output of the commands into the page

A command of the page runs on the server, on the machine that its prompt names, or on each ``node``. A comment
``event: …`` of the page is what happens to the administrator. What a command prints must be what the page shows.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from rigs.administration.events import EVENTS
from rigs.administration.machines import DOMAIN, Machines, is_allowed, own_machines
from rigs.roots.sandbox import NAMESPACES
from support.console import BLOCK, Step, agrees, rewritten, steps

PAGE = Path(__file__).parents[3] / "docs/run-a-site.md"
NODES = ("web1", "web2", "db1", "db2", "web3", "web4", "web5", "db3", "db4", "db5")
EVENT = re.compile(r"<!-- event: (.*?) -->")
PACKAGES = "apt "
"""How the commands begin that need a package."""
EACH = "node"
AFTER_NODES = "\n## Change code\n"
"""The section that follows when all agents have run for the first time."""


def day(text: str, machines: Machines, *, packages: bool) -> Iterator[tuple[Step, str, float]]:
    """Run the commands of the page: each with its output and its seconds; on each node, the first one that differs."""
    parts = re.split(r"(?=^`{3,}console$)", text, flags=re.MULTILINE)
    for part in parts:
        block = BLOCK.match(part)
        for step in steps(block[2]) if block else ():
            start = time.monotonic()
            printed = output(step, machines, packages=packages)
            yield step, printed, time.monotonic() - start
        for event in EVENT.findall(part[block.end() :] if block else part):
            EVENTS[event](machines)


def output(step: Step, machines: Machines, *, packages: bool) -> str:
    """Return what a command prints; on each node, what it prints on the first one that prints something else."""
    if step.command.startswith(PACKAGES) and not packages:
        return step.shown
    if step.machine != EACH:
        prompt = machines.prompts[step.machine] if step.machine else machines.server
        return prompt.run(step.command)
    printed = {name: machines.prompts[name].run(step.command) for name in machines.nodes}
    first = machines.nodes[0]
    alike = {
        name: text.replace(f"{name}.{DOMAIN}", f"{first}.{DOMAIN}")
        for name, text in printed.items()
    }
    wrong = (text for text in alike.values() if not agrees(step.shown, text))
    return next(wrong, alike[first])


def trial(text: str, machines: Machines, *, packages: bool) -> int:
    """Print each command with its seconds, and what differs from the page; return the exit code."""
    wrong = 0
    first = text.partition(AFTER_NODES)[0]
    left = sum(1 for _, block in BLOCK.findall(first) for _ in steps(block))
    spent = 0.0
    for step, printed, seconds in day(text, machines, packages=packages):
        spent += seconds
        left -= 1
        if not left:
            print(f"a site with {len(machines.nodes)} agents: {spent:.1f} s", flush=True)
        line = step.command.partition("\n")[0]
        print(f"{seconds:6.1f} s  {step.machine}$ {line}", flush=True)
        if not agrees(step.shown, printed):
            wrong += 1
            print(f"--- the page\n{step.shown}\n--- printed\n{printed}\n---", flush=True)
    print(f"{len(machines.nodes)} nodes, {wrong} differences")
    return 1 if wrong else 0


def main(words: Sequence[str] | None = None) -> int:
    """Run the day in namespaces of their own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=len(NODES))
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    if options.inside is None:
        return outside(sys.argv[1:] if words is None else words)
    text = PAGE.read_text(encoding="utf-8")
    machines = own_machines(options.inside, NODES[: options.nodes])
    if not options.update:
        return trial(text, machines, packages=False)
    done = ((step, printed) for step, printed, _ in day(text, machines, packages=False))
    PAGE.write_text(rewritten(text, done), encoding="utf-8")
    return 0


def outside(words: Sequence[str]) -> int:
    """Start this program in new namespaces, which end with all their processes."""
    if reason := is_allowed():
        sys.exit(reason)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        command = [sys.executable, __file__, *words, "--inside", folder]
        return subprocess.run(["unshare", *NAMESPACES, *command], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
