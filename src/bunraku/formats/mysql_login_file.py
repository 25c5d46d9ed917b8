"""The file ``.mylogin.cnf`` of MySQL: options by login path, which hide from a glance only.

After four bytes of zero comes a key of 20 bytes; then each line of the text, encrypted by itself after
its length with AES-128. The text is an option file, as ``my.cnf`` is. To read or write a file requires
the package cryptography, which is optional.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from bunraku.base.lazy_patterns import lazy_pattern

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers import Cipher, modes

BLOCK = 16
"""The bytes that the cipher encrypts at once."""
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


def cipher_of(key: bytes) -> Cipher[modes.ECB]:
    """Return the cipher with a stored key, folded. Raise ImportError without the package cryptography."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    folded = bytearray(BLOCK)
    for place, byte in enumerate(key):
        folded[place % BLOCK] ^= byte
    return Cipher(algorithms.AES128(bytes(folded)), modes.ECB())  # noqa: S305 - MySQL's choice


def encrypted(line: bytes, cipher: Cipher[modes.ECB]) -> bytes:
    """Encrypt a line, filled up as PKCS 7 says."""
    missing = BLOCK - len(line) % BLOCK
    return cipher.encryptor().update(line + bytes([missing]) * missing)


def decrypted(content: bytes, cipher: Cipher[modes.ECB]) -> bytes:
    """Decrypt what :func:`encrypted` made; raise NoLoginFile for anything else."""
    if not content or len(content) % BLOCK:
        raise NoLoginFile("the length of a line is not a multiple of 16 bytes")
    found = cipher.decryptor().update(content)
    filled = found[-1]
    if not 1 <= filled <= BLOCK or found[-filled:] != bytes([filled]) * filled:
        raise NoLoginFile("the last block of a line is not filled up")
    return found[:-filled]


def read_login_file(content: bytes) -> tuple[bytes, str]:
    """Return the key and the text of a file; raise NoLoginFile for other content.

    >>> read_login_file(write_login_file(bytes(20), "[client]\\nuser = a\\n"))[1]
    '[client]\\nuser = a\\n'
    """
    position = len(START) + KEY
    key = content[len(START) : position]
    if len(key) < KEY:
        raise NoLoginFile("it is too short for a key")
    cipher, lines = cipher_of(key), []
    while position < len(content):
        length = int.from_bytes(content[position : position + LENGTH], "little")
        position += LENGTH
        lines.append(decrypted(content[position : position + length], cipher))
        position += length
    return key, b"".join(lines).decode("utf-8", "surrogateescape")


def write_login_file(key: bytes, text: str) -> bytes:
    """Return the content of a file."""
    cipher, parts = cipher_of(key), [START, key]
    for line in text.encode("utf-8", "surrogateescape").splitlines(keepends=True):
        hidden = encrypted(line, cipher)
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
