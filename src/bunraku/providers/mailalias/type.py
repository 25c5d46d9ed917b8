"""The resource type ``mailalias``."""

from __future__ import annotations

from bunraku.providers.base import Ensure, ManagedResource, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.parsed_file import LineType, present_if_managed
from bunraku.providers.reading import absolute_path


class MailAlias(LineType):
    """Entries of ``/etc/aliases``: an alias and where its mail goes."""

    name = "mailalias"
    providers = ("aliases",)
    attributes = (
        Ensure(default=present_if_managed),
        Parameter("name"),
        Property("recipient", many=True),
        Property("file", read=absolute_path),
        Property("target", default="/etc/aliases"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for an alias with recipients and a file."""
        if resource["recipient"] is not None and resource["file"] is not None:
            raise InvalidValue("You cannot specify both a recipient and a file")


resource_type = MailAlias
