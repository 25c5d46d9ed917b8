"""Checks of facts: those that Puppet 8 no longer has, and those read from the top scope."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.base.text_edits import Edit
from bunraku.workbench.lint.manifest import Manifest
from bunraku.workbench.lint.registry import Problem, check

REPLACED = {
    "architecture": "os architecture",
    "augeasversion": "augeas version",
    "bios_release_date": "dmi bios release_date",
    "bios_vendor": "dmi bios vendor",
    "bios_version": "dmi bios version",
    "boardassettag": "dmi board asset_tag",
    "boardmanufacturer": "dmi board manufacturer",
    "boardproductname": "dmi board product",
    "boardserialnumber": "dmi board serial_number",
    "chassisassettag": "dmi chassis asset_tag",
    "chassistype": "dmi chassis type",
    "domain": "networking domain",
    "fqdn": "networking fqdn",
    "gid": "identity group",
    "hardwareisa": "processors isa",
    "hardwaremodel": "os hardware",
    "hostname": "networking hostname",
    "id": "identity user",
    "ipaddress": "networking ip",
    "ipaddress6": "networking ip6",
    "lsbdistcodename": "os distro codename",
    "lsbdistdescription": "os distro description",
    "lsbdistid": "os distro id",
    "lsbdistrelease": "os distro release full",
    "lsbmajdistrelease": "os distro release major",
    "lsbminordistrelease": "os distro release minor",
    "lsbrelease": "os distro release specification",
    "macaddress": "networking mac",
    "macosx_buildversion": "os macosx build",
    "macosx_productname": "os macosx product",
    "macosx_productversion": "os macosx version full",
    "macosx_productversion_major": "os macosx version major",
    "macosx_productversion_minor": "os macosx version minor",
    "manufacturer": "dmi manufacturer",
    "memoryfree": "memory system available",
    "memorysize": "memory system total",
    "netmask": "networking netmask",
    "netmask6": "networking netmask6",
    "network": "networking network",
    "network6": "networking network6",
    "operatingsystem": "os name",
    "operatingsystemmajrelease": "os release major",
    "operatingsystemrelease": "os release full",
    "osfamily": "os family",
    "physicalprocessorcount": "processors physicalcount",
    "processorcount": "processors count",
    "productname": "dmi product name",
    "rubyplatform": "ruby platform",
    "rubysitedir": "ruby sitedir",
    "rubyversion": "ruby version",
    "selinux": "os selinux enabled",
    "selinux_config_mode": "os selinux config_mode",
    "selinux_config_policy": "os selinux config_policy",
    "selinux_current_mode": "os selinux current_mode",
    "selinux_enforced": "os selinux enforced",
    "selinux_policyversion": "os selinux policy_version",
    "serialnumber": "dmi product serial_number",
    "swapencrypted": "memory swap encrypted",
    "swapfree": "memory swap available",
    "swapsize": "memory swap total",
    "system32": "os windows system32",
    "uptime": "system_uptime uptime",
    "uptime_days": "system_uptime days",
    "uptime_hours": "system_uptime hours",
    "uptime_seconds": "system_uptime seconds",
    "uuid": "dmi product uuid",
    "xendomains": "xen domains",
    "zonename": "solaris_zones current",
}
"""Legacy fact → the keys of the structured fact with the same value (Facter 4, Core Facts)."""
REMOVED = frozenset(
    [
        "memoryfree_mb",
        "memorysize_mb",
        "swapfree_mb",
        "swapsize_mb",
        "blockdevices",
        "interfaces",
        "zones",
        "sshfp_dsa",
        "sshfp_ecdsa",
        "sshfp_ed25519",
        "sshfp_rsa",
    ]
)
"""Legacy facts without a structured fact of the same value."""
PATTERNS = (
    (r"blockdevice_(.*)_(model|size|vendor)", "disks {0} {1}"),
    (
        r"(ip|mac)address(6?)_(.*)",
        "networking interfaces {2} {0}{1}",
    ),
    (r"(mtu|netmask6?|network6?)_(.*)", "networking interfaces {1} {0}"),
    (r"sp_(.*)", "system_profiler {0}"),
    (r"ssh(dsa|ecdsa|ed25519|rsa)key", "ssh {0} key"),
    (r"ldom_(.*)", "ldom {0}"),
    (r"zone_(.*)_(brand|iptype|name|uuid|id|path|status)", "solaris_zones zones {0} {1}"),
)
"""Patterns of legacy facts, and the keys of their structured facts."""


def keys_of(fact: str) -> str | None:
    """Return the keys of the structured fact for a legacy one; None for any other name.

    >>> keys_of("osfamily"), keys_of("ipaddress6_eth0"), keys_of("zones"), keys_of("role")
    ("['os']['family']", "['networking']['interfaces']['eth0']['ip6']", '', None)
    """
    if fact in REPLACED:
        return "".join(f"['{key}']" for key in REPLACED[fact].split())
    if fact in REMOVED:
        return ""
    if found := re.fullmatch("processor([0-9]+)", fact):
        return f"['processors']['models'][{found[1]}]"
    for pattern, form in PATTERNS:
        if found := re.fullmatch(pattern, fact):
            return "".join(f"['{key.format(*found.groups())}']" for key in form.split())
    return None


def fact_of(manifest: Manifest, at: int) -> tuple[str, int]:
    """Return the fact that a variable reads, and the offset of the end of the expression."""
    name: str = manifest.values[at]
    key = at + 2
    if name.removeprefix("::") == "facts" and manifest.kind(at + 1) == "[":
        if manifest.kind(key) in {"STRING", "NAME"} and manifest.kind(key + 1) == "]":
            return str(manifest.values[key]), manifest.ends[key + 1]
    if name.startswith("::") and "::" not in name[2:]:
        return name[2:], manifest.ends[at]
    return "", 0


def in_facts(manifest: Manifest, at: int, keys: str) -> str:
    """Return the expression of a fact in place of a variable, which can be in a string."""
    dollar = "$" if manifest.text[manifest.starts[at]] == "$" else ""
    if at in manifest.unenclosed:
        return f"${{facts{keys}}}"
    return f"{dollar}facts{keys}"


@check(
    "legacy_facts",
    "Structured facts are used instead of legacy ones.",
    fixes=True,
    changes_tree=True,
)
def legacy_facts(manifest: Manifest) -> Iterator[Problem]:
    """Report legacy facts, read as ``$::name`` or ``$facts['name']``."""
    for at, name in manifest.variables:
        if name != "facts" and not name.startswith("::"):
            continue
        fact, end = fact_of(manifest, at)
        keys = keys_of(fact) if fact else None
        if keys is not None:
            start = manifest.starts[at]
            edits = (Edit(start, end, in_facts(manifest, at, keys)),) if keys else ()
            yield Problem(start, manifest.ends[at], f"legacy fact '{fact}'", edits)


@check(
    "top_scope_facts",
    "Facts are read from $facts, not from the top scope.",
    fixes=True,
    changes_tree=True,
)
def top_scope_facts(manifest: Manifest) -> Iterator[Problem]:
    """Report ``$::name``, which is a fact or a variable of the top scope."""
    if not any(name.startswith("::") for name in manifest.variable_names):
        return
    known = ("trusted", "facts", *REPLACED, *manifest.options.get("top_scope_variables", ()))
    for at, name in manifest.variables:
        bare = name.removeprefix("::")
        # puppet-lint also accepts names that begin with an accepted one.
        if bare == name or "::" in bare or bare.startswith(known):
            continue
        start, end = manifest.starts[at], manifest.ends[at]
        edit = Edit(start, end, in_facts(manifest, at, f"['{bare}']"))
        yield Problem(start, end, "top scope fact instead of facts hash", (edit,))
