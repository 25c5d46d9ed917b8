"""The resource type ``notify``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import ABSENT, Parameter, Property
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import boolean
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import to_s


class Message(Property):
    """The message, which is logged on every run."""

    idempotent = False

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return the state of a message that has not been logged."""
        return ABSENT

    def wanted(self, resource: ManagedResource, current: Any) -> Any:
        """Return the message; None for false, which Puppet does not log."""
        message = super().wanted(resource, current)
        return None if message is False else message

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return False: the message is logged each time."""
        return False

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Log the message at the level of the resource."""
        text = "Sensitive [value redacted]" if "message" in resource.sensitive else to_s(wanted)
        if resource.is_true("withpath"):
            resource.log(resource.level, text, self.name)
        else:
            resource.run.log(resource.level, text)


class Notify(ResourceType):
    """Messages in the log of the run."""

    name = "notify"
    attributes = (
        Parameter("name", about="The name of the resource."),
        boolean(
            "withpath",
            default=False,
            about="Log the path of the resource as the source of the message.",
        ),
        Message(
            "message",
            default=lambda resource: resource.name,
            about="The message. Default: the title.",
        ),
    )


resource_type = Notify
