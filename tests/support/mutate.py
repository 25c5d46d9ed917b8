"""Damaged copies of documents, for tests that readers refuse them with an error of their own.

Each mutant has a name that says what was done so that a failure can be repeated. The exhaustive
generators (:func:`json_mutants`, :func:`yaml_mutants`, :func:`text_mutants`) always yield the same
mutants in the same order; :func:`sampled` takes some of them by a seed. :func:`stacked` damages bytes
several times over by a random generator, for runs without an end.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

Path = tuple[str | int, ...]


class Mutant(NamedTuple):
    """A damaged document, and a description of the damage."""

    what: str
    content: bytes


class Raw(str):
    """Text that stands in a document as it is, such as ``1e400``, which is no value of Python."""

    __slots__ = ()


class Pairs(list):  # type: ignore[type-arg]
    """Entries of a hash as pairs so that a key can stand twice or be no string."""


DEEP = 300
DEEPER = 100_000
JSON_VALUES: dict[str, Any] = {
    "null": None,
    "empty array": [],
    "empty hash": {},
    "number": 1,
    "zero": 0,
    "negative": -1,
    "float": 1.5,
    "text": "x",
    "empty text": "",
    "true": True,
    "false": False,
    "array of null": [None],
    "array of numbers": [1],
    "array of hashes": [{}],
    "hash": {"a": 1},
    "hash of hashes": {"x": {"x": {}}},
    "empty key": {"": None},
    "1e400": Raw("1e400"),
    "NaN": Raw("NaN"),
    "-Infinity": Raw("-Infinity"),
    "20 digits": 10**20,
    "5000 digits": Raw("9" * 5000),
    "nested arrays": Raw("[" * DEEP + "]" * DEEP),
    "nested hashes": Raw('{"a":' * DEEP + "1" + "}" * DEEP),
    "deeply nested arrays": Raw("[" * DEEPER + "]" * DEEPER),
    "lone surrogate": Raw(r'"\ud800"'),
    "surrogate of a byte": Raw(r'"\udcff"'),
    "NUL": Raw(r'"\u0000"'),
    "braces": "{0} {x} %s %{y} ${z}",
    "line ends": "a\nb\r\n\x85\u2028c",
    "path": "../../x",
    "long text": "x" * 5000,
}
"""The replacements of each node, by name."""
YAML_VALUES: dict[str, Any] = {
    **JSON_VALUES,
    "infinity": Raw(".inf"),
    "not a number": Raw(".nan"),
    "date": Raw("2001-01-01"),
    "time": Raw("2001-01-01 10:00:00 +01:00"),
    "base 60": Raw("12:30"),
    "symbol": Raw(":x"),
    "tagged symbol": Raw("!ruby/sym x"),
    "Ruby object": Raw("!ruby/object:Puppet::Node::Facts {a: 1}"),
    "Ruby hash": Raw("!ruby/hash:Foo {a: 1}"),
    "Python object": Raw("!!python/object/apply:os.system [id]"),
    "binary": Raw('!!binary "/w=="'),
    "bad binary": Raw('!!binary "="'),
    "set": Raw("!!set {a, b}"),
    "ordered map": Raw("!!omap [a: 1, b: 2]"),
    "bad ordered map": Raw("!!omap [1]"),
    "pairs": Raw("!!pairs [a: 1]"),
    "tagged number": Raw("!!int x"),
    "tagged float": Raw("!!float x"),
    "tagged null": Raw("!!null x"),
    "tagged boolean": Raw("!!bool x"),
    "unknown tag": Raw("!x {a: 1}"),
    "number as key": Raw("{1: 2}"),
    "null as key": Raw("{~: 2}"),
    "true as key": Raw("{true: 2}"),
    "array as key": Raw("{[1, 2]: 3}"),
    "hash as key": Raw("{{a: 1}: 3}"),
    "merge": Raw("{<<: {a: 1}}"),
    "bad merge": Raw("{<<: 1}"),
    "anchor": Raw("&a [1]"),
    "alias": Raw("*a"),
    "value within itself": Raw("&b [*b]"),
    "undefined alias": Raw("*zzz"),
    "octal": Raw("0o17"),
    "bare equals": Raw("="),
}
BYTES: dict[str, bytes] = {
    "NUL": b"\0",
    "invalid UTF-8": b"\xff",
    "cut UTF-8": b"\xe2\x82",
    "encoded surrogate": b"\xed\xa0\x80",
    "BOM": b"\xef\xbb\xbf",
    "tab": b"\t",
    "line end": b"\n",
    "carriage return": b"\r",
    "next line": b"\xc2\x85",
    "escape": b"\x1b",
}
"""Insertions between the bytes of a document, by name."""
SIGNS = (
    "",
    '"',
    "'",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ":",
    ",",
    "#",
    "\\",
    "$",
    "%{",
    "-1",
    "null",
    "..",
    "1",
    "nil",
    "[]",
    "{}",
    "()",
)
"""The replacements of each word of a text."""


def paths(data: Any, here: Path = ()) -> Iterator[Path]:
    """Yield the path of each node of JSON data, the whole first.

    >>> list(paths({"a": [1]}))
    [(), ('a',), ('a', 0)]
    """
    yield here
    if isinstance(data, dict):
        for key, item in data.items():
            yield from paths(item, (*here, key))
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield from paths(item, (*here, index))


def replaced(data: Any, path: Path, value: Any) -> Any:
    """Return data with another value at a path.

    >>> replaced({"a": [1]}, ("a", 0), 2)
    {'a': [2]}
    """
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(data, dict):
        return {
            key: replaced(item, rest, value) if key == first else item for key, item in data.items()
        }
    return [replaced(item, rest, value) if at == first else item for at, item in enumerate(data)]


def at(data: Any, path: Path) -> Any:
    """Return the value at a path."""
    for step in path:
        data = data[step]
    return data


def json_text(data: Any) -> str:
    """Return data as JSON, with :class:`Raw` as it is and :class:`Pairs` as a hash.

    >>> json_text({"a": Raw("1e400"), "b": Pairs([("c", 1), ("c", 2)])})
    '{"a": 1e400,\\n"b": {"c": 1,\\n"c": 2}}'
    """
    if isinstance(data, Raw):
        return str(data)
    if isinstance(data, dict | Pairs):
        entries = data.items() if isinstance(data, dict) else data
        return (
            "{" + ",\n".join(f"{json_text(key)}: {json_text(item)}" for key, item in entries) + "}"
        )
    if isinstance(data, list):
        return "[" + ", ".join(map(json_text, data)) + "]"
    return json.dumps(data, ensure_ascii=False)


def json_mutants(data: Any, values: dict[str, Any] | None = None) -> Iterator[Mutant]:
    """Yield JSON documents with one thing wrong: each node by each value, each key, each byte rule.

    >>> mutants = {one.what: one.content for one in json_mutants({"a": 1})}
    >>> mutants["a: null"], mutants["a missing"], mutants["a twice"]
    (b'{"a": null}', b'{}', b'{"a": 1,\\n"a": 1}')
    """
    for path in paths(data):
        where = ".".join(map(str, path)) or "document"
        for name, value in (JSON_VALUES if values is None else values).items():
            yield Mutant(f"{where}: {name}", written(replaced(data, path, value)))
        yield from entry_mutants(data, path, where)
    yield from byte_mutants(written(data))


def yaml_mutants(data: Any) -> Iterator[Mutant]:
    """Yield YAML documents with one thing wrong, in JSON's notation, with the tags of YAML too."""
    yield from json_mutants(data, YAML_VALUES)


