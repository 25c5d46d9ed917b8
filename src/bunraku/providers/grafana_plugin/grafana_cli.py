"""Plugins that ``grafana-cli`` installs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.providers.secrets import passwords_in

OPTIONS = {
    "repo": ("--repo", "GF_PLUGIN_REPO"),
    "plugin_url": ("--pluginUrl", "GF_PLUGIN_URL"),
}
"""Attribute → the option of the program and the environment variable that has the same effect."""
LINE = re.compile(r"(.*?)\s+@\s+(\S+)")


class GrafanaCli(Provider):
    """Runs ``grafana-cli``, which may be installed during the run."""

    name = "grafana_cli"

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.read_at = -1
        """The number of changes in the run when the plugins were read."""

    def suitable(self) -> bool:
        """Return True: the program is needed when the first plugin is read."""
        return True

    def command(self, *words: str) -> str:
        """Run the program and return its output."""
        program = self.host.find_program("grafana-cli")
        if program is None:
            raise ResourceFailure("Command grafana_cli is missing")
        return self.execute(program, *words).output

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the installed plugins."""
        self.read_at = self.run.changes
        found = map(LINE.match, map(str.strip, self.command("plugins", "ls").splitlines()))
        return {one[1]: {"ensure": one[2]} for one in found if one is not None}

    def state(self, resource: ManagedResource) -> State:
        """Return the state of a plugin; after a change of the machine, the plugins are read again."""
        if self.read_at != self.run.changes:
            self.prefetch([resource])
        return super().state(resource)

    def create(self, resource: ManagedResource) -> None:
        """Install the plugin, from another server or its archive if one is set.

        The program gets a URL with a password by its environment.
        """
        options: tuple[str, ...] = ()
        self.variables = {}
        name = next((one for one in OPTIONS if resource[one] is not None), None)
        if name is not None:
            option, variable = OPTIONS[name]
            if any(passwords_in(resource[name])):
                self.variables = {variable: resource[name]}
            else:
                options = (option, resource[name])
        version = resource["ensure"]
        more = () if version == "present" else (str(version),)
        self.command(*options, "plugins", "install", resource.name, *more)
        self.variables = {}

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the plugin."""
        self.command("plugins", "uninstall", resource.name)

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the version of the plugin."""
        return self.state(resource).get(name, ABSENT)


provider = GrafanaCli
