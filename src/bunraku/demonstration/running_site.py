"""The servers and agents of a demonstration, as programs whose files are all below one folder."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress

from bunraku.base.records import record
from bunraku.base.usage import UsageError
from bunraku.ca.site import read_site
from bunraku.ca.starting import open_authority
from bunraku.demonstration.site_files import SERVER, node_options, write_files
from bunraku.world import processes

COMMAND = "server"
BUNRAKU = (sys.executable, "-m", "bunraku")
STOP_SECONDS = 20.0
"""The time that a server has for its stop."""
OUTCOMES: Mapping[int, str] = {0: "no changes", 2: "changes", 4: "failures", 6: "changes, failures"}


@record(frozen=True)
class Site:
    """The folder of a demonstration, and the environment of its programs: all they store is below it."""

    folder: str
    environment: Mapping[str, str]


@record(frozen=True)
class Addresses:
    """Where the servers of a demonstration answer; ``plain`` is PuppetDB without TLS."""

    server: str
    puppetdb: str
    plain: str


def make_site(folder: str, environment: Mapping[str, str]) -> Site:
    """Write the files of the site, its authority, and the certificate that both servers use."""
    write_files(folder)
    given = {"confdir": os.path.join(folder, "etc")}
    open_authority(read_site(None, given, lambda: SERVER), lambda _text: None)
    own = {"TMPDIR": folder, "XDG_CACHE_HOME": os.path.join(folder, "cache")}
    return Site(folder, {**environment, **own})


def start_servers(site: Site, running: ExitStack) -> Addresses:
    """Start PuppetDB and the server; they end when ``running`` is closed, the server first."""
    text = running.enter_context(server(site, "PuppetDB", puppetdb_words(site.folder)))
    ports = re.findall(r"://[^ ,]*:(\d+)", text)
    plain, puppetdb = f"http://{SERVER}:{ports[0]}", f"https://{SERVER}:{ports[1]}"
    text = running.enter_context(server(site, "the server", server_words(site.folder, puppetdb)))
    ports = re.findall(r"https://[^ ,]*:(\d+)", text)
    return Addresses(f"https://{SERVER}:{ports[0]}", puppetdb, plain)


def puppetdb_words(folder: str) -> list[str]:
    """Return the command of PuppetDB."""
    own, ca = certificate_paths(folder)
    return [
        *("puppetdb", "--database", os.path.join(folder, "puppetdb.sqlite")),
        *("--listen", "127.0.0.1:0", "--ssl-listen", "127.0.0.1:0"),
        *("--ssl-cert", own["cert"], "--ssl-key", own["key"], "--ssl-ca-cert", ca),
    ]


def server_words(folder: str, puppetdb: str) -> list[str]:
    """Return the command of the server."""
    return [
        *("server", "--confdir", os.path.join(folder, "etc"), "--listen", "127.0.0.1:0"),
        *("--autosign", "true", "--puppetdb", puppetdb, "--workers", "1"),
        *("--auth-conf", os.path.join(folder, "auth.conf")),
    ]


def certificate_paths(folder: str) -> tuple[dict[str, str], str]:
    """Return the server's certificate and key, and the certificate of the authority."""
    ssl = os.path.join(folder, "ssl")
    own = {
        "cert": os.path.join(ssl, "certs", f"{SERVER}.pem"),
        "key": os.path.join(ssl, "private_keys", f"{SERVER}.pem"),
    }
    return own, os.path.join(ssl, "certs", "ca.pem")


@contextmanager
def server(site: Site, name: str, words: list[str]) -> Iterator[str]:
    """Run a server; yield the line in which it reports its addresses."""
    program = processes.start(
        [*BUNRAKU, *words, "--no-project"],
        environment=site.environment,
        stdin=subprocess.DEVNULL,
        buffered=True,
    )
    try:
        assert program.stdout is not None
        line = program.stdout.readline().decode("utf-8", "replace")
        if "://" not in line:
            raise UsageError(f"demo: {name} has not started (exit code {program.wait()})", COMMAND)
        yield line
        stop(program)
    finally:
        program.end()


def stop(program: processes.Program) -> None:
    """Let a server complete its requests and remove its temporary files."""
    if program.poll() is None:
        os.kill(program.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            program.wait(STOP_SECONDS)


def run_agent(site: Site, addresses: Addresses, node: str) -> tuple[list[str], str]:
    """Run an agent once; return the lines that it prints, and the outcome."""
    port = addresses.server.rpartition(":")[2]
    words = [
        *("agent", "--onetime", "--detailed-exitcodes", "--no-project", "--color", "never"),
        *("--certname", node, "--server", SERVER, "--serverport", port, "--keylength", "2048"),
        *node_options(site.folder, node),
    ]
    done = processes.run([*BUNRAKU, *words], environment=site.environment)
    lines = (done.stdout + done.stderr).decode("utf-8", "replace").splitlines()
    return lines, OUTCOMES.get(done.returncode, f"no catalog, exit code {done.returncode}")
