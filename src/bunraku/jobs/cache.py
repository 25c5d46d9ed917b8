"""The caches: their state, and how they become smaller. Results are data for programs."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from bunraku.base import cache_size
from bunraku.base.cache_size import Contents
from bunraku.base.disk_cache import NO_HOME, BadLimit, DiskCache, size_limit
from bunraku.base.excerpt import visible
from bunraku.base.private_folder import NotPrivate
from bunraku.base.usage import UsageError
from bunraku.deployment.store import store_directory
from bunraku.deployment.store_care import StoreSize, prune_store, store_size, verify_store

COMMAND = "cache"


def code_cache_state() -> dict[str, Any]:
    """Return whether the cache of code is used, and what it has."""
    cache = DiskCache()
    contents = contents_of(cache)
    try:
        limit: int | None = size_limit()
    except BadLimit:
        limit = None
    reason = cache.reason()
    return {
        "folder": cache.folder,
        "used": reason is None,
        "reason": reason,
        "entries": None if contents is None else contents.entries,
        "bytes": None if contents is None else contents.bytes,
        "limit": limit,
    }


def in_folder(cache: DiskCache, action: Callable[[int], Contents]) -> Contents:
    """Apply an action to the open folder of a cache and return its result."""
    handle = cache.folder_of_entries()
    try:
        return action(handle)
    finally:
        os.close(handle)


def contents_of(cache: DiskCache) -> Contents | None:
    """Return the content of the cache; None if it cannot be read."""
    if cache.folder is None:
        return None
    try:
        return in_folder(cache, cache_size.contents)
    except FileNotFoundError:
        return Contents()
    except (NotPrivate, OSError, ValueError):
        return None


def clear_code_cache() -> dict[str, Any]:
    """Remove the entries of the cache of code; return what was removed, and the number of other files.

    Raises UsageError for a folder that is not a private cache of this user.
    """
    cache = DiskCache()
    if cache.folder is None:
        raise UsageError(NO_HOME, COMMAND)
    folder = visible(cache.folder)
    try:
        removed = in_folder(cache, cache_size.clear)
    except FileNotFoundError:
        removed = Contents()
    except NotPrivate as error:
        raise UsageError(
            f"cannot clear {folder}: {visible(str(error))}, so its files may not be those of "
            "bunraku; remove the directory yourself",
            COMMAND,
        ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot clear {folder}: {reason}", COMMAND) from error
    return {
        "folder": cache.folder,
        "entries": removed.entries,
        "bytes": removed.bytes,
        "others": removed.others,
    }


def module_store_state(cachedir: str = "") -> dict[str, Any]:
    """Return what the store of modules has."""
    directory = store_directory(cachedir)
    found = store_size(directory)
    if found is None:
        return {"folder": directory, "exists": False}
    return {"folder": directory, "exists": True, **store_data(found)}


def store_data(found: StoreSize) -> dict[str, int]:
    """Return the numbers of a store."""
    names = ("files", "bytes", "trees", "remotes", "cache_bytes", "bases")
    return {name: getattr(found, name) for name in names}


def prune_module_store(cachedir: str, waiting: Callable[[], None]) -> dict[str, Any]:
    """Remove what no deployment needs; ``waiting`` is called if a deployment uses the store."""
    directory = store_directory(cachedir)
    return {"folder": directory, **store_data(prune_store(directory, waiting))}


def verify_module_store(cachedir: str, waiting: Callable[[], None]) -> dict[str, Any]:
    """Read the store of modules and remove what is damaged."""
    directory = store_directory(cachedir)
    found = verify_store(directory, waiting)
    return {"folder": directory, "checked": found.checked, "damaged": list(found.damaged)}
