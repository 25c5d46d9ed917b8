"""Catalogs and files: ``bunraku server`` beside the real puppetserver, over mutual TLS.

    python benchmarks/server.py [--seconds 60] [--agents 50] [--only WORDS] [--write [--busy]]
        [--fleet 2000 --minutes 5]
        [--peer 127.0.0.1:8140 --peer-rig DIR --peer-pid JAVA --peer-warm 120]

Starts bunraku with an environment of two kinds of nodes (401 and 1,642 resources from Debian's modules),
enrols agents at its authority, and asks for their catalogs: by two connections as fast as they are
answered, then by ``--agents`` connections at once. ``--fleet`` simulates that many agents with a run
every thirty minutes: each run is a new connection with plugin synchronization, catalog and report.
``--peer`` names a puppetserver that runs already and signs the names of the agents by itself;
``--peer-rig`` is the directory with its ``puppet/ssl`` and its ``code/environments``, where the
environment ``bench`` is written. ``--peer-warm`` are the seconds of each load before it is measured:
the compiler of the JVM needs minutes. Its processor time and memory are read from ``/proc``. ``--write``
puts the tables into ``docs/performance.md``.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import measure
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from page import write_section
from processes import processor_seconds, proportional_memory, with_descendants

HERE = Path(__file__).parent
WORKLOADS = HERE / "workloads"
MODULES = "/usr/share/puppet/modules"
SIZES = {"small": 401, "big": 1642}
"""The kinds of nodes, with the resources of their catalogs."""
CONNECTIONS = 2
WARM_SECONDS = 10.0
INTERVAL = 1800.0
"""Seconds between two runs of an agent."""
PATIENCE = 300
FILE_BYTES = 64 * 1024 * 1024
SITE = """\
node /^small/ {
  include role::common
  class { 'role::web': vhosts => 2 }
}
node default {}
"""
PLUGINS = "/puppet/v3/file_metadatas/{mount}?environment=bench&links={links}&recurse={recurse}"
TYPES = "application/vnd.puppet.rich+json, application/json"


@dataclass
class Side:
    """A server: its address, its authority, and the processes that work for it."""

    name: str
    host: str
    port: int
    authority: Path
    process: int
    warm: float = WARM_SECONDS
    """Seconds of each load before it is measured."""
    start: float | None = None
    rates: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Catalogs a second, and seconds of processor time for each."""
    times: dict[str, list[float]] = field(default_factory=dict)
    """Milliseconds of requests, by the kind of load."""
    files: float = 0.0
    """Megabytes of files a second."""
    memory: int = 0
    """KiB."""
    fleet: tuple[int, int, float] | None = None
    """Runs, errors, processors in use."""

    def seconds(self) -> float:
        """Return the processor time of all processes."""
        return sum(map(processor_seconds, with_descendants(self.process)))

    def measure_memory(self) -> None:
        """Keep the largest memory seen."""
        used = sum(map(proportional_memory, with_descendants(self.process)))
        self.memory = max(self.memory, used)


@dataclass(frozen=True)
class Agent:
    """A node with its certificate at one side."""

    name: str
    side: Side
    context: ssl.SSLContext
    body: str

    def connect(self) -> http.client.HTTPSConnection:
        """Return a new connection."""
        side = self.side
        return http.client.HTTPSConnection(
            side.host, side.port, context=self.context, timeout=PATIENCE
        )

    def catalog(self, connection: http.client.HTTPSConnection) -> bytes:
        """Return the agent's catalog."""
        path = f"/puppet/v3/catalog/{self.name}?environment=bench"
        kind = "application/x-www-form-urlencoded"
        return ask(connection, "POST", path, self.body, kind, TYPES)

    def run(self) -> None:
        """Do what an agent does without changes: plugins, catalog, report."""
        connection = self.connect()
        try:
            for mount, links, recurse in (
                ("plugins", "manage", "false"),
                ("pluginfacts", "follow", "true"),
                ("plugins", "follow", "true"),
            ):
                path = PLUGINS.format(mount=mount, links=links, recurse=recurse)
                ask(connection, "GET", path)
            catalog = json.loads(self.catalog(connection))
            path = f"/puppet/v3/report/{self.name}?environment=bench"
            ask(connection, "PUT", path, json.dumps(report(catalog)), "application/json")
        finally:
            connection.close()


def ask(
    connection: http.client.HTTPSConnection,
    method: str,
    path: str,
    body: str | None = None,
    kind: str = "text/plain",
    accept: str = "application/json",
) -> bytes:
    """Return the body of a response; stop the program unless its status is 200."""
    connection.request(method, path, body, {"Accept": accept, "Content-Type": kind})
    response = connection.getresponse()
    content = response.read()
    if response.status != http.client.OK:
        raise SystemExit(f"{method} {path}: {response.status} {content[:300]!r}")
    return content


