"""The resource type ``reboot_notify`` of the module simplib."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import switch
from bunraku.providers.reboot_notify.notify import Notifications
from bunraku.providers.resource_type import ResourceType

LEVELS = ("alert", "crit", "debug", "notice", "emerg", "err", "info", "warning")


class RebootNotify(ResourceType):
    """Reasons why the machine must be rebooted; every run lists them until the machine is rebooted.

    They are in the file `reboot_notifications.json` of the directory `vardir`.
    """

    name = "reboot_notify"
    module = "simp-simplib 7.0"
    providers = ("notify",)
    refreshable = True
    attributes = (
        Ensure(default="present", about="Whether there is a list; `absent` removes all of it."),
        Parameter("name", about="What was changed."),
        Parameter("reason", default="modified", about="Why the machine must be rebooted."),
        switch(
            "control_only",
            default=False,
            about="Whether the resource sets the level of the message only; one resource may do it.",
        ),
        Parameter(
            "log_level",
            words=LEVELS,
            default="notice",
            about="The level of the message, with `control_only`.",
        ),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for a second resource that sets the level."""
        if not resource.is_true("control_only"):
            return
        for other in self.run.of_type(self.name):
            if other is resource:
                return
            if other.is_true("control_only"):
                place = f"Conflicting resource found in file '{other.file}' on line '{other.line}'"
                raise InvalidValue(
                    "You can only have one reboot_notify resource with :control_only set to 'true'"
                    f"\n{place}"
                )

    def refresh(self, resource: ManagedResource) -> None:
        """Add the reason to the list."""
        if resource["ensure"] == "present":
            provider = resource.provider
            assert isinstance(provider, Notifications)
            provider.write_record(resource, "update")


resource_type = RebootNotify
