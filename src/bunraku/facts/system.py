"""Facts of the operating system: kernel, distribution, the user, uptime, time zone, SSH keys."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Any

from bunraku.facts.collectors import collects
from bunraku.facts.probe import Probe, known

Facts = dict[str, Any]

# Words in the id of a distribution (or of those it is like) → its family.
FAMILIES = {
    "RedHat": (
        "redhat rhel fedora centos scientific ascendos cloudlinux psbm oraclelinux ovs oel amazon "
        "xenserver xcp-ng virtuozzo photon mariner"
    ),
    "Debian": "debian ubuntu huaweios linuxmint devuan kde",
    "Suse": "sles sled suse",
    "Gentoo": "gentoo",
    "Archlinux": "arch manjaro",
    "Mandrake": "mandrake mandriva mageia",
}
# Names that Debian and derived systems use for hardware.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


@collects("kernel", "kernelmajversion", "kernelrelease", "kernelversion")
def kernel_facts(probe: Probe) -> Facts:
    """Return ``kernel``, ``kernelrelease``, ``kernelversion`` and ``kernelmajversion``.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> world = DictionaryWorld({}, programs={("uname", "-srmp"): "Linux 6.1.0-9-amd64"})
    >>> kernel_facts(Probe(world))["kernelmajversion"]
    '6.1'
    """
    kernel, release, _, _ = probe.kernel
    version = re.match(r"[\d.]+", release)
    full = version[0].rstrip(".") if version else release
    return known(
        kernel=kernel,
        kernelrelease=release,
        kernelversion=full,
        kernelmajversion=".".join(full.split(".")[:2]),
    )


# -- the distribution ------------------------------------------------------------------------------


@collects("os")
def os_facts(probe: Probe) -> Facts:
    """Return the fact ``os``."""
    told = {
        name: value.replace('"', "").strip("'")
        for name, value in probe.fields("/etc/os-release", "=")
    }
    identity = told.get("ID", "")
    family = family_of(told.get("ID_LIKE") or identity)
    hardware = probe.kernel[2]
    release = os_release(probe, told, identity, family)
    return {
        "os": known(
            architecture=architecture(hardware, family),
            hardware=hardware,
            name=os_name(told.get("NAME", "")),
            family=family,
            release=release or None,
            distro=distribution(probe, told, identity, family, release) or None,
            selinux=selinux(probe),
        )
    }


def family_of(identities: str) -> str:
    """Return the family of a distribution by its id, or of those it is like.

    >>> family_of("rhel centos fedora"), family_of("alpine")
    ('RedHat', 'alpine')
    """
    small = identities.lower()
    for family, words in FAMILIES.items():
        if any(word in small for word in words.split()):
            return family
    return identities


def architecture(hardware: str, family: str) -> str:
    """Return the hardware as the family's packages call it.

    >>> architecture("x86_64", "Debian"), architecture("x86_64", "RedHat")
    ('amd64', 'x86_64')
    """
    if re.fullmatch(r"i[3456]86", hardware):
        return "i386"
    return ARCHITECTURES.get(hardware, hardware) if family == "Debian" else hardware


def os_name(name: str) -> str:
    """Return the name of a distribution, one word.

    >>> [os_name(name) for name in ("Debian GNU/Linux", "Red Hat Enterprise Linux", "Arch Linux")]
    ['Debian', 'RedHat', 'Archlinux']
    """
    small = name.lower()
    words = name.split()
    if small.startswith(("red", "oracle", "arch", "manjaro")):
        joined = "".join(words[:2])
        return joined.capitalize() if small.startswith(("arch", "manjaro")) else joined
    if small.endswith("mariner"):
        return words[-1]
    first = words[0] if words else ""
    return first + "Linux" if small.startswith("virtuozzo") else first


def os_release(probe: Probe, told: dict[str, str], identity: str, family: str) -> Facts:
    """Return the fact ``os.release``: the version, whole and in parts."""
    version = told.get("VERSION_ID", "")
    if identity == "ubuntu":
        return {"full": version, "major": version} if version else {}
    if identity in ("debian", "devuan"):
        version = probe.text("/etc/debian_version") or version
    elif family == "RedHat":
        found = re.search(r"release\s+(\S+)", probe.text("/etc/redhat-release"))
        version = found[1] if found else version
    elif identity == "alpine":
        version = probe.text("/etc/alpine-release") or version
    elif version and "." not in version:
        version += ".0"
    return versions(version)


def versions(version: str) -> Facts:
    """Return a version and its first parts.

    >>> versions("12.05"), versions("bookworm/sid")
    ({'full': '12.05', 'major': '12', 'minor': '5'}, {'full': 'bookworm/sid', 'major': 'bookworm/sid'})
    """
    if not version:
        return {}
    major, *rest = version.split(".")
    found = {"full": version, "major": major}
    return {**found, "minor": re.sub(r"\A0(?=[1-9])", "", rest[0])} if rest else found


def distribution(
    probe: Probe, told: dict[str, str], identity: str, family: str, release: Facts
) -> Facts:
    """Return the fact ``os.distro``: the distribution's description of itself."""
    redhat = probe.text("/etc/redhat-release")
    if family == "RedHat" and redhat:
        name, _, rest = redhat.partition("release")
        codename = re.search(r"\(([^)]+)\)", rest)
        words = [word for word in name.split() if word.lower() != "linux"]
        return known(
            id="".join(words),
            description=redhat,
            codename=codename[1] if codename else None,
            release=release or None,
        )
    if family == "Suse":
        codename_text = told.get("VERSION_CODENAME") or "n/a"
        title = "SUSE LINUX" if release.get("major") == "12" else "SUSE"
        return known(
            id=title,
            description=told.get("PRETTY_NAME"),
            codename=codename_text,
            release=release or None,
        )
    if family != "Debian":
        return {}
    in_brackets = re.search(r"\(([^)]+)\)", told.get("VERSION", ""))
    return known(
        id=identity.capitalize(),
        description=told.get("PRETTY_NAME"),
        codename=told.get("VERSION_CODENAME") or (in_brackets[1] if in_brackets else None),
        release=release or None,
    )


