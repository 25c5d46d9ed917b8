"""``virtual``, ``is_virtual`` and ``hypervisors``: the virtual machine or container, if any."""

from __future__ import annotations

import re
from typing import Any

from bunraku.facts.probe import Probe

Facts = dict[str, Any]
PHYSICAL = frozenset(
    ["physical", "xen0", "vmware_server", "vmware_workstation", "openvzhn", "vserver_host"]
)
# A word in the name of the product → the hypervisor.
PRODUCTS = {
    "VMware": "vmware",
    "VirtualBox": "virtualbox",
    "Parallels": "parallels",
    "KVM": "kvm",
    "Virtual Machine": "hyperv",
    "RHEV Hypervisor": "rhev",
    "oVirt Node": "ovirt",
    "HVM domU": "xenhvm",
    "Bochs": "bochs",
    "OpenBSD": "vmm",
    "BHYVE": "bhyve",
}
# A pattern in the output of lspci → the hypervisor.
DEVICES = {
    "VirtualBox": "virtualbox",
    "XenSource": "xenhvm",
    "Microsoft Corporation Hyper-V": "hyperv",
    "Class 8007: Google, Inc": "gce",
    "(?i:vmware)": "vmware",
    "1ab8:": "parallels",
    "[Pp]arallels": "parallels",
    "(?i:virtio)": "kvm",
}
# A word that virt-what prints → Facter's word for it; others are unchanged.
VIRT_WHAT = {
    "linux_vserver-guest": "vserver",
    "linux_vserver-host": "vserver_host",
    "xen-hvm": "xenhvm",
    "xen-dom0": "xen0",
    "xen-domU": "xenu",
    "ibm_systemz": "zlinux",
}


def virtual_facts(probe: Probe) -> Facts:
    """Return the facts ``virtual``, ``is_virtual`` and ``hypervisors``.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> virtual_facts(Probe(DictionaryWorld({"/sys/class/dmi/id/product_name": b"KVM"})))
    {'is_virtual': True, 'virtual': 'kvm'}
    """
    container, details = container_of(probe)
    found = container or machine_of(probe)
    facts = {"is_virtual": found not in PHYSICAL, "virtual": found}
    return {**facts, "hypervisors": {container: details}} if container else facts


def container_of(probe: Probe) -> tuple[str | None, Facts]:
    """Return the container that this is, by the first process's groups and variables, and its name."""
    groups = probe.text("/proc/1/cgroup")
    variables = probe.text("/proc/1/environ")
    lxc = re.search(r"(?m)^(?:[^:]*:[^:]*:)?/lxc/([^/\n]+)", groups)
    if lxc or "container=lxc" in variables:
        return "lxc", {"name": lxc[1]} if lxc else {}
    docker = re.search(r"docker[/-]([^\n]+?)(?:\.scope)?$", groups, re.MULTILINE)
    if docker:
        return "docker", {"id": docker[1]}
    if "container=systemd-nspawn" in variables:
        machine = probe.text("/etc/machine-id")
        return "systemd_nspawn", {"id": machine} if machine else {}
    return None, {}


def machine_of(probe: Probe) -> str:
    """Return the hypervisor of a machine that is not a container; ``physical`` without one."""
    vendor = probe.text("/sys/class/dmi/id/bios_vendor")
    if "Google" in vendor:
        return "gce"
    told = probe.output("virt-what").split("\n")[-1]
    if told:
        return VIRT_WHAT.get(told, told.replace("-", "_"))
    if probe.folder("/proc/vz"):
        return "openvzve" if not probe.world.is_file("/proc/vz/version") else "openvzhn"
    if probe.folder("/proc/xen"):
        return "xen0" if "control_d" in probe.text("/proc/xen/capabilities") else "xenu"
    if "Amazon EC2" in vendor:
        return "kvm"
    product = probe.text("/sys/class/dmi/id/product_name")
    for word, kind in PRODUCTS.items():
        if word in product:
            return kind
    for line in probe.output("lspci").splitlines():
        for pattern, kind in DEVICES.items():
            if re.search(pattern, line):
                return kind
    return "physical"
