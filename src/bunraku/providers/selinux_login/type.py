"""The resource type ``selinux_login`` of the module selinux."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.selinux import ReadOnlySource, SemanageType


class SelinuxLogin(SemanageType):
    """Users of SELinux that users and groups of Linux get when they log in."""

    name = "selinux_login"
    module = "puppet-selinux 5.0"
    namevar = "title"
    attributes = (
        Ensure(about="Whether the login has a user of SELinux."),
        Property("selinux_login_name", about="The user of Linux, or a group after `%`."),
        Property("selinux_user", about="The user of SELinux."),
        Property(
            "selinux_mlsrange",
            about="The range of levels; for an existing login the default is that of the user.",
        ),
        ReadOnlySource(),
        Parameter("title", about="The name of the login."),
        Parameter("provider"),
    )


resource_type = SelinuxLogin
