"""The list of reasons for a reboot, a file in JSON format."""

from __future__ import annotations

import json
import posixpath
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.rewriting import rewrite
from bunraku.providers.run import LEVELS
from bunraku.types.ruby_semantics.values import to_s

CONTROL = "reboot_control_metadata"
"""The entry of the file that is not a reason but has the level of the message."""
UPTIME = "/proc/uptime"
Records = dict[str, Any]


class Notifications(Provider):
    """Reads and writes the list, and logs it at the end of a run."""

    name = "notify"

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.records: dict[ManagedResource, Records] = {}
        """The list as it was when a resource was read."""

    def suitable(self) -> bool:
        """Return True: every machine has files."""
        return True

    def prefetch(self, resources: Any) -> None:
        """Do nothing: the list is read for each resource."""

    @property
    def target(self) -> str:
        """The path of the list."""
        settings = self.run.settings
        var = settings.get("vardir") or posixpath.dirname(str(settings.get("statedir")))
        return posixpath.join(str(var), "reboot_notifications.json")

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the list exists and has no other reason, or level, of the resource."""
        self.records[resource] = {CONTROL: {"log_level": "notice"}}
        try:
            records = records_of(self.host.read(self.target))
        except (OSError, ValueError) as error:
            self.run.log("debug", f"reboot_notify: #exists? => {error}")
            return False
        self.records[resource] = records
        if resource.is_true("control_only"):
            control = records.setdefault(CONTROL, {})
            return bool(control.setdefault("log_level", "notice") == resource["log_level"])
        mine = records.get(resource.name)
        return mine is None or bool(mine.get("reason") == resource["reason"])

    def create(self, resource: ManagedResource) -> None:
        """Write the list with the record of a resource."""
        self.write_record(resource, "create")

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the list."""
        if self.host.status(self.target, follow=True) is not None:
            self.host.remove_file(self.target)

    def write_record(self, resource: ManagedResource, verb: str) -> None:
        """Write the list with the reason or the level of a resource."""
        records = self.records[resource]
        if resource.is_true("control_only"):
            records[CONTROL]["log_level"] = resource["log_level"]
        else:
            updated = int(self.host.now())
            records[resource.name] = {"reason": resource["reason"], "updated": updated}
        try:
            self.write(records)
        except OSError as error:
            text = f"reboot_notify: Could not {verb} '{self.target}': {error.strerror or error}"
            raise ResourceFailure(text) from None

    def write(self, records: Records) -> None:
        """Write the list."""
        text = json.dumps(records, indent=2, ensure_ascii=False, default=to_s) + "\n"
        content = text.encode("utf-8", "surrogateescape")
        rewrite(self.host, self.target, content, new_mode=0o644)

    def finish_run(self) -> None:
        """Remove the reasons that are older than the last boot from the list, and log the others."""
        try:
            before = self.host.read(self.target)
            records = records_of(before)
        except OSError as error:
            text = f"reboot_notify: Could not read file '{self.target}': {error.strerror}"
            raise ResourceFailure(text) from None
        except ValueError as error:
            text = f"reboot_notify: Invalid JSON in '{self.target}': {error}"
            raise ResourceFailure(text) from None
        control = records.pop(CONTROL, {"log_level": "notice"})
        oldest = int(self.host.now()) - int(float(self.host.read(UPTIME).split()[0]))
        records = {
            name: record
            for name, record in records.items()
            if "updated" not in record or record["updated"] >= oldest
        }
        if records:
            self.report(records, str(control.get("log_level")))
        if not self.run.settings["noop"]:
            self.write({CONTROL: control, **records})

    def report(self, records: Records, level: str) -> None:
        """Log the reasons."""
        lines = ["System Reboot Required Because:"]
        for name, record in records.items():
            if "updated" in record:
                record["reason"] = record.get("reason") or "modified"
                lines.append(f"  {name} => {record['reason']}")
        if level not in LEVELS:
            self.run.log("warning", f"Invalid log_level: '{level}'")
            level = "notice"
        self.run.log(level, "\n".join(lines))


def records_of(content: bytes) -> Records:
    """Return the records of a list; ValueError for anything else."""
    found = json.loads(content)
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise ValueError("the file is not a list of reasons")
    return found


provider = Notifications
