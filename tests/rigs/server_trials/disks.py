"""Fill the disks of a server: what is refused, what stays whole, and what works when there is space."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from rigs.server_trials.kills import (
    MESSAGES,
    Load,
    lost_backups,
    lost_certificates,
    lost_records,
)
from rigs.server_trials.served_site import (
    ALL_NODES,
    LARGE,
    ServedSite,
    asked_once,
    backup_request,
    catalog_request,
    large_request,
    one_key,
    report_request,
    signing_target,
)
from support.certificates import SERVER, signing_request
from support.server_process import ServerProcess
from support.small_disk import fill, small_disk

SIZES = {"ca": 2, "ssl": 2, "var": 24, "log": 2}
"""Directory of the server → megabytes of its disk."""
ROOMS = (0, 1, 2, 3, 4, 6)
"""Pages that a full disk has left: each change of several files ends at another one."""
FULL = b"No space left on device"


class Disks:
    """A server whose directories are disks of their own, and what was seen."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.site = ServedSite(folder / "site", 2)
        for name, megabytes in SIZES.items():
            place, kept = self.site.root / name, folder / f"{name}.kept"
            place.rename(kept)
            place.mkdir()
            stack.enter_context(small_disk(str(place), megabytes))
            shutil.copytree(kept, place, dirs_exist_ok=True)
        self.load = Load(self.site, 1)
        self.counts: Counter[str] = Counter()
        self.faults = self.load.faults
        self.server = self.site.start()
        self.stamp = 0

    def ballast(self, name: str) -> Path:
        """Return the file that fills a disk."""
        return self.site.root / name / "ballast"

    def fill(self, name: str, room: int) -> None:
        """Fill a disk, but for some pages."""
        fill(self.ballast(name), room)

    def free(self, name: str) -> None:
        """Give a disk its space back."""
        self.ballast(name).unlink()

    def ask(self, name: str | None, *request) -> tuple[int, bytes]:
        """Return status and body of an answer."""
        return asked_once(self.site, self.server, name, *request)

    def count(self, what: str, status: int, body: bytes, refusal: int | None) -> bool:
        """Count an answer; return whether it acknowledges. Other answers than a refusal are faults."""
        self.counts[f"{what}: status {status}"] += 1
        if status in {200, 204}:
            return True
        if status != refusal or FULL not in body:
            self.faults.append((what, status, body[:300]))
        return False

    # -- requests ----------------------------------------------------------------------------------

    def request_certificate(self, what: str, refusal: int | None, name: str = "") -> str:
        """Request a certificate, for a new node unless a name is given; return the name."""
        self.stamp += 1
        name = name or f"new{self.stamp}{ALL_NODES}"
        headers = {"Content-Type": "text/plain"}
        pem = signing_request(name, key=one_key())
        if self.count(what, *self.ask(None, "PUT", signing_target(name), pem, headers), refusal):
            self.load.certificates[name] = b""
        return name

    def revoke(self, what: str, name: str, refusal: int | None) -> None:
        """Revoke a certificate by the interface of the authority."""
        body = json.dumps({"desired_state": "revoked"}).encode()
        target = f"/puppet-ca/v1/certificate_status/{name}"
        headers = {"Content-Type": "application/json"}
        found = self.ask(SERVER, "PUT", target, body, headers)
        if self.count(what, *found, refusal) and not self.is_revoked(name):
            self.faults.append((what, "is not in the list", name))

    def is_revoked(self, name: str) -> bool:
        """Return whether the revocation list has a node."""
        status = self.site.authority.status(name)
        return status is not None and status["state"] == "revoked"

    def run_of_agent(self, what: str, refusal: int | None) -> None:
        """Send what a run of an agent sends."""
        self.stamp += 1
        node, stamp = self.site.nodes[0], self.stamp
        request = catalog_request(self.site, node, stamp)
        if self.count(f"{what}, catalog", *self.ask(node, *request), refusal):
            self.load.facts[node] = stamp
        status, body = self.ask(node, *large_request())
        if self.count(f"{what}, file", status, body, None) and body != LARGE:
            self.faults.append((what, "another content"))
        content = os.urandom(20_000)
        self.count(f"{what}, backup", *self.ask(node, *backup_request(content)), refusal)
        self.load.sent_reports.add(stamp)
        report = self.ask(node, *report_request(node, stamp))
        if self.count(f"{what}, report", *report, None) and refusal is None:
            self.load.reports.add(stamp)

    def stop(self) -> None:
        """Stop the server, and look at its log."""
        if self.server.stop() != 0:
            self.faults.append(("exit code", self.server.process.returncode))
        text = self.server.reported()
        self.faults += [
            ("message", text[max(0, one.start() - 200) : one.start() + 1000])
            for one in MESSAGES.finditer(text)
        ]


