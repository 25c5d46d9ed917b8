"""What the providers of ``archive`` share that download with a program."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence

from bunraku.base.records import record
from bunraku.providers.archive.redirects import (
    MOST_REDIRECTS,
    has_secrets,
    is_harmless,
    redirect_target,
    same_server,
)
from bunraku.providers.archive.ruby import Ruby
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.secrets import without_password


@record(frozen=True)
class Download:
    """A download of a URL to a file; unless ``is_trusted``, the server gets no secrets.

    If the program ``follows`` redirects itself, every server of them gets the same headers.
    """

    resource: ManagedResource
    url: str
    path: str
    is_trusted: bool
    follows: bool

    @property
    def headers(self) -> Sequence[str]:
        """The headers for the server."""
        headers: Sequence[str] = self.resource["headers"] or ()
        return headers if self.is_trusted else [one for one in headers if is_harmless(one)]

    @property
    def shown_url(self) -> str:
        """The URL without its password."""
        return without_password(self.url)


class Downloader(Ruby):
    """Downloads from web servers with a program, which understands the options of the resource."""

    @abstractmethod
    def run_program(self, download: Download) -> str | None:
        """Download a file; return the place of a redirect that the program does not follow."""

    def download(self, resource: ManagedResource, location: str, path: str) -> None:
        """Download a file. The redirects of a request with secrets are followed one by one."""
        follows, is_trusted = not has_secrets(resource), True
        url = location
        for _ in range(MOST_REDIRECTS + 1):
            place = self.run_program(Download(resource, url, path, is_trusted, follows))
            if place is None:
                return
            target = redirect_target(url, place)
            is_trusted = is_trusted and same_server(url, target)
            url = target
        raise ResourceFailure(f"Redirect limit exceeded, last url: {without_password(url)}")

    def downloaded(self, resource: ManagedResource, location: str) -> Iterable[bytes]:
        """Return nothing: the program downloads to a file."""
        return ()

    def fill(self, resource: ManagedResource, location: str, path: str) -> None:
        """See :class:`Ruby`; the program also downloads from web servers."""
        if location.startswith("http"):
            self.download(resource, location, path)
        else:
            super().fill(resource, location, path)
