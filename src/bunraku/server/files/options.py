"""The parameters of requests for metadata."""

from __future__ import annotations

from bunraku.base.records import record
from bunraku.providers.checksums import KINDS
from bunraku.server.failures import Refused
from bunraku.web.http import Request

PERMISSIONS = frozenset({"use", "use_when_creating", "ignore"})
LINKS = frozenset({"manage", "follow"})
TRUE, FALSE = "true", "false"
DIGITS = 18
"""More digits than this do not make a number larger: no directory has so many entries."""


@record(frozen=True)
class FileOptions:
    """How files are described, and how far a listing goes.

    ``recurse`` lists the entries of directories, ``levels`` deep or without limit; more than
    ``most`` entries are an error, 0 and negative numbers mean no limit.
    """

    checksum: str
    follow: bool = False
    own_permissions: bool = False
    recurse: bool = False
    levels: int | None = None
    most: int = 0
    ignore: tuple[str, ...] = ()

    @property
    def links(self) -> str:
        """What is done with links."""
        return "follow" if self.follow else "manage"


def find_options(request: Request, digest: str) -> FileOptions:
    """Return how a request wants one file described; Refused for unknown values."""
    links = request.parameters.get("links", "manage")
    if links not in LINKS and links != "ignore":
        raise Refused(500, ":links can only be set to :manage or :follow")
    return FileOptions(
        checked_kind(request.parameters.get("checksum_type", digest), digest),
        links == "follow",
        has_own_permissions(request.parameters.get("source_permissions", "ignore")),
    )


def search_options(request: Request, digest: str, *, is_empty: bool = False) -> FileOptions:
    """Return which entries a request wants and how they are described; Refused as find_options.

    Where nothing has entries (``is_empty``), it does not matter which ones are wanted.
    """
    parameters = request.parameters
    links = parameters.get("links", "manage")
    if links not in LINKS:
        raise Refused(500, f"Invalid :links value '{links}'")
    recurse = FALSE if is_empty else parameters.get("recurse", FALSE)
    if is_numeric_parameter(recurse):
        reason = "must not be a number anymore, please use recurselimit"
        raise Refused(500, f"Fileset recurse parameter {reason}")
    return FileOptions(
        checked_kind(parameters.get("checksum_type", digest), digest),
        links == "follow",
        has_own_permissions(parameters.get("source_permissions", "ignore")),
        recurse != FALSE,
        limit_of_levels(parameters.get("recurselimit")) if recurse != FALSE else None,
        limit_of_entries(parameters.get("max_files", "0")),
        tuple(value for name, value in request.pairs if name == "ignore"),
    )


def checked_kind(kind: str, digest: str) -> str:
    """Return the kind of a checksum; ``false`` counts as absent, as Puppet reads it."""
    if kind == FALSE:
        return digest
    if kind not in KINDS:
        raise Refused(500, f"Unsupported checksum type {kind}")
    return kind


def has_own_permissions(value: str) -> bool:
    """Return whether owner and mode are those of the source."""
    if value == FALSE:
        return False
    if value not in PERMISSIONS:
        raise Refused(500, f"Unsupported source_permission {value}")
    return value != "ignore"


def limit_of_levels(text: str | None) -> int | None:
    """Return how deep a listing goes; None for all levels."""
    if text is None:
        return None
    if not is_numeric_parameter(text):
        what = text if text in {TRUE, FALSE} else "String"
        raise Refused(500, f"comparison of Integer with {what} failed")
    return int(text[:DIGITS])


def limit_of_entries(text: str) -> int:
    """Return the largest number of entries."""
    if text == "-1":
        return -1
    if not is_numeric_parameter(text):
        raise Refused(500, "comparison of String with 0 failed")
    return int(text[:DIGITS])


def is_numeric_parameter(text: str) -> bool:
    """Return whether Puppet reads a parameter as a number."""
    return text.isascii() and text.isdigit()
