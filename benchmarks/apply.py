"""Applying catalogs: ``bunraku apply`` beside real Puppet, in a throw-away root, in turn.

    python benchmarks/apply.py [--repeat 3] [--only WORDS] [--write [--busy]]

Needs root and Linux namespaces (``tests/rigs/roots``). CPU seconds are those of the program and of all
that it starts; *processes* counts what it starts, threads included. ``--write`` puts the table into
``docs/performance.md`` between the marks of this program.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import measure
from page import write_section

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from rigs.roots import layers, run  # noqa: E402
from rigs.roots.inside import serve_as_init  # noqa: E402
from rigs.roots.sandbox import ENVIRONMENT, NAMESPACES, Sandbox  # noqa: E402

LINES = "".join(f"line {number} of a file of about one thousand bytes\\n" for number in range(20))
SIDES = "bunraku", "puppet"
FOREIGN = "/opt/modules"
"""Where the root has the modules of BUNRAKU_RIG_MODULES."""
PACKAGES = ("git", "iptables", "iptables-persistent", "mariadb-server")
"""Debian's packages that the root needs besides."""
STATES = "var/lib/bunraku", "var/cache/puppet/state"
"""What both programs remember of earlier works, which would make later ones slower."""
MODULE = {
    "lib/puppet/type/entry.rb": """
Puppet::Type.newtype(:entry) do
  ensurable
  newparam(:name)
  newproperty(:value)
end
""",
    "lib/puppet/provider/entry/files.rb": """
Puppet::Type.type(:entry).provide(:files) do
  mk_resource_methods
  def self.instances
    Dir.children('/srv/entries').map do |name|
      new(name: name, ensure: :present, value: File.read("/srv/entries/#{name}"))
    end
  end

  def self.prefetch(resources)
    instances.each { |one| resources[one.name].provider = one if resources[one.name] }
  end

  def exists?
    @property_hash[:ensure] == :present
  end

  def create
    File.write("/srv/entries/#{resource[:name]}", resource[:value])
  end

  def destroy
    File.delete("/srv/entries/#{resource[:name]}")
  end
end
""",
}
"""A module with a type whose only provider is in Ruby."""
HEAD = """\
## Applying

Made by `benchmarks/apply.py` on {date}: both programs in turn in a Debian 12 root (tmpfs, no network, Facter without its slowest
facts), medians of {repeat}, load {load} on {cores} cores. CPU seconds with those of all programs that they start; *processes* are
those that they start, threads included. Every run compiles its manifest; each work starts without state files of others.

| work | bunraku | Puppet | ratio | target | peak memory | processes |
|---|--:|--:|--:|---|---|---|
"""


@dataclass(frozen=True)
class Figures:
    """One run: seconds, KiB, and the processes that it started."""

    cpu: float
    wall: float
    peak: int
    processes: int


@dataclass(frozen=True)
class Work:
    """A manifest to apply. ``prepare`` runs before each run; ``target`` is the wanted ratio."""

    name: str
    manifest: str
    prepare: Callable[[Sandbox], None] = lambda _: None
    target: float | None = None
    systemd: bool = False
    warm: bool = True
    """Whether a run that is not measured comes first: nothing is to be changed in the others."""
    modules: tuple[str, ...] = ()
    """Modules that the manifest needs, in the directory that BUNRAKU_RIG_MODULES names."""


def files(count: int) -> str:
    """Return a manifest of files with content."""
    return (
        "file { '/srv/f': ensure => directory }\n"
        f'Integer[1, {count}].each |$i| {{ file {{ "/srv/f/${{i}}": ensure => file, '
        f"mode => '0644', content => \"${{i}}\\n{LINES}\" }} }}\n"
    )


def remove_files(sandbox: Sandbox) -> None:
    """Remove what the manifests of files make."""
    sandbox.must(["rm", "-rf", "/srv/f"])


def make_many(sandbox: Sandbox) -> None:
    """Make 10,000 files, once."""
    folder = sandbox.root / "srv/many"
    if not folder.exists():
        folder.mkdir()
        for number in range(10_000):
            (folder / f"file-{number}").write_text(f"{number}\n")


def make_module(sandbox: Sandbox) -> None:
    """Make a module with a type in Ruby whose provider reads all resources at once, once."""
    folder = sandbox.root / "root/modules/bench"
    if not folder.exists():
        for name, text in MODULE.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        (sandbox.root / "srv/entries").mkdir()


def make_services(sandbox: Sandbox) -> None:
    """Make 50 services and start them, once."""
    folder = sandbox.root / "etc/systemd/system"
    if not (folder / "bench-1.service").exists():
        for number in range(1, 51):
            (folder / f"bench-{number}.service").write_text(
                "[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n"
                "[Install]\nWantedBy=multi-user.target\n"
            )
        names = [f"bench-{number}" for number in range(1, 51)]
        sandbox.must(["systemctl", "daemon-reload"])
        sandbox.must(["systemctl", "--quiet", "enable", "--now", *names])


