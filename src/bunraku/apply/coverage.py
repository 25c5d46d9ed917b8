"""The rule that chooses what manages a resource: a provider of bunraku, an installed Puppet, or nothing.

A provider of bunraku manages a resource if the type has all attributes that the resource sets, and the
provider that it names, or one for its system. Everything else needs an installed Puppet. The rule does
not need the machine: it also answers for a saved catalog of another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal

from bunraku.base.errors import PuppetError
from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.base.records import record
from bunraku.base.source import Place
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.resource import Resource
from bunraku.providers.issues import NO_PROVIDER_OF_TYPE
from bunraku.providers.managed_resource import bare, capitalised, holds_deferred
from bunraku.providers.provider_names import provider_hint, puppet_names
from bunraku.providers.registry import resource_type
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.ruby_process import find_ruby
from bunraku.providers.run import Run
from bunraku.providers.secrets import REDACTED
from bunraku.providers.systems import families
from bunraku.values.sensitive import Sensitive
from bunraku.world.unknown_host import MachineUnknown

CONTAINERS = frozenset({"Class", "Node", "Stage"})
Way = Literal["native", "ruby", "none"]
"""What manages a resource: a provider of bunraku, an installed Puppet, nothing."""
Missing = Literal["type", "attribute", "provider"]
"""What bunraku does not have for a resource."""
OF_SYSTEM: Mapping[str, Mapping[str, str]] = {
    "group": {"aix": "aix", "darwin": "directoryservice", "windows": "windows_adsi"},
    "package": {
        "aix": "nim",
        "alpine": "apk",
        "archlinux": "pacman",
        "darwin": "pkgdmg",
        "debian": "apt",
        "freebsd": "pkgng",
        "gentoo": "portage",
        "openbsd": "openbsd",
        "redhat": "dnf",
        "solaris": "pkg",
        "suse": "zypper",
        "windows": "windows",
    },
    "reboot": {"windows": "windows"},
    "service": {
        "aix": "src",
        "alpine": "openrc",
        "darwin": "launchd",
        "freebsd": "freebsd",
        "gentoo": "openrc",
        "openbsd": "openbsd",
        "solaris": "smf",
        "windows": "windows",
    },
    "user": {"aix": "aix", "darwin": "directoryservice", "windows": "windows_adsi"},
}
"""Type → family of systems → the default provider, where that depends on the family alone.

