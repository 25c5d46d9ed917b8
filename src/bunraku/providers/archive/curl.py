"""The provider ``curl`` of ``archive``. What may be secret is passed to curl on standard input."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.providers.archive.downloader import Downloader
from bunraku.providers.archive.downloads import text_list
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import successful
from bunraku.providers.secrets import without_password
from bunraku.types.ruby_semantics.values import to_s

ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


class Curl(Downloader):
    """Downloads with ``curl``, which understands the options of the resource."""

    name = "curl"
    programs = ("curl",)

    def download(self, resource: ManagedResource, location: str, path: str) -> None:
        """Download a file."""
        program = self.host.find_program("curl") or "curl"
        fixed = ("-o", path, "-fsSLg", "--max-redirs", "5")
        options = () if resource.is_private("download_options") else resource["download_options"]
        further = (
            *(["--insecure"] if resource.is_true("allow_insecure") else []),
            *(options or ()),
        )
        lines = "".join(f"{line}\n" for line in config_lines(resource, location))
        done = self.attempt((program, "-K", "-", *fixed, *further), content=lines.encode())
        successful((program, without_password(location), *fixed, *further), done)


def config_lines(resource: ManagedResource, location: str) -> Iterator[str]:
    """Yield the lines of curl's configuration that may contain secrets."""
    yield setting("url", location)
    for header in resource["headers"] or ():
        yield setting("header", header)
    if resource["username"] is not None:
        password = "" if resource["password"] is None else to_s(resource["password"])
        yield setting("user", f"{to_s(resource['username'])}:{password}")
    if resource["proxy_server"] is not None:
        yield setting("proxy", to_s(resource["proxy_server"]))
    if resource["cookie"] is not None:
        for cookie in text_list(resource["cookie"]):
            yield setting("cookie", cookie)
    if resource.is_private("download_options"):
        yield from option_lines(resource["download_options"] or [])


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
