"""A text that matches a regular expression, always the same one."""

from __future__ import annotations

import re
from re import _parser  # the only reader of regular expressions in Python
from typing import Any

CANDIDATES = (
    "example",
    "host.example.org",
    "192.0.2.7",
    "192.0.2.0/24",
    "2001:db8::7",
    "2001:db8::/32",
    "/srv/example",
    "https://www.example.org/example",
    "example@example.org",
    "10",
    "10M",
    "1.2.3",
    "0644",
    "puppet:///modules/example/example",
    "5m",
    "52:54:00:12:34:56",
    "Example",
)
CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "lower": "a-z",
    "upper": "A-Z",
    "xdigit": "0-9a-f",
    "space": " ",
    "word": "a-zA-Z0-9_",
}
CATEGORIES = {
    "CATEGORY_DIGIT": "7",
    "CATEGORY_WORD": "w",
    "CATEGORY_SPACE": " ",
    "CATEGORY_NOT_DIGIT": "x",
    "CATEGORY_NOT_WORD": "-",
    "CATEGORY_NOT_SPACE": "x",
}


def matching(pattern: str) -> str | None:
    """A text that a regular expression of Puppet's finds; None where none was found.

    >>> matching(r"^db[12]([056][12])\\.example\\.net$")
    'db101.example.net'
    >>> matching(r"\\A[[:alpha:]]+-\\h{2}\\z")
    'a-00'
    """
    translated = in_python(pattern)
    try:
        compiled = re.compile(translated)
    except re.error:
        return None
    for candidate in CANDIDATES:
        if compiled.search(candidate):
            return candidate
    return generated(pattern)


def generated(pattern: str) -> str | None:
    """A text made from the parts of a regular expression; None where it does not match after all."""
    translated = in_python(pattern)
    try:
        compiled = re.compile(translated)
        parts = [*_parser.parse(translated)]  # a single dot is mostly meant as one
        text = "".join("." if str(part[0]) == "ANY" else sample(part) for part in parts)
    except (re.error, NotImplementedError):
        return None
    return text if compiled.search(text) else None


def in_python(pattern: str) -> str:
    """A regular expression of Ruby's in Python's notation, as far as it differs."""
    text = re.sub(r"\\[zZ]", "$", pattern).replace(r"\h", "[0-9a-f]").replace("(?<!", "\0")
    text = text.replace("(?<=", "\1").replace("(?<", "(?P<")
    text = text.replace("\0", "(?<!").replace("\1", "(?<=").replace(r"\/", "/")
    return re.sub(r"\[:(\w+):\]", lambda found: CLASSES.get(found[1], "a-z"), text)


def sample(part: tuple[Any, Any]) -> str:
    """A text for one part of a parsed regular expression."""
    operation, argument = str(part[0]), part[1]
    match operation:
        case "LITERAL":
            return chr(argument)
        case "NOT_LITERAL":
            return "x" if argument != ord("x") else "y"
        case "ANY":
            return "x"
        case "AT" | "ASSERT" | "ASSERT_NOT" | "GROUPREF":
            return ""
        case "IN":
            return of_set(argument)
        case "BRANCH":
            return "".join(map(sample, argument[1][0]))
        case "SUBPATTERN":
            return "".join(map(sample, argument[3]))
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, most, inner = argument
            return "".join(map(sample, inner)) * (least or min(1, int(most)))
        case "ATOMIC_GROUP":
            return "".join(map(sample, argument))
    raise NotImplementedError(operation)


def of_set(items: list[tuple[Any, Any]]) -> str:
    """A character of a set."""
    if str(items[0][0]) == "NEGATE":
        out = {chr(value) for kind, value in items[1:] if str(kind) == "LITERAL"}
        return next(one for one in "xyz0_-" if one not in out)
    kind, value = items[0]
    match str(kind):
        case "LITERAL":
            return chr(value)
        case "RANGE":
            return chr(value[0])
        case "CATEGORY":
            return CATEGORIES[str(value)]
    raise NotImplementedError(str(kind))
