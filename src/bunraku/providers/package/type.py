"""The resource type ``package``: installed packages, their versions and holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import DISABLED, PURGED, package_of
from bunraku.providers.provider import Provider, State
from bunraku.providers.reading import Truth, url
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.types.ruby_semantics.values import inspect

FEATURES = {"purged": "purgeable", "disabled": "disableable", "latest": "upgradeable"}
"""The features that a provider needs for the words of ``ensure``."""
EVENTS = {
    "present": "package_installed",
    ABSENT: "package_removed",
    PURGED: "package_purged",
    DISABLED: "package_disabled",
}
"""The event names for the words of ``ensure``; a version causes ``package_changed``."""
SYSTEM_PROVIDERS = (
    "zypper",
    "pacman",
    "portage",
    "pkgng",
    "apk",
    "apt",
    "dpkg",
    "dnf",
    "yum",
    "rpm",
)
"""The providers to try if a resource does not set one; the first ones work on one family only."""
TRUE = ("true", "yes")


class Installed(Ensure):
    """Whether a package is installed, and its version."""

    def feature_of(self, value: Any) -> str | None:
        """Return the feature that a provider needs for a state."""
        return None if value in ("present", ABSENT) else FEATURES.get(value, "versionable")

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return the installed version, ``absent`` or ``purged``."""
        return resource.provider.state(resource).get("ensure", ABSENT)

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the current state matches a wanted one."""
        return any(matches(resource, wanted, current) for wanted in resource.accepted("ensure"))

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Install, update or remove the package."""
        provider = package_of(resource)
        if wanted == "present":
            provider.install(resource)
        elif wanted == ABSENT:
            provider.uninstall(resource)
        elif wanted == PURGED:
            provider.purge(resource)
        elif wanted == DISABLED:
            provider.disable(resource)
        else:
            try:
                if wanted == "latest":
                    provider.update(resource)
                else:
                    provider.install(resource)
            except ResourceFailure as error:
                raise ResourceFailure(f"Could not update: {error}") from None

    def described(self, resource: ManagedResource, current: Any, wanted: Any) -> str:
        """Return ``created``, ``removed``, ``purged`` or the change of the version."""
        if wanted == PURGED:
            return "purged"
        if current in (None, ABSENT, PURGED) and wanted != ABSENT:
            return "created"
        return super().described(resource, current, wanted)

    def shown_wanted(self, resource: ManagedResource, value: Any) -> str:
        """Return a wanted state; the latest version if it was read."""
        latest = package_of(resource).newest.get(resource)
        return self.shown(resource, value if latest is None else latest)

    def event_name(self, resource: ManagedResource, wanted: Any) -> str:
        """Return the name of the event of a change."""
        return EVENTS.get(wanted, "package_changed")


def matches(resource: ManagedResource, wanted: Any, current: Any) -> bool:
    """Return whether a state of a package matches a wanted one."""
    if wanted == "present":
        return current not in (ABSENT, PURGED, DISABLED)
    if wanted == ABSENT:
        return current in (ABSENT, PURGED)
    if wanted == PURGED:
        return bool(current == PURGED)
    provider = package_of(resource)
    installed = current if isinstance(current, list) else [current]
    if wanted == "latest":
        return current not in (ABSENT, PURGED) and is_latest(resource, installed)
    return wanted in installed or provider.in_sync(resource, current)


def is_latest(resource: ManagedResource, installed: list[Any]) -> bool:
    """Return whether the latest version is among the installed ones."""
    provider = package_of(resource)
    try:
        latest = provider.latest(resource)
    except ResourceFailure as error:
        raise ResourceFailure(f"Could not get latest version: {error}") from None
    if latest is not None:
        provider.newest[resource] = latest
    return latest in installed


class Mark(Property):
    """Whether the package system holds the package at its version."""

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return ``hold``, ``none`` or ``manual``."""
        return resource.provider.state(resource).get("mark")

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Hold the package, or release it."""
        package_of(resource).set_mark(resource, wanted)


# -- values ------------------------------------------------------------------------------------------


def read_name(value: Any) -> str:
    """Return a name, which must be a String."""
    if not isinstance(value, str):
        raise InvalidValue(f"Name must be a String not {ruby_class(value)}")
    return value


def read_options(value: Any) -> list[str | dict[str, str]]:
    """Return options as strings and hashes; those with spaces are quoted."""
    found: list[str | dict[str, str]] = []
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, Mapping):
            found.append({quoted(str(name)): quoted(str(given)) for name, given in one.items()})
        elif isinstance(one, str):
            found.append(quoted(one))
        else:
            raise InvalidValue("Expected either a string or hash of options")
    return found


def quoted(text: str) -> str:
    """Quote an option that contains a space.

    >>> quoted("--plain"), quoted("two words")
    ('--plain', '"two words"')
    """
    return '"' + text.replace('"', '\\"') + '"' if " " in text else text


def read_boolean(value: Any) -> str:
    """Return ``true`` or ``false``, also for ``yes`` and ``no``."""
    text = str(value).lower()
    if text not in (*TRUE, "false", "no"):
        raise InvalidValue(
            f"Invalid value {inspect(value)}. Valid values are true, false, yes, no."
        )
    return "true" if text in TRUE else "false"


