"""The root of a fault trial: files, and runs of bunraku that can be watched and ended."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from rigs.roots.sandbox import ENVIRONMENT, Sandbox
from support.signals import heed_signals

REPORT = "/var/lib/bunraku/state/last_run_report.yaml"


class Loader(yaml.CSafeLoader):
    """Reads reports: objects of Ruby as mappings, times as text."""


def as_data(loader: yaml.CSafeLoader, _suffix: str, node: yaml.Node) -> Any:
    """Return the attributes of an object."""
    assert isinstance(node, yaml.MappingNode)
    return loader.construct_mapping(node, deep=True)


Loader.add_constructor("!binary", Loader.construct_yaml_binary)
Loader.add_multi_constructor("!ruby/object:", as_data)
Loader.add_constructor("tag:yaml.org,2002:timestamp", lambda _loader, node: node.value)


def mode_of(path: str) -> int:
    """Return the mode of a file or directory; 0 for a link, and for what is gone meanwhile."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return 0
    return 0 if stat.S_ISLNK(mode) else mode


def content_of(path: Path) -> bytes:
    """Return the content of a file; it is empty for one that is gone meanwhile."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


@dataclass(frozen=True)
class Ended:
    """A run that ended: ``code`` is negative for a signal, ``peak`` in KiB; no report if it wrote none."""

    code: int
    output: str
    seconds: float
    peak: int
    content: bytes | None
    """The report as the run has written it."""

    @cached_property
    def report(self) -> dict[str, Any] | None:
        """The report; it is read when it is needed, because that needs much memory."""
        found: dict[str, Any] | None = yaml.load(self.content or b"null", Loader)
        return found

    @property
    def errors(self) -> list[str]:
        """The errors of the report."""
        logs = self.report["logs"] if self.report else []
        return [f"{log['source']}: {log['message']}" for log in logs if log["level"] == "err"]

    def is_skipped(self, reference: str) -> bool:
        """Return whether a resource was skipped."""
        return bool(self.report and self.report["resource_statuses"][reference]["skipped"])


class Run:
    """A run of bunraku in the root."""

    def __init__(
        self, machine: Machine, words: Sequence[str], environment: Mapping[str, str]
    ) -> None:
        self.machine = machine
        self.output = (machine.sandbox.top / f"output-{time.monotonic_ns()}").open("w+b")
        self.begin = time.monotonic()
        variables = {**ENVIRONMENT, **machine.environment, **environment}
        self.process = subprocess.Popen(
            [
                "chroot", str(machine.sandbox.root), "/usr/bin/env", "-i",
                *(f"{name}={value}" for name, value in variables.items()), *words,
            ],
            stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT, cwd="/",
            start_new_session=True, umask=0o022, preexec_fn=heed_signals,  # noqa: PLW1509, no threads
        )  # fmt: skip

    def running(self) -> bool:
        """Return whether the run has not ended; its status stays with the kernel."""
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, options) is None

    def wait_for(
        self,
        seconds: float,
        meanwhile: Callable[[], None] = lambda: None,
        until: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Return whether the run still goes on after some seconds; call a function again and again."""
        end = time.monotonic() + seconds
        while self.running() and time.monotonic() < end and not until():
            meanwhile()
            time.sleep(0.001)
        return self.running()

    def signal(self, number: int) -> None:
        """Send a signal to bunraku alone."""
        os.kill(self.process.pid, number)

    def end(self, meanwhile: Callable[[], None] = lambda: None) -> Ended:
        """Wait for the end."""
        while self.running():
            meanwhile()
            time.sleep(0.002)
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - self.begin
        self.output.seek(0)
        text = self.output.read().decode("utf-8", "replace")
        self.output.close()
        report = self.machine.report()
        return Ended(self.process.returncode, text, seconds, usage.ru_maxrss, report)