def entries(count: int) -> str:
    """Return a manifest of a type whose only provider is in Ruby."""
    each = 'entry { "e${i}": ensure => present, value => "v${i}" }'
    return f"Integer[1, {count}].each |$i| {{ {each} }}\n"


MODULES_OF_TYPES = (
    *("archive", "augeasproviders_core", "augeasproviders_shellvar", "augeasproviders_ssh"),
    *("augeasproviders_sysctl", "firewall", "k5login_core", "vcsrepo"),
)
TYPES_OF_MODULES = """
$keys = split('accept_local accept_redirects arp_accept bc_forwarding log_martians proxy_arp send_redirects', ' ')
file { ['/srv/archives', '/srv/unpacked', '/srv/repos']: ensure => directory }
$keys.each |$key| {
  sysctl { "net.ipv4.conf.all.${key}": value => '1', target => '/etc/sysctl.d/90-bench.conf', apply => false }
}
Integer[1, 45].each |$i| {
  shellvar { "WORK${i}": ensure => present, value => "new ${i}", target => "/etc/default/bench" }
  firewall { "${100 + $i} rule": proto => 'tcp', dport => 8000 + $i, jump => 'accept' }
}
Integer[1, 30].each |$i| {
  sshd_config { "AllowUsers${i}":
    key => 'AllowUsers', condition => "Group g${i}", value => ["u${i}"], target => '/etc/ssh/sshd_bench',
  }
  k5login { "/srv/k5login-${i}": principals => ["u${i}@EXAMPLE.TEST"] }
  archive { "/srv/archives/${i}.tar":
    source => "/srv/source/${i}.tar", extract => true, extract_path => '/srv/unpacked', cleanup => false,
    creates => "/srv/unpacked/${i}",
  }
}
Integer[1, 13].each |$i| {
  vcsrepo { "/srv/repos/${i}": ensure => present, provider => git, source => "/srv/git/${i}" }
}
"""
"""200 resources of eight types of modules."""
SOURCES = """
rm -rf /srv/archives /srv/unpacked /srv/repos /srv/k5login-* /etc/sysctl.d/90-bench.conf /etc/default/bench
rm -f /etc/ssh/sshd_bench
iptables -F
mkdir -p /etc/ssh /srv/source /srv/git
touch /etc/default/bench /etc/ssh/sshd_bench /etc/sysctl.d/90-bench.conf
git config --global user.email rig@example.test
git config --global user.name rig
git config --global --replace-all safe.directory '*'
test -e /srv/git/13/.git || for i in $(seq 30); do
    mkdir -p /srv/build/$i
    echo $i >/srv/build/$i/first
    tar -C /srv/build -cf /srv/source/$i.tar $i
    git init -q -b main /srv/git/$i
    cp /srv/build/$i/first /srv/git/$i
    git -C /srv/git/$i add -A
    git -C /srv/git/$i commit -qm first
done
"""


def make_sources(sandbox: Sandbox) -> None:
    """Make archives and repositories, and remove what the manifest of types makes."""
    sandbox.must(["sh", "-ec", SOURCES])


def make_sources_once(sandbox: Sandbox) -> None:
    """Make archives and repositories, once."""
    if not (sandbox.root / "srv/archives").exists():
        make_sources(sandbox)


ACCOUNTS = """
Integer[1, 100].each |$i| {
  mysql_user { "u${i}@localhost":
    ensure               => present,
    password_hash        => '*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19',
    max_user_connections => 10,
  }
  mysql_grant { "u${i}@localhost/db${i}.*":
    ensure => present, user => "u${i}@localhost", table => "db${i}.*", privileges => ['SELECT', 'INSERT'],
  }
}
"""
"""100 users of MariaDB, each with privileges on a database."""
DATABASE = """
test -S /run/mysqld/mysqld.sock || {
    printf '[client]\\nuser=root\\nsocket=/run/mysqld/mysqld.sock\\n' >/root/.my.cnf
    mkdir -p /run/mysqld /run/data
    chown mysql /run/mysqld /run/data
    mysql_install_db --datadir=/run/data --user=mysql --auth-root-authentication-method=normal >/dev/null
    setsid mariadbd --user=mysql --datadir=/run/data --socket=/run/mysqld/mysqld.sock --skip-networking \\
        --innodb-use-native-aio=0 >/dev/null 2>&1 </dev/null &
    for try in $(seq 300); do mysql -e 'SELECT 1' >/dev/null 2>&1 && break; sleep 0.1; done
    mysql -e 'SELECT 1' >/dev/null
}
"""
NO_ACCOUNTS = """
mysql -NBe "SELECT CONCAT('DROP USER ', QUOTE(User), '@', QUOTE(Host), ';') FROM mysql.user WHERE User LIKE 'u%'" | mysql
"""


