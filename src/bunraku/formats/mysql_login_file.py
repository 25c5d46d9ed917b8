"""The file ``.mylogin.cnf`` of MySQL: options by login path, which hide from a glance only.

After four bytes of zero comes a key of 20 bytes; then each line of the text, encrypted by itself after
its length. The text is an option file, as ``my.cnf`` is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.formats.aes import BLOCK, decrypted, encrypted

KEY = 20
"""The bytes of the stored key."""
START = bytes(4)
LENGTH = 4
SECTION = lazy_pattern(r"\s*\[([^\]]*)\]")
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
ESCAPED = {"b": "\b", "t": "\t", "n": "\n", "r": "\r", "s": " ", "\\": "\\", '"': '"', "'": "'"}
"""The letters after a backslash in values."""
ESCAPES = str.maketrans(
    {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\", '"': '\\"'}
)


class NoLoginFile(ValueError):
    """Content that is not that of such a file."""


# -- the whole file --------------------------------------------------------------------------------


def cipher_key(key: bytes) -> bytes:
    """Return the key of the cipher: the stored one, folded."""
    folded = bytearray(BLOCK)
    for place, byte in enumerate(key):
        folded[place % BLOCK] ^= byte
    return bytes(folded)


def read_login_file(content: bytes) -> tuple[bytes, str]:
    """Return the key and the text of a file; raise NoLoginFile for other content.

    >>> read_login_file(write_login_file(bytes(20), "[client]\\nuser = a\\n"))[1]
    '[client]\\nuser = a\\n'
    """
    position = len(START) + KEY
    key = content[len(START) : position]
    if len(key) < KEY:
        raise NoLoginFile("it is too short for a key")
    lines = []
    while position < len(content):
        length = int.from_bytes(content[position : position + LENGTH], "little")
        position += LENGTH
        try:
            lines.append(decrypted(content[position : position + length], cipher_key(key)))
        except ValueError as error:
            raise NoLoginFile(str(error)) from None
        position += length
    return key, b"".join(lines).decode("utf-8", "surrogateescape")


def write_login_file(key: bytes, text: str) -> bytes:
    """Return the content of a file."""
    parts = [START, key]
    for line in text.encode("utf-8", "surrogateescape").splitlines(keepends=True):
        hidden = encrypted(line, cipher_key(key))
        parts += [len(hidden).to_bytes(LENGTH, "little"), hidden]
    return b"".join(parts)


# -- the text --------------------------------------------------------------------------------------


def login_sections(text: str) -> dict[str, list[str]]:
    """Return the lines of each login path; those before the first one are of the path ````.

    >>> login_sections("[a]\\nuser = b\\n[c]\\n")
    {'a': ['user = b'], 'c': []}
    """
    found: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for line in text.split("\n"):
        match = SECTION.match(line)
        if match is not None:
            lines = found.setdefault(match[1].strip(), [])
        elif line.strip():
            lines = found.setdefault("", []) if lines is None else lines
            lines.append(line)
    return found


def login_text(sections: Mapping[str, Iterable[str]]) -> str:
    """Return the text with login paths.

    >>> login_text({"a": ["user = b"], "c": []})
    '[a]\\nuser = b\\n[c]\\n'
    """
    lines = []
    for name, content in sections.items():
        lines += [f"[{name}]"] if name else []
        lines += content
    return "".join(f"{line}\n" for line in lines)


def login_options(lines: Iterable[str]) -> dict[str, str]:
    """Return the options in lines, as programs of MySQL read them.

    >>> login_options(["user = a # b", "; no", 'password="c#\\\\"d"', "x"])
    {'user': 'a', 'password': 'c#"d', 'x': ''}
    """
    found: dict[str, str] = {}
    for line in lines:
        text = without_comment(line.strip())
        if text:
            name, _, value = text.partition("=")
            found[name.strip()] = option_value(value.strip())
    return found


def without_comment(line: str) -> str:
    """Return a line without its comment, which does not begin inside of quotes."""
    if line.startswith(";"):
        return ""
    quote, is_escaped = "", False
    for place, letter in enumerate(line):
        if letter in "'\"" and not is_escaped:
            quote = "" if letter == quote else quote or letter
        if letter == "#" and not quote:
            return line[:place].rstrip()
        is_escaped = bool(quote) and letter == "\\" and not is_escaped
    return line


def option_value(value: str) -> str:
    r"""Return a value without quotes and escapes.

    >>> option_value('"a\\tb"'), option_value(r"\s\q")
    ('a\tb', ' \\q')
    """
    if len(value) > 1 and value[0] in "'\"" and value[-1] == value[0]:
        value = value[1:-1]
    return ESCAPE.sub(lambda found: ESCAPED.get(found[1], found[0]), value)


def quoted_option(value: str) -> str:
    r"""Return a value in quotes.

    >>> quoted_option('a#"b\n')
    '"a#\\"b\\n"'
    """
    return f'"{value.translate(ESCAPES)}"'
