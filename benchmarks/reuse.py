"""Unchanged catalogs: ``bunraku server`` with and without stored answers, over mutual TLS.

    python benchmarks/reuse.py [--seconds 20] [--at-once 50] [--nodes 200] [--only 401]
        [--modes reused compiled] [--fronts 1] [--write [--busy]]
        [--peer 127.0.0.1:8140 --peer-rig DIR --peer-pid JAVA --peer-warm 120]

Each agent has a connection with its own certificate. Agents ask in turn, some at once: the next one as soon
as one has its catalog; then at random moments of a rate, to see how long an agent waits; then in rounds, before
each of which a file is edited that the catalogs of two percent of them read. There are more agents than ask at
once, because the server stores only the newest facts and catalog of a node. The facts of an agent differ in
uptime, memory, load and disk from request to request, as those of real runs do: the bodies of the requests are
made before. One program with one thread is all agents, and reads each response to its end; it checks status and
length, and now and then the whole catalog. Its processor time is measured, too, because it shares the cores with
the server. The rate of our server counts the time until all facts and catalogs are in its PuppetDB.

``--peer`` names a puppetserver that runs already and signs the names of the agents by itself; ``--peer-rig`` is the
directory with its ``puppet/ssl`` and its ``code/environments``, where the environment ``bench`` is written. It is
measured first: the random moments then have a hundred times its rate.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import ssl
import statistics
import tempfile
import time
import urllib.parse
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY, create_connection

import measure
from page import write_section
from processes import processor_seconds, with_descendants, with_socket

import server

VARIANTS = 16
"""Sets of facts of an agent, which follow each other."""
CHECKED = 50
"""Every so many responses of an agent are read as JSON."""
BUFFER = 1 << 18
LAST_CHUNK = b"\r\n0\r\n\r\n"
SECONDS = 20.0
REST = 0.5
"""Seconds after which the server removes an empty queue."""
SIZES = {"small": 401, "big": 1642}
RATES = {"small": 125.0, "big": 48.0}
"""Catalogs a second without ``--peer``: a hundred times those of puppetserver 7.9 (1.25 and 0.48) on two cores."""
TIMES = 100
EDITED = "bench/modules/bench/files/motd"
"""The file that the catalogs of two of a hundred nodes read, below the directory of environments."""
MODES = {"reused": [], "compiled": ["--no-reuse-catalogs"]}


# -- agents ------------------------------------------------------------------------------------------


def changed_facts(name: str, chance: random.Random) -> dict[str, object]:
    """Return facts of an agent as they are at some moment."""
    values = json.loads((server.HERE / "facts.json").read_text("utf-8"))
    values |= {"clientcert": name, "fqdn": name}
    seconds, used = chance.randrange(10_000_000), chance.randrange(1 << 30)
    values["system_uptime"] = {
        "days": seconds // 86400,
        "hours": seconds // 3600,
        "seconds": seconds,
        "uptime": f"{seconds // 86400} days",
    }
    values["uptime_seconds"] = seconds
    values["load_averages"] = {key: chance.randrange(900) / 100 for key in ("1m", "5m", "15m")}
    memory = values["memory"]["system"]
    memory["used_bytes"] = used
    memory["available_bytes"] = memory["total_bytes"] - used
    values["memoryfree_mb"] = memory["available_bytes"] / (1 << 20)
    disk = values["mountpoints"]["/"]
    disk["available_bytes"] = chance.randrange(disk["size_bytes"])
    return values


def requests(name: str, path: str) -> list[bytes]:
    """Return the requests that an agent sends in turn."""
    chance = random.Random(name)
    return [request(name, path, changed_facts(name, chance)) for _ in range(VARIANTS)]


def request(name: str, path: str, values: dict[str, object]) -> bytes:
    """Return a request for a catalog."""
    facts = {"name": name, "values": values, "timestamp": "2026-01-10T00:00:00+00:00"}
    body = urllib.parse.urlencode(
        {
            "facts_format": "application/json",
            "facts": urllib.parse.quote(json.dumps(facts)),
            "environment": "bench",
            "configured_environment": "bench",
            "transaction_uuid": "11111111-2222-3333-4444-555555555555",
            "static_catalog": "true",
            "checksum_type": "sha256.md5",
        }
    ).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: puppet\r\nAccept: {server.TYPES}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nX-Puppet-Version: 7.23.0\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Connected:
    """An agent with an open connection: it sends a request, and reads the response as it arrives."""

    def __init__(self, agent: server.Agent) -> None:
        self.agent = agent
        self.name = agent.name
        self.requests = requests(agent.name, f"/puppet/v3/catalog/{agent.name}?environment=bench")
        self.sent = 0
        self.begun = 0.0
        self.head = b""
        self.missing = 0
        self.checked: list[bytes] | None = None
        self.waits = False

    @cached_property
    def socket(self) -> ssl.SSLSocket:
        """The connection, which is opened for the first request."""
        plain = create_connection((self.agent.side.host, self.agent.side.port))
        plain.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        found = self.agent.context.wrap_socket(plain)
        found.setblocking(False)
        return found

    def send(self) -> None:
        """Send the next request; it fits into the buffers of the system."""
        self.head, self.missing, self.begun = b"", -1, time.monotonic()
        self.checked = [] if self.sent % CHECKED == 0 else None
        content = self.requests[self.sent % VARIANTS]
        self.sent += 1
        self.waits = True
        while True:
            try:
                self.socket.sendall(content)
                return
            except (ssl.SSLWantWriteError, ssl.SSLWantReadError):
                select.select([], [self.socket], [])

    def receive(self, buffer: memoryview) -> int | None:
        """Read what has arrived; return the size of the response when it is complete."""
        while True:
            try:
                size = self.socket.recv_into(buffer)
            except ssl.SSLWantReadError:
                return None
            if (
                not size and not self.waits
            ):  # it was idle for too long; the next request opens another
                self.socket.close()
                del self.socket
                return None
            if not size:
                raise SystemExit(f"{self.name}: the server closed the connection")
            found = self.add(buffer[:size])
            if found is not None:
                return found

    def add(self, piece: memoryview) -> int | None:
        """Take a piece of the response; return the size of the body at its end."""
        if self.missing < 0:
            self.head += piece
            end = self.head.find(b"\r\n\r\n")
            if end < 0:
                return None
            self.size = self.length(self.head[:end])
            self.taken, self.tail, self.missing = 0, b"", 0
            self.take(self.head[end + 4 :])
        else:
            self.take(bytes(piece))
        if not self.is_complete():
            return None
        self.waits = False
        if self.checked is not None:
            content = b"".join(self.checked)
            self.check(content if self.size else unchunked(content))
        return self.size or self.taken

    def take(self, content: bytes) -> None:
        """Take a piece of the body."""
        self.taken += len(content)
        self.tail = (self.tail + content)[-len(LAST_CHUNK) :]
        if self.checked is not None:
            self.checked.append(content)

    def is_complete(self) -> bool:
        """Return whether the whole body has arrived; JSON has no line ends that look like the last chunk."""
        return self.taken == self.size if self.size else self.tail == LAST_CHUNK

    def length(self, head: bytes) -> int:
        """Return the length of the body, 0 if it comes in chunks; stop the program unless the status is 200."""
        if not head.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(f"{self.name}: {head!r}")
        lines = [line.partition(b":") for line in head.lower().split(b"\r\n")]
        return next((int(value) for name, _, value in lines if name == b"content-length"), 0)

    def check(self, content: bytes) -> None:
        """Stop the program unless a body is a catalog of the agent."""
        catalog = json.loads(content)
        if catalog["name"] != self.name:
            raise SystemExit(f"{self.name} got the catalog of {catalog['name']}")
        self.resources = len(catalog["resources"])


def unchunked(content: bytes) -> bytes:
    """Return the body in chunks (RFC 9112, section 7.1).

    >>> unchunked(b"3\\r\\nabc\\r\\n1\\r\\nd\\r\\n0\\r\\n\\r\\n")
    b'abcd'
    """
    pieces, at = [], 0
    while True:
        end = content.index(b"\r\n", at)
        length = int(content[at:end], 16)
        if not length:
            return b"".join(pieces)
        pieces.append(content[end + 2 : end + 2 + length])
        at = end + 4 + length


class Load:
    """Agents that ask in turn: ``at_once`` of them at the same time, or at random moments of a mean rate."""

    def __init__(self, agents: list[Connected]) -> None:
        self.idle = deque(agents)
        self.poll = select.epoll()
        self.by_number: dict[int, Connected] = {}
        self.buffer = memoryview(bytearray(BUFFER))
        self.active = 0
        self.times: list[float] = []
        self.sizes: Counter[int] = Counter()

    def send(self, due: float | None = None) -> None:
        """Let the agent that waits the longest ask; its time runs from the moment at which it was due."""
        agent = self.idle.popleft()
        agent.send()
        agent.begun = agent.begun if due is None else due
        number = agent.socket.fileno()
        self.by_number[number] = agent
        with suppress(FileExistsError):
            self.poll.register(number, select.EPOLLIN)
        self.active += 1

    def receive(self, seconds: float | None = None) -> Iterator[Connected]:
        """Yield the agents that have got their catalogs, after waiting for data."""
        for number, _ in self.poll.poll(seconds):
            agent = self.by_number[number]
            size = agent.receive(self.buffer)
            if size is not None:
                self.times.append(1000 * (time.monotonic() - agent.begun))
                self.sizes[size] += 1
                self.active -= 1
                yield agent

    def each_once(self, at_once: int) -> None:
        """Let each agent ask once."""
        done: list[Connected] = []
        while self.idle or self.active:
            while self.idle and self.active < at_once:
                self.send()
            done += self.receive()
        self.idle.extend(done)

    def rounds(self, edit: Callable[[], None], at_once: int, seconds: float) -> None:
        """Let each agent ask once after each edit, until the time is over."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            edit()
            self.each_once(at_once)

    def closed(self, at_once: int, seconds: float) -> None:
        """Let some agents ask at the same time: the next one as soon as one has its catalog."""
        end = time.monotonic() + seconds
        while self.active or time.monotonic() < end:
            while time.monotonic() < end and self.active < at_once:
                self.send()
            self.idle.extend(self.receive())

    def at_rate(self, rate: float, seconds: float) -> None:
        """Let agents ask at random moments, whether or not others have their catalogs.

        A request that is due when all agents wait is sent later; its time runs from the moment at which it was due.
        """
        chance = random.Random(1)
        now = due = time.monotonic()
        end = now + seconds
        while self.active or due < end:
            now = time.monotonic()
            while self.idle and due < end and due <= now:
                self.send(due)
                due += chance.expovariate(rate)
            waits = self.idle and due < end
            self.idle.extend(self.receive(max(0.0, due - now) if waits else None))


