"""The provider of ``ini_setting``; the name is that of Puppet's provider."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.ini_file import IniFile, IniStyle, read_ini, write_ini
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider


class Settings(Provider):
    """Reads and writes INI files."""

    name = "ruby"

    def suitable(self) -> bool:
        """Return True: every machine has files."""
        return True

    def file(self, resource: ManagedResource) -> IniFile:
        """Read the file of a resource."""
        style = IniStyle(
            resource["key_val_separator"],
            resource["section_prefix"],
            resource["section_suffix"],
            resource["indent_char"],
            resource["indent_width"],
        )
        return read_ini(self.host, resource["path"], style)

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the setting exists; without ``setting``, whether the section exists.

        Without ``force_new_section_creation``, a missing section counts as wanted.
        """
        file = self.file(resource)
        if resource["setting"] is None:
            return file.has_section(resource["section"])
        if not file.has_section(resource["section"]):
            return not resource.is_true("force_new_section_creation") and (
                resource["ensure"] != ABSENT
            )
        return file.get(resource["section"], resource["setting"]) is not None

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the value of the setting."""
        file = self.file(resource)
        if not file.has_section(resource["section"]):
            return resource["value"]
        found = file.get(resource["section"], resource["setting"])
        return ABSENT if found is None else found

    def create(self, resource: ManagedResource) -> None:
        """Add the setting."""
        self.set(resource, "value", resource["value"])

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the setting."""
        file = self.file(resource)
        if resource["setting"] is not None:
            file.remove(resource["section"], resource["setting"])
        write_ini(self.host, resource["path"], file)

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Write the value of the setting."""
        file = self.file(resource)
        file.set(resource["section"], resource["setting"], value or "")
        write_ini(self.host, resource["path"], file)


provider = Settings
