"""Units of systemd; one ``systemctl show`` reads all services of the catalog."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from bunraku.base.records import record
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State, Words
from bunraku.providers.run import Run
from bunraku.providers.service.base import RUNNING, STOPPED, Base
from bunraku.providers.service.debian import INVOKE
from bunraku.providers.service.system import enabled_by_policy, runs_systemd
from bunraku.providers.service.unit_links import read_unit_links
from bunraku.providers.systems import families

SHOWN = ("Id", "LoadState", "ActiveState", "UnitFileState", "FragmentPath")
ACTIVE = frozenset({"active", "reloading"})
"""The states for which ``systemctl is-active`` succeeds."""
ENABLED = frozenset({"enabled", "enabled-runtime", "static", "alias", "generated"})
"""The words of ``systemctl is-enabled`` for which it succeeds; ``indirect`` counts as disabled."""
REDIRECTED = frozenset({"", "generated"})
"""Units without a unit file: ``systemctl is-enabled`` runs a program for each."""
TEMPLATE = "@.service"
LISTED = re.compile(r"^(\S+)\s+(disabled|enabled|masked|indirect|bad|static)\s", re.MULTILINE)


@record(frozen=True)
class Unit:
    """The state of a unit. ``file`` is the state of its unit file, ``fragment`` the path of that file."""

    name: str = ""
    load: str = ""
    active: str = ""
    file: str = ""
    fragment: str = ""


class Systemd(Base):
    """Controls units with ``systemctl``; the suffix ``.service`` is optional."""

    name = "systemd"
    programs: ClassVar[tuple[str, ...]] = ("systemctl",)
    features: ClassVar[frozenset[str]] = frozenset({"refreshable", "enableable", "maskable"})

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.units: dict[str, Unit] = {}
        """The result of the last query, by names of services."""
        self.words: dict[str, str] = {}
        """The output of ``systemctl is-enabled``, by names of services."""
        self.read_at = -1
        """The number of changes in the run at the time of the last query."""
        self.waiting: dict[str, bool] = {}
        """The services that the next query reads, and whether their start at boot is managed."""

    def suitable(self) -> bool:
        """Return whether systemd runs."""
        return super().suitable() and runs_systemd(self.host)

    def systemctl(self, *words: str) -> Words:
        """Return a command line of ``systemctl``."""
        return (self.host.find_program("systemctl") or "systemctl", *words)

    # -- one query for all -----------------------------------------------------------------------

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Collect the services for the next query."""
        for resource in resources:
            self.waiting[resource.name] = "enable" in resource

    def refreshed(self, resource: ManagedResource) -> None:
        """Read the units again if something has changed since the last query."""
        name = resource.name
        if self.read_at != self.run.changes or name not in self.units:
            self.waiting[name] = "enable" in resource
            self.units, self.words = self.shown(self.waiting), {}
            self.words = self.enablements([one for one, managed in self.waiting.items() if managed])
            self.read_at = self.run.changes
        self.waiting.pop(name, None)

    def has_file(self, name: str) -> bool:
        """Return whether a unit has a unit file."""
        unit = self.units.get(name, Unit())
        return unit.load != "not-found" and unit.file not in REDIRECTED

    def shown(self, names: Iterable[str]) -> dict[str, Unit]:
        """Return the units with names, without those that systemd cannot show."""
        wanted = list(names)
        query = self.systemctl("show", "--property=" + ",".join(SHOWN), "--", *wanted)
        blocks = self.attempt(query, merged=False).output.strip("\n").split("\n\n")
        if len(blocks) != len(wanted):  # a pattern, or the name of a template
            return {}
        return dict(zip(wanted, map(unit_of, blocks), strict=True))

    def enablements(self, names: Sequence[str]) -> dict[str, str]:
        """Return the states of the unit files of units that have one, as ``systemctl is-enabled`` does.

        Its output is read for units whose links do not fit the state that systemd has kept.
        """
        ready = [name for name in names if self.has_file(name)]
        if not ready:
            return {}
        links = read_unit_links(self.host)
        found: dict[str, str] = {}
        doubtful: list[str] = []
        for name in ready:
            unit = self.units[name]
            same = unit.name in (name, f"{name}.service")  # the name may be an alias
            if same and links.confirm(unit.name, unit.file, unit.fragment):
                found[name] = unit.file
            else:
                doubtful.append(name)
        if doubtful:
            done = self.attempt(self.systemctl("is-enabled", "--", *doubtful), merged=False)
            lines = done.output.splitlines()
            if len(lines) == len(doubtful):
                found.update(zip(doubtful, lines, strict=True))
        return found

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all services with a unit file."""
        query = ("list-unit-files", "--type", "service", "--full", "--all", "--no-pager")
        listed = dict(LISTED.findall(self.attempt(self.systemctl(*query), merged=False).output))
        units = self.shown(name for name in listed if not name.endswith(TEMPLATE))
        for name, state in listed.items():
            if name.endswith(TEMPLATE):  # systemctl does not show templates
                units[name] = Unit(file=state)
        return {
            name: {
                "ensure": RUNNING if unit.active in ACTIVE else STOPPED,
                "enable": "true" if unit.file in ENABLED else "false",
            }
            for name, unit in units.items()
        }

    # -- states ----------------------------------------------------------------------------------

    def status_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that succeeds if a unit is active."""
        return self.systemctl("is-active", "--", resource.name)

    def status(self, resource: ManagedResource) -> str:
        """Return ``running`` or ``stopped``; a missing unit is stopped."""
        if resource["status"] is None:
            self.refreshed(resource)
            unit = self.units.get(resource.name)
            if unit is not None:
                return RUNNING if unit.active in ACTIVE else STOPPED
        return super().status(resource)

    def enabled_word(self, resource: ManagedResource) -> str:
        """Return the output of ``systemctl is-enabled`` for a service."""
        self.refreshed(resource)
        name = resource.name
        if name not in self.words:
            query = self.systemctl("is-enabled", "--", name)
            self.words[name] = self.attempt(query, merged=False).output.strip("\n")
        return self.words[name]

    def enabled(self, resource: ManagedResource) -> str:
        """Return ``true`` or ``false``; ``mask`` if a unit is masked and should be."""
        word = self.enabled_word(resource)
        if word == "masked" and resource["enable"] == "mask":
            return "mask"
        if word in ENABLED:
            return "true"
        if not word and "debian" in families(self.host):
            query = (INVOKE, "--quiet", "--query", resource.name, "start")
            code = self.attempt(query, merged=False).code
            name = resource.name.split(".")[0] if ".service" in resource.name else resource.name
            return "true" if enabled_by_policy(self.host, code, name) else "false"
        return "false"

    def enabled_in_sync(self, resource: ManagedResource, current: str) -> bool:
        """Return whether the start at boot is in sync; systemd controls that of some units."""
        word = self.enabled_word(resource)
        if word == "indirect" or (word == "static" and resource["enable"] != "mask"):
            text = f"{resource.name} is {word}: it cannot be enabled or disabled"
            resource.log("debug", text)
            return True
        return super().enabled_in_sync(resource, current)

    # -- changes ---------------------------------------------------------------------------------

    def change_enabled(self, action: str, resource: ManagedResource) -> None:
        """Enable, disable, mask or unmask a unit."""
        self.words.pop(resource.name, None)
        if self.attempt(self.systemctl(action, "--", resource.name)).code != 0:
            raise ResourceFailure(f"Could not {action} {resource.name}: ")

    def set_enabled(self, resource: ManagedResource, wanted: str) -> None:
        """Enable, disable or mask a unit."""
        if wanted == "mask":
            self.mask(resource)
        else:
            super().set_enabled(resource, wanted)

    def enable(self, resource: ManagedResource) -> None:
        """Enable a unit, which may be masked."""
        self.change_enabled("unmask", resource)
        self.change_enabled("enable", resource)

    def disable(self, resource: ManagedResource) -> None:
        """Disable a unit."""
        self.change_enabled("disable", resource)

    def mask(self, resource: ManagedResource) -> None:
        """Mask a unit so that nothing can start it."""
        if self.attempt(self.systemctl("cat", "--", resource.name), merged=False).code == 0:
            self.disable(resource)
        self.change_enabled("mask", resource)

    def start_command(self, resource: ManagedResource) -> Words:
        """Unmask a unit and return the command that starts it."""
        self.change_enabled("unmask", resource)
        return self.systemctl("start", "--", resource.name)

    def stop_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that stops a unit."""
        return self.systemctl("stop", "--", resource.name)

    def restart_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that restarts a unit."""
        return self.systemctl("restart", "--", resource.name)

    def start(self, resource: ManagedResource) -> None:
        """Start a unit; reload its unit file if it has changed."""
        self.reload(resource)
        self.with_journal("start", resource)

    def stop(self, resource: ManagedResource) -> None:
        """Stop a unit."""
        self.with_journal("stop", resource)

    def restart(self, resource: ManagedResource) -> None:
        """Restart a unit; reload its unit file if it has changed."""
        self.reload(resource)
        self.with_journal("restart", resource)

    def reload(self, resource: ManagedResource) -> None:
        """Reload systemd's unit files if the one of a service has changed."""
        query = self.systemctl("show", "--property=NeedDaemonReload", "--", resource.name)
        if self.attempt(query, merged=False).output.strip().endswith("=yes"):
            self.attempt(self.systemctl("daemon-reload"), merged=False)

    def with_journal(self, action: str, resource: ManagedResource) -> None:
        """Start, stop or restart a unit; a failure shows the last lines of its journal."""
        actions = {"start": super().start, "stop": super().stop, "restart": super().restart}
        try:
            actions[action](resource)
        except ResourceFailure:
            name = resource.name
            query = f"journalctl -n 50 --since '5 minutes ago' -u {name} --no-pager"
            text = f"Systemd {action} for {name} failed!\njournalctl log for {name}:\n"
            raise ResourceFailure(text + self.attempt(query).output) from None


def unit_of(block: str) -> Unit:
    """Parse the lines of ``systemctl show`` for a unit.

    >>> unit_of("Id=a.service\\nLoadState=loaded\\nActiveState=active").active
    'active'
    """
    values = dict(line.partition("=")[::2] for line in block.splitlines())
    return Unit(*(values.get(name, "") for name in SHOWN))


provider = Systemd
