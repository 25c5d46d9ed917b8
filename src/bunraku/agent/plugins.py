"""Copy plugins from the server: facts, functions, types and providers of all modules.

As in Puppet, this is a run with one recursive file resource for each kind of plugins.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from bunraku.agent import issues
from bunraku.agent.files import ServerFiles
from bunraku.agent.http import Servers
from bunraku.agent.settings import AgentSettings
from bunraku.apply.log import Destination
from bunraku.apply.report import Report
from bunraku.apply.run import apply_catalog
from bunraku.apply.transaction import FromServer, Options
from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.catalog.catalog import Catalog
from bunraku.providers.run import Log
from bunraku.world.host import Host

OF_TRANSLATIONS = ("*.pot", "config.yaml")


@record(frozen=True)
class Mount:
    """A kind of plugins: its name in messages, its directory and the URI of its source."""

    name: str
    directory: str
    source: str
    permissions: str = "ignore"
    ignored: Sequence[str] = ()


def mounts(settings: AgentSettings) -> list[Mount]:
    """Return the kinds of plugins of the settings, in Puppet's order."""
    ignored = settings.words("pluginsignore")
    text = settings.text
    found = [
        Mount("pluginfacts", text("pluginfactdest"), text("pluginfactsource"), "use", ignored),
        Mount("plugin", text("plugindest"), text("pluginsource"), "ignore", ignored),
    ]
    if not settings.flag("disable_i18n"):
        more = [*ignored, *OF_TRANSLATIONS]
        found.append(Mount("locales", text("localedest"), text("localesource"), "ignore", more))
    return found


class Plugins:
    """The plugins of an environment on the server, and their directories on this machine."""

    def __init__(
        self,
        settings: AgentSettings,
        host: Host,
        servers: Servers,
        log: Log,
        destinations: Sequence[Destination],
        level: str,
    ) -> None:
        self.settings = settings
        self.host = host
        self.servers = servers
        self.log = log
        self.destinations = destinations
        self.level = level

    def copy(self, environment: str) -> None:
        """Copy all plugins; raise PuppetError if one cannot be copied, unless that is ignored."""
        for mount in mounts(self.settings):
            self.log("info", f"Retrieving {mount.name}")
            try:
                self.copy_mount(mount, environment)
            except PuppetError as error:
                if not self.settings.flag("ignore_plugin_errors"):
                    raise
                self.log("err", f"Could not retrieve {mount.name}: {error.message}")

    def copy_mount(self, mount: Mount, environment: str) -> None:
        """Copy the plugins of one kind; raise PuppetError for the first failure."""
        files = ServerFiles(self.servers, environment)
        report = apply_catalog(
            Catalog(catalog_data(mount, environment)),
            self.host,
            {"noop": False},
            destinations=self.destinations,
            level=self.level,
            options=Options(agent=FromServer(files=files, announced=False)),
        )
        reason = first_failure(report)
        if reason is not None and not self.settings.flag("ignore_plugin_errors"):
            raise issues.PLUGINS_FAILED(name=mount.name, reason=reason)


def first_failure(report: Report) -> str | None:
    """Return the message of the first failure of a run; None without one."""
    for status in report.statuses.values():
        if status.failed:
            messages = [one.message for one in status.events if one.status == "failure"]
            return messages[0] if messages else "unknown"
    return "the directory cannot be listed" if report.generation_failed else None


def catalog_data(mount: Mount, environment: str) -> dict[str, object]:
    """Return the catalog that copies the plugins of one kind."""
    parameters = {
        "path": mount.directory,
        "recurse": True,
        "links": "follow",
        "source": mount.source,
        "source_permissions": mount.permissions,
        "purge": True,
        "force": True,
        "backup": False,
        "noop": False,
        "max_files": -1,
        "ignore": list(mount.ignored),
        "owner": os.geteuid(),
        "group": os.getegid(),
    }
    resource = {
        "type": "File",
        "title": mount.directory,
        "tags": ["file", mount.name],
        "exported": False,
        "parameters": parameters,
    }
    return {
        "name": "PluginSync",
        "version": 0,
        "environment": environment,
        "resources": [resource],
        "edges": [],
    }
