"""Resource types of the modules in Puppet's agent packages: the rules by which they are known.

Puppet 6 moved some types into modules. The agent packages of Puppet and OpenVox bring these in
``vendor_modules``, outside of any modulepath; Debian has packages of the modules that its users need.
The setting ``vendormoduledir`` decides where it is given: the modules of that directory count, and
where it is the agent package's and not on this machine, schemas of bunraku replace them. Otherwise:

* in an environment (a control repository, a module's directory) all types of the agent package are
  known, unless its modulepath has the modules that Debian packages: then it is taken to be complete;
* for code with a bare modulepath, the types that every packaging brings are known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.modules.environment import Environment
from bunraku.modules.settings import DEFAULTS
from bunraku.world.protocol import World

MODULES = {
    "augeas": "augeas_core",
    "cron": "cron_core",
    "host": "host_core",
    "mount": "mount_core",
    "scheduled_task": "scheduled_task",
    "selboolean": "selinux_core",
    "selmodule": "selinux_core",
    "ssh_authorized_key": "sshkeys_core",
    "sshkey": "sshkeys_core",
    "yumrepo": "yumrepo_core",
    "zfs": "zfs_core",
    "zone": "zone_core",
    "zpool": "zfs_core",
}
"""Resource type → the module that defines it."""
IN_EVERY_PACKAGING = frozenset(
    {"augeas_core", "cron_core", "host_core", "mount_core", "selinux_core", "sshkeys_core"}
)
ALL = frozenset(MODULES)
COMMON = frozenset(name for name, module in MODULES.items() if module in IN_EVERY_PACKAGING)
NONE: frozenset[str] = frozenset()
SETTING = "vendormoduledir"


def vendor_directory(given: Mapping[str, Any], world: World) -> str | None:
    """Return the directory of vendored modules that the settings name, if it exists."""
    path = str(given.get(SETTING) or "").rstrip("/")
    return path if path and world.is_directory(path) else None


def vendored_types(
    environment: Environment, given: Mapping[str, Any], *, is_project: bool
) -> frozenset[str]:
    """Return the vendored types that are known without a module on the modulepath.

    ``given`` are the settings with an explicit value; ``is_project`` means that the modulepath is
    that of an environment or of a module's directory.
    """
    if SETTING in given:
        agent_package = given[SETTING] == DEFAULTS[SETTING]
        return ALL if agent_package and environment.vendor_directory is None else NONE
    if not is_project:
        return COMMON
    if all(environment.find_module(name) is not None for name in IN_EVERY_PACKAGING):
        return NONE
    return ALL
