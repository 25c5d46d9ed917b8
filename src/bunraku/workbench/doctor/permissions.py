"""Permissions and owners of what is secret, and of what others must not write."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.workbench.doctor.findings import Fault, FoundFault, Gap
from bunraku.workbench.doctor.machine import Examined

READABLE = Fault(
    "secret-readable", "error", "every user of this machine can read {what}", "chmod o-rwx {place}"
)
WRITABLE = Fault(
    "directory-writable", "error", "every user of this machine can write to it", "chmod o-w {place}"
)
OWNER = Fault(
    "authority-owner",
    "error",
    "the directory of the authority belongs to {found}, not to {wanted}",
    "chown -R {wanted} {place}",
)
AUTOSIGN = Fault(
    "autosign-all",
    "warning",
    "every request for a certificate is signed",
    "list names in autosign.conf, or use a policy: bunraku puppet config set autosign FILE --section server",
)
SECRET_SETTING = re.compile(r"^\s*(\w*(?:password|authorization|token))\s*[=:]\s*\S", re.MULTILINE)
KEYS_OF_EYAML = re.compile(
    r"^\s*(?:pkcs7_private_key|gpg_\w*key\w*):\s*['\"]?([^'\"\s]+)", re.MULTILINE
)
DIRECTORIES = ("confdir", "ssldir", "privatekeydir", "cadir", "codedir", "vardir")


def check_keys(machine: Examined) -> Iterator[FoundFault]:
    """Find private keys, of certificates and of eyaml, that others can read."""
    keys = [machine.of_agent("hostprivkey"), machine.of_server("cakey")]
    keys.append(f"{machine.of_server('cadir')}/root_key.pem")
    for path in dict.fromkeys([*keys, *(path for path in keys_of_eyaml(machine))]):
        if is_open(machine, path):
            yield READABLE.at(path, what="this private key")


def keys_of_eyaml(machine: Examined) -> Iterator[str]:
    """Yield the paths of the private keys that configurations of Hiera name."""
    files = [machine.of_server("hiera_config")]
    files += [f"{environment}/hiera.yaml" for environment in machine.environments]
    for path in files:
        yield from KEYS_OF_EYAML.findall(text_of(machine, path))
    for folder in (f"{machine.of_server('confdir')}/eyaml", f"{machine.of_server('confdir')}/keys"):
        for name in machine.names(folder):
            if "private" in name:
                yield f"{folder}/{name}"


def check_passwords(machine: Examined) -> Iterator[FoundFault]:
    """Find files with passwords or tokens that others can read."""
    above = machine.of_server("confdir").rpartition("/")[0]
    folder = f"{above}/puppetdb/conf.d"
    files = [machine.configuration, machine.of_agent("passfile"), f"{above}/r10k/r10k.yaml"]
    files += [f"{folder}/{name}" for name in machine.names(folder)]
    files += tokens_of(machine)
    for path in dict.fromkeys(files):
        if is_open(machine, path):
            setting = SECRET_SETTING.search(text_of(machine, path))
            if path == machine.of_agent("passfile") or path in tokens_of(machine):
                yield READABLE.at(path, what="this password or token")
            elif setting is not None and not setting[1].startswith("allow"):
                yield READABLE.at(path, what=f"this file, which sets {setting[1]}")


def tokens_of(machine: Examined) -> list[str]:
    """Return the files with tokens in the places where Puppet's tools keep them."""
    home = machine.host.environment_variable("HOME") or ""
    names = [f"{home}/.puppetlabs/token"] if home else []
    above = machine.of_server("confdir").rpartition("/")[0]
    folder = f"{above}/r10k"
    return names + [f"{folder}/{one}" for one in machine.names(folder) if "token" in one]


def check_directories(machine: Examined) -> Iterator[FoundFault]:
    """Find directories that every user can write to."""
    paths = [machine.of_server(name) for name in DIRECTORIES]
    paths += [machine.of_agent("vardir"), *machine.basedirs, *machine.environments]
    for path in dict.fromkeys(paths):
        status = machine.status(path)
        if status is not None and status.mode & 0o002:
            yield WRITABLE.at(path)


def check_owner(machine: Examined) -> Iterator[FoundFault | Gap]:
    """Find a directory of an authority that belongs to another user than its server's."""
    path = machine.of_server("cadir")
    status = machine.status(path)
    if status is None:
        yield Gap("owner of the authority", f"no directory {path}", absent=True)
        return
    acting = machine.host.effective_user()
    user = machine.host.user(machine.of_server("user"))
    allowed = {0, acting} if user is None else {0, acting, user.uid}
    if status.uid not in allowed:
        owner, wanted = machine.host.user(status.uid), user or machine.host.user(acting)
        yield OWNER.at(
            path,
            found=status.uid if owner is None else owner.name,
            wanted=acting if wanted is None else wanted.name,
        )


def check_autosign(machine: Examined) -> Iterator[FoundFault]:
    """Find an authority that signs every request."""
    if not machine.has_authority:
        return
    setting = machine.server["autosign"]
    if setting is True or str(setting).lower() == "true":
        yield AUTOSIGN.at(machine.configuration)
        return
    listed = text_of(machine, str(setting)).split() if setting else []
    if "*" in listed:
        yield AUTOSIGN.at(str(setting))


def is_open(machine: Examined, path: str) -> bool:
    """Return whether every user of the machine can read or write a file."""
    status = machine.status(path)
    return status is not None and status.kind == "file" and bool(status.mode & 0o006)


def text_of(machine: Examined, path: str) -> str:
    """Return the text of a file, empty if it is absent. Raise OSError."""
    if not path or machine.status(path) is None:
        return ""
    return machine.host.read(path).decode("utf-8", "replace")
