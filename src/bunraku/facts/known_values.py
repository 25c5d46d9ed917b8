"""Values of facts that have few: operating systems, kernels, hypervisors.

Sites can have others. A text that is nearly one of these, and none itself, is misspelt.
"""

from __future__ import annotations

from bunraku.base.suggestions import has_swapped_letters
from bunraku.facts.legacy import PATHS

SYSTEMS = """
    AIX AlmaLinux Alpine Amazon Anolis Arch Archlinux AristaEOS Ascendos Azure AzureLinux Bluewhite64 CBL-Mariner CentOS
    CentOSStream ClearLinux CloudLinux CoreOS Cumulus CumulusLinux Darwin Debian Deepin Devuan DragonFly
    Edubuntu Elementary EndeavourOS EuroLinux Fedora FreeBSD Garuda Gentoo GNU/kFreeBSD HP-UX JUNOS Kali KDE Kubuntu KylinOS
    Linux LinuxMint Lubuntu Mageia Mandrake Mandriva Mandrivalinux Manjaro ManjaroLinux Mariner MeeGo Minix Mint
    MiracleLinux Navy neon NetBSD Nexenta NixOS Ol OEL OmniOS OpenBSD openEuler OpenIndiana openSUSE openSUSE-Leap
    openSUSE-Tumbleweed OpenWrt OracleLinux OracleLinuxStream OSX OVS Parrot Photon PhotonOS Pop Pop!_OS Proxmox PSBM
    Pureos Qubes Raspbian RedHat RedHatEnterprise RedHatEnterpriseServer RedHatEnterpriseWorkstation RHEL Rocky RockyLinux
    Sabayon Scientific ScientificLinux SL SLC Slackware SLED SLES SLES_SAP SmartOS Solaris Solus SunOS SuSE SUSE
    Tails Trisquel Ubuntu UbuntuCore UbuntuKylin Ultramarine Univention VirtuozzoLinux VMkernel VMwareESX Void
    Windows XCP XCP-ng XenServer Xubuntu Zorin
"""
CODENAMES = """
    buzz rex bo hamm slink potato woody sarge etch lenny squeeze wheezy jessie stretch buster bullseye bookworm trixie
    forky duke sid warty hoary breezy dapper edgy feisty gutsy hardy intrepid jaunty karmic lucid maverick natty oneiric
    precise quantal raring saucy trusty utopic vivid wily xenial yakkety zesty artful bionic cosmic disco eoan focal groovy
    hirsute impish jammy kinetic lunar mantic noble oracular plucky questing resolute ascii beowulf chimaera daedalus
    excalibur Core Maipo Ootpa Plow Coughlan Santiago Tikanga Final Carbon Nitrogen Karoo Verne Adams
"""
HYPERVISORS = """
    physical bhyve bochs container container_other crio docker ec2 gce generic hyperv illumos-lx jail kubevirt kvm ldom LDoms
    lxc nutanix openstack openvz openvzhn openvzve ovirt parallels podman qemu rhev systemd_nspawn vbox virtualbox vmm
    vmware vserver vserver_host xen xen0 xenhvm xenu zlinux zone
"""
VALUES = {
    "os.family": SYSTEMS,
    "os.name": SYSTEMS,
    "os.distro.id": SYSTEMS,
    "os.distro.codename": CODENAMES,
    "kernel": SYSTEMS,
    "virtual": HYPERVISORS,
}
"""Fact → its values. Names of systems, families and kernels are one list: one for another is not misspelt."""
SHORTEST = 4
"""Shorter words are not compared: other short words are near them."""
LONG = 8
"""Length of words in which two letters may differ."""


def values_of_fact(path: str) -> list[str]:
    """Return the values of a fact, by its path or its legacy name; empty for other facts.

    >>> "Debian" in values_of_fact("osfamily"), values_of_fact("networking.ip")
    (True, [])
    """
    return VALUES.get(PATHS.get(path, path), "").split()


def is_part(path: str, text: str) -> bool:
    """Return whether a text is in a value of a fact.

    >>> is_part("kernel", "inux"), is_part("kernel", "linx")
    (True, False)
    """
    return any(text.lower() in one.lower() for one in values_of_fact(path))


def misspelt_value(path: str, text: str) -> str | None:
    """Return the value of a fact that a text nearly is; None if the text can be meant. Case does not count.

    >>> [misspelt_value("os.family", text) for text in ("Debain", "debian", "Devuan", "my-os")]
    ['Debian', None, None, None]
    """
    word = text.lower()
    known = {one.lower(): one for one in values_of_fact(path)}
    if word in known or len(word) < SHORTEST:
        return None
    return next((known[one] for one in sorted(known) if is_misspelt(word, one)), None)


def is_misspelt(word: str, other: str) -> bool:
    """Return whether one letter, or in long words two, are all that differs, or two neighbours are swapped.

    >>> is_misspelt("redhta", "redhat"), is_misspelt("ubunto", "ubuntu"), is_misspelt("suse", "use")
    (True, True, False)
    >>> is_misspelt("archliinuxx", "archlinux"), is_misspelt("debian10", "debian")
    (True, False)
    """
    if len(other) < SHORTEST or any(one.isdigit() for one in word):
        return False
    if has_swapped_letters(word, other):
        return True
    return distance(word, other) <= (2 if min(len(word), len(other)) >= LONG else 1)


def distance(word: str, other: str) -> int:
    """Return how many letters are to be inserted, removed or replaced.

    >>> distance("debian", "debian"), distance("debain", "debian"), distance("", "abc")
    (0, 2, 3)
    """
    above = list(range(len(other) + 1))
    for at, letter in enumerate(word, 1):
        row = [at]
        for place, its in enumerate(other, 1):
            row.append(min(above[place] + 1, row[-1] + 1, above[place - 1] + (letter != its)))
        above = row
    return above[-1]
