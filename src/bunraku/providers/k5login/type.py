"""The resource type ``k5login`` of the module k5login_core."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.file.security import SecurityContext
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import ResourceType


def read_path(value: Any) -> str:
    """Return an absolute path."""
    if not isinstance(value, str) or not value.startswith("/"):
        raise InvalidValue("File paths must be fully qualified.")
    return value


class Principals(Property):
    """The lines of the file, in their order; an empty array is any."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the lines are the wanted ones."""
        return not resource.accepted(self.name) or super().in_sync(resource, current)


class K5login(ResourceType):
    """Files `.k5login`: who may log in as a user with a Kerberos ticket."""

    name = "k5login"
    module = "puppetlabs-k5login_core 1.0"
    namevar = "path"
    providers = ("k5login",)
    named_only = True
    attributes = (
        Ensure(default=present_if_managed, about="Whether the file exists."),
        Principals("principals", many=True, about="The principals, all lines of the file."),
        Parameter("path", read=read_path, about="The file."),
        Property("mode", default="644", about="The permissions of the file, an octal number."),
        SecurityContext("seluser", default="user_u", about="The user in the SELinux context."),
        SecurityContext("selrole", default="object_r", about="The role in the SELinux context."),
        SecurityContext("seltype", default="krb5_home_t", about="The type in the SELinux context."),
        SecurityContext("selrange", default="s0", about="The range in the SELinux context."),
    )


resource_type = K5login
