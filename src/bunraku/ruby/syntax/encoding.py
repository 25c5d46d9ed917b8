"""The encoding of Ruby files: UTF-8, or what a comment at their beginning says.

A byte that is not a letter of the encoding becomes a surrogate, as in all texts of bunraku that may not be
UTF-8. Ruby accepts one in comments only.
"""

from __future__ import annotations

import codecs

from bunraku.base.lazy_patterns import lazy_pattern

MAGIC = lazy_pattern(
    r"\A(?:\xef\xbb\xbf)?(?:#![^\n]*\n)?[ \t]*#[^\n]*?coding[:=][ \t]*[\"']?([\w.-]+)"
)
"""A comment on the first line, or on the second after ``#!``. (``parse.y``: ``magic_comment``.)"""
KNOWN = lazy_pattern(
    r"utf-8(?:-mac|-hfs)?|utf8-mac|cp65001|us-ascii|ascii|ansi_x3\.4-1968|646|ascii-8bit|binary"
    r"|iso-?8859-\d+|windows-(?:\d+|31j)|cp\d+|ibm\d+|euc-?(?:jp|kr|tw|cn)|euc-jp-ms|shift_jis|sjis|big5"
    r"|gbk|gb2312|gb12345|gb18030|koi8-[ru]|mac\w+|tis-620|cesu-8|stateless-iso-2022-jp"
)
"""Names of encodings that Ruby knows, in small letters."""
UNCHECKED = "latin-1"
"""Reads all bytes; for encodings that Python lacks."""


def source_text(content: bytes) -> str:
    """Return the text of a Ruby file.

    >>> source_text(b"# encoding: iso-8859-1\\na = '\\xe9'")
    "# encoding: iso-8859-1\\na = 'é'"
    """
    name = encoding_name(content)
    if name is None or not KNOWN.fullmatch(name) or name.startswith(("utf-8", "utf8")):
        return content.decode("utf-8", "surrogateescape")
    if name in ("ascii-8bit", "binary"):
        return content.decode(UNCHECKED)
    try:
        return content.decode(codecs.lookup(name).name, "surrogateescape")
    except (LookupError, UnicodeDecodeError):
        return content.decode(UNCHECKED)


def encoding_name(content: bytes) -> str | None:
    """Return the name of the encoding in a comment, in small letters; None without one."""
    found = MAGIC.match(content[:1000].decode(UNCHECKED))
    return None if found is None else found[1].lower().removesuffix("-unix").removesuffix("-dos")


def has_unknown_encoding(content: bytes) -> bool:
    """Return whether the comment names an encoding that Ruby does not know."""
    name = encoding_name(content)
    return name is not None and KNOWN.fullmatch(name) is None