# -- figures -----------------------------------------------------------------------------------------


@dataclass
class Figures:
    """What one load of one server has shown; processor times are milliseconds of a catalog."""

    title: str
    catalogs: int
    wall: float
    rest: float
    times: list[float]
    size: int
    resources: int
    processor: dict[str, float] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Catalogs a second, with the time until the last one was in the database."""
        return self.catalogs / (self.wall + self.rest)

    def percentile(self, number: int) -> float:
        """Return a percentile of the times in milliseconds."""
        return statistics.quantiles(self.times, n=100, method="inclusive")[number - 1]

    def line(self) -> str:
        """Return the figures as a line."""
        parts = ", ".join(f"{name} {value:.2f}" for name, value in self.processor.items())
        return (
            f"{self.title}: {self.resources} resources, {self.size} bytes: {self.rate:.1f}/s, "
            f"{self.rest:.2f} s for the rest of the queue, "
            f"p50 {self.percentile(50):.0f}, p95 {self.percentile(95):.0f}, "
            f"p99 {self.percentile(99):.0f} ms; ms of processor time: {parts}"
        )

    def row(self) -> str:
        """Return the figures as a row of the table."""
        times = " / ".join(f"{self.percentile(number):.0f}" for number in (50, 95, 99))
        used = " | ".join(f"{value:.1f}" for value in self.processor.values())
        return f"| {self.title} | {self.rate:.1f} | {times} | {used} |\n"


def processor_times(side: server.Side) -> dict[str, float]:
    """Return the processor time of the parts of a server, and of this program."""
    own, *others = with_descendants(side.process)
    fronts = with_socket(side.port, others)
    return {
        "front": sum(map(processor_seconds, [own, *fronts])),
        "compile": sum(processor_seconds(one) for one in others if one not in fronts),
        "generator": time.process_time(),
    }


def measured(
    side: server.Side,
    title: str,
    connected: list[Connected],
    ask: Callable[[Load], None],
) -> Figures:
    """Return the figures of a load: until all that was sent is in the database."""
    before, begin = processor_times(side), time.monotonic()
    load = Load(connected)
    ask(load)
    wall = time.monotonic() - begin
    return figures_of(title, load, connected[0], (wall, drained(side)), before, side)


def figures_of(
    title: str,
    load: Load,
    agent: Connected,
    seconds: tuple[float, float],
    before: dict[str, float],
    side: server.Side,
) -> Figures:
    """Return the figures of a load that is over."""
    after, count = processor_times(side), len(load.times)
    used = {name: 1000 * (value - before[name]) / count for name, value in after.items()}
    size, _ = load.sizes.most_common(1)[0]
    return Figures(title, count, *seconds, load.times, size, agent.resources, used)


def drained(side: server.Side) -> float:
    """Wait until the queue of the server's PuppetDB is empty; return the seconds that it took."""
    begin = time.monotonic()
    queue = side.authority.parent.parent / "var/bunraku/puppetdb.sqlite.queue"
    while queue.is_dir() and any(queue.iterdir()):
        time.sleep(0.02)
    return max(0.0, time.monotonic() - begin - REST)


