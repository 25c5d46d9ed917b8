"""What a planned change needs and will not have: it must fail, although a run with ``noop`` cannot see that.

Puppet finds these things when it makes the change. Earlier steps of the plan may provide them; after a
step whose effects are not known, such as a package or an exec, nothing is said to be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bunraku.providers.archive.ruby import local_path
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.exec.posix import Posix
from bunraku.providers.exec.words import program_of
from bunraku.providers.lens_file import LensProvider
from bunraku.providers.managed_resource import ManagedResource
from bunraku.world.host import Host

KNOWN_EFFECTS = frozenset(
    [
        *(
            "anchor",
            "class",
            "cron",
            "file",
            "file_line",
            "filebucket",
            "firewall",
            "firewallchain",
            "group",
            "host",
            "mailalias",
        ),
        *(
            "notify",
            "resources",
            "schedule",
            "ssh_authorized_key",
            "sshkey",
            "stage",
            "tidy",
            "user",
        ),
        *("apt_key", "debconf", "k5login", "puppet_agent_end_run", "reboot", "reboot_notify"),
        *("kernel_parameter", "pam", "shellvar", "ssh_config", "swap_file", "sysctl"),
        *("sshd_config", "sshd_config_match", "sshd_config_subsystem", "sysctl_runtime"),
        *("selboolean", "selinux_fcontext", "selinux_fcontext_equivalence", "selinux_login"),
        *("selinux_permissive", "selinux_port", "selmodule"),
        *("mysql_database", "mysql_grant", "mysql_plugin", "mysql_user", "postgresql_conf"),
        *("postgresql_conn_validator", "postgresql_replication_slot"),
        *("java_ks", "mysql_login_path"),
        *("package_accept_keywords", "package_env", "package_keywords", "package_mask"),
        *("package_unmask", "package_use"),
        *("dhparam", "ssl_pkey", "x509_cert", "x509_request", "docker_network", "docker_volume"),
        *("firewalld_ipset", "flatpak_remote", "hocon_setting", "mounttab"),
        *("filesystem", "logical_volume", "physical_volume", "volume_group"),
        "whit",
    ]
)
"""The types that make nothing but what their names and attributes say."""


class Provided:
    """What a machine has, with what the steps of a plan add to it and take from it."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.is_known = True
        """Whether the effects of all steps are known."""
        self.made: dict[tuple[str, str], str | None] = {}
        """Type and name → the state of what a step makes; None for what it removes."""

    def add(self, resource: ManagedResource, action: str) -> None:
        """Add the effects of a step."""
        kind = resource.type.name
        self.is_known = self.is_known and kind in KNOWN_EFFECTS
        if kind in {"file", "user", "group"}:
            name = str(resource["path" if kind == "file" else "name"])
            state = str(resource["ensure"] or "present")
            self.made[kind, name] = None if action == "remove" else state
            if kind == "user" and action == "create":
                self.made.setdefault(("group", name), "present")  # useradd makes it, too
        elif action in {"create", "change"}:
            for attribute in ("target", "path"):
                self.made.setdefault(("file", str(resource[attribute])), "file")

    def has(self, kind: str, name: object) -> bool:
        """Return whether a user or a group with a name or a number will exist."""
        text = str(name)
        if (kind, text) in self.made:
            return self.made[kind, text] is not None
        if text.isdecimal():
            return True
        return (self.host.user(text) if kind == "user" else self.host.group(text)) is not None

    def exists(self, path: str) -> bool:
        """Return whether a path will exist."""
        if ("file", path) in self.made:
            return self.made["file", path] is not None
        return self.host.status(path, follow=True) is not None

    def is_directory(self, path: str) -> bool:
        """Return whether a path will be that of a directory."""
        if ("file", path) in self.made:
            return self.made["file", path] not in {None, "file"}
        return self.host.is_directory(path)


def obstacle(resource: ManagedResource, action: str, provided: Provided) -> str | None:
    """Return what makes a step fail; None if nothing is known to."""
    if action not in {"create", "change"} or not provided.is_known:
        return None
    needs = NEEDS.get(resource.type.name)
    found = None if needs is None else next(needs(resource, action, provided), None)
    return None if found is None else resource.hidden(found)


def parent(path: str) -> str:
    """Return the directory that a path is in.

    >>> parent("/a/b"), parent("/a")
    ('/a', '/')
    """
    return path.rstrip("/").rpartition("/")[0] or "/"


def of_file(resource: ManagedResource, action: str, provided: Provided) -> Iterator[str]:
    """Yield what a file lacks: the directory that it is in, its owner and its group."""
    path = str(resource["path"])
    if action == "create" and not provided.is_directory(parent(path)):
        if resource["ensure"] == "directory":
            yield f"Cannot create {path}; parent directory {parent(path)} does not exist"
        yield f"No such file or directory - {path}"
    for attribute, kind in (("owner", "user"), ("group", "group")):
        if resource[attribute] is not None and not provided.has(kind, resource[attribute]):
            yield f"Could not find {kind} {resource[attribute]}"


