"""Runs over keystores, login paths, HOCON, Portage, Docker's projects and Flatpak that end by a signal at a random moment.

``keytool`` and ``openssl`` are real. No process may have a secret among its arguments, and other users may read no
file with one, at any moment.
"""

from __future__ import annotations

import hashlib
from typing import ClassVar

from apply.fault_kills import kill_of
from apply.fault_machine import Machine
from apply.fault_programs import COUNT, NUMBERS, StandInSite
from apply.fault_types import HEAD
from bunraku.formats.mysql_login_file import login_options, login_sections, read_login_file

PACKAGES = ("openjdk-17-jre-headless",)
"""Debian's packages that the root needs besides."""
ENTRIES = range(1, 3)
"""The numbers of the entries of each keystore; ``keytool`` takes half a second for each call."""
STORE_WORD, KEY_WORD = "S3CR3T-of-a-store", "S3CR3T-of-a-key"
LOGIN_WORD, SETTING_WORD = "S3CR3T-of-a-login", "S3CR3T-of-a-setting"
SECRETS = (STORE_WORD, KEY_WORD, LOGIN_WORD, SETTING_WORD)
PORTAGE = ("accept_keywords", "env", "keywords", "mask", "unmask", "use")
LOGINS = ("/root/.mylogin.cnf", "/var/backups/.mylogin.cnf")
SETTINGS = "/srv/work.conf"
PLAIN_STORE, KEY_STORE = "/srv/ks/plain.ks", "/srv/ks/keys.ks"
DOCKER = """\
#!/bin/sh
case "$*" in
*compose*) exec /usr/local/lib/docker-of-docker-compose "$@";;
*) exec /usr/local/lib/docker-of-docker-stack "$@";;
esac
"""
DIGEST = 20
"""The bytes of SHA-1 at the end of a keystore of the kind JKS."""


