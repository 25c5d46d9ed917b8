"""Text in XML."""

from __future__ import annotations

from bunraku.base.lazy_patterns import lazy_pattern

INVALID = lazy_pattern(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""


def xml_text(text: str, replacement: str = "\ufffd") -> str:
    """Return a text with a replacement for each character that XML 1.0 does not allow.

    >>> xml_text("a\\0b")
    'a\ufffdb'
    """
    return INVALID.sub(replacement, text)
