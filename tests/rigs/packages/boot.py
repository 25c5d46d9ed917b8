"""Boot Debian roots with systemd as process 1, install the Debian package and run its units: ``make units-test``.

Needs root, mmdebstrap, ``dist/`` of ``make packages``, and a kernel in which a control group can be made. The
systemd has process, mount, network, host name and control group namespaces of its own; nothing of this machine
is changed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from rigs.packages.trial import INCLUDED, TOP, Root, base

GROUPS = ("/sys/fs/cgroup/unified", "/sys/fs/cgroup")
SECONDS = 600
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
BOOT = """
echo $$ > "$2/cgroup.procs"
exec unshare --mount --pid --fork --kill-child --cgroup --uts --ipc --net --propagation private sh -euc "$3" sh "$1" "$4"
"""
START = """
hostname puppet.test
"$2" -c "import fcntl, socket, struct; fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sh14x', b'lo', 0x49))"
mount --bind "$1" "$1"
mkdir -p "$1/sys/fs/cgroup"
mount -t proc proc "$1/proc"
mount -t tmpfs tmpfs "$1/sys"
mkdir -p "$1/sys/fs/cgroup"
mount -t cgroup2 none "$1/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$1/run"
mount -t tmpfs -o mode=755 tmpfs "$1/dev"
for name in null zero full random urandom tty; do touch "$1/dev/$name"; mount --bind "/dev/$name" "$1/dev/$name"; done
mkdir "$1/dev/pts" "$1/dev/shm"
ln -s /proc/self/fd "$1/dev/fd"
mount -t tmpfs tmpfs "$1/dev/shm"
touch "$1/dev/console"; mount --bind /dev/null "$1/dev/console"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
ln -s pts/ptmx "$1/dev/ptmx"
cd "$1"
mkdir old
pivot_root . old
exec env -i container=bunraku-trial PATH=/usr/sbin:/usr/bin chroot . sh -c 'umount -l /old; rmdir /old; exec /lib/systemd/systemd --unit=trial.target'
"""
TARGET = """\
[Unit]
Description=what a trial needs
Requires=basic.target dbus.service
After=basic.target dbus.service
AllowIsolate=yes
"""
STEPS: dict[str, str] = {
    "the package is installed": "dpkg -i /packages/bunraku_*.deb",
    "a site is made": "bunraku site init /srv/puppet --certname puppet.test",
    "its units are known": "cp /srv/puppet/units/* /etc/systemd/system/; systemctl daemon-reload;"
    " systemd-analyze verify --man=no /etc/systemd/system/bunraku-*.service /etc/systemd/system/bunraku-*.timer",
    "PuppetDB, server and timer start": "systemctl enable --now bunraku-puppetdb.service bunraku-server.service bunraku-deploy.timer bunraku-backup.timer",
    "all are active": "systemctl is-active bunraku-puppetdb.service bunraku-server.service bunraku-deploy.timer",
    "the services run as the user puppet": 'test "$(stat -c %U /proc/$(systemctl show -P MainPID bunraku-server))" = puppet',
    "a node gets a certificate": "! bunraku agent --onetime --server puppet.test --certname web1.test --waitforcert 0;"
    " bunraku ca sign --confdir /srv/puppet/etc/puppet --certname web1.test",
    "an agent runs": "bunraku agent --onetime --server puppet.test --certname web1.test --waitforcert 0",
    "a reload keeps the process": "a=$(systemctl show -P MainPID bunraku-server); systemctl reload bunraku-server;"
    " test $a = $(systemctl show -P MainPID bunraku-server); systemctl is-active bunraku-server",
    "a restart": "systemctl restart bunraku-server bunraku-puppetdb; systemctl is-active bunraku-server bunraku-puppetdb",
    "a killed server is started again": "kill -KILL $(systemctl show -P MainPID bunraku-server); sleep 3;"
    " for at in $(seq 60); do systemctl is-active --quiet bunraku-server && break; sleep 1; done; systemctl is-active bunraku-server",
    "a stopped loop is found by the watchdog": "systemctl stop bunraku-server; mkdir -p /run/systemd/system/bunraku-server.service.d;"
    " printf '[Service]\\nWatchdogSec=5\\n' > /run/systemd/system/bunraku-server.service.d/fast.conf; systemctl daemon-reload;"
    " systemctl start bunraku-server; a=$(systemctl show -P MainPID bunraku-server); kill -STOP $a; sleep 8;"
    " for at in $(seq 60); do b=$(systemctl show -P MainPID bunraku-server); test $b != 0 -a $b != $a && systemctl is-active --quiet bunraku-server && break; sleep 1; done;"
    " systemctl is-active bunraku-server; test $b != $a; rm -r /run/systemd/system/bunraku-server.service.d; systemctl daemon-reload",
    "a backup by its unit": "systemctl start bunraku-backup.service; ls /srv/puppet-backups/puppet.test-*.tar.gz;"
    " test $(stat -c %U%a /srv/puppet-backups) = puppet700",
    "the deployment runs": "systemctl start bunraku-deploy.service; test $(systemctl show -P Result bunraku-deploy.service) = success",
    "a backup while all runs": "bunraku site backup /root/site.tar.gz --site /srv/puppet; test $(stat -c %a /root/site.tar.gz) = 600",
    "the agent as a service": "printf '[main]\\nserver = puppet.test\\ncertname = web1.test\\n' > /etc/puppetlabs/puppet/puppet.conf;"
    " systemctl start bunraku-agent.service; systemctl is-active bunraku-agent.service; systemctl reload bunraku-agent.service;"
    " sleep 2; systemctl is-active bunraku-agent.service; systemctl stop bunraku-agent.service",
    "a single run by its unit": "systemctl start bunraku-agent-run.service",
    "nothing has failed": 'test -z "$(systemctl --failed --plain --no-legend)"',
    "all stop": "systemctl stop bunraku-server bunraku-puppetdb bunraku-deploy.timer",
    "the site is restored and serves": "mv /srv/puppet /srv/old; bunraku site restore /root/site.tar.gz /srv/puppet;"
    " systemctl start bunraku-puppetdb bunraku-server; bunraku agent --onetime --server puppet.test --certname web1.test --waitforcert 0",
}  # fmt: skip


def group_above() -> Path:
    """Return the directory of the second version of control groups; exit without one."""
    for name in GROUPS:
        if Path(name, "cgroup.procs").exists() and Path(name, "cgroup.controllers").exists():
            return Path(name)
    sys.exit("this machine has no control groups of the second version")


@contextmanager
def unpacked(suite: str, dist: Path, more: Sequence[str] = ()) -> Iterator[Root]:
    """Make a root with systemd and the Debian package in ``/packages``, for the time of the block."""
    with tempfile.TemporaryDirectory(prefix="root-units-") as name:
        Path(name).chmod(0o755)
        top = Path(name) / "root"
        top.mkdir()
        file = base(suite, ",".join([INCLUDED, "systemd", "dbus", *more]))
        subprocess.run(["tar", "--extract", "--exclude=./dev/*", "--file", file, "--directory", top], check=True)  # fmt: skip
        (top / "packages").mkdir()
        for package in dist.glob("bunraku_*.deb"):
            shutil.copy(package, top / "packages")
        (top / "etc/systemd/system/trial.target").write_text(TARGET)
        (top / "etc/hostname").write_text("puppet.test\n")
        with (top / "etc/hosts").open("a") as hosts:
            hosts.write("127.0.0.1 localhost puppet.test\n")
        yield Root(top)


@contextmanager
def booted(root: Root) -> Iterator[int]:
    """Boot the root; yield the process id of its systemd, and end it after the block."""
    group = group_above() / f"bunraku-trial-{os.getpid()}"
    group.mkdir()
    log = root.directory.parent / f"{root.directory.name}.log"
    words = ["sh", "-euc", BOOT, "sh", str(root.directory), str(group), START, sys.executable]
    with log.open("wb") as output:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        yield first_process(process.pid, log)
    finally:
        process.kill()
        process.wait()
        end(group)
        log.unlink()


def first_process(parent: int, log: Path) -> int:
    """Return the process id of the systemd below a process, once it has booted."""
    limit = time.monotonic() + SECONDS
    while time.monotonic() < limit:
        found = subprocess.run(["pgrep", "-P", str(parent), "-x", "systemd"], capture_output=True, text=True, check=False)  # fmt: skip
        if found.stdout.strip():
            pid = int(found.stdout.split()[0])
            state = inside(pid, "systemctl is-active trial.target", check=False)
            if state.stdout.strip() == "active":
                return pid
        time.sleep(1)
    sys.exit(f"systemd has not booted:\n{log.read_text(errors='replace')[-4000:]}")


def enter_words(pid: int) -> list[str]:
    """Return the words that run a command in the namespaces of a process."""
    kinds = ("--mount", "--pid", "--uts", "--ipc", "--net", "--root")
    return ["nsenter", "--target", str(pid), *kinds]


def inside(pid: int, script: str, *, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a shell script in the namespaces of a process."""
    words = enter_words(pid)
    done = subprocess.run([*words, "sh", "-euc", f"cd /root; {script}"], capture_output=True, text=True, check=False, env=ENVIRONMENT, timeout=SECONDS)  # fmt: skip
    if check and done.returncode:
        journal = inside(
            pid, "journalctl --no-pager -n 25 -u 'bunraku-*' || true", check=False
        ).stdout
        sys.exit(f"failed: {script}\n{done.stdout}{done.stderr}\n{journal}")
    return done


def end(group: Path) -> None:
    """End all processes of a control group and remove it with those below it."""
    with suppress(OSError):
        (group / "cgroup.kill").write_text("1")
    for folder, _folders, _files in os.walk(group, topdown=False):
        for _attempt in range(50):
            try:
                os.rmdir(folder)
                break
            except OSError:
                time.sleep(0.1)


def main() -> int:
    """Boot a root and go through the steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", default="bookworm")
    parser.add_argument("--dist", type=Path, default=TOP / "dist")
    options = parser.parse_args()
    with unpacked(options.suite, options.dist) as root, booted(root) as pid:
        for step, script in STEPS.items():
            begin = time.monotonic()
            inside(pid, script)
            print(f"{step}: {time.monotonic() - begin:.1f} s", flush=True)
        print(inside(pid, "systemctl --version | head -n 1").stdout.strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
