"""The resource type ``flatpak_remote``."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import ResourceType


class FlatpakRemote(ResourceType):
    """Places from which `flatpak` installs applications.

    As in the module, the location of an existing remote is not changed.
    """

    name = "flatpak_remote"
    module = "brwyatt-flatpak 0.2"
    providers = ("flatpak_remote",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the remote exists."),
        Parameter("name", pattern=r"\A[a-zA-Z0-9.\-_]*\Z", about="The name of the remote."),
        Parameter("location", about="The URL of the remote, or of a file that describes it."),
        Parameter("from", about="Whether `location` is a file that describes the remote."),
    )


resource_type = FlatpakRemote
