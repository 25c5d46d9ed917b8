"""The resource type ``ssh_authorized_key``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import LineType, present_if_managed
from bunraku.providers.reading import one_text, switch
from bunraku.providers.resource_type import Reference
from bunraku.providers.ssh_keys import KIND_ALIASES, KINDS
from bunraku.types.ruby_semantics.values import to_s

OPTION = re.compile(r'^[-a-z0-9A-Z_]+(?:=".*?")?$', re.MULTILINE)


def read_key(value: Any) -> str:
    """Return a key without its type and comment."""
    if re.search(r"\s", one_text("key")(value)):
        raise InvalidValue(f"Key must not contain whitespace: {value}")
    return to_s(value)


def read_option(value: Any) -> str:
    """Return an option, with or without a value."""
    if value != ABSENT and not (isinstance(value, str) and OPTION.search(value)):
        raise InvalidValue(
            f"Option {to_s(value)} is not valid. A single option must either be of the form 'option' "
            "or 'option=\"value\"'. Multiple options must be provided as an array"
        )
    return to_s(value)


class Target(Property):
    """The file of the key; by default, that of the user."""

    def wanted(self, resource: ManagedResource, current: Any) -> Any:
        """Return the path, None while the user does not exist."""
        given = resource["target"]
        if given != ABSENT:
            return given
        account = resource.run.host.user(to_s(resource["user"])) if resource["user"] else None
        return None if account is None else f"{account.home}/.ssh/authorized_keys"

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the key is in the file."""
        return bool(current == self.wanted(resource, current))


class SshAuthorizedKey(LineType):
    """Keys that allow logging in as a user."""

    name = "ssh_authorized_key"
    module = "puppetlabs-sshkeys_core 2.3"
    providers = ("parsed",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the key exists."),
        Parameter("name", about="The comment of the key, which identifies it."),
        switch(
            "drop_privileges", default=True, about="Write the file as the user and not as root."
        ),
        Property("type", words=KINDS, aliases=KIND_ALIASES, about="The type of the key."),
        Property("key", read=read_key, about="The public key itself, without type and comment."),
        Property("user", about="The user whose account accepts the key."),
        Target(
            "target",
            text=True,
            default=ABSENT,
            about="The file with the keys. Default: `~/.ssh/authorized_keys` of the user.",
        ),
        Property(
            "options",
            many=True,
            read=read_option,
            default=ABSENT,
            about="Options of the key, such as `no-pty`.",
        ),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for a key without ``user`` and ``target``."""
        if resource["target"] == ABSENT and resource["user"] is None:
            raise InvalidValue("Attribute 'user' or 'target' is mandatory")

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the user."""
        if resource["user"]:
            yield "user", to_s(resource["user"])


resource_type = SshAuthorizedKey