def entry_mutants(data: Any, path: Path, where: str) -> Iterator[Mutant]:
    """Yield documents that lack a node, have it twice, or have it under another key."""
    if not path:
        yield Mutant(f"{where} in an array", written([data]))
        yield Mutant(f"{where} in a hash", written({"data": data}))
        return
    parent, last = at(data, path[:-1]), path[-1]
    if isinstance(parent, list):
        rest = [item for index, item in enumerate(parent) if index != last]
        yield Mutant(f"{where} missing", written(replaced(data, path[:-1], rest)))
        yield Mutant(
            f"{where} twice", written(replaced(data, path[:-1], [*parent, parent[int(last)]]))
        )
        return
    pairs = [(key, item) for key, item in parent.items() if key != last]
    own = parent[last]

    def with_pairs(*added: tuple[Any, Any]) -> bytes:
        return written(replaced(data, path[:-1], Pairs([*pairs, *added])))

    yield Mutant(f"{where} missing", with_pairs())
    yield Mutant(f"{where} twice", with_pairs((last, own), (last, own)))
    yield Mutant(f"{where} twice, null last", with_pairs((last, own), (last, None)))
    yield Mutant(f"{where} misspelt", with_pairs((f"{last}x", own)))
    yield Mutant(f"{where} in upper case", with_pairs((str(last).upper(), own)))
    yield Mutant(f"{where} with a surrogate", with_pairs((Raw(r'"\ud800"'), own)))
    yield Mutant(f"{where} with a bare key", with_pairs((Raw("1"), own)))


