"""The resource type ``service``: whether a service runs, and whether it starts at boot."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Parameter, Property, SecretParameter
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.reading import boolean
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.service.base import Base
from bunraku.types.ruby_semantics.values import to_s

DEFAULT_TIMEOUT = 10
"""The default of ``timeout`` in seconds."""
FEATURES = {"manual": "manual_startable", "mask": "maskable", "delayed": "delayed_startable"}
"""The features that a provider needs for some words of ``enable``."""
EVENTS = {
    "true": "service_enabled",
    "false": "service_disabled",
    "manual": "service_manual_start",
    "mask": "service_disabled",
    "delayed": "service_delayed_start",
}
"""The event names for the words of ``enable``."""


def service_of(resource: ManagedResource) -> Base:
    """Return the provider of a service."""
    found = resource.provider
    assert isinstance(found, Base)
    return found


class Enable(Property):
    """Whether the service starts at boot."""

    def feature_of(self, value: Any) -> str | None:
        """Return the feature that a provider needs for a word."""
        return FEATURES.get(value)

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return ``true``, ``false`` or ``mask``."""
        return service_of(resource).enabled(resource)

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the current state is correct or cannot be changed."""
        return service_of(resource).enabled_in_sync(resource, current)

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Enable, disable or mask the service."""
        service_of(resource).set_enabled(resource, wanted)

    def event_name(self, resource: ManagedResource, wanted: Any) -> str:
        """Return the name of the event of a change."""
        return EVENTS[wanted]


class Running(Property):
    """Whether the service runs now."""

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return ``running`` or ``stopped``."""
        return service_of(resource).status(resource)

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Start or stop the service, then enable or disable it without a separate event."""
        service = service_of(resource)
        if wanted == "running":
            service.start(resource)
        else:
            service.stop(resource)
        enable = resource.type.by_name["enable"]
        if isinstance(enable, Property) and resource["enable"] is not None:
            if not enable.in_sync(resource, enable.retrieve(resource)):
                enable.change(resource, resource["enable"])

    def event_name(self, resource: ManagedResource, wanted: Any) -> str:
        """Return the name of the event of a change."""
        return "service_started" if wanted == "running" else "service_stopped"

    def drops_refresh(self, resource: ManagedResource, wanted: Any) -> bool:
        """Return whether the service was just started, because a start reads the configuration."""
        return bool(wanted == "running")


def read_path(value: Any) -> tuple[str, ...]:
    """Return the directories of init scripts, given as an array or as text with colons."""
    given = value if isinstance(value, list | tuple) else [value]
    return tuple(directory for one in given for directory in one.split(":"))


def read_timeout(value: Any) -> int:
    """Return a number of seconds."""
    digits = to_s(value)
    if not digits.isdigit() or int(digits) < 1:
        raise InvalidValue(
            f'"{digits}" is not a positive integer: '
            "the timeout parameter must be specified as a positive integer"
        )
    return int(digits)


def default_path(resource: ManagedResource) -> tuple[str, ...] | None:
    """Return the directories that the provider searches for init scripts."""
    return service_of(resource).default_path if isinstance(resource.provider, Base) else None


def default_pattern(resource: ManagedResource) -> str:
    """Return the text to search for in the process table."""
    return to_s(resource["binary"] or resource.name)


class Service(ResourceType):
    """Services: whether they run, and whether they start at boot.

    A refresh restarts a running service.
    """

    name = "service"
    providers = (
        "systemd",
        "upstart",
        "debian",
        "openrc",
        "redhat",
        "freebsd",
        "rcng",
        "runit",
        "init",
        "base",
        "gentoo",
        "bsd",
        "daemontools",
    )
    refreshable = True
    reads_ensure = False
    attributes = (
        Enable(
            "enable",
            words=("true", "false", "manual", "mask", "delayed"),
            feature="enableable",
            about="Whether the service starts at boot; `mask` prevents every start.",
        ),
        Running(
            "ensure",
            words=("stopped", "running"),
            aliases={"false": "stopped", "true": "running"},
            about="Whether the service runs.",
        ),
        Property(
            "logonaccount",
            feature="manages_logon_credentials",
            about="The account of the service, on Windows.",
        ),
        SecretParameter(
            "logonpassword",
            feature="manages_logon_credentials",
            about="The password of the account, on Windows.",
        ),
        Property(
            "flags",
            feature="flaggable",
            about="Arguments for the service, on systems that store them.",
        ),
        Parameter(
            "binary", about="The program of the service, for services without an init script."
        ),
        boolean(
            "hasstatus",
            default=True,
            about="Whether the init script has a `status` command. Without it, the process table is searched.",
        ),
        Parameter("name", about="The name of the service."),
        Parameter(
            "path", read=read_path, default=default_path, about="The directories with init scripts."
        ),
        Parameter(
            "pattern",
            default=default_pattern,
            about="The text to search for in the process table. Default: `binary` or the name.",
        ),
        Parameter("restart", text=True, many=True, about="The command that restarts the service."),
        Parameter("start", text=True, many=True, about="The command that starts the service."),
        Parameter(
            "status",
            text=True,
            many=True,
            about="The command that exits with 0 if the service runs.",
        ),
        Parameter("stop", text=True, many=True, about="The command that stops the service."),
        Parameter(
            "control", about="The variable that controls the service, on systems that have one."
        ),
        boolean(
            "hasrestart",
            about="Whether the init script has a `restart` command. Without it, the service is stopped and started.",
        ),
        Parameter("manifest", about="The command or file that configures the service, on Solaris."),
        Parameter(
            "timeout",
            read=read_timeout,
            default=DEFAULT_TIMEOUT,
            feature="configurable_timeout",
            about="The limit for a start or stop in seconds.",
        ),
        Parameter("provider"),
    )

    def retrieve(self, resource: ManagedResource) -> State:
        """Return the current state of the managed properties; every service exists."""
        return {one.name: one.retrieve(resource) for one in resource.properties()}

    def refresh(self, resource: ManagedResource) -> None:
        """Restart the service if it runs."""
        service = service_of(resource)
        if service.status(resource) == "running":
            service.restart(resource)
        else:
            resource.log("debug", "Skipping restart; service is not running")


resource_type = Service
