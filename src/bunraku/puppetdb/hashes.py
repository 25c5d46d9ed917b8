"""The hashes that PuppetDB gives to catalogs, facts and resources: SHA-1 of JSON with sorted keys.

Clients see the hashes in answers, and two documents are the same if their hashes are. The rules
are PuppetDB's, and the text is the one that its JSON library for Java writes.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Sequence
from decimal import Decimal
from hashlib import sha1
from json.encoder import encode_basestring as quoted

from bunraku.base.bounded_cache import remembered
from bunraku.puppetdb.documents import Edge, Factset, Reference, StoredResource
from bunraku.puppetdb.json_values import Json

encode = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode
BEYOND_16_BITS = re.compile("[\U00010000-\U0010ffff]")
HEXADECIMAL = re.compile("[\x0b\x0e\x0f\x1a-\x1f]")
"""Characters whose escape sequences have hexadecimal digits, which are capital letters in Java."""
DIFFERENT = re.compile(
    r"[\U00010000-\U0010ffff] | \\u00[01][a-f] | \d{8}\.\d | \de[+-]\d | 0\.000",
    re.VERBOSE | re.ASCII,
)
"""What Java may write, or sort, in another way than Python; some of it only looks like that."""
WORD = 0xFFFFFFFF
PLAIN_FROM, PLAIN_BELOW = 1e-3, 1e7
"""The range of floats that Java writes without an exponent."""


# -- documents ---------------------------------------------------------------------------------------


def catalog_hash(certname: str, resources: Sequence[str], edges: Sequence[str]) -> str:
    """Return the hash of a catalog, whose parts are the texts of sorted resources and edges."""
    parts = f'"edges":[{",".join(edges)}],"resources":[{",".join(resources)}]'
    return sha1_text(f'{{"certname":{text_json(certname)},{parts}}}')


def factset_hash(factset: Factset) -> str:
    """Return the hash of facts, with the packages of the node if there are any."""
    return hash_of_facts(factset, [sorted_json(value) for value in factset.values.values()])


def hash_of_facts(factset: Factset, texts: Sequence[str]) -> str:
    """Return the hash of facts whose values have these texts, in the order of the facts."""
    environment = sorted_json(factset.environment)
    parts = [f'"certname":{text_json(factset.certname)}', f'"environment":{environment}']
    if factset.packages:
        packages = {(one.name, one.version, one.provider) for one in factset.packages}
        found = sorted(packages, key=lambda names: [*map(java_order, names)])
        parts.append(f'"package_inventory":{sorted_json([[*package] for package in found])}')
    members = [f"{name}{texts[place]}" for place, name in sorted_members(tuple(factset.values))]
    return sha1_text(f'{{{",".join(parts)},"values":{{{",".join(members)}}}}}')


@remembered(1000)
def sorted_members(names: tuple[str, ...]) -> list[tuple[int, str]]:
    """Return the places of names in their sorted order, each with the beginning of its member in an object.

    An agent sends facts of the same names each time.
    """
    order = sorted(range(len(names)), key=lambda place: java_order(names[place]))
    return [(place, f"{text_json(names[place])}:") for place in order]


def resource_identity(resource: StoredResource) -> bytes:
    """Return the hash of a resource, which is that of its type, title and parameters."""
    return content_hash(sorted_json([resource.type, resource.title, dict(resource.parameters)]))


def content_hash(text: str) -> bytes:
    """Return the SHA-1 of a text, by which equal parts of documents are found."""
    return sha1(text.encode(), usedforsecurity=False).digest()


def sha1_text(text: str) -> str:
    """Return the SHA-1 of a text in hexadecimal digits."""
    return content_hash(text).hex()


# -- parts of catalogs -------------------------------------------------------------------------------


def sorted_resources(resources: Iterable[StoredResource]) -> list[StoredResource]:
    """Return the resources of a catalog in the order of its hash."""
    return sorted(resources, key=lambda one: (java_order(one.title), java_order(one.type)))


def sorted_edges(edges: Iterable[Edge]) -> list[Edge]:
    """Return the edges of a catalog in the order of its hash."""
    return sorted(edges, key=edge_order)


def edge_order(edge: Edge) -> tuple[str, ...]:
    """Return the key by which edges are sorted."""
    (source, source_title), (target, target_title) = edge.source, edge.target
    names = (source_title, source, target_title, target)
    return (*map(java_order, names), edge.relationship)


def resource_json(resource: StoredResource) -> str:
    """Return what a resource contributes to the hash of its catalog.

    A file or line that is missing is left out.
    """
    file = "" if resource.file is None else f'"file":{text_json(resource.file)},'
    line = "" if resource.line is None else f'"line":{resource.line},'
    exported = "true" if resource.exported else "false"
    parameters = sorted_json(dict(resource.parameters))
    return (
        f'{{"exported":{exported},{file}{line}"parameters":{parameters}'
        f',"tags":{tags_json(resource.tags)}'
        f',"title":{text_json(resource.title)},"type":{text_json(resource.type)}}}'
    )


@remembered(1000)
def tags_json(tags: tuple[str, ...]) -> str:
    """Return tags in the order of a set in Clojure; many resources have the same."""
    return sorted_json([*sorted(set(tags), key=lambda tag: (set_order(tag), tag))])


def set_order(text: str) -> tuple[int, ...]:
    """Return the key by which a set of texts in Clojure is walked (observed with PuppetDB 7.12.1).

    The set is a tree: the hash of a text chooses one of 32 branches by its lowest five bits, then
    by the next five, and so on.

    >>> sorted(["user", "class", "role", "cache"], key=set_order)
    ['role', 'class', 'user', 'cache']
    """
    value = murmur(java_hash(text))
    return tuple(value >> shift & 31 for shift in range(0, 35, 5))


def java_hash(text: str) -> int:
    """Return ``String.hashCode`` of Java, as a number of 32 bits without a sign."""
    value = 0
    content = text.encode("utf-16-be", "surrogatepass")
    for high, low in zip(content[::2], content[1::2], strict=True):
        value = (31 * value + (high << 8 | low)) & WORD
    return value


def murmur(value: int) -> int:
    """Return the hash of a number of 32 bits by MurmurHash3, as Clojure computes it (seed 0)."""
    if value == 0:
        return 0
    mixed = rotated(value * 0xCC9E2D51 & WORD, 15) * 0x1B873593 & WORD
    found = (rotated(mixed, 13) * 5 + 0xE6546B64) & WORD ^ 4
    found = (found ^ found >> 16) * 0x85EBCA6B & WORD
    found = (found ^ found >> 13) * 0xC2B2AE35 & WORD
    return found ^ found >> 16


def rotated(value: int, bits: int) -> int:
    """Return a number of 32 bits rotated to the left."""
    return (value << bits | value >> (32 - bits)) & WORD


def edge_json(edge: Edge) -> str:
    """Return what an edge contributes to the hash of its catalog."""
    source, target = reference_json(edge.source), reference_json(edge.target)
    return f'{{"relationship":{text_json(edge.relationship)},"source":{source},"target":{target}}}'


@remembered(5000)
def reference_json(reference: Reference) -> str:
    """Return the text of one end of an edge; several edges of a catalog have the same."""
    return f'{{"title":{text_json(reference[1])},"type":{text_json(reference[0])}}}'


# -- JSON --------------------------------------------------------------------------------------------


def java_order(text: str) -> str:
    """Return a text that Python sorts as Java sorts the original: by units of UTF-16.

    >>> sorted(["\U0001f3ad", "\uffee"], key=java_order) == ["\U0001f3ad", "\uffee"]
    True
    """
    if text.isascii() or BEYOND_16_BITS.search(text) is None:
        return text
    return "".join(map(chr, array("H", text.encode("utf-16-le"))))


def sorted_json(value: Json) -> str:
    """Return the text of a value with sorted keys, as Java writes it.

    >>> sorted_json({"b": [1, 1e7, 0.5], "a": None})
    '{"a":null,"b":[1,1.0E7,0.5]}'
    """
    text = encode(value)
    return text if DIFFERENT.search(text) is None else java_json(value)


def java_json(value: Json) -> str:
    """Return the text of a value that Python may write in another way."""
    match value:
        case str():
            return text_json(value)
        case float():
            return float_json(value)
        case list():
            return f"[{','.join(map(java_json, value))}]"
        case dict():
            members = [
                f"{text_json(key)}:{java_json(value[key])}" for key in sorted(value, key=java_order)
            ]
            return f"{{{','.join(members)}}}"
    return encode(value)


def text_json(text: str) -> str:
    """Return the text of a string."""
    codes = () if text.isprintable() else HEXADECIMAL.findall(text)
    if not codes:
        return quoted(text)
    parts = [quoted(part)[1:-1] for part in HEXADECIMAL.split(text)]
    escaped = [*(f"\\u{ord(code):04X}" for code in codes), ""]
    return f'"{"".join(map("".join, zip(parts, escaped, strict=True)))}"'


def float_json(number: float) -> str:
    """Return the text of a float.

    >>> [float_json(number) for number in (0.0, 100.0, 1.5e7, -0.00025, 1e22)]
    ['0.0', '100.0', '1.5E7', '-2.5E-4', '1.0E22']
    """
    if number == 0 or PLAIN_FROM <= abs(number) < PLAIN_BELOW:
        return repr(number)
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    first, *rest = map(str, digits)
    power = int(exponent) + len(digits) - 1
    return f"{'-' if sign else ''}{first}.{''.join(rest) or '0'}E{power}"
