"""The environment and the stored facts that the settings of a call of ``puppet`` name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from bunraku.base.records import record
from bunraku.base.usage import UsageError
from bunraku.facts.documents import read_facts
from bunraku.jobs.paths import split_path
from bunraku.jobs.puppet_conf import read_configuration
from bunraku.modules.environment import Environment, environment_directories, load_environment
from bunraku.modules.node import trusted_data
from bunraku.modules.settings import own_directories
from bunraku.modules.settings import resolve as resolve_settings
from bunraku.world.linux import LinuxHost
from bunraku.world.machine import Machine

STORED = {
    "yaml": ("yamldir", "clientyamldir", "yaml"),
    "json": ("server_datadir", "client_datadir", "json"),
}
"""Terminus → the settings with the directories of its files, and their extension.

A server has the first directory; actions that run as a user, such as ``catalog find``, have the second.
"""


@record()
class PuppetSettings:
    """The settings of a call: ``chosen`` on the command line, ``given`` there and in puppet.conf, ``values`` all.

    ``section`` is the section of puppet.conf that counts.
    """

    chosen: Mapping[str, Any]
    given: Mapping[str, Any]
    values: Mapping[str, Any]
    section: str

    def text(self, name: str) -> str:
        """Return a setting as text, empty without a value."""
        value = self.values.get(name)
        return "" if value is None else str(value)


def given_settings(chosen: Mapping[str, Any], section: str, command: str) -> dict[str, Any]:
    """Return the settings of a command line over those of its puppet.conf; UsageError for a wrong file."""
    home = os.path.expanduser("~")
    own = {} if LinuxHost().effective_user() == 0 else own_directories(home)
    path = str(resolve_settings({**own, **chosen})["config"])
    if "config" in chosen and not os.path.isfile(path):
        raise UsageError(f"--config: cannot find {path}", command)
    configured = read_configuration(path, section) if os.path.isfile(path) else {}
    return {**own, **configured, **chosen}


def identified(data: dict[str, Any]) -> dict[str, Any]:
    """Return a catalog with the version and the identifier that a compile of Puppet gives it."""
    data["version"] = data["version"] or int(Machine().now())
    data["catalog_uuid"] = data["catalog_uuid"] or str(uuid4())
    return data


def trusted_of(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``$trusted``: without authentication the name is the fact ``clientcert``, as in Puppet.

    >>> trusted_of({"clientcert": "web1.example.com"})["hostname"]
    'web1'
    >>> trusted_of({})["certname"]
    """
    name = facts.get("clientcert")
    if isinstance(name, str):
        return trusted_data(name)
    return {**trusted_data("", {"authenticated": False}), "authenticated": "local"}


def environment_fields(call: PuppetSettings, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the request fields of the environment.

    Without a directory, ``production`` is an empty environment with the modules of the settings, since
    Puppet makes its directory. The manifest and modulepath of the command line win over the environment's.
    """
    fields: dict[str, Any] = {}
    if "modulepath" in call.chosen:
        fields["modulepath"] = split_path(call.text("modulepath"))
    if call.chosen.get("manifest"):
        fields["path"] = os.path.abspath(call.text("manifest"))
    name, folders = call.text("environment"), call.text("environmentpath").split(":")
    exists = any(os.path.isdir(path) for path in environment_directories(folders, name))
    if exists or name != "production":
        settings["environmentpath"] = call.text("environmentpath")
        return fields
    settings.pop("environmentpath", None)
    fields.setdefault(
        "modulepath", split_path(call.text("modulepath") or call.text("basemodulepath"))
    )
    if "path" not in fields:
        fields["code"] = ""
    return fields


def environment_of(call: PuppetSettings) -> Environment:
    """Return the environment of the settings, or only their modules without its directory."""
    name, world = call.text("environment"), Machine()
    base = split_path(call.text("basemodulepath"))
    if "modulepath" in call.chosen:
        return Environment(name, split_path(call.text("modulepath")), world)
    folders = call.text("environmentpath").split(":")
    if any(os.path.isdir(os.path.join(folder, name)) for folder in folders):
        return load_environment(
            name, folders, world, base_modulepath=base, settings=dict(call.given)
        )
    return Environment(name, base, world)


def stored_facts(call: PuppetSettings, node: str, terminus: str) -> dict[str, Any]:
    """Return the facts of a node that a directory has; none without a file, as in Puppet."""
    path = stored_file(call, node, terminus)
    return read_facts(path) if os.path.isfile(path) else {}


def stored_file(call: PuppetSettings, node: str, terminus: str) -> str:
    """Return the path of the facts of a node."""
    of_server, of_user, extension = STORED[terminus]
    directory = call.text(of_server if call.section == "server" else of_user)
    return os.path.join(directory, "facts", f"{node}.{extension}")
