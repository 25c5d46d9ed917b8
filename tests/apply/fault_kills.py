"""Runs over files and packages that end by a signal at a random moment, and the runs that complete them."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

from apply.fault_machine import Ended, Machine
from apply.faults import Fault, Verdict
from rigs.roots.sandbox import Sandbox

FILES = 30
"""Files of each kind."""
BIG = 6 << 20
"""Bytes of the large files."""
PACKAGES = ("alpha", "beta", "gamma")
OLD_OWNER, NEW_OWNER = (1, 1), (2, 2)
EARLY = 0.15
"""The part of the trials that end at any moment from the start, not after the first change."""
LONGEST = 120.0
"""Seconds in which the first change comes."""
HOSTS = "127.0.0.1 localhost\n"

COMPLETE = 2
"""The exit code of a complete run with changes."""

Form = tuple[int, str, int, int, int] | None
"""The size and digest of a content, the mode, user and group; None for an absent file."""


def text_of(name: str, number: int) -> str:
    """Return the content of a file."""
    return f"{name} {number}\n" * (number * 40 + 1)


def form(content: bytes, mode: int, owner: tuple[int, int]) -> Form:
    """Return the form of a file."""
    return (len(content), hashlib.sha256(content).hexdigest(), mode, *owner)


def form_at(path: Path) -> Form:
    """Return the form of a path; its content and status are those of one file."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        content = file.read()
    return form(content, stat.S_IMODE(found.st_mode), (found.st_uid, found.st_gid))


