"""Uniform resource identifiers."""

from __future__ import annotations

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.values import issues

UNRESERVED = r"A-Za-z0-9\-._~"
PERCENT = r"%[0-9A-Fa-f]{2}"
SUB = r"!$&'()*+,;="
PCHAR = rf"(?:[{UNRESERVED}{SUB}:@]|{PERCENT})"
URI_TEXT = lazy_pattern(
    rf"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*):)?"
    rf"(?P<authority>//(?:(?P<userinfo>(?:[{UNRESERVED}{SUB}:]|{PERCENT})*)@)?"
    rf"(?P<host>\[[0-9A-Fa-f:.]+\]|(?:[{UNRESERVED}{SUB}]|{PERCENT})*)(?::(?P<port>\d*))?(?=[/?#]|\Z))?"
    rf"(?(authority)|(?!//))(?P<path>(?:{PCHAR}|/)*)"
    rf"(?:\?(?P<query>(?:{PCHAR}|[/?])*))?"
    rf"(?:\#(?P<fragment>(?:{PCHAR}|[/?])*))?\Z"
)
DEFAULT_PORTS = {
    "http": 80,
    "https": 443,
    "ftp": 21,
    "ldap": 389,
    "ldaps": 636,
    "ws": 80,
    "wss": 443,
}


class URI:
    """``scheme://userinfo@host:port/path?query#fragment``, or ``scheme:opaque``.

    >>> URI.parse("http://a:80/b?c").path
    '/b'
    >>> str(URI.parse("HTTP://A:80/b"))
    'http://A/b'
    """

    __slots__ = (
        "fragment", "host", "opaque", "path", "port", "query", "scheme", "userinfo",
    )  # fmt: skip

    ATTRIBUTES = (
        "scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque",
    )  # fmt: skip

    def __init__(
        self,
        scheme: str | None = None,
        userinfo: str | None = None,
        host: str | None = None,
        port: int | None = None,
        path: str | None = None,
        query: str | None = None,
        fragment: str | None = None,
        opaque: str | None = None,
    ) -> None:
        self.scheme = scheme.lower() if scheme is not None else None
        self.userinfo = userinfo
        self.host = host
        self.port = port
        self.path = path
        self.query = query
        self.fragment = fragment
        self.opaque = opaque

    @classmethod
    def parse(cls, text: str) -> URI:
        """Return the URI that a string spells; raise URI_INVALID if it is invalid."""
        if not text.isascii():
            raise issues.INVALID_URI(text=text, reason="it has characters that are not ASCII")
        match = URI_TEXT.match(text)
        if match is None or (not match["scheme"] and starts_like_scheme(text)):
            raise issues.INVALID_URI(
                text=text, reason="it contains a character that is not allowed there"
            )
        scheme, path = match["scheme"], match["path"]
        if scheme and match["authority"] is None and path and not path.startswith("/"):
            opaque = path if match["query"] is None else f"{path}?{match['query']}"
            return cls(scheme, fragment=match["fragment"], opaque=opaque)
        port = int(match["port"]) if match["port"] else None
        host = match["host"] or None
        if port is None and host is not None and scheme:
            port = DEFAULT_PORTS.get(scheme.lower())
        return cls(
            scheme, match["userinfo"], host, port, path, match["query"], match["fragment"]
        ).with_empty_host(match["authority"] is not None and scheme == "file")

    def with_empty_host(self, empty: bool) -> URI:
        """Set an empty host if requested (``file:///a``); return this URI."""
        if empty and self.host is None:
            self.host = ""
        return self

    @classmethod
    def from_parts(cls, parts: dict[str, str | int]) -> URI:
        """Return the URI of named parts; its path is absolute where there is a host."""
        values = dict(parts)
        path = values.get("path")
        if path is not None and "scheme" in values and not str(path).startswith("/"):
            raise issues.INVALID_URI(text=path, reason="the path must begin with '/'")
        uri = cls(**values)  # type: ignore[arg-type]
        if uri.port is None and uri.host is not None and uri.scheme:
            uri.port = DEFAULT_PORTS.get(uri.scheme)
        if uri.path is None and uri.opaque is None:
            uri.path = ""
        return uri

    def merge(self, other: URI | str) -> URI:
        """Return another URI resolved against this one, as ``+`` does.

        >>> str(URI.parse("http://a/b/").merge("c"))
        'http://a/b/c'
        """
        from urllib.parse import urljoin  # slow to import, and rarely needed

        return URI.parse(urljoin(str(self), str(other)))

    def parts(self) -> dict[str, str | int]:
        """Return the parts that are present, by name."""
        found = {name: getattr(self, name) for name in self.ATTRIBUTES}
        return {name: part for name, part in found.items() if part is not None and part != ""}

    def __str__(self) -> str:
        text = f"{self.scheme}:" if self.scheme is not None else ""
        if self.opaque is not None:
            text += self.opaque
        else:
            if self.host is not None:
                text += (
                    "//" + (f"{self.userinfo}@" if self.userinfo is not None else "") + self.host
                )
                if self.port is not None and self.port != DEFAULT_PORTS.get(self.scheme or ""):
                    text += f":{self.port}"
            text += self.path or ""
            if self.query is not None:
                text += "?" + self.query
        return text if self.fragment is None else f"{text}#{self.fragment}"

    def __repr__(self) -> str:
        return f"URI('{self}')"

    def key(self) -> tuple[object, ...]:
        """Return the key of equality: scheme and host are case-insensitive."""
        host = self.host.lower() if self.host is not None else None
        return (
            self.scheme, self.userinfo, host, self.port, self.path or "", self.query,
            self.fragment, self.opaque,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, URI) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash((URI, self.key()))


def starts_like_scheme(text: str) -> bool:
    """Return whether the first segment of a path has a colon, which only a scheme may have."""
    colon = text.find(":")
    return colon >= 0 and not any(0 <= text.find(mark) < colon for mark in "/?#")
