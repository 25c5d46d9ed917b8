"""A throw-away root in its own mount, PID, network, UTS and IPC namespaces, with real systemd on request.

`isolate` re-runs this program inside fresh namespaces; everything below `Root` happens there, so that
nothing (mounts, processes, cgroups, host names) is left behind, whatever the program under test does.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

NAMESPACES = [
    "--mount",
    "--uts",
    "--net",
    "--ipc",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
]
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "/root",
    "TERM": "dumb",
    "DEBIAN_FRONTEND": "noninteractive",
}
MOUNT_PLACES = ("/srv", "/mnt", "/media", "/home", "/opt", "/tmp", "/var")
NODES = ("null", "zero", "full", "random", "urandom", "tty")


def isolate(spec: Path) -> int:
    """Run the case of a spec file in fresh namespaces and return the exit status."""
    program = [sys.executable, str(Path(__file__).parent / "inside.py"), str(spec)]
    return subprocess.run(["unshare", *NAMESPACES, *program], check=False).returncode


def reap() -> None:
    """Go on in a child while this process, PID 1 of its namespace, collects orphans as init must."""
    worker = os.fork()
    if worker == 0:
        return
    while True:
        process, status = os.wait()
        if process == worker:
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


class Root:
    """An overlay over the base, mounted and ready for commands."""

    def __init__(self, base: Path, scratch: Path, binds: Sequence[tuple[str, str]] = ()) -> None:
        self.scratch = scratch
        self.path = scratch / "root"
        self.init: int | None = None
        self.cgroup: Path | None = None
        upper = scratch / "upper"
        for folder in (self.path, upper):
            folder.mkdir(parents=True)
        mount(
            "-t", "tmpfs", "-o", "mode=755,noatime", "tmpfs", str(upper)
        )  # looking must not change what tidy sees
        for name in ("data", "work"):
            (upper / name).mkdir()
        layers = f"noatime,lowerdir={base},upperdir={upper}/data,workdir={upper}/work"
        done = subprocess.run(
            ["mount", "-t", "overlay", "overlay", "-o", layers, str(self.path)],
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:  # no overlayfs here: a copy does as well, only slower
            subprocess.run(["cp", "-a", "--reflink=auto", f"{base}/.", str(self.path)], check=True)
        self.add_devices()
        mount("-t", "proc", "proc", f"{self.path}/proc")
        mount("-t", "sysfs", "-o", "ro", "sysfs", f"{self.path}/sys")
        mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", f"{self.path}/run")
        (self.path / "run/lock").mkdir(mode=0o1777)
        for source, target in binds:
            point = self.path / target.lstrip("/")
            point.mkdir(parents=True, exist_ok=True)
            mount("--rbind", "-o", "ro", source, str(point))
        socket.sethostname("rig")
        add_network()

    def add_devices(self) -> None:
        dev = self.path / "dev"
        mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", str(dev))
        for name in NODES:
            (dev / name).touch()
            mount("--bind", f"/dev/{name}", str(dev / name))
        for name in ("pts", "shm"):
            (dev / name).mkdir()
        mount("-t", "devpts", "-o", "newinstance,ptmxmode=0666", "devpts", str(dev / "pts"))
        for name, target in {
            "fd": "/proc/self/fd",
            "stdin": "fd/0",
            "stdout": "fd/1",
            "stderr": "fd/2",
            "ptmx": "pts/ptmx",
        }.items():
            (dev / name).symlink_to(target)

    def boot(self, limit: float = 120) -> None:
        """Start systemd as PID 1 of a further PID namespace, in a cgroup of its own, and wait until it is up."""
        tree = self.scratch / "cgroup"
        tree.mkdir()
        mount("-t", "cgroup2", "cgroup2", str(tree))
        self.cgroup = tree / f"bunraku-rig-{self.scratch.parent.name}"
        self.cgroup.mkdir()
        script = (
            f"mount -t proc proc {self.path}/proc && mount -t cgroup2 cgroup2 {self.path}/sys/fs/cgroup && "
            f"exec chroot {self.path} /usr/bin/env -i container=rig PATH={ENVIRONMENT['PATH']} "
            "/lib/systemd/systemd --unit=multi-user.target --show-status=no --log-target=null"
        )
        enter = f"echo $$ > {self.cgroup}/cgroup.procs && exec unshare --cgroup --mount --pid --fork --kill-child sh -c '{script}'"
        log = (self.scratch / "init.log").open("wb")
        outer = subprocess.Popen(
            ["sh", "-c", enter], stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            children = Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text().split()
            if children and Path(f"/proc/{children[0]}/comm").read_text() == "systemd\n":
                self.init = int(children[0])
                if self.run(["systemctl", "is-system-running"]).stdout.strip() in (
                    b"running",
                    b"degraded",
                ):
                    return
            time.sleep(0.1)
        raise SystemExit("rig: systemd did not come up: " + (self.scratch / "init.log").read_text())

    def run(
        self,
        command: Sequence[str] | str,
        *,
        timeout: float = 600,
        environment: dict[str, str] | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command (a string goes to sh) inside the root; output is captured, stdin is empty."""
        inner = ["sh", "-ec", command] if isinstance(command, str) else list(command)
        settings = [
            f"{name}={value}" for name, value in {**ENVIRONMENT, **(environment or {})}.items()
        ]
        inner = ["/usr/bin/env", "-i", *settings, *inner]
        if self.init is None:
            enter = ["chroot", str(self.path)]
        else:
            enter = [
                "nsenter",
                "-t",
                str(self.init),
                "--mount",
                "--pid",
                "--cgroup",
                "--root",
                "--wdns=/",
            ]
        # Output goes to files: a daemon that keeps the descriptors open must not keep us waiting.
        with (
            (self.scratch / "stdout").open("w+b") as out,
            (self.scratch / "stderr").open("w+b") as err,
        ):
            process = subprocess.Popen(
                enter + inner,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd="/",
                start_new_session=True,
                umask=0o022,
            )
            try:
                code = process.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                code = -1
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(inner, code, out.read(), err.read())

    def mounts(self) -> dict[str, dict[str, str]]:
        """What is mounted below the root beyond what the rig itself mounts: type and options by mount point."""
        found = {}
        base = str(self.path) if self.init is None else ""
        for line in Path(f"/proc/{self.init or 'self'}/mountinfo").read_text().splitlines():
            left, _, right = line.partition(" - ")
            point, options = left.split()[4:6]
            kind, _source, more = right.split()[:3]
            place = point.removeprefix(base) if point.startswith(base + "/") else ""
            if place.startswith(MOUNT_PLACES):
                found[place] = {"type": kind, "options": options, "more": more}
        return found

    def close(self) -> None:
        """Stop systemd and give its cgroup back; the kernel takes the mounts away with the namespace."""
        if self.init is not None:
            os.kill(self.init, signal.SIGKILL)
        if self.cgroup is not None:
            for _ in range(50):
                for folder, _names, _files in os.walk(self.cgroup, topdown=False):
                    try:
                        os.rmdir(folder)
                    except OSError:
                        break
                else:
                    break
                time.sleep(0.1)


def mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)


def add_network() -> None:
    """Loopback, and one address that goes nowhere, so that programs find an IP; every other address is refused at once."""
    subprocess.run(
        "ip link set lo up; ip link add eth0 type veth peer name peer0 && ip addr add 192.0.2.10/24 dev eth0 && "
        "ip link set eth0 up && ip link set peer0 up && ip route add default via 192.0.2.1 && "
        "ip route add unreachable 169.254.0.0/16 && ip route add unreachable default metric 1",
        shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
    )  # fmt: skip