# -- the site ----------------------------------------------------------------------------------------

SITE = """\
class base($count) {{
  $environment_note = "node ${{trusted['certname']}} runs ${{facts['os']['family']}}"
  Integer[1, $count].each |$number| {{
    file {{ "/etc/service.d/${{number}}.conf":
      ensure  => file, owner => 'root', group => 'root', mode => '0644',
      content => epp('bench/service.epp', {{ 'number' => $number, 'note' => $environment_note }}),
      tag     => ['service', "number${{number}}"],
    }}
    if $number % 4 == 0 {{
      service {{ "service-${{number}}":
        ensure => running, enable => true, subscribe => File["/etc/service.d/${{number}}.conf"],
      }}
    }}
  }}
  package {{ 'bench': ensure => installed }}
  $motd = $trusted['certname'] ? {{ /[05]0[.]/ => file('bench/motd'), default => '' }}
  file {{ '/etc/motd': content => $motd }}
}}
node /^small/ {{ class {{ 'base': count => {small} }} }}
node default {{ class {{ 'base': count => {big} }} }}
"""
TEMPLATE = """\
<%- | Integer $number, String $note | -%>
# <%= $note %>
[service]
name = "service-<%= $number %>"
listen = 127.0.0.1:<%= 8000 + $number %>
workers = <%= $number % 8 + 1 %>
log = /var/log/service-<%= $number %>.log
"""


