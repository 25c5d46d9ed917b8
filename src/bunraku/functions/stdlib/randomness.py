"""Choices that look random but depend only on the node's name or on a seed, as Ruby makes them."""

from __future__ import annotations

import hashlib
import random
import string
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from bunraku.functions.api_3 import Api3Table, need_string, unsuitable
from bunraku.functions.core.random_numbers import RubyRandom
from bunraku.functions.stdlib.checks import is_whole
from bunraku.functions.stdlib.facts import facts_of, inside
from bunraku.runtime.state import Scope
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.ruby_semantics.collections import flatten
from bunraku.values.ruby_semantics.numbers import to_i

Value = Any
function = Api3Table()
older = Api3Table()


def md5_number(text: str) -> int:
    """Return the MD5 sum of a text as a number."""
    data = text.encode("utf-8", "surrogateescape")
    return int(hashlib.md5(data, usedforsecurity=False).hexdigest(), 16)


def positive(value: Value, name: str) -> int:
    """Return the value as an integer above zero."""
    if not is_whole(value) or to_i(value) <= 0:
        raise unsuitable(name, 0, "a positive integer", value)
    return to_i(value)


@function.api_3("seeded_rand", 2, 2, since="6.6.0", until="8.6.0")
def seeded_rand(limit: Value, seed: Value) -> int:
    """Return a number below a limit that depends only on a seed.

    ```puppet
    seeded_rand(100, 'a') == seeded_rand(100, 'a')
    ```
    """
    below = positive(limit, "seeded_rand")
    return RubyRandom(md5_number(need_string(seed, "seeded_rand", 1))).below(below)


@older.api_3("seeded_rand", 2, 2, since="4.10.0", until="6.5.0")
def older_seeded_rand(limit: Value, seed: Value) -> str:
    """Return a number below a limit, as a string, that depends only on a seed."""
    return str(seeded_rand(limit, seed))


@function("stdlib::seeded_rand(Integer[1] $limit, String $seed)", since="9.0.0")
def new_seeded_rand(limit: int, seed: str) -> int:
    """Return a number below a limit that depends only on a seed."""
    return RubyRandom(md5_number(seed)).below(limit)


LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@function(
    "seeded_rand_string(Integer[1] $length, String $seed, String[2] $letters = '')",
    since="5.0.0",
    until="8.6.0",
)
@function(
    "stdlib::seeded_rand_string(Integer[1] $length, String $seed, String[2] $letters = '')",
    since="9.0.0",
)
def seeded_rand_string(length: int, seed: str, letters: str = LETTERS) -> str:
    """Return a string of letters that depends only on a seed.

    ```puppet
    seeded_rand_string(3, 'a', 'xyz') =~ /\\A[xyz]{3}\\z/
    ```
    """
    digest = hashlib.sha256(seed.encode("utf-8", "surrogateescape")).hexdigest()
    source = RubyRandom(int(digest, 16))
    return "".join(letters[source.below(len(letters))] for _ in range(length))


NODE_LETTERS = string.digits + string.ascii_uppercase + string.ascii_lowercase


def node_string(scope: Scope, length: int, letters: str, seeds: Sequence[Value]) -> str:
    """Return a string of letters that depends on the node's name and on seeds."""
    letters = letters or NODE_LETTERS
    call = scope.compilation.call_function
    prefix = [to_s(seed) for seed in flatten(seeds)]
    chosen = (
        to_i(call(scope, "fqdn_rand", [len(letters), ":".join([*prefix, str(number)])]))
        for number in range(1, length + 1)
    )
    return "".join(letters[at] for at in chosen)


@function.api_3("fqdn_rand_string", 1, scope=True, since="4.6.0", until="8.6.0")
def fqdn_rand_string(scope: Scope, length: Value, letters: Value = "", *seeds: Value) -> str:
    """Return a string of letters that depends on the node's name and on seeds.

    ```puppet
    fqdn_rand_string(10, '', 'a') =~ /\\A\\w{10}\\z/
    ```
    """
    name = "fqdn_rand_string"
    return node_string(scope, positive(length, name), need_string(letters, name, 1), seeds)


@function(
    "stdlib::fqdn_rand_string(Integer[1] $length, Optional[String] $letters = undef, Any *$seeds)",
    scope=True,
    since="9.0.0",
)
def new_fqdn_rand_string(scope: Scope, length: int, letters: Value = None, *seeds: Value) -> str:
    """Return a string of letters that depends on the node's name and on seeds."""
    return node_string(scope, length, letters or "", seeds)


def rotated(items: Value, seed_parts: Sequence[Value]) -> Value:
    """Return a string or array turned by a number of places that depends on seeds."""
    if len(items) <= 1:
        return items
    host, *seeds = seed_parts
    seed = md5_number(f"{to_s(host)}:{':'.join(map(to_s, flatten(seeds)))}")
    offset = RubyRandom(seed).below(len(items))
    return items[offset:] + items[:offset]


@function.api_3("fqdn_rotate", 1, scope=True, since="2.4.0", until="9.3.0")
def fqdn_rotate(scope: Scope, value: Value, *seeds: Value) -> Value:
    """Turn an array or a string by a number of places that depends on the node's name.

    ```puppet
    fqdn_rotate(['a']) == ['a']
    ```
    """
    if value.__class__ not in {str, list}:
        raise unsuitable("fqdn_rotate", 0, "an Array or a String", value)
    return rotated(value, [scope.lookup("::fqdn", None), *seeds])


@function("stdlib::fqdn_rotate(String $text, Variant[Integer, String] *$seeds)", scope=True)
@function(
    "stdlib::fqdn_rotate(Array $array, Variant[Integer, String] *$seeds)", scope=True, since="9.4.0"
)
def new_fqdn_rotate(scope: Scope, value: Value, *seeds: Value) -> Value:
    """Turn an array or a string by a number of places that depends on the node's name."""
    fqdn = inside(facts_of(scope), "stdlib::fqdn_rotate", "networking", "fqdn")
    return rotated(value, [fqdn, *seeds])


NAMESPACE = bytes.fromhex("6ba7b8109dad11d180b400c04fd430c8")


@function.api_3("fqdn_uuid", 1, 1, since="4.15.0")
def fqdn_uuid(name: Value) -> str:
    """Return the UUID (version 5) of a domain name.

    ```puppet
    fqdn_uuid('puppetlabs.com') == '9c70320f-6815-5fc5-ab0f-debe68bf764c'
    ```
    """
    text = need_string(name, "fqdn_uuid").encode("utf-8", "surrogateescape")
    digest = bytearray(hashlib.sha1(NAMESPACE + text, usedforsecurity=False).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    text_form = digest.hex()
    cuts = (0, 8, 12, 16, 20, 32)
    return "-".join(text_form[start:end] for start, end in pairwise(cuts))


@function.api_3("shuffle", since="2.2.0")
def shuffle(value: Value, *_: Value) -> Value:
    """Return an array or a string with its elements in random order.

    ```puppet
    shuffle(['a']) == ['a']
    ```
    """
    if value.__class__ not in {str, list}:
        raise unsuitable("shuffle", 0, "an Array or a String", value)
    items = list(value)
    random.SystemRandom().shuffle(items)
    return "".join(items) if value.__class__ is str else items
