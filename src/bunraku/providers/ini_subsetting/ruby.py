"""The provider of ``ini_subsetting``; the name is that of Puppet's provider."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.ini_file import IniFile, IniStyle, read_ini, write_ini
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.types.ruby_semantics.values import to_s


class Parts:
    """The parts of the value of a setting."""

    def __init__(self, value: str | None, resource: ManagedResource) -> None:
        self.separator: str = resource["subsetting_separator"]
        self.sign: str = resource["subsetting_key_val_separator"]
        if not self.separator:
            raise ResourceFailure("subsetting_separator is empty: no character separates the parts")
        self.exact = resource.is_true("use_exact_match")
        self.quote: str = resource["quote_char"]
        self.items: list[str] = []
        if value is None:
            return
        if value[:1] in ("'", '"') and value.endswith(value[0]):
            self.quote, value = value[0], value[1:-1]
        words = re.findall(rf"(?:[^{re.escape(self.separator)}]|\.)+", value)
        self.items = [word.strip() for word in words]

    def text(self) -> str:
        """Return the value of the setting."""
        return f"{self.quote}{self.separator.join(self.items)}{self.quote}"

    def is_part(self, item: str, name: str) -> bool:
        """Return whether an item is the part with a name."""
        return item == name if self.exact else item.startswith(name + self.sign)

    def find(self, name: str) -> int | None:
        """Return the position of the part with a name."""
        found = (number for number, item in enumerate(self.items) if self.is_part(item, name))
        return next(found, None)

    def put(self, resource: ManagedResource) -> None:
        """Change the part of a resource, or insert it."""
        name: str = resource["subsetting"]
        item = f"{name}{self.sign}{to_s(resource['value'])}"
        if self.find(name) is not None:
            self.items = [item if self.is_part(one, name) else one for one in self.items]
        else:
            self.items.insert(self.place(resource), item)

    def place(self, resource: ManagedResource) -> int:
        """Return the position for a new part."""
        kind, value = resource["insert_type"], resource["insert_value"]
        if kind == "start":
            return 0
        if kind == "index":
            number = re.match(r"\s*-?\d+", to_s(value))
            return min(int(number[0]) if number else 0, len(self.items))
        found = self.find(to_s(value)) if kind in ("before", "after") else None
        if found is None:
            return len(self.items)
        return found if kind == "before" else found + 1

    def remove(self, name: str) -> None:
        """Remove the part with a name."""
        self.items = [item for item in self.items if not self.is_part(item, name)]


class Subsettings(Provider):
    """Reads and writes INI files."""

    name = "ruby"

    def suitable(self) -> bool:
        """Return True: every machine has files."""
        return True

    def read(self, resource: ManagedResource) -> tuple[IniFile, Parts]:
        """Return the file of a resource, and the parts of the setting."""
        file = read_ini(self.host, resource["path"], IniStyle(resource["key_val_separator"]))
        return file, Parts(file.get(resource["section"], resource["setting"]), resource)

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the part exists."""
        _, parts = self.read(resource)
        return parts.find(resource["subsetting"]) is not None

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the value of the part."""
        _, parts = self.read(resource)
        parts.exact = False
        start: str = resource["subsetting"] + parts.sign
        position = parts.find(resource["subsetting"])
        return ABSENT if position is None else parts.items[position][len(start) :]

    def create(self, resource: ManagedResource) -> None:
        """Add the part."""
        self.set(resource, "value", resource["value"])

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Write the value of the part."""
        file, parts = self.read(resource)
        parts.put(resource)
        file.set(resource["section"], resource["setting"], parts.text())
        write_ini(self.host, resource["path"], file)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the part; as in Puppet, a setting without parts and quotation marks is removed."""
        file, parts = self.read(resource)
        parts.remove(resource["subsetting"])
        if parts.text():
            file.set(resource["section"], resource["setting"], parts.text())
        else:
            file.remove(resource["section"], resource["setting"])
        write_ini(self.host, resource["path"], file)


provider = Subsettings
