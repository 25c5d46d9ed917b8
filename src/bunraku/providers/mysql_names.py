"""The names of users of MySQL and MariaDB in resources, with the limits of old clients."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.mysql_client import VERSION, numbers
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Command

NAMES = (
    re.compile(
        r"^(?P<quote>['`\"])(?P<user>(?:(?!(?P=quote)).)*)(?P=quote)@[\w%.:\-/]+$", re.MULTILINE
    ),
    re.compile(r"^(?P<user>[0-9a-zA-Z$_]*)@[\w%.:\-/]+$", re.MULTILINE),
    re.compile(r"^(?P<user>(?!['`\"]).*[^0-9a-zA-Z$_].*)@.+$", re.MULTILINE),
)
MUNGED = re.compile(r"^((['`\"]?).*\2)@(.+)$", re.MULTILINE)
SHORT = 16
"""Characters of a name that every version accepts."""
LIMITS = (("5.7.8", 16), ("10.0.0", 32))
"""The limits of clients before a version."""
LATER_LIMIT = 80
"""The limit of clients after the last of these versions."""


def lower_host(name: str) -> str:
    """Return a name with its host in lower case.

    >>> lower_host("Anna@LOCALHOST")
    'Anna@localhost'
    """
    match = MUNGED.search(name)
    return name if match is None else f"{match[1]}@{match[3].lower()}"


def read_user(value: Any, resource: ManagedResource, *, prefix: str = "") -> str:
    """Check the name of a user; ``prefix`` starts the messages."""
    text = to_s(value)
    match = next(filter(None, (pattern.search(text) for pattern in NAMES)), None)
    if match is None:
        raise InvalidValue(f"{prefix}Invalid database user {text}.")
    limit = name_limit(resource, len(match["user"]))
    if limit is not None:
        reason = f"MySQL usernames are limited to a maximum of {limit} characters."
        raise InvalidValue(prefix + reason)
    return lower_host(text)


def name_limit(resource: ManagedResource, size: int) -> int | None:
    """Return the limit that a name exceeds, None if it exceeds none or no client is installed."""
    version = client_version(resource) if size > SHORT else None
    if version is None:
        return None
    for before, limit in LIMITS:
        if version < numbers(before) and size > limit:
            return limit
    return LATER_LIMIT if version > numbers(LIMITS[-1][0]) and size > LATER_LIMIT else None


def client_version(resource: ManagedResource) -> tuple[int, ...] | None:
    """Return the version in the fact ``mysql_version``, or of the installed client; None without one."""
    host = resource.run.host
    text = resource.run.facts().get("mysql_version")
    if not isinstance(text, str):
        program = host.find_program("mysql") or host.find_program("mariadb")
        text = "" if program is None else host.execute(Command((program, "--version"))).output
    match = VERSION.search(text)
    return None if match is None else numbers(match[0])
