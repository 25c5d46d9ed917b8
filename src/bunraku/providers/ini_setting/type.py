"""The resource type ``ini_setting``."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import absolute_path, munging, one_text, switch
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.values.ruby_semantics.numbers import to_i
from bunraku.values.sensitive import Sensitive

HIDDEN = "[redacted sensitive information]"


def read_show_diff(value: Any) -> str:
    """Return ``true``, ``md5`` or ``false``."""
    word = to_s(value)
    if word not in ("true", "md5", "false"):
        raise InvalidValue(f"Invalid value {inspect(value)}. Valid values are true, md5, false.")
    return word


def read_value(value: Any) -> str:
    """Return a text or a number as text, also a secret one."""
    value = value.value if isinstance(value, Sensitive) else value
    if not isinstance(value, str | int | float):
        shown = f"{inspect(value)}:{ruby_class(value)}"
        raise munging("value", value, f"undefined method `strip' for {shown}")
    return to_s(value).strip()


def read_setting(value: Any) -> str:
    """Return the name of a setting."""
    name: str = one_text("setting")(value)
    return name.strip()


def read_width(value: Any) -> int:
    """Return a number of characters, 0 for text that is not a number, as Puppet does."""
    if not isinstance(value, str | int | float):
        raise InvalidValue(f"expected a number, got {to_s(value)}")
    return max(to_i(value), 0)


class ShownValue(Property):
    """The value of a setting; messages show it, its checksum or a placeholder."""

    def shown(self, resource: ManagedResource, value: Any) -> str:
        """Format the value as ``show_diff`` requires."""
        allowed = resource["show_diff"] if resource.run.settings.get("show_diff") else "false"
        if allowed == "md5":
            checksum = hashlib.md5(to_s(value).encode(), usedforsecurity=False).hexdigest()
            return f"{{md5}}{checksum}"
        return to_s(value) if allowed == "true" else HIDDEN


class PassiveEnsure(Ensure):
    """Whether the setting exists; with ``refreshonly``, it always counts as in sync."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the state is the wanted one."""
        return resource.is_true("refreshonly") or super().in_sync(resource, current)


class PassiveValue(ShownValue):
    """The value; with ``refreshonly``, it always counts as in sync."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the value is the wanted one."""
        return resource.is_true("refreshonly") or super().in_sync(resource, current)


SECTION = Parameter(
    "section", read=to_s, default="", about="The section; empty for the part before all sections."
)
SHOW_DIFF = Parameter(
    "show_diff",
    read=read_show_diff,
    default="true",
    about="Whether values are logged: `true`, `false`, or `md5` for their checksums.",
)
SEPARATOR = Parameter(
    "key_val_separator",
    text=True,
    default=" = ",
    about="The text between a setting and its value.",
)


class IniSetting(ResourceType):
    """Settings in sections of an INI file."""

    name = "ini_setting"
    module = "puppetlabs-inifile 5.4"
    providers = ("ruby",)
    refreshable = True
    attributes = (
        PassiveEnsure(default="present", about="Whether the setting exists."),
        PassiveValue("value", read=read_value, about="The value of the setting."),
        Parameter("name", about="A name of the resource."),
        SECTION,
        Parameter(
            "setting",
            read=read_setting,
            about="The setting. Without it, the resource manages the section.",
        ),
        switch(
            "force_new_section_creation", default=True, about="Whether a missing section is added."
        ),
        Parameter("path", read=absolute_path, about="The file."),
        SHOW_DIFF,
        SEPARATOR,
        Parameter(
            "section_prefix", text=True, default="[", about="The text before the name of a section."
        ),
        Parameter(
            "section_suffix", text=True, default="]", about="The text after the name of a section."
        ),
        Parameter(
            "indent_char", text=True, default=" ", about="The character that indents new settings."
        ),
        Parameter(
            "indent_width",
            read=read_width,
            about="The number of these characters. Default: as many as other settings of the section have.",
        ),
        switch(
            "refreshonly", default=False, about="Whether the setting is changed by a refresh only."
        ),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the directory of the file."""
        if resource["path"]:
            yield "file", resource["path"].rpartition("/")[0] or "/"

    def refresh(self, resource: ManagedResource) -> None:
        """Set or remove the setting of a resource with ``refreshonly``."""
        if not resource.is_true("refreshonly"):
            return
        if resource["ensure"] == "absent":
            resource.provider.destroy(resource)
        else:
            resource.provider.set(resource, "value", resource["value"])


resource_type = IniSetting
