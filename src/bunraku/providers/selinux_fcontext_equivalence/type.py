"""The resource type ``selinux_fcontext_equivalence`` of the module selinux."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.selinux import SemanageType
from bunraku.types.ruby_semantics.values import to_s


def absolute(value: Any, text: str) -> Any:
    """Return an absolute path; raise InvalidValue with a text for another one."""
    if not to_s(value).startswith("/"):
        raise InvalidValue(f"{text} an absolute path instead of '{to_s(value)}'")
    return value


def read_path(value: Any) -> Any:
    """Return the path."""
    return absolute(value, "An fcontext equivalence must specify")


def equivalent_path(value: Any) -> Any:
    """Return the path that another one is equivalent to."""
    return absolute(value, "The fcontext equivalence target must be")


class SelinuxFcontextEquivalence(SemanageType):
    """Directories whose files get the labels that the policy of SELinux has for another one."""

    name = "selinux_fcontext_equivalence"
    module = "puppet-selinux 5.0"
    namevar = "path"
    attributes = (
        Ensure(about="Whether the path is equivalent to another one."),
        Property("target", read=equivalent_path, about="The path with rules of the policy."),
        Parameter("path", read=read_path, about="The path that is treated as the target is."),
        Parameter("provider"),
    )


resource_type = SelinuxFcontextEquivalence
