"""The resource type ``mysql_login_path``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bunraku.providers.attributes import Existence, Parameter, Property
from bunraku.providers.errors import InvalidSecret, InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.typed_values import ENSURE, typed
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.sensitive import Sensitive

Value = Any
TITLE = re.compile(r"^(.*[^-])-(.*)$", re.MULTILINE)
TEXT = "Optional[String]"
NAMES = "String"
PORT = "Optional[Integer[0, 65535]]"
HIDDEN_TEXT = "Optional[Sensitive[String[1]]]"


def parse_title(title: str) -> tuple[str, str | None]:
    """Return the login path and the owner in a title; what follows the last hyphen is the owner.

    >>> parse_title("local-root"), parse_title("local")
    (('local', 'root'), ('local', None))
    """
    match = TITLE.search(title)
    return (title, None) if match is None else (match[1], match[2])


def shown_login_path(title: str, parameters: Mapping[str, Value]) -> str:
    """Return the login path of a resource."""
    name = parameters.get("name")
    return parse_title(title)[0] if name is None else to_s(name)


def read_login_path(value: Value, resource: ManagedResource) -> Value:
    """Check the name of a login path; without one of its own, it is that of the title."""
    name = value if "name" in resource.original else parse_title(resource.title)[0]
    return typed("mysql_login_path.name", NAMES, name)


def read_owner(value: Value) -> Value:
    """Check the name of the owner."""
    return typed("mysql_login_path.owner", NAMES, value)


def owner_of_title(resource: ManagedResource) -> str:
    """Return the owner in the title of a resource; root without one."""
    return parse_title(resource.title)[1] or "root"


class LoginProperty(Property):
    """An option of a login path, whose whole value has a Puppet type."""

    def __init__(self, name: str, type_: str, *, about: str) -> None:
        super().__init__(name, about=about)
        self.type = type_

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the value; raise InvalidValue if it is of another type."""
        whole = resource.original.get(self.name)
        typed(f"mysql_login_path.{self.name}", self.type, value if whole is None else whole)
        return value

    def accept_none(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for an empty array."""
        self.accept([], resource)

    def described(self, resource: ManagedResource, current: Value, wanted: Value) -> str:
        """Return the message of a change; a state that the login path lacks is shown as nothing."""
        if current is not None:
            return super().described(resource, current, wanted)
        return f"{self.name} changed  to {self.shown_wanted(resource, wanted)}"


class LoginPassword(LoginProperty):
    """The password; a value that is not ``Sensitive`` is refused."""

    secret = True

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the password; raise InvalidValue if it is of another type."""
        whole = resource.original.get(self.name)
        whole = value if whole is None else whole
        given = Sensitive(whole) if self.name in resource.given_sensitive else whole
        try:
            typed(f"mysql_login_path.{self.name}", self.type, given)
        except InvalidValue as error:
            raise InvalidSecret(str(error)) from None  # it has the types only
        return value


class Presence(Existence, LoginProperty):
    """Whether the login path exists."""

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the state; raise InvalidValue for another word."""
        typed("mysql_login_path.ensure", ENSURE, to_s(resource.original.get("ensure", value)))
        return value


class MysqlLoginPath(ResourceType):
    """Login paths in the file `.mylogin.cnf` of a user, which programs of MySQL read.

    A title with a hyphen has the owner after its last one: `local-web` is the login path `local` of the user
    `web`. Passwords must be `Sensitive`. The file is read and written without `mysql_config_editor`, so a
    password is in no other process; a new file replaces the old one at once. As in the module, a change
    writes only the options that the resource sets. Programs of MariaDB do not read the file. The type requires
    the Python package `cryptography`.
    """

    name = "mysql_login_path"
    module = "puppetlabs-mysql 16.3"
    providers = ("mysql_login_path",)
    attributes = (
        Presence("ensure", ENSURE, about="Whether the login path exists."),
        Parameter("name", read_for=read_login_path, about="The name of the login path."),
        Parameter(
            "owner",
            read=read_owner,
            default=owner_of_title,
            about="The user whose home directory has the file; `root` by default.",
        ),
        LoginProperty("host", TEXT, about="The name of the host."),
        LoginProperty("user", TEXT, about="The user of the server."),
        LoginPassword("password", HIDDEN_TEXT, about="The password, a `Sensitive` value."),
        LoginProperty("socket", TEXT, about="The path of a socket."),
        LoginProperty("port", PORT, about="The port, a number."),
    )

    def shown_title(self, title: str, parameters: Mapping[str, Value]) -> str:
        """Return the name, which the module shows instead of the title."""
        return shown_login_path(title, parameters)


resource_type = MysqlLoginPath
