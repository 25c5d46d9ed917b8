"""The provider of ``mysql_login_path``: it reads and writes the file itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from bunraku.formats.mysql_login_file import (
    KEY,
    NoLoginFile,
    login_options,
    login_sections,
    login_text,
    quoted_option,
    read_login_file,
    write_login_file,
)
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.run import Run
from bunraku.world.host import Account

Value = Any
MODE = 0o600
TOO_OPEN = 0o177
"""The permissions with which programs of MySQL refuse the file."""
KEPT = -1
TEXTS = ("user", "password", "host", "socket")
"""The options that are texts, in the order of ``mysql_config_editor``."""


class LoginPaths(Provider):
    """Manages login paths."""

    name = "mysql_login_path"

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.changed: set[ManagedResource] = set()
        """The resources with options that are to be written."""

    # -- reading -----------------------------------------------------------------------------------

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the file has the login path."""
        return resource["name"] in self.content(resource)[1]

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return an option; None if the login path lacks it."""
        value = login_options(self.content(resource)[1][resource["name"]]).get(name)
        return int(value) if name == "port" and value is not None and value.isdigit() else value

    def content(self, resource: ManagedResource) -> tuple[bytes, dict[str, list[str]]]:
        """Return the key of the file and its lines by login path; new ones if it is absent or empty."""
        path = self.path(resource)
        if find_spec("cryptography") is None:
            raise ResourceFailure(f"{path} is encrypted: pip install cryptography")
        status = self.host.status(path, follow=True)
        if status is not None and status.mode & TOO_OPEN:
            raise ResourceFailure(f"{path} has the mode 0{status.mode:o}; MySQL requires 0600")
        if status is None or status.size == 0:
            return bytes(one % 32 for one in os.urandom(KEY)), {}
        try:
            key, text = read_login_file(self.host.read(path))
        except NoLoginFile as error:
            raise ResourceFailure(
                f"{path} cannot be read as a file of login paths: {error}"
            ) from None
        return key, login_sections(text)

    def path(self, resource: ManagedResource) -> str:
        """Return the path of the file; ResourceFailure if its directory does not exist."""
        account = self.owner(resource)
        if not self.host.is_directory(account.home):
            raise ResourceFailure(f"the user {account.name} has no home directory {account.home}")
        return f"{account.home}/.mylogin.cnf"

    def owner(self, resource: ManagedResource) -> Account:
        """Return the user of the file; ResourceFailure if it does not exist."""
        name = resource["owner"]
        account: Account | None = self.host.user(int(name) if name.isdigit() else name)
        if account is None:
            raise ResourceFailure(f"the user {name} does not exist")
        return account

    # -- changing ----------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Add the login path, or replace it."""
        key, sections = self.content(resource)
        sections.pop(resource["name"], None)
        sections[resource["name"]] = list(login_lines(resource))
        self.write(resource, key, sections)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the login path."""
        key, sections = self.content(resource)
        del sections[resource["name"]]
        self.write(resource, key, sections)

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Remember that the login path is to be written."""
        self.changed.add(resource)

    def flush(self, resource: ManagedResource) -> None:
        """Replace a changed login path: all of its options become those of the resource."""
        if resource in self.changed:
            self.changed.remove(resource)
            self.create(resource)

    def write(self, resource: ManagedResource, key: bytes, sections: dict[str, list[str]]) -> None:
        """Replace the file. A link, which its owner may have made, is not followed."""
        path = self.path(resource)
        status = self.host.status(path)
        if status is not None and status.kind != "file":
            raise ResourceFailure(f"{path} is a {status.kind}, not a file")
        new = (self.owner(resource).uid, KEPT)
        owner = new if status is None else (status.uid, status.gid)
        content = write_login_file(key, login_text(sections))
        self.host.replace_file(path, [content], mode=MODE, owner=owner)


def login_lines(resource: ManagedResource) -> Iterator[str]:
    """Yield the lines with the options of a resource."""
    for name in TEXTS:
        if resource[name] is not None:
            yield f"{name} = {quoted_option(resource[name])}"
    if resource["port"] is not None:
        yield f"port = {resource['port']}"


provider = LoginPaths
