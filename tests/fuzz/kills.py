"""Kill bunraku and its children at random moments, and check the files that they leave.

    PYTHONPATH=tests python tests/fuzz/kills.py --count 300 [--seed N]

Each run starts a command (compile, nodes, batch, diff, lookup), sends SIGTERM or SIGKILL to it or to one
of its descendants at a random moment, and then checks that

* two seconds later no process of the run is left;
* what was written is whole and right: catalogs, batch answers, the output of a command that reports success;
* after the next start the temporary directory is empty;
* nobody saw a Python traceback or an internal error.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from support.marked_processes import MarkedProcesses

LONGEST = 60.0
"""Seconds that a run may take which lost a child."""
RUBY = "inline_template('<% ObjectSpace.class; sleep 0.02 %>ruby')"
SITE = f"""
$list = range(1, 300)
$list.each |$i| {{ notify {{ "n-$i": message => "$i of ${{facts['fellow']}}" }} }}
notify {{ 'ruby': message => {RUBY} }}
notify {{ 'sh': message => generate('/bin/sh', '-c', 'sleep 0.05 & sleep 0.05; echo out') }}
notify {{ 'again': message => {RUBY} }}
"""
BACKEND = """
Puppet::Functions.create_function(:'site::backend') do
  dispatch :answer do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def answer(key, options, context)
    ObjectSpace.class
    sleep 0.02
    key == 'wanted' ? 'found' : context.not_found
  end
end
"""
HIERA = """
version: 5
hierarchy:
  - name: ruby
    lookup_key: site::backend
"""
NODES = 6
CASES = 30


@dataclass
class Site:
    """A small control repository in git, with facts of a few nodes and the right answers."""

    root: Path
    answers: dict[str, str] = field(default_factory=dict)

    def build(self) -> None:
        """Write the files and commit two revisions."""
        functions = self.root / "modules/site/lib/puppet/functions/site"
        functions.mkdir(parents=True)
        (functions / "backend.rb").write_text(BACKEND)
        (self.root / "modules/site/metadata.json").write_text(
            json.dumps({"name": "me-site", "version": "1.0.0", "author": "me", "license": "none"})
        )
        (self.root / "hiera.yaml").write_text(HIERA)
        (self.root / "environment.conf").write_text("modulepath = modules\n")
        (self.root / "manifests").mkdir()
        (self.root / "manifests/site.pp").write_text(SITE)
        (self.root / "facts").mkdir()
        for number in range(NODES):
            (self.root / f"facts/n{number}.yaml").write_text(f"fellow: n{number}\n")
        git = ["git", "-C", str(self.root), "-c", "user.name=me", "-c", "user.email=me@localhost"]
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
            subprocess.run([*git, *command], check=True)
        (self.root / "manifests/site.pp").write_text(SITE + "notify { 'new': }\n")
        subprocess.run([*git, "commit", "-qam", "two"], check=True)

    def command(self, kind: str, output: Path) -> list[str]:
        """The command line of a kind of run."""
        node = ["--node", "n0", "--facts", "facts/n0.yaml"]
        nodes = ["--facts-folder", "facts", "--jobs", "2"]
        return {
            "compile": ["compile", *node],
            "nodes": ["compile", "--nodes", *nodes, "--output-folder", str(output)],
            "batch": ["batch", "--jobs", "2"],
            "diff": ["diff", "HEAD~1", "HEAD", *nodes],
            "lookup": ["lookup", "wanted", *node],
        }[kind]

    def requests(self) -> bytes:
        """The input of a batch run."""
        code = f"notice({RUBY}) notice(generate('/bin/sh', '-c', 'sleep 0.03 & echo x'))"
        lines = [json.dumps({"id": str(number), "code": code}) for number in range(CASES)]
        return ("\n".join(lines) + "\n").encode()


KINDS = ("compile", "nodes", "batch", "diff", "lookup")


@dataclass
class Run:
    """The outcome of a run."""

    code: int
    out: bytes
    err: bytes
    files: dict[str, bytes]


class Killer:
    """Runs commands with a private home, temporary directory and mark."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.site = site
        self.folder = folder
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.count = 0
        self.processes = MarkedProcesses("0")

    def environment(self) -> dict[str, str]:
        """The environment of a run; its mark is in all its descendants, too."""
        return {
            **os.environ,
            **self.processes.environment,
            "TMPDIR": str(self.temporary),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "HOME": str(self.folder),
        }

    def run(self, kind: str, strike: random.Random | None = None, longest: float = 0.0) -> Run:
        """Run a command; with ``strike`` kill it, or a descendant, within ``longest`` seconds."""
        self.count += 1
        self.processes = MarkedProcesses(str(self.count))
        output = self.folder / f"out{self.count}"
        files = [self.folder / name for name in ("stdin", "stdout", "stderr")]
        files[0].write_bytes(self.site.requests() if kind == "batch" else b"")
        with files[0].open("rb") as source, files[1].open("wb") as out, files[2].open("wb") as err:
            process = subprocess.Popen(
                [sys.executable, "-m", "bunraku", *self.site.command(kind, output)],
                cwd=self.site.root,
                env=self.environment(),
                stdin=source,
                stdout=out,
                stderr=err,
            )
            if strike is not None:
                self.strike(process, strike, longest)
            try:
                code = process.wait(LONGEST)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                code = 999
        self.processes.await_end()
        found = (
            {path.name: path.read_bytes() for path in output.glob("*")} if output.exists() else {}
        )
        return Run(code, files[1].read_bytes(), files[2].read_bytes(), found)

    def strike(
        self, process: subprocess.Popen[bytes], strike: random.Random, longest: float
    ) -> None:
        """Send a signal to the run or to one of its descendants."""
        number = strike.choice((signal.SIGTERM, signal.SIGKILL))
        child = strike.random() < 0.5
        time.sleep(strike.uniform(0.0, longest))
        targets = sorted(set(self.processes.alive()) - {process.pid}) if child else []
        target = strike.choice(targets) if targets else process.pid
        try:
            os.kill(target, number)
        except ProcessLookupError:
            return

    def next_start(self) -> None:
        """Raise AssertionError if a start leaves something in the temporary directory."""
        command = [sys.executable, "-m", "bunraku", "compile", "-e", "notice(1)", "--no-project"]
        subprocess.run(command, env=self.environment(), check=True, capture_output=True)
        assert not list(self.temporary.iterdir()), f"left: {list(self.temporary.iterdir())}"


