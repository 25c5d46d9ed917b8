"""``bunraku server`` as a process of its own: its start, its address, its end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
READY = re.compile(r"https://([\w.]+|\[[\w:]+\]):(\d+)")
STOP_SECONDS = 60


class ServerProcess:
    """A running server; ``wrapper`` is a program that starts it, ``log`` gets what it reports."""

    def __init__(
        self,
        options: Sequence[str],
        log: Path,
        environment: Mapping[str, str] | None = None,
        wrapper: Sequence[str] = (),
    ) -> None:
        self.log = log
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                [
                    *wrapper,
                    *(sys.executable, "-m", "bunraku", "server", "--listen", "127.0.0.1:0"),
                    *options,
                ],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **(environment or {})},
            )
        self.address = self.ready()

    def ready(self) -> tuple[str, int]:
        """Wait until the server answers; return its address."""
        assert self.process.stdout
        for line in self.process.stdout:
            found = READY.search(line)
            if found:
                return found[1], int(found[2])
        self.kill()
        raise AssertionError(self.reported())

    def reported(self) -> str:
        """Return what the server has reported."""
        return self.log.read_text(encoding="utf-8", errors="backslashreplace")

    def stop(self) -> int:
        """Let the server end cleanly; return its exit code."""
        assert self.process.stdout
        self.process.stdout.close()
        self.process.terminate()
        return self.process.wait(STOP_SECONDS)

    def kill(self) -> None:
        """Kill the server."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()

    def megabytes(self) -> int:
        """Return the most memory that the front process has used."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmHWM:\s+(\d+)", text)
        assert found
        return int(found[1]) // 1024
