"""The resource type ``dhparam``."""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.providers.attributes import Parameter
from bunraku.providers.errors import InvalidValue
from bunraku.providers.openssl_file import PATH, PERMISSIONS, OpensslFileType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.types.ruby_semantics.values import inspect, to_s

NUMBER = lazy_pattern(r"[1-9]\d*", re.ASCII)


def read_size(value: Any) -> str:
    """Return a positive number as text."""
    if isinstance(value, bool) or NUMBER.fullmatch(to_s(value)) is None:
        raise InvalidValue(f"Size must be a positive integer: {inspect(value)}")
    return to_s(value)


def read_switch(value: Any) -> Any:
    """Return a boolean."""
    if not isinstance(value, bool):
        raise InvalidValue(f"Fastmode must be a boolean: {inspect(value)} {ruby_class(value)}")
    return value


class Dhparam(OpensslFileType):
    """Files with parameters of Diffie and Hellman, which `openssl` makes. An existing file stays as it is."""

    name = "dhparam"
    module = "puppet-openssl 4.2"
    attributes = (
        *PATH,
        Parameter("size", read=read_size, default="512", about="The size in bits."),
        Parameter(
            "fastmode",
            read=read_switch,
            default=False,
            about="Whether to use parameters of DSA, which are faster to make.",
        ),
        *PERMISSIONS,
    )


resource_type = Dhparam
