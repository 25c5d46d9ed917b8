"""The resource type ``loginctl_user`` of the module systemd."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType


class LoginctlUser(ResourceType):
    """Whether systemd starts the services of a user at boot, without a login (lingering)."""

    name = "loginctl_user"
    module = "puppet-systemd 10.0"
    providers = ("ruby",)
    named_only = True
    attributes = (
        Property(
            "linger",
            words=("enabled", "disabled"),
            default="disabled",
            about="Whether the services of the user run without a login.",
        ),
        Parameter("name", about="The user."),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the user."""
        yield "user", resource.name


resource_type = LoginctlUser