class Site:
    """A manifest, the files that it starts from, and the forms that each file may have."""

    options: tuple[str, ...] = ()
    """Options of the runs."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.allowed: dict[str, tuple[Form, Form]] = {}
        """Path → the old form and the new one."""
        self.lines = [
            "File { backup => 'main' }",
            "filebucket { 'main': path => '/var/lib/bunraku/clientbucket' }",
            "file { '/srv/work': ensure => directory, mode => '0755' }",
        ]

    def add(
        self, path: str, old: str | None, new: str | None, attributes: str, *, mode: int = 0o640
    ) -> None:
        """Add a file that changes from one content to another; None stands for no file."""
        before = after = None
        if old is not None:
            self.machine.write(path, old, 0o600, OLD_OWNER)
            before = form(old.encode(), 0o600, OLD_OWNER)
        if new is not None:
            after = form(new.encode(), mode, NEW_OWNER)
        self.allowed[path] = before, after
        if attributes:
            self.lines.append(f"file {{ '{path}': {attributes} }}")

    def lay_out(self) -> None:
        """Write the old files, the sources and the packages."""
        machine = self.machine
        owned = "owner => 2, group => 2, mode => '0640'"
        machine.path("/srv/work").mkdir(parents=True)
        for number in range(FILES):
            new = text_of("new", number)
            machine.write(f"/srv/source/{number}", new)
            content = f"ensure => file, {owned}, source => '/srv/source/{number}'"
            self.add(f"/srv/work/changed-{number}", text_of("old", number), new, content)
            self.add(f"/srv/work/new-{number}", None, new, content)
            self.add(f"/srv/work/gone-{number}", text_of("old", number), None, "ensure => absent")
            machine.write(f"/srv/tree/{number}", new)
            self.add(f"/srv/work/tree/{number}", text_of("old", number), new, "")
            self.add(f"/srv/work/tree/purged-{number}", text_of("old", number), None, "")
        for number in range(2):
            big = "x" * BIG
            machine.write(f"/srv/source/big-{number}", big)
            big_source = f"ensure => file, {owned}, source => '/srv/source/big-{number}'"
            self.add(f"/srv/work/big-{number}", "y" * BIG, big, big_source)
        self.lines.append(
            "file { '/srv/work/tree': ensure => directory, recurse => true, purge => true, "
            "source => '/srv/tree', owner => 2, group => 2, mode => '0640' }"
        )
        machine.write("/etc/hosts", HOSTS, 0o640, OLD_OWNER)
        self.lines.append("host { 'db': ip => '192.0.2.7' }")
        for name in PACKAGES:
            build(machine, name)
            self.lines.append(
                f"package {{ 'rig-{name}': ensure => installed, provider => dpkg, "
                f"source => '/srv/debs/rig-{name}.deb' }}"
            )

    @property
    def manifest(self) -> str:
        """The manifest; packages come between the files."""
        lines = self.lines[3:]
        random.Random(0).shuffle(lines)
        return "\n".join([*self.lines[:3], *lines]) + "\n"

    # -- observing -------------------------------------------------------------------------------

    def observe(self) -> None:
        """Check that every file has one of its two forms."""
        for path, allowed in self.allowed.items():
            self.observe_file(path, allowed)
        hosts = self.machine.path("/etc/hosts").read_text()
        whole = hosts == HOSTS or hosts.endswith("192.0.2.7\tdb\n")
        self.machine.check(whole, f"/etc/hosts is {hosts!r}")

    def observe_file(self, path: str, allowed: tuple[Form, Form]) -> None:
        """Check one file."""
        found = form_at(self.machine.path(path))
        self.machine.check(found in allowed, f"{path} is {found}, neither of {allowed}")

    @property
    def changes(self) -> int:
        """The number of files that change."""
        return len(self.allowed)

    def observer(self, rng: random.Random) -> Watcher:
        """Return a check of some files for each call."""
        return Watcher(self, rng)

    def check_complete(self) -> None:
        """Check that all files have their new forms and that all packages are installed."""
        machine = self.machine
        for path, (_old, new) in self.allowed.items():
            found = form_at(machine.path(path))
            machine.check(found == new, f"{path} is {found} in the end, not {new}")
        audit = machine.sandbox.run(["dpkg", "--audit"])
        machine.check(audit.stdout == b"", f"dpkg --audit: {audit.stdout.decode()}")
        for name in PACKAGES:
            there = machine.path(f"/usr/share/rig-{name}/data").exists()
            machine.check(there, f"the files of rig-{name} are missing")


class Watcher:
    """Looks at the size, mode and owner of all files each time, and at the contents of a few."""

    def __init__(self, site: Site, rng: random.Random) -> None:
        self.site = site
        self.rng = rng
        self.changed = 0
        """Files that have their new form."""
        self.paths = {path: str(site.machine.path(path)) for path in site.allowed}
        self.sizes = {
            path: [None if one is None else (one[0], *one[2:]) for one in allowed]
            for path, allowed in site.allowed.items()
        }

    def __call__(self) -> None:
        """Check all files, five of them completely."""
        changed = 0
        for path, place in self.paths.items():
            found = size_at(place)
            changed += found == self.sizes[path][1]
            if found not in self.sizes[path]:
                text = f"{path} was {found}, neither of {self.sizes[path]}"
                self.site.machine.problems.append(text)
        self.changed = changed
        for path in self.rng.sample(list(self.paths), 5):
            self.site.observe_file(path, self.site.allowed[path])


def size_at(path: str) -> tuple[int, int, int, int] | None:
    """Return size, mode, user and group of what is at a path; None if nothing is."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    return found.st_size, stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid


def build(machine: Machine, name: str) -> None:
    """Build a package with a configuration file, some data and a script that takes its time."""
    folder = f"/srv/build/{name}"
    control = f"Package: rig-{name}\nVersion: 1.0\nArchitecture: all\nMaintainer: Rig <rig@example.test>\n"
    machine.write(f"{folder}/DEBIAN/control", control + "Description: a package of the trials\n")
    machine.write(f"{folder}/DEBIAN/conffiles", f"/etc/rig-{name}.conf\n")
    machine.write(f"{folder}/DEBIAN/postinst", "#!/bin/sh\nsleep 0.1\n", 0o755)
    machine.write(f"{folder}/etc/rig-{name}.conf", "option = 1\n")
    machine.write(f"{folder}/usr/share/rig-{name}/data", "x" * (1 << 20))
    machine.path("/srv/debs").mkdir(exist_ok=True)
    deb = f"/srv/debs/rig-{name}.deb"
    machine.sandbox.must(["dpkg-deb", "--root-owner-group", "--build", folder, deb])


# -- the trials ------------------------------------------------------------------------------------


