"""Values as Puppet source code."""

from __future__ import annotations

from typing import Any

from bunraku.base.records import record
from bunraku.values.binary import Binary
from bunraku.values.default import Default
from bunraku.values.keys import pairs
from bunraku.values.numbers import float_text
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer, SemVerRange

Value = Any
PLAIN_STRINGS = str.maketrans({"\\": "\\\\", "'": "\\'"})
ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\", "$": "\\$"}


@record(frozen=True)
class Code:
    """Puppet code that stands for a value which only a compile has, such as a reference.

    >>> literal([Code("Package['ntp']")])
    "[Package['ntp']]"
    """

    text: str


CONSTRUCTED = (Binary, SemVer, SemVerRange, Timespan, Timestamp, URI)


def literal(value: Value) -> str:
    r"""Return Puppet code whose value is the given one; secrets are in clear.

    Raise TypeError for a value without a literal, such as a Python object.

    >>> print(literal({"a": [1, True, None, "it's\n"]}))
    { 'a' => [1, true, undef, "it's\n"] }
    >>> literal(Sensitive("pw")), literal(Regexp("^a/b"))
    ("Sensitive('pw')", '/^a\\/b/')
    """
    match value:
        case None:
            return "undef"
        case bool():
            return "true" if value else "false"
        case str():
            return string_literal(value)
        case int():
            return str(value)
        case float():
            return float_text(value)
        case list() | tuple():
            return f"[{', '.join(map(literal, value))}]"
        case dict():
            entries = [f"{literal(key)} => {literal(item)}" for key, item in pairs(value)]
            return f"{{ {', '.join(entries)} }}" if entries else "{}"
        case Default():
            return "default"
        case Code():
            return value.text
        case Sensitive():
            return f"Sensitive({literal(value.value)})"
        case Regexp():
            return f"/{value.pattern.replace('/', chr(92) + '/')}/"
    if isinstance(value, CONSTRUCTED):
        return f"{type(value).__name__}({string_literal(str(value))})"
    raise TypeError(f"no Puppet literal for {type(value).__name__}")


def string_literal(text: str) -> str:
    r"""Return a string in single quotes, or in double quotes where it has control characters.

    >>> print(string_literal("it's"), string_literal("a$\n"))
    'it\'s' "a\$\n"
    """
    if text.isprintable():
        return f"'{text.translate(PLAIN_STRINGS)}'"
    return '"' + "".join(map(character, text)) + '"'


def character(char: str) -> str:
    """Return the form of a character inside double quotes."""
    if char in ESCAPES:
        return ESCAPES[char]
    if char.isprintable() or "\udc80" <= char <= "\udcff":
        return char
    return f"\\u{{{ord(char):x}}}"
