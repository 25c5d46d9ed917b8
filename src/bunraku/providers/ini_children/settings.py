"""The providers of these types: settings in INI files and in configuration files of OpenStack."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.ini_children.finding import SettingRules
from bunraku.providers.ini_children.openstack_file import OpenStackFile
from bunraku.providers.ini_children.parents import OPENSTACK, OPENSTACK_INI
from bunraku.providers.ini_file import NEW_FILE, IniFile, IniStyle, read_ini, write_ini
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.providers.rewriting import rewrite
from bunraku.providers.run import Run
from bunraku.providers.systems import is_debian, is_red_hat, is_suse

FAMILIES = {"debian": is_debian, "redhat": is_red_hat, "suse": is_suse}
IMMUTABLE = "<_IMMUTABLE_>"
"""The value that leaves a setting as it is, unless the fact ``os_immutable`` is another one."""


class FileSettings(Provider):
    """What the providers have in common: a file, and a place in it for each name."""

    def __init__(self, run: Run, rules: SettingRules) -> None:
        super().__init__(run)
        self.rules = rules
        self.name = rules.name
        self.found: dict[str, dict[tuple[str, str], Any]] = {}
        """The values by section and setting, for each separator."""
        self.read_at: int | None = None
        """The changes of the run before which the values were read; None if they are outdated."""

    def suitable(self) -> bool:
        """Return whether the system is of the family that the provider is for."""
        family = self.rules.family
        return family is None or FAMILIES[family](self.host)

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: each resource finds its value in the file."""

    def place(self, resource: ManagedResource) -> tuple[str, str]:
        """Return the section and the setting of a resource."""
        if not self.rules.has_sections:
            return "", resource.name
        parts = resource.name.split("/", 1)
        return parts[0], parts[-1]

    @abstractmethod
    def values(self, separator: str) -> dict[tuple[str, str], Any]:
        """Read all values of the file, by section and setting."""

    def separator(self, resource: ManagedResource) -> str:
        """Return the text between settings and values."""
        return "="

    def current(self, resource: ManagedResource) -> Any:
        """Return the value in the file, None if there is none; a change makes the file read again."""
        if self.read_at != self.run.changes:
            self.found, self.read_at = {}, self.run.changes
        separator = self.separator(resource)
        if separator not in self.found:
            self.found[separator] = self.values(separator)
        return self.found[separator].get(self.place(resource))

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all settings of the file, by section and name."""
        return {
            f"{section}/{setting}": {"ensure": "present", "value": value}
            for (section, setting), value in self.values("=").items()
        }

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the setting exists; the value may say that it should not."""
        self.adjust(resource)
        return self.current(resource) is not None

    def adjust(self, resource: ManagedResource) -> None:
        """Change the wanted state where the wanted value has a meaning of its own."""

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the value of the setting."""
        found = self.current(resource)
        return ABSENT if found is None else found

    def create(self, resource: ManagedResource) -> None:
        """Add the setting."""
        self.set(resource, "value", resource["value"])


class IniSettings(FileSettings):
    """Settings of an INI file."""

    def separator(self, resource: ManagedResource) -> str:
        """Return the separator of the provider, or of the resource."""
        return self.rules.separator or resource["key_val_separator"] or "="

    def file(self, separator: str) -> IniFile:
        """Return the file."""
        return read_ini(self.host, self.rules.path, IniStyle(separator))

    def values(self, separator: str) -> dict[tuple[str, str], Any]:
        """Return all values; of a section or setting that occurs twice, the last one."""
        file = self.file(separator)
        last = {section.name: section for section in file.sections}
        return {
            (name, match[2]): match[4]
            for name, section in last.items()
            for _, match in file.settings(section)
        }

    def adjust(self, resource: ManagedResource) -> None:
        """Remove the setting for ``ensure_absent_val``; otherwise put quotes around its value."""
        if not self.rules.quoted:
            return
        value = resource["value"]
        if value == resource["ensure_absent_val"]:
            resource.values["ensure"] = [ABSENT]
        elif resource["quote"] is not None:  # as in Puppet, even for false
            if value is None:
                raise ResourceFailure("undefined method `start_with?' for nil:NilClass")
            if not value.startswith('"'):
                resource.values["value"] = [f'"{value}"']

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Write the value."""
        file = self.file(self.separator(resource))
        file.set(*self.place(resource), value or "")
        self.write(file)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the setting."""
        file = self.file(self.separator(resource))
        file.remove(*self.place(resource), self.rules.emptied)
        self.write(file)

    def write(self, file: IniFile) -> None:
        """Write the file."""
        self.read_at = None
        write_ini(self.host, self.rules.path, file)


class OpenStackIniSettings(IniSettings):
    """Settings of an INI file whose values may say that they are absent or stay as they are."""

    def adjust(self, resource: ManagedResource) -> None:
        """Follow ``ensure_absent_val`` and the value for settings that stay as they are."""
        value = resource["value"]
        if value == resource["ensure_absent_val"]:
            resource.values["ensure"] = [ABSENT]
        elif value == immutable(self.run):
            current = self.current(resource)
            if current is None:
                raise ResourceFailure("Got nil value for value")
            keep_values(resource, [current])


class OpenStackSettings(FileSettings):
    """Settings with one or more values of a configuration file of OpenStack."""

    def file(self) -> OpenStackFile:
        """Return the file."""
        path = self.rules.path
        content = self.host.read(path) if self.host.is_file(path) else b""
        return OpenStackFile(content.decode("utf-8", "surrogateescape"))

    def write(self, file: OpenStackFile) -> None:
        """Write the file."""
        self.read_at = None
        content = file.text().encode("utf-8", "surrogateescape")
        rewrite(self.host, self.rules.path, content, new_mode=NEW_FILE)

    def adjust(self, resource: ManagedResource) -> None:
        """Follow ``ensure_absent_val`` and the value for settings that stay as they are."""
        value, absent = resource["value"], resource["ensure_absent_val"]
        if value == (
            [absent] if isinstance(value, list) and not isinstance(absent, list) else absent
        ):
            resource.values["ensure"] = [ABSENT]
        elif value == [immutable(self.run)]:
            current = self.current(resource)
            keep_values(resource, [""] if current is None else current)
            if current is None:
                resource.values["ensure"] = [ABSENT]

    def values(self, separator: str) -> dict[tuple[str, str], Any]:
        """Return all values."""
        return {
            (name, setting): values
            for name, section in self.file().sections.items()
            for setting, values in section.settings().items()
        }

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Write the values."""
        file = self.file()
        file.set(*self.place(resource), [""] if value is None else value)
        self.write(file)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the setting."""
        file = self.file()
        file.remove(*self.place(resource))
        self.write(file)


def immutable(run: Run) -> str:
    """Return the value that leaves a setting as it is."""
    return str(run.facts().get("os_immutable") or IMMUTABLE)


def keep_values(resource: ManagedResource, current: list[str]) -> None:
    """Let the current values be the wanted ones."""
    value = resource.type.by_name["value"]
    resource.values["value"] = [resource.accepted_value(value, one) for one in current]


def provider_of(rules: SettingRules, run: Run) -> FileSettings:
    """Return the provider with some rules."""
    kinds = {OPENSTACK: OpenStackSettings, OPENSTACK_INI: OpenStackIniSettings}
    return kinds.get(rules.parent, IniSettings)(run, rules)