def start_database(sandbox: Sandbox) -> None:
    """Start MariaDB, once; its processor time is not counted."""
    sandbox.must(["sh", "-ec", DATABASE])


def remove_accounts(sandbox: Sandbox) -> None:
    """Start MariaDB and remove the users that the manifest makes."""
    sandbox.must(["sh", "-ec", DATABASE + NO_ACCOUNTS])


def works(packages: list[str]) -> list[Work]:
    """Return all that is measured."""
    return [
        Work("an empty manifest", "", target=12),
        Work("1,000 files: first run", files(1000), remove_files, warm=False),
        Work("1,000 unchanged files", files(1000)),
        Work("5,000 unchanged files", files(5000), target=4),
        Work(
            "recursion over 10,000 unchanged files",
            "file { '/srv/many': ensure => directory, recurse => true, mode => '0644', max_files => -1 }",
            make_many,
        ),
        Work(
            "500 execs with `unless`",
            "Integer[1, 500].each |$i| { exec { \"e${i}\": command => '/bin/false', unless => '/bin/true' } }",
        ),
        Work("100 installed packages", f"package {{ {json.dumps(packages)}: ensure => present }}"),
        Work(
            "50 running services",
            'Integer[1, 50].each |$i| { service { "bench-${i}": ensure => running, enable => true } }',
            make_services,
            systemd=True,
        ),
        Work("20 resources of a type with a Ruby provider", entries(20), make_module, target=2),
        Work(
            "200 resources of types of modules: first run",
            TYPES_OF_MODULES,
            make_sources,
            target=5,
            warm=False,
            modules=MODULES_OF_TYPES,
        ),
        Work(
            "200 unchanged resources of types of modules",
            TYPES_OF_MODULES,
            make_sources_once,
            target=5,
            modules=MODULES_OF_TYPES,
        ),
        Work(
            "100 users and 100 grants of MariaDB: first run",
            ACCOUNTS,
            remove_accounts,
            target=5,
            warm=False,
            modules=("mysql", "stdlib"),
        ),
        Work(
            "100 unchanged users and grants of MariaDB",
            ACCOUNTS,
            start_database,
            target=5,
            modules=("mysql", "stdlib"),
        ),
    ]


# -- in the namespaces -----------------------------------------------------------------------------


def inside(folder: Path) -> None:
    """Measure what ``request.json`` names and write ``figures.json`` beside it."""
    request = json.loads((folder / "request.json").read_text())
    (folder / "top").mkdir()
    sandbox = Sandbox([Path(layer) for layer in request["base"]], folder / "top", request["binds"])
    listed = sandbox.run(["dpkg-query", "-W", "--showformat", "${Package}\\n"]).stdout.decode()
    chosen = [
        work
        for work in works(listed.split()[:100])
        if request["only"] in work.name and (not work.modules or FOREIGN in request["binds"])
    ]
    found: dict[str, dict[str, list[Figures]]] = {}
    for work in sorted(chosen, key=lambda work: work.systemd):
        if work.systemd and sandbox.systemd is None:
            sandbox.boot()
        found[work.name] = measured(sandbox, work, request)
        print(line(work, found[work.name]), end="", flush=True)
    figures = {
        name: {side: [asdict(one) for one in runs] for side, runs in sides.items()}
        for name, sides in found.items()
    }
    (folder / "figures.json").write_text(json.dumps(figures))
    sandbox.close()


def measured(sandbox: Sandbox, work: Work, request: dict[str, Any]) -> dict[str, list[Figures]]:
    """Run both programs in turn."""
    for state in STATES:
        shutil.rmtree(sandbox.root / state, ignore_errors=True)
    (sandbox.root / "root/site.pp").write_text(work.manifest)
    folder = sandbox.root / "root/modules"
    folder.mkdir(exist_ok=True)
    for name in work.modules:
        (folder / name).symlink_to(f"{FOREIGN}/{name}")
    found: dict[str, list[Figures]] = {side: [] for side in SIDES}
    for number in range(request["repeat"] + work.warm):
        for side in SIDES:
            work.prepare(sandbox)
            figures = timed(sandbox, request["commands"][side], request["environment"])
            if number or not work.warm:
                found[side].append(figures)
    for name in work.modules:
        (folder / name).unlink()
    return found


