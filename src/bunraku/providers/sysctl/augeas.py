"""Settings of the kernel in files and in the running kernel, as in the module augeasproviders_sysctl."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.kernel_settings import read_setting
from bunraku.providers.lens_file import (
    LensProvider,
    binary,
    is_empty,
    present,
    set_all,
    without_name,
)
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.run import Run
from bunraku.providers.systems import families
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Host

VERSION = re.compile(r'^VERSION_ID="?(\d+)', re.MULTILINE)
FIRST_WITHOUT_FILE = 13
"""The first release of Debian that does not read ``/etc/sysctl.conf``."""
CONFIGURATION, DIRECTORY = "/etc/sysctl.conf", "/etc/sysctl.d"


class KernelSettings(LensProvider):
    """Changes files through Augeas, and the running kernel with ``sysctl``."""

    lens = "Sysctl.lns"
    source = "sysctl"
    default_target: ClassVar[str | None] = "/etc/sysctl.conf"

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.persisted: dict[str, bool] = {}
        """Setting of the kernel → whether the file of the first resource has it."""
        self.live: dict[str, str | None] = {}
        """Name → the value in the kernel when it was compared last."""

    def target(self, resource: ManagedResource) -> str:
        """Return the file of a resource."""
        if resource["target"] is None and reads_directory_only(self):
            return "/etc/sysctl.d/99-puppet.conf"
        return super().target(resource)

    def path(self, resource: ManagedResource) -> str:
        """Return the path of the setting."""
        return f"$target/{resource.name}"

    # -- listing ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the settings of the usual files, and those of the running kernel."""
        names: list[str] = []
        for file in usual_files(self.host):
            paths = self.tree(self.lens).open(file).match("$target/*")
            names += [path.rpartition("/")[2] for path in paths if "#comment" not in path]
        lines = self.execute(self.program(), "-a").output.splitlines()
        return present([*names, *(line.partition("=")[0].strip() for line in lines)])

    def take(self, resource: ManagedResource, state: State) -> None:
        """Let a setting that was listed be known."""
        super().take(resource, state)
        self.prefetch([resource])

    # -- state -----------------------------------------------------------------------------------

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Find the settings that the kernel has, and those that are in the file.

        As in the module, the file is that of the first resource, and the settings are the titles.
        """
        super().prefetch(resources)
        if resources:
            tree = self.open(resources[0])
            for title in dict.fromkeys(one.title for one in resources):
                in_file = tree.get(f"$target/{title}") is not None
                if in_file or read_setting(self.host, title) is not None:
                    self.persisted[title] = in_file

    def is_known(self, resource: ManagedResource) -> bool:
        """Return whether the kernel or the file has the setting."""
        return resource.name in self.persisted

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the setting exists; without ``silent``, an unknown one fails."""
        if not self.persisted:
            self.prefetch([resource])
        wanted = resource["ensure"] != ABSENT
        if wanted and not self.is_known(resource):
            if resource.is_true("silent"):
                return True
            raise ResourceFailure(f"Error: `{resource.name}` is not a valid sysctl key")
        if self.is_known(resource):
            return wanted or self.persisted[resource.name]
        return super().exists(resource)

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the value in the file, or the comment above it."""
        tree = self.open(resource)
        if name == "comment":
            return binary(without_name(tree.get(comment_path(resource)), resource.name))
        return binary(tree.get("$resource"))

    def live_value(self, resource: ManagedResource) -> str | None:
        """Return the value in the kernel; with ``silent``, the wanted value."""
        if resource.is_true("silent"):
            value = wanted_value(resource)
        else:
            value = read_setting(self.host, resource.name)
            if value is None:
                value = self.execute(self.program(), "-n", resource.name).output.removesuffix("\n")
        self.live[resource.name] = value
        return value

    def program(self) -> str:
        """Return the path of ``sysctl``; ResourceFailure without one."""
        found = self.host.find_program("sysctl")
        if found is None:
            raise ResourceFailure("Command sysctl is missing")
        return found

    # -- changes ---------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Add the setting to the file, preferably after a comment that contains it."""
        if not resource.is_true("persist"):
            return
        if not self.is_known(resource) and not resource.is_true("silent"):
            raise ResourceFailure(f"Error: `{resource.name}` is not a valid sysctl key")
        tree, name = self.change(resource), resource.name
        commented = tree.match(f"$target/#comment[.=~regexp('{name}([^a-z.].*)?')]")
        if commented:
            tree.insert(commented[0], name, before=False)
        tree.set(self.path(resource), wanted_value(resource))

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the setting and its comment from the file."""
        tree = self.change(resource)
        tree.remove(comment_path(resource))
        tree.remove("$resource")

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the value in the file, or the comment."""
        tree = self.change(resource)
        if name != "comment":
            set_all(tree, "$resource", value)
            return
        path = comment_path(resource)
        if is_empty(value):
            tree.remove(path)
            return
        if not tree.match(path):
            tree.insert("$resource", "#comment", before=True)
        tree.set(before_setting(resource), f"{resource.name}: {to_s(resource['comment'])}")

    def flush(self, resource: ManagedResource) -> None:
        """Change the running kernel, and write the file."""
        if resource["ensure"] == ABSENT:
            super().flush(resource)
            return
        value = wanted_value(resource)
        if resource.is_true("apply") and value is not None:
            self.set_live(resource, value)
        if not resource.is_true("persist"):
            return
        if self.persisted.get(resource.name) is False:
            self.create(resource)
        super().flush(resource)

    def set_live(self, resource: ManagedResource, value: str) -> None:
        """Change the running kernel; with ``silent``, a failure is only logged."""
        try:
            self.execute(self.program(), "-w", f"{resource.name}={value}")
        except ResourceFailure:
            if not resource.is_true("silent"):
                raise
            text = (
                f"augeasprovider_sysctl ignoring failed attempt to set {resource.name} "
                "due to :silent mode"
            )
            self.run.log("debug", text)


def usual_files(host: Host) -> list[str]:
    """Return the files that the system reads, in the order in which the module does."""
    found = [CONFIGURATION] if host.is_file(CONFIGURATION) else []
    if host.is_directory(DIRECTORY):
        names = [one for one in host.list_directory(DIRECTORY) if one.endswith(".conf")]
        found += [f"{DIRECTORY}/{one}" for one in sorted(names, reverse=True)]
    return found


def wanted_value(resource: ManagedResource) -> str | None:
    """Return the wanted value, of either attribute."""
    value = resource["value"]
    found: str | None = resource["val"] if value is None else value
    return found


def before_setting(resource: ManagedResource) -> str:
    """Return the path of a comment directly above the setting."""
    return f"$target/#comment[following-sibling::*[1][self::{resource.name}]]"


def comment_path(resource: ManagedResource) -> str:
    """Return the path of the setting's own comment."""
    return f"{before_setting(resource)}[. =~ regexp('{resource.name}:.*')]"


def reads_directory_only(provider: KernelSettings) -> bool:
    """Return whether the system is a Debian without ``/etc/sysctl.conf``."""
    if "debian" not in families(provider.host):
        return False
    text = provider.host.read("/etc/os-release").decode("utf-8", "replace")
    match = VERSION.search(text)
    return (
        "ID=debian" in text.splitlines()
        and match is not None
        and int(match[1]) >= FIRST_WITHOUT_FILE
    )


provider = KernelSettings
