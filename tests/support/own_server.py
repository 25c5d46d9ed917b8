"""``bunraku server`` as a process with its own directories, and requests to it over TLS."""

from __future__ import annotations

import http.client
import os
import re
import signal
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

COMMAND = [sys.executable, "-m", "bunraku"]
NAME = "localhost"
PATIENCE = 60
MANIFESTS = {
    "production": "notify { 'plain': }\n",
    "other": "notify { 'other': }\n",
    "held": """
        $word = generate('/bin/sh', '-c',
          'touch ROOT/begun; while ! test -e ROOT/go; do sleep 0.05; done; printf released')
        notify { $word: }
        """,
}


def write_site(root: Path) -> None:
    """Write environments; catalogs of ``held`` are ready once the file ``go`` exists."""
    for name, text in MANIFESTS.items():
        folder = root / "environments" / name / "manifests"
        folder.mkdir(parents=True)
        (folder / "site.pp").write_text(text.replace("ROOT", str(root)))
    (root / "etc").mkdir()


def directories(root: Path) -> list[str]:
    """Return the options for directories of a server below a folder."""
    return [
        *("--no-project", "--confdir", str(root / "etc"), "--cadir", str(root / "ca")),
        *("--vardir", str(root / "var"), "--certname", NAME, "--keylength", "2048"),
    ]


class Server:
    """A running server; its messages are in ``log``, its requests in ``access.log``."""

    def __init__(
        self, root: Path, *options: str, start: Callable[..., subprocess.Popen[str]]
    ) -> None:
        self.root = root
        self.log = root / "log"
        words = [
            *(*COMMAND, "server", *directories(root)),
            *("--environmentpath", str(root / "environments"), "--autosign", "true"),
            *("--fronts", os.environ.get("BUNRAKU_FRONTS", "1"), "--puppetdb", "none"),
            *("--workers", "2", "--access-log", str(root / "access.log")),
            *options,
        ]
        with self.log.open("ab") as log:
            self.process = start(words, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r" on https://\S+:(\d+)$", line)
        assert found, line + self.log.read_text()
        self.port = int(found[1])

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the server."""
        self.process.send_signal(number)

    def end(self) -> int:
        """Stop the server, if it still runs, and return its exit code."""
        (self.root / "go").touch()
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            assert self.process.stdout
            self.process.stdout.close()

    def context(self) -> ssl.SSLContext:
        """Return a context with the certificate that the server itself got first."""
        folder = self.root / "etc/ssl"
        context = ssl.create_default_context(cafile=str(folder / "certs/ca.pem"))
        context.load_cert_chain(folder / f"certs/{NAME}.pem", folder / f"private_keys/{NAME}.pem")
        context.check_hostname = False
        return context

    def connect(self) -> http.client.HTTPSConnection:
        """Return a new connection."""
        return http.client.HTTPSConnection(
            "127.0.0.1", self.port, context=self.context(), timeout=PATIENCE
        )

    def ask(self, path: str, method: str = "GET") -> tuple[int, str]:
        """Return status and text of a response on a connection of its own."""
        connection = self.connect()
        try:
            connection.request(method, path, headers={"Accept": "*/*"})
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()

    def catalog(self, environment: str = "production") -> tuple[int, str]:
        """Return the catalog of the server itself."""
        return self.ask(f"/puppet/v3/catalog/{NAME}?environment={environment}")

    def messages(self) -> str:
        """Return what the server has logged."""
        return self.log.read_text()


class Held:
    """A request for a catalog that is in flight until it is released."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.answers: list[tuple[int, str] | Exception] = []
        self.thread = threading.Thread(target=self.ask)
        self.thread.start()
        wait_for((server.root / "begun").exists, "the compile has begun")

    def ask(self) -> None:
        """Keep the answer, or why there is none."""
        try:
            self.answers.append(self.server.catalog("held"))
        except (OSError, http.client.HTTPException) as error:
            self.answers.append(error)

    def release(self) -> tuple[int, str] | Exception:
        """Let the compile go on; return the answer."""
        assert self.answers == []
        (self.server.root / "go").touch()
        self.thread.join(PATIENCE)
        return self.answers[0]


def wait_for(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"not in time: {what}"
        time.sleep(0.02)


def environment(**more: str) -> Mapping[str, str]:
    """Return the environment of this process without systemd's variables, with others."""
    names = ("NOTIFY_SOCKET", "LISTEN_PID", "LISTEN_FDS", "WATCHDOG_USEC", "WATCHDOG_PID")
    return {**{key: one for key, one in os.environ.items() if key not in names}, **more}