def default_virtual(resource: ManagedResource) -> bool:
    """Return the provider's default for virtual packages."""
    provider = resource.made_provider
    return bool(getattr(provider, "virtual_by_default", True))


class Package(ResourceType):
    """Packages of the system and of programming languages, and their versions."""

    name = "package"
    providers = (
        *SYSTEM_PROVIDERS,
        "dnfmodule",
        "pip",
        "pip3",
        "gem",
        "puppet_gem",
        "puppetserver_gem",
        "npm",
        "snap",
    )
    refreshable = True
    attributes = (
        Installed(
            words=("present", "absent", "purged", "disabled", "latest"),
            aliases={"installed": "present"},
            pattern=".",
            default="present",
            about="Whether the package is installed: `present`, `latest`, a version, `absent`, "
            "`purged` (with its configuration files) or, for a module of dnf, `disabled`.",
        ),
        Property(
            "package_settings",
            feature="package_settings",
            about="Settings of packages, for package managers that have them.",
        ),
        Property(
            "flavor",
            feature="supports_flavors",
            about="The variant of the package, or the stream of a module.",
        ),
        Mark(
            "mark",
            words=("hold", "none"),
            feature="holdable",
            about="Whether the package is held back from upgrades.",
        ),
        Parameter("name", read=read_name, about="The name of the package in the package manager."),
        Parameter(
            "command",
            feature="targetable",
            about="The program that installs packages, if there are several, such as the path of a `pip`.",
        ),
        Parameter(
            "source", read_for=url, about="The file or address from which the package is installed."
        ),
        Parameter("instance", about="The name of this copy of the package; reports use it."),
        Parameter("status", about="The state of the package; it cannot be set."),
        Parameter("adminfile", about="A file with answers for the installation, on Solaris."),
        Parameter("responsefile", about="A file with answers to the questions of the package."),
        Parameter(
            "configfiles",
            words=("keep", "replace"),
            default="keep",
            about="Whether changed configuration files are kept or replaced.",
        ),
        Parameter("category", about="The category of the package; it cannot be set."),
        Parameter("platform", about="The platform of the package; it cannot be set."),
        Parameter("root", about="The root of the package; it cannot be set."),
        Parameter("vendor", about="The vendor of the package; it cannot be set."),
        Parameter("description", about="The description of the package; it cannot be set."),
        Parameter("allowcdrom", words=("true", "false"), about="Allow sources on optical media."),
        Truth(
            "enable_only",
            about="Enable a module without installing its profile.",
        ),
        Parameter(
            "install_only",
            read=read_boolean,
            feature="install_only",
            about="Install the package, but do not upgrade it.",
        ),
        Parameter(
            "install_options",
            read=read_options,
            read_for=url,
            feature="install_options",
            about="Additional options for the installation.",
        ),
        Parameter(
            "uninstall_options",
            read=read_options,
            read_for=url,
            feature="uninstall_options",
            about="Additional options for the removal.",
        ),
        Parameter(
            "allow_virtual",
            read=read_boolean,
            default=default_virtual,
            feature="virtual_packages",
            about="Accept the name of a virtual package, which other packages provide.",
        ),
        Parameter(
            "reinstall_on_refresh",
            words=("true", "false"),
            default="false",
            about="Install the package again on a refresh.",
        ),
        Parameter("provider"),
    )

    def default_provider(self) -> Provider | None:
        """Return the first system package provider that works on this machine."""
        candidates = map(self.provider_named, SYSTEM_PROVIDERS)
        return next((provider for provider in candidates if provider.suitable()), None)

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for attributes that exclude each other."""
        if resource["mark"] is not None and resource["ensure"] in (ABSENT, PURGED):
            raise InvalidValue(
                'You cannot use "mark" property while "ensure" is one of ["absent", "purged"]'
            )
        disabled = resource["ensure"] == DISABLED
        if disabled and resource["flavor"]:
            raise InvalidValue("Cannot have both `ensure => disabled` and `flavor`")
        if resource["enable_only"] and resource["flavor"]:
            raise InvalidValue("Cannot have both `enable_only => true` and `flavor`")
        if disabled and "enable_only" in resource:
            raise InvalidValue("Cannot have both `ensure => disabled` and `enable_only => true`")

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the files that the installation reads."""
        for name in ("responsefile", "adminfile", "source"):
            path = resource[name]
            if path and (name != "source" or str(path).startswith("/")):
                yield "file", str(path)

    def present(self, state: State) -> bool:
        """Return whether a package with this state is installed."""
        return state.get("ensure") not in (ABSENT, PURGED)

    def refresh(self, resource: ManagedResource) -> None:
        """Install the package again if that is wanted."""
        provider = package_of(resource)
        wanted = resource["ensure"] not in (ABSENT, PURGED)
        if wanted and resource["reinstall_on_refresh"] == "true":
            if provider.supports("reinstallable"):
                provider.reinstall(resource)


resource_type = Package
