"""The provider ``wget`` of ``archive``. What may be secret is passed to wget in a private file."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.archive.downloader import Downloader
from bunraku.providers.archive.downloads import text_list
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import successful
from bunraku.providers.secrets import without_password
from bunraku.types.ruby_semantics.values import to_s


class Wget(Downloader):
    """Downloads with ``wget``, which understands the options of the resource."""

    name = "wget"
    programs = ("wget",)

    def download(self, resource: ManagedResource, location: str, path: str) -> None:
        """Download a file. The URL, which may contain a password, comes on standard input."""
        lines = "".join(f"{one_line(line)}\n" for line in config_lines(resource))
        insecure = ["--no-check-certificate"] if resource.is_true("allow_insecure") else []
        secret = resource.is_private("download_options")
        options = () if secret else resource["download_options"] or ()
        further = ("-O", path, "--max-redirect=5", *insecure, *options)
        with self.host.temporary_file(lines.encode()) as config:
            private = (f"--config={config}",) if lines else ()
            words = ("wget", *private, "--input-file=-", *further)
            done = self.attempt(words, content=f"{location}\n".encode())
        successful(("wget", without_password(location), *further), done)


def config_lines(resource: ManagedResource) -> Iterator[str]:
    """Yield the lines of wget's configuration that may contain secrets."""
    if resource["username"] is not None:
        yield f"user = {to_s(resource['username'])}"
    if resource["password"] is not None:
        yield f"password = {to_s(resource['password'])}"
    if resource["cookie"] is not None:
        for cookie in text_list(resource["cookie"]):
            yield f"header = Cookie: {cookie}"
    for header in resource["headers"] or ():
        yield f"header = {header}"
    if resource["proxy_server"] is not None:
        yield "use_proxy = on"
        yield f"{resource['proxy_type']}_proxy = {to_s(resource['proxy_server'])}"
    if resource.is_private("download_options"):
        yield from map(option_line, resource["download_options"] or ())


def option_line(word: str) -> str:
    """Return the line for a secret option; ResourceFailure unless it is one long word.

    >>> option_line("--post-data=a=b"), option_line("--no-cache")
    ('post_data = a=b', 'cache = off')
    """
    name, is_set, value = word.removeprefix("--").partition("=")
    if not word.startswith("--"):
        raise ResourceFailure("Sensitive download_options of wget must be of the form --NAME=VALUE")
    if is_set:
        return f"{name.replace('-', '_')} = {value}"
    return f"{name.removeprefix('no-').replace('-', '_')} = {'off' if name.startswith('no-') else 'on'}"


def one_line(text: str) -> str:
    """Return a line of the configuration; ResourceFailure for a value of several lines."""
    if "\n" in text:
        raise ResourceFailure("wget cannot use a value that contains a line break")
    return text


provider = Wget