def check(kind: str, whole: Run, found: Run) -> None:
    """Raise AssertionError unless the output of a killed run is correct up to its end."""
    for text in (b"Traceback", b"internal error", b"Exception ignored"):
        assert text not in found.err, found.err
    assert found.code != 999, f"did not end: {found.err!r}"
    names = {name for name in found.files if not name.startswith(".")}
    for name in names:
        assert found.files[name] == whole.files[name], f"{name} is wrong"
    if kind == "batch":
        right = dict(answers(whole.out))
        for identity, answer in answers(found.out):
            if answer["status"] == "ok":
                assert answer == right[identity], "a wrong answer"
    elif found.code == whole.code and kind != "diff":
        assert found.out == whole.out or kind == "nodes", "a wrong output"
    if found.code == 0 and kind == "nodes":
        assert found.files == whole.files


def answers(output: bytes) -> Iterator[tuple[str, dict[str, object]]]:
    """The complete answers in the output of a batch run, without the parts that differ between runs."""
    for line in output.split(b"\n")[:-1]:
        answer = json.loads(line)
        answer["ms"] = None
        yield answer["id"], answer


def run_kills(count: int, seed: int, report: bool = True) -> list[str]:
    """Kill ``count`` runs and return the errors."""
    chance = random.Random(seed)
    wrong = []
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        folder = Path(name)
        site = Site(folder / "site")
        site.build()
        killer = Killer(site, folder)
        whole: dict[str, Run] = {}
        longest: dict[str, float] = {}
        for kind in KINDS:
            killer.run(kind)  # fills the cache
            start = time.monotonic()
            whole[kind] = killer.run(kind)
            longest[kind] = time.monotonic() - start
            run = whole[kind]
            assert run.code in (0, 1), f"{kind}: {run.code} {run.out[:300]!r} {run.err!r}"
        for number in range(count):
            kind = KINDS[number % len(KINDS)]
            try:
                found = killer.run(kind, chance, longest[kind])
                check(kind, whole[kind], found)
                killer.next_start()
            except AssertionError as error:
                wrong.append(f"run {number} ({kind}): {error}")
                if report:
                    print(wrong[-1], flush=True)
                shutil.rmtree(killer.temporary)
                killer.temporary.mkdir()
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args(arguments)
    print(f"seed {options.seed}", flush=True)
    start = time.monotonic()
    wrong = run_kills(options.count, options.seed)
    print(f"{options.count} kills in {time.monotonic() - start:.0f} s, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
