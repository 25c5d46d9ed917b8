"""The facts of made-up machines."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

BASE = Path(__file__).parents[2] / "data" / "classes_facts.json"
HOST, DOMAIN = "bench", "example.org"

# Name → family, name, distributor, release, codename, kernel.
SYSTEMS = {
    "debian-12": ("Debian", "Debian", "Debian", "12.5", "bookworm", "6.1.0-18-amd64"),
    "debian-11": ("Debian", "Debian", "Debian", "11.9", "bullseye", "5.10.0-28-amd64"),
    "ubuntu-14": ("Debian", "Ubuntu", "Ubuntu", "14.04", "trusty", "3.13.0-170-generic"),
    "ubuntu-20": ("Debian", "Ubuntu", "Ubuntu", "20.04", "focal", "5.4.0-26-generic"),
    "ubuntu-22": ("Debian", "Ubuntu", "Ubuntu", "22.04", "jammy", "5.15.0-91-generic"),
    "redhat-9": ("RedHat", "AlmaLinux", "AlmaLinux", "9.3", "Shamrock", "5.14.0-362.el9.x86_64"),
    "redhat-8": ("RedHat", "AlmaLinux", "AlmaLinux", "8.9", "Midnight", "4.18.0-513.el8.x86_64"),
    "darwin-23": ("Darwin", "Darwin", "Darwin", "23.4.0", "Sonoma", "23.4.0"),
    "redhat-7": ("RedHat", "CentOS", "CentOS", "7.9.2009", "Core", "3.10.0-1160.el7.x86_64"),
    "ubuntu-18": ("Debian", "Ubuntu", "Ubuntu", "18.04", "bionic", "4.15.0-213-generic"),
    "redhat-6": ("RedHat", "CentOS", "CentOS", "6.10", "Final", "2.6.32-754.el6.x86_64"),
    "debian-8": ("Debian", "Debian", "Debian", "8.11", "jessie", "3.16.0-6-amd64"),
    "ubuntu-12": ("Debian", "Ubuntu", "Ubuntu", "12.04", "precise", "3.2.0-23-generic"),
    "gentoo": ("Gentoo", "Gentoo", "Gentoo", "2.14", "n/a", "6.6.30-gentoo-dist"),
    "debian-10": ("Debian", "Debian", "Debian", "10.13", "buster", "4.19.0-26-amd64"),
    "windows-2019": ("windows", "windows", "windows", "2019", "2019", "10.0.17763"),
}
MENTIONS = {
    "debian-12": r"bookworm|\bDebian\b",
    "debian-11": r"bullseye",
    "ubuntu-14": r"trusty",
    "ubuntu-20": r"focal",
    "ubuntu-22": r"jammy|\bUbuntu\b",
    "redhat-9": r"AlmaLinux|Rocky|\bRedHat\b|\bel9\b",
    "redhat-8": r"\bel8\b",
    "darwin-23": r"\bDarwin\b",
    "redhat-7": r"\bCentOS\b|\bel7\b",
    "ubuntu-18": r"bionic",
    "debian-10": r"buster",
    "gentoo": r"\bGentoo\b",
    "windows-2019": r"(?i)\bwindows\b",
}


def host_key(kind: str) -> dict[str, Any]:
    """The fact about a host key of SSH."""
    prints = {"sha1": f"SSHFP 3 1 {'1' * 40}", "sha256": f"SSHFP 3 2 {'2' * 64}"}
    return {"fingerprints": prints, "key": "AAAAC3NzaC1lZDI1NTE5AAAAIExample", "type": kind}


# Facts that Facter finds on most machines and the base lacks.
USUAL: dict[str, Any] = {
    "aio_agent_version": "7.23.0",
    "puppet_environmentpath": "/etc/puppetlabs/code/environments",
    "sudoversion": "1.9.13p3",
    "ssh": {"ecdsa": host_key("ecdsa-sha2-nistp256"), "ed25519": host_key("ssh-ed25519")},
    "networking": {
        "ip6": "2001:db8::10",
        "netmask6": "ffff:ffff:ffff:ffff::",
        "network6": "2001:db8::",
        "interfaces": {
            "ens3": {
                "bindings6": [
                    {
                        "address": "2001:db8::10",
                        "netmask": "ffff:ffff:ffff:ffff::",
                        "network": "2001:db8::",
                        "scope6": "global",
                    }
                ],
                "ip6": "2001:db8::10",
                "netmask6": "ffff:ffff:ffff:ffff::",
                "network6": "2001:db8::",
                "scope6": "global",
            }
        },
    },
}


@cache
def base() -> Any:
    return json.loads(BASE.read_text(encoding="utf-8"))


def facts(system: str, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a machine with a system and a full name; those given win."""
    host, _, domain = name.partition(".")
    domain = domain or DOMAIN
    found = renamed(copy.deepcopy(base()), host, domain)
    merge(found, copy.deepcopy(USUAL))
    if system != "debian-12":
        merge(found, of_system(system))
    found["clientcert"] = name
    merge(found, copy.deepcopy(dict(given)))
    return found


