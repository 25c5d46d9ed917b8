"""Names in requests: the only ways by which a text from a client becomes part of a path.

```
the path of a URL          decoded_path: no segment . or .., no encoded slash, no NUL, no long name
name of a mount            words and hyphens, a key of a table
name of a module           a key of the modules of the environment
relative path in a mount   from decoded_path, joined to the directory of the mount
environment                words, a key of the environments of the server
%h, %H, %d in a mount      the name in the client's certificate, without slashes
checksum in a filebucket   hexadecimal digits of the right number
original path of a backup  a line of a file, never opened; without control characters
code_id, path of code      arguments of the command of the site, by patterns
source of a file resource  split as puppet:///MOUNT/PATH, refused with .. as a segment
```

Links inside of a mount are followed, as in Puppet: users who may write there decide what is served.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from bunraku.server.failures import Refused
from bunraku.web.http import Response

LONGEST_SEGMENT = 255
"""The most bytes that a file system of Linux allows in a name."""
LONGEST_PATH = 3072
"""The most bytes of a relative path; with the directory of its mount it stays below 4096."""
BAD_ENCODING = re.compile(r"%(?![0-9A-Fa-f]{2})")
ENCODED_SLASH = re.compile(r"%2f", re.IGNORECASE)
SLASHES = re.compile("/{2,}")
MOUNT = re.compile(r"[-\w]+", re.ASCII)
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
RELATIVE = frozenset({".", ".."})


class BadPath(Refused):
    """Raised for the path of a URL that cannot name a file."""

    def __init__(self, reason: str, path: str) -> None:
        super().__init__(400, f"{reason} {path}")

    @property
    def response(self) -> Response:
        """The sentence alone: puppetserver refuses such paths before it knows the route."""
        return Response(self.status, {}, [self.message])


def decoded_path(path: str) -> str:
    """Return the path of a URL decoded, repeated slashes as one; Refused if it is not plain.

    Bytes that are not UTF-8 become surrogates, as in the names of files that Python reads.

    >>> decoded_path("/puppet/v3//file_content/modules/a/b%20c")
    '/puppet/v3/file_content/modules/a/b c'
    """
    if BAD_ENCODING.search(path):
        raise BadPath("Invalid percent-encoding in", path)
    if ENCODED_SLASH.search(path):
        raise BadPath("Encoded slash in", path)
    found = unquote_to_bytes(path).decode("utf-8", "surrogateescape")
    if "\0" in found:
        raise BadPath("NUL in", path)
    segments = found.split("/")
    if not RELATIVE.isdisjoint(segments):
        raise BadPath("Invalid relative path (.. or .) in:", found)
    check_lengths(path, segments)
    return SLASHES.sub("/", found)


def check_lengths(path: str, segments: list[str]) -> None:
    """Raise Refused for names that no file can have."""
    sizes = [len(one.encode("utf-8", "surrogateescape")) for one in segments]
    if max(sizes) > LONGEST_SEGMENT or sum(sizes) + len(sizes) > LONGEST_PATH:
        raise BadPath("Name too long in", path)


def has_climbing(path: str) -> bool:
    """Return whether a relative path has a segment that leads up.

    >>> has_climbing("a/../b"), has_climbing("a/..b")
    (True, False)
    """
    return ".." in path.split("/")
