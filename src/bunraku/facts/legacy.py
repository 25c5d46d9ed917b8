"""Legacy facts: the flat names that facts had before they were structured.

Puppet 8 leaves them out unless ``include_legacy_facts`` is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any

Facts = dict[str, Any]

# Legacy name → where its value is in the structured facts.
PATHS = {
    "architecture": "os.architecture",
    "augeasversion": "augeas.version",
    "bios_release_date": "dmi.bios.release_date",
    "bios_vendor": "dmi.bios.vendor",
    "bios_version": "dmi.bios.version",
    "boardassettag": "dmi.board.asset_tag",
    "boardmanufacturer": "dmi.board.manufacturer",
    "boardproductname": "dmi.board.product",
    "boardserialnumber": "dmi.board.serial_number",
    "chassisassettag": "dmi.chassis.asset_tag",
    "chassistype": "dmi.chassis.type",
    "domain": "networking.domain",
    "fqdn": "networking.fqdn",
    "gid": "identity.group",
    "hardwareisa": "processors.isa",
    "hardwaremodel": "os.hardware",
    "hostname": "networking.hostname",
    "id": "identity.user",
    "ipaddress": "networking.ip",
    "ipaddress6": "networking.ip6",
    "lsbdistcodename": "os.distro.codename",
    "lsbdistdescription": "os.distro.description",
    "lsbdistid": "os.distro.id",
    "lsbdistrelease": "os.distro.release.full",
    "lsbmajdistrelease": "os.distro.release.major",
    "lsbminordistrelease": "os.distro.release.minor",
    "macaddress": "networking.mac",
    "manufacturer": "dmi.manufacturer",
    "memoryfree": "memory.system.available",
    "memorysize": "memory.system.total",
    "netmask": "networking.netmask",
    "netmask6": "networking.netmask6",
    "network": "networking.network",
    "network6": "networking.network6",
    "operatingsystem": "os.name",
    "operatingsystemmajrelease": "os.release.major",
    "operatingsystemrelease": "os.release.full",
    "osfamily": "os.family",
    "physicalprocessorcount": "processors.physicalcount",
    "processorcount": "processors.count",
    "productname": "dmi.product.name",
    "rubyplatform": "ruby.platform",
    "rubysitedir": "ruby.sitedir",
    "rubyversion": "ruby.version",
    "scope6": "networking.scope6",
    "selinux": "os.selinux.enabled",
    "selinux_config_mode": "os.selinux.config_mode",
    "selinux_config_policy": "os.selinux.config_policy",
    "selinux_current_mode": "os.selinux.current_mode",
    "selinux_enforced": "os.selinux.enforced",
    "selinux_policyversion": "os.selinux.policy_version",
    "serialnumber": "dmi.product.serial_number",
    "swapfree": "memory.swap.available",
    "swapsize": "memory.swap.total",
    "system32": "os.windows.system32",
    "uptime": "system_uptime.uptime",
    "uptime_days": "system_uptime.days",
    "uptime_hours": "system_uptime.hours",
    "uptime_seconds": "system_uptime.seconds",
    "uuid": "dmi.product.uuid",
    "xendomains": "xen.domains",
}
# Amounts that the legacy facts count in MiB.
MEGABYTES = {
    "memoryfree_mb": "memory.system.available_bytes",
    "memorysize_mb": "memory.system.total_bytes",
    "swapfree_mb": "memory.swap.available_bytes",
    "swapsize_mb": "memory.swap.total_bytes",
}
# Legacy name → where its value is, for facts that are not computed here.
OTHER_PATHS = {
    "lsbrelease": "os.distro.release.specification",
    "macosx_buildversion": "os.macosx.build",
    "macosx_productname": "os.macosx.product",
    "macosx_productversion": "os.macosx.version.full",
    "macosx_productversion_major": "os.macosx.version.major",
    "macosx_productversion_minor": "os.macosx.version.minor",
    "swapencrypted": "memory.swap.encrypted",
    "zonename": "solaris_zones.current",
}
# The start of a legacy name that an interface ends → the interface's entry.
INTERFACE = {
    "ipaddress": "ip",
    "ipaddress6": "ip6",
    "macaddress": "mac",
    "mtu": "mtu",
    "netmask": "netmask",
    "netmask6": "netmask6",
    "network": "network",
    "network6": "network6",
    "scope6": "scope6",
}
DISK = {"model": "model", "size": "size_bytes", "vendor": "vendor"}
# Legacy names without a structured fact, or with several.
OTHERS = frozenset(
    [
        "blockdevices",
        "boardassettag",
        "cfkey",
        "dhcp_servers",
        "gid",
        "hardwareisa",
        "id",
        "interfaces",
        "macosx_buildversion",
        "macosx_productname",
        "macosx_productversion",
        "macosx_productversion_major",
        "macosx_productversion_minor",
        "macosx_productversion_patch",
        "sshdsakey",
        "sshecdsakey",
        "sshed25519key",
        "sshrsakey",
        "sshfp_dsa",
        "sshfp_ecdsa",
        "sshfp_ed25519",
        "sshfp_rsa",
        "swapencrypted",
        "system32",
        "windows_display_version",
        "windows_edition_id",
        "windows_installation_type",
        "windows_product_name",
        "windows_release_id",
        "zones",
    ]
)
PATTERNS = lazy_pattern(
    r"(?:blockdevice_.+_(?:model|size|vendor)|(?:ipaddress6?|macaddress|mtu|netmask6?|network6?|scope6)"
    r"_.+|processor\d+|ldom_.+|sp_.+|zone_.+_(?:brand|id|iptype|name|path|status|uuid)|ssh.+key"
    r"|sshfp_.+|selinux_.+)\Z"
)


def is_legacy(name: str) -> bool:
    """Return whether a fact's name is a legacy one.

    >>> is_legacy("osfamily"), is_legacy("mtu_eth0"), is_legacy("os"), is_legacy("kernel")
    (True, True, False, False)
    """
    return name in PATHS or name in MEGABYTES or name in OTHERS or PATTERNS.match(name) is not None


STRUCTURED_PATTERNS = (
    (r"blockdevice_(.*)_(model|size|vendor)", "disks {0} {1}"),
    (r"(ip|mac)address(6?)_(.*)", "networking interfaces {2} {0}{1}"),
    (r"(mtu|netmask6?|network6?)_(.*)", "networking interfaces {1} {0}"),
    (r"processor([0-9]+)", "processors models {0}"),
    (r"sp_(.*)", "system_profiler {0}"),
    (r"ssh(dsa|ecdsa|ed25519|rsa)key", "ssh {0} key"),
    (r"ldom_(.*)", "ldom {0}"),
    (r"zone_(.*)_(brand|iptype|name|uuid|id|path|status)", "solaris_zones zones {0} {1}"),
)
"""Patterns of legacy facts, and the keys of their structured facts."""


def structured_keys(name: str) -> tuple[str, ...] | None:
    """Return the keys of the structured fact for a legacy one; None if there is none.

    >>> structured_keys("osfamily"), structured_keys("ipaddress6_eth0"), structured_keys("zones")
    (('os', 'family'), ('networking', 'interfaces', 'eth0', 'ip6'), None)
    """
    path = PATHS.get(name) or OTHER_PATHS.get(name)
    if path is not None:
        return tuple(path.split("."))
    for pattern, form in STRUCTURED_PATTERNS:
        if found := re.fullmatch(pattern, name):
            return tuple(key.format(*found.groups()) for key in form.split())
    return None


def fact_expression(keys: Iterable[str]) -> str:
    """Return the expression that reads a structured fact, without its dollar or at sign.

    >>> fact_expression(["os", "family"]), fact_expression(["processors", "models", "0"])
    ("facts['os']['family']", "facts['processors']['models'][0]")
    """
    return "facts" + "".join(f"[{key}]" if key.isdigit() else f"['{key}']" for key in keys)


def without_legacy(facts: Mapping[str, Any]) -> Facts:
    """Return the facts less the legacy ones."""
    return {name: value for name, value in facts.items() if not is_legacy(name)}


def legacy_facts(facts: Mapping[str, Any]) -> Facts:
    """Return the legacy facts that follow from structured ones.

    >>> legacy_facts({"os": {"family": "Debian"}, "memory": {"system": {"total_bytes": 2**30}}})
    {'osfamily': 'Debian', 'memorysize_mb': 1024.0}
    """
    found: Facts = {}
    for name, path in PATHS.items():
        value = dig(facts, path)
        if value is not None:
            found[name] = value
    for name, path in MEGABYTES.items():
        value = dig(facts, path)
        if value is not None:
            found[name] = value / 2**20
    interfaces = dig(facts, "networking.interfaces") or {}
    if interfaces:
        found["interfaces"] = ",".join(sorted(interfaces))
    for interface, one in interfaces.items():
        ending = re.sub(r"[^a-z0-9_]", "_", interface)
        for start, key in INTERFACE.items():
            if one.get(key) is not None:
                found[f"{start}_{ending}"] = one[key]
    disks = facts.get("disks") or {}
    if disks:
        found["blockdevices"] = ",".join(disks)
    for disk, one in disks.items():
        for ending, key in DISK.items():
            if one.get(key) is not None:
                found[f"blockdevice_{disk}_{ending}"] = one[key]
    for number, model in enumerate(dig(facts, "processors.models") or ()):
        found[f"processor{number}"] = model
    for kind, one in (facts.get("ssh") or {}).items():
        found[f"ssh{kind}key"] = one["key"]
        found[f"sshfp_{kind}"] = "\n".join(one["fingerprints"].values())
    return found


def dig(facts: Mapping[str, Any], path: str) -> Any:
    """Return a value within facts by its dotted name; None when something on the way is missing.

    >>> dig({"os": {"name": "Debian"}, "models": ["a", "b"]}, "os.name")
    'Debian'
    """
    value: Any = facts
    for part in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


def fact_value(facts: Mapping[str, Any], name: str) -> Any:
    """Return a fact, or a part of one by its dotted name; an empty string if there is none.

    >>> fact_value({"os": {"name": "Debian"}, "a.b": 1}, "os.name"), fact_value({"a.b": 1}, "a.b")
    ('Debian', 1)
    """
    value = facts[name] if name in facts else dig(facts, name)
    return "" if value is None else value
