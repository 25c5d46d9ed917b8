"""Facts of machines with the common operating systems, for where no FacterDB is installed.

A fact set is the usual machine (two processors, 4 GiB of memory, one disk, one network interface) with what
distinguishes an operating system and its release. The facts are those of Facter 4, those that stdlib and the
module ``systemd`` add, and the legacy facts that follow. ``tests/facts`` compares them with FacterDB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.base.records import record
from bunraku.facts.legacy import legacy_facts
from bunraku.facts.made_up import ADDRESS, ADDRESS_6
from bunraku.facts.units import human_bytes, share

Facts = dict[str, Any]
FACTER = "4.10"
"""The version of Facter whose facts these are."""
AGENT, RUBY = "8.10.0", "3.2.5"
GIB = 2**30


@record(frozen=True)
class Kind:
    """What all releases of an operating system have in common; ``id`` and ``description`` are of its distribution."""

    name: str
    family: str
    id: str
    description: str
    filesystem: str = "xfs"
    selinux: str = ""


KINDS = {
    "debian": Kind("Debian", "Debian", "Debian", "Debian GNU/Linux {major} ({codename})", "ext4"),
    "ubuntu": Kind("Ubuntu", "Debian", "Ubuntu", "Ubuntu {full} LTS", "ext4"),
    "redhat": Kind(
        "RedHat",
        "RedHat",
        "RedHatEnterprise",
        "Red Hat Enterprise Linux release {full} ({codename})",
        selinux="enforcing",
    ),
    "centos": Kind(
        "CentOS",
        "RedHat",
        "CentOS",
        "CentOS Linux release {full} ({codename})",
        selinux="enforcing",
    ),
    "rocky": Kind(
        "Rocky",
        "RedHat",
        "Rocky",
        "Rocky Linux release {full} ({codename})",
        selinux="enforcing",
    ),
    "almalinux": Kind(
        "AlmaLinux",
        "RedHat",
        "AlmaLinux",
        "AlmaLinux release {full} ({codename})",
        selinux="enforcing",
    ),
    "oraclelinux": Kind(
        "OracleLinux",
        "RedHat",
        "RedHatEnterprise",
        "Red Hat Enterprise Linux release {full} ({codename})",
        selinux="enforcing",
    ),
    "fedora": Kind(
        "Fedora",
        "RedHat",
        "Fedora",
        "Fedora release {full} ({codename})",
        "btrfs",
        selinux="enforcing",
    ),
    "sles": Kind("SLES", "Suse", "SUSE", "SUSE Linux Enterprise Server {major} SP{minor}", "btrfs"),
    "amazon": Kind("Amazon", "RedHat", "Amazon", "Amazon Linux release {full} ({codename})"),
    "freebsd": Kind("FreeBSD", "FreeBSD", "", "", "zfs"),
    "windows": Kind("windows", "windows", "", "", "NTFS"),
}

RELEASES = """
system         full      kernel                          packages  systemd  codename
debian-11      11.11     5.10.0-32-amd64                 apt       247      bullseye
debian-12      12.11     6.1.0-35-amd64                  apt       252      bookworm
debian-13      13.1      6.12.43+deb13-amd64             apt       257      trixie
ubuntu-20.04   20.04     5.4.0-216-generic               apt       245      focal
ubuntu-22.04   22.04     5.15.0-140-generic              apt       249      jammy
ubuntu-24.04   24.04     6.8.0-60-generic                apt       255      noble
redhat-7       7.9       3.10.0-1160.119.1.el7.x86_64    yum       219      Maipo
redhat-8       8.10      4.18.0-553.el8_10.x86_64        dnf       239      Ootpa
redhat-9       9.6       5.14.0-570.12.1.el9_6.x86_64    dnf       252      Plow
redhat-10      10.0      6.12.0-55.9.1.el10_0.x86_64     dnf       257      Coughlan
centos-7       7.9.2009  3.10.0-1160.119.1.el7.x86_64    yum       219      Core
centos-8       8.5.2111  4.18.0-348.7.1.el8_5.x86_64     dnf       239      -
centos-9       9         5.14.0-582.el9.x86_64           dnf       252      -
centos-10      10        6.12.0-73.el10.x86_64           dnf       257      -
rocky-8        8.10      4.18.0-553.el8_10.x86_64        dnf       239      Green Obsidian
rocky-9        9.6       5.14.0-570.12.1.el9_6.x86_64    dnf       252      Blue Onyx
rocky-10       10.0      6.12.0-55.9.1.el10_0.x86_64     dnf       257      Red Quartz
almalinux-8    8.10      4.18.0-553.el8_10.x86_64        dnf       239      Cerulean Leopard
almalinux-9    9.6       5.14.0-570.12.1.el9_6.x86_64    dnf       252      Sage Margay
almalinux-10   10.0      6.12.0-55.9.1.el10_0.x86_64     dnf       257      Purple Lion
oraclelinux-7  7.9       3.10.0-1160.119.1.el7.x86_64    yum       219      Maipo
oraclelinux-8  8.10      4.18.0-553.el8_10.x86_64        dnf       239      Ootpa
oraclelinux-9  9.6       5.14.0-570.12.1.el9_6.x86_64    dnf       252      Plow
oraclelinux-10 10.0      6.12.0-55.9.1.el10_0.x86_64     dnf       257      Coughlan
fedora-42      42        6.14.0-63.fc42.x86_64           dnf       257      Adams
fedora-43      43        6.17.1-300.fc43.x86_64          dnf       258      -
sles-15        15.6      6.4.0-150600.21-default         zypper    254      -
amazon-2       2         5.10.237-230.949.amzn2.x86_64   yum       219      Karoo
amazon-2023    2023      6.1.140-154.222.amzn2023.x86_64 dnf       252      Amazon Linux
freebsd-13     13.5      13.5-RELEASE                    pkgng     -        -
freebsd-14     14.3      14.3-RELEASE                    pkgng     -        -
windows-2019   2019      10.0.17763                      windows   -        1809
windows-2022   2022      10.0.20348                      windows   -        21H2
"""


@record(frozen=True)
class System:
    """A row of the table; a dash is an empty text."""

    system: str
    full: str
    kernel: str
    packages: str
    systemd: str
    codename: str

    @property
    def kind(self) -> Kind:
        """The operating system."""
        return KINDS[self.system.partition("-")[0]]

    @property
    def release(self) -> dict[str, str]:
        """The release, as facts have it."""
        if self.kind.name in ("Ubuntu", "windows"):
            return {"full": self.full, "major": self.full}
        major, *minor = self.full.split(".")[:2]
        return {"full": self.full, "major": major, **({"minor": minor[0]} if minor else {})}


def systems() -> Iterator[System]:
    """Yield the rows of the table."""
    for line in RELEASES.strip().split("\n")[1:]:
        cells = ["" if cell == "-" else cell for cell in line.split(maxsplit=5)]
        yield System(*cells)


def built_in_names() -> list[str]:
    """Return the names of the fact sets, as FacterDB has them, sorted.

    >>> built_in_names()[:2]
    ['almalinux-10-x86_64', 'almalinux-8-x86_64']
    """
    return sorted(f"{one.system}-x86_64" for one in systems())


def built_in_facts(name: str) -> Facts:
    """Return the facts of a fact set, with the legacy ones.

    >>> facts = built_in_facts("rocky-9-x86_64")
    >>> facts["os"]["release"]["major"], facts["osfamily"], facts["kernelmajversion"]
    ('9', 'RedHat', '5.14')
    """
    one = next(one for one in systems() if f"{one.system}-x86_64" == name)
    own = {"FreeBSD": of_freebsd, "windows": of_windows}.get(one.kind.name, of_linux)(one)
    facts = {**common_facts(one), **own}
    return {**legacy_facts(facts), **facts}


def common_facts(one: System) -> Facts:
    """Return the facts that all systems have."""
    return {
        "facterversion": f"{FACTER}.0",
        "puppetversion": AGENT,
        "is_virtual": True,
        "virtual": "kvm",
        "timezone": "UTC",
        "package_provider": one.packages,
        "memory": {"system": amount(4 * GIB, 1 * GIB), "swap": amount(2 * GIB, 0)},
        "dmi": {
            "manufacturer": "QEMU",
            "product": {"name": "Standard PC (Q35 + ICH9, 2009)", "uuid": UUID},
        },
        "system_uptime": {"days": 1, "hours": 24, "seconds": 86400, "uptime": "1 day"},
    }


UUID = "00000000-0000-4000-8000-000000000001"


def amount(total: int, used: int) -> Facts:
    """Return an amount of memory."""
    free = total - used
    return {
        "total": human_bytes(total),
        "total_bytes": total,
        "used": human_bytes(used),
        "used_bytes": used,
        "available": human_bytes(free),
        "available_bytes": free,
        "capacity": share(used, total),
    }


def mounted(device: str, filesystem: str) -> Facts:
    """Return an entry of the fact ``mountpoints``."""
    size = amount(40 * GIB, 4 * GIB)
    size |= {"size": size.pop("total"), "size_bytes": size.pop("total_bytes")}
    return {**size, "device": device, "filesystem": filesystem, "options": ["rw", "relatime"]}


def processors(isa: str) -> Facts:
    """Return the fact ``processors``."""
    models = ["QEMU Virtual CPU version 2.5+"] * 2
    return {
        "cores": 2,
        "count": 2,
        "isa": isa,
        "models": models,
        "physicalcount": 1,
        "speed": "2.50 GHz",
        "threads": 1,
    }


def networking(interface: str, loopback: str | None) -> Facts:
    """Return the fact ``networking`` of a machine with an address of RFC 5737 and one of RFC 3849."""
    usual = bound(ADDRESS, "255.255.255.0", "192.0.2.0") | bound6(ADDRESS_6, 64, "2001:db8::")
    usual |= {"mac": "00:00:5e:00:53:01", "mtu": 1500}
    interfaces = {interface: usual}
    if loopback is not None:
        own = bound("127.0.0.1", "255.0.0.0", "127.0.0.0") | bound6("::1", 128, "::1")
        interfaces[loopback] = own | {"mtu": 65536}
    main = {key: value for key, value in usual.items() if not key.startswith("bindings")}
    names = {"hostname": "foo", "domain": "example.com", "fqdn": "foo.example.com"}
    return {**names, **main, "primary": interface, "interfaces": interfaces}


def bound(address: str, netmask: str, network: str) -> Facts:
    """Return an IPv4 address of an interface."""
    binding = {"address": address, "netmask": netmask, "network": network}
    return {"bindings": [binding], "ip": address, "netmask": netmask, "network": network}


def bound6(address: str, length: int, network: str) -> Facts:
    """Return an IPv6 address of an interface; ``length`` is that of the prefix."""
    groups = ["ffff"] * (length // 16)
    netmask = ":".join(groups) + ("" if len(groups) == 8 else "::")
    scope = "host" if length == 128 else "global"
    binding = {"address": address, "netmask": netmask, "network": network, "scope6": scope}
    return {
        "bindings6": [binding],
        "ip6": address,
        "netmask6": netmask,
        "network6": network,
        "scope6": scope,
    }


def ssh_keys() -> Facts:
    """Return the fact ``ssh`` with sample keys."""
    kinds = {
        "rsa": (1, "ssh-rsa", "AAAAB3NzaC1yc2EAAAADAQABAAABAQ"),
        "ecdsa": (3, "ecdsa-sha2-nistp256", "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABB"),
        "ed25519": (4, "ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAI"),
    }
    return {
        name: {
            "fingerprints": {
                "sha1": f"SSHFP {number} 1 {'0' * 40}",
                "sha256": f"SSHFP {number} 2 {'0' * 64}",
            },
            "key": start + "A" * 43,
            "type": type_,
        }
        for name, (number, type_, start) in kinds.items()
    }


def of_unix(group: str) -> Facts:
    """Return the facts that Linux and FreeBSD have."""
    user = {"gid": 0, "group": group, "privileged": True, "uid": 0, "user": "root"}
    return {
        "identity": user,
        "load_averages": {"1m": 0.0, "5m": 0.0, "15m": 0.0},
        "root_home": "/root",
        "ssh": ssh_keys(),
    }


# -- Linux -----------------------------------------------------------------------------------------


def of_linux(one: System) -> Facts:
    """Return the facts of a distribution of Linux."""
    debian = one.kind.family == "Debian"
    version = one.kernel.partition("-")[0].partition("+")[0]
    directory = "/opt/puppetlabs"
    folders = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
    return {
        **of_unix("root"),
        "kernel": "Linux",
        "kernelrelease": one.kernel,
        "kernelversion": version,
        "kernelmajversion": ".".join(version.split(".")[:2]),
        "os": {
            "architecture": "amd64" if debian else "x86_64",
            "distro": distribution(one),
            "family": one.kind.family,
            "hardware": "x86_64",
            "name": one.kind.name,
            "release": one.release,
            "selinux": selinux(one),
        },
        "aio_agent_version": AGENT,
        "augeas": {"version": "1.14.1"},
        "ruby": {
            "platform": "x86_64-linux",
            "sitedir": f"{directory}/puppet/lib/ruby/site_ruby/3.2.0",
            "version": RUBY,
        },
        "path": ":".join([f"{directory}/bin", *folders]),
        "puppet_vardir": f"{directory}/puppet/cache",
        "filesystems": "ext2,ext3,ext4" if one.kind.filesystem == "ext4" else one.kind.filesystem,
        "fips_enabled": False,
        "hypervisors": {"kvm": {}},
        "service_provider": "systemd",
        "systemd": True,
        "systemd_version": one.systemd,
        "processors": processors("unknown" if debian else "x86_64"),
        "networking": networking("eth0", "lo"),
        **disk("vda", "/dev/vda1", "/dev/vda1", one.kind.filesystem),
    }


def disk(name: str, partition: str, device: str, filesystem: str) -> Facts:
    """Return the facts of the one disk: its partition, and the device of the root file system."""
    size = {"size": human_bytes(40 * GIB), "size_bytes": 40 * GIB}
    return {
        "disks": {name: {**size, "type": "hdd", "vendor": "0x1af4"}},
        "partitions": {partition: {**size, "filesystem": filesystem, "mount": "/", "uuid": UUID}},
        "mountpoints": {"/": mounted(device, filesystem)},
    }


def distribution(one: System) -> Facts:
    """Return ``os.distro``."""
    id_, form = one.kind.id, one.kind.description
    major = one.release["major"]
    if one.kind.name == "CentOS" and major == one.full:  # CentOS Stream has no minor releases
        id_, form = f"{id_}Stream", form.replace("Linux", "Stream")
    elif id_ == "RedHatEnterprise" and major == "7":
        id_, form = f"{id_}Server", form.replace("release", "Server release")
    words = {**one.release, "codename": one.codename}
    text = re.sub(r" \(\)$", "", form.format(**{"minor": "0", **words}))
    codename = {"codename": one.codename} if one.codename else {}
    return {**codename, "description": text, "id": id_, "release": one.release}


def selinux(one: System) -> Facts:
    """Return ``os.selinux``."""
    mode = "permissive" if one.system == "amazon-2023" else one.kind.selinux
    if not mode:
        return {"enabled": False}
    return {
        "config_mode": mode,
        "config_policy": "targeted",
        "current_mode": mode,
        "enabled": True,
        "enforced": mode == "enforcing",
        "policy_version": "31" if one.release["major"] == "7" else "33",
    }


# -- others ----------------------------------------------------------------------------------------


def of_freebsd(one: System) -> Facts:
    """Return the facts of a release of FreeBSD."""
    return {
        **of_unix("wheel"),
        "kernel": "FreeBSD",
        "kernelrelease": one.kernel,
        "kernelversion": one.full,
        "kernelmajversion": one.release["major"],
        "os": {
            "architecture": "amd64",
            "family": "FreeBSD",
            "hardware": "amd64",
            "name": "FreeBSD",
            "release": {**one.release, "full": one.kernel, "branch": "RELEASE"},
        },
        "ruby": {
            "platform": f"amd64-freebsd{one.release['major']}",
            "sitedir": "/usr/local/lib/ruby/site_ruby/3.2",
            "version": RUBY,
        },
        "path": "/sbin:/bin:/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin",
        "puppet_vardir": "/var/puppet",
        "service_provider": "freebsd",
        "processors": processors("amd64"),
        "networking": networking("em0", "lo0"),
        **disk("ada0", "ada0p3", "zroot/ROOT/default", one.kind.filesystem),
    }


def of_windows(one: System) -> Facts:
    """Return the facts of a Windows Server."""
    directory, system32 = "C:\\Program Files\\Puppet Labs\\Puppet", "C:\\Windows\\system32"
    return {
        "kernel": "windows",
        "kernelrelease": one.kernel,
        "kernelversion": one.kernel,
        "kernelmajversion": "10.0",
        "os": {
            "architecture": "x64",
            "family": "windows",
            "hardware": "x86_64",
            "name": "windows",
            "release": one.release,
            "windows": windows(one, system32),
        },
        "aio_agent_version": AGENT,
        "env_windows_installdir": directory,
        "identity": {"privileged": True, "user": "FOO\\Administrator"},
        "ruby": {
            "platform": "x64-mingw32",
            "sitedir": f"{directory}/puppet/lib/ruby/site_ruby/3.2.0".replace("\\", "/"),
            "version": RUBY,
        },
        "path": f"{directory}\\bin;{system32};C:\\Windows;{system32}\\Wbem",
        "puppet_vardir": "C:/ProgramData/PuppetLabs/puppet/cache",
        "service_provider": "windows",
        "processors": processors("x64"),
        "networking": networking("Ethernet", None),
    }


def windows(one: System, system32: str) -> Mapping[str, str]:
    """Return ``os.windows``; the codename of the table is the release of Windows 10."""
    return {
        "edition_id": "ServerStandard",
        "installation_type": "Server",
        "product_name": f"Windows Server {one.full} Standard",
        "release_id": one.codename,
        "system32": system32,
    }
