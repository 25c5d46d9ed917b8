"""Settings of the running kernel, changed with ``sysctl``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.kernel_settings import read_setting, setting_path
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.types.ruby_semantics.values import to_s

UNLISTED = ("/base_reachable_time", "/retrans_time")
"""Endings of settings that ``sysctl -a`` leaves out because others replace them."""


class RuntimeSettings(Provider):
    """Reads ``/proc/sys`` and changes values with ``sysctl``."""

    name = "sysctl_runtime"
    programs: ClassVar[tuple[str, ...]] = ("sysctl",)

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the values of settings."""
        if wanted is not None:
            found = {one.name: self.listed(one.name) for one in wanted}
            return {name: {"val": value} for name, value in found.items() if value is not None}
        lines = self.attempt(("sysctl", "-a"), merged=False).output.splitlines()
        pairs = (line.partition(" = ") for line in reversed(lines))
        return {name: {"val": value} for name, separator, value in pairs if separator}

    def listed(self, name: str) -> str | None:
        """Return the first line of a value, as ``sysctl -a`` lists it; None if it does not."""
        path = setting_path(name)
        if path is None or path.endswith(UNLISTED) or name.replace(".", "/").startswith("/"):
            return None
        value = read_setting(self.host, name)
        return None if value is None else value.split("\n")[0]

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read the values of all resources; warn about settings that the kernel lacks."""
        super().prefetch(resources)
        for one in resources:
            if one.name not in (self.states or {}):
                text = f"sysctl parameter {one.name} wasn't found on this system"
                self.run.log("warning", text)

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change a value."""
        program = self.host.find_program("sysctl") or "sysctl"
        self.execute(program, f"{resource.name}={to_s(value)}")


provider = RuntimeSettings