def timed(sandbox: Sandbox, command: str, environment: dict[str, str]) -> Figures:
    """Run a command in the root."""
    variables = [f"{name}={value}" for name, value in {**ENVIRONMENT, **environment}.items()]
    before, start = last_process(sandbox), os.times()
    words = [*entering(sandbox), "/usr/bin/env", "-i", *variables, *shlex.split(command)]
    with (sandbox.top / "output").open("w+b") as output:
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd="/"
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            output.seek(0)
            raise SystemExit(f"{command}: {process.returncode}: {output.read()[-2000:]!r}")
    wall = os.times().elapsed - start.elapsed
    started = last_process(sandbox) - before - 2  # without the program itself and the reader
    return Figures(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss, started)


def entering(sandbox: Sandbox) -> list[str]:
    """Return the words that run a command in the root."""
    if sandbox.systemd is None:
        return ["chroot", str(sandbox.root)]
    namespaces = ["--mount", "--pid", "--cgroup", "--root", "--wdns=/"]
    return ["nsenter", "--target", str(sandbox.systemd), *namespaces]


def last_process(sandbox: Sandbox) -> int:
    """Return the number that the kernel gave last in the PID namespace; reading it takes one, too."""
    done = subprocess.run(
        [*entering(sandbox), "/bin/cat", "/proc/sys/kernel/ns_last_pid"],
        capture_output=True,
        check=True,
    )
    return int(done.stdout)


# -- the table -------------------------------------------------------------------------------------


def line(work: Work, sides: dict[str, list[Figures]]) -> str:
    """Return a line of the table."""
    ours, theirs = (sides[side] for side in SIDES)
    cpu = [statistics.median(one.cpu for one in side) for side in (ours, theirs)]
    peak = [statistics.median(one.peak for one in side) / 1024 for side in (ours, theirs)]
    started = [statistics.median(one.processes for one in side) for side in (ours, theirs)]
    ratio = cpu[1] / cpu[0]
    target = ""
    if work.target is not None:
        target = f"{work.target:g}×: {'met' if ratio >= work.target else 'not met'}"
    return (
        f"| {work.name} | {cpu[0]:.2f} s | {cpu[1]:.2f} s | {ratio:.1f}× | {target} | "
        f"{peak[0]:.0f} MB, Puppet {peak[1]:.0f} MB | {started[0]:.0f}, Puppet {started[1]:.0f} |\n"
    )


def outcome(repeat: int, only: str) -> dict[str, dict[str, list[Figures]]]:
    """Measure in fresh namespaces."""
    program = run.bunraku()
    modules = os.environ.get("BUNRAKU_RIG_MODULES")
    if modules is None:
        print("without BUNRAKU_RIG_MODULES: types of modules are not measured", file=sys.stderr)
    elif missing := missing_modules(Path(modules), only):
        sys.exit(f"BUNRAKU_RIG_MODULES ({modules}) lacks modules: {', '.join(missing)}")
    with tempfile.TemporaryDirectory(prefix="bunraku-bench-") as name:
        folder = Path(name)
        request = {
            "base": [str(layer) for layer in layers.of(PACKAGES)],
            "binds": program.binds | ({FOREIGN: modules} if modules else {}),
            "environment": run.VARIABLES,
            "commands": {
                "bunraku": "python3 -m bunraku apply --modulepath /root/modules /root/site.pp",
                "puppet": "puppet apply --color=false --modulepath /root/modules /root/site.pp",
            },
            "repeat": repeat,
            "only": only,
        }
        (folder / "request.json").write_text(json.dumps(request))
        inner = [sys.executable, __file__, "--inside", name]
        subprocess.run(["unshare", *NAMESPACES, *inner], check=True)
        figures = json.loads((folder / "figures.json").read_text())
    return {
        work: {side: [Figures(**one) for one in runs] for side, runs in sides.items()}
        for work, sides in figures.items()
    }


def missing_modules(folder: Path, only: str) -> list[str]:
    """Return the modules that the chosen works need and the directory does not have."""
    needed = {name for work in works([]) if only in work.name for name in work.modules}
    return sorted(name for name in needed if not (folder / name / "metadata.json").is_file())


def main() -> None:
    """Measure, and write the section of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="", metavar="WORDS")
    measure.add_options(parser)
    parser.add_argument("--inside", metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        if child := os.fork():
            serve_as_init(child)
        inside(Path(options.inside))
        return
    load, cores = os.getloadavg()[0], os.cpu_count()
    with measure.watched(options) as watch:
        found = outcome(options.repeat, options.only)
    rows = "".join(line(work, found[work.name]) for work in works([]) if work.name in found)
    date = datetime.now(UTC).date()
    head = HEAD.format(date=date, repeat=options.repeat, load=f"{load:.0f}", cores=cores)
    print(head + rows)
    if measure.may_write(options, watch):
        write_section("apply", head + rows)


if __name__ == "__main__":
    main()
