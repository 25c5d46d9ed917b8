"""The resource type ``sshd_config_subsystem``."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.lens_type import ABOUT_COMMENT, LensType
from bunraku.providers.parsed_file import present_if_managed


class SshdConfigSubsystem(LensType):
    """Subsystems of the server of OpenSSH."""

    name = "sshd_config_subsystem"
    module = "puppet-augeasproviders_ssh 7.0"
    providers = ("augeas",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the subsystem is in the file."),
        Property("command", about="The command that serves the subsystem."),
        Property("comment", about=ABOUT_COMMENT),
        Parameter("name", about="The subsystem, such as `sftp`."),
        Parameter("target", about="The file. Default: `/etc/ssh/sshd_config`."),
        Parameter("provider"),
    )


resource_type = SshdConfigSubsystem