def full_disks(
    folder: Path, rooms: Sequence[int] = ROOMS, first_rooms: Sequence[int] = range(0, 13, 2)
) -> tuple[Counter, list]:
    """Fill one disk of a server after the other; return the counts and the faults.

    ``rooms`` are the pages that are left, ``first_rooms`` those at the start of a new authority.
    """
    with ExitStack() as stack:
        disks = Disks(folder, stack)
        try:
            disks.run_of_agent("before", None)
            full_authority(disks, rooms)
            full_data(disks, rooms)
            full_log(disks)
            full_start(disks)
        finally:
            disks.stop()
        disks.faults += lost_certificates(disks.site, disks.load.certificates)
        disks.faults += lost_backups(disks.load)
        disks.faults += lost_records(disks.load)
        first_start(disks, first_rooms)
    return disks.counts, disks.faults


def full_authority(disks: Disks, rooms: Sequence[int]) -> None:
    """Sign and revoke on a full disk, with and without room for some of the files."""
    names = [disks.request_certificate("enough space, request", None) for _ in rooms]
    for room, name in zip(rooms, names, strict=True):
        disks.fill("ca", room)
        refused = [disks.request_certificate("full cadir, request", 500) for _ in range(2)]
        disks.revoke("full cadir, revocation", name, 500)
        disks.faults += lost_certificates(disks.site, disks.load.certificates)
        disks.run_of_agent("full cadir", None)
        disks.free("ca")
        for again in refused:
            if again not in disks.load.certificates:
                disks.request_certificate("space again, request", None, again)
        disks.revoke("space again, revocation", name, None)


def full_data(disks: Disks, rooms: Sequence[int]) -> None:
    """Let an agent run on a full disk of data."""
    for room in rooms:
        disks.fill("var", room)
        for _ in range(2):
            disks.run_of_agent("full vardir", 500)
        disks.free("var")
        disks.run_of_agent("space again", None)


def full_log(disks: Disks) -> None:
    """Let an agent run while nothing can be logged."""
    disks.fill("log", 0)
    disks.run_of_agent("full log", None)
    disks.request_certificate("full log, request", None)
    for _ in range(60):  # more than the rest of a page
        disks.count("full log, status", *disks.ask(None, "GET", "/status/v1/simple"), None)
    disks.free("log")
    disks.run_of_agent("space again", None)
    text = (disks.site.root / "log/access").read_text(encoding="utf-8")
    if "lines are missing: No space left on device" not in text:
        disks.faults.append(("the access log does not say that lines are missing", text[-500:]))


def full_start(disks: Disks) -> None:
    """Start the server while the disk of its own certificates is full, then with space.

    It has to copy the revocation list there, which has changed: it ends with the reason.
    """
    disks.fill("ssl", 0)
    disks.stop()
    before = len(disks.server.reported())
    try:
        disks.server = disks.site.start()
        disks.faults.append(("a start without a copy of the revocation list",))
    except AssertionError as error:
        text = str(error)[before:]
        disks.counts["starts that were refused with the reason, full ssldir"] += 1
        if FULL.decode() not in text or "Traceback" in text:
            disks.faults.append(("start on a full disk", text))
    disks.free("ssl")
    disks.fill("ca", 0)
    disks.server = disks.site.start()
    disks.counts["starts that worked, full cadir"] += 1
    disks.run_of_agent("started with a full cadir", None)
    disks.free("ca")
    disks.request_certificate("space again, request", None)


def first_start(disks: Disks, rooms: Sequence[int]) -> None:
    """Start a server without an authority on a full disk: it must end with the reason."""
    root = disks.folder / "new"
    root.mkdir()
    with small_disk(str(root), 1):
        site = NewSite(root)
        for room in rooms:
            if not site.starts(room):
                disks.counts["first starts that were refused"] += 1
            else:
                disks.counts["first starts that worked"] += 1
        site.ballast.unlink(missing_ok=True)
        if not site.starts(None):
            disks.faults.append(("the first start does not work with space", site.reported()))
        for word in ("Traceback", "internal error", "PRIVATE KEY"):
            if word in site.reported():
                disks.faults.append(("first start", site.reported()))


class NewSite:
    """A site without an authority, on a small disk."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.ballast = root / "ballast"
        self.log = root.parent / "new.log"
        (root / "environments/production/manifests").mkdir(parents=True)

    def starts(self, room: int | None) -> bool:
        """Return whether the server starts with some pages left."""
        if room is not None:
            self.ballast.unlink(missing_ok=True)
            fill(self.ballast, room)
        options = [
            *("--confdir", f"{self.root}/etc", "--vardir", f"{self.root.parent}/new-var"),
            *("--cadir", f"{self.root}/ca", "--certname", SERVER, "--set", "keylength=2048"),
            *("--environmentpath", f"{self.root}/environments", "--max-active-instances", "1"),
        ]
        try:
            server = ServerProcess(options, self.log)
        except AssertionError:
            return False
        return server.stop() == 0

    def reported(self) -> str:
        """Return what the starts have reported."""
        return self.log.read_text(encoding="utf-8", errors="backslashreplace")