def renamed(value: Any, host: str, domain: str) -> Any:
    """Facts with the names of another machine."""
    if isinstance(value, str):
        if value == HOST:
            return host
        return value.replace(f"{HOST}.{DOMAIN}", f"{host}.{domain}").replace(DOMAIN, domain)
    if isinstance(value, list):
        return [renamed(one, host, domain) for one in value]
    if isinstance(value, dict):
        return {key: renamed(one, host, domain) for key, one in value.items()}
    return value


def merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Put facts into others, hash by hash; a fact with dots in its name is a place in a hash."""
    for key, value in more.items():
        place = into
        *path, last = key.split(".")
        for part in path:
            place = place.setdefault(part, {})
        if isinstance(value, Mapping) and isinstance(place.get(last), dict):
            merge(place[last], value)
        else:
            place[last] = value


def of_system(system: str) -> dict[str, Any]:
    """The facts that differ between systems, in both spellings."""
    family, name, distributor, release, codename, kernel = SYSTEMS[system]
    major, _, minor = release.partition(".")
    if name == "Ubuntu":
        major = release
    description = f"{name} {release} ({codename})"
    number = kernel.partition("-")[0]
    version = {"full": release, "major": major, **({"minor": minor} if name != "Ubuntu" else {})}
    redhat = family == "RedHat"
    found: dict[str, Any] = {
        "kernel": family if family in {"Darwin", "windows"} else "Linux",
        "kernelrelease": kernel,
        "kernelversion": number,
        "kernelmajversion": ".".join(number.split(".")[:2]),
        "lsbdistcodename": codename,
        "lsbdistdescription": description,
        "lsbdistid": distributor,
        "lsbdistrelease": release,
        "lsbmajdistrelease": major,
        "operatingsystem": name,
        "operatingsystemmajrelease": major,
        "operatingsystemrelease": release,
        "osfamily": family,
        "os": {
            "family": family,
            "name": name,
            "release": version,
            "distro": {
                "codename": codename,
                "description": description,
                "id": distributor,
                "release": version,
            },
        },
    }
    if family == "Darwin":
        found["os"]["macosx"] = {"product": "macOS", "version": {"full": "14.4", "major": "14"}}
        found["system_profiler"] = {"processor_name": "Apple M1", "model_identifier": "Macmini9,1"}
    if family == "windows":
        merge(found, WINDOWS)
    if redhat:
        found["package_provider"] = "dnf" if major != "7" else "yum"
        found["architecture"] = "x86_64"
        found["os_package_type"] = "rpm"
        merge(found["os"], {"architecture": "x86_64", "selinux": SELINUX})
        found["selinux"] = True
    return found


WINDOWS: dict[str, Any] = {
    "architecture": "x64",
    "env_windows_installdir": r"C:\Program Files\Puppet Labs\Puppet",
    "id": r"EXAMPLE\Administrator",
    "package_provider": "windows",
    "path": r"C:\Windows\system32;C:\Windows",
    "os": {
        "architecture": "x64",
        "windows": {"system32": r"C:\Windows\system32", "edition_id": "ServerStandard"},
    },
    "puppet_agent_appdata": r"C:\ProgramData",
    "puppet_confdir": "C:/ProgramData/PuppetLabs/puppet/etc",
    "powershell_version": "5.1.17763.1",
    "puppet_vardir": r"C:\ProgramData\PuppetLabs\puppet\cache",
    "system32": r"C:\Windows\system32",
    "choco_install_path": r"C:\ProgramData\chocolatey",
    "chocolateyversion": "1.4.0",
    "windows_env": {"SYSTEMDRIVE": "C:", "TEMP": r"C:\Windows\Temp"},
}

SELINUX = {
    "enabled": True,
    "enforced": True,
    "current_mode": "enforcing",
    "config_mode": "enforcing",
    "config_policy": "targeted",
    "policy_version": "33",
}


def ranked(texts: Iterable[str]) -> list[str]:
    """The systems that a site mentions, the most frequent first; Debian 12 where it mentions none."""
    counts = dict.fromkeys(MENTIONS, 0)
    for text in texts:
        for system, pattern in MENTIONS.items():
            counts[system] += len(re.findall(pattern, text))
    found = sorted((one for one in counts if counts[one]), key=lambda one: -counts[one])
    return found or ["debian-12"]
