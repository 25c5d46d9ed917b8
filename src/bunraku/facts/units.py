"""Numbers as facts show them to people: ``22.95 GiB``, ``2.50 GHz``, ``3.12%``."""

from __future__ import annotations

import math

BINARY = ("KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
METRIC = ("", "k", "M", "G", "T")


def human_bytes(count: int) -> str:
    """Return a number of bytes.

    >>> human_bytes(1023), human_bytes(24640729088), human_bytes(1024**2 - 1)
    ('1023 bytes', '22.95 GiB', '1.00 MiB')
    """
    if count < 1024:
        return f"{count} bytes"
    power = int(math.log2(count) // 10)
    number = math.floor(100 * count / 1024**power + 0.5) / 100
    if number == 1024 and power < len(BINARY):
        power, number = power + 1, 1.0
    return f"{number:.2f} {BINARY[power - 1]}"


def human_hertz(count: int) -> str:
    """Return a frequency.

    >>> human_hertz(2_500_000_000)
    '2.50 GHz'
    """
    power = int(math.log10(count) // 3)
    return f"{count / 1000**power:.2f} {METRIC[power]}Hz"


def share(used: int, total: int) -> str:
    """Return a part of a whole, in hundredths.

    >>> share(0, 10), share(1, 3), share(2, 2)
    ('0%', '33.33%', '100%')
    """
    if used == total:
        return "100%"
    return f"{used / total * 100:.2f}%" if used > 0 else "0%"
