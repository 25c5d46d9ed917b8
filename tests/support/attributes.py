"""Every attribute of every native resource type with every kind of value, and a machine for them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from bunraku.apply.validate import run_without_machine
from bunraku.base.records import record
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.rich_data import to_data
from bunraku.providers.managed_resource import capitalised
from bunraku.providers.registry import resource_type
from bunraku.types.builtin import make_deferred
from bunraku.types.parse import parse_type
from bunraku.values.binary import Binary
from bunraku.values.default import DEFAULT
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer, SemVerRange
from bunraku.web.requests import Exchange, HttpRequest
from bunraku.world.host import Command, Finished
from bunraku.world.machine import possible
from support.augeas import MemoryTree
from support.host import Entry, MemoryHost, Scripted, file

Value = Any
PLAIN: Mapping[str, Value] = {
    "undef": None,
    "true": True,
    "false": False,
    "zero": 0,
    "number": 5,
    "negative": -1,
    "huge number": 10**30,
    "float": 1.5,
    "text": "text",
    "path": "/srv/place",
    "empty": "",
    "line feed": "two\nlines",
    "NUL": "a\0b",
    "path with NUL": "/srv/a\0b",
    "no UTF-8": "\udcff",
    "long": "x" * 70_000,
    "array": ["text", "/srv/place"],
    "empty array": [],
    "mixed array": [None, 5, "text", True],
    "nested array": [[["text"]]],
    "hash": {"a": 1},
    "nested hash": {"a": {"b": [1, {"c": None}]}},
    "empty hash": {},
    "array of hashes": [{"a": 1}],
    "array of secrets": [Sensitive("hidden")],
    "Binary": Binary(b"\xff\0a"),
    "Timestamp": Timestamp(0),
    "Timespan": Timespan(0),
    "Regexp": Regexp("a.b"),
    "Type": parse_type("Array[Integer]"),
    "Default": DEFAULT,
    "URI": URI("http://example.com/a"),
    "SemVer": SemVer(1, 2, 3),
    "SemVerRange": SemVerRange.parse(">=1.0.0"),
}
"""Kinds of values that a catalog can hold."""
VALUES: Mapping[str, Value] = {
    **PLAIN,
    **{f"Sensitive {kind}": Sensitive(value) for kind, value in PLAIN.items()},
    **{f"Deferred {kind}": make_deferred("identity", [value]) for kind, value in PLAIN.items()},
    "Deferred Sensitive": make_deferred("identity", [Sensitive("hidden")]),
}
MOST_RUNS = 100
"""How often a program fails at most: an exec with a huge number of tries runs until one succeeds."""


class Resources(dict[str, tuple[str, Mapping[str, Value]]]):
    """Type → title and parameters of a resource that can be applied."""

    def __missing__(self, type_: str) -> tuple[str, Mapping[str, Value]]:
        """Return the resource of a type that requires nothing but a title."""
        kind = resource_type(type_, run_without_machine())
        assert kind is not None
        return ("/srv/a" if kind.namevar in ("path", "target", "file") else "a"), {}


REQUIRED = Resources(
    {
        "alternative_entry": (
            "/srv/tool",
            {"ensure": "present", "altlink": "/usr/bin/tool", "altname": "tool", "priority": 5},
        ),
        "alternatives": ("tool", {"path": "/srv/tool"}),
        "anchor": ("a", {}),
        "apt_key": ("0" * 40, {"content": "key"}),
        "archive": ("/srv/a.tar.gz", {"source": "http://web/a.tar.gz", "provider": "curl"}),
        "augeas": ("a", {"context": "/files/etc/hosts", "changes": ["set a b"]}),
        "concat_file": ("/srv/file", {"tag": "t"}),
        "concat_fragment": ("a", {"target": "/srv/file", "content": "text"}),
        "cron": ("a", {"command": "/bin/true", "user": "root", "minute": "5"}),
        "debconf": ("app/b", {"package": "app", "type": "string", "value": "c"}),
        "dhparam": ("/srv/a.pem", {"ensure": "present", "mode": "0640"}),
        "docker_compose": ("a", {"ensure": "present", "compose_files": ["/srv/compose.yml"]}),
        "docker_network": ("a", {"ensure": "present", "driver": "bridge"}),
        "docker_stack": ("a", {"ensure": "present", "compose_files": ["/srv/compose.yml"]}),
        "docker_volume": ("a", {"ensure": "present", "driver": "local"}),
        "exec": ("/bin/true", {}),
        "file": ("/srv/file", {"ensure": "file", "content": "text"}),
        "file_line": ("a", {"path": "/srv/lines", "line": "text"}),
        "filebucket": ("main", {}),
        "filesystem": ("/dev/a", {"ensure": "present", "fs_type": "ext4"}),
        "firewall": ("100 a", {"proto": "tcp", "dport": 80, "jump": "accept"}),
        "firewallchain": ("WEB:filter:IPv4", {"ensure": "present"}),
        "firewalld_direct_chain": ("ipv4:filter:LOG", {}),
        "firewalld_direct_passthrough": ("-A OUTPUT -j ACCEPT", {}),
        "firewalld_direct_purge": ("rule", {}),
        "firewalld_direct_rule": (
            "ssh",
            {
                "inet_protocol": "ipv4",
                "table": "filter",
                "chain": "OUTPUT",
                "priority": 1,
                "args": "-p tcp -j ACCEPT",
            },
        ),
        "firewalld_ipset": ("web", {"entries": ["192.0.2.1"]}),
        "firewalld_policy": ("nat", {"ingress_zones": ["a"], "egress_zones": ["b"]}),
        "firewalld_port": ("a", {"zone": "b", "port": 53, "protocol": "udp"}),
        "firewalld_rich_rule": ("a", {"zone": "b", "service": "ssh", "action": "accept"}),
        "firewalld_service": ("a", {"zone": "b", "service": "ssh"}),
        "firewalld_zone": ("a", {"target": "ACCEPT"}),
        "flatpak": ("org.example.App", {"ensure": "present", "remote": "example"}),
        "flatpak_remote": ("example", {"ensure": "present", "location": "http://web/example"}),
        "grafana_plugin": ("panel", {"ensure": "present"}),
        "group": ("staff", {"ensure": "present"}),
        "hocon_setting": ("a.b", {"path": "/srv/a.conf", "value": 2}),
        "host": ("web", {"ensure": "present", "ip": "192.0.2.1"}),
        "ini_setting": ("a", {"path": "/srv/a.ini", "section": "s", "setting": "k", "value": "v"}),
        "ini_subsetting": (
            "a",
            {"path": "/srv/a.ini", "section": "s", "setting": "k", "subsetting": "x", "value": "v"},
        ),
        "java_ks": (
            "web:/srv/web.ks",
            {"ensure": "latest", "certificate": "/srv/lines", "password": "changeit"},
        ),
        "k5login": ("/home/a/.k5login", {"principals": ["a@b"]}),
        "kernel_parameter": ("elevator", {"value": "deadline"}),
        "loginctl_user": ("web", {"linger": "enabled"}),
        "mailalias": ("web", {"ensure": "present", "recipient": "root"}),
        "mount": ("/mnt/a", {"ensure": "mounted", "device": "/dev/a", "fstype": "ext4"}),
        "mounttab": ("/srv", {"ensure": "present", "device": "/dev/a", "fstype": "ext4"}),
        "mysql_database": ("a", {"ensure": "present"}),
        "mysql_datadir": ("/srv/mysql", {"ensure": "present"}),
        "mysql_grant": (
            "a@localhost/b.*",
            {"ensure": "present", "user": "a@localhost", "table": "b.*", "privileges": ["SELECT"]},
        ),
        "mysql_login_path": (
            "local",
            {"ensure": "present", "password": Sensitive("hidden-secret"), "port": 3306},
        ),
        "mysql_plugin": ("a", {"ensure": "present", "soname": "a.so"}),
        "mysql_user": ("a@localhost", {"ensure": "present", "password_hash": "*A"}),
        "notify": ("a", {}),
        "package": ("vim", {"ensure": "present", "provider": "apt"}),
        "package_accept_keywords": ("app-misc/a", {"accept_keywords": ["~x86"]}),
        "package_env": ("app-misc/a", {"env": ["a"]}),
        "package_keywords": ("app-misc/a", {"keywords": ["~x86"]}),
        "package_mask": ("app-misc/a", {"version": ">=1"}),
        "package_unmask": ("app-misc/a", {"version": ">=1"}),
        "package_use": ("app-misc/a", {"use": ["a"], "slot": "0"}),
        "pam": (
            "a",
            {"service": "login", "type": "auth", "module": "pam_env.so", "control": "optional"},
        ),
        "physical_volume": ("/dev/a", {"ensure": "present"}),
        "postgresql_conf": ("a", {"key": "port", "value": 1, "target": "/etc/postgresql.conf"}),
        "postgresql_conn_validator": ("a", {"psql_path": "/usr/bin/psql", "port": 5432}),
        "postgresql_psql": ("SELECT 1", {"unless": "SELECT 2", "db": "a"}),
        "postgresql_replication_slot": ("a", {"ensure": "present"}),
        "puppet_agent_end_run": ("8.0.0", {}),
        "reboot": ("a", {}),
        "reboot_notify": ("a", {}),
        "rvm_gem": ("ruby-3.2.2/json", {}),
        "rvm_system_ruby": ("ruby-3.2.2", {"ensure": "present"}),
        "resources": ("host", {"purge": True}),
        "schedule": ("office", {"period": "hourly"}),
        "selboolean": ("httpd", {"value": "on"}),
        "service": ("web", {"ensure": "running", "enable": True}),
        "shellvar": ("A", {"target": "/srv/a.ini", "value": "2"}),
        "ssh_authorized_key": ("a", {"user": "root", "type": "ssh-rsa", "key": "AAAA"}),
        "sshkey": ("web", {"type": "ssh-rsa", "key": "AAAA"}),
        "ssh_config": ("ForwardAgent", {"value": "yes"}),
        "sshd_config": ("PermitTTY", {"value": "no"}),
        "sshd_config_match": ("Host a", {"ensure": "present"}),
        "sshd_config_subsystem": ("sftp", {"command": "internal-sftp"}),
        "ssl_pkey": ("/srv/a.key", {"ensure": "present", "mode": "0640"}),
        "swap_file": ("/srv/a.swap", {"ensure": "present"}),
        "sysctl": ("net.ipv4.ip_forward", {"value": "1"}),
        "sysctl_runtime": ("net.ipv4.ip_forward", {"val": "1"}),
        "puppetdb_conn_validator": ("a", {"puppetdb_server": "a", "timeout": 2}),
        "tcp_conn_validator": ("a", {"host": "a", "port": 1, "timeout": 2}),
        "tidy": ("/srv/old", {"age": "1d", "recurse": True}),
        "user": ("web", {"ensure": "present"}),
        "vcsrepo": ("/srv/copy", {"provider": "git", "source": "http://web/a"}),
        "wait_for": ("a", {"seconds": 1}),
        "x509_cert": ("/srv/a.crt", {"ensure": "present"}),
        "x509_request": ("/srv/a.csr", {"ensure": "present"}),
        "yumrepo": ("a", {"baseurl": "http://example.com/", "descr": "a"}),
    }
)


@record(frozen=True)
class Trial:
    """A resource with one attribute of a certain kind of value."""

    type: str
    attribute: str
    kind: str

    def catalog(self, value: Value) -> Catalog:
        """Return a catalog with the resource, and with one that comes after it."""
        title, parameters = REQUIRED[self.type]
        return catalog_of(self.type, title, {**parameters, self.attribute: value})


def catalog_of(type_: str, title: str, parameters: Mapping[str, Value]) -> Catalog:
    """Return a catalog with a resource, and with one that comes after it."""
    secret = [name for name, value in parameters.items() if isinstance(value, Sensitive)]
    data = {
        name: to_data(value.value if isinstance(value, Sensitive) else value)
        for name, value in parameters.items()
    }
    first = {
        "type": capitalised(type_), "title": title, "parameters": data, "exported": False,
        "tags": [type_], "file": "/site.pp", "line": 1, "sensitive_parameters": secret,
    }  # fmt: skip
    last = {
        "type": "Notify", "title": "afterwards", "parameters": {}, "exported": False,
        "tags": ["notify"],
    }  # fmt: skip
    return Catalog(
        {"name": "web", "environment": "production", "resources": [first, last], "edges": []}
    )


class Answer:
    """An empty answer of a server."""

    status = 200
    headers: Mapping[str, str] = {}

    def read(self, size: int = -1, /) -> bytes:
        """See :class:`HttpResponse`."""
        return b""


class Machine(MemoryHost):
    """A machine on which all programs exist. They print their arguments and end with ``code``."""

    def __init__(self, code: int = 0) -> None:
        program = Entry("file", 0o755)
        files = {
            "/srv/compose.yml": file("version: '3'\nservices: {web: {image: a}}\n"),
            "/srv/lines": file("text\nmore\n"),
            "/srv/a.conf": file("a { b = 1 } # one\n"),
            "/srv/a.ini": file("[s]\nk=v x\n"),
            "/srv/old/file": file("x"),
            "/srv/place/file": file("x"),
            "/etc/hosts": file("127.0.0.1 localhost\n192.0.2.2 other\n"),
            "/etc/fstab": file("/dev/b /mnt/b ext4 defaults 0 0\n"),
            "/etc/ssh/ssh_known_hosts": file(""),
            "/etc/postgresql.conf": file("port = 2\n"),
            "/etc/aliases": file("a: b\n"),
            "/etc/passwd": file("root:x:0:0:root:/root:/bin/bash\n"),
            "/etc/group": file("root:x:0:\n"),
            "/etc/shadow": file("root:*:1:0:99999:7:::\n"),
            "/etc/yum.repos.d/b.repo": file("[b]\nbaseurl=http://b/\n"),
            **{f"/bin/{name}": program for name in ("true", "echo", "sh")},
        }
        self.nodes = MemoryTree({"/files/etc/hosts/a": "1"})
        self.written: list[tuple[str, Entry]] = []
        super().__init__(files, tree=self.nodes)
        self.code = code
        self.runs = 0
        self.requests = 0

    def add(self, path: str, entry: Entry) -> None:
        """Put an entry at a path, and remember it."""
        super().add(path, entry)
        self.written.append((path, entry))

    def find_program(self, name: str, path: str | None = None) -> str | None:
        """Return a path for each name."""
        try:
            return f"/usr/bin/{possible(name)}"
        except OSError:
            return None

    def execute(self, command: Command) -> Finished:
        """Print the words of a command and its environment; after many runs all programs succeed."""
        self.runs += 1
        self.ran.append(command)
        code = self.code if self.runs <= MOST_RUNS else 0
        words = [command.words] if isinstance(command.words, str) else list(command.words)
        settings = [f"{name}={value}" for name, value in command.environment.items() if value]
        text = " ".join([possible(one) for one in [*words, *settings, command.directory or ""]])
        return Finished(code, text + "\n", text + "\n")

    def http(self, request: HttpRequest) -> Exchange:
        """Reach no server; after many requests all servers answer."""
        self.requests += 1
        return super().http(request) if self.requests <= MOST_RUNS else nullcontext(Answer())

    def dialogue(self, command: Command) -> Scripted:
        """Return a program that has ended."""
        return Scripted(*[None] * MOST_RUNS)

    def resolved(self, path: str, *, follow: bool = True) -> str:
        """Return a path without links; OSError for what the system does not take as a name."""
        return super().resolved(possible(path), follow=follow)
