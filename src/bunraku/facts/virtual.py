"""``virtual``, ``is_virtual`` and ``hypervisors``: the virtual machine or container, if any."""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.records import record
from bunraku.facts.collectors import collects
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
# A word that virt-what prints → Facter's word for it; of others, the first line counts.
VIRT_WHAT = {
    "linux_vserver-guest": "vserver",
    "linux_vserver-host": "vserver_host",
    "xen-hvm": "xenhvm",
    "xen-dom0": "xen0",
    "xen-domU": "xenu",
    "ibm_systemz": "zlinux",
}
# A manufacturer of machines on KVM → the key of the fact that says so.
PROVIDERS = {"Google": "google", "OpenStack": "openstack", "Amazon": "amazon"}
# An address of VMware's BIOS → the product.
ESX = {
    0xE8480: "ESXi 2.5",
    0xE7C70: "ESXi 3.0",
    0xE66C0: "ESXi 3.5",
    0xE7910: "ESXi 3.5",
    0xEA550: "ESXi 4.0",
    0xEA6C0: "ESXi 4.0",
    0xEA2E0: "ESXi 4.1",
    0xE72C0: "ESXi 5.0",
    0xEA0C0: "ESXi 5.1",
    0xEA050: "ESXi 5.5",
    0xE99E0: "ESXi 6.0",
    0xE9A40: "ESXi 6.0",
    0xEA580: "ESXi 6.5",
    0xEA520: "ESXi 6.7",
    0xEA490: "ESXi 6.7",
    0xEA5E0: "Fusion 8.5",
}


@record(frozen=True)
class Signs:
    """What identifies the hypervisor: the names in the BIOS, and words of virt-what and lspci."""

    product: str
    vendor: str
    bios: str
    told: str | None
    devices: str | None

    @property
    def named(self) -> str | None:
        """The hypervisor that the name of the product stands for."""
        return next((kind for word, kind in PRODUCTS.items() if word in self.product), None)


@collects("hypervisors", "is_virtual", "virtual")
def virtual_facts(probe: Probe) -> Facts:
    """Return the facts ``virtual``, ``is_virtual`` and ``hypervisors``.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> virtual_facts(Probe(DictionaryWorld({"/sys/class/dmi/id/product_name": b"Bochs"})))
    {'is_virtual': True, 'virtual': 'bochs'}
    """
    container, details = container_of(probe)
    signs = signs_of(probe)
    found = container or machine_of(probe, signs)
    facts = {"is_virtual": found not in PHYSICAL, "virtual": found}
    hypervisors = hypervisors_of(probe, signs, found)
    if container:
        hypervisors[container] = details
    return {**facts, "hypervisors": hypervisors} if hypervisors else facts


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


def signs_of(probe: Probe) -> Signs:
    """Return what files and programs of the machine say about its hypervisor."""
    product, vendor, bios = (
        probe.text(f"/sys/class/dmi/id/{name}")
        for name in ("product_name", "sys_vendor", "bios_vendor")
    )
    return Signs(product, vendor, bios, virt_what(probe), hypervisor_of_devices(probe))


def machine_of(probe: Probe, signs: Signs) -> str:
    """Return the hypervisor of a machine that is not a container; ``physical`` without one."""
    if "Google" in signs.bios:
        return "gce"
    if signs.told:
        return signs.told
    if probe.folder("/proc/vz"):
        return "openvzve" if not probe.world.is_file("/proc/vz/version") else "openvzhn"
    if probe.folder("/proc/xen"):
        return "xen0" if "control_d" in probe.text("/proc/xen/capabilities") else "xenu"
    if "Amazon EC2" in signs.bios:
        return "kvm"
    return signs.named or signs.devices or "physical"


def virt_what(probe: Probe) -> str | None:
    """Return what the program virt-what says, in Facter's words: its first line, or a kind of Xen.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> virt_what(Probe(DictionaryWorld({}, programs={("virt-what",): "kvm\\ndocker\\n"})))
    'kvm'
    """
    lines = [line for line in probe.output("virt-what").split("\n") if line != "redhat"]
    for line in lines[:2]:
        if line in VIRT_WHAT:
            return VIRT_WHAT[line]
    return lines[0] if lines and lines[0] else None


def hypervisor_of_devices(probe: Probe) -> str | None:
    """Return the hypervisor of the first device in lspci's list that belongs to one."""
    for line in probe.output("lspci").splitlines():
        for pattern, kind in DEVICES.items():
            if re.search(pattern, line):
                return kind
    return None


def hypervisors_of(probe: Probe, signs: Signs, virtual: str) -> Facts:
    """Return the details of hypervisors that are not containers, by Facter 4.3's rules."""
    told = {signs.told, signs.devices}
    found: Facts = {}
    if "Microsoft" in signs.vendor or signs.product == "Virtual Machine":
        found["hyperv"] = {}
    cloud = re.search("Amazon EC2|Google", signs.bios) or "OpenStack" in signs.product
    if ("kvm" in told or cloud) and signs.named not in {"virtualbox", "parallels"}:
        found["kvm"] = {
            key: True for word, key in PROVIDERS.items() if signs.vendor.startswith(word)
        }
    if virtual.startswith("openvz"):
        number = next((v for k, v in probe.fields("/proc/self/status", ":") if k == "envID"), "0")
        found["openvz"] = {"id": int(number), "host": virtual == "openvzhn"}
    if signs.product == "VirtualBox" or "virtualbox" in told:
        found["virtualbox"] = virtualbox_details(probe)
    if "vmware" in told or signs.product == "VMware" or signs.vendor == "VMware, Inc.":
        found["vmware"] = vmware_details(probe)
    if "xen" in virtual:
        control = probe.text("/proc/xen/capabilities") == "control_d"
        hardware = "xenhvm" in {signs.named, signs.devices}
        context = "hvm" if hardware else "pv"
        found["xen"] = {"context": context, "privileged": control or virtual == "xen0"}
    return found


def virtualbox_details(probe: Probe) -> Facts:
    """Return version and revision of VirtualBox, as far as dmidecode prints them."""
    text = probe.output("dmidecode")
    found = {
        name: re.search(rf"vbox{word}_(\S+)", text)
        for name, word in (("version", "Ver"), ("revision", "Rev"))
    }
    return {name: match[1] for name, match in found.items() if match}


def vmware_details(probe: Probe) -> Facts:
    """Return the version of VMware's product, if its address is known."""
    address = re.search(r"Address:\s(0x[a-zA-Z0-9]*)", probe.output("dmidecode"))
    version = ESX.get(int(address[1], 16)) if address else None
    return {"version": version} if version else {}
