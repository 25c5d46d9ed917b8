"""The resource type ``sshd_config_match``."""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.records import record
from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.lens_type import (
    ABOUT_COMMENT,
    LensType,
    PositionedEnsure,
    conditions,
)
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import refused_by_check
from bunraku.types.ruby_semantics.values import to_s

TITLE = re.compile(r"((?:\S*\s+\S*)+?)(?:\s+in\s+(\S+))?")


@record(frozen=True)
class BlockPosition:
    """Where a block is: before or after the block that ``match`` describes."""

    before: bool
    match: str


def read_position(value: Any) -> BlockPosition:
    """Read the word ``before`` or ``after`` and the description of a block."""
    if not re.search(r"^(before|after)", to_s(value), re.MULTILINE):
        raise refused_by_check("position", f"Wrong position statement '{to_s(value)}'")
    first, *rest = to_s(value).split()
    return BlockPosition(first == "before", " ".join(rest))


def condition_of_title(resource: ManagedResource) -> str | None:
    """Return the conditions in a title such as ``User root in /etc/ssh/sshd_config``."""
    match = TITLE.fullmatch(resource.title)
    return None if match is None else match[1]


def target_of_title(resource: ManagedResource) -> str | None:
    """Return the file in a title."""
    match = TITLE.fullmatch(resource.title)
    return None if match is None else match[2]


class SshdConfigMatch(LensType):
    """Blocks `Match` of the server of OpenSSH.

    The title can be the conditions, and also have the file: `User root in /etc/ssh/sshd_config`.
    """

    name = "sshd_config_match"
    module = "puppet-augeasproviders_ssh 7.0"
    providers = ("augeas",)
    attributes = (
        PositionedEnsure(
            "Whether the block exists; `positioned` also puts it where `position` says."
        ),
        Property(
            "comment",
            default="created by Puppet",
            about=f"{ABOUT_COMMENT} It is the first line of the block.",
        ),
        Parameter("name", about="A name of the resource."),
        Parameter(
            "condition",
            read=conditions,
            default=condition_of_title,
            about="The conditions, such as `Host example.net User root`, or a hash.",
        ),
        Parameter(
            "target", default=target_of_title, about="The file. Default: `/etc/ssh/sshd_config`."
        ),
        Parameter(
            "position",
            read=read_position,
            about="Where a new block is put: `before` or `after`, and `first match` or `last match`.",
        ),
        Parameter("provider"),
    )


resource_type = SshdConfigMatch
