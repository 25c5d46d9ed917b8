"""The resource type ``flatpak``."""

from __future__ import annotations

from bunraku.providers.attributes import ABSENT, Ensure, Parameter
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import ResourceType

NAME = r"\A[a-zA-Z0-9.\-_]*\Z"


class Flatpak(ResourceType):
    """Applications and runtimes that `flatpak` installs from a remote. Without `ensure`, nothing is done."""

    name = "flatpak"
    module = "brwyatt-flatpak 0.2"
    providers = ("flatpak",)
    attributes = (
        Ensure(
            aliases={"installed": "present", "uninstalled": ABSENT},
            about="Whether the application is installed.",
        ),
        Parameter("name", pattern=NAME, about="The name of the application."),
        Parameter(
            "ref",
            pattern=r"\A[a-zA-Z0-9.\-_]+(?:/[a-zA-Z0-9.\-_]*){0,2}\Z",
            about="The application as `name/architecture/branch`, instead of `arch` and `branch`.",
        ),
        Parameter(
            "arch",
            words=("aarch64", "arm", "i386", "x86_64"),
            about="The architecture. Default: that of the machine.",
        ),
        Parameter(
            "branch",
            pattern=r"\A[a-zA-Z0-9.\-_]+\Z",
            about="The branch. Default: that of the remote.",
        ),
        Parameter("remote", pattern=NAME, about="The remote, required unless `ensure` is absent."),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for two references, or for an application without a remote."""
        if resource["ref"] is not None and (resource["arch"] or resource["branch"]):
            raise InvalidValue(
                "Use of `ref` with `arch` and `branch` is ambiguous. Package arch and branch should be "
                "defined in `ref` as an Identifier Triple if `ref` is defined, or package name should be "
                "defined with `name` or namevar instead of with `ref`. See README.md for more information."
            )
        if resource["remote"] is None and resource["ensure"] == "present":
            raise InvalidValue(
                'Parameter `remote` must be defined if `ensure` is "present" or "installed".'
            )


resource_type = Flatpak
