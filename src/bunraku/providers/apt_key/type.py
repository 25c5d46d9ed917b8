"""The resource type ``apt_key`` of the module apt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.reading import switch, url
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.types.ruby_semantics.values import inspect, to_s

FULL = 40
"""The characters of a full fingerprint."""
ID_SHAPES = tuple(rf"\A(0x)?[0-9a-fA-F]{{{length}}}\Z" for length in (8, 16, FULL))
ID_SHAPE = re.compile("|".join(ID_SHAPES))
SOURCE_SHAPES = (r"\Ahttps?:\/\/", r"\Aftp:\/\/", r"\A\/\w+")
SERVER_SHAPES = (
    r"\A((hkp|hkps|http|https):\/\/)?([a-z\d])([a-z\d-]{0,61}\.)+[a-z\d]+(:\d{2,5})?(\/[a-zA-Z\d\-_.]+)*\/?$",
)


def matching(shapes: tuple[str, ...]) -> Any:
    """Return a reader that accepts texts with one of the shapes, in Ruby's notation."""
    patterns = [re.compile(shape.replace(r"\Z", r"(?=\n?\Z)"), re.MULTILINE) for shape in shapes]

    def read(value: Any) -> str:
        text = to_s(value)
        if any(pattern.search(text) for pattern in patterns):
            return text
        listed = ", ".join(f"/{shape}/" for shape in shapes)
        raise InvalidValue(f"Invalid value {inspect(value)}. Valid values match {listed}.")

    return read


def identifier(value: Any) -> str:
    """Return the identifier of a key without the prefix ``0x``, in upper case.

    >>> identifier("0xabcd1234")
    'ABCD1234'
    """
    return str(matching(ID_SHAPES)(value)).removeprefix("0x").upper()


def read_only(name: str, about: str) -> Property:
    """Return a property that can only be listed."""
    return Property(name, about=f"{about} It cannot be changed.")


class AptKey(ResourceType):
    """Keys that apt trusts, in the keyring of the program ``apt-key``.

    The program is deprecated, and Debian 13 does not have it.
    """

    name = "apt_key"
    module = "puppetlabs-apt 11.3"
    namevar = "id"
    providers = ("apt_key",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the key exists."),
        read_only("fingerprint", "The fingerprint: 40 hexadecimal digits."),
        read_only("long", "The last 16 digits of the fingerprint."),
        read_only("short", "The last 8 digits of the fingerprint."),
        read_only("expired", "Whether the key has expired."),
        read_only("expiry", "The date on which the key expires."),
        read_only("size", "The size of the key in bits."),
        read_only("type", "The kind of the key: rsa, dsa, ecc or ecdsa."),
        read_only("created", "The date of the key."),
        Parameter(
            "id",
            read=identifier,
            about="The fingerprint, or its last 16 or 8 digits; `0x` may come first.",
        ),
        Parameter("content", about="The key, as text."),
        Parameter(
            "source",
            read=matching(SOURCE_SHAPES),
            read_for=url,
            about="Where the key is: a path, or a URL with `http`, `https` or `ftp`.",
        ),
        Parameter(
            "server",
            read=matching(SERVER_SHAPES),
            read_for=url,
            default="keyserver.ubuntu.com",
            about="The key server that is asked without `content` and `source`.",
        ),
        Parameter(
            "options", read_for=url, about="Options of gpg for key servers (`--keyserver-options`)."
        ),
        switch("refresh", default=False, about="Whether an expired key is added again."),
        switch(
            "weak_ssl",
            default=False,
            about="Whether the certificate of an `https` source is not checked.",
        ),
    )

    def canonical_name(self, name: str) -> str:
        """Return the identifier without its prefix, in upper case; a wrong one as it is."""
        return name.removeprefix("0x").upper() if ID_SHAPE.match(name) else name

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for values that exclude each other; warn about a short identifier."""
        if resource.is_true("refresh") and resource["ensure"] == "absent":
            raise InvalidValue("ensure => absent and refresh => true are mutually exclusive")
        if resource["content"] and resource["source"]:
            raise InvalidValue("The properties content and source are mutually exclusive.")
        if len(resource["id"]) < FULL:
            text = "The id should be a full fingerprint (40 characters), see README."
            resource.log("warning", text)

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the file of the key."""
        if (resource["source"] or "").startswith("/"):
            yield "file", resource["source"]


resource_type = AptKey
