"""The resource type ``augeas``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.augeas.augeas import Augeas as Library
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import boolean, switch, text
from bunraku.providers.resource_type import ResourceType

NEEDED = "need_to_run"


class Returns(Property):
    """Whether the changes are made: the state is ``need_to_run`` if they change a file."""

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return ``need_to_run`` or 0."""
        return NEEDED if library_of(resource).needs_to_run(resource) else 0

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Make the changes."""
        library_of(resource).execute_changes(resource)

    def described(self, resource: ManagedResource, current: Any, wanted: Any) -> str:
        """Return the message of the changes."""
        return "executed successfully"


def library_of(resource: ManagedResource) -> Library:
    """Return the provider of a resource."""
    found = resource.provider
    assert isinstance(found, Library)
    return found


def default_context(resource: ManagedResource) -> str:
    """Return the path of the loaded file if there is only one."""
    return "" if resource["incl"] is None else f"/files{resource['incl']}"


class Augeas(ResourceType):
    """Changes in configuration files, with paths in a tree that the library Augeas makes from them.

    The changes are tried first; files are written only if their content would change.
    """

    name = "augeas"
    module = "puppetlabs-augeas_core 1.1"
    providers = ("augeas",)
    attributes = (
        Parameter("name", about="A name of the resource."),
        Parameter(
            "context",
            read=text,
            default=default_context,
            about="The path above all relative paths, such as `/files/etc/hosts`. "
            "Default: the file of `incl`.",
        ),
        Parameter(
            "onlyif",
            default="",
            about="A condition: `get PATH COMPARATOR VALUE`, `match PATH CLAUSE` or `values PATH CLAUSE`. "
            "Clauses are `size COMPARATOR NUMBER` (of `match`), `include VALUE`, `not_include VALUE`, "
            "`== ['A', 'B']` and `!= ['A', 'B']`.",
        ),
        Parameter(
            "changes",
            about="The commands, an array or a text with one in each line: `set PATH VALUE`, "
            "`setm PATH BELOW VALUE`, `rm PATH`, `clear PATH`, `clearm PATH BELOW`, `touch PATH`, "
            "`ins LABEL before|after PATH`, `mv PATH PATH`, `rename PATH LABEL`, `defvar NAME PATH`, "
            "`defnode NAME PATH VALUE`.",
        ),
        Parameter(
            "root",
            read=text,
            default="/",
            about="The directory below which files are read and written.",
        ),
        Parameter(
            "load_path",
            default="",
            about="Directories of further lenses, as an array or with colons. "
            "Those of modules (`lib/augeas/lenses`) are always searched.",
        ),
        Parameter(
            "force",
            default=False,
            about="Whether the changes count as made even if no file changes. `onlyif` still applies.",
        ),
        boolean(
            "type_check", default=False, about="Whether the library checks the types of lenses."
        ),
        Parameter("lens", about="The lens that reads `incl`, such as `Hosts.lns`."),
        Parameter(
            "incl",
            about="The only file to read. It saves time and needs `lens`.",
        ),
        switch("show_diff", default=True, about="Whether differences may be logged."),
        Returns("returns", default=0, about="The wanted outcome. Leave it at 0."),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for a lens without file, or a file without lens."""
        if (resource["lens"] is None) != (resource["incl"] is None):
            text = "You must specify both the lens and incl parameters, or neither."
            raise InvalidValue(text)


resource_type = Augeas