def selinux(probe: Probe) -> Facts:
    """Return the fact ``os.selinux``."""
    mounted = next((path for _, path, kind, _ in probe.mounts if kind == "selinuxfs"), None)
    configured = dict(probe.fields("/etc/selinux/config", "="))
    if mounted is None or not configured:
        return {"enabled": False}
    enforced = probe.text(f"{mounted}/enforce") == "1"
    return known(
        enabled=True,
        enforced=enforced,
        current_mode="enforcing" if enforced else "permissive",
        config_mode=configured.get("SELINUX"),
        config_policy=configured.get("SELINUXTYPE"),
        policy_version=probe.text(f"{mounted}/policyvers"),
    )


# -- the running system ----------------------------------------------------------------------------


@collects("identity")
def identity_facts(probe: Probe) -> Facts:
    """Return the fact ``identity``: the current user."""
    status = dict(probe.fields("/proc/self/status", ":"))
    try:
        uid, gid = (int(status[name].split()[1]) for name in ("Uid", "Gid"))
    except (KeyError, IndexError, ValueError):
        return {}
    found = {
        "gid": gid,
        "group": name_of(probe, "/etc/group", gid),
        "privileged": uid == 0,
        "uid": uid,
        "user": name_of(probe, "/etc/passwd", uid),
    }
    return {"identity": known(**found)}


def name_of(probe: Probe, path: str, number: int) -> str | None:
    """Return the name of a user or group by its number."""
    for line in probe.lines(path):
        name, _, found, *_ = [*line.split(":"), "", "", ""]
        if found == str(number):
            return name
    return None


@collects("system_uptime")
def uptime_facts(probe: Probe) -> Facts:
    """Return the fact ``system_uptime``.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> probe = Probe(DictionaryWorld({"/proc/uptime": b"11917.42 1.0"}))
    >>> uptime_facts(probe)["system_uptime"]["uptime"]
    '3:18 hours'
    """
    text = probe.text("/proc/uptime").partition(".")[0]
    if not text.isdigit():
        return {}
    seconds = int(text)
    hours = seconds // 3600
    days = hours // 24
    words = (
        f"{days} day{'s' if days > 1 else ''}" if days else f"{hours}:{seconds // 60 % 60:02} hours"
    )
    found = {"days": days, "hours": hours, "seconds": seconds, "uptime": words}
    return {"system_uptime": found}


@collects("load_averages")
def load_facts(probe: Probe) -> Facts:
    """Return the fact ``load_averages``."""
    numbers = probe.text("/proc/loadavg").split()[:3]
    if len(numbers) < 3:
        return {}
    one, five, fifteen = map(float, numbers)
    return {"load_averages": {"15m": fifteen, "1m": one, "5m": five}}


@collects("filesystems", "fips_enabled", "path", "timezone")
def setting_facts(probe: Probe) -> Facts:
    """Return ``timezone``, ``path``, ``fips_enabled`` and ``filesystems``."""
    kinds = {
        words[-1]
        for words in map(str.split, probe.lines("/proc/filesystems"))
        if words and words[0] != "nodev" and words[-1] != "fuseblk"
    }
    return known(
        timezone=probe.output("date", "+%Z"),
        path=probe.world.environment_variable("PATH"),
        fips_enabled=probe.text("/proc/sys/crypto/fips_enabled") == "1",
        filesystems=",".join(sorted(kinds)),
    )


SSH_FOLDERS = ("/etc/ssh", "/usr/local/etc/ssh", "/etc", "/usr/local/etc", "/etc/opt/ssh")
# The kind of key → its type in the file, and its number in SSHFP records (RFC 4255, 6594, 7479).
SSH_KEYS = {
    "rsa": ("ssh-rsa", 1),
    "dsa": ("ssh-dss", 2),
    "ecdsa": ("ecdsa-sha2-nistp256", 3),
    "ed25519": ("ssh-ed25519", 4),
}


@collects("ssh")
def ssh_facts(probe: Probe) -> Facts:
    """Return the fact ``ssh``: this machine's public keys and their fingerprints."""
    found = {}
    for folder in SSH_FOLDERS:
        for name, (kind, number) in SSH_KEYS.items():
            given, key, *_ = [*probe.text(f"{folder}/ssh_host_{name}_key.pub").split(), "", ""]
            if given == kind and name not in found:
                fingerprints = sshfp(key, number)
                if fingerprints:
                    found[name] = {"fingerprints": fingerprints, "key": key, "type": kind}
    return {"ssh": found} if found else {}


def sshfp(key: str, number: int) -> dict[str, str]:
    """Return the fingerprints of a key as SSHFP records; empty if it is not a key."""
    try:
        content = base64.b64decode(key, validate=True)
    except binascii.Error:
        return {}
    return {
        "sha1": f"SSHFP {number} 1 {hashlib.sha1(content, usedforsecurity=False).hexdigest()}",
        "sha256": f"SSHFP {number} 2 {hashlib.sha256(content).hexdigest()}",
    }
