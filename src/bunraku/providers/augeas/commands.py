"""Parse the commands of Augeas in manifests: words, quotes and paths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.values.characters import character

PATH, STRING, COMPARATOR, NUMBER, REST = "path", "string", "comparator", "int", "glob"
ARGUMENTS = {
    "set": (PATH, STRING),
    "setm": (PATH, STRING, STRING),
    "rm": (PATH,),
    "remove": (PATH,),
    "clear": (PATH,),
    "clearm": (PATH, STRING),
    "touch": (PATH,),
    "mv": (PATH, PATH),
    "move": (PATH, PATH),
    "rename": (PATH, STRING),
    "insert": (STRING, STRING, PATH),
    "ins": (STRING, STRING, PATH),
    "get": (PATH, COMPARATOR, STRING),
    "values": (PATH, REST),
    "defvar": (STRING, PATH),
    "defnode": (STRING, PATH, STRING),
    "match": (PATH, REST),
    "size": (COMPARATOR, NUMBER),
    "include": (STRING,),
    "not_include": (STRING,),
    "==": (REST,),
    "!=": (REST,),
}
"""The arguments of each command; the last six are clauses of conditions."""
COMMAND = re.compile(r"\w+|==|!=")
SPACE = re.compile(r"\s*")
PLAIN = re.compile(r"""(?:[^\]\[\s\\'"]|\\.)*""")
WORD = re.compile(r"\S+")
QUOTED = {quote: re.compile(rf"(?:[^\\{quote}]|\\.)*") for quote in "'\""}
COMPARATORS = re.compile(r"==|!=|=~|<=|>=|<|>")
DIGITS = re.compile(r"\d*")

Command = tuple[str, list[str]]
"""A command and its arguments; a number is kept as its digits."""


def parse_commands(given: Any, context: str) -> list[Command]:
    """Return the commands in a text, one per line, or in an array; raise ResourceFailure.

    Paths that start with neither ``/`` nor ``$`` are below ``context``.

    >>> parse_commands("set a/b 'x y'", "/files/etc")
    [('set', ['/files/etc/a/b', 'x y'])]
    """
    prefix = context if not context or context.endswith("/") else f"{context}/"
    lines = given.split("\n") if isinstance(given, str) else flattened(given)
    stripped = (line.strip() for line in lines)
    return [Scanner(line, prefix).command() for line in stripped if line]


def flattened(given: Any) -> Iterator[str]:
    """Yield the strings of an array; raise ResourceFailure for other values."""
    if isinstance(given, list):
        for one in given:
            yield from flattened(one)
    elif isinstance(given, str):
        yield given
    elif given is not None:
        raise ResourceFailure(f"a command must be text, not {inspect(given)}")


class Scanner:
    """Reads one command."""

    def __init__(self, text: str, prefix: str) -> None:
        self.text = text
        self.prefix = prefix
        self.at = 0

    def scan(self, pattern: re.Pattern[str]) -> str | None:
        """Return the match of a pattern and move behind it; None without a match."""
        match = pattern.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match[0]

    def command(self) -> Command:
        """Return the command with its arguments; further text is ignored."""
        name = self.scan(COMMAND)
        if name not in ARGUMENTS:
            raise ResourceFailure(f"Unknown command {to_s(name)}")
        return name, [
            self.argument(name, number, kind) for number, kind in enumerate(ARGUMENTS[name], 1)
        ]

    def argument(self, command: str, number: int, kind: str) -> str:
        """Return the next argument."""
        self.scan(SPACE)
        if kind == PATH:
            return self.path()
        if kind == REST:
            return self.text[self.at :]
        if kind == NUMBER:
            return self.scan(DIGITS) or "0"
        found = self.scan(COMPARATORS) if kind == COMPARATOR else self.string()
        if found is None and kind == COMPARATOR:
            raise ResourceFailure(f"invalid comparator for command {command}")
        if found is None:
            raise ResourceFailure(f"missing string argument {number} for {command}")
        return found

    def path(self) -> str:
        """Return a path with its context; spaces in brackets and quotes belong to it."""
        start, depth, quotes = self.at, 0, {"'": False, '"': False}
        while True:
            self.scan(PLAIN)
            letter = self.text[self.at : self.at + 1]
            self.at += len(letter)
            depth += (letter == "[") - (letter == "]")
            if letter in quotes:
                quotes[letter] = not quotes[letter]
            if depth < 0:
                raise ResourceFailure("unmatched [")
            if self.at == len(self.text):
                end = self.at
                break
            if depth == 0 and letter.isspace() and not any(quotes.values()):
                end = self.at - 1
                break
        path = self.text[start:end]
        if path[:1] in quotes:
            path = path[1:-1]
        path = path.removesuffix("/")
        return path if path[:1] in ("$", "/") and path else self.prefix + path

    def string(self) -> str | None:
        """Return a word or a quoted text, None at the end; only the quote itself is unescaped."""
        quote = self.text[self.at : self.at + 1]
        if quote not in QUOTED:
            return self.scan(WORD)
        self.at += 1
        found = self.scan(QUOTED[quote]) or ""
        self.at += 1
        return found.replace(f"\\{quote}", quote)


# -- arrays in conditions ----------------------------------------------------------------------------

OPEN, CLOSE, SEPARATOR = re.compile(r"\s*\[\s*"), re.compile(r"\s*\]\s*"), re.compile(r"\s*,\s*")
SINGLE = re.compile(r"'((?:[^'\\]|\\['\\])*)'")
DOUBLE = re.compile(
    r'"((?:[^"\\]|\\(?:["\\abtnvfres]|[0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}'
    r'|u\{[0-9a-fA-F]{1,6}(?:\s[0-9a-fA-F]{1,6})*\s?\}))*)"'
)
ESCAPE = re.compile(r"\\(u\{[^}]*\}|u.{4}|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
LETTERS = dict(zip("abtnvfres", "\a\b\t\n\v\f\r\x1b ", strict=True))


def parse_array(text: str) -> list[str]:
    r'''Return the strings of an array in Ruby's notation; raise ValueError if it is invalid.

    >>> parse_array(r"""['a', "b\x63"]""")
    ['a', 'bc']
    '''
    scanner = Scanner(text, "")
    if scanner.scan(OPEN) is None:
        raise ValueError(text)
    found: list[str] = []
    while (one := element(scanner)) is not None:
        found.append(one)
        if scanner.scan(SEPARATOR) is None:
            break
    if scanner.scan(CLOSE) is None or scanner.at != len(text):
        raise ValueError(text)
    return found


def element(scanner: Scanner) -> str | None:
    """Return the next text of an array, None if there is none."""
    single = scanner.scan(SINGLE)
    if single is not None:
        return re.sub(r"\\(['\\])", r"\1", single[1:-1])
    double = scanner.scan(DOUBLE)
    return None if double is None else ESCAPE.sub(unescaped, double[1:-1])


def unescaped(match: re.Match[str]) -> str:
    """Return the text of an escape sequence in double quotes."""
    found = match[1]
    if found[0] in "01234567":
        return chr(int(found, 8))
    if found[0] in "ux" and len(found) > 1:
        codes = [character(one) for one in found[1:].strip("{}").split()]
        if None in codes:
            raise ValueError(match[0])
        return "".join(filter(None, codes))
    return LETTERS.get(found, found)


def shown(arguments: Sequence[str]) -> str:
    """Format arguments for messages."""
    return inspect(list(arguments))
