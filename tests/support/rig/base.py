"""The cached base root: Debian 12, puppet-agent, its core modules, cron, systemd, Python.

Packages come from wherever this machine's own apt gets them; the base itself keeps no source list,
so that nothing inside it can reach for a mirror.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path

from support.rig import state

CACHE = Path(os.environ.get("BUNRAKU_RIG_CACHE", "/var/cache/bunraku-rig"))
BASE = CACHE / "base"
INDEX = CACHE / "base.index.json"

PACKAGES = [
    "puppet-agent",
    "ruby-augeas",
    "augeas-lenses",
    "puppet-module-puppetlabs-stdlib",
    "puppet-module-puppetlabs-concat",
    "puppet-module-puppetlabs-inifile",
    "puppet-module-puppetlabs-augeas-core",
    "puppet-module-puppetlabs-cron-core",
    "puppet-module-puppetlabs-host-core",
    "puppet-module-puppetlabs-mailalias-core",
    "puppet-module-puppetlabs-mount-core",
    "puppet-module-puppetlabs-sshkeys-core",
    "puppet-module-puppetlabs-selinux-core",
    "cron",
    "adduser",
    "passwd",
    "systemd",
    "systemd-sysv",
    "dbus",
    "init-system-helpers",
    "python3",
    "python3-yaml",
    "python3-pip",
    "procps",
    "iproute2",
    "mount",
]

HOSTS = "127.0.0.1 localhost\n192.0.2.10 rig.example.test rig\n"

# Facts that cost seconds or differ from machine to machine, and that no case reads.
BLOCKED_FACTS = [
    "EC2",
    "GCE",
    "Azure",
    "augeas",
    "augeas.version",
    "augeasversion",
    "ec2_metadata",
    "gce",
    "az_metadata",
    "disks",
    "mountpoints",
    "partitions",
    "dhcp_servers",
    "memory",
    "dmi",
    "xen",
    "hypervisors",
    "virtual",
    "processors",
    "load_averages",
    "ssh",
    "selinux",
    "filesystems",
]


class RigError(Exception):
    """A case or the base root cannot be set up."""


def ensure() -> Path:
    """Return the base root, made on first use (a few minutes, about 400 MB).

    One process makes it, others wait. RigError if it cannot be made, for the next process too.
    """
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "base.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not INDEX.exists():
            try:
                build()
            except (OSError, subprocess.CalledProcessError) as error:
                raise RigError(f"the base root cannot be made: {error}") from error
    return BASE


def build() -> None:
    """Make the base root anew with mmdebstrap and this machine's apt sources."""
    if shutil.which("mmdebstrap") is None:
        raise RigError("mmdebstrap is missing: apt-get install --no-install-recommends mmdebstrap")
    fresh = CACHE / "base.new"
    for stale in (fresh, BASE):
        shutil.rmtree(stale, ignore_errors=True)
    INDEX.unlink(missing_ok=True)
    CACHE.mkdir(parents=True, exist_ok=True)
    sources = [
        str(path)
        for path in [
            Path("/etc/apt/sources.list"),
            *sorted(Path("/etc/apt/sources.list.d").glob("*")),
        ]
        if path.suffix in (".list", ".sources") and path.is_file()
    ]
    options = ['Acquire::Languages "none"', 'APT::Install-Recommends "false"']
    dump = subprocess.run(
        ["apt-config", "dump", "Acquire"], capture_output=True, text=True, check=True
    ).stdout
    options += [
        line.rstrip(";")
        for line in dump.splitlines()
        if line.startswith(("Acquire::Check-", "Acquire::http", "Acquire::https"))
        and not line.endswith('"";')
    ]
    subprocess.run(
        ["mmdebstrap", "--variant=minbase", "--mode=root", "--include=" + ",".join(PACKAGES)]
        + ["--aptopt=" + option for option in options]
        + ["bookworm", str(fresh), *sources],
        check=True,
    )
    finish(fresh)
    fresh.rename(BASE)
    INDEX.write_text(json.dumps(state.scan(BASE, {})))


def finish(root: Path) -> None:
    """Take the machine's traces out of the base and give it fixed names."""
    for leftover in [
        *root.glob("etc/apt/sources.list*/*"),
        *root.glob("etc/apt/apt.conf.d/99mmdebstrap"),
    ]:
        leftover.unlink()
    (root / "etc/apt/sources.list").unlink(missing_ok=True)
    (root / "etc/apt/apt.conf.d/90rig").write_text(
        'APT::Install-Recommends "false";\nAcquire::Languages "none";\nAPT::Sandbox::User "root";\n'
    )
    (root / "etc/hostname").write_text("rig\n")
    (root / "etc/hosts").write_text(HOSTS)
    (root / "etc/resolv.conf").write_text("")
    (root / "etc/machine-id").write_text("0123456789abcdef0123456789abcdef\n")
    (root / "etc/localtime").unlink(missing_ok=True)
    (root / "etc/localtime").symlink_to("/usr/share/zoneinfo/Etc/UTC")
    facter = root / "etc/facter/facter.conf"
    facter.parent.mkdir(exist_ok=True)
    blocked = ", ".join(f'"{name}"' for name in BLOCKED_FACTS)
    facter.write_text(f"facts : {{ blocklist : [ {blocked} ] }}\n")
    (root / "rig").mkdir(exist_ok=True)