No run installs these providers; others may become suitable during a run.
"""
PUPPET_PACKAGES = {
    "arch": "puppet",
    "archlinux": "puppet",
    "debian": "puppet-agent",
    "fedora": "openvox-agent",
    "freebsd": "puppet8",
    "gentoo": "app-admin/puppet",
    "redhat": "openvox-agent",
    "rhel": "openvox-agent",
    "suse": "openvox-agent",
    "ubuntu": "puppet-agent",
}
"""ID of a system in ``/etc/os-release``, or the fact ``os.family`` → the package with Puppet."""
OTHER_PACKAGE = "openvox-agent"
INVALID = "Invalid"
"""The first word of the reason for a provider that Puppet does not have, either."""


@record(frozen=True)
class Target:
    """What is known about the machine that a catalog is for.

    ``puppet`` says whether an installed Puppet may manage resources. ``family`` is the fact
    ``os.family``; without it, the providers of the run's machine answer, if it has one.
    """

    puppet: bool = False
    family: str | None = None


@record(frozen=True)
class ChosenWay:
    """What manages a resource, and for ``ruby`` and ``none`` why no provider of bunraku does."""

    resource: Resource
    type: str
    way: Way
    missing: Missing | None = None
    reason: str = ""


def target_of(run: Run) -> Target:
    """Return what is known about the machine of a run."""
    with suppress(MachineUnknown):
        allowed = run.settings.get("ruby_providers") is not False
        return Target(puppet=allowed and find_ruby(run.host) is not None)
    return Target()


def choices_of(catalog: Catalog, run: Run, target: Target) -> list[ChosenWay]:
    """Return what manages each resource of a catalog, in its order; containers are left out."""
    return list(Survey(catalog, run, target).choices())


class Survey:
    """Chooses what manages the resources of a catalog."""

    def __init__(self, catalog: Catalog, run: Run, target: Target) -> None:
        self.catalog = catalog
        self.run = run
        self.target = target
        self.holders = {source for source, _target in catalog.edges}
        self.default_reasons: dict[str, str] = {}
        """Type → why the system has no default provider of bunraku; empty if it has one."""

    def choices(self) -> Iterator[ChosenWay]:
        """Yield what manages each resource, in the order of the catalog, without containers."""
        return (self.choice(one) for one in self.catalog.resources if not self.is_container(one))

    def is_container(self, resource: Resource) -> bool:
        """Return whether a resource is a class, a stage or of a defined type.

        Catalogs of Puppet before 7 and of PuppetDB do not mark defined types; in these catalogs, a
        resource that contains others is one, and one with ``::`` in the name of its type.
        """
        if resource.type in CONTAINERS or resource.kind in {"class", "defined_type"}:
            return True
        if resource.kind is not None:
            return False
        if "::" in resource.type:
            return True
        if resource.reference not in self.holders:
            return False
        return resource_type(resource.type.lower(), self.run) is None

    def choice(self, resource: Resource) -> ChosenWay:
        """Return what manages a resource."""
        name = resource.type.lower()
        missing, reason = self.lack(resource, resource_type(name, self.run))
        way: Way = "native" if missing is None else "ruby" if self.target.puppet else "none"
        return ChosenWay(resource, name, way, missing, reason)

    def lack(self, resource: Resource, kind: ResourceType | None) -> tuple[Missing | None, str]:
        """Return what bunraku does not have for a resource, and the reason in words."""
        if kind is None:
            return "type", "bunraku does not have the type"
        if kind.name == "resources":
            purged = str(resource.parameters.get("name") or resource.title).lower()
            if resource_type(purged, self.run) is None:
                return "type", f"bunraku does not have the type {purged}"
        unknown = sorted(name for name in resource.parameters if not has_attribute(kind, name))
        if unknown:
            names = f"{'attributes' if len(unknown) > 1 else 'attribute'} {', '.join(unknown)}"
            return "attribute", f"bunraku's type does not have the {names}"
        reason = self.provider_reason(resource.parameters.get("provider"), kind)
        return ("provider", reason) if reason else (None, "")

    def provider_reason(self, named: Any, kind: ResourceType) -> str:
        """Return why no provider of a type suits a resource that names one, or the system."""
        shown = REDACTED if isinstance(named, Sensitive) else None
        named = bare(named)
        named = named[0] if isinstance(named, list) and named else named
        if holds_deferred(named):
            return ""  # to be seen when it is known
        if named is None:
            if kind.name not in self.default_reasons:
                self.default_reasons[kind.name] = self.default_reason(kind)
            return self.default_reasons[kind.name]
        if not kind.providers or str(named) in kind.providers:
            return ""
        known = puppet_names(kind.name, self.run)
        if known and str(named) not in known:
            return f"{INVALID} {kind.name} provider '{shown or named}'"
        only = "" if known else f", only {', '.join(kind.providers)}"
        return f"bunraku's type does not have the provider {shown or named}{only}"

    def default_reason(self, kind: ResourceType) -> str:
        """Return why a type has no default provider for the system; empty if it has one."""
        if kind.name not in OF_SYSTEM or not kind.providers:
            return ""
        if self.target.family is not None:
            name = OF_SYSTEM[kind.name].get(self.target.family.lower())
            missing = name is not None and name not in kind.providers
            return f"bunraku's type does not have the provider {name}" if missing else ""
        with suppress(MachineUnknown):
            if kind.default_provider() is None:
                return "no provider of bunraku's type works on this system"
        return ""


def has_attribute(kind: ResourceType, name: str) -> bool:
    """Return whether a type has an attribute."""
    return name in kind.by_name or name in METAPARAMETER_NAMES or name in {"name", "provider"}


def log_ways(choices: Iterable[ChosenWay], run: Run) -> None:
    """Log what an installed Puppet manages: a summary, and for each resource the reason."""
    mine = [one for one in choices if one.way == "ruby"]
    if not mine:
        return
    types = ", ".join(dict.fromkeys(one.type for one in mine))
    count = "1 resource" if len(mine) == 1 else f"{len(mine)} resources"
    run.log("info", f"An installed Puppet manages {count}: {types}")
    for one in mine:
        text = f"An installed Puppet manages {one.resource.reference}: {one.reason}"
        run.log("debug", text)


# -- refusals --------------------------------------------------------------------------------------


def refuse_uncovered(choices: Iterable[ChosenWay], run: Run) -> None:
    """Raise PuppetError with all resources that nothing can manage, by type and reason."""
    groups: dict[tuple[str, str], list[Resource]] = {}
    for one in choices:
        if one.way == "none":
            groups.setdefault((one.type, one.reason), []).append(one.resource)
    findings = [error.diagnostic for error in refusals(groups, run)]
    if findings:
        raise PuppetError(findings[0], findings[1:])


def refusals(groups: Mapping[tuple[str, str], list[Resource]], run: Run) -> Iterator[PuppetError]:
    """Yield an error for each type and reason, at the place of the first resource."""
    for (name, reason), resources in groups.items():
        first = resources[0]
        what = f"{capitalised(name)}[{first.title}]"
        if len(resources) > 1:
            what = f"{len(resources)} resources of type {name}, such as {what}"
        hint = wrong_provider_hint(first, run) if reason.startswith(INVALID) else remedy(run)
        error = NO_PROVIDER_OF_TYPE(what=what, reason=reason, hint=hint)
        yield error.at(Place(first.file, first.line))


def wrong_provider_hint(resource: Resource, run: Run) -> str:
    """Return the providers that a resource may name; a secret name is not compared with them."""
    named = resource.parameters["provider"]
    shown = named if isinstance(named, str) else None
    return provider_hint(resource.type.lower(), shown, run)


def remedy(run: Run) -> str:
    """Return what makes an installed Puppet manage the resources that bunraku cannot."""
    is_forbidden = run.settings.get("ruby_providers") is False
    if is_forbidden and find_ruby(run.host) is not None:
        return "without --no-ruby-providers, the installed Puppet would manage it"
    ending = "; its Puppet then manages the resource"
    if is_forbidden:
        ending = f" and leave out --no-ruby-providers{ending}"
    return f"install the package {package_with_puppet(*sorted(families(run.host)))}{ending}"


def package_with_puppet(*systems: str) -> str:
    """Return the package that has Puppet on a system, of which IDs or the family are known.

    >>> package_with_puppet("Debian"), package_with_puppet()
    ('puppet-agent', 'openvox-agent')
    """
    known = (PUPPET_PACKAGES.get(one.lower()) for one in systems)
    return next(filter(None, known), OTHER_PACKAGE)
