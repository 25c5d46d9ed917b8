"""The machines of an administrator's day: a server and nodes, which share a network and have files of their own.

They are one machine of the rig. Each node has overlays over its directories, mounted for the time of a command.
"""

from __future__ import annotations

import os
import pwd
import shlex
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from support.console import Prompt, write_programs

SERVER = "puppet.example.com"
DOMAIN = "example.com"
SITE_SIZE = "600m"
SECONDS = 600
"""The time limit of a command: some install packages, on a busy machine."""
OVERLAID = ("etc", "opt", "var", "root")
"""Directories that a site and its agents write to, beside /srv."""
LOWER = """
mkdir -p "$1"
mount -t tmpfs -o mode=755 tmpfs "$1"
mkdir -m 1777 "$1/tmp"
for name in $2; do mkdir -p "$1/lower/$name"; mount --bind "/$name" "$1/lower/$name"; done
"""
OVERLAYS = """
for name in $2; do
    mkdir -p "$1/$3/$name/upper" "$1/$3/$name/work"
    mount -t overlay -o "lowerdir=$1/lower/$name,upperdir=$1/$3/$name/upper,workdir=$1/$3/$name/work" overlay "/$name"
done
"""
CLEAN = "rm -rf /etc/puppetlabs /etc/puppet /opt/puppetlabs /var/lib/puppet /var/log/puppetlabs"
"""What this machine may have of Puppet, out of the way of the machines of the day."""
NODE = f"""
{OVERLAYS}
hostname "${{3#nodes/}}.{DOMAIN}"
mount -t tmpfs -o mode=755,size=10m tmpfs /srv
if [ ! -e "$1/$3/made" ]; then
    {CLEAN}
    cp "$1/hosts" /etc/hosts
    mkdir -p /etc/puppetlabs/puppet
    printf '[main]\\nkeylength = 2048\\n' > /etc/puppetlabs/puppet/puppet.conf # made sooner than others
    touch "$1/$3/made"
fi
"""


class Machines:
    """A server and nodes. ``words`` enter the machine of the rig, ``place`` is a directory of its own there.

    ``root`` is where its files are, seen from here.
    """

    def __init__(
        self,
        words: Sequence[str],
        root: Path,
        place: str,
        nodes: Sequence[str],
        environment: Mapping[str, str],
    ) -> None:
        self.words = words
        self.root = root
        self.place = place
        self.nodes = nodes
        self.environment = environment
        self.server = Prompt([*words, "bash", "-c"], "/root", environment, SECONDS)
        self.prompts = {name: self.prompt_of(name) for name in nodes}

    def prompt_of(self, name: str) -> Prompt:
        """Return the prompt of a node."""
        enter = ["unshare", "--mount", "--uts", "sh", "-euc", f'{NODE}exec bash -c "$4"', "sh"]
        own = [self.place, " ".join(OVERLAID), f"nodes/{name}"]
        return Prompt([*self.words, *enter, *own], "/root", self.environment, SECONDS)

    def remove(self, name: str) -> None:
        """Leave a node out from now on."""
        self.nodes = [one for one in self.nodes if one != name]

    def shell(self, script: str) -> None:
        """Run a script on the server that is no step of the day."""
        words = [*self.words, "sh", "-euc", script, "sh"]
        subprocess.run(words, env=self.environment, check=True, stdin=subprocess.DEVNULL)

    def prepare(self) -> None:
        """Write the names of the machines where the server and the nodes find them."""
        names = "".join(f"127.0.0.1 {name}.{DOMAIN}\n" for name in self.nodes)
        hosts = shlex.quote(f"127.0.0.1 localhost {SERVER}\n{names}")
        self.shell(f"printf %s {hosts} > {self.place}/hosts\ncp {self.place}/hosts /etc/hosts")

    def path(self, name: str) -> Path:
        """Return where a file of the server is, seen from here."""
        return self.root / name.lstrip("/")

    def path_on(self, node: str, name: str) -> Path:
        """Return where a file that a node has written is, seen from here."""
        top, _, rest = name.lstrip("/").partition("/")
        return self.path(f"{self.place}/nodes/{node}/{top}/upper/{rest}")


def own_machines(place: Path, nodes: Sequence[str]) -> Machines:
    """Return the machines in the namespaces of this process, which must be new ones, with a stand-in for systemd."""
    socket.sethostname(SERVER)
    names = " ".join(OVERLAID)
    script = f'{LOWER}{OVERLAYS}{CLEAN}\nmount -t tmpfs -o mode=755,size={SITE_SIZE} tmpfs /srv\nchmod 755 /root\nip link set lo up\nmkdir -p /etc/systemd/system "$1/state"\nchmod 755 "$1/state"'
    done = subprocess.run(["sh", "-euc", script, "sh", str(place), names, "server"], capture_output=True, text=True, check=False)  # fmt: skip
    if done.returncode:
        raise SystemExit(f"cannot mount the machines: {done.stderr.strip()}")
    programs = write_programs(place)
    manager = Path(__file__).with_name("service_manager.py")
    for name in ("systemctl", "journalctl"):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec {sys.executable} {manager} {name} "$@"\n')
        program.chmod(0o755)
    if "puppet" not in {entry.pw_name for entry in pwd.getpwall()}:
        subprocess.run(["useradd", "--system", "--user-group", "puppet"], check=True)
    environment = {
        "PATH": f"{programs}:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "TMPDIR": str(place / "tmp"),
        "STATE": str(place / "state"),
        "COLUMNS": "120",
    }
    machines = Machines([], Path("/"), str(place), nodes, environment)
    machines.prepare()
    return machines


def is_allowed() -> str:
    """Return why these machines cannot be made here; empty if they can."""
    if os.geteuid() != 0:
        return "only root can make machines of namespaces"
    words = ["unshare", "--mount", "--uts", "--net", "--pid", "--fork", "true"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stderr.strip() if done.returncode else ""
