"""Compare ``bunraku r10k`` with r10k: processor seconds of each step of a deployment, in turn.

deployments.py [--r10k COMMAND] [--git 40] [--forge 20] [--environments 5] [--rounds 3] [--write] [--busy]

Each program deploys an equal site of its own: a control repository with branches, git modules (a quarter
follows a branch, the others tags) and modules of a Forge on this machine. ``--write`` puts the figures
into docs/deployments.md.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import measure

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.forge_server import ForgeServer, serving_forge
from support.git_remotes import VARIABLES, Remote

PAGE = Path(__file__).parent.parent / "docs" / "deployments.md"
BEGIN, END = "<!-- speed -->\n", "<!-- end of speed -->\n"
FILES = 20
EVERY = 4


class Site:
    """A site of one program: its repositories, its r10k.yaml and its environments."""

    def __init__(self, top: Path, forge: ForgeServer, options: argparse.Namespace) -> None:
        self.top = top
        self.modules = [self.git_module(f"m{number}") for number in range(options.git)]
        lines = [
            f"mod '{one.work.name}', :git => '{one.url}', "
            + (":tag => 'v1.0.0'" if number % EVERY else ":branch => 'main'")
            for number, one in enumerate(self.modules)
        ]
        lines += [f"mod 'acme/f{number}', '1.0.0'" for number in range(options.forge)]
        files = {
            "Puppetfile": "\n".join(lines) + "\n",
            "environment.conf": "modulepath = modules\n",
        }
        self.control = Remote(top, "control", files, "production")
        for number in range(options.environments - 1):
            self.control.branch(f"env{number}", {"marker": str(number)})
        sources = {"main": {"remote": self.control.url, "basedir": str(top / "env")}}
        settings = {
            "cachedir": str(top / "cache"),
            "sources": sources,
            "forge": {"baseurl": forge.url},
        }
        (top / "r10k.yaml").write_text(json.dumps(settings), encoding="utf-8")

    def git_module(self, name: str) -> Remote:
        """Return a module in a repository of its own."""
        files = {
            f"manifests/c{number}.pp": f"class {name}::c{number} {{\n}}\n"
            for number in range(FILES)
        }
        metadata = {"metadata.json": json.dumps({"name": f"acme-{name}", "version": "1.0.0"})}
        found = Remote(self.top, name, {**metadata, **files})
        found.tag("v1.0.0")
        return found


def change_module(number: int) -> Callable[[Site], None]:
    """Return what moves a git module that follows a branch."""

    def change(site: Site) -> None:
        site.modules[number * EVERY].commit({"new": "1\n"})

    return change


def add_branch(site: Site) -> None:
    """Add a branch to the control repository."""
    site.control.branch("fresh", {"y": "1\n"})


STEPS: dict[str, tuple[Callable[[Site], None], str]] = {
    "everything is new": (lambda _site: None, "environment -m"),
    "nothing has changed": (lambda _site: None, "environment -m"),
    "nothing has changed, `--incremental`": (lambda _site: None, "environment -m --incremental"),
    "a module has moved, `deploy module`": (change_module(0), "module m0"),
    "a module has moved, one environment": (change_module(1), "environment production -m"),
    "a new branch": (add_branch, "environment fresh -m"),
}
"""Step → what happens before it, and the arguments of ``r10k deploy``."""


def processor_seconds(command: list[str], directory: Path) -> float:
    """Return the processor time of a program and all that it starts; it must exit with 0."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{shlex.join(command)} exited with {done.returncode}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(
    programs: dict[str, list[str]], options: argparse.Namespace
) -> dict[str, dict[str, list[float]]]:
    """Return the figures of each step for each program."""
    found: dict[str, dict[str, list[float]]] = {
        step: {name: [] for name in programs} for step in STEPS
    }
    for _round in range(options.rounds):
        top = Path(tempfile.mkdtemp())
        try:
            with serving_forge() as forge:
                for number in range(options.forge):
                    files = {
                        f"manifests/c{k}.pp": f"class f{number}::c{k} {{\n}}\n"
                        for k in range(FILES)
                    }
                    forge.add(f"acme-f{number}", "1.0.0", files=files)
                sites = {}
                for name in programs:
                    (top / name).mkdir(mode=0o700)
                    sites[name] = Site(top / name, forge, options)
                for step, (change, arguments) in STEPS.items():
                    for name, program in programs.items():
                        change(sites[name])
                        config = ["--config", str(top / name / "r10k.yaml")]
                        command = [*program, "deploy", *arguments.split(), *config]
                        found[step][name].append(processor_seconds(command, top / name))
        finally:
            shutil.rmtree(top)
    return found


def text_of(
    found: dict[str, dict[str, list[float]]],
    version: str,
    options: argparse.Namespace,
    others: float,
) -> str:
    """Return the figures as a table of docs/deployments.md."""
    lines = [
        (
            f"{options.git} git and {options.forge} Forge modules in {options.environments} environments, "
            "all on one machine: processor seconds of the"
        ),
        (
            f"command and all that it starts, median of {options.rounds} (`benchmarks/deployments.py`; other "
            f"programs used {others:.1f} processors meanwhile):"
        ),
        "",
        f"| step | {version} | bunraku | times as fast |",
        "|---|--:|--:|--:|",
    ]
    for step, figures in found.items():
        theirs, ours = (statistics.median(figures[name]) for name in ("r10k", "bunraku"))
        lines.append(f"| {step} | {theirs:.2f} | {ours:.2f} | {theirs / ours:.0f} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure, print and, with ``--write``, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--r10k", default="r10k", help="the command of r10k")
    for name, default in (("git", 40), ("forge", 20), ("environments", 5), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    measure.add_options(parser)
    options = parser.parse_args()
    r10k = shlex.split(options.r10k)
    if not shutil.which(r10k[0]):
        raise SystemExit("r10k is not installed")
    os.environ.update(VARIABLES)
    shown = subprocess.run([*r10k, "version"], capture_output=True, text=True, check=True)
    bunraku = str(Path(sys.executable).with_name("bunraku"))
    with measure.watched(options) as watch:
        found = measured({"r10k": r10k, "bunraku": [bunraku, "r10k"]}, options)
    text = text_of(found, shown.stdout.strip(), options, watch.share())
    print(text, end="")
    if measure.may_write(options, watch):
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
