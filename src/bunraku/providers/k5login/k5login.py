"""The provider of ``k5login``; the name is that of Puppet's provider."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.types.ruby_semantics.values import to_s

NEW_MODE = 0o644


class LoginFile(Provider):
    """Reads and writes the files."""

    name = "k5login"

    def suitable(self) -> bool:
        """Return True: every machine has files."""
        return True

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: each file is read when it is compared."""

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the file exists."""
        return self.host.status(resource["path"], follow=True) is not None

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the lines or the mode of the file."""
        path = resource["path"]
        status = self.host.status(path, follow=True)
        if name != "principals":
            return ABSENT if status is None else f"{status.mode & 0o7777:o}"
        if status is None:
            return ABSENT
        return self.host.read(path).decode("utf-8", "surrogateescape").splitlines()

    def create(self, resource: ManagedResource) -> None:
        """Write the file and set its mode."""
        self.write(resource, resource["principals"])
        if self.get(resource, "mode") != resource["mode"]:
            self.set(resource, "mode", resource["mode"])

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the file."""
        self.host.remove_file(resource["path"])

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the lines or the mode of the file."""
        if name == "principals":
            self.write(resource, value)
            return
        try:
            mode = int(to_s(value), 8)
        except ValueError:
            raise ResourceFailure(f'invalid value for Integer(): "0{value}"') from None
        self.host.set_mode(resource["path"], mode)

    def write(self, resource: ManagedResource, principals: Sequence[str] | None) -> None:
        """Replace the file; its owner and mode stay."""
        path = resource["path"]
        status = self.host.status(path, follow=True)
        text = "".join(f"{line}\n" for line in principals or [""])
        mode = NEW_MODE if status is None else status.mode
        owner = None if status is None else (status.uid, status.gid)
        self.host.replace_file(
            path, [text.encode("utf-8", "surrogateescape")], mode=mode, owner=owner
        )


provider = LoginFile
