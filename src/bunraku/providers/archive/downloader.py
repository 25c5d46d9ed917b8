"""What the providers of ``archive`` share that download with a program."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from bunraku.providers.archive.ruby import Ruby
from bunraku.providers.managed_resource import ManagedResource


class Downloader(Ruby):
    """Downloads from web servers with a program, which understands the options of the resource."""

    @abstractmethod
    def download(self, resource: ManagedResource, location: str, path: str) -> None:
        """Download a file; its URL may contain a password."""

    def downloaded(self, resource: ManagedResource, location: str) -> Iterable[bytes]:
        """Return nothing: the program downloads to a file."""
        return ()

    def fill(self, resource: ManagedResource, location: str, path: str) -> None:
        """See :class:`Ruby`; the program also downloads from web servers."""
        if location.startswith("http"):
            self.download(resource, location, path)
        else:
            super().fill(resource, location, path)
