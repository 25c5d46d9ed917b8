"""Runs over types that run programs, such as those of LVM and Docker; they end by a signal at a random moment.

``openssl`` and MariaDB are real. The programs of some cases (``cases/*.yaml``) stand for those that need devices, a
policy of SELinux or a service.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from apply.fault_kills import Site, Watcher, kill_of
from apply.fault_types import MODULES, declare
from rigs.roots import case, layout

COUNT = 5
"""Resources of each type."""
NUMBERS = range(1, COUNT + 1)
CASES = Path(__file__).parent / "cases"
USERS = ("games", "mail", "news", "bin", "sys")
PLUGINS = {
    "simple_password_check": "simple_password_check.so",
    "ed25519": "auth_ed25519.so",
    "LOCALES": "locales.so",
    "METADATA_LOCK_INFO": "metadata_lock_info.so",
    "SERVER_AUDIT": "server_audit.so",
}
"""Plugins of MariaDB with their libraries."""
IN_PLACE = re.compile(r'json\.dump\((.*), open\(path, "w"\)\)')
AT_ONCE = (
    r'open(path + ".new", "w").write(json.dumps(\1)); __import__("os").replace(path + ".new", path)'
)
"""Python code that writes a state in place, and what replaces it."""
DISPATCHER = """\
#!/bin/sh
case $1 in
port|login) exec /usr/local/lib/semanage-of-selinux-ports-and-logins "$@";;
*) exec /usr/local/lib/semanage-of-selinux-contexts "$@";;
esac
"""


class StandInSite(Site):
    """Resources of types whose programs are those of some cases."""

    options = ("--modulepath", f"{MODULES}:/usr/share/puppet/modules")
    cases: tuple[str, ...]
    """Cases whose files the root gets."""
    moved: tuple[str, ...] = ()
    """Programs of which several cases have one: each becomes ``/usr/local/lib/PROGRAM-of-CASE``."""
    shared: tuple[str, ...] = ()
    """States of which several cases have one: each becomes ``STATE-of-CASE``, in the programs too."""
    types: tuple[str, ...]
    start: ClassVar[dict[str, str]]
    """The text of further files."""
    shell: str
    """A script that runs before the trial."""
    template: str
    """The manifest."""
    added: ClassVar[dict[str, str]]
    """Path → what a complete run has added to the file once for each number."""

    def lay_out(self) -> None:
        """Write the programs, their states and the stubs of the types."""
        for name in self.cases:
            self.take_files(name)
        for path, text in self.start.items():
            self.machine.write(path, text)
        declare(self.machine, *self.types)
        self.machine.sandbox.must(["sh", "-ec", self.shell])

    def take_files(self, name: str) -> None:
        """Write the files of a case."""
        for path, about in case.load(CASES / f"{name}.yaml").files.items():
            place = f"/usr/local/lib/{Path(path).name}-of-{name}" if path in self.moved else path
            if self.machine.path(place).is_symlink():  # Writing would follow it, out of the root.
                raise FileExistsError(f"{place} of {name} is a link of another case")
            whole = {"content": about} if isinstance(about, str) else {**(about or {})}
            if path in self.shared:
                place = f"{path}-of-{name}"
            if "content" in whole:
                whole["content"] = self.adapted(whole["content"], name)
            layout.write(self.machine.sandbox, place, whole)

    def adapted(self, content: str, name: str) -> str:
        """Return a program of a case with a state of its own, which it replaces at once as real ones do."""
        for state in self.shared:
            content = content.replace(state, f"{state}-of-{name}")
        return IN_PLACE.sub(AT_ONCE, content)

    @property
    def manifest(self) -> str:
        """The manifest."""
        return self.template

    @property
    def changes(self) -> int:
        """The number of additions."""
        return len(self.added) * COUNT

    def observer(self, rng: random.Random) -> StandInWatcher:
        """Return a check of all files."""
        return StandInWatcher(self, rng)

    def observe(self) -> None:
        """Check nothing: the states are those of the programs."""

    def missing(self) -> Iterator[str]:
        """Yield the additions that are not there, or there several times."""
        for path, form in self.added.items():
            file = self.machine.path(path)
            text = file.read_text() if file.exists() else ""
            for number in NUMBERS:
                added = form.format(number, user=USERS[number - 1])
                if text.count(added) != 1:
                    yield f"{path} has {added!r} {text.count(added)} times"

    def check_complete(self) -> None:
        """Check that everything is as the manifest says."""
        self.machine.problems.extend(self.missing())


class StandInWatcher(Watcher):
    """Looks at all additions each time."""

    def __init__(self, site: StandInSite, rng: random.Random) -> None:
        super().__init__(site, rng)
        self.stand_in_site = site

    def __call__(self) -> None:
        """Check everything, and count the additions."""
        self.stand_in_site.observe()
        self.changed = self.stand_in_site.changes - len(list(self.stand_in_site.missing()))


class DevicesSite(StandInSite):
    """Volumes of LVM, the policy of SELinux, and users of systemd."""

    cases = (
        "lvm-volumes", "selboolean", "selmodule", "selinux-contexts", "selinux-ports-and-logins", "loginctl-user",
    )  # fmt: skip
    moved = ("/usr/local/sbin/semanage",)
    types = (
        "filesystem", "logical_volume", "loginctl_user", "physical_volume", "selboolean", "selinux_fcontext",
        "selinux_fcontext_equivalence", "selinux_login", "selinux_permissive", "selinux_port", "selmodule",
        "volume_group",
    )  # fmt: skip
    start: ClassVar[dict[str, str]] = {
        "/usr/local/sbin/semanage": DISPATCHER,
        "/srv/booleans": "".join(f"work{number} --> off\n" for number in NUMBERS),
    }
    shell = f"""
    chmod 755 /usr/local/sbin/semanage
    mkdir /mnt/se
    mount -t tmpfs selinuxfs /mnt/se
    for i in $(seq {COUNT}); do
        echo policy > /opt/se/work$i.pp
    done
    """
    template = f"""
    $users = split('{" ".join(USERS)}', ' ')
    Integer[1, {COUNT}].each |$i| {{
      physical_volume {{ "/dev/work${{i}}": ensure => present }}
      -> volume_group {{ "group${{i}}": ensure => present, physical_volumes => ["/dev/work${{i}}"] }}
      -> logical_volume {{ "volume${{i}}": ensure => present, volume_group => "group${{i}}", size => '1G' }}
      -> filesystem {{ "/dev/group${{i}}/volume${{i}}": ensure => present, fs_type => 'ext4' }}
      selboolean {{ "work${{i}}": value => on, persistent => true }}
      selmodule {{ "work${{i}}": ensure => present, selmoduledir => '/opt/se' }}
      selinux_fcontext {{ "/opt/work${{i}}_a": ensure => present, pathspec => "/opt/work${{i}}", seltype => 'bin_t' }}
      selinux_fcontext_equivalence {{ "/work${{i}}": ensure => present, target => '/usr' }}
      selinux_permissive {{ "work${{i}}_t": ensure => present }}
      $port = 3000 + $i
      selinux_port {{ "tcp_${{port}}-${{port}}":
        ensure => present, low_port => $port, high_port => $port, protocol => tcp, seltype => 'work_port_t',
      }}
      selinux_login {{ "work${{i}}":
        ensure => present, selinux_login_name => "work${{i}}", selinux_user => 'staff_u', selinux_mlsrange => 's0',
      }}
      loginctl_user {{ $users[$i - 1]: linger => enabled }}
    }}
    """
    added: ClassVar[dict[str, str]] = {
        "/srv/pvs": "/dev/work{0} group{0}\n",
        "/srv/vgs": "group{}\n",
        "/srv/lvs": "volume{0} group{0} 1048576\n",
        "/srv/fs": "/dev/group{0}/volume{0} ext4\n",
        "/srv/booleans": "work{} --> on\n",
        "/srv/modules": "work{} 1.0\n",
        "/etc/selinux/targeted/contexts/files/file_contexts.local": "/opt/work{}    system_u:object_r:bin_t:s0\n",
        "/etc/selinux/targeted/contexts/files/file_contexts.subs": "/work{} /usr\n",
        "/srv/permissive": "work{}_t\n",
        "/srv/port_list_local": "work_port_t 300{0} 300{0} tcp\n",
        "/srv/seuser_list_local": "work{} staff_u s0\n",
        "/srv/calls": "enable-linger {user}\n",
    }


class ServicesSite(StandInSite):
    """firewalld, Docker, ZFS, swap files, plugins, Rubies, and the files of ``openssl``."""

    cases = (
        "firewalld-zones", "docker-networks", "grafana-plugins", "rvm-system-rubies", "swap-file", "zfs-pools",
    )  # fmt: skip
    types = (
        "dhparam", "docker_network", "docker_volume", "firewalld_direct_chain", "firewalld_direct_passthrough",
        "firewalld_direct_rule", "firewalld_policy", "firewalld_port", "firewalld_rich_rule", "firewalld_service",
        "firewalld_zone", "grafana_plugin", "mysql_plugin", "rvm_system_ruby", "ssl_pkey", "swap_file", "x509_cert",
        "x509_request", "zfs", "zpool",
    )  # fmt: skip
    start: ClassVar[dict[str, str]] = {
        "/root/.my.cnf": "[client]\nuser=root\nsocket=/run/mysqld/mysqld.sock\n",
        "/srv/tls/work.cnf": "[ req ]\nprompt = no\ndistinguished_name = dn\n[ dn ]\ncommonName = work.example.test\n",
    }
    shell = """
    mkdir -p /run/mysqld /run/data
    chown mysql /run/mysqld /run/data
    mysql_install_db --datadir=/run/data --user=mysql --auth-root-authentication-method=normal > /dev/null 2>&1
    setsid mariadbd --user=mysql --datadir=/run/data --socket=/run/mysqld/mysqld.sock --skip-networking \
        --innodb-use-native-aio=0 > /dev/null 2>&1 < /dev/null &
    for i in $(seq 5); do echo swap > /srv/swap$i; done
    for try in $(seq 200); do mysql -e 'SELECT 1' > /dev/null 2>&1 && break; sleep 0.1; done
    """
    template = f"""
    $plugins = {{ {", ".join(f"'{name}' => '{library}'" for name, library in PLUGINS.items())} }}
    $plugins.each |$name, $library| {{ mysql_plugin {{ $name: ensure => present, soname => $library }} }}
    Integer[1, {COUNT}].each |$i| {{
      firewalld_zone {{ "zone${{i}}": target => 'DROP', sources => ["10.${{i}}.0.0/16"], icmp_blocks => ['echo-request'] }}
      -> firewalld_policy {{ "policy${{i}}": ingress_zones => ["zone${{i}}"], egress_zones => ['HOST'], target => 'ACCEPT' }}
      -> firewalld_port {{ "port${{i}}": zone => 'public', port => 8000 + $i, protocol => 'tcp' }}
      -> firewalld_service {{ "service${{i}}": zone => 'public' }}
      -> firewalld_rich_rule {{ "rule${{i}}": zone => 'public', source => "192.0.2.${{i}}", action => 'drop' }}
      -> firewalld_direct_chain {{ "ipv4:filter:CHAIN${{i}}": }}
      -> firewalld_direct_rule {{ "direct${{i}}":
        table => 'filter', chain => "CHAIN${{i}}", priority => 1, args => "-p tcp --dport ${{i}} -j ACCEPT",
      }}
      -> firewalld_direct_passthrough {{ "-A OUTPUT -p ${{i}} -j ACCEPT": }}
      zpool {{ "pool${{i}}": ensure => present, disk => "/dev/work${{i}}p" }}
      -> zfs {{ "pool${{i}}/home": ensure => present, compression => 'lz4' }}
      swap_file {{ "/srv/swap${{i}}": ensure => present }}
      docker_network {{ "network${{i}}": ensure => present, driver => 'bridge' }}
      docker_volume {{ "volume${{i}}": ensure => present, driver => 'local' }}
      grafana_plugin {{ "work${{i}}-panel": ensure => '1.0.0' }}
      rvm_system_ruby {{ "ruby-3.${{i}}.0": ensure => present }}
      ssl_pkey {{ "/srv/tls/work${{i}}.key": ensure => present, size => 1024, mode => '0600' }}
      x509_request {{ "/srv/tls/work${{i}}.csr": ensure => present, template => '/srv/tls/work.cnf' }}
      x509_cert {{ "/srv/tls/work${{i}}.crt": ensure => present, template => '/srv/tls/work.cnf' }}
      dhparam {{ "/srv/tls/work${{i}}.dh": ensure => present, fastmode => true }}
    }}
    """
    added: ClassVar[dict[str, str]] = {
        "/var/lib/firewall/zones/public/port": "800{}/tcp\n",
        "/var/lib/firewall/zones/public/service": "service{}\n",
        "/var/lib/firewall/zones/public/rich-rule": 'rule family="ipv4" source address="192.0.2.{}" drop\n',
        "/var/lib/firewall/direct/chain": "ipv4 filter CHAIN{}\n",
        "/var/lib/firewall/direct/rule": "ipv4 filter CHAIN{0} 1 -p tcp --dport {0} -j ACCEPT\n",
        "/var/lib/firewall/direct/passthrough": "ipv4 -A OUTPUT -p {} -j ACCEPT\n",
        "/srv/pools.json": '"pool{}": ',
        "/srv/sets.json": '"pool{}/home": ',
        "/srv/swaps": "/srv/swap{}\t",
        "/var/fake/objects.json": '"network{}", "Driver"',
        "/srv/plugins": "work{}-panel @ 1.0.0\n",
        "/srv/rubies": "ruby-3.{}.0\n",
    }

    def lay_out(self) -> None:
        """Start MariaDB besides."""
        self.machine.background = {"mariadbd"}
        super().lay_out()

    def observe(self) -> None:
        """Check that each file of ``openssl`` is absent or whole, and that nobody else can read a key."""
        for path in self.machine.path("/srv/tls").glob("work[0-9]*"):
            lines = path.read_text().splitlines()
            whole = bool(lines) and "-----BEGIN" in lines[0] and lines[-1].startswith("-----END")
            self.machine.check(whole, f"{path} is not whole: {lines}")
            mode = path.stat().st_mode & 0o777
            self.machine.check(path.suffix != ".key" or mode == 0o600, f"{path} has mode {mode:o}")

    def check_complete(self) -> None:
        """Check that everything is as the manifest says."""
        super().check_complete()
        self.observe()
        machine = self.machine
        for number in NUMBERS:
            zone = machine.path(f"/var/lib/firewall/zones/zone{number}")
            texts = {path.name: path.read_text() for path in zone.iterdir()}
            wanted = {
                "target": "DROP\n",
                "source": f"10.{number}.0.0/16\n",
                "icmp-block": "echo-request\n",
            }
            machine.check(texts == wanted, f"{zone} has {texts}")
            for ending in ("key", "csr", "crt", "dh"):
                path = machine.path(f"/srv/tls/work{number}.{ending}")
                machine.check(path.exists(), f"{path} is missing")
        objects = machine.path("/var/fake/objects.json").read_text()
        volumes = [number for number in NUMBERS if objects.count(f'"Name": "volume{number}"') == 1]
        machine.check(volumes == list(NUMBERS), f"only the volumes {volumes} exist")
        found = machine.sandbox.run(["mysql", "-N", "-e", "SELECT name FROM mysql.plugin"]).stdout
        machine.check(set(PLUGINS) <= set(found.decode().split()), f"the plugins are {found!r}")


FAULTS = {
    f"{name}_{how}": (f"{words}: {signal_words}", kill_of(signal_name, site))
    for name, words, site in (
        ("devices", "volumes of LVM and SELinux", DevicesSite),
        ("services", "firewalld, Docker, ZFS, openssl and plugins", ServicesSite),
    )
    for how, signal_words, signal_name in (
        ("kill", "SIGKILL of bunraku", "SIGKILL"),
        ("stop", "SIGKILL of bunraku and of all that it started", "all"),
        ("term", "SIGTERM", "SIGTERM"),
    )
}
PACKAGES = ("mariadb-server",)
"""Debian's packages that the root needs besides."""
