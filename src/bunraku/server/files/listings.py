"""Listings of directories: the descriptions of what they contain, made again only after a change.

Every run of every agent asks for the listings of all plugins, thousands of files. To look whether each of
them has changed takes a tenth of the time that describing them takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import time_ns

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.records import record
from bunraku.providers.file.walk import FoundEntry, walk_directory
from bunraku.server.failures import Refused
from bunraku.server.files.metadata import Description, Metadata
from bunraku.server.files.mounts import MERGED, Key, empty_roots
from bunraku.server.files.options import FileOptions
from bunraku.world.file_signatures import Signature, is_unchanged, signature_of

SIGNED = frozenset({"file", "directory"})
"""The kinds of entries whose signatures show each change; that of a link is the signature of its target."""
MOST_ENTRIES = 50_000
"""Entries of all listings that are kept, about a kilobyte each."""


@record(frozen=True)
class KeptListing:
    """Descriptions, and the signatures of all files and directories that they depend on."""

    descriptions: list[Metadata]
    signatures: dict[str, Signature]

    def is_current(self) -> bool:
        """Return whether no file and no directory has changed."""
        return all(is_unchanged(path, known) for path, known in self.signatures.items())


LISTINGS: BoundedCache[tuple[tuple[str, ...], FileOptions], KeptListing] = BoundedCache(
    "listings of served directories", 32
)
"""Roots and options → their listing."""


def listed(key: Key, roots: Sequence[str], options: FileOptions) -> list[Metadata]:
    """Return the descriptions of directories and of their entries, merged; callers do not change them."""
    if not roots:
        assert key.mount in MERGED
        roots = empty_roots(key)
        options = FileOptions(options.checksum, options.follow, options.own_permissions)
    name = (tuple(roots), options)
    known = LISTINGS.get(name)
    if known is not None and known.is_current():
        return known.descriptions
    began = time_ns()
    warnings: list[str] = []
    listings = [
        (Description(key, options, root), entries(key, root, options, warnings)) for root in roots
    ]
    found = [description.of_entry(one) for description, one in merged(listings)]
    for text in warnings:
        key.files.log("warning", text)
    signatures = signatures_of([one for _, listing in listings for one in listing], began)
    if signatures is not None and not warnings:  # which each request gets
        keep_listing(name, KeptListing(found, signatures))
    return found


def keep_listing(
    name: tuple[tuple[str, ...], FileOptions], listing: KeptListing, most: int = MOST_ENTRIES
) -> None:
    """Keep a listing if it is not too long; without the others if all are too long together."""
    size = len(listing.signatures)
    if size + sum(len(one.signatures) for one in LISTINGS.values()) > most:
        LISTINGS.clear()
    if size <= most:
        LISTINGS.keep(name, listing)


def signatures_of(found: Sequence[FoundEntry], since: int) -> dict[str, Signature] | None:
    """Return the signatures of entries; None if one is unreliable, or of a change after a time."""
    if len(found) > MOST_ENTRIES:
        return None
    signatures = {}
    for one in found:
        signature = signature_of(one.path, since) if one.status.kind in SIGNED else None
        if signature is None:
            return None
        signatures[one.path] = signature
    return signatures


def merged(
    listings: Sequence[tuple[Description, list[FoundEntry]]],
) -> list[tuple[Description, FoundEntry]]:
    """Return the entries of several roots; of those with the same relative path the first."""
    found: dict[str, tuple[Description, FoundEntry]] = {}
    for description, listing in listings:
        for one in listing:
            found.setdefault(one.relative, (description, one))
    return list(found.values())


def entries(key: Key, root: str, options: FileOptions, warnings: list[str]) -> list[FoundEntry]:
    """Return a root and its entries as far as the options go; Refused if it is a dangling link."""
    found = walk_directory(
        key.files.host,
        root.rstrip("/"),
        ignore=options.ignore,
        levels=options.levels if options.recurse else 0,
        follow=options.follow,
        max_files=options.most if options.recurse else -1,
        warn=warnings.append,
    )
    if not found:
        raise Refused(500, "Fileset paths must exist")
    return found
