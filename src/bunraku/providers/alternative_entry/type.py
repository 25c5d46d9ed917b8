"""The resource type ``alternative_entry`` of the module alternatives."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.reading import ruby_integer
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import to_s


def absolute(value: Any) -> str:
    """Return an absolute path."""
    text = to_s(value)
    if not text.startswith("/"):
        raise InvalidValue("path must be a fully qualified path")
    return text


def program_path(value: Any) -> str:
    """Return the path of a name, which may have the link after a colon.

    >>> program_path("/usr/bin/vim:/usr/bin/editor"), program_path("/usr/bin/vim")
    ('/usr/bin/vim', '/usr/bin/vim')
    """
    text = to_s(value)
    return absolute(text.rpartition(":")[0] if ":" in text else text)


def link_of(resource: ManagedResource) -> str | None:
    """Return the link in the title of a resource; None without one."""
    return resource.title.rpartition(":")[2] if ":" in resource.title else None


def read_priority(value: Any) -> Any:
    """Return an integer, or a text with one."""
    try:
        ruby_integer(value)
    except InvalidValue:
        raise InvalidValue("priority must be an integer") from None
    return value


class AlternativeEntry(ResourceType):
    """Programs that an alternative can select."""

    name = "alternative_entry"
    module = "puppet-alternatives 6.0"
    providers = ("dpkg", "chkconfig")
    attributes = (
        Ensure(default=present_if_managed, about="Whether the alternative has the program."),
        Property("altlink_ro", about="The link; it can only be listed."),
        Property("altname", about="The name of the alternative."),
        Property("priority", read=read_priority, about="The priority of the program."),
        Parameter(
            "name", read=program_path, about="The program; the link may follow after a colon."
        ),
        Parameter(
            "altlink",
            read=absolute,
            default=link_of,
            about="The link that leads to the selected program, such as `/usr/bin/editor`.",
        ),
        Parameter("provider"),
    )


resource_type = AlternativeEntry