def report(catalog: dict[str, object]) -> dict[str, object]:
    """Return the report of a run that changed nothing."""
    now = datetime.now(UTC).isoformat()
    return {
        "host": catalog["name"],
        "time": now,
        "configuration_version": catalog["version"],
        "transaction_uuid": "11111111-2222-3333-4444-555555555555",
        "catalog_uuid": catalog.get("catalog_uuid"),
        "code_id": None,
        "job_id": None,
        "report_format": 12,
        "puppet_version": "7.23.0",
        "status": "unchanged",
        "transaction_completed": True,
        "noop": False,
        "noop_pending": False,
        "environment": "bench",
        "corrective_change": False,
        "cached_catalog_status": "not_used",
        "logs": [],
        "metrics": {},
        "resource_statuses": {},
    }


# -- agents ------------------------------------------------------------------------------------------


def enrolled(name: str, side: Side) -> Agent:
    """Return an agent with a certificate that the authority of a side has signed at once.

    Its key is on a curve, so many agents can be made; the key of the server is its own.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    request = x509.CertificateSigningRequestBuilder().subject_name(subject)
    text = request.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()
    context = ssl.create_default_context(cafile=str(side.authority))
    context.check_hostname = False
    connection = http.client.HTTPSConnection(side.host, side.port, context=context)
    ask(connection, "PUT", f"/puppet-ca/v1/certificate_request/{name}", text, accept="text/plain")
    certificate = ask(connection, "GET", f"/puppet-ca/v1/certificate/{name}", accept="text/plain")
    connection.close()
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    with tempfile.NamedTemporaryFile() as file:
        file.write(private + certificate)
        file.flush()
        context.load_cert_chain(file.name)
    return Agent(name, side, context, form(name))


def form(name: str, values: dict[str, object] | None = None) -> str:
    """Return the body of a request for a catalog, with the facts of the machine unless others are named."""
    if values is None:
        values = json.loads((HERE / "facts.json").read_text("utf-8"))
        values |= {"clientcert": name, "fqdn": name}
    facts = {"name": name, "values": values, "timestamp": "2026-01-10T00:00:00+00:00"}
    return urllib.parse.urlencode(
        {
            "facts_format": "application/json",
            "facts": urllib.parse.quote(json.dumps(facts)),
            "environment": "bench",
            "configured_environment": "bench",
            "transaction_uuid": "11111111-2222-3333-4444-555555555555",
            "static_catalog": "true",
            "checksum_type": "sha256.md5",
        }
    )


# -- loads -------------------------------------------------------------------------------------------


def together(works: list[Callable[[], None]]) -> None:
    """Do works in threads; stop the program if one fails."""
    failures: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except (SystemExit, OSError, http.client.HTTPException) as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise SystemExit(f"{len(failures)} connections failed: {failures[0]!r}")


def ask_catalogs(agents: list[Agent], seconds: float) -> list[float]:
    """Ask for catalogs by one connection for each agent; return the milliseconds of all requests."""
    end = time.monotonic() + seconds
    times: list[float] = []

    def loop(agent: Agent) -> None:
        connection = agent.connect()
        while time.monotonic() < end:
            begin = time.monotonic()
            agent.catalog(connection)
            times.append(1000 * (time.monotonic() - begin))
        connection.close()

    together([lambda agent=agent: loop(agent) for agent in agents])
    return times


def catalogs(side: Side, kind: str, agents: list[Agent], seconds: float, title: str) -> None:
    """Measure catalogs a second of one kind of node."""
    content = json.loads(agents[0].catalog(agents[0].connect()))
    found = len(content["resources"])
    if abs(found - SIZES[kind]) > SIZES[kind] // 20:
        raise SystemExit(f"{side.name}: {kind}: {found} resources instead of {SIZES[kind]}")
    ask_catalogs(agents, side.warm)
    before, begin = side.seconds(), time.monotonic()
    times = ask_catalogs(agents, seconds)
    wall, used = time.monotonic() - begin, side.seconds() - before
    side.rates[title] = len(times) / wall, used / len(times)
    side.times[title] = times
    side.measure_memory()
    print(f"{side.name}: {title}: {len(times) / wall:.2f}/s", flush=True)


def download(side: Side, agent: Agent) -> None:
    """Measure megabytes a second of a large file."""
    connection = agent.connect()
    path = "/puppet/v3/file_content/modules/bench/large?environment=bench"
    begin = time.monotonic()
    size = sum(
        len(ask(connection, "GET", path, accept="application/octet-stream")) for _ in range(3)
    )
    side.files = size / 1e6 / (time.monotonic() - begin)
    side.measure_memory()
    connection.close()


def simulate(side: Side, agents: list[Agent], count: int, seconds: float) -> None:
    """Let ``count`` agents run at their interval for some time, at random moments of a fixed seed."""
    chance = random.Random(1)
    starts = sorted(chance.uniform(0, INTERVAL) for _ in range(count))
    due = [start for start in starts if start < seconds]
    times: list[float] = []
    errors: list[str] = []
    lock = threading.Lock()
    begin, before = time.monotonic(), side.seconds()

    def work() -> None:
        while True:
            with lock:
                if not due:
                    return
                start = due.pop(0)
                agent = agents[len(due) % len(agents)]
            time.sleep(max(0.0, begin + start - time.monotonic()))
            started = time.monotonic()
            try:
                agent.run()
            except (SystemExit, OSError, http.client.HTTPException) as error:
                errors.append(repr(error))
            times.append(1000 * (time.monotonic() - started))

    together([work] * 20)
    wall, used = time.monotonic() - begin, side.seconds() - before
    side.times["fleet"] = times
    side.fleet = len(times), len(errors), used / wall
    side.measure_memory()
    print(f"{side.name}: {len(times)} runs, {len(errors)} errors {errors[:1]}", flush=True)


def work(side: Side, options: argparse.Namespace) -> None:
    """Do all that is chosen."""
    for kind, size in SIZES.items():
        name = f"{size:,} resources"
        few = [enrolled(f"{kind}{n:03}.auto.example.test", side) for n in range(CONNECTIONS)]
        many = [enrolled(f"{kind}-m{n:03}.auto.example.test", side) for n in range(options.agents)]
        if options.only in name:
            catalogs(side, kind, few, options.seconds, name)
            title = f"{name}, {options.agents} agents at once"
            catalogs(side, kind, many, options.seconds, title)
        if kind == "small" and options.only in "files":
            download(side, few[0])
        if kind == "small" and options.fleet and options.only in "fleet":
            simulate(side, many, options.fleet, options.minutes * 60)


# -- sides -------------------------------------------------------------------------------------------


def make_environment(environments: Path) -> None:
    """Write the environment ``bench``."""
    folder = environments / "bench"
    manifests, files = folder / "manifests", folder / "modules/bench/files"
    manifests.mkdir(parents=True, exist_ok=True)
    files.mkdir(parents=True, exist_ok=True)
    (folder / "environment.conf").write_text(f"modulepath = modules:{MODULES}\n")
    roles = (WORKLOADS / "roles.pp").read_text("utf-8").partition("\nnode default")[0]
    (manifests / "roles.pp").write_text(roles + "\n")
    big = (WORKLOADS / "openstack.pp").read_text("utf-8").replace("node default", "node /^big/")
    (manifests / "big.pp").write_text(big)
    (manifests / "site.pp").write_text(SITE)
    (files / "large").write_bytes(os.urandom(FILE_BYTES))


@contextmanager
def started(
    folder: Path, port: int, options: Sequence[str] = ()
) -> Iterator[subprocess.Popen[str]]:
    """Run our server until the end of the block; its log is ``server.log`` in the folder."""
    log = (folder / "server.log").open("ab")
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "bunraku", "server", "--listen", f"127.0.0.1:{port}"),
            *("--confdir", str(folder / "etc"), "--vardir", str(folder / "var")),
            *("--ssldir", str(folder / "ssl"), "--cadir", str(folder / "ca")),
            *("--certname", "puppet.example.test", "--autosign", "true", "--set", "strict=warning"),
            *("--set", "strict_variables=false"),
            *("--environmentpath", str(folder / "environments"), "--basemodulepath", MODULES),
            *options,
        ],
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
    try:
        yield server
    except BaseException:
        print((folder / "server.log").read_text()[-2000:], file=sys.stderr)
        raise
    finally:
        server.terminate()
        server.wait(60)
        log.close()


def ready(server: subprocess.Popen[str]) -> int:
    """Wait for the line that says where the server answers; return its port."""
    assert server.stdout
    for line in server.stdout:
        for word in line.split():
            if word.startswith("https://"):
                return urllib.parse.urlsplit(word.rstrip(".,")).port or 0
    raise SystemExit("the server did not start")


@contextmanager
def bunraku(folder: Path) -> Iterator[Side]:
    """Run our server; the time of its second start is measured, until its first catalog."""
    authority = folder / "ca/ca_crt.pem"
    with started(folder, 0) as server:
        port = ready(server)
        side = Side("bunraku", "127.0.0.1", port, authority, server.pid)
        agent = enrolled("small-first.auto.example.test", side)
    begin = time.monotonic()
    with started(folder, port) as server:
        ready(server)
        side.process = server.pid
        agent.catalog(agent.connect())
        side.start = time.monotonic() - begin
        side.measure_memory()
        yield side


def processes_of(side: Side | None) -> list[int]:
    """Return the processes of a server that was started elsewhere."""
    return with_descendants(side.process) if side else []


def peer(options: argparse.Namespace) -> Side:
    """Return the real server."""
    host, _, port = options.peer.partition(":")
    authority = Path(options.peer_rig) / "puppet/ssl/certs/ca.pem"
    make_environment(Path(options.peer_rig) / "code/environments")
    return Side("puppetserver", host, int(port), authority, options.peer_pid, options.peer_warm)


# -- tables ------------------------------------------------------------------------------------------


def percentiles(times: list[float]) -> str:
    """Return the 50th, 95th and 99th percentile in milliseconds."""
    if len(times) < 2:
        return ""
    found = statistics.quantiles(times, n=100, method="inclusive")
    return " / ".join(f"{found[number - 1]:.0f}" for number in (50, 95, 99))


def table(sides: list[Side], options: argparse.Namespace) -> str:
    """Return the section of the page."""
    ours, theirs = sides[0], sides[1] if len(sides) > 1 else None
    lines = [
        "## Server\n\n",
        f"Made by `benchmarks/server.py` on {datetime.now(UTC).date()}: one after the other on a ",
        f"machine with {os.cpu_count()} cores, load {os.getloadavg()[2]:.0f}, over mutual TLS with ",
        f"connections kept open; {CONNECTIONS} agents where nothing else is said. The program that ",
        "asks runs on the same machine. Times are milliseconds: p50 / p95 / p99.\n\n",
        (
            "| catalogs | bunraku, a second | puppetserver | ratio | CPU for each | puppetserver | times | "
            "puppetserver |\n"
        ),
        "|---|--:|--:|--:|--:|--:|--:|--:|\n",
    ]
    for title, (rate, cost) in ours.rates.items():
        other = theirs.rates.get(title) if theirs else None
        lines.append(
            f"| {title} | {rate:.2f} | {f'{other[0]:.2f}' if other else ''} "
            f"| {f'{rate / other[0]:.1f}×' if other else ''} | {cost:.3f} s "
            f"| {f'{other[1]:.3f} s' if other else ''} | {percentiles(ours.times[title])} "
            f"| {percentiles(theirs.times[title]) if theirs and other else ''} |\n"
        )
    for side in sides:
        text = f"\n{side.name}: memory at most {side.memory / 1024:.0f} MB"
        if side.start is not None:
            text += f"; {side.start:.2f} s from the start to the first catalog"
        if side.files:
            text += f"; a file of {FILE_BYTES // 2**20} MiB at {side.files:.0f} MB/s"
        if side.fleet:
            runs, errors, processors = side.fleet
            text += (
                f"; {options.fleet:,} simulated agents for {options.minutes:g} minutes: {runs} runs, "
                f"{errors} errors, {percentiles(side.times['fleet'])} ms for a run, "
                f"{processors:.2f} processors in use"
            )
        lines.append(f"{text}.\n")
    return "".join(lines)


def parse_with_peer(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Return the options of a benchmark that may have a puppetserver beside it."""
    parser.add_argument("--peer", metavar="HOST:PORT")
    parser.add_argument("--peer-rig", metavar="DIR")
    parser.add_argument("--peer-pid", type=int, default=0, metavar="PID")
    parser.add_argument("--peer-warm", type=float, default=120, metavar="SECONDS")
    measure.add_options(parser)
    options = parser.parse_args()
    if options.peer and not options.peer_rig:
        raise SystemExit("--peer requires --peer-rig")
    return options


def main() -> None:
    """Measure, and write the section of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--agents", type=int, default=50)
    parser.add_argument("--fleet", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--only", default="", metavar="WORDS")
    options = parse_with_peer(parser)
    if not Path(MODULES, "nova").is_dir():
        raise SystemExit(f"the modules of the workloads are missing below {MODULES}")
    with tempfile.TemporaryDirectory(prefix="bunraku-bench-") as name:
        make_environment(Path(name) / "environments")
        theirs = peer(options) if options.peer else None
        with measure.watched(options, partial(processes_of, theirs)) as watch:
            with bunraku(Path(name)) as side:
                sides = [side]
                work(side, options)
            if theirs:
                sides.append(theirs)
                work(theirs, options)
    section = table(sides, options)
    print(section)
    if measure.may_write(options, watch):
        write_section("server", section)


if __name__ == "__main__":
    main()
