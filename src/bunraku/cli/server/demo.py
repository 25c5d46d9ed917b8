"""``bunraku server demo``: a whole site on this machine, in a temporary directory, until Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from time import sleep

from bunraku.base.records import record
from bunraku.base.usage import UsageError
from bunraku.ca.site import read_site
from bunraku.ca.starting import open_authority
from bunraku.cli import exits
from bunraku.cli.output.excerpt import visible
from bunraku.cli.output.output import write
from bunraku.cli.puppetdb.contents import PUPPETBOARD
from bunraku.cli.server.systemd import VARIABLES
from bunraku.cli.serving import server_function
from bunraku.demonstration.site_files import NODES, SERVER, node_options, write_demonstration
from bunraku.world import processes
from bunraku.world.scratch import scratch_directory

COMMAND = "server"
BUNRAKU = (sys.executable, "-m", "bunraku")
INTERVAL = 30
"""Seconds between two runs of the agents."""
STEP = 0.2
STOP_SECONDS = 20.0
"""The time that a server has for its stop."""
OUTCOMES: Mapping[int, str] = {0: "no changes", 2: "changes", 4: "failures", 6: "changes, failures"}
CURL = "curl --cacert ssl/certs/ca.pem --cert ssl/certs/localhost.pem --key ssl/private_keys/localhost.pem"
DESCRIPTION = """\

The server is {server}, PuppetDB is {puppetdb} and {plain}.
The agents change files below {folder}/roots only. They run every {interval} seconds:
edit environments/production/manifests/site.pp there, and watch.

Start here, since the paths of the certificates are relative:
  cd {folder}
Status and metrics of the server:
  curl --cacert ssl/certs/ca.pem {server}/status/v1/services
  {curl} {server}/metrics
Nodes, resources and metrics of PuppetDB:
  {curl} -G {puppetdb}/pdb/query/v4 --data-urlencode 'query=nodes[certname, latest_report_status] {{}}'
  {curl} -G {puppetdb}/pdb/query/v4 --data-urlencode 'query=resources[certname, title] {{ type = "File" }}'
  {curl} {puppetdb}/metrics
  bunraku query 'reports[certname, status] {{}}' --storedconfigs {plain}
Certificates of the authority:
  {curl} {server}/puppet-ca/v1/certificate_statuses/all
"""


@record(frozen=True)
class Addresses:
    """Where the servers of a demonstration answer; ``plain`` is PuppetDB without TLS."""

    server: str
    puppetdb: str
    plain: str


def demonstrate() -> int:
    """Run a site until a signal comes; leave nothing behind. UsageError if a server cannot start."""
    server_function(COMMAND)  # its packages are installed
    with scratch_directory() as folder, ExitStack() as running:
        write_demonstration(folder)
        write(f"A site is made in {folder}.\n")
        write("")
        make_authority(folder)
        addresses = start_servers(folder, running)
        with suppress(KeyboardInterrupt):
            write(description(folder, addresses))
            write(dashboard(addresses))
            write("Press Ctrl-C to stop and remove everything.\n\n")
            write("")
            run_agents(folder, addresses)
    return exits.OK


# -- servers -----------------------------------------------------------------------------------------


def make_authority(folder: str) -> None:
    """Make the authority and the certificate that both servers use."""
    given = {"confdir": os.path.join(folder, "etc")}
    open_authority(read_site(None, given, lambda: SERVER), lambda _text: None)


def start_servers(folder: str, running: ExitStack) -> Addresses:
    """Start PuppetDB and the server; they end when ``running`` is closed, the server first."""
    text = running.enter_context(server(folder, "PuppetDB", puppetdb_words(folder)))
    ports = re.findall(r"://[^ ,]*:(\d+)", text)
    plain, puppetdb = f"http://{SERVER}:{ports[0]}", f"https://{SERVER}:{ports[1]}"
    text = running.enter_context(server(folder, "the server", server_words(folder, puppetdb)))
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
def server(folder: str, name: str, words: list[str]) -> Iterator[str]:
    """Run a server; yield the line in which it reports its addresses."""
    program = processes.start(
        [*BUNRAKU, *words, "--no-project"],
        environment=environment(folder),
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


def environment(folder: str) -> dict[str, str]:
    """Return the environment of the programs: what they keep is below the folder."""
    kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    return {**kept, "TMPDIR": folder, "XDG_CACHE_HOME": os.path.join(folder, "cache")}


# -- agents ------------------------------------------------------------------------------------------


def run_agents(folder: str, addresses: Addresses) -> None:
    """Run the agents one after the other, again and again, until a signal comes."""
    while True:
        for node in NODES:
            run_agent(folder, addresses, node)
        for _ in range(int(INTERVAL / STEP)):
            sleep(STEP)


def run_agent(folder: str, addresses: Addresses, node: str) -> None:
    """Run an agent once and print its messages."""
    port = addresses.server.rpartition(":")[2]
    words = [
        *("agent", "--onetime", "--detailed-exitcodes", "--no-project", "--color", "never"),
        *("--certname", node, "--server", SERVER, "--serverport", port, "--keylength", "2048"),
        *node_options(folder, node),
    ]
    done = processes.run([*BUNRAKU, *words], environment=environment(folder))
    for line in (done.stdout + done.stderr).decode("utf-8", "replace").splitlines():
        write(f"{node}: {visible(line)}\n")
    outcome = OUTCOMES.get(done.returncode, f"no catalog, exit code {done.returncode}")
    write(f"{node}: the run is complete: {outcome}\n")
    write("")


# -- what it prints ----------------------------------------------------------------------------------


def description(folder: str, addresses: Addresses) -> str:
    """Return where to look."""
    return DESCRIPTION.format(
        server=addresses.server,
        puppetdb=addresses.puppetdb,
        plain=addresses.plain,
        folder=folder,
        interval=INTERVAL,
        curl=CURL,
    )


def dashboard(addresses: Addresses) -> str:
    """Return how to start a dashboard on the PuppetDB, as ``bunraku puppetdb demo`` does."""
    host, _, port = addresses.plain.removeprefix("http://").rpartition(":")
    return PUPPETBOARD.format(host=host, port=port)
