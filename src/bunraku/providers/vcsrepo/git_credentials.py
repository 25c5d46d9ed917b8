"""Credentials in the URLs of Git: they reach Git by its environment, never as arguments.

Git passes the URL of a remote to the program that fetches it. The environment therefore has two kinds
of settings: one replaces a URL by the same URL without credentials, one is a helper that prints them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from bunraku.base.records import record
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.secrets import without_password

Value = Any
URL = re.compile(r"(\w[\w+.-]*://)([^/?#:@]*):([^/?#]*)@([^/?#]*/?)(.*)", re.DOTALL)
SCHEMES = ("http://", "https://", "ftp://", "ftps://")
QUOTED = re.compile(r"^\s|[;#]|\s$")
ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"})
HELPER = (
    '!f() {{ test "$1" != get || '
    'printf "username=%s\\npassword=%s\\n" "$BUNRAKU_USER_{0}" "$BUNRAKU_PASSWORD_{0}"; }}; f'
)
"""A credential helper (gitcredentials(7))."""


@record(frozen=True)
class Credentials:
    """The user and the password in a URL; ``host`` is the start of the URL without them."""

    start: str
    host: str
    path: str
    user: str
    password: str

    @property
    def url(self) -> str:
        """The URL without credentials."""
        return self.host + self.path


def credentials_of(url: Value) -> Credentials | None:
    """Return the credentials in a URL; None without a password, ResourceFailure if Git cannot use it."""
    found = URL.fullmatch(url) if isinstance(url, str) else None
    if found is None:
        return None
    scheme, user, password, host, path = found.groups()
    if scheme.lower() not in SCHEMES:
        shown = without_password(url)
        raise ResourceFailure(f"Git uses the password of an HTTP URL only: {shown}")
    start = url[: len(url) - len(path)]
    return Credentials(start, scheme + host, path, unquote(user), unquote(password))


def without_credentials(text: str) -> str:
    """Return a URL without user and password; any other text is unchanged.

    >>> without_credentials("https://anna:secret@web:8443/a.git"), without_credentials("fetch")
    ('https://web:8443/a.git', 'fetch')
    """
    found = credentials_of(text)
    return text if found is None else found.url


def settings_for(urls: Iterable[Value]) -> Iterator[tuple[str, str]]:
    """Yield the settings with which Git uses the credentials of URLs; the last URL is the main one."""
    found = distinct_credentials(urls)
    for one in found:
        yield f"url.{one.host}.insteadof", one.start
    for place in ("host", "url"):
        for number, one in enumerate(found):
            yield f"credential.{getattr(one, place)}.helper", ""
            yield f"credential.{getattr(one, place)}.helper", HELPER.format(number)


def variables_for(urls: Iterable[Value]) -> Iterator[tuple[str, str]]:
    """Yield the environment variables of the helpers."""
    for number, one in enumerate(distinct_credentials(urls)):
        yield f"BUNRAKU_USER_{number}", one.user
        yield f"BUNRAKU_PASSWORD_{number}", one.password


def distinct_credentials(urls: Iterable[Value]) -> list[Credentials]:
    """Return the credentials in URLs, each once."""
    found = dict.fromkeys(map(credentials_of, urls))
    return [one for one in found if one is not None]


def with_url(text: str, remote: str, url: str) -> str:
    r"""Return the text of a configuration in which a remote has another URL.

    >>> with_url('[remote "a"]\n\turl = x\n[remote "b"]\n\turl = y\n', "b", "z")
    '[remote "a"]\n\turl = x\n[remote "b"]\n\turl = z\n'
    """
    value = url.translate(ESCAPES)
    value = f'"{value}"' if QUOTED.search(url) else value
    escaped = remote.replace("\\", "\\\\").replace('"', '\\"')
    section, lines = "", []
    for line in text.splitlines(keepends=True):
        section = line.strip() if line.startswith("[") else section
        name = line.partition("=")[0].strip()
        wanted = section == f'[remote "{escaped}"]' and name == "url"
        lines.append(f"\turl = {value}\n" if wanted else line)
    return "".join(lines)
