"""Kill deployments at random moments, and check the environments that they leave.

    PYTHONPATH=tests python tests/rigs/deployment/kills.py --count 200 [--seed N]

A site has three environments with two modules; its repositories have two states. Each run starts
``bunraku deploy`` (``environment``, ``module``, ``rollback``; sometimes without a cache, sometimes with nothing
deployed) and sends SIGKILL to it at a random moment. Then

* each environment has all files of one state, the one before or the one after, and nothing else;
* the record that ``deploy status`` calls live is that of the files that are there;
* the next run succeeds, has the wanted state, and leaves nothing in the directories for staging.
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
from hashlib import sha256
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bunraku.cli.main import run
from bunraku.deployment.layers import DEPLOYMENT_INFO, composed
from bunraku.deployment.store import LINK
from bunraku.jobs.deploy import DeployOptions, EnvironmentStatus, status
from support.git_remotes import VARIABLES, Remote

ENVIRONMENTS = ("production", "testing", "dev")
MODULES = ("alpha", "beta")
Key = tuple[str, ...]
"""The states of the control repository, of alpha and of beta."""
Files = dict[str, str]
FILES = 30
UNMANAGED = "mine.txt"


def files_of(part: str, state: str, environment: str = "") -> dict[str, str | None]:
    """Return the files of a repository: some are the same in both states, some are not."""
    text = f"# {part} {environment} "
    names = [f"manifests/d{number % 5}/f{number}.pp" for number in range(FILES)]
    found: dict[str, str | None] = {
        name: text + (f"{name} {state}\n" if number % 3 == 0 else f"{name}\n") * 40
        for number, name in enumerate(names)
    }
    found[f"only_{state}/file"] = text + state
    found[f"only_{'b' if state == 'a' else 'a'}/file"] = None
    return found


class Site:
    """The repositories with both states, the settings, and what each environment may have."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.base = top / "environments"
        self.cache = top / "cache"
        self.config = top / "r10k.yaml"
        self.commits: dict[tuple[str, str, str], str] = {}
        self.remotes: dict[str, Remote] = {}
        for part in MODULES:
            self.add(part, ["main"])
        self.add("control", list(ENVIRONMENTS))
        sources = {"main": {"remote": self.remotes["control"].url, "basedir": str(self.base)}}
        settings = {"cachedir": str(self.cache), "sources": sources, "pool_size": 2}
        self.config.write_text(json.dumps(settings))
        self.wanted: dict[str, str] = dict.fromkeys(("control", *MODULES), "a")
        self.set(**self.wanted)

    def add(self, part: str, branches: list[str]) -> None:
        """Make a repository whose branches have two states."""
        remote = Remote(self.top, part, {"README": part}, branches[0])
        self.remotes[part] = remote
        for branch in branches:
            if branch != branches[0]:
                remote.git("checkout", "-q", "-B", branch)
            for state in "ab":
                files = files_of(part, state, branch if part == "control" else "")
                if part == "control":
                    files["Puppetfile"] = "".join(
                        f"mod '{name}', :git => '{self.remotes[name].url}', :branch => 'main'\n"
                        for name in MODULES
                    )
                present = {
                    name: text
                    for name, text in files.items()
                    if text is not None or (remote.work / name).exists()
                }
                self.commits[part, branch, state] = remote.commit(present)

    def set(self, **states: str) -> None:
        """Bring repositories to a state."""
        self.wanted.update(states)
        for part, branch, state in self.commits:
            if state == self.wanted[part]:
                commit = self.commits[part, branch, state]
                command = ["git", "-C", self.remotes[part].url, "update-ref"]
                subprocess.run([*command, f"refs/heads/{branch}", commit], check=True)

    @property
    def key(self) -> Key:
        """The states of all repositories."""
        return tuple(self.wanted[part] for part in ("control", *MODULES))

    def expected(self, environment: str, key: Key) -> Files:
        """Return the digests of all files of an environment in a state."""
        found = {"README": "control"}
        for part, state in zip(("control", *MODULES), key, strict=True):
            prefix = "" if part == "control" else f"modules/{part}/"
            found[f"{prefix}README"] = part
            branch = environment if part == "control" else ""
            for name, text in files_of(part, state, branch).items():
                if text is not None:
                    found[prefix + name] = text
        found["Puppetfile"] = (self.remotes["control"].work / "Puppetfile").read_text()
        found[UNMANAGED] = environment
        return {name: digest(text.encode()) for name, text in found.items()}

    def state_of(self, environment: str, keys: list[Key]) -> Key | None:
        """Return the state that an environment has, whole; () if it is absent, None for none of them."""
        files = present(self.base / environment)
        if not files:
            return ()
        return next((key for key in keys if self.expected(environment, key) == files), None)

    def options(self, *names: str) -> DeployOptions:
        """Return the options of a job."""
        return DeployOptions(names, config=str(self.config))


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def present(top: Path) -> Files:
    """Return the digests of all files in a directory; links by their targets."""
    found = {}
    for directory, _names, files in os.walk(top):
        for name in files:
            path = f"{directory}/{name}"
            relative = os.path.relpath(path, top)
            if relative == DEPLOYMENT_INFO:
                with open(path, encoding="utf-8") as file:
                    json.load(file)  # whole in any case
            elif os.path.islink(path):
                found[relative] = os.readlink(path)
            else:
                with open(path, "rb") as file:
                    found[relative] = digest(file.read())
    return found


def started(*arguments: str) -> int:
    """Start ``bunraku deploy`` in a fork; return its process ID."""
    pid = os.fork()
    if pid:
        return pid
    code = 99
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        code = run(["deploy", *arguments])
    finally:
        os._exit(code)


