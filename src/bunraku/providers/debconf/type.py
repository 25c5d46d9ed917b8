"""The resource type ``debconf`` of the module debconf."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import one_text
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import to_s

KINDS = ("string", "boolean", "select", "multiselect", "note", "text", "password", "title")


def read_value(value: Any) -> str:
    """Return a value without white space at its ends."""
    text: str = one_text("value")(value)
    return text.strip()


def item_of(resource: ManagedResource) -> Any:
    """Return the item of a resource that sets none: its name."""
    return resource.original.get("name", resource.name)


def package_of(resource: ManagedResource) -> str | None:
    """Return the package of a resource that sets none: the part of its item before the slash."""
    return to_s(resource["item"]).partition("/")[0] or None


class Debconf(ResourceType):
    """Answers in the database of debconf, which the scripts of Debian's packages ask."""

    name = "debconf"
    module = "stm-debconf 7.0"
    providers = ("debian",)
    named_only = True
    attributes = (
        Ensure(default="present", about="Whether the answer is in the database."),
        Property("value", read=read_value, about="The answer."),
        Property(
            "seen",
            words=("true", "false"),
            about="Whether the question counts as shown to the user.",
        ),
        Parameter("name", about="A name of the resource."),
        Parameter(
            "item",
            pattern=r"^[a-z0-9][a-z0-9:.+-]+\/[a-zA-Z0-9\/_.+-]+$",
            default=item_of,
            about="The question: package, slash and name. Default: the name of the resource.",
        ),
        Parameter(
            "package",
            pattern=r"^[a-z0-9][a-z0-9:.+-]+$",
            default=package_of,
            about="The package of the question. Default: the part of `item` before the slash.",
        ),
        Parameter("type", words=KINDS, about="The kind of the question."),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for an answer without a kind."""
        if resource["type"] is None and resource["ensure"] != "absent":
            raise InvalidValue("type is a required attribute")


resource_type = Debconf
