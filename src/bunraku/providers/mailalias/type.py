"""The resource type ``mailalias``."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import LineType, present_if_managed
from bunraku.providers.reading import absolute_path


class MailAlias(LineType):
    """Entries of ``/etc/aliases``: an alias and the recipients of its mail."""

    name = "mailalias"
    module = "puppetlabs-mailalias_core 1.0"
    providers = ("aliases",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the alias exists."),
        Parameter("name", about="The name before the colon."),
        Property(
            "recipient", many=True, about="The addresses, files or commands that receive the mail."
        ),
        Property(
            "file", read=absolute_path, about="A file with recipients, instead of `recipient`."
        ),
        Property(
            "target", text=True, default="/etc/aliases", about="The file that holds the alias."
        ),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for an alias with both recipients and a file."""
        if resource["recipient"] is not None and resource["file"] is not None:
            raise InvalidValue("You cannot specify both a recipient and a file")


resource_type = MailAlias
