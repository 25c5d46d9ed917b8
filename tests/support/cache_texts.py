"""The texts in the entries of the cache on disk."""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from pathlib import Path

from bunraku.base.disk_cache import DiskCache


def texts_on_disk() -> str:
    """Return all texts in entries of the cache."""
    disk, found = DiskCache(), []
    for path in (Path(os.environ["XDG_CACHE_HOME"]) / "bunraku").rglob("*"):
        if path.is_file():
            found.append(path.read_bytes().decode("latin-1"))
            collect_texts(disk.read_data(path.stem), found)
    return "\n".join(found)


def collect_texts(value, found):
    """Collect the texts and the compressed texts in data."""
    if isinstance(value, str):
        found.append(value)
    elif isinstance(value, bytes):
        with suppress(zlib.error):
            found.append(zlib.decompress(value).decode(errors="replace"))
    elif isinstance(value, list | tuple):
        for one in value:
            collect_texts(one, found)
