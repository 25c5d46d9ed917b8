"""Parameters of the kernel in ``/etc/default/grub``, from which GRUB 2 makes its configuration."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.lens_file import LensProvider, binary, present, set_all
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.rewriting import behind_links, rewrite
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.augeas import AugeasTree
from bunraku.world.host import Host

ALL, NORMAL = "GRUB_CMDLINE_LINUX", "GRUB_CMDLINE_LINUX_DEFAULT"
VARIABLES = {"all": ALL, "default": NORMAL, "normal": NORMAL}
RELEASE = re.compile(r'^(ID|VERSION_ID)="?([^"\n]*)"?$', re.MULTILINE)
FOLDERS = {"amzn": "amazon", "ol": "oraclelinux", "rhel": "redhat"}
"""ID of a system → the folder of its boot loader, if it has another name."""
RED_HATS = frozenset({"almalinux", "amzn", "centos", "fedora", "ol", "rhel", "rocky"})
FIRST_WITH_ENTRIES = (9, 3)
"""The first release of Red Hat whose ``grub2-mkconfig`` has to be told to update the boot entries."""


class GrubParameters(LensProvider):
    """Changes the file through Augeas and runs ``grub-mkconfig``."""

    name = "grub2"
    lens = "Shellvars_list.lns"
    default_target: ClassVar[str | None] = "/etc/default/grub"

    def suitable(self) -> bool:
        """Return whether the library and GRUB 2 are installed."""
        return super().suitable() and self.host.is_executable(self.program())

    def program(self) -> str:
        """Return the path of the program that makes the configuration."""
        names = ("grub2-mkconfig", "grub-mkconfig")
        found = next(filter(None, map(self.host.find_program, names)), None)
        return found or "/usr/sbin/grub-mkconfig"

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the parameters of all boots and of normal ones, by their names."""
        tree = self.tree(self.lens).open(str(self.default_target))
        paths = [path for name in (ALL, NORMAL) for path in tree.match(f"$target/{name}/value")]
        return present((tree.get(path) or "").partition("=")[0] for path in paths)

    def path(self, resource: ManagedResource) -> str:
        """Return the path of the values of the parameter."""
        return f"$target/{variable(resource)}/value[.=~regexp('^{resource.name}(=.*)?$')]"

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the values of the parameter."""
        tree = self.open(resource)
        return [value_in(tree.get(path)) for path in tree.match("$resource")]

    def create(self, resource: ManagedResource) -> None:
        """Add the parameter."""
        self.set(resource, "value", resource["value"])

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Set the values: existing ones first, then new ones at the end."""
        tree, line = self.change(resource), f"$target/{variable(resource)}"
        if not tree.match(line):
            tree.set(f"{line}/quote", '"')
        if variable(resource) == NORMAL:
            copy_parameters(tree, resource.name)
        if not value:
            tree.set(f"{self.path(resource)}[1]", resource.name)
            tree.remove(f"{self.path(resource)}[position() > 1]")
            return
        waiting = [f"{resource.name}={to_s(one)}" for one in value]
        for path in tree.match("$resource"):
            if waiting:
                tree.set(path, waiting.pop(0))
            else:
                tree.remove(path)
        for one in waiting:
            set_all(tree, f"{line}/value[last()+1]", one)

    # -- the configuration of GRUB ---------------------------------------------------------------

    def flush(self, resource: ManagedResource) -> None:
        """Write the file, and the configuration that GRUB makes from it."""
        super().flush(resource)
        command = (self.program(), *options(self.host))
        done = self.attempt(command, merged=False)
        if done.code != 0:
            text = f"Execution of '{' '.join(command)}' returned {done.code}: {done.output.strip()}"
            raise ResourceFailure(text)
        if not done.output.strip():
            raise ResourceFailure("No output from grub2-mkconfig")
        text = done.output if done.output.endswith("\n") else done.output + "\n"
        for path in configurations(self.host):
            rewrite(self.host, path, text.encode("utf-8", "surrogateescape"))


def variable(resource: ManagedResource) -> str:
    """Return the variable that has the parameters of a boot mode."""
    found = VARIABLES.get(resource["bootmode"])
    if found is None:
        raise ResourceFailure("Unsupported bootmode for Class provider")
    return found


def value_in(text: str | None) -> Any:
    """Return the value after the name of a parameter; None if it has none."""
    _name, separator, value = (text or "").partition("=")
    return binary(value) if separator else None


def copy_parameters(tree: AugeasTree, name: str) -> None:
    """Give the variable for normal boots the parameters of all boots if it has none itself."""
    if tree.match(f"$target/{NORMAL}/value"):
        return
    for path in tree.match(f"$target/{ALL}/value"):
        text = tree.get(path) or ""
        if text.partition("=")[0].strip() != name:
            tree.set(f"$target/{NORMAL}/{path.rpartition('/')[2]}", text)


def release(host: Host) -> tuple[str, tuple[int, int]]:
    """Return the ID of the system and its version."""
    try:
        text = host.read("/etc/os-release").decode("utf-8", "replace")
    except OSError:
        return "", (0, 0)
    found = dict(RELEASE.findall(text))
    numbers = [int(one) for one in re.findall(r"\d+", found.get("VERSION_ID", ""))]
    major, minor = (*numbers, 0, 0)[:2]
    return found.get("ID", ""), (major, minor)


def options(host: Host) -> list[str]:
    """Return the options of the program, as the module chooses them."""
    system, version = release(host)
    major, minor = FIRST_WITH_ENTRIES
    needed = version[0] > major or (version[0] == major and version[1] >= minor)
    return ["--update-bls-cmdline"] if system in RED_HATS and needed else []


def configurations(host: Host) -> list[str]:
    """Return the files that GRUB reads, without those that only name another one."""
    system = release(host)[0]
    paths = [
        "/etc/grub2.cfg",
        "/etc/grub2-efi.cfg",
        f"/boot/efi/EFI/{FOLDERS.get(system, system)}/grub.cfg",
        "/boot/grub2/grub.cfg",
        "/boot/grub/grub.cfg",
    ]
    real = dict.fromkeys(behind_links(host, path) for path in paths if host.is_file(path))
    found = [path for path in real if not re.search(rb"^configfile", host.read(path), re.MULTILINE)]
    if not found:
        places = "', '".join(paths)
        raise ResourceFailure(f"No grub configuration found at '{places}'")
    return found


provider = GrubParameters
