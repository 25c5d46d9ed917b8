"""Damage to texts and documents by chance: bytes, words, lines, structure, two seeds in one."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any

import yaml

from support.mutate import JSON_VALUES, YAML_VALUES, at, paths, replaced, stacked, written

WORD = re.compile(rb"\w+|\s+|.", re.DOTALL)
WORDS = (
    "undef", "default", "true", "{", "}", "[", "]", "(", ")", "|", "=>", "->", "~>", "<|", "|>",
    "<<|", "$x", "${", "@(END)", '"', "'", "/", "\\", "%", "%{", "#", "\n", "\t", "::", "..", "*",
    "**", "&", "@", "@@", "!", "-", "+=", ":", ";", ",", "=~", "in", "<%", "%>", "<%=", "-%>", "<%-",
    "0", "-1", "1.5", "0x1F", "9223372036854775808", "1e999", "''", "each", "class", "define", "node",
    "if", "else", "elsif", "unless", "case", "inherits", "function", "type", "Integer", "Array", "Hash",
    "Optional", "Struct", "Sensitive('x')", "$facts", "$title", "é", "\U0001f600", "\0", "\x7f", "\ufeff",
    "do", "end", "nil", "lookup", "|x|", "=", "==", ".", "..", "...", "null", "~", "---", "- ", "? ",
    "&a", "*a", "!x", "ENC[PKCS7,Zm9v]", "include", "%{lookup('k')}", "%{facts.x}", "%{::x}", "%{}",
)  # fmt: skip


def mutated(content: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Return a seed, damaged up to four times; one in twelve stays whole."""
    if chance.randrange(12) == 0:
        return content
    operations = (by_like_word, by_like_word, by_number) if chance.randrange(2) else OPERATIONS
    for _ in range(chance.choice((1, 1, 1, 1, 2, 2, 3, 4))):
        content = chance.choice(operations)(content, others, chance)
    return content[:20_000]


def by_words(content: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    return stacked(content, chance, 1)


def by_dictionary(content: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Put a word of the languages in the place of a word, or before it."""
    words = WORD.findall(content) or [b""]
    place = chance.randrange(len(words))
    word = chance.choice(WORDS).encode()
    words[place : place + chance.randrange(2)] = [word]
    return b"".join(words)


def by_word_of_another(content: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Put a few words of another seed in the place of a few words."""
    words = WORD.findall(content) or [b""]
    given = WORD.findall(chance.choice(others)) or [b""]
    start, place = chance.randrange(len(given)), chance.randrange(len(words))
    words[place : place + chance.randrange(4)] = given[start : start + chance.randint(1, 8)]
    return b"".join(words)


def by_like_word(content: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Put words of another seed in the places of words like them: most results are still valid."""
    words = WORD.findall(content) or [b""]
    given = WORD.findall(chance.choice((content, chance.choice(others)))) or [b""]
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(words))
        alike = [word for word in given if family(word) == family(words[place])]
        if alike:
            words[place] = chance.choice(alike)
    return b"".join(words)


def family(word: bytes) -> str:
    """Return which kind of word this is."""
    if word.isspace():
        return "space"
    if word.isdigit():
        return "number"
    if word[:1].isupper():
        return "type"
    return "name" if word[:1].isalpha() else "sign"


def by_lines(content: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Remove, repeat or move lines, or take them from another seed."""
    lines = content.splitlines(keepends=True) or [b""]
    place, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            del lines[place : place + chance.randint(1, 3)]
        case 1:
            lines[place:place] = lines[other : other + chance.randint(1, 3)]
        case 2:
            lines[place], lines[other] = lines[other], lines[place]
        case 3:
            given = chance.choice(others).splitlines(keepends=True) or [b""]
            start = chance.randrange(len(given))
            lines[place:place] = given[start : start + chance.randint(1, 4)]
    return b"".join(lines)


def by_bytes(content: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Change, remove or add single bytes, or cut the end."""
    changed = bytearray(content or b" ")
    place = chance.randrange(len(changed))
    match chance.randrange(5):
        case 0:
            changed[place] ^= 1 << chance.randrange(8)
        case 1:
            del changed[place]
        case 2:
            changed[place:place] = bytes([chance.randrange(256)])
        case 3:
            del changed[place:]
        case 4:
            changed[place] = chance.choice(b"\"'{}[]()<>|%$\\/\n\0\xff#@&*!:,;=-")
    return bytes(changed)


def by_splice(content: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Join the beginning of a seed and the end of another."""
    other = chance.choice(others)
    return content[: chance.randrange(len(content) + 1)] + other[chance.randrange(len(other) + 1) :]


def by_number(content: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Change a number."""
    numbers = list(re.finditer(rb"\d+", content))
    if not numbers:
        return by_bytes(content, others, chance)
    found = chance.choice(numbers)
    number = chance.choice((b"0", b"-1", b"1", b"64", b"1.0", b"4294967296", b"1e400", b"00", b"x"))
    return content[: found.start()] + number + content[found.end() :]


OPERATIONS = (
    by_words,
    by_words,
    by_dictionary,
    by_dictionary,
    by_like_word,
    by_word_of_another,
    by_lines,
    by_bytes,
    by_splice,
    by_number,
)


def document(content: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Return a JSON or YAML document with changes in its structure, or in its text."""
    if chance.randrange(5) == 0:
        return mutated(content, others, chance)
    try:
        data = read(content)
    except ValueError:
        return mutated(content, others, chance)
    as_yaml = not content.lstrip().startswith((b"{", b"["))
    values = YAML_VALUES if as_yaml else JSON_VALUES
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        data = restructured(data, others, values, chance)
    return written(data)[:200_000]


def read(content: bytes) -> Any:
    """Return the data of JSON or YAML; raise ValueError for other text."""
    text = content.decode()
    if text.lstrip().startswith(("{", "[")):
        return json.loads(text)
    try:
        return json.loads(json.dumps(yaml.safe_load(text), default=str))
    except (yaml.YAMLError, TypeError) as error:
        raise ValueError(str(error)) from None


def restructured(
    data: Any, others: Sequence[bytes], values: dict[str, Any], chance: random.Random
) -> Any:
    """Return data with a node replaced, removed, repeated, renamed, moved, or of another seed."""
    places = list(paths(data))
    path = chance.choice(places)
    match chance.randrange(8):
        case 0 | 1 | 2:
            return replaced(data, path, chance.choice(list(values.values())))
        case 3:
            return replaced(data, path, at(data, chance.choice(places)))
        case 4:
            try:
                other = read(chance.choice(others))
            except ValueError:
                other = None
            return replaced(data, path, at(other, chance.choice(list(paths(other)))))
        case 5:
            here = at(data, path)
            return replaced(
                data, path, chance.choice(([here], {"x": here}, [here, here], str(here)))
            )
        case _:
            if not path:
                return data
            parent = at(data, path[:-1])
            if isinstance(parent, list):
                rest = [item for index, item in enumerate(parent) if index != path[-1]]
                return replaced(data, path[:-1], rest)
            rest = {key: item for key, item in parent.items() if key != path[-1]}
            if chance.randrange(2):
                rest[chance.choice(("", "x", f"{path[-1]}s", str(path[-1]).upper()))] = parent[
                    path[-1]
                ]
            return replaced(data, path[:-1], rest)
