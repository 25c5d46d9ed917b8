"""Runs over types of modules that end by a signal at a random moment, and the runs that complete them."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from apply.fault_kills import Site, Watcher, kill_of
from apply.fault_machine import Machine
from rigs.roots import case, run

PACKAGES = ("git", "iptables", "iptables-persistent")
"""Debian's packages that the root needs besides."""
TYPES = ("archive", "firewall", "k5login", "shellvar", "sshd_config", "sysctl", "vcsrepo")
COUNT = 8
"""Resources of each type."""
KEYS = (
    "accept_local accept_redirects arp_accept bc_forwarding log_martians proxy_arp route_localnet"
    " send_redirects"
)
"""Settings of the kernel below ``net.ipv4.conf.all``."""
MODULES = "/root/modules"
HEAD = "".join(f"# line {number} that was there before\n" for number in range(200))
"""The beginning of each configuration file, which every run preserves. Larger files are only saved as a whole."""
FILES = {
    "/etc/sysctl.d/90-work.conf": HEAD + "vm.swappiness = 10\n",
    "/etc/default/work": HEAD + 'OPTION="old"\n',
    "/etc/ssh/sshd_work": HEAD + "PermitRootLogin no\n",
}
MANIFEST = """
$keys = split('{keys}', ' ')
file {{ ['/srv/archives', '/srv/unpacked', '/srv/repos']: ensure => directory }}
Integer[1, {count}].each |$i| {{
  sysctl {{ "net.ipv4.conf.all.${{keys[$i - 1]}}":
    value => '1', target => '/etc/sysctl.d/90-work.conf', apply => false,
  }}
  shellvar {{ "WORK${{i}}": value => "new ${{i}}", target => '/etc/default/work' }}
  sshd_config {{ "AllowUsers${{i}}":
    key => 'AllowUsers', condition => "Group g${{i}}", value => ["u${{i}}"], target => '/etc/ssh/sshd_work',
  }}
  k5login {{ "/srv/k5login-${{i}}": principals => ["u${{i}}@EXAMPLE.TEST"] }}
  archive {{ "/srv/archives/${{i}}.tar":
    source => "/srv/source/${{i}}.tar", extract => true, extract_path => '/srv/unpacked',
    creates => "/srv/unpacked/${{i}}/last", cleanup => false,
  }}
  vcsrepo {{ "/srv/repos/${{i}}": ensure => present, provider => git, source => "/srv/git/${{i}}" }}
  firewall {{ "${{100 + $i}} rule": proto => 'tcp', dport => 8000 + $i, jump => 'accept' }}
}}
"""
SOURCES = f"""
mkdir -p /srv/source /srv/git
git config --global user.email rig@example.test
git config --global user.name rig
git config --global --add safe.directory '*'
for i in $(seq {COUNT}); do
    mkdir -p /srv/build/$i
    head -c 2000000 /dev/urandom >/srv/build/$i/first
    echo $i >/srv/build/$i/last
    tar -C /srv/build -cf /srv/source/$i.tar $i
    git init -q -b main /srv/git/$i
    cp /srv/build/$i/* /srv/git/$i
    git -C /srv/git/$i add -A
    git -C /srv/git/$i commit -qm first
done
"""


def declare(machine: Machine, *names: str) -> None:
    """Write a module that declares types of bunraku's own providers."""
    stubs = run.stubs(case.Case("", "", "", "", foreign={"work": list(names)}))
    for path, text in stubs.items():
        machine.write(f"{MODULES}/{path}", text)


class TypesSite(Site):
    """Resources of types whose providers write files, make directories and run programs."""

    options = ("--modulepath", MODULES)

    def lay_out(self) -> None:
        """Write the configuration files, archives and repositories, and the stubs of the types."""
        machine = self.machine
        for path, text in FILES.items():
            machine.write(path, text)
        declare(machine, *TYPES)
        machine.sandbox.must(["sh", "-ec", SOURCES])

    @property
    def manifest(self) -> str:
        """The manifest."""
        return MANIFEST.format(count=COUNT, keys=KEYS)

    @property
    def changes(self) -> int:
        """The number of whole archives and copies of repositories."""
        return 2 * COUNT

    def observer(self, rng: random.Random) -> TypesWatcher:
        """Return a check of all paths."""
        return TypesWatcher(self, rng)

    def observe(self) -> None:
        """Check that every file is whole, and every archive and repository is absent or whole."""
        for path in FILES:
            text = self.machine.path(path).read_text()
            self.machine.check(text.startswith(HEAD) and text.endswith("\n"), f"{path} is broken")
        self.whole_paths()

    def whole_paths(self) -> int:
        """Return the number of archives and repositories; each must be whole."""
        return sum(
            self.is_there(f"/srv/archives/{number}.tar", same_archive)
            + self.is_there(f"/srv/repos/{number}", same_repository)
            for number in range(1, COUNT + 1)
        )

    def is_there(self, path: str, is_whole: Callable[[Path, Path], bool]) -> bool:
        """Return whether a path is there; note a problem if it is not whole then."""
        found = self.machine.path(path)
        if not found.exists():
            return False
        self.machine.check(is_whole(found, self.machine.path("/srv")), f"{path} is not whole")
        return True

    def check_complete(self) -> None:
        """Check that everything is as the manifest says."""
        machine = self.machine
        machine.check(self.whole_paths() == self.changes, "archives or repositories are missing")
        for number, key in enumerate(KEYS.split(), 1):
            for path in (f"/srv/unpacked/{number}/last", f"/srv/k5login-{number}"):
                machine.check(machine.path(path).exists(), f"{path} is missing")
            for path, text in (
                ("/etc/sysctl.d/90-work.conf", f"net.ipv4.conf.all.{key} = 1\n"),
                ("/etc/default/work", f'WORK{number}="new {number}"\n'),
                ("/etc/ssh/sshd_work", f"AllowUsers u{number}\n"),
            ):
                count = machine.path(path).read_text().count(text)
                machine.check(count == 1, f"{path} has {text!r} {count} times")
        rules = machine.sandbox.run(["iptables-save"]).stdout.decode()
        count = rules.count(" -j ACCEPT")
        machine.check(count == COUNT, f"{count} rules of iptables")
        saved = machine.path("/etc/iptables/rules.v4")
        count = saved.read_text().count(" -j ACCEPT") if saved.exists() else 0
        machine.check(count == COUNT, f"{count} saved rules of iptables")


class TypesWatcher(Watcher):
    """Looks at all files, archives and repositories each time."""

    def __init__(self, site: TypesSite, rng: random.Random) -> None:
        super().__init__(site, rng)
        self.types_site = site

    def __call__(self) -> None:
        """Check everything."""
        self.types_site.observe()
        self.changed = self.types_site.whole_paths()


def same_archive(path: Path, place: Path) -> bool:
    """Return whether an archive has the size of its source."""
    return path.stat().st_size == (place / "source" / path.name).stat().st_size


def same_repository(path: Path, place: Path) -> bool:
    """Return whether a copy of a repository has the files of its source."""
    source = place / "git" / path.name
    return all(
        (path / name).exists() and (path / name).stat().st_size == (source / name).stat().st_size
        for name in ("first", "last", ".git/HEAD")
    )


FAULTS = {
    "types_kill": ("types of modules: SIGKILL of bunraku", kill_of("SIGKILL", TypesSite)),
    "types_stop": (
        "types of modules: SIGKILL of bunraku and of all that it started",
        kill_of("all", TypesSite),
    ),
    "types_term": ("types of modules: SIGTERM", kill_of("SIGTERM", TypesSite)),
}