def make_environment(environments: Path) -> None:
    """Write the environment ``bench``: nodes of the two sizes whose catalogs can be reused."""
    folder = environments / "bench"
    for name in ("manifests", "modules/bench/templates", "modules/bench/files"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    counts = {name: round((size - 6) * 0.8) for name, size in SIZES.items()}
    (folder / "manifests/site.pp").write_text(SITE.format(**counts))
    (folder / "modules/bench/templates/service.epp").write_text(TEMPLATE)
    edit(environments)
    (folder / "environment.conf").write_text("modulepath = modules\n")


def edit(environments: Path) -> None:
    """Edit the file that some catalogs read."""
    (environments / EDITED).write_text(f"edited at {time.time_ns()}\n")


@contextmanager
def bunraku(folder: Path, options: list[str]) -> Iterator[server.Side]:
    """Run our server."""
    authority = folder / "ca/ca_crt.pem"
    with server.started(folder, 0, options) as process:
        port = server.ready(process)
        yield server.Side("bunraku", "127.0.0.1", port, authority, process.pid)


def work(
    side: server.Side,
    mode: str,
    environments: Path,
    rates: dict[str, float],
    options: argparse.Namespace,
) -> Iterator[Figures]:
    """Yield the figures of each size."""
    at_once, seconds = options.at_once, options.seconds
    for kind, size in SIZES.items():
        if options.only not in str(size):
            continue
        names = [f"{kind}-{mode}{n:03}.auto.example.test" for n in range(options.nodes)]
        agents = [Connected(server.enrolled(name, side)) for name in names]
        for _ in range(options.first):
            Load(agents).each_once(at_once)
        drained(side)
        loads = {f"{at_once} agents at once": lambda load: load.closed(at_once, seconds)}
        if mode == "reused":
            rate = rates[kind]
            loads |= {
                f"{rate:.3g} a second": partial(Load.at_rate, rate=rate, seconds=seconds),
                f"{at_once} agents at once, 2 % edited": lambda load: load.rounds(
                    partial(edit, environments), at_once, seconds
                ),
            }
        for load, ask in loads.items():
            found = measured(side, f"{mode}, {size:,} resources, {load}", agents, ask)
            print(found.line(), flush=True)
            yield found
        for one in agents:
            one.socket.close()


def peer(options: argparse.Namespace) -> server.Side:
    """Return the real server."""
    host, _, port = options.peer.partition(":")
    rig = Path(options.peer_rig)
    make_environment(rig / "code/environments")
    authority = rig / "puppet/ssl/certs/ca.pem"
    return server.Side("puppetserver", host, int(port), authority, options.peer_pid)


def ask_peer(side: server.Side, options: argparse.Namespace) -> Iterator[tuple[str, Figures]]:
    """Yield sizes and the figures of the real server, whose compiler needs minutes of the same load before."""
    for kind, size in SIZES.items():
        if options.only not in str(size):
            continue
        run = f"{kind}-peer{os.getpid()}"  # the authority signs a name once
        names = [f"{run}-{n:03}.auto.example.test" for n in range(options.at_once)]
        agents = [Connected(server.enrolled(name, side)) for name in names]
        Load(agents).closed(2, options.peer_warm)
        title = f"puppetserver, {size:,} resources, 2 agents at once"
        begin, before = time.monotonic(), processor_times(side)
        load = Load(agents)
        load.closed(2, options.seconds)
        wall = time.monotonic() - begin
        found = figures_of(title, load, agents[0], (wall, 0.0), before, side)
        print(found.line(), flush=True)
        yield kind, found


def table(figures: list[Figures], share: float) -> str:
    """Return the section of the page."""
    lines = [
        "## Unchanged catalogs\n\n",
        f"Made by `benchmarks/reuse.py` on {datetime.now(UTC).date()}, {os.cpu_count()} cores; other programs ",
        f"used {share:.2f} processors meanwhile. Milliseconds: times of a request (p50 / p95 / p99), and ",
        "processor time for each catalog in the process that accepts connections, in the compile ",
        "processes, and in the program that asks.\n\n",
        "| catalogs | a second | times | front | compile | asks |\n|---|--:|--:|--:|--:|--:|\n",
    ]
    return "".join([*lines, *(one.row() for one in figures)])


def main() -> None:
    """Measure, and write the section of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--at-once", type=int, default=50, metavar="AGENTS")
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--first", type=int, default=2, metavar="REQUESTS")
    parser.add_argument("--only", default="", metavar="RESOURCES")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=list(MODES))
    parser.add_argument("--fronts", type=int, default=1, metavar="PROCESSES")
    options = server.parse_with_peer(parser)
    figures: list[Figures] = []
    rates = dict(RATES)
    theirs = peer(options) if options.peer else None
    with tempfile.TemporaryDirectory(prefix="bunraku-bench-") as name:
        os.environ["XDG_CACHE_HOME"] = f"{name}/cache"
        environments = Path(name) / "environments"
        make_environment(environments)
        with measure.watched(options, partial(server.processes_of, theirs)) as watch:
            for kind, found in ask_peer(theirs, options) if theirs else ():
                rates[kind] = TIMES * found.rate
                figures.append(found)
            for mode in options.modes:
                words = [*MODES[mode], "--fronts", str(options.fronts)]
                with bunraku(Path(name), words) as side:
                    figures += work(side, mode, environments, rates, options)
            section = table(figures, watch.share())
    print(section)
    if measure.may_write(options, watch):
        write_section("reuse", section)


if __name__ == "__main__":
    main()
