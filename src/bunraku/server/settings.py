"""The settings of the server: Puppet's, and those that puppetserver has in files of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from bunraku.base.records import field, record
from bunraku.base.sealing import KEY
from bunraku.ca.locations import default_cadir
from bunraku.modules.environment import (
    Environment,
    environment_directories,
    load_environment,
    names_in,
)
from bunraku.modules.names import ENVIRONMENT_NAME
from bunraku.modules.settings import DEFAULTS, USER_DIRECTORIES, resolve
from bunraku.world.machine import Machine

MACHINE = Machine()
ROOT: Mapping[str, str] = {
    "confdir": DEFAULTS["confdir"],
    "codedir": DEFAULTS["codedir"],
    "vardir": "/opt/puppetlabs/server/data/puppetserver",
    "logdir": "/var/log/puppetlabs/puppetserver",
    "rundir": "/var/run/puppetlabs/puppetserver",
}
"""The directories of a server that root runs."""
USER: Mapping[str, str] = {**USER_DIRECTORIES, "vardir": "~/.puppetlabs/opt/server/cache"}
"""Those of a server that another user runs."""


@record(frozen=True)
class Settings:
    """``given`` are Puppet's settings of the command line and ``puppet.conf``, ``values`` are all.

    ``mapping`` has the short names of the site's own extensions in certificates. ``body`` is the
    most bytes of a request. ``seconds`` and ``memory`` limit a compile, ``wait`` is how many
    seconds one may be queued. ``code_id_command`` prints the version of an environment's code.
    ``reuse_catalogs`` is whether a catalog is answered again while all that it depends on is unchanged;
    every ``verify_catalogs``-th of these is compiled, too, and compared. ``sealing_key`` encrypts the stored
    catalogs that have secrets; each server makes a new key and keeps it in memory only.
    """

    given: Mapping[str, Any]
    values: Mapping[str, Any]
    version: str
    mapping: Mapping[str, str] = field(default_factory=dict)
    server_facts: Mapping[str, Any] = field(default_factory=dict)
    language: str | None = None
    code_id_command: str | None = None
    code_content_command: str | None = None
    body: int = 64 << 20
    seconds: float = 300.0
    memory: int = 4 << 30
    wait: float = 120.0
    soft_write_failure: bool = False
    reuse_catalogs: bool = True
    verify_catalogs: int = 0
    sealing_key: bytes = field(default_factory=lambda: os.urandom(KEY), shown=False)

    @property
    def certname(self) -> str:
        """The name of the server."""
        return str(self.values["certname"])

    def environment(self, name: str) -> Environment:
        """Return an environment by its name; PuppetError if its configuration is wrong."""
        return load_environment(
            name,
            self.environmentpath,
            MACHINE,
            base_modulepath=str(self.values["basemodulepath"]).split(":"),
            settings=self.values,
        )

    @property
    def environmentpath(self) -> list[str]:
        """The directories of environments."""
        return [one for one in str(self.values["environmentpath"]).split(":") if one]

    @property
    def report_processors(self) -> list[str]:
        """The names of the report processors."""
        names = str(self.values["reports"]).replace(",", " ").split()
        return [name for name in names if name != "none"]

    def has_environment(self, name: str) -> bool:
        """Return whether there is a directory with the name of an environment."""
        if not ENVIRONMENT_NAME.fullmatch(name):
            return False
        directories = environment_directories(self.environmentpath, name)
        return any(os.path.isdir(directory) for directory in directories)

    def environments(self) -> list[str]:
        """Return the sorted names of all environments."""
        found = set(names_in(self.environmentpath, MACHINE))
        return sorted(name for name in found if self.has_environment(name))


def default_directories() -> dict[str, str]:
    """Return the default directories of a server for the user that runs it."""
    if os.geteuid() == 0:
        return dict(ROOT)
    return {name: os.path.expanduser(path) for name, path in USER.items()}


def with_defaults(given: Mapping[str, Any], certname: str) -> dict[str, Any]:
    """Return the settings that a server uses where none are given, and those given over them.

    The authority of a server is beside its ``confdir``.
    """
    found: dict[str, Any] = {**default_directories(), "certname": certname}
    found.update(given)
    found.setdefault("cadir", default_cadir(str(found["confdir"]), str(found.get("ssldir", ""))))
    if not found["certname"]:
        found["certname"] = certname
    found.setdefault("environmentpath", DEFAULTS["environmentpath"])
    return found


def all_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings of a server."""
    return resolve(given, str(given["certname"]))
