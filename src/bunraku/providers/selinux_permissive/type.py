"""The resource type ``selinux_permissive`` of the module selinux."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.reading import boolean
from bunraku.providers.selinux import SemanageType


class SelinuxPermissive(SemanageType):
    """Types of processes that SELinux only watches: it denies nothing."""

    name = "selinux_permissive"
    module = "puppet-selinux 5.0"
    namevar = "seltype"
    attributes = (
        Ensure(about="Whether the type is permissive."),
        Parameter("seltype", about="The type of processes."),
        boolean("local", about="Has no effect; the module has it to list local types."),
        Parameter("provider"),
    )


resource_type = SelinuxPermissive
