"""Random names of runs and catalogs, without the slow import of ``uuid``."""

from __future__ import annotations

import os


def random_uuid() -> str:
    """Return a random UUID (RFC 4122, version 4).

    >>> len(random_uuid()), random_uuid()[14], random_uuid()[19] in "89ab"
    (36, '4', True)
    """
    data = bytearray(os.urandom(16))
    data[6] = data[6] & 0x0F | 0x40
    data[8] = data[8] & 0x3F | 0x80
    return "-".join(
        (data[:4].hex(), data[4:6].hex(), data[6:8].hex(), data[8:10].hex(), data[10:].hex())
    )
