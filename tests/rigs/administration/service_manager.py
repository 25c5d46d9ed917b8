"""Stand in for systemctl and journalctl where no systemd runs: services of unit files, started and stopped for real.

It reads what sites use of a unit: ``User``, ``Group``, ``Environment``, ``Type``, ``Exec…`` and drop-ins. A timer
is enabled, and never elapses. ``make administrator-day`` has the real systemd.

    service_manager.py systemctl start NAME…        STATE is the directory of sockets, logs and process ids
"""

from __future__ import annotations

import os
import pwd
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

UNITS = Path("/etc/systemd/system")
STATE = Path(os.environ.get("STATE", "/run/services"))
SECONDS = 60
ASSIGNMENT = re.compile(r"^(\w+)=(.*)$", re.MULTILINE)
FAILED = """\
Job for {unit} failed because the control process exited with error code.
See "systemctl status {unit}" and "journalctl -xeu {unit}" for details.
"""


class Service:
    """A service by its unit file and the drop-ins beside it."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.values: dict[str, list[str]] = defaultdict(list)
        drop_ins = sorted((UNITS / f"{unit}.d").glob("*.conf"))
        for path in (UNITS / unit, *drop_ins):
            for name, value in ASSIGNMENT.findall(path.read_text()):
                self.values[name] = [*self.values[name], value] if value else []
        self.file = STATE / f"{unit}.pid"
        self.log = STATE / f"{unit}.log"

    @property
    def pid(self) -> int | None:
        """The process of the service, if it runs."""
        if not self.file.exists():
            return None
        pid = int(self.file.read_text())
        status = Path("/proc", str(pid), "stat")
        alive = status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"
        return pid if alive else None

    def command(self, text: str, *, user: bool) -> tuple[list[str], dict[str, str]]:
        """Return the words of a command line with the rights of the service, and its variables."""
        name = self.values["User"][-1] if user else "root"
        variables = dict(
            one.split("=", 1) for line in self.values["Environment"] for one in shlex.split(line)
        )
        words = []
        for word in shlex.split(text):
            split = word.startswith("$") and not word.startswith("$$")
            words += variables.get(word[1:], "").split() if split else [word]
        words = [word.replace("%%", "%").replace("$$", "$") for word in words]
        rights = ["setpriv", "--reuid", name, "--regid", self.values["Group"][-1], "--init-groups"]
        paths = {"HOME": pwd.getpwnam(name).pw_dir, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        return [*(rights if user and name != "root" else ()), *words], {**paths, **variables}

    def start(self) -> bool:
        """Start the service, wait until it is ready (or done), and return whether it is."""
        if self.pid is not None:
            return True
        for text in self.values["ExecStartPre"]:
            words, variables = self.command(text.removeprefix("+"), user=not text.startswith("+"))
            subprocess.run(words, env=variables, check=True)
        words, variables = self.command(self.values["ExecStart"][-1], user=True)
        with self.log.open("ab") as log:
            if self.values["Type"] == ["oneshot"]:
                return not subprocess.run(words, env=variables, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False).returncode  # fmt: skip
            return self.launch(words, variables, log.fileno())

    def launch(self, words: list[str], variables: dict[str, str], log: int) -> bool:
        """Start a service that says when it is ready."""
        address = STATE / f"{self.unit}.socket"
        address.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as messages:
            messages.bind(str(address))
            address.chmod(0o777)
            messages.settimeout(0.2)
            process = subprocess.Popen(words, env={**variables, "NOTIFY_SOCKET": str(address)}, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)  # fmt: skip
            self.file.write_text(str(process.pid))
            end = time.monotonic() + SECONDS
            while process.poll() is None and time.monotonic() < end:
                try:
                    if b"READY=1" in messages.recv(4096):
                        return True
                except TimeoutError:
                    continue
        return False

    def stop(self) -> bool:
        """Stop the service; return whether it has ended in time."""
        pid = self.pid
        if pid is None:
            return True
        os.kill(pid, signal.SIGTERM)
        end = time.monotonic() + SECONDS
        while self.pid is not None and time.monotonic() < end:
            time.sleep(0.02)
        return self.pid is None

    def restart(self) -> bool:
        """Stop the service and start it."""
        return self.stop() and self.start()

    def reload(self) -> bool:
        """Run the command that lets the service read its configuration again."""
        words, variables = self.command(self.values["ExecReload"][-1], user=False)
        words = [word.replace("$MAINPID", str(self.pid)) for word in words]
        return not subprocess.run(words, env=variables, check=False).returncode


class Timer:
    """A timer, which is active from its start to its stop."""

    def __init__(self, unit: str) -> None:
        self.file = STATE / f"{unit}.active"
        assert (UNITS / unit).exists(), unit

    @property
    def pid(self) -> int | None:
        """A number while the timer is active."""
        return 0 if self.file.exists() else None

    def start(self) -> bool:
        """Let the timer be active."""
        self.file.touch()
        return True

    def stop(self) -> bool:
        """Let the timer be inactive."""
        self.file.unlink(missing_ok=True)
        return True

    restart = reload = start


def systemctl(words: list[str]) -> int:
    """Do an action with units; return the exit code."""
    action, *names = [word for word in words if not word.startswith("-")]
    if action == "daemon-reload":
        return 0
    failed = 0
    for name in names:
        unit = name if "." in name else f"{name}.service"
        found = (Timer if unit.endswith(".timer") else Service)(unit)
        if action == "is-active":
            print("inactive" if found.pid is None else "active")
            failed = failed or (3 if found.pid is None else 0)
            continue
        job = {"enable": "start", "disable": "stop"}.get(action, action)
        if not getattr(found, job)():
            sys.stderr.write(FAILED.format(unit=unit))
            failed = 1
    return failed


def journalctl(words: list[str]) -> int:
    """Print the last lines of the log of a service."""
    unit = words[words.index("--unit") + 1]
    count = int(words[words.index("--lines") + 1])
    log = STATE / f"{unit if '.' in unit else f'{unit}.service'}.log"
    print("\n".join(log.read_text().splitlines()[-count:]))
    return 0


if __name__ == "__main__":
    sys.exit({"systemctl": systemctl, "journalctl": journalctl}[sys.argv[1]](sys.argv[2:]))
