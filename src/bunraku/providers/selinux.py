"""What the types for the policy of SELinux have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from bunraku.providers.attributes import ABSENT, Property
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.world.host import Host

CONFIGURATION = "/etc/selinux/config"
POLICY = re.compile(r"^\s*SELINUXTYPE=\s*([^\s;]+)", re.MULTILINE)
PACKAGES = (
    "policycoreutils",
    "policycoreutils-python",
    "policycoreutils-python-utils",
    "python3-policycoreutils",
    "selinux-policy-dev",
    "selinux-policy-devel",
)
"""The packages that may have the program semanage."""
PYTHONS = ("/usr/libexec/platform-python", "python", "python3", "python2")
"""The interpreters that may have the library of semanage, in the order of preference."""
LISTS = """\
import sys
try:
    import semanage
except ImportError:
    sys.exit(0)
handle = semanage.semanage_handle_create()
if semanage.semanage_is_managed(handle) < 0 or semanage.semanage_connect(handle) < 0:
    sys.exit(1)
def ask(name, *arguments):
    return getattr(semanage, 'semanage_' + name)(*arguments)
def records(name):
    status, found = ask(name, handle)
    if status < 0:
        sys.exit('could not list: ' + name)
    return found
def fields(kind, record):
    if kind == 'port':
        context = ask('context_to_string', handle, ask('port_get_con', record))[1]
        protocol = ask('port_get_proto_str', ask('port_get_proto', record))
        return [context, ask('port_get_low', record), ask('port_get_high', record), protocol]
    if kind == 'seuser':
        names = ['name', 'sename', 'mlsrange']
    else:
        names = ['name', 'mlsrange']
    return [ask(kind + '_get_' + name, record) for name in names]
for name in sys.argv[1:]:
    for record in records(name):
        line = [name] + [str(one) for one in fields(name.split('_')[0], record)]
        sys.stdout.write(' '.join(line) + '\\n')
semanage.semanage_disconnect(handle)
semanage.semanage_handle_destroy(handle)
"""
"""A program for Python 2 and 3 that prints records of the policy, one on a line."""


def is_enabled(host: Host) -> bool:
    """Return whether SELinux is enabled, as the fact ``os.selinux`` has it."""
    try:
        mounts, configuration = host.read("/proc/self/mounts"), host.read(CONFIGURATION)
    except OSError:
        return False
    return b"selinuxfs" in mounts and bool(configuration)


def policy_file(host: Host, name: str) -> str:
    """Return the path of a file about the contexts of files in the policy of the machine."""
    try:
        text = host.read(CONFIGURATION).decode("utf-8", "replace")
    except OSError:
        text = ""
    names = POLICY.findall(text)
    return f"/etc/selinux/{names[-1] if names else 'targeted'}/contexts/files/{name}"


def policy_lines(host: Host, name: str) -> Iterator[list[str]]:
    """Yield the words of the lines of a file of the policy, without comments; none without the file."""
    path = policy_file(host, name)
    if not host.is_file(path):
        return
    for line in host.read(path).decode("utf-8", "surrogateescape").splitlines():
        words = line.split()
        if words and not line.startswith("#"):
            yield words


def run_quietly(provider: Provider, *words: str, prefix: str = "") -> None:
    """Run a program; raise ResourceFailure with the first line that it prints if it fails."""
    done = provider.attempt(words)
    if done.code == 0:
        return
    if not done.output.strip():
        raise ResourceFailure(f"{prefix}{words[0]} failed with exit code {done.code}")
    raise ResourceFailure(prefix + done.output.splitlines()[0])


def is_purged(resource: ManagedResource) -> bool:
    """Return whether a resource is one that ``resources`` removes because the catalog lacks it."""
    values = resource.original
    return resource.file is None and (values.get("ensure"), "provider" in values) == (ABSENT, True)


class ReadOnlySource(Property):
    """Where a record is from; the property can only be listed."""

    def __init__(self) -> None:
        about = "Whether the record is of the policy or a local one; it can only be listed."
        super().__init__("source", words=("policy", "local"), about=about)

    def accept(self, value: Any, resource: ManagedResource) -> Any:
        """Raise InvalidValue: the property cannot be set."""
        raise InvalidValue(":source is a read-only property")


class SemanageType(ResourceType):
    """A type of the module selinux."""

    providers = ("semanage",)

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the packages with semanage."""
        for name in PACKAGES:
            yield "package", name


class Semanage(Provider):
    """Changes the local part of the policy with the program semanage."""

    name = "semanage"
    programs = ("semanage",)

    def suitable(self) -> bool:
        """Return whether semanage is installed and SELinux is enabled."""
        return super().suitable() and is_enabled(self.host)

    def semanage(self, *words: Any) -> str:
        """Run semanage and return its output; ResourceFailure if it fails."""
        program = self.host.find_program("semanage") or "semanage"
        return self.execute(program, *("" if one is None else one for one in words)).output

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Do nothing: a property without a method of its own cannot be changed by semanage."""


class PythonSemanage(Semanage):
    """Lists the records of the policy by the library of semanage for Python."""

    @cached_property
    def python(self) -> str | None:
        """The first interpreter with the library of semanage, else the first one; None without one."""
        found = [path for path in map(self.host.find_program, PYTHONS) if path is not None]
        test = ("-c", "import semanage")
        useful = (path for path in found if self.attempt((path, *test)).code == 0)
        return next(useful, found[0] if found else None)

    def suitable(self) -> bool:
        """Return whether semanage and Python are installed and SELinux is enabled."""
        return super().suitable() and self.python is not None

    def records(self, *lists: str) -> Iterator[tuple[str, list[str]]]:
        """Yield the records of lists of the policy with the names of the lists."""
        assert self.python is not None
        for line in self.execute(self.python, "-c", LISTS, *lists).output.splitlines():
            name, *fields = line.split()
            yield name, fields


def source_of(name: str) -> str:
    """Return where the records of a list are from.

    >>> source_of("port_list"), source_of("port_list_local")
    ('policy', 'local')
    """
    return "local" if name.endswith("_local") else "policy"
