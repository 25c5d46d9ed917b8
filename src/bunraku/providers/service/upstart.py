"""Jobs of Upstart: ``/etc/init/NAME.conf``, and ``.override`` for their start at boot."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State, Words
from bunraku.providers.rewriting import rewrite
from bunraku.providers.service.base import RUNNING, STOPPED, Base
from bunraku.providers.service.debian import Debian
from bunraku.providers.service.init import UNSAFE
from bunraku.providers.systems import families

START = "/sbin/start"
STOP = "/sbin/stop"
RESTART = "/sbin/restart"
STATUS = "/sbin/status"
CONTROL = "/sbin/initctl"
SYSTEMS = frozenset({"ubuntu", "linuxmint", "amzn"})
JOB = re.compile(r"/etc/init/\S+\.conf")
START_ON = re.compile(r"^\s*start\s+on", re.MULTILINE)
COMMENTED = re.compile(r"^\s*#+\s*start\s+on", re.MULTILINE)
MANUAL = re.compile(r"^\s*manual\s*$", re.MULTILINE)
DEFAULT_START = "\nstart on runlevel [2,3,4,5]"
VERSION = re.compile(r"initctl \(upstart ([^)]*)\)")
KNOWS_MANUAL = (0, 6, 7)
"""The first version with the stanza ``manual``."""
KNOWS_OVERRIDE = (0, 9, 0)
"""The first version with override files."""
INSTANCES = {"network-interface": "INTERFACE", "network-interface-security": "JOB"}
"""Jobs with several instances, and the variable that names them."""
LISTED = re.compile(r"(network-interface(?:-security)?)\s\(([^)]+)\)")
NEW_MODE = 0o644


class Upstart(Debian):
    """Runs jobs, and init scripts as on Debian."""

    name = "upstart"
    programs: ClassVar[tuple[str, ...]] = (START, STOP, RESTART, STATUS, CONTROL)
    default_path = ("/etc/init", "/etc/init.d")

    def suitable(self) -> bool:
        """Return whether the system has Upstart."""
        if SYSTEMS.isdisjoint(families(self.host)) or not Base.suitable(self):
            return False
        return self.attempt((CONTROL, "version", "--quiet")).code == 0

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the jobs; their states are read one by one."""
        lines = self.execute(CONTROL, "list").output.splitlines()
        names = [job_name(line) for line in lines if line.strip()]
        return {name: {} for name in names if name not in UNSAFE}

    def script(self, resource: ManagedResource) -> str:
        """Return the path of a job, or of an init script; raise ResourceFailure if there is none."""
        directories = [path for path in resource["path"] or () if self.host.is_directory(path)]
        name = resource.name.split()[0]
        for ending in (".conf", "", ".sh"):
            for directory in directories:
                path = f"{directory}/{name}{ending}"
                if self.host.status(path, follow=True) is not None:
                    return path
        text = f"Could not find init script or upstart conf file for '{resource.name}'"
        raise ResourceFailure(text)

    def is_job(self, resource: ManagedResource) -> bool:
        """Return whether a service is a job."""
        return JOB.search(self.script(resource)) is not None

    def version(self) -> tuple[int, ...]:
        """Return the version of Upstart."""
        found = VERSION.search(self.execute(CONTROL, "--version").output)
        if found is None:
            raise ResourceFailure("initctl does not print the version of Upstart")
        return tuple(map(int, re.findall(r"\d+", found[1])))

    # -- states ----------------------------------------------------------------------------------

    def status(self, resource: ManagedResource) -> str:
        """Return ``running`` or ``stopped``."""
        own = resource["status"] is not None or not resource.is_true("hasstatus")
        if own or not self.is_job(resource):
            return super().status(resource)
        output = self.execute(STATUS, *resource.name.split()).output
        return RUNNING if "start/" in output else STOPPED

    def status_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that reads the state of an init script; that of a job is unreliable."""
        return None if self.is_job(resource) else super().status_command(resource)

    def start_command(self, resource: ManagedResource) -> Words:
        """Return the command that starts a job."""
        return (START, resource.name) if self.is_job(resource) else super().start_command(resource)

    def stop_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that stops a job."""
        return (STOP, resource.name) if self.is_job(resource) else super().stop_command(resource)

    def restart_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that restarts a job if it may be restarted."""
        if not self.is_job(resource):
            return super().restart_command(resource)
        return (RESTART, resource.name) if resource.is_true("hasrestart") else None

    # -- start at boot ---------------------------------------------------------------------------

    def text(self, path: str) -> str:
        """Return the content of a file; empty if it is absent."""
        if self.host.status(path, follow=True) is None:
            return ""
        return self.host.read(path).decode("utf-8", "surrogateescape")

    def write(self, path: str, text: str) -> None:
        """Write a file."""
        rewrite(self.host, path, text.encode("utf-8", "surrogateescape"), new_mode=NEW_MODE)

    def enabled(self, resource: ManagedResource) -> str:
        """Return whether a job starts at boot."""
        if not self.is_job(resource):
            return super().enabled(resource)
        path, version = self.script(resource), self.version()
        text = self.text(path)
        if version < KNOWS_MANUAL:
            starts = START_ON.search(text) is not None
        elif version < KNOWS_OVERRIDE:
            starts = starts_at_boot(text)
        else:
            starts = starts_at_boot(text, self.text(override_of(path)))
        return "true" if starts else "false"

    def enable(self, resource: ManagedResource) -> None:
        """Let a job start at boot: remove ``manual``, or add when it starts."""
        if not self.is_job(resource):
            super().enable(resource)
            return
        path = self.script(resource)
        text = self.text(path)
        if self.version() < KNOWS_OVERRIDE:
            self.write(path, with_start(MANUAL.sub("", text)))
            return
        override = MANUAL.sub("", self.text(override_of(path)))
        if not starts_at_boot(text, override):
            override += start_of(text) or DEFAULT_START
        self.write(override_of(path), override)

    def disable(self, resource: ManagedResource) -> None:
        """Do not let a job start at boot: add ``manual``, or turn its start into a comment."""
        if not self.is_job(resource):
            super().disable(resource)
            return
        path, version = self.script(resource), self.version()
        if version < KNOWS_MANUAL:
            self.write(path, without_start(self.text(path)))
            return
        place = path if version < KNOWS_OVERRIDE else override_of(path)
        self.write(place, MANUAL.sub("", self.text(place)) + "\nmanual")


def job_name(line: str) -> str:
    """Return the name in a line of ``initctl list``, with the variable of an instance.

    >>> job_name("network-interface (lo) start/running"), job_name("cron start/running")
    ('network-interface INTERFACE=lo', 'cron')
    """
    found = LISTED.match(line)
    if found is None:
        return line.split(maxsplit=1)[0]
    return f"{found[1]} {INSTANCES[found[1]]}={found[2]}"


def override_of(path: str) -> str:
    """Return the path of the override file of a job."""
    return path.removesuffix(".conf") + ".override" if path.endswith(".conf") else path


def starts_at_boot(*texts: str) -> bool:
    """Return whether the last of the stanzas ``start on`` and ``manual`` is ``start on``."""
    starts = False
    for line in "\n".join(texts).splitlines():
        if START_ON.match(line):
            starts = True
        elif MANUAL.match(line):
            starts = False
    return starts


def with_start(text: str) -> str:
    """Return the text of a job that starts at boot."""
    if starts_at_boot(text):
        return text
    if COMMENTED.search(text) is None:
        return text + DEFAULT_START
    return "".join(
        re.sub(r"^(\s*)#+", r"\1", line) if inside else line
        for line, inside in marked_start(text, COMMENTED)
    )


def without_start(text: str) -> str:
    """Return the text of a job with its start as a comment."""
    return "".join("#" + line if inside else line for line, inside in marked_start(text, START_ON))


def start_of(text: str) -> str:
    """Return the stanza ``start on``; empty if there is none."""
    return "".join(line for line, inside in marked_start(text, START_ON) if inside)


def marked_start(text: str, first: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it is in the stanza, which ends with its last parenthesis.

    >>> [inside for _, inside in marked_start("a\\nstart on (b\\nand c)\\nd", START_ON)]
    [False, True, True, False]
    """
    depth = 0
    for line in text.splitlines(keepends=True):
        inside = depth > 0 or first.match(line) is not None
        if inside:
            code = line.lstrip().lstrip("#") if first is COMMENTED else line
            code = code.partition("#")[0]
            depth += code.count("(") - code.count(")")
        yield line, inside


provider = Upstart