def written(data: Any) -> bytes:
    """Return data as the bytes of a JSON document."""
    return json_text(data).encode("utf-8", "surrogatepass")


def byte_mutants(content: bytes) -> Iterator[Mutant]:
    """Yield documents damaged whatever their format: encodings, ends, line ends, truncation."""
    text = content.decode("utf-8", "replace")
    yield Mutant("empty", b"")
    yield Mutant("blank", b" \n\t\n")
    yield Mutant("BOM", b"\xef\xbb\xbf" + content)
    yield Mutant("UTF-16", text.encode("utf-16"))
    yield Mutant("UTF-32", text.encode("utf-32"))
    yield Mutant("CRLF", content.replace(b"\n", b"\r\n"))
    yield Mutant("CR", content.replace(b"\n", b"\r"))
    yield Mutant("NULs only", b"\0" * 64)
    yield Mutant("twice", content + b"\n" + content)
    yield Mutant("on one line", content.replace(b"\n", b" "))
    for tenth in range(1, 10):
        yield Mutant(f"cut at {tenth}/10", content[: len(content) * tenth // 10])
        for name, piece in BYTES.items():
            place = len(content) * tenth // 10
            yield Mutant(f"{name} at {tenth}/10", content[:place] + piece + content[place:])


WORD = re.compile(r"\w+|\s+|.", re.DOTALL)


def text_mutants(text: str, signs: Sequence[str] = SIGNS) -> Iterator[Mutant]:
    """Yield texts of any language with one thing wrong: each word by each sign, missing, or twice.

    >>> [one.content for one in text_mutants("a=1", signs=["{"])][:3]
    [b'{=1', b'=1', b'aa=1']
    """
    words = WORD.findall(text)
    for index, word in enumerate(words):
        if word.isspace():
            continue
        before, after = "".join(words[:index]), "".join(words[index + 1 :])
        for sign in signs:
            if sign:
                content = (before + sign + after).encode("utf-8", "surrogateescape")
                yield Mutant(f"word {index} {word!r} becomes {sign!r}", content)
        yield Mutant(
            f"word {index} {word!r} missing", (before + after).encode("utf-8", "surrogateescape")
        )
        twice = (before + word + word + after).encode("utf-8", "surrogateescape")
        yield Mutant(f"word {index} {word!r} twice", twice)
    yield from byte_mutants(text.encode("utf-8", "surrogateescape"))


def sampled(mutants: Iterable[Mutant], count: int, seed: int = 0) -> list[Mutant]:
    """Return at most ``count`` of the mutants, chosen by a seed, in their order."""
    found = list(mutants)
    if len(found) <= count:
        return found
    chosen = sorted(random.Random(seed).sample(range(len(found)), count))
    return [found[index] for index in chosen]


def stacked(content: bytes, chance: random.Random, rounds: int = 4) -> bytes:
    """Return bytes damaged up to ``rounds`` times: removed, repeated, swapped, replaced, inserted."""
    for _ in range(chance.randint(1, rounds)):
        words = re.findall(rb"\w+|\s+|.", content, re.DOTALL) or [b""]
        first, second = chance.randrange(len(words)), chance.randrange(len(words))
        low, high = sorted((first, second))
        match chance.randrange(7):
            case 0:
                del words[low : min(high, low + 8) + 1]
            case 1:
                words[low:low] = words[low : low + chance.randint(1, 12)]
            case 2:
                words[first], words[second] = words[second], words[first]
            case 3:
                words[first] = chance.choice(SIGNS).encode()
            case 4:
                words[first] = chance.choice(list(BYTES.values()))
            case 5:
                value = chance.choice(list(YAML_VALUES.values()))
                words[first] = written(value)[:20_000]
            case 6:
                words[first:first] = [chance.choice(words)]
        content = b"".join(words)
    return content
