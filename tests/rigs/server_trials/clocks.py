"""Clocks that are wrong: the server's own (by libfaketime), and those of agents in what they send."""

from __future__ import annotations

import json
import ssl
import time
from collections import Counter
from pathlib import Path

from rigs.server_trials.kills import MESSAGES, Load, lost_certificates, lost_records
from rigs.server_trials.served_site import (
    ALL_NODES,
    ServedSite,
    asked_once,
    catalog_request,
    one_key,
    report_request,
    signing_target,
)
from support.certificates import signing_request

LIBRARIES = ("/usr/lib/x86_64-linux-gnu/faketime", "/usr/lib/aarch64-linux-gnu/faketime")
JUMPS = ("-12h", "+12h", "-20h", "+40d", "+0")
"""Offsets that a running server gets one after the other."""
TIMES = [
    *("0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2038-01-19T03:14:08Z"),
    *("9999-12-31T23:59:59.999Z", "2026-01-10T00:00:00.000000000+14:00"),
]


def library() -> Path | None:
    """Return libfaketime; None where it is not installed."""
    for folder in LIBRARIES:
        path = Path(folder, "libfaketimeMT.so.1")
        if path.exists():
            return path
    return None


class Clocks:
    """A server whose clock can be set, and what was seen."""

    def __init__(self, folder: Path) -> None:
        self.site = ServedSite(folder / "site", 2)
        self.load = Load(self.site, 1)
        self.counts: Counter[str] = Counter()
        self.faults = self.load.faults
        self.offset = folder / "offset"
        self.stamp = 0
        self.set("+0")

    def set(self, offset: str) -> None:
        """Set the clock of the running server."""
        new = self.offset.with_suffix(".new")
        new.write_text(f"{offset}\n", encoding="utf-8")
        new.rename(self.offset)

    def start(self) -> None:
        """Start the server with its own clock."""
        self.server = self.site.start(
            LD_PRELOAD=str(library()),
            FAKETIME_TIMESTAMP_FILE=str(self.offset),
            FAKETIME_NO_CACHE="1",
            DONT_FAKE_MONOTONIC="1",
        )

    def stop(self) -> None:
        """Stop the server, and look at its log."""
        if self.server.stop() != 0:
            self.faults.append(("exit code", self.server.process.returncode))
        text = self.server.reported()
        self.faults += [
            ("message", text[max(0, one.start() - 200) : one.start() + 1000])
            for one in MESSAGES.finditer(text)
        ]

    def run_of_agent(self, what: str, refused: str | None = None) -> None:
        """Send what a run of an agent sends; ``refused`` is the alert that must come instead."""
        self.stamp += 1
        node = self.site.nodes[0]
        for request in (
            catalog_request(self.site, node, self.stamp),
            report_request(node, self.stamp),
        ):
            self.load.sent_reports.add(self.stamp)
            try:
                status, body = asked_once(self.site, self.server, node, *request)
            except ssl.SSLError as error:
                self.counts[f"{what}: alert {error.reason}"] += 1
                if refused is None or refused not in str(error.reason):
                    self.faults.append((what, repr(error)))
                continue
            self.counts[f"{what}: status {status}"] += 1
            if status != 200 or refused is not None:
                self.faults.append((what, status, body[:300]))

    def request_certificate(self, what: str) -> None:
        """Request a certificate for a new node."""
        self.stamp += 1
        name = f"new{self.stamp}{ALL_NODES}"
        pem = signing_request(name, key=one_key())
        headers = {"Content-Type": "text/plain"}
        found = asked_once(self.site, self.server, None, "PUT", signing_target(name), pem, headers)
        self.counts[f"{what}, request: status {found[0]}"] += 1
        if found[0] != 200:
            self.faults.append((what, *found))
        self.load.certificates[name] = b""


def wrong_clocks(folder: Path) -> tuple[Counter, list]:
    """Start servers with wrong clocks, and set the clock of a running one; return what was seen."""
    clocks = Clocks(folder)
    # A day is the tolerance of new certificates and revocation lists.
    for offset, alert in (("-12h", None), ("-30d", "BAD_CERTIFICATE"), ("+6y", "EXPIRED")):
        what = f"server started at {offset}"
        clocks.set(offset)
        clocks.start()
        clocks.run_of_agent(what, alert)
        clocks.request_certificate(what)
        clocks.stop()
    clocks.set("+0")
    clocks.start()
    clocks.run_of_agent("right clock again")
    for offset in JUMPS:
        clocks.set(offset)
        time.sleep(0.1)
        clocks.run_of_agent(f"clock of the running server set to {offset}")
        clocks.request_certificate(f"clock of the running server set to {offset}")
    far_agents(clocks)
    clocks.stop()
    clocks.faults += lost_certificates(clocks.site, clocks.load.certificates)
    clocks.faults += [one for one in lost_records(clocks.load) if one[0] != "report not sent"]
    return clocks.counts, clocks.faults


def far_agents(clocks: Clocks) -> None:
    """Send reports and facts whose times are far off."""
    node = clocks.site.nodes[1]
    for text in TIMES:
        clocks.stamp += 1
        clocks.load.sent_reports.add(clocks.stamp)
        method, target, body, headers = report_request(node, clocks.stamp)
        report = {**json.loads(body), "time": text}
        content = json.dumps(report).encode()
        status, answer = asked_once(
            clocks.site, clocks.server, node, method, target, content, headers
        )
        clocks.counts[f"report of another time: status {status}"] += 1
        if status != 200:
            clocks.faults.append(("report", text, status, answer[:300]))
        clocks.load.reports.add(clocks.stamp)
        values = {"timestamp": text, "marker": clocks.site.marker(node), "stamp": "1"}
        facts = json.dumps({"name": node, "values": values, "timestamp": text, "expiration": text})
        status, answer = asked_once(
            clocks.site,
            clocks.server,
            node,
            "PUT",
            f"/puppet/v3/facts/{node}?environment=production",
            facts.encode(),
            {"Content-Type": "application/json"},
        )
        clocks.counts[f"facts of another time: status {status}"] += 1
        if status != 200:
            clocks.faults.append(("facts", text, status, answer[:300]))
