"""Services of FreeBSD: scripts in ``rc.d``, each with its own file in ``rc.conf.d``."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Words
from bunraku.providers.rewriting import rewrite
from bunraku.providers.service.base import Base
from bunraku.providers.service.freebsd import DIRECTORY, NEW_MODE
from bunraku.providers.service.init import Init
from bunraku.providers.systems import FREEBSD, families


class Bsd(Init):
    """Runs scripts, and makes the files that enable them."""

    name = "bsd"
    programs: ClassVar[tuple[str, ...]] = ()
    features: ClassVar[frozenset[str]] = frozenset({"refreshable", "enableable"})
    default_path: tuple[str, ...] | None = ("/etc/rc.d", "/usr/local/etc/rc.d")
    systems: ClassVar[frozenset[str]] = FREEBSD
    """The systems for which the provider is made."""

    def suitable(self) -> bool:
        """Return whether the provider is made for the system."""
        return Base.suitable(self) and not self.systems.isdisjoint(families(self.host))

    def start_command(self, resource: ManagedResource) -> Words:
        """Return the command that starts a service, even if it is not enabled."""
        return self.script(resource), "onestart"

    def stop_command(self, resource: ManagedResource) -> Words | None:
        """Return the command that stops a service, even if it is not enabled."""
        return self.script(resource), "onestop"

    # -- start at boot ---------------------------------------------------------------------------

    def file_of(self, resource: ManagedResource) -> str:
        """Return the file that enables a service."""
        return f"{DIRECTORY}/{resource.name}"

    def text_of(self, resource: ManagedResource) -> str | None:
        """Return the content of the file that enables a service; None if it is absent."""
        path = self.file_of(resource)
        if self.host.status(path, follow=True) is None:
            return None
        return self.host.read(path).decode("utf-8", "surrogateescape")

    def write(self, resource: ManagedResource, text: str) -> None:
        """Write the file that enables a service."""
        if self.host.status(DIRECTORY, follow=True) is None:
            self.host.make_directory(DIRECTORY, 0o755)
        content = text.encode("utf-8", "surrogateescape")
        rewrite(self.host, self.file_of(resource), content, new_mode=NEW_MODE)

    def enabled(self, resource: ManagedResource) -> str:
        """Return whether the file of a service exists."""
        return "false" if self.text_of(resource) is None else "true"

    def enable(self, resource: ManagedResource) -> None:
        """Append the variable to the file of a service."""
        old = self.text_of(resource) or ""
        self.write(resource, f'{old}{resource.name}_enable="YES"\n')

    def disable(self, resource: ManagedResource) -> None:
        """Remove the file of a service."""
        if self.text_of(resource) is not None:
            self.host.remove_file(self.file_of(resource))


provider = Bsd