class Machine:
    """The root of a trial. ``problems`` collects the errors."""

    def __init__(self, sandbox: Sandbox, environment: Mapping[str, str]) -> None:
        self.sandbox = sandbox
        self.environment = environment
        self.problems: list[str] = []
        self.background: set[str] = set()
        """The names of programs that run beside the trial and are not part of it."""

    # -- files -----------------------------------------------------------------------------------

    def path(self, path: str) -> Path:
        """Return where a path of the root is for this process."""
        return self.sandbox.root / path.lstrip("/")

    def write(
        self, path: str, content: bytes | str, mode: int = 0o644, owner: tuple[int, int] = (0, 0)
    ) -> None:
        """Write a file; directories above it are made."""
        file = self.path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        os.chown(file, *owner)
        file.chmod(mode)

    def mount(self, script: str) -> None:
        """Run a script of mounts; ``$ROOT`` is the root."""
        self.sandbox.on_host(f"ROOT={self.sandbox.root}\n{script}")

    def report(self) -> bytes | None:
        """Return the content of the report of the last run, None if there is none."""
        try:
            return self.path(REPORT).read_bytes()
        except FileNotFoundError:
            return None

    # -- runs ------------------------------------------------------------------------------------

    def start(
        self, manifest: str, *options: str, environment: Mapping[str, str] | None = None
    ) -> Run:
        """Start a run; the report of an earlier one is removed."""
        self.path(REPORT).unlink(missing_ok=True)
        self.write("/root/site.pp", manifest)
        words = ["python3", "-m", "bunraku", "apply", "--detailed-exitcodes", *options]
        return Run(self, [*words, "/root/site.pp"], environment or {})

    def apply(
        self, manifest: str, *options: str, environment: Mapping[str, str] | None = None
    ) -> Ended:
        """Apply a manifest."""
        ended = self.start(manifest, *options, environment=environment).end()
        self.check_output(ended)
        return ended

    def others(self) -> list[int]:
        """Return the processes in the namespaces besides this one, the first and those in the background."""
        mine = {1, os.getpid()}
        found = [int(one) for one in os.listdir("/proc") if one.isdigit() and int(one) not in mine]
        return [one for one in found if self.proc(one, "comm").strip() not in self.background]

    def arguments(self) -> Iterator[tuple[int, str]]:
        """Yield all other processes with their arguments."""
        for number in self.others():
            yield number, self.proc(number, "cmdline").replace("\0", " ")

    def proc(self, number: int, name: str) -> str:
        """Return a file about a process; it is empty if the process has ended."""
        try:
            return Path(f"/proc/{number}/{name}").read_bytes().decode("utf-8", "replace")
        except OSError:
            return ""

    def kill_all(self) -> None:
        """End all that runs in the root, as when the machine stops."""
        for number in self.others():
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def wait_for_others(self, limit: float = 30.0) -> None:
        """Wait until nothing runs any more that a run has started."""
        end = time.monotonic() + limit
        while self.others():
            if time.monotonic() > end:
                self.problems.append(f"still running: {list(self.arguments())}")
                return
            time.sleep(0.01)

    # -- checks ----------------------------------------------------------------------------------

    def check(self, right: object, text: str) -> None:
        """Note a problem, once, unless something is true."""
        if not right and text not in self.problems:
            self.problems.append(text)

    def check_arguments(self, secrets: Sequence[str]) -> None:
        """Check that no process has a secret among its arguments."""
        for number, words in self.arguments():
            self.check(not any(secret in words for secret in secrets), f"{number}: {words}")

    def check_no_secrets(self, secrets: Sequence[str], *, but: Sequence[str] = ()) -> None:
        """Check that state, reports, logs and temporary files have no secret, and that nothing is left.

        ``but`` has names of files in which other programs store secrets.
        """
        for folder in ("var/lib/bunraku", "var/cache", "var/log", "tmp", "root", "etc"):
            for path in self.path(folder).rglob("*"):
                if path.name in ("site.pp", *but) or path.is_symlink() or not path.is_file():
                    continue
                content = path.read_bytes()
                found = any(secret.encode() in content for secret in secrets)
                self.check(not found, f"{path} has a secret")
                self.check(not path.name.startswith(".bunraku-"), f"{path} is left")

    def check_private(self, secrets: Sequence[str], *folders: str) -> None:
        """Check that other users can read no file with a secret, in directories that they can enter."""
        for folder in folders:
            for place, names, files in os.walk(self.path(folder)):
                names[:] = [one for one in names if mode_of(f"{place}/{one}") & stat.S_IXOTH]
                for path in (Path(place, one) for one in files):
                    if mode_of(str(path)) & stat.S_IROTH:
                        content = content_of(path)
                        found = any(secret.encode() in content for secret in secrets)
                        self.check(not found, f"others can read a secret in {path}")

    def check_output(self, ended: Ended) -> None:
        """Check that a run shows no error of bunraku itself."""
        for word in ("Traceback (most recent", "internal error", "Exception ignored"):
            if word in ended.output:
                at = ended.output.index(word)
                self.problems.append(f"{word}: {ended.output[max(at - 200, 0) : at + 1500]}")

    def check_failure(self, ended: Ended, resource: str, reason: str, code: int = 6) -> None:
        """Check that one resource failed for a reason, that ``Notify[after]`` was skipped, and no other."""
        text = ended.output[-1500:]
        self.check(ended.code == code, f"exit code {ended.code}, not {code}: {text}")
        if ended.report is None:
            self.problems.append(f"there is no report: {text}")
            return
        statuses = ended.report["resource_statuses"]
        failed = [name for name, status in statuses.items() if status["failed"]]
        self.check(failed == [resource], f"failed: {failed}, not {resource}: {text}")
        named = [one for one in ended.errors if resource in one]
        self.check(len(named) == 1, f"{len(named)} errors name {resource}: {ended.errors}")
        self.check(any(reason in one for one in named), f"no error has {reason!r}: {ended.errors}")
        skipped = [name for name, status in statuses.items() if status["skipped"]]
        self.check(skipped == ["Notify[after]"], f"skipped: {skipped}")
        self.check("Notify[other]" in statuses, "Notify[other] is not in the report")
        self.check(ended.report["status"] == "failed", f"status {ended.report['status']}")