def finished(*arguments: str) -> tuple[int, float]:
    """Run ``bunraku deploy``; return its exit code and the seconds that it took."""
    start = time.monotonic()
    _pid, code = os.waitpid(started(*arguments), 0)
    return os.waitstatus_to_exitcode(code), time.monotonic() - start


class Trial:
    """Kills, one after the other, with what they have shown."""

    def __init__(self, site: Site, seed: int) -> None:
        self.site = site
        self.random = random.Random(seed)
        self.faults: list[str] = []
        self.counts = {"killed": 0, "finished": 0, "old": 0, "new": 0, "absent": 0}
        self.seen: list[Key] = []
        config = ("--config", str(site.config))
        self.config = config
        code, self.longest = finished("environment", *config)
        assert code == 0
        for name in ENVIRONMENTS:
            (site.base / name / UNMANAGED).write_text(name)
        self.seen.append(site.key)

    def one(self) -> None:
        """Kill one run and check what it leaves."""
        site = self.site
        before = {name: site.state_of(name, self.seen) for name in ENVIRONMENTS}
        kind = self.random.choice(
            ["environment"] * 4 + ["module"] * 2 + ["rollback", "cold", "absent"]
        )
        parts = list(site.wanted)
        flipped = self.random.sample(parts, self.random.randint(1, len(parts)))
        site.set(**{part: "b" if site.wanted[part] == "a" else "a" for part in flipped})
        if site.key not in self.seen:
            self.seen.append(site.key)
        arguments = {"module": ("module", *MODULES), "rollback": ("rollback", *ENVIRONMENTS)}
        if kind in {"cold", "absent"}:
            shutil.rmtree(site.cache)
        if kind == "absent":
            shutil.rmtree(site.base)
            before = dict.fromkeys(ENVIRONMENTS, ())
        self.kill(*arguments.get(kind, ("environment",)))
        self.check(kind, before)
        self.check_next(kind)

    def kill(self, *arguments: str) -> None:
        """Start a command and kill it at a random moment."""
        pid = started(*arguments, *self.config)
        time.sleep(self.random.random() ** 1.5 * self.longest * 1.3)
        os.kill(pid, signal.SIGKILL)
        _pid, code = os.waitpid(pid, 0)
        self.counts["killed" if os.WIFSIGNALED(code) else "finished"] += 1

    def check(self, kind: str, before: dict[str, Key | None]) -> None:
        """Check that each environment is the old or the new one, and that its record knows which."""
        site = self.site
        for name in ENVIRONMENTS:
            keys = self.possible()
            if kind == "absent" and (site.base / name).is_dir():
                (site.base / name / UNMANAGED).write_text(name)
            now = site.state_of(name, keys)
            old = before[name]
            allowed = {old, site.key}
            if kind == "module" and old:
                allowed = {old, (old[0], site.key[1], old[2]), (old[0], *site.key[1:])}
                allowed.add((*old[:2], site.key[2]))
            if kind == "rollback":
                allowed = {old, *self.seen}
            if now is None or now not in allowed:
                self.fault(kind, f"{name} is neither the old nor the new one: {now}")
            elif now == ():
                self.counts["absent"] += 1
            else:
                self.counts["old" if now == old else "new"] += 1
            if now and now not in self.seen:
                self.seen.append(now)
        if kind not in {"cold", "absent"}:
            for one in status(site.options()):
                self.check_record(kind, one)

    def possible(self) -> list[Key]:
        """Return all states that an environment can have."""
        return [(a, b, c) for a in "ab" for b in "ab" for c in "ab"]

    def check_record(self, kind: str, found: EnvironmentStatus) -> None:
        """Check that a live record has the files that are there."""
        if found.live is None or found.edited or found.missing:
            self.fault(kind, f"the record of {found.name} is not that of its files: {found.edited}")
            return
        files = present(Path(found.path))
        files.pop(UNMANAGED, None)
        entries = composed(found.live.layers)
        recorded = {path: entry[1] for path, entry in entries.items() if entry[0] != LINK}
        if recorded != files:
            self.fault(kind, f"the record of {found.name} has other files than its directory")

    def check_next(self, kind: str) -> None:
        """Check that the next run succeeds and leaves nothing but the environments."""
        site = self.site
        code, _seconds = finished("environment", *self.config)
        if code:
            self.fault(kind, f"the next run failed with {code}")
        for name in ENVIRONMENTS:
            if kind == "absent":
                (site.base / name / UNMANAGED).write_text(name)
            if site.state_of(name, [site.key]) is None:
                self.fault(kind, f"{name} does not have the wanted state after the next run")
        state = site.base.with_name(f".{site.base.name}.bunraku")
        left = [*state.glob("staging/*"), *site.cache.glob("staging/*")]
        left += (site.cache / "git").glob("*/**/*.lock")
        if left:
            self.fault(kind, f"left: {', '.join(map(str, left))}")
        strange = set(os.listdir(site.base)) - set(ENVIRONMENTS)
        if strange:
            self.fault(kind, f"beside the environments: {strange}")

    def fault(self, kind: str, text: str) -> None:
        """Note a fault."""
        self.faults.append(f"{kind}: {text}")


def run_kills(count: int, seed: int, *, report: bool = True) -> list[str]:
    """Kill a number of deployments; return the faults."""
    os.environ.update(VARIABLES)
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o700)
        trial = Trial(Site(Path(directory)), seed)
        while trial.counts["killed"] < count:
            trial.one()
            if report and sum(trial.counts.values()) % 10 == 0:
                print(trial.counts, f"{len(trial.faults)} faults", flush=True)
        return trial.faults


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    faults = run_kills(chosen.count, chosen.seed)
    for text in faults:
        print(text)
    sys.exit(bool(faults))
