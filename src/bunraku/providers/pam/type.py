"""The resource type ``pam``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.lens_type import PositionedEnsure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import to_s


def read_position(value: Any) -> str:
    """Check where an entry is put: the word ``before`` or ``after``, and which entry is meant."""
    text = to_s(value)
    placement, identifier, wanted = (*text.split(" ", 2), None, None, None)[:3]
    if placement not in ("before", "after"):
        raise InvalidValue(f"{placement or ''} is not a valid placement in position")
    if identifier == "module" and wanted is None:
        raise InvalidValue("Value must be set if you are matching on module")
    return text


class PamArguments(Property):
    """The arguments of the module; an empty array leaves them alone."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the arguments are the wanted ones, in the same order."""
        return not resource["arguments"] or super().in_sync(resource, current)


class Pam(ResourceType):
    """Entries of the files in `/etc/pam.d`."""

    name = "pam"
    module = "puppet-augeasproviders_pam 5.0"
    providers = ("augeas",)
    attributes = (
        PositionedEnsure(
            "Whether the entry exists; `positioned` also puts it where `position` says."
        ),
        Property(
            "optional",
            words=("true", "false"),
            about="Whether a module that cannot be loaded is ignored (a hyphen before the type).",
        ),
        PamArguments("arguments", many=True, default=[], about="The arguments of the module."),
        Property("control", about="What follows from success and failure, such as `required`."),
        Parameter("name", about="A name of the resource."),
        Parameter("service", about="The service, which is the name of the file."),
        Parameter(
            "type",
            words=("account", "auth", "password", "session"),
            about="The group of tasks of the entry.",
        ),
        Parameter("module", about="The module, such as `pam_unix.so`."),
        Parameter(
            "control_is_param",
            words=("false", "true"),
            default="false",
            about="Whether `control` says which entry is meant, as `type` and `module` do.",
        ),
        Parameter(
            "position",
            read=read_position,
            default="before last",
            about="Where a new entry is put: `before` or `after`, then `first` or `last`, which a "
            "control may follow, `module` and a module, or an expression of Augeas.",
        ),
        Parameter("target", about="The file. Default: that of the service in `/etc/pam.d`."),
        Parameter("provider"),
    )


resource_type = Pam
