"""The resource type ``grafana_plugin`` of the module grafana."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.attributes import ABSENT, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import url
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import to_s


def read_plugin_url(value: Any, resource: ManagedResource) -> str:
    """Return a URL with ``http`` or ``https``."""
    text = to_s(url(value, resource))
    if re.search(r"^https?://", text, re.MULTILINE) is None:
        raise InvalidValue(f"{text} is not a valid URL")
    return text


class InstalledVersion(Property):
    """Whether the plugin is installed, or its version."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the plugin is there, is not there, or has the wanted version."""
        wanted = to_s(resource[self.name])
        if wanted in ("present", ABSENT):
            return bool((current == ABSENT) == (wanted == ABSENT))
        return bool(str(current).strip() == wanted.strip())

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Install or remove the plugin."""
        if wanted == ABSENT:
            resource.provider.destroy(resource)
        else:
            resource.provider.create(resource)


class GrafanaPlugin(ResourceType):
    """Plugins of Grafana, which the program `grafana-cli` installs."""

    name = "grafana_plugin"
    module = "puppet-grafana 15.0"
    providers = ("grafana_cli",)
    attributes = (
        InstalledVersion(
            "ensure",
            words=("present", "absent"),
            pattern=r"^\d[0-9A-Za-z.+-]*$",
            default="present",
            about="Whether the plugin is installed; or the version.",
        ),
        Parameter("name", pattern=r"^\S+$", about="The name of the plugin."),
        Parameter("repo", read_for=read_plugin_url, about="The URL of another server of plugins."),
        Parameter(
            "plugin_url",
            read_for=read_plugin_url,
            about="The URL of the plugin's archive. `repo` comes first.",
        ),
    )


resource_type = GrafanaPlugin
