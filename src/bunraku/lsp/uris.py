"""Addresses of documents, and the paths that they name."""

from __future__ import annotations

from urllib.parse import quote, unquote

FILE = "file://"
SAFE = "/-._~!$&'()*+,;=@"


def uri_path(uri: str) -> str:
    """Return the path of a file; the address itself of a document that is not a file.

    >>> uri_path("file:///etc/a%20b.pp"), uri_path("untitled:Untitled-1")
    ('/etc/a b.pp', 'untitled:Untitled-1')
    """
    if not uri.startswith(FILE):
        return uri
    path = uri.removeprefix(FILE)
    if not path.startswith("/"):
        path = path[path.find("/") :]  # the name of a host, such as localhost
    return unquote(path.partition("?")[0].partition("#")[0], errors="surrogateescape")


def path_uri(path: str) -> str:
    """Return the address of a file.

    >>> path_uri("/etc/a b.pp"), path_uri("untitled:Untitled-1")
    ('file:///etc/a%20b.pp', 'untitled:Untitled-1')
    """
    if not path.startswith("/"):
        return path
    return FILE + quote(path.encode("utf-8", "surrogateescape"), safe=SAFE)
