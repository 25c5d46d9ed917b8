"""The resource type ``ssh_config``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.lens_type import ABOUT_COMMENT, LensType
from bunraku.providers.parsed_file import present_if_managed
from bunraku.types.ruby_semantics.values import to_s


def read_target(value: Any) -> Any:
    """Check an absolute path."""
    if not to_s(value).startswith("/"):
        raise InvalidValue("target must be an absolute path")
    return value


class SshConfig(LensType):
    """Settings of the client of OpenSSH."""

    name = "ssh_config"
    module = "puppet-augeasproviders_ssh 7.0"
    providers = ("augeas",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the setting is in the file."),
        Property(
            "value",
            many=True,
            about="The value. Lists such as `Ciphers` take an array; of other settings, each value "
            "is an entry.",
        ),
        Property("comment", about=ABOUT_COMMENT),
        Parameter("name", about="The setting, or any name together with `key`."),
        Parameter("key", about="The setting if the resource has another name."),
        Parameter("target", read=read_target, about="The file. Default: `/etc/ssh/ssh_config`."),
        Parameter("host", default="*", about="The pattern of the block `Host`."),
        Parameter("provider"),
    )


resource_type = SshConfig
