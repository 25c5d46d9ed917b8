"""Show the caches: compiled manifests and templates, and the store of modules; remove or check them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any

from bunraku.base import cache_size
from bunraku.base.cache_size import Contents
from bunraku.base.disk_cache import MIB, NO_HOME, BadLimit, DiskCache, size_limit
from bunraku.base.excerpt import visible
from bunraku.base.private_folder import NotPrivate
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.declarations import DATA_FORMATS, GENERAL, TEXT, Rules
from bunraku.cli.output.output import write, write_error
from bunraku.deployment.store import store_directory
from bunraku.deployment.store_care import StoreSize, prune_store, store_size, verify_store
from bunraku.formats.json import json_text
from bunraku.jobs.cache_file import export_cache, import_cache

OPTIONS = f"""
action: show: print the directories, whether they are used, their entries and their size; clear:
    remove the entries of the cache of code; prune: remove from the store of modules what no
    deployment needs; verify: read the store of modules, and remove what is damaged; export: write
    the entries of the cache of code to FILE; import: add those of FILE (default: show)
file [FILE]: the file of export and import
--cachedir DIRECTORY: the store of modules to use
--format: output format (default: text)
{GENERAL}
"""


def run(options: argparse.Namespace) -> int:
    """Do the action; exit with 1 if something was damaged."""
    if (options.action in FILE_ACTIONS) != bool(options.file):
        problem = "does not take a FILE" if options.file else "requires FILE"
        raise UsageError(f"{options.action} {problem}", "cache")
    if options.action in FILE_ACTIONS:
        data, lines = FILE_ACTIONS[options.action](options.file)
    elif options.action in STORE_ACTIONS:
        data, lines = STORE_ACTIONS[options.action](options.cachedir)
    else:
        data, lines = ACTIONS[options.action](DiskCache())
        if options.action == "show":
            more, text = store_state(options.cachedir)
            data, lines = {**data, "modules": more}, [*lines, *text]
    if options.format == "json":
        write(json_text({"schema": 1, **data}, indent=True) + "\n")
    else:
        write("".join(f"{line}\n" for line in lines))
    return exits.FINDINGS if data.get("damaged") else exits.OK


def cache_state(cache: DiskCache) -> tuple[dict[str, Any], list[str]]:
    """Return the state of the cache, as data and as text."""
    reason = cache.reason()
    contents = contents_of(cache)
    try:
        limit: int | None = size_limit()
    except BadLimit:
        limit = None
    data = {
        "folder": cache.folder,
        "used": reason is None,
        "reason": reason,
        "entries": None if contents is None else contents.entries,
        "bytes": None if contents is None else contents.bytes,
        "limit": limit,
    }
    lines = [
        f"folder:  {visible(cache.folder or 'none')}",
        f"used:    {'yes' if reason is None else f'no: {visible(reason)}'}",
    ]
    if contents is not None:
        lines += [f"entries: {contents.entries}", f"size:    {size_text(contents.bytes)}"]
    if limit is not None:
        lines.append(f"limit:   {size_text(limit)}")
    return data, lines


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


def clear(cache: DiskCache) -> tuple[dict[str, Any], list[str]]:
    """Remove the entries; return the removed ones, for programs and for people.

    Raises UsageError for a folder that is not a private cache of this user.
    """
    if cache.folder is None:
        raise UsageError(NO_HOME, "cache")
    folder = visible(cache.folder)
    try:
        removed = in_folder(cache, cache_size.clear)
    except FileNotFoundError:
        removed = Contents()
    except NotPrivate as error:
        raise UsageError(
            f"cannot clear {folder}: {visible(str(error))}, so its files may not be those of "
            "bunraku; remove the directory yourself",
            "cache",
        ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot clear {folder}: {reason}", "cache") from error
    if removed.others:
        count = f"{removed.others} file{'s are' if removed.others > 1 else ' is'}"
        write_error(f"note: {count} not of the cache and left in {folder}\n")
    data = {
        "folder": cache.folder,
        "entries": removed.entries,
        "bytes": removed.bytes,
        "others": removed.others,
    }
    count = f"{removed.entries} {'entry' if removed.entries == 1 else 'entries'}"
    return data, [f"removed {count} ({size_text(removed.bytes)}) from {folder}"]


def store_state(cachedir: str) -> tuple[dict[str, Any], list[str]]:
    """Return what the store of modules has, as data and as text."""
    directory = store_directory(cachedir)
    found = store_size(directory)
    if found is None:
        return {"folder": directory, "exists": False}, []
    data = {"folder": directory, "exists": True, **store_data(found)}
    return data, [
        f"modules: {visible(directory)}",
        f"  {store_text(found)}",
        f"  used by {number_with_noun(found.bases, 'base directory', 'base directories')}",
    ]


def store_data(found: StoreSize) -> dict[str, int]:
    """Return the numbers of a store for programs."""
    names = ("files", "bytes", "trees", "remotes", "cache_bytes", "bases")
    return {name: getattr(found, name) for name in names}


def store_text(found: StoreSize) -> str:
    """Return what a store has, or what was removed from it."""
    files = number_with_noun(found.files, "file", "files")
    trees = number_with_noun(found.trees, "tree", "trees")
    remotes = number_with_noun(found.remotes, "git remote", "git remotes")
    downloads = size_text(found.cache_bytes)
    return f"{files} ({size_text(found.bytes)}), {trees}, {remotes} and downloads ({downloads})"


def number_with_noun(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else many}"


def wait_for_deployment() -> None:
    """Say why nothing happens."""
    write_error("note: waiting for a deployment that uses the store\n")


def prune_modules(cachedir: str) -> tuple[dict[str, Any], list[str]]:
    """Remove what no deployment needs from the store of modules."""
    directory = store_directory(cachedir)
    found = prune_store(directory, wait_for_deployment)
    data = {"folder": directory, **store_data(found)}
    return data, [f"removed from {visible(directory)}: {store_text(found)}"]


def verify_modules(cachedir: str) -> tuple[dict[str, Any], list[str]]:
    """Read the store of modules and remove what is damaged."""
    directory = store_directory(cachedir)
    found = verify_store(directory, wait_for_deployment)
    lines = [f"damaged, removed: {visible(path)}" for path in found.damaged]
    lines.append(f"{found.checked} checked, {len(found.damaged)} damaged")
    return {"folder": directory, "checked": found.checked, "damaged": list(found.damaged)}, lines


def export_to(path: str) -> tuple[dict[str, Any], list[str]]:
    """Write the entries of the cache of code to a file."""
    data = export_cache(path)
    count = number_with_noun(data["entries"], "entry", "entries")
    return data, [f"exported {count} to {visible(path)} ({size_text(data['bytes'])})"]


def import_from(path: str) -> tuple[dict[str, Any], list[str]]:
    """Add the entries of a file to the cache of code."""
    data = import_cache(path)
    count = number_with_noun(data["entries"], "entry", "entries")
    return data, [f"imported {count} from {visible(path)}: {data['new']} of them new"]


def size_text(size: int) -> str:
    """Return a number of bytes in KiB or MiB.

    >>> size_text(0), size_text(12288), size_text(5 * MIB // 2), size_text(512 * MIB)
    ('0 KiB', '12 KiB', '2.5 MiB', '512 MiB')
    """
    value, unit = (size / 1024, "KiB") if size < MIB else (size / MIB, "MiB")
    return f"{f'{value:.1f}'.removesuffix('.0')} {unit}"


ACTIONS: dict[str, Callable[[DiskCache], tuple[dict[str, Any], list[str]]]] = {
    "show": cache_state,
    "clear": clear,
}
FILE_ACTIONS = {"export": export_to, "import": import_from}
STORE_ACTIONS = {"prune": prune_modules, "verify": verify_modules}
RULES: Rules = {
    "action": {
        "nargs": "?",
        "default": "show",
        "choices": [*ACTIONS, *STORE_ACTIONS, *FILE_ACTIONS],
    },
    "cachedir": TEXT,
    "format": DATA_FORMATS,
}