def killed(
    sandbox: Sandbox,
    environment: dict[str, str],
    rng: random.Random,
    how: str,
    make: Callable[[Machine], Site],
) -> Verdict:
    """End a run at a random moment; the next run completes its work, the one after it changes nothing."""
    machine = Machine(sandbox, environment)
    site = make(machine)
    site.lay_out()
    verdict = Verdict(machine.problems)
    run = machine.start(site.manifest, *site.options)
    watch = site.observer(rng)
    counted = "ended before the signal"
    if rng.random() < EARLY:
        alive = run.wait_for(rng.uniform(0.0, 2.0), watch)
    else:
        alive = run.wait_for(LONGEST, watch, lambda: watch.changed > 0)
        alive = alive and run.wait_for(rng.uniform(0.0, 2.0), watch)
    if alive:
        counted = "between the first and the last change"
        if watch.changed == 0:
            counted = "before the first change"
        elif watch.changed == site.changes:
            counted = "after the last change of a file"
        if how == "all":
            machine.kill_all()
        else:
            run.signal(getattr(signal, how))
    ended = run.end(watch)
    machine.check_output(ended)
    verdict.counts[counted] = 1
    machine.wait_for_others()
    site.observe()
    if how in {"SIGTERM", "SIGINT"} and alive:
        check_interrupted(machine, ended, how, last=watch.changed == site.changes)
    left = len(list(machine.path("/srv").rglob(".bunraku-*.new")))
    if left:
        verdict.counts["with a temporary file left"] = 1
    complete(machine, site, verdict)
    return verdict


def check_interrupted(machine: Machine, ended: Ended, how: str, *, last: bool) -> None:
    """Check how a run ended that was asked to: after its resource, with a report.

    A run that has made its last change may be complete before it notices the signal.
    """
    code = 128 + getattr(signal, how)
    expected = {code, -getattr(signal, how)}
    if last and ended.report is not None:
        expected |= {COMPLETE} if not any_skipped(ended.report) else set()
    machine.check(ended.code in expected, f"exit code {ended.code} after {how}")
    if "Applied catalog" in ended.output:
        machine.check(ended.report is not None, f"no report after {how}: {ended.output}")
    if ended.report is not None:
        statuses = ended.report["resource_statuses"]
        failed = [name for name, status in statuses.items() if status["failed"]]
        machine.check(not failed, f"failed after {how}: {failed}: {ended.errors}")


def any_skipped(report: dict[str, Any]) -> bool:
    """Return whether a report has resources that were not applied."""
    return any(status["skipped"] for status in report["resource_statuses"].values())


def complete(machine: Machine, site: Site, verdict: Verdict) -> None:
    """Run again until everything is done: once, or twice after ``dpkg --configure -a``."""
    again = machine.apply(site.manifest, *site.options)
    if again.code not in {0, 2}:
        text = "\n".join(again.errors) or again.output[-800:]
        machine.check("dpkg" in text, f"the next run failed: {again.code} {text}")
        machine.sandbox.run(["dpkg", "--configure", "-a"])
        verdict.counts["with dpkg --configure -a"] = 1
        again = machine.apply(site.manifest, *site.options)
    machine.check(again.code in {0, 2}, f"the next run: {again.code} {again.output[-1500:]}")
    last = machine.apply(site.manifest, *site.options)
    machine.check(last.code == 0, f"the run after it: {last.code} {last.output[-1500:]}")
    site.check_complete()


def kill_of(how: str, make: Callable[[Machine], Site] = Site) -> Fault:
    """Return the trial of one way to end a run of a site."""

    def fault(sandbox: Sandbox, environment: dict[str, str], rng: random.Random) -> Verdict:
        return killed(sandbox, environment, rng, how, make)

    return fault


FAULTS = {
    "kill": ("SIGKILL of bunraku; dpkg goes on alone", kill_of("SIGKILL")),
    "stop": ("SIGKILL of bunraku and of all that it started", kill_of("all")),
    "term": ("SIGTERM", kill_of("SIGTERM")),
    "interrupt": ("SIGINT", kill_of("SIGINT")),
}
