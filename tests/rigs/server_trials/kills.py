"""Kill the front process and the compile processes of a server under load, and look for losses."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import random
import re
import signal
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from cryptography import x509

from bunraku.ca.directory import names_in
from bunraku.ca.inventory import entries
from bunraku.puppetdb.commands.queue import Queue
from bunraku.puppetdb.commands.worker import Worker
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.web.http import Request
from rigs.server_trials.served_site import (
    ALL_NODES,
    LARGE,
    ServedSite,
    asked,
    backup_request,
    catalog_request,
    large_request,
    one_key,
    report_request,
    shown_body,
    signing_target,
)
from support.certificates import signing_request
from support.marked_processes import parent_of
from support.server_process import ServerProcess

ENDED = b"The process that compiled the catalog ended unexpectedly"
MESSAGES = re.compile("Traceback|internal error|Exception|never retrieved")
"""What a server reports after an error that it did not expect."""
RECOVERY_SECONDS = 60


class Load:
    """Agents at work, and what the server has acknowledged to them."""

    def __init__(self, site: ServedSite, seed: int) -> None:
        self.site = site
        self.chance = random.Random(seed)
        self.server: ServerProcess | None = None
        self.starts = 0
        self.stopping = False
        self.counts: Counter[str] = Counter()
        self.faults: list[tuple] = []
        self.lock = threading.Lock()
        self.stamp = 0
        self.facts: dict[str, int] = {}
        self.reports: set[int] = set()
        self.sent_reports: set[int] = set()
        self.backups: set[str] = set()
        self.certificates: dict[str, bytes] = {}
        self.compile_kills = 0
        self.threads = [
            threading.Thread(target=self.live, args=(node, seed * 100 + number))
            for number, node in enumerate(site.nodes)
        ]

    def start(self) -> None:
        """Start the server, and the agents at the first time."""
        self.server = self.site.start()
        self.starts += 1
        if self.starts == 1:
            for thread in self.threads:
                thread.start()

    def stop(self) -> None:
        """Let the agents end."""
        self.stopping = True
        for thread in self.threads:
            if thread.is_alive():
                thread.join()

    def live(self, node: str, seed: int) -> None:
        """Do what agents do, over one connection until that breaks."""
        chance = random.Random(seed)
        while not self.stopping:
            server, start = self.server, self.starts
            if server is None:
                time.sleep(0.01)
                continue
            try:
                with closing(self.site.client(server, node)) as connection:
                    for _ in range(chance.randrange(1, 20)):
                        if self.stopping:
                            break
                        self.act(connection, node, chance)
            except (OSError, http.client.HTTPException) as error:
                if self.server is server and self.starts == start:
                    self.faults.append(("connection lost without a kill", node, repr(error)))
            except Exception as error:  # a fault of the trial is one of the run
                self.faults.append(("error", node, repr(error)))
                return

    def act(
        self, connection: http.client.HTTPSConnection, node: str, chance: random.Random
    ) -> None:
        """Send a request, and note what is acknowledged."""
        with self.lock:
            self.stamp += 1
            stamp = self.stamp
        kind = chance.choice(["catalog", "catalog", "report", "backup", "content", "request"])
        self.counts["requests"] += 1
        getattr(self, kind)(connection, node, stamp)

    def catalog(self, connection: http.client.HTTPSConnection, node: str, stamp: int) -> None:
        """Get a catalog: the facts and the catalog are stored."""
        status, body = asked(connection, *catalog_request(self.site, node, stamp))
        if status == 500 and ENDED in body:
            self.counts["catalogs that failed with their process"] += 1
            return
        if self.expect("catalog", status, body):
            if f'"message":"{stamp}"'.encode() not in body:
                self.faults.append(("catalog of other facts", node, stamp))
            self.facts[node] = max(stamp, self.facts.get(node, 0))

    def report(self, connection: http.client.HTTPSConnection, node: str, stamp: int) -> None:
        """Send a report."""
        self.sent_reports.add(stamp)
        if self.expect("report", *asked(connection, *report_request(node, stamp))):
            self.reports.add(stamp)

    def backup(self, connection: http.client.HTTPSConnection, node: str, stamp: int) -> None:
        """Send a file to the filebucket."""
        content = f"content {stamp}\n".encode() * (1 + stamp % 3000)
        if self.expect("backup", *asked(connection, *backup_request(content))):
            self.backups.add(hashlib.sha256(content).hexdigest())

    def content(self, connection: http.client.HTTPSConnection, node: str, stamp: int) -> None:
        """Get a large file."""
        status, body = asked(connection, *large_request())
        if self.expect("content", status, body) and body != LARGE:
            self.faults.append(("content", "differs"))

    def request(self, connection: http.client.HTTPSConnection, node: str, stamp: int) -> None:
        """Request a certificate for a new node, and get it."""
        name = f"new{stamp}{ALL_NODES}"
        pem = signing_request(name, key=one_key())
        headers = {"Content-Type": "text/plain"}
        found = asked(connection, "PUT", signing_target(name), pem, headers)
        if self.expect("request", *found):
            self.certificates[name] = b""
            status, body = asked(connection, "GET", f"/puppet-ca/v1/certificate/{name}")
            if self.expect("certificate", status, body):
                self.certificates[name] = body

    def expect(self, kind: str, status: int, body: bytes) -> bool:
        """Count an answer; anything but success is a fault."""
        if status == 200:
            self.counts[f"acknowledged: {kind}"] += 1
            return True
        self.faults.append((kind, status, shown_body(body)))
        return False


# -- kills -----------------------------------------------------------------------------------------


def compile_processes(site: ServedSite, server: ServerProcess) -> list[int]:
    """Return the compile processes: children of a child of the front process."""
    front = server.process.pid
    alive = list(site.processes.alive())
    return [pid for pid in alive if parent_of(parent_of(pid) or 0) == front]


def kill_often(
    folder: Path, kills: int, seed: int, *, agents: int = 4, seconds: float = 1e9
) -> tuple[Counter, list]:
    """Kill processes of a server under load, until a time; return the counts and the faults."""
    end = time.monotonic() + seconds
    chance = random.Random(seed)
    site = ServedSite(folder, agents)
    load = Load(site, seed)
    load.start()
    try:
        for _ in range(kills):
            time.sleep(chance.uniform(0.0, 1.0))
            if chance.random() < 0.5:
                kill_front(load)
            else:
                kill_compiler(load, chance)
            if len(load.faults) > 20 or time.monotonic() > end:
                break
    finally:
        load.stop()
        if load.server is not None:
            finish(load)
    return load.counts, load.faults + losses(load)


def kill_front(load: Load) -> None:
    """Kill the front process, look at what is left, and start the server again."""
    assert load.server is not None
    server, load.server = load.server, None
    server.kill()
    load.counts["kills of the front process"] += 1
    try:
        load.site.processes.await_end()
    except AssertionError as error:
        load.faults.append(("after a kill", str(error)))
    load.start()


def kill_compiler(load: Load, chance: random.Random) -> None:
    """Kill a compile process, and wait until it is replaced."""
    assert load.server is not None
    before = compile_processes(load.site, load.server)
    if not before:
        load.faults.append(("no compile process",))
        return
    victim = chance.choice(before)
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        return
    load.counts["kills of compile processes"] += 1
    deadline = time.monotonic() + RECOVERY_SECONDS
    while len(set(compile_processes(load.site, load.server)) - {victim}) < len(before):
        if time.monotonic() > deadline:
            load.faults.append(("a compile process is not replaced",))
            return
        time.sleep(0.02)


def finish(load: Load) -> None:
    """Stop the server, and judge its end and its log."""
    server = load.server
    assert server is not None
    if server.stop() != 0:
        load.faults.append(("exit code", server.process.returncode))
    try:
        load.site.processes.await_end()
    except AssertionError as error:
        load.faults.append(("after the end", str(error)))
    text = server.reported()
    for found in MESSAGES.finditer(text):
        load.faults.append(("message", text[max(0, found.start() - 200) : found.start() + 2000]))
    failed = load.counts["catalogs that failed with their process"]
    if failed > load.counts["kills of compile processes"]:
        load.faults.append(("more catalogs failed than processes were killed", failed))


# -- losses ----------------------------------------------------------------------------------------


def losses(load: Load) -> list[tuple]:
    """Compare what was acknowledged with what is there."""
    return [
        *lost_certificates(load.site, load.certificates),
        *lost_backups(load),
        *lost_records(load),
    ]


def lost_certificates(site: ServedSite, acknowledged: dict[str, bytes]) -> list[tuple]:
    """Compare certificates, inventory and serial numbers; each file must be whole."""
    faults: list[tuple] = []
    settings = site.authority.settings
    serials: list[int] = []
    for name in names_in(settings.signeddir):
        content = Path(settings.signeddir, f"{name}.pem").read_bytes()
        try:
            serials.append(x509.load_pem_x509_certificate(content).serial_number)
        except ValueError as error:
            faults.append(("torn certificate", name, str(error)))
        if acknowledged.get(name) not in {None, b"", content}:
            faults.append(("another certificate than acknowledged", name))
    directory = site.authority.directory
    faults += [
        ("certificate lost", name) for name in acknowledged if not directory.has_certificate(name)
    ]
    for name in names_in(settings.csrdir):
        try:
            x509.load_pem_x509_csr(Path(settings.csrdir, f"{name}.pem").read_bytes())
        except ValueError as error:
            faults.append(("torn request", name, str(error)))
    lines = Path(settings.cert_inventory).read_text(encoding="utf-8").splitlines()
    found = list(entries(settings))
    listed = [entry.serial for entry in found]
    if len(found) != len(lines) or any(entry.until is None for entry in found):
        faults.append(("torn inventory", len(found), len(lines)))
    if len(set(serials)) != len(serials) or len(set(listed)) != len(listed):
        faults.append(("duplicate serial number", len(serials), len(set(serials))))
    if not set(serials) <= set(listed):
        faults.append(("certificate without a line of the inventory",))
    following = int(Path(settings.serial).read_text(encoding="utf-8"), 16)
    if following <= max(listed):
        faults.append(("the next serial number is taken", following, max(listed)))
    x509.load_pem_x509_crl(Path(settings.cacrl).read_bytes())
    site.authority.signer()
    return faults


def lost_backups(load: Load) -> list[tuple]:
    """Look for the contents of the filebucket: all that were acknowledged, and none that is torn."""
    faults: list[tuple] = []
    found = set()
    for path in (load.site.root / "var/bucket").rglob("contents"):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        found.add(digest)
        if path.parent.name != digest:
            faults.append(("torn content", str(path)))
    faults += [("content lost", digest) for digest in load.backups - found]
    return faults


def lost_records(load: Load) -> list[tuple]:
    """Process what is queued, and look for facts, catalogs and reports in the database."""
    path = str(load.site.root / "var/bunraku/puppetdb.sqlite")
    database = open_database(path)
    lines: list[str] = []
    queue = Queue(f"{path}.queue", path.removesuffix(".sqlite") + ".sqlite.discarded")
    worker = Worker(database, queue, lines.append)
    worker.start()
    while queue.depth:
        time.sleep(0.01)
    worker.stop()
    queue.close()
    faults: list[tuple] = [("message of the queue", line) for line in lines]

    def rows(query: str) -> list[dict]:
        parameters = {"query": query}
        response = answer(Service(database), Request("GET", "/pdb/query/v4", parameters))
        return json.loads("".join(response.body))

    facts = {
        row["certname"]: int(row["value"])
        for row in rows("facts[certname, value] { name = 'stamp' }")
    }
    catalogs = {
        row["certname"]: int(row["parameters"]["message"])
        for row in rows("resources[certname, parameters] { title = 'stamp' }")
    }
    stored = {
        int(row["configuration_version"]) for row in rows("reports[configuration_version] { }")
    }
    for node, stamp in load.facts.items():
        if facts.get(node, 0) < stamp:
            faults.append(("facts lost", node, stamp, facts.get(node)))
        if catalogs.get(node, 0) < stamp:
            faults.append(("catalog lost", node, stamp, catalogs.get(node)))
    faults += [("report lost", stamp) for stamp in load.reports - stored]
    faults += [("report that was not sent", stamp) for stamp in stored - load.sent_reports]
    if list(database.rows(Statement("PRAGMA integrity_check"), 600)) != [("ok",)]:
        faults.append(("integrity_check",))
    if any(Path(f"{path}.discarded").iterdir()):
        faults.append(("discarded commands",))
    database.close()
    for file in (load.site.root / "var/reports").rglob("*"):
        if file.is_file() and file.suffix == ".yaml" and not file.read_bytes().endswith(b"\n"):
            faults.append(("torn report", str(file)))
    return faults
