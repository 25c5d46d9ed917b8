"""The cache on disk in a file, for the next machine of a CI system: export and import."""

from __future__ import annotations

from bunraku.base.cache_archive import BadArchive, archive_of, take_over
from bunraku.base.cache_key import key_for, why_unfit
from bunraku.base.disk_cache import NO_HOME, DiskCache, size_limit
from bunraku.base.excerpt import visible
from bunraku.base.file_reading import read_whole
from bunraku.base.usage import UsageError
from bunraku.engine.kept_catalogs import OWN_KEY, program
from bunraku.world.whole_files import KEY_MODE, write_whole

COMMAND = "cache"
PURPOSE = "archives"
HINT = "a secret of the CI system, for example from 'openssl rand -hex 32'"


def export_cache(path: str) -> dict[str, int]:
    """Write the entries of the cache to a file; return the number of entries and bytes."""
    key = key_of_archives()
    cache = usable_cache()
    folder = cache.opened(create=True)
    assert folder is not None
    limit = size_limit()
    number, content = archive_of(
        folder.handle, program(), key, limit=limit, left_out={f"{OWN_KEY}.data"}
    )
    try:
        write_whole(path, content, mode=KEY_MODE)
    except OSError as error:
        raise UsageError(
            f"cannot write {visible(path)}: {words_of_error(error)}", COMMAND
        ) from error
    return {"entries": number, "bytes": len(content)}


def import_cache(path: str) -> dict[str, int]:
    """Add the entries of a file to the cache; return the number of entries, and of those that are new.

    Raises UsageError for a file that is not to be trusted; then nothing is added.
    """
    key = key_of_archives()
    cache = usable_cache()
    limit = size_limit()
    try:
        content = read_whole(path, limit)
        entries, new = take_over(cache, content, program(), key, limit)
    except OSError as error:
        raise UsageError(
            f"cannot read {visible(path)}: {words_of_error(error)}", COMMAND
        ) from error
    except BadArchive as reason:
        raise UsageError(f"cannot import {visible(path)}: {reason}", COMMAND) from reason
    return {"entries": entries, "new": new}


def words_of_error(error: OSError) -> str:
    """Return what is wrong, without the path."""
    return error.strerror or str(error)


def key_of_archives() -> bytes:
    """Return the key of files; UsageError without a secret."""
    unfit, key = why_unfit(), key_for(PURPOSE)
    if unfit or key is None:
        raise UsageError(f"{unfit} (hint: {HINT})", COMMAND)
    return key


def usable_cache() -> DiskCache:
    """Return the cache; UsageError if it cannot be used."""
    cache = DiskCache()
    if cache.opened(create=True) is None:
        reason = cache.reason() or NO_HOME
        raise UsageError(f"the cache on disk is not used: {visible(reason)}", COMMAND)
    return cache
