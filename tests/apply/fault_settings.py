"""Runs over accounts of databases, boot settings, alternatives and lines of files that end by a signal at a random moment.

The databases run beside the trial. No process may have one of the passwords among its arguments, and no file of
bunraku may contain one.
"""

from __future__ import annotations

import random

from apply.fault_kills import Site, Watcher, kill_of
from apply.fault_types import HEAD, MODULES, declare

PACKAGES = ("mariadb-server", "postgresql")
"""Debian's packages that the root needs besides."""
TYPES = (
    "alternative_entry", "alternatives", "kernel_parameter", "mounttab", "mysql_database", "mysql_grant", "mysql_user",
    "pam", "postgresql_conf", "postgresql_psql", "ssh_config",
)  # fmt: skip
COUNT = 6
"""Resources of each type."""
HASH = "*0D3CED9BEC10A777AEC23CCC353A8C08A633045E"
PASSWORD = "S3CR3T-of-a-role"
SECRETS = (HASH, HASH[1:], PASSWORD)
GRUB = HEAD + 'GRUB_CMDLINE_LINUX="quiet elevator=noop"\n'
SECTIONS = "[main]\n" + "".join(f"old{number} = 1\n" for number in range(200))
FILES = {
    "/etc/default/grub": (GRUB, HEAD),
    "/etc/ssh/ssh_config": (HEAD + "Host *\n  SendEnv LANG\n", HEAD),
    "/etc/pam.d/work": (HEAD + "auth required pam_unix.so\n", HEAD),
    "/etc/fstab": (HEAD + "/dev/sdz1 /srv/old ext4 defaults 0 2\n", HEAD),
    "/etc/postgresql.conf": (HEAD + "port = 5433\n", HEAD),
    "/etc/work.ini": (SECTIONS, SECTIONS),
    "/etc/lines": (HEAD, HEAD),
    "/etc/aliases": ("root: admin\n", ""),
    "/etc/ssh/ssh_known_hosts": ("old ssh-rsa AAAAB3old\n", ""),
}
"""Path → the text at the start, and the part of it that every run preserves at its place."""
ADDED = {
    "/etc/default/grub": "work{}=on",
    "/etc/ssh/ssh_config": "host{}",
    "/etc/pam.d/work": "pam_work{}.so",
    "/etc/fstab": "/srv/new{}",
    "/etc/postgresql.conf": "work{} = 5",
    "/etc/work.ini": "new{} = 5",
    "/etc/lines": "line of work {}\n",
    "/etc/aliases": "work{}:",
    "/etc/ssh/ssh_known_hosts": "key{} ",
}
"""Path → what a complete run has added once for each number."""
MANIFEST = """
File_line {{ path => '/etc/lines' }}
Postgresql_psql {{ psql_path => '/usr/bin/psql', connect_settings => {{ 'PGPORT' => '5433' }} }}
Integer[1, {count}].each |$i| {{
  kernel_parameter {{ "work${{i}}": value => 'on' }}
  ssh_config {{ "User of host${{i}}": key => 'User', host => "host${{i}}", value => "u${{i}}" }}
  pam {{ "work ${{i}}": service => 'work', type => 'auth', control => 'optional', module => "pam_work${{i}}.so" }}
  mounttab {{ "/srv/new${{i}}": device => "/dev/sdy${{i}}", fstype => 'ext4', options => 'noauto' }}
  postgresql_conf {{ "work${{i}}": value => '5', target => '/etc/postgresql.conf' }}
  ini_setting {{ "new${{i}}": path => '/etc/work.ini', section => 'main', setting => "new${{i}}", value => '5' }}
  file_line {{ "line ${{i}}": line => "line of work ${{i}}" }}
  mailalias {{ "work${{i}}": recipient => "u${{i}}" }}
  sshkey {{ "key${{i}}": type => 'ssh-ed25519', key => "AAAAC3${{i}}" }}
  alternative_entry {{ "/usr/local/bin/tool-${{i}}": altlink => '/usr/bin/tool', altname => 'tool', priority => 10 * $i }}
  mysql_user {{ "u${{i}}@localhost": password_hash => Sensitive('{hash}'), max_user_connections => 10 + $i }}
  mysql_database {{ "db${{i}}": ensure => present, charset => 'utf8mb4', collate => 'utf8mb4_bin' }}
  mysql_grant {{ "u${{i}}@localhost/db${{i}}.*": user => "u${{i}}@localhost", table => "db${{i}}.*", privileges => ['SELECT', 'INSERT'] }}
  postgresql_psql {{ "role ${{i}}":
    command => Sensitive("CREATE ROLE work${{i}} LOGIN PASSWORD '{password}'"),
    unless  => "SELECT 1 FROM pg_roles WHERE rolname = 'work${{i}}'",
  }}
}}
alternatives {{ 'tool': path => '/usr/local/bin/tool-2' }}
"""
PREPARATION = f"""
mkdir -p /run/mysqld /run/data /run/postgresql /run/roles /boot/grub
chown mysql /run/mysqld /run/data
chown postgres /run/postgresql /run/roles
for i in $(seq {COUNT}); do printf '#!/bin/sh\\n' > /usr/local/bin/tool-$i; done
chmod 755 /usr/local/bin/tool-*
update-alternatives --quiet --install /usr/bin/tool tool /usr/local/bin/tool-1 10
mysql_install_db --datadir=/run/data --user=mysql --auth-root-authentication-method=normal > /dev/null 2>&1
cd /tmp
setsid mariadbd --user=mysql --datadir=/run/data --socket=/run/mysqld/mysqld.sock --skip-networking --innodb-use-native-aio=0 \
    > /dev/null 2>&1 < /dev/null &
runuser -u postgres -- /usr/lib/postgresql/15/bin/initdb -D /run/roles -A trust --no-sync > /dev/null
printf "port = 5433\\nlisten_addresses = ''\\nunix_socket_directories = '/run/postgresql'\\nfsync = off\\n" >> /run/roles/postgresql.conf
runuser -u postgres -- /usr/lib/postgresql/15/bin/pg_ctl -D /run/roles -w -l /run/roles/log start > /dev/null
for try in $(seq 200); do mysql -e 'SELECT 1' > /dev/null 2>&1 && break; sleep 0.1; done
"""
QUERIES = {
    "accounts of MariaDB": f"mysql -N -e \"SELECT COUNT(*) FROM mysql.user WHERE authentication_string = '{HASH}' AND max_user_connections = 10 + SUBSTR(User, 2)\"",
    "databases": "mysql -N -e \"SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME LIKE 'db%' AND DEFAULT_COLLATION_NAME = 'utf8mb4_bin'\"",
    "grants": "mysql -N -e \"SELECT COUNT(*) FROM mysql.db WHERE Db LIKE 'db%' AND Select_priv = 'Y' AND Insert_priv = 'Y'\"",
    "roles of PostgreSQL": "runuser -u postgres -- psql -At -p 5433 -c \"SELECT COUNT(*) FROM pg_roles WHERE rolname LIKE 'work%' AND rolcanlogin\"",
    "alternatives": "update-alternatives --query tool | grep -c ^Alternative:",
}
"""What is counted in the end → the command that counts it."""


