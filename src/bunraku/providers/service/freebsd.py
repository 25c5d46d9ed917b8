"""Services of FreeBSD: scripts in ``rc.d``, which variables in ``rc.conf`` enable."""

from __future__ import annotations

import re
from typing import ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Words, successful
from bunraku.providers.rewriting import rewrite
from bunraku.providers.service.base import Base
from bunraku.providers.service.init import Init
from bunraku.providers.systems import FREEBSD, families

CONFIGURATION = "/etc/rc.conf"
LOCAL = "/etc/rc.conf.local"
DIRECTORY = "/etc/rc.conf.d"
EMPTY = re.compile(r"#\s*$")
SERVICE = re.compile(r"# (\S+).*")
VARIABLE = re.compile(r"(.*?)(_enable)?=(.*)")
VALUE = re.compile(r'(.*)(_enable)?="?(\w+)"?')
NEW_MODE = 0o644


class Freebsd(Init):
    """Runs scripts, and edits the variables that enable them."""

    name = "freebsd"
    programs: ClassVar[tuple[str, ...]] = ()
    features: ClassVar[frozenset[str]] = frozenset({"refreshable", "enableable"})
    default_path: tuple[str, ...] | None = ("/etc/rc.d", "/usr/local/etc/rc.d")

    def suitable(self) -> bool:
        """Return whether the system is FreeBSD or DragonFly."""
        return Base.suitable(self) and not FREEBSD.isdisjoint(families(self.host))

    def start_command(self, resource: ManagedResource) -> Words:
        """Return the command that starts a service, even if it is not enabled."""
        return self.script(resource), "onestart"

    def stop_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that stops a service, even if it is not enabled."""
        return self.script(resource), "onestop"

    def status_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that reads the state of a service, even if it is not enabled."""
        return self.script(resource), "onestatus"

    # -- start at boot ---------------------------------------------------------------------------

    def variables_of(self, resource: ManagedResource) -> tuple[str, str]:
        """Return the first line that the script prints about its variables, and the assignment."""
        command = (self.script(resource), "rcvar")
        output = successful(command, self.attempt(command, merged=False)).output
        lines = [line for line in output.splitlines() if EMPTY.match(line) is None]
        if len(lines) <= 1:
            raise ResourceFailure("No rcvar value found in rcvar")
        return lines[0], lines[1].removeprefix("$")

    def enabled(self, resource: ManagedResource) -> str:
        """Return whether the variable of a service is ``YES``."""
        value, count = VALUE.subn(r"\3", self.variables_of(resource)[1])
        if not count:
            raise ResourceFailure("rcvar value is empty")
        return "true" if value.endswith("YES") else "false"

    def enable(self, resource: ManagedResource) -> None:
        """Set the variable of a service to ``YES``."""
        self.assign(resource, "YES")

    def disable(self, resource: ManagedResource) -> None:
        """Set the variable of a service to ``NO``."""
        self.assign(resource, "NO")

    def assign(self, resource: ManagedResource, word: str) -> None:
        """Set the variable of a service where it is set, otherwise in a file for it."""
        first, assignment = self.variables_of(resource)
        service, count = SERVICE.subn(r"\1", first)
        if not count:
            raise ResourceFailure("service name is empty")
        variable, count = VARIABLE.subn(r"\1", assignment)
        if not count:
            raise ResourceFailure("rcvar name is empty")
        if not self.replace(service, variable, word):
            self.add(service, variable, word)

    def replace(self, service: str, variable: str, word: str) -> bool:
        """Change the variable in all files that set it; return whether there is one."""
        pattern = re.compile(rf'^({re.escape(variable)}(?:_enable)?)="?(?:YES|NO)"?', re.MULTILINE)
        changed = False
        for path in (CONFIGURATION, LOCAL, f"{DIRECTORY}/{service}"):
            if self.host.status(path, follow=True) is None:
                continue
            text = self.host.read(path).decode("utf-8", "surrogateescape")
            text, count = pattern.subn(rf'\1="{word}"', text)
            if count:
                rewrite(self.host, path, text.encode("utf-8", "surrogateescape"))
                changed = True
        return changed

    def add(self, service: str, variable: str, word: str) -> None:
        """Append the variable to the file of the service, or to the one for all."""
        path = CONFIGURATION
        if self.host.status(DIRECTORY, follow=True) is not None:
            path = f"{DIRECTORY}/{service}"
        elif self.host.status(LOCAL, follow=True) is not None:
            path = LOCAL
        exists = self.host.status(path, follow=True) is not None
        old = self.host.read(path) if exists else b""
        text = f'# Added by Puppet\n{variable}_enable="{word}"\n'
        rewrite(self.host, path, old + text.encode(), new_mode=NEW_MODE)


provider = Freebsd
