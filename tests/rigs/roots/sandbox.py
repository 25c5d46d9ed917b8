"""A throw-away root: an overlay over the base root, in namespaces of its own, with systemd on request.

The overlay, the processes and the network end with the namespaces, whatever the program under test does.
"""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
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
"""Options of unshare. Ending unshare kills all processes of the PID namespace."""

ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "/root",
    "TERM": "dumb",
    "DEBIAN_FRONTEND": "noninteractive",
}

# The upper layer is a tmpfs, so nothing of a case is left on disk. Nothing here updates access
# times, which tidy reads. The options of overlay make the upper layer hold every changed path.
MOUNTS = """
mount -t tmpfs -o mode=755,noatime tmpfs {top}
mkdir {top}/upper {top}/work {top}/root
mount -t overlay -o noatime,redirect_dir=off,index=off,metacopy=off,lowerdir={base},upperdir={top}/upper,workdir={top}/work overlay {top}/root
cd {top}/root
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=755 tmpfs run
mkdir -m 1777 run/lock
mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero full random urandom tty; do
    touch dev/$node
    mount --bind /dev/$node dev/$node
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s /proc/self/fd dev/fd
ln -s fd/0 dev/stdin
ln -s fd/1 dev/stdout
ln -s fd/2 dev/stderr
ln -s pts/ptmx dev/ptmx
"""

# Programs find an address, but every other address is refused at once.
NETWORK = """
ip -batch - <<END
link set lo up
link add eth0 type veth peer name peer0
addr add 192.0.2.10/24 dev eth0
link set eth0 up
link set peer0 up
route add default via 192.0.2.1
route add unreachable 169.254.0.0/16
route add unreachable default metric 1
END
"""

MOUNT_PLACES = ("/srv/", "/mnt/", "/media/", "/home/", "/tmp/", "/var/")
"""Where cases mount something; the sandbox and systemd mount elsewhere."""


class SandboxError(Exception):
    """A step of setting up a sandbox failed."""


class Sandbox:
    """A root for one case. To be made in fresh namespaces, once."""

    def __init__(self, base: Sequence[Path], top: Path, binds: Mapping[str, str]) -> None:
        """Mount the root below ``top``, over the layers of ``base``, the uppermost first.

        ``binds`` are folders of this machine by their place in the root.
        """
        self.top = top
        self.root, self.upper = top / "root", top / "upper"
        self.systemd: int | None = None
        self.cgroup: Path | None = None
        layers = shlex.quote(":".join(map(str, base)))
        script = MOUNTS.format(top=shlex.quote(str(top)), base=layers)
        self.base = base[0]
        """The root as it is without the case."""
        if len(base) > 1:
            self.base = top / "base"
            script += (
                f"mkdir {self.base}\nmount -t overlay -o lowerdir={layers} overlay {self.base}\n"
            )
        for target, source in binds.items():
            inside = shlex.quote(target.lstrip("/"))
            script += f"mkdir -p {inside}\nmount --rbind {shlex.quote(source)} {inside}\n"
        self.on_host(script)
        socket.sethostname("rig")
        self.run(["sh", "-c", NETWORK])

    def on_host(self, script: str) -> None:
        """Run a shell script in the namespaces, outside of the root; SandboxError if it fails."""
        done = subprocess.run(
            ["sh", "-ec", script],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise SandboxError(done.stderr.strip())

    def boot(self, limit: float = 180) -> None:
        """Start systemd as process 1 of a further PID namespace, in a cgroup of its own; wait until it is up."""
        tree = self.top / "cgroup"
        tree.mkdir()
        self.on_host(f"mount -t cgroup2 cgroup2 {tree}")
        self.cgroup = tree / f"bunraku-rig-{self.top.parent.name}"
        self.cgroup.mkdir()
        start = (
            f"mount -t proc proc {self.root}/proc && mount -t cgroup2 cgroup2 {self.root}/sys/fs/cgroup && "
            f"exec chroot {self.root} /usr/bin/env -i container=rig PATH={ENVIRONMENT['PATH']} "
            "/lib/systemd/systemd --unit=multi-user.target --show-status=no --log-target=null"
        )
        script = (
            f"echo $$ >{self.cgroup}/cgroup.procs; "
            f"exec unshare --cgroup --mount --pid --fork --kill-child sh -c {shlex.quote(start)}"
        )
        with (self.top / "systemd.log").open("wb") as log:
            outer = subprocess.Popen(
                ["sh", "-c", script], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        for _ in ticks(limit):
            if outer.poll() is not None:
                break
            children = Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text().split()
            if children and Path(f"/proc/{children[0]}/comm").read_text() == "systemd\n":
                self.systemd = int(children[0])
                state = self.run(["systemctl", "is-system-running"]).stdout.strip()
                if state in {b"running", b"degraded"}:
                    return
        raise SandboxError("systemd did not start: " + (self.top / "systemd.log").read_text())

    def run(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        limit: float = 400,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command in the root with its output captured and an empty input; status -9 after ``limit`` seconds."""
        if self.systemd is None:
            enter = ["chroot", str(self.root)]
        else:
            namespaces = ["--mount", "--pid", "--cgroup", "--root", "--wdns=/"]
            enter = ["nsenter", "--target", str(self.systemd), *namespaces]
        variables = [
            f"{name}={value}" for name, value in {**ENVIRONMENT, **(environment or {})}.items()
        ]
        # Files and not pipes: a daemon may keep its output open for ever.
        with (self.top / "stdout").open("w+b") as out, (self.top / "stderr").open("w+b") as err:
            process = subprocess.Popen(
                [*enter, "/usr/bin/env", "-i", *variables, *command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd="/",
                start_new_session=True,
                umask=0o022,
            )
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                status = process.wait()
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(command, status, out.read(), err.read())

    def must(self, command: Sequence[str]) -> None:
        """Run a command in the root; SandboxError if it fails."""
        done = self.run(command)
        if done.returncode != 0:
            output = (done.stdout + done.stderr).decode(errors="replace")
            raise SandboxError(f"{shlex.join(command)}: status {done.returncode}: {output}")

    def mounts(self) -> dict[str, dict[str, str]]:
        """Return the mounts in the root except those of the sandbox: type and options by mount point."""
        prefix = "" if self.systemd is not None else str(self.root)
        found = {}
        for line in Path(f"/proc/{self.systemd or 'self'}/mountinfo").read_text().splitlines():
            fields, _, source = line.partition(" - ")
            point, options = fields.split()[4:6]
            kind, _, details = source.split()[:3]
            path = point.removeprefix(prefix)
            if point.startswith(prefix) and path.startswith(MOUNT_PLACES):
                found[path] = {"type": kind, "options": options, "more": details}
        return found

    def close(self) -> None:
        """End systemd and remove its cgroup. The kernel removes all else with the namespaces."""
        if self.systemd is not None:
            os.kill(self.systemd, signal.SIGKILL)
        if self.cgroup is not None:
            for _ in ticks(5):
                try:
                    for folder, _, _ in os.walk(self.cgroup, topdown=False):
                        os.rmdir(folder)
                except OSError:
                    continue  # its processes are still ending
                return


def ticks(limit: float) -> Iterator[None]:
    """Yield every few hundredths of a second, for ``limit`` seconds."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        yield
        time.sleep(0.03)
