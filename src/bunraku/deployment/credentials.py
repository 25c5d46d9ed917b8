"""Credentials in URLs, which no message, log or file may show."""

from __future__ import annotations

from bunraku.base.lazy_patterns import lazy_pattern

SCHEME = lazy_pattern(r"([A-Za-z0-9+.-]+)://")
PASSWORD = lazy_pattern(r"(?<=://)([^/:@\s]*):[^/@\s]*(?:@[^/@\s]*)*(?=@)")


def without_password(text: str) -> str:
    """Return a text with the passwords of its URLs replaced by asterisks; user names stay.

    >>> without_password(
    ...     "fatal: cannot read https://me:a@b@example.com/x.git and ssh://git@example.com"
    ... )
    'fatal: cannot read https://me:***@example.com/x.git and ssh://git@example.com'
    """
    return PASSWORD.sub(r"\1:***", text)


def without_credentials(address: str) -> str:
    """Return an address as it may be shown and stored: without passwords, and users of HTTP.

    The user of ssh and of other transports is a part of the address.

    >>> without_credentials("https://me:secret@git.example.com/a.git")
    'https://git.example.com/a.git'
    >>> without_credentials("git@git.example.com:a.git"), without_credentials("ssh://git:x@web/a")
    ('git@git.example.com:a.git', 'ssh://git@web/a')
    """
    found = SCHEME.match(address)
    if found is None:
        return address
    host, slash, path = address[found.end() :].partition("/")
    user, at, name = host.rpartition("@")
    if not at:
        return address
    login = user.partition(":")[0]
    stays = login and found[1].lower() not in {"http", "https"}
    return f"{found[0]}{f'{login}@' if stays else ''}{name}{slash}{path}"


def public_address(address: str) -> str:
    """Return an address without credentials and without a query, which may have a token.

    >>> public_address("https://me:secret@example.com/a.tar.gz?token=secret")
    'https://example.com/a.tar.gz'
    """
    plain = without_credentials(address)
    return plain.partition("?")[0].partition("#")[0] if SCHEME.match(plain) else plain
