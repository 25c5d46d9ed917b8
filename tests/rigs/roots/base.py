"""Make the base root of all cases: Debian 12 with Puppet 7.23, its modules, cron, systemd and Python.

mmdebstrap installs the packages from this machine's own apt sources. The root itself has no sources, so
that no case depends on a mirror.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import time
from pathlib import Path

CACHE = Path(os.environ.get("BUNRAKU_RIG_CACHE", "/var/cache/bunraku-rig"))
"""The folder of base roots, 400 MB each."""

LIMIT = 1200.0
"""Seconds that making the root may take; 80 are usual."""

CODENAME = "bookworm"

PACKAGES = """
    puppet-agent ruby-augeas augeas-lenses
    puppet-module-puppetlabs-stdlib puppet-module-puppetlabs-concat puppet-module-puppetlabs-inifile
    puppet-module-puppetlabs-augeas-core puppet-module-puppetlabs-cron-core puppet-module-puppetlabs-host-core
    puppet-module-puppetlabs-mailalias-core puppet-module-puppetlabs-mount-core
    puppet-module-puppetlabs-sshkeys-core puppet-module-puppetlabs-selinux-core
    python3 python3-yaml python3-pip
    systemd systemd-sysv dbus init-system-helpers
    cron adduser passwd procps iproute2 mount
"""

# Facts that take seconds or differ from machine to machine. No case reads them.
BLOCKED_FACTS = """
    EC2 GCE Azure augeas augeas.version augeasversion ec2_metadata gce az_metadata disks mountpoints partitions
    dhcp_servers memory dmi xen hypervisors virtual processors load_averages ssh selinux filesystems
"""

FILES = {
    "etc/apt/apt.conf.d/90rig": (
        'APT::Install-Recommends "false";\nAcquire::Languages "none";\nAPT::Sandbox::User "root";\n'
    ),
    "etc/hostname": "rig\n",
    "etc/hosts": "127.0.0.1 localhost\n192.0.2.10 rig.example.test rig\n",
    "etc/resolv.conf": "",
    "etc/machine-id": "0123456789abcdef0123456789abcdef\n",
    "etc/facter/facter.conf": 'facts : { blocklist : [ "'
    + '", "'.join(BLOCKED_FACTS.split())
    + '" ] }\n',
}
"""Files that have the same content on every machine."""


class RigError(Exception):
    """A case or the base root cannot be set up."""


def place() -> Path:
    """Return where the base root is or will be; its name changes when the recipe does."""
    recipe = repr((CODENAME, sorted(PACKAGES.split()), sorted(FILES.items())))
    return CACHE / f"base-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}"


def ensure() -> Path:
    """Return the base root, made if it is missing.

    One process makes it, others wait for it. RigError with the reason if it cannot be made; processes
    that waited get the same error and do not try again.
    """
    root = place()
    if root.exists():
        return root
    failure = CACHE / "failure"
    asked = time.time()
    try:
        CACHE.mkdir(parents=True, exist_ok=True)
        with (CACHE / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not root.exists():
                if failure.exists() and failure.stat().st_mtime >= asked:
                    raise RigError(failure.read_text())
                try:
                    make(root)
                except RigError as error:
                    failure.write_text(str(error))  # before the lock is given to the next process
                    raise
    except OSError as error:
        raise RigError(f"the base root cannot be made: {error}") from error
    return root


def make(root: Path) -> None:
    """Make the base root; RigError with the last lines of mmdebstrap if that fails."""
    if shutil.which("mmdebstrap") is None:
        raise RigError("mmdebstrap is missing (apt-get install --no-install-recommends mmdebstrap)")
    fresh = root.with_suffix(".new")
    shutil.rmtree(fresh, ignore_errors=True)
    log = CACHE / "mmdebstrap.log"
    command = [
        "mmdebstrap",
        "--variant=minbase",
        "--mode=root",
        f"--include={','.join(PACKAGES.split())}",
    ]
    command += [f"--aptopt={option}" for option in apt_options()]
    command += [CODENAME, str(fresh), *apt_sources()]
    with log.open("wb") as output:
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise RigError(
                f"the base root was not made in {LIMIT:.0f} seconds; see {log}"
            ) from error
    if done.returncode != 0:
        lines = log.read_text(errors="replace").strip().splitlines()
        raise RigError(
            f"the base root cannot be made: mmdebstrap failed: {' / '.join(lines[-3:])}; see {log}"
        )
    finish(fresh)
    fresh.rename(root)


def apt_sources() -> list[str]:
    """Return the files of this machine's apt sources."""
    folder = Path("/etc/apt")
    files = [folder / "sources.list", *sorted((folder / "sources.list.d").glob("*"))]
    return [str(file) for file in files if file.suffix in {".list", ".sources"} and file.is_file()]


def apt_options() -> list[str]:
    """Return apt's options for mmdebstrap: no recommended packages; this machine's proxies and checks."""
    dump = subprocess.run(
        ["apt-config", "dump", "Acquire"], capture_output=True, text=True, check=True
    )
    kept = ("Acquire::Check-", "Acquire::http", "Acquire::https")
    own = [line.rstrip(";") for line in dump.stdout.splitlines() if line.startswith(kept)]
    return [
        'Acquire::Languages "none"',
        'APT::Install-Recommends "false"',
        *(option for option in own if not option.endswith('""')),
    ]


def finish(root: Path) -> None:
    """Remove the data of this machine, and write the files that every root has."""
    apt = root / "etc/apt"
    for leftover in [
        *apt.glob("sources.list*/*"),
        apt / "sources.list",
        apt / "apt.conf.d/99mmdebstrap",
    ]:
        leftover.unlink(missing_ok=True)
    for path, text in FILES.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    zone = root / "etc/localtime"
    zone.unlink(missing_ok=True)
    zone.symlink_to("/usr/share/zoneinfo/Etc/UTC")
    (root / "rig").mkdir(exist_ok=True)
