"""Names that are found by parsing many manifests, kept in the cache on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b

from bunraku.base.disk_cache import DiskCache
from bunraku.compiler.code_names import program_fingerprint
from bunraku.dialects.dialect import Dialect
from bunraku.engine.dialects import stable_text

READERS = ("syntax", "dialects", "project", "workbench/ci", "workbench/analysis")
"""The parts of the package that influence the names."""


def kept_names(
    purpose: str, texts: Mapping[str, str], dialect: Dialect, find: Callable[[], list[str]]
) -> list[str]:
    """Return the names that ``find`` returns: they depend on the texts by path, the dialect and the purpose only."""
    disk = DiskCache()
    if disk.opened(create=True) is None:
        return find()
    key = name_of_entry(purpose, texts, dialect)
    known = disk.read_data(key)
    if isinstance(known, tuple):
        return list(known)
    found = find()
    disk.write_data(key, tuple(found))
    return found


def name_of_entry(purpose: str, texts: Mapping[str, str], dialect: Dialect) -> str:
    """Return the name of the entry."""
    digest = blake2b(digest_size=20)
    start = (purpose, program_fingerprint(READERS), stable_text(dialect))
    for part in (*start, *[part for item in texts.items() for part in item]):
        content = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d " % len(content) + content)
    return digest.hexdigest()
