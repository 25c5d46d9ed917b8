"""The provider ``wget`` of ``archive``. What may be secret is passed to wget in a private file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.providers.archive.downloader import Download, Downloader
from bunraku.providers.archive.downloads import text_list
from bunraku.providers.archive.redirects import MOST_REDIRECTS
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import successful
from bunraku.types.ruby_semantics.values import to_s

ONE_STEP = ("--max-redirect=0", "--no-quiet", "--verbose", "--server-response", "--output-file=-")
"""The last options, with which wget prints where a redirect leads instead of following it."""
STATUS = re.compile(r"^ +HTTP/\S+ (\d{3})\b", re.MULTILINE)
LOCATION = re.compile(r"^ +location: *(\S.*?)\s*$", re.MULTILINE | re.IGNORECASE)


class Wget(Downloader):
    """Downloads with ``wget``, which understands the options of the resource."""

    name = "wget"
    programs = ("wget",)

    def run_program(self, download: Download) -> str | None:
        """Download a file; return the place of a redirect that wget does not follow.

        The URL, which may contain a password, comes on standard input.
        """
        resource = download.resource
        lines = "".join(f"{one_line(line)}\n" for line in config_lines(download))
        insecure = ["--no-check-certificate"] if resource.is_true("allow_insecure") else []
        secret = resource.is_private("download_options")
        options = () if secret else resource["download_options"] or ()
        further = ("-O", download.path, f"--max-redirect={MOST_REDIRECTS}", *insecure, *options)
        last = () if download.follows else ONE_STEP
        with self.host.temporary_file(lines.encode()) as config:
            private = (f"--config={config}",) if lines else ()
            words = ("wget", *private, "--input-file=-", *further, *last)
            done = self.attempt(words, content=f"{download.url}\n".encode())
        place = None if download.follows or done.code == 0 else place_in(done.output)
        if place is None:
            successful(("wget", download.shown_url, *further), done)
        return place


def place_in(output: str) -> str | None:
    """Return where the last answer that wget prints redirects to; None if it does not.

    >>> place_in("  HTTP/1.1 302 Found\\n  Location: /b\\nLocation: /b [following]\\n")
    '/b'
    """
    statuses = list(STATUS.finditer(output))
    if not statuses or not statuses[-1][1].startswith("3"):
        return None
    found = LOCATION.search(output, statuses[-1].end())
    return None if found is None else found[1]


def config_lines(download: Download) -> Iterator[str]:
    """Yield the lines of wget's configuration that may contain secrets."""
    resource = download.resource
    if download.is_trusted:
        yield from credential_lines(resource)
    for header in download.headers:
        yield f"header = {header}"
    if resource["proxy_server"] is not None:
        yield "use_proxy = on"
        yield f"{resource['proxy_type']}_proxy = {to_s(resource['proxy_server'])}"
    if resource.is_private("download_options"):
        yield from map(option_line, resource["download_options"] or ())


def credential_lines(resource: ManagedResource) -> Iterator[str]:
    """Yield the lines with the user, the password and the cookies."""
    if resource["username"] is not None:
        yield f"user = {to_s(resource['username'])}"
    if resource["password"] is not None:
        yield f"password = {to_s(resource['password'])}"
    if resource["cookie"] is not None:
        for cookie in text_list(resource["cookie"]):
            yield f"header = Cookie: {cookie}"


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