def of_exec(resource: ManagedResource, _action: str, provided: Provided) -> Iterator[str]:
    """Yield what an exec lacks: its directory, user and group, and its program."""
    directory = resource["cwd"]
    if directory and not provided.is_directory(str(directory)):
        yield f"Working directory {directory} does not exist!"
    for kind in ("user", "group"):
        if resource[kind] is not None and not provided.has(kind, resource[kind]):
            yield f"Invalid {kind}: {resource[kind]}"
    provider = resource.provider
    if isinstance(provider, Posix):
        try:
            provider.find(resource, program_of(resource["command"]))
        except ResourceFailure as failure:
            yield str(failure)


def of_user(resource: ManagedResource, _action: str, provided: Provided) -> Iterator[str]:
    """Yield the groups that a user lacks."""
    groups = resource["groups"] or ()
    for name in (resource["gid"], *([groups] if isinstance(groups, str) else groups)):
        if name is not None and not provided.has("group", name):
            yield f"Could not find group {name}"


def of_key(resource: ManagedResource, _action: str, provided: Provided) -> Iterator[str]:
    """Yield the user that a key or a table lacks, and the directory of a file."""
    if resource["user"] is not None and not provided.has("user", resource["user"]):
        yield f"User '{resource['user']}' does not exist"


def of_entry(resource: ManagedResource, _action: str, provided: Provided) -> Iterator[str]:
    """Yield the directory that the file of an entry lacks."""
    target = str(resource["target"] or "/")
    if not provided.is_directory(parent(target)):
        yield f"could not write {target}: No such file or directory"


def of_lens(resource: ManagedResource, action: str, provided: Provided) -> Iterator[str]:
    """Yield the directory that the file of a lens lacks, unless nothing is written to it."""
    provider = resource.provider
    if not isinstance(provider, LensProvider):
        yield from of_entry(resource, action, provided)
    elif resource["persist"] != "false":
        target = provider.target(resource)
        if not provided.is_directory(parent(target)):
            yield f"could not write {target}: No such file or directory"


def of_archive(resource: ManagedResource, _action: str, provided: Provided) -> Iterator[str]:
    """Yield the file that an archive is copied from, and the directory that it is extracted in."""
    source = local_path(str(resource["source"] or "http:"))
    if not provided.exists(resource["path"]) and source and not provided.exists(source):
        yield f"Source file: {resource['source']} does not exists."
    directory = resource["extract_path"]
    if resource.is_true("extract") and directory and not provided.is_directory(directory):
        yield f"Working directory {directory} does not exist!"


def of_repository(resource: ManagedResource, action: str, provided: Provided) -> Iterator[str]:
    """Yield the accounts that a repository lacks, and the one of this machine that it is made from."""
    for attribute, kind in (("user", "user"), ("owner", "user"), ("group", "group")):
        if resource[attribute] is not None and not provided.has(kind, resource[attribute]):
            yield f"can't find {kind} for {resource[attribute]}"
    source = resource["source"]
    if action == "create" and isinstance(source, str) and source.startswith("/"):
        if not provided.exists(source):
            yield f"repository '{source}' does not exist"


def of_signing_key(resource: ManagedResource, action: str, provided: Provided) -> Iterator[str]:
    """Yield the file that a key of apt is read from."""
    source = str(resource["source"] or "")
    if action == "create" and source.startswith("/") and not provided.exists(source):
        yield f"The file {source} does not exist"


def of_line(resource: ManagedResource, _action: str, provided: Provided) -> Iterator[str]:
    """Yield the file that a line lacks."""
    path = str(resource["path"])
    if not provided.exists(path):
        yield f"No such file or directory - {path}"


def of_setting(resource: ManagedResource, _action: str, provided: Provided) -> Iterator[str]:
    """Yield the directory that the file of a setting lacks."""
    path = str(resource["path"])
    if not provided.is_directory(parent(path)):
        yield f"No such file or directory - {path}"


Needs = Callable[[ManagedResource, str, Provided], Iterator[str]]
NEEDS: Mapping[str, Needs] = {
    "apt_key": of_signing_key,
    "archive": of_archive,
    "cron": of_key,
    "exec": of_exec,
    "file": of_file,
    "file_line": of_line,
    "host": of_entry,
    "ini_setting": of_setting,
    "mailalias": of_entry,
    "ssh_authorized_key": of_key,
    "sshkey": of_entry,
    "user": of_user,
    "vcsrepo": of_repository,
    **dict.fromkeys(
        (
            *("kernel_parameter", "mounttab", "pam", "shellvar", "ssh_config", "sshd_config"),
            *("sshd_config_match", "sshd_config_subsystem", "sysctl"),
        ),
        of_lens,
    ),
}
"""Type → the function that yields what its changes lack."""
