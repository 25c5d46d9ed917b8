"""The resource type ``reboot`` of the module reboot."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import refused_by_check
from bunraku.providers.reboot.posix import Posix
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import inspect, to_s

PENDING = "manages_reboot_pending"
LONGEST = 8000


def read_message(value: Any) -> str:
    """Return a message that is neither empty nor too long."""
    if isinstance(value, int | float):
        raise refused_by_check("message", f"undefined method `length' for {inspect(value)}")
    text = to_s(value)
    if not text:
        raise InvalidValue("A non-empty message must be specified.")
    if len(text) > LONGEST:
        raise InvalidValue(f"The given message must not exceed {LONGEST} characters.")
    return text


def read_delay(value: Any) -> str:
    """Return a number of seconds as text."""
    text = to_s(value)
    if re.search(r"^\d+$", text, re.MULTILINE) is None:
        raise InvalidValue("The timeout must be an integer.")
    return text


class When(Property):
    """When the machine is rebooted; on Linux, only a refresh does it."""

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return ``absent``: a reboot has no state."""
        return "absent"

    def feature_of(self, value: Any) -> str | None:
        """Return the feature that ``pending`` needs, which no provider for Linux has."""
        return PENDING if value == "pending" else None

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return True for ``refreshed``: nothing is to be done before a refresh."""
        return resource[self.name] == "refreshed" or super().in_sync(resource, current)

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Do nothing: no provider for Linux knows whether a reboot is pending."""


class Reboot(ResourceType):
    """Reboots of the machine after a change of another resource.

    The program `shutdown` starts at the very end, when the report of the run is sent and stored.
    """

    name = "reboot"
    module = "puppetlabs-reboot 5.1"
    providers = ("posix", "linux")
    other_providers = ("windows",)
    named_only = True
    refreshable = True
    attributes = (
        When(
            "when",
            words=("refreshed", "pending"),
            default="refreshed",
            about="When the machine is rebooted: after a refresh. `pending` is for Windows only.",
        ),
        Parameter("name", about="A name of the resource."),
        Parameter("onlyif", feature=PENDING, about="Reasons for a pending reboot (Windows only)."),
        Parameter("unless", feature=PENDING, about="Reasons that do not count (Windows only)."),
        Parameter(
            "apply",
            words=("immediately", "finished"),
            default="immediately",
            about="Whether the run ends at once, without the other resources (`immediately`), "
            "or after all of them (`finished`).",
        ),
        Parameter(
            "message",
            read=read_message,
            default="Puppet is rebooting the computer",
            about="The message for the users of the machine.",
        ),
        Parameter(
            "timeout",
            read=read_delay,
            default="60",
            about="The seconds between the end of the run and the reboot, rounded up to minutes.",
        ),
        Parameter("provider"),
    )

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.is_rebooting = False

    def refresh(self, resource: ManagedResource) -> None:
        """Schedule a reboot, once in a run."""
        if resource["when"] != "refreshed":
            self.run.log("debug", "Skipping reboot")
        elif self.is_rebooting:
            self.run.log("debug", "Reboot already scheduled; skipping")
        else:
            self.is_rebooting = True
            text = f'Scheduling system reboot with message: "{to_s(resource["message"])}"'
            self.run.log("notice", text)
            provider = resource.provider
            assert isinstance(provider, Posix)
            provider.reboot(resource)


resource_type = Reboot
