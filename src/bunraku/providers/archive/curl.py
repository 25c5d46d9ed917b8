"""The provider ``curl`` of ``archive``. What may be secret is passed to curl on standard input."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.archive.downloader import Download, Downloader
from bunraku.providers.archive.downloads import text_list
from bunraku.providers.archive.redirects import MOST_REDIRECTS
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import successful
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Finished

ONE_STEP = ("--no-location", "--write-out", "\\n%{redirect_url}")
"""The last options, with which curl prints where a redirect leads instead of following it."""
ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


class Curl(Downloader):
    """Downloads with ``curl``, which understands the options of the resource."""

    name = "curl"
    programs = ("curl",)

    def run_program(self, download: Download) -> str | None:
        """Download a file; return the place of a redirect that curl does not follow."""
        resource = download.resource
        program = self.host.find_program("curl") or "curl"
        fixed = ("-o", download.path, "-fsSLg", "--max-redirs", str(MOST_REDIRECTS))
        options = () if resource.is_private("download_options") else resource["download_options"]
        further = (
            *(["--insecure"] if resource.is_true("allow_insecure") else []),
            *(options or ()),
        )
        last = () if download.follows else ONE_STEP
        lines = "".join(f"{line}\n" for line in config_lines(download))
        words = (program, "-K", "-", *fixed, *further, *last)
        done = self.attempt(words, content=lines.encode(), merged=download.follows)
        if done.code != 0:
            shown = (program, download.shown_url, *fixed, *further)
            successful(shown, Finished(done.code, done.output + done.errors))
        return None if download.follows else done.output.rpartition("\n")[2] or None


def config_lines(download: Download) -> Iterator[str]:
    """Yield the lines of curl's configuration that may contain secrets."""
    resource = download.resource
    yield setting("url", download.url)
    for header in download.headers:
        yield setting("header", header)
    if download.is_trusted:
        yield from credential_lines(resource)
    if resource["proxy_server"] is not None:
        yield setting("proxy", to_s(resource["proxy_server"]))
    if resource.is_private("download_options"):
        yield from option_lines(resource["download_options"] or [])


def credential_lines(resource: ManagedResource) -> Iterator[str]:
    """Yield the lines with the user, the password and the cookies."""
    if resource["username"] is not None:
        password = "" if resource["password"] is None else to_s(resource["password"])
        yield setting("user", f"{to_s(resource['username'])}:{password}")
    if resource["cookie"] is not None:
        for cookie in text_list(resource["cookie"]):
            yield setting("cookie", cookie)


def setting(name: str, value: str) -> str:
    """Return a line of curl's configuration.

    >>> setting("user", 'a:"b"')
    'user = "a:\\\\"b\\\\""'
    """
    return f'{name} = "{value.translate(ESCAPES)}"'


def option_lines(words: list[str]) -> Iterator[str]:
    """Yield the lines for secret options; a word that is no option is the value of the one before.

    >>> list(option_lines(["--retry", "5", "--compressed"]))
    ['--retry "5"', '--compressed']
    """
    for number, word in enumerate(words):
        if not word.startswith("-"):
            continue
        following = words[number + 1] if number + 1 < len(words) else "-"
        value = "" if following.startswith("-") else f' "{following.translate(ESCAPES)}"'
        yield f"{word}{value}"


provider = Curl
