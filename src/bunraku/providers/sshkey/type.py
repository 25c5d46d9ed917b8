"""The resource type ``sshkey``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import LineType, present_if_managed
from bunraku.providers.provider import State
from bunraku.providers.ssh_keys import KIND_ALIASES, KINDS
from bunraku.types.ruby_semantics.values import to_s

TITLE = re.compile(r"(.*?)@(.*)")
OF_HOSTS = (
    "ssh-dss",
    "ssh-ed25519",
    "ssh-rsa",
    *(kind for kind in KINDS if kind.startswith(("ecdsa-", "sk-")) and "-cert-" not in kind),
)


def read_host_name(value: Any) -> str:
    """Check the name of a host."""
    name = to_s(value)
    if re.search(r"\s", name):
        raise InvalidValue("Resourcename cannot include whitespaces")
    if "," in name:
        raise InvalidValue(
            "No comma in resourcename allowed. "
            "If you want to specify aliases use the host_aliases property"
        )
    return name


def read_alias(value: Any) -> str:
    """Check another name of a host."""
    name = to_s(value)
    if re.search(r"\s", name):
        raise InvalidValue("Aliases cannot include whitespace")
    if "," in name:
        raise InvalidValue("Aliases must be provided as an array, not a comma-separated list")
    return name


def host_and_kind(title: str, parameters: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the host and type of a key; the title may contain both.

    >>> host_and_kind("a@rsa", {}), host_and_kind("a", {"type": "dsa"})
    (('a', 'ssh-rsa'), ('a', 'ssh-dss'))
    """
    match = TITLE.fullmatch(title)
    host, kind = (title, None) if match is None else match.groups()
    kind = parameters.get("type", kind)
    name = to_s(parameters.get("name", host))
    return name, KIND_ALIASES.get(kind, kind) if isinstance(kind, str) else None


def kind_in_title(resource: ManagedResource) -> str | None:
    """Return the type of a key in the title, after the name of the host."""
    return host_and_kind(resource.title, resource.original)[1]


def host_of(resource: ManagedResource) -> str:
    """Return the host of a key."""
    return host_and_kind(resource.title, resource.original)[0]


class SshKey(LineType):
    """Host keys in ``/etc/ssh/ssh_known_hosts``; a host has one key of each type."""

    name = "sshkey"
    module = "puppetlabs-sshkeys_core 2.3"
    providers = ("parsed",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the key exists."),
        Parameter(
            "type",
            words=OF_HOSTS,
            aliases=KIND_ALIASES,
            default=kind_in_title,
            about="The type of the key.",
        ),
        Property("key", about="The public key itself."),
        Property(
            "host_aliases",
            many=True,
            read=read_alias,
            about="Additional names and addresses of the host.",
        ),
        Parameter("name", read=read_host_name, about="The name of the host."),
        Property(
            "target", text=True, default="/etc/ssh/ssh_known_hosts", about="The file with the keys."
        ),
    )

    def shown_title(self, title: str, parameters: Mapping[str, Any]) -> str:
        """Return the host and the type: a host may have several keys."""
        host, kind = host_and_kind(title, parameters)
        return f"{host}@{kind or ''}"

    def shown_state(self, resource: ManagedResource, state: State) -> State:
        """Return a state with host and type, which are the title together."""
        host, kind = host_and_kind(resource.title, resource.original)
        return {**state, "name": host, "type": kind}


resource_type = SshKey