class StoresSite(StandInSite):
    """Keystores, login paths of MySQL, HOCON, Portage, projects and stacks of Docker, and Flatpak."""

    cases = ("docker-compose", "docker-stack", "flatpak")
    moved = ("/usr/local/bin/docker",)
    shared = ("/var/fake/state.json",)
    types = (
        "docker_compose", "docker_stack", "flatpak", "flatpak_remote", "hocon_setting", "java_ks", "mysql_login_path",
        *(f"package_{name}" for name in PORTAGE),
    )  # fmt: skip
    start: ClassVar[dict[str, str]] = {
        "/usr/local/bin/docker": DOCKER,
        SETTINGS: HEAD + "old : 1\n",
        **{f"/etc/portage/package.{name}/default": f"{HEAD}old/one\n" for name in PORTAGE},
    }
    shell = f"""
    chmod 755 /usr/local/bin/docker
    chmod 600 {SETTINGS}
    cp /srv/flatpak /usr/bin/flatpak
    mkdir -p /srv/ks
    umask 077
    for i in {" ".join(map(str, ENTRIES))}; do
        openssl req -x509 -newkey rsa:2048 -nodes -days 100 -subj /CN=work$i -keyout /srv/ks/$i.key -out /srv/ks/$i.pem
    done
    """
    template = f"""
    Integer[1, {COUNT}].each |$i| {{
      docker_compose {{ "project${{i}}":
        ensure => present, compose_files => ['/srv/wiki/compose.yml'], scale => {{ 'worker' => 2 }},
      }}
      docker_stack {{ "stack${{i}}": ensure => present, compose_files => ['/srv/old/stack.yml'] }}
      flatpak_remote {{ "remote${{i}}": ensure => present, location => "https://remote${{i}}.example.test/" }}
      -> flatpak {{ "org.example.Work${{i}}": ensure => present, remote => "remote${{i}}" }}
      hocon_setting {{ "work.key${{i}}": path => '{SETTINGS}', value => Sensitive("{SETTING_WORD}-${{i}}") }}
      mysql_login_path {{ "path${{i}}": ensure => present, user => "u${{i}}", password => Sensitive('{LOGIN_WORD}') }}
      mysql_login_path {{ "path${{i}}-backup": ensure => present, password => Sensitive('{LOGIN_WORD}'), port => 3000 + $i }}
      package_use {{ "work/use${{i}}": use => ['one', '-two'] }}
      package_env {{ "work/env${{i}}": env => 'single' }}
      package_keywords {{ "work/keywords${{i}}": keywords => '~x86' }}
      package_accept_keywords {{ "work/accept_keywords${{i}}": accept_keywords => '~amd64' }}
      package_mask {{ "work/mask${{i}}": version => '>=2' }}
      package_unmask {{ "work/unmask${{i}}": version => '<2' }}
    }}
    Integer[{ENTRIES[0]}, {ENTRIES[-1]}].each |$i| {{
      java_ks {{ "plain${{i}}:{PLAIN_STORE}": certificate => "/srv/ks/${{i}}.pem", password => Sensitive('{STORE_WORD}') }}
      java_ks {{ "key${{i}}:{KEY_STORE}":
        certificate => "/srv/ks/${{i}}.pem", private_key_content => Sensitive(file("/srv/ks/${{i}}.key")),
        storetype => jks, password => Sensitive('{STORE_WORD}'), destkeypass => Sensitive('{KEY_WORD}'),
      }}
    }}
    """
    added: ClassVar[dict[str, str]] = {
        "/var/fake/state.json-of-docker-compose": '["project{0}", "app", "project{0}_app"]',
        "/var/fake/state.json-of-docker-stack": '["stack{}", "app", "old:1"]',
        "/var/fake/state.json-of-flatpak": '"org.example.Work{}/x86_64/stable"',
        SETTINGS: f'"{SETTING_WORD}-{{}}"',
        "/etc/portage/package.use/default": "work/use{} one -two\n",
        "/etc/portage/package.env/default": "work/env{} single\n",
        "/etc/portage/package.keywords/default": "work/keywords{} ~x86\n",
        "/etc/portage/package.accept_keywords/default": "work/accept_keywords{} ~amd64\n",
        "/etc/portage/package.mask/default": ">=work/mask{}-2\n",
        "/etc/portage/package.unmask/default": "<work/unmask{}-2\n",
    }

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.secrets = SECRETS
        """Texts that nobody else may see; those of the private keys come when these are made."""

    def lay_out(self) -> None:
        """Remember the private keys besides."""
        super().lay_out()
        keys = [self.machine.path(f"/srv/ks/{number}.key").read_text() for number in ENTRIES]
        self.secrets = (*SECRETS, *(key.splitlines()[2] for key in keys))

    def observe(self) -> None:
        """Check that every file is whole, and that nobody else can see a secret."""
        machine = self.machine
        for name in PORTAGE:
            path = f"/etc/portage/package.{name}/default"
            text = machine.path(path).read_text()
            whole = HEAD in text and "old/one\n" in text and text.endswith("\n")
            machine.check(whole, f"{path} is broken")
        text = machine.path(SETTINGS).read_text()
        machine.check(text.startswith(HEAD + "old : 1\n"), f"{SETTINGS} is broken")
        for path in LOGINS:
            self.logins(path)
        self.check_keystores()
        machine.check_arguments(self.secrets)
        machine.check_private(self.secrets, "srv", "tmp", "var/lib/bunraku", "var/backups")

    def logins(self, path: str) -> dict[str, dict[str, str]]:
        """Return the options of each login path in a file; it must be whole and private."""
        place = self.machine.path(path)
        if not place.exists():
            return {}
        mode = place.stat().st_mode & 0o777
        self.machine.check(mode == 0o600, f"{path} has mode {mode:o}")
        _key, text = read_login_file(place.read_bytes())
        return {name: login_options(lines) for name, lines in login_sections(text).items()}

    def check_keystores(self) -> None:
        """Check that each keystore is absent or whole: its length, and the digest that its password protects."""
        plain, keys = self.machine.path(PLAIN_STORE), self.machine.path(KEY_STORE)
        if plain.exists():
            content = plain.read_bytes()
            whole = len(content) == 4 + int.from_bytes(content[2:4])
            self.machine.check(whole, f"{PLAIN_STORE} is not whole")
        if keys.exists():
            content = keys.read_bytes()
            salt = STORE_WORD.encode("utf-16-be") + b"Mighty Aphrodite"
            digest = hashlib.sha1(salt + content[:-DIGEST], usedforsecurity=False).digest()
            self.machine.check(digest == content[-DIGEST:], f"{KEY_STORE} is not whole")

    def check_complete(self) -> None:
        """Check that everything is as the manifest says, and that no file of bunraku has a secret."""
        super().check_complete()
        self.observe()
        machine = self.machine
        for path, options in zip(LOGINS, ({"user": "u{}"}, {"port": "300{}"}), strict=True):
            for number in NUMBERS:
                wanted = {name: value.format(number) for name, value in options.items()}
                found = self.logins(path).get(f"path{number}")
                machine.check(found == {**wanted, "password": LOGIN_WORD}, f"{path} has {found}")
        containers = machine.path("/var/fake/state.json-of-docker-compose").read_text()
        for number in NUMBERS:
            count = containers.count(f'["project{number}", "worker", "project{number}_app"]')
            machine.check(count == 2, f"project{number} has {count} containers of worker")
        for path in (PLAIN_STORE, KEY_STORE):
            words = ["keytool", "-list", "-keystore", path, "-storepass", STORE_WORD]
            listed = machine.sandbox.run(words).stdout.decode()
            machine.check(f"contains {len(ENTRIES)} entries" in listed, f"{path} has {listed}")
        machine.check_no_secrets(self.secrets)


FAULTS = {
    f"stores_{how}": (
        f"keystores, login paths, HOCON, Portage, Docker's projects and Flatpak: {words}",
        kill_of(signal_name, StoresSite),
    )
    for how, words, signal_name in (
        ("kill", "SIGKILL of bunraku", "SIGKILL"),
        ("stop", "SIGKILL of bunraku and of all that it started", "all"),
        ("term", "SIGTERM", "SIGTERM"),
    )
}
