"""The resource type ``dhparam``."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.providers.attributes import Ensure, Parameter, Property, Read
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.types.ruby_semantics.values import inspect, to_s

WORD = lazy_pattern(r"^\w+$", re.MULTILINE | re.ASCII)
MODE = lazy_pattern(r"^0\d\d\d$", re.MULTILINE | re.ASCII)
NUMBER = lazy_pattern(r"[1-9]\d*", re.ASCII)


def read_path(value: Any) -> Any:
    """Return an absolute path."""
    if not to_s(value).startswith("/"):
        raise InvalidValue(f"Path must be absolute: {to_s(value)}")
    return value


def read_size(value: Any) -> str:
    """Return a positive number as text."""
    if isinstance(value, bool) or NUMBER.fullmatch(to_s(value)) is None:
        raise InvalidValue(f"Size must be a positive integer: {inspect(value)}")
    return to_s(value)


def read_switch(value: Any) -> Any:
    """Return a boolean."""
    if not isinstance(value, bool):
        text = f"Fastmode must be a boolean: {inspect(value)} {ruby_class(value)}"
        raise InvalidValue(text)
    return value


def matching(pattern: re.Pattern[str], what: str) -> Read:
    """Return the check of a text."""

    def check(value: Any) -> Any:
        if not isinstance(value, str) or pattern.search(value) is None:
            raise InvalidValue(f"{to_s(value)} is not a valid {what}")
        return value

    return check


class Dhparam(ResourceType):
    """Files with parameters of Diffie and Hellman, which `openssl` makes. An existing file stays as it is."""

    name = "dhparam"
    module = "puppet-openssl 4.2"
    namevar = "path"
    providers = ("openssl",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the file exists."),
        Parameter("provider"),
        Parameter("path", read=read_path, about="The path of the file."),
        Parameter("size", read=read_size, default="512", about="The size in bits."),
        Parameter(
            "fastmode",
            read=read_switch,
            default=False,
            about="Whether to use parameters of DSA, which are faster to make.",
        ),
        Property("owner", read=matching(WORD, "user name"), about="The user that owns the file."),
        Property("group", read=matching(WORD, "group name"), about="The group of the file."),
        Property(
            "mode",
            read=matching(MODE, "file mode"),
            about="The permissions of the file: `0` and three digits.",
        ),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the directory of the file."""
        yield "file", posixpath.dirname(resource["path"])


resource_type = Dhparam
