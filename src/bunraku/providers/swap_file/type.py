"""The resource type ``swap_file``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.reading import refused_by_check
from bunraku.providers.resource_type import ResourceType


def read_file(value: Any) -> Any:
    """Check an absolute path."""
    if not isinstance(value, str) or not value.startswith("/"):
        reason = "file parameter must be a valid absolute path"
        raise refused_by_check("file", reason)
    return value


class SwapFile(ResourceType):
    """Files that the kernel uses as swap. The file itself must exist."""

    name = "swap_file"
    module = "puppet-swap_file 5.0"
    namevar = "file"
    providers = ("linux",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the file is in use."),
        Property("type", about="The kind, such as `file`. It cannot be changed."),
        Property("size", about="The size in KiB. It cannot be changed."),
        Property("used", about="The size of the used part in KiB. It cannot be changed."),
        Property("priority", about="The priority. It cannot be changed."),
        Parameter("file", read=read_file, about="The path of the file."),
        Parameter("provider"),
    )


resource_type = SwapFile