class SettingsSite(Site):
    """Resources of types that edit files through Augeas and line by line, and that ask databases."""

    options = ("--modulepath", f"{MODULES}:/usr/share/puppet/modules")

    def lay_out(self) -> None:
        """Write the files and the stubs of the types, and start the databases."""
        machine = self.machine
        machine.background = {"mariadbd", "postgres"}
        for path, (text, _preserved) in FILES.items():
            machine.write(path, text)
        machine.write("/boot/grub/grub.cfg", "old\n")
        machine.write(
            "/usr/sbin/grub-mkconfig", "#!/bin/sh\ngrep CMDLINE /etc/default/grub\n", 0o755
        )
        machine.write(
            "/root/.my.cnf", "[client]\nuser=root\nsocket=/run/mysqld/mysqld.sock\n", 0o600
        )
        declare(machine, *TYPES)
        machine.sandbox.must(["sh", "-ec", PREPARATION])

    @property
    def manifest(self) -> str:
        """The manifest."""
        return MANIFEST.format(count=COUNT, hash=HASH, password=PASSWORD)

    @property
    def changes(self) -> int:
        """The number of additions to files."""
        return len(FILES) * COUNT

    def observer(self, rng: random.Random) -> SettingsWatcher:
        """Return a check of all files and processes."""
        return SettingsWatcher(self, rng)

    def observe(self) -> None:
        """Check that every file is whole, and that no process shows a secret."""
        for path, (_text, preserved) in FILES.items():
            text = self.machine.path(path).read_text()
            whole = preserved in text and text.endswith("\n")
            self.machine.check(whole, f"{path} is broken")
        self.machine.check_arguments(SECRETS)

    def additions(self) -> int:
        """Return the number of additions to files."""
        return sum(
            self.machine.path(path).read_text().count(added.format(number)) == 1
            for path, added in ADDED.items()
            for number in range(1, COUNT + 1)
        )

    def check_complete(self) -> None:
        """Check that everything is as the manifest says, and that no file of bunraku has a secret."""
        machine = self.machine
        machine.check(self.additions() == self.changes, f"{self.additions()} additions to files")
        for what, command in QUERIES.items():
            found = machine.sandbox.run(["sh", "-c", f"cd /tmp; {command}"]).stdout.decode().strip()
            machine.check(found == str(COUNT), f"{found} {what}")
        link = machine.path("/etc/alternatives/tool").readlink()
        machine.check(str(link) == "/usr/local/bin/tool-2", f"the alternative is {link}")
        machine.check_no_secrets(SECRETS)


class SettingsWatcher(Watcher):
    """Looks at all files and processes each time."""

    def __init__(self, site: SettingsSite, rng: random.Random) -> None:
        super().__init__(site, rng)
        self.settings_site = site

    def __call__(self) -> None:
        """Check everything."""
        self.settings_site.observe()
        self.changed = self.settings_site.additions()


FAULTS = {
    "settings_kill": (
        "databases and settings: SIGKILL of bunraku",
        kill_of("SIGKILL", SettingsSite),
    ),
    "settings_stop": (
        "databases and settings: SIGKILL of bunraku and of all that it started",
        kill_of("all", SettingsSite),
    ),
    "settings_term": ("databases and settings: SIGTERM", kill_of("SIGTERM", SettingsSite)),
}
