"""Functions on text as Puppet 3 has them: each takes strings, which numbers in code are, too."""

from __future__ import annotations

import hashlib
from typing import Any

from bunraku.dialects.puppet_3.functions import issues
from bunraku.dialects.puppet_3.functions.table import OLD_PARSER, Table, need_text, shown
from bunraku.dialects.puppet_3.values import inspect, plain_text
from bunraku.dialects.puppet_3.variables import read_qualified
from bunraku.functions.core.digests import ALGORITHMS
from bunraku.functions.core.order import versioncmp as compare_versions
from bunraku.functions.core.random_numbers import RubyRandom
from bunraku.functions.core.regular_expressions import looked_up, pattern_of
from bunraku.functions.core.scanf import read
from bunraku.functions.core.strings import quoted
from bunraku.runtime.callables import Value
from bunraku.runtime.references import is_reference
from bunraku.runtime.state import Scope
from bunraku.types.convert.sprintf import sprintf
from bunraku.values.keys import make_hash, pairs
from bunraku.values.regexp.regexp import (
    EXTENDED,
    IGNORECASE,
    MULTILINE,
    Regexp,
    split_text,
    substitute,
)
from bunraku.values.ruby_object import UNDEF, RubyObject
from bunraku.values.ruby_semantics.collections import flatten
from bunraku.values.ruby_semantics.numbers import to_i

function = Table()

# -- digests ---------------------------------------------------------------------------------------


def hex_digest(name: str, algorithm: str, value: Value) -> str:
    """Return the digest of a string in hexadecimal digits."""
    data = need_text(name, value).encode("utf-8", "surrogateescape")
    make = ALGORITHMS.get(algorithm, hashlib.md5)
    return str(make(data, usedforsecurity=False).hexdigest())


@function.api_3("md5", 1, 1)
def md5(_scope: Scope, value: Value) -> str:
    """Return the MD5 digest of a string."""
    return hex_digest("md5", "md5", value)


@function.api_3("sha1", 1, 1)
def sha1(_scope: Scope, value: Value) -> str:
    """Return the SHA-1 digest of a string."""
    return hex_digest("sha1", "sha1", value)


@function.api_3("digest", 1, 1)
def digest(scope: Scope, value: Value) -> str:
    """Return the digest of a string by the setting ``digest_algorithm``; MD5 is the default."""
    return hex_digest("digest", str(scope.compilation.settings.get("digest_algorithm")), value)


@function.api_3("fqdn_rand", 1)
def fqdn_rand(scope: Scope, limit: Value, *seed: Value) -> str:
    """Return a number from 0 to below a limit, as text: always the same for one host and seed."""
    if limit.__class__ not in (str, int, float):
        raise issues.NOT_A_LIMIT(actual=shown(limit))
    highest = to_i(limit)
    if highest < 1:
        raise issues.NOT_A_LIMIT(actual=shown(limit))
    name = read_qualified(scope, "::fqdn")
    text = f"{'' if name is None else plain_text(name)}:{joined(seed)}"
    data = text.encode("utf-8", "surrogateescape")
    key = hashlib.md5(data, usedforsecurity=False).hexdigest()
    return str(RubyRandom(int(key, 16)).below(highest))


def joined(values: Any) -> str:
    """Return values joined by colons, also those in arrays.

    >>> joined(["a", ["b", None]])
    'a:b:undef'
    """
    return ":".join(
        joined(value) if value.__class__ is list else plain_text(value) for value in values
    )


# -- regular expressions ---------------------------------------------------------------------------


@function.api_3("split", 2, 2, dialects=OLD_PARSER)
def split(_scope: Scope, text: Value, pattern: Value) -> list[str]:
    """Return the parts of a string between matches of a pattern, without empty ones at the end."""
    return split_text(pattern_of(need_text("split", pattern)), need_text("split", text))


FLAGS = {"G": 0, "E": EXTENDED, "I": IGNORECASE, "M": MULTILINE}


@function.api_3("regsubst", 3, 5)
def regsubst(
    _scope: Scope,
    target: Value,
    pattern: Value,
    replacement: Value,
    flags: Value = "",
    _encoding: Value = "",
) -> Value:
    """Return a string (or each of an array) with the first match of a pattern, or all, replaced.

    The encoding means nothing.
    """
    if flags.__class__ is not str:
        raise issues.BAD_FLAG(flag=shown(flags))
    options = 0
    for flag in flags:
        if flag not in FLAGS:
            raise issues.BAD_FLAG(flag=flag)
        options |= FLAGS[flag]
    if pattern.__class__ is not str:
        raise issues.BAD_PATTERN(actual=shown(pattern))
    regexp = pattern_of(pattern, options)
    if target.__class__ is str:
        return replaced(target, regexp, replacement, "G" in flags)
    items = [] if target == {} else target
    if items.__class__ is not list or any(item.__class__ is not str for item in items):
        raise issues.BAD_TARGET(actual=shown(target))
    return [replaced(item, regexp, replacement, "G" in flags) for item in items]


def replaced(text: str, regexp: Regexp, replacement: Value, every: bool) -> str:
    """Return a text with matches replaced by a text or by their entries in a hash."""
    if is_reference(replacement):
        replacement = {}  # Ruby interpolates the attributes of the resource, which has none
    if replacement.__class__ is dict:
        texts = {key: plain_text(value) for key, value in replacement.items()}
        return looked_up(text, regexp, texts, every)
    if replacement.__class__ is not str:
        raise issues.BAD_REPLACEMENT(actual=shown(replacement))
    return substitute(regexp, text, replacement, every)


# -- formats ---------------------------------------------------------------------------------------


@function.api_3("sprintf", 1)
def sprintf_(_scope: Scope, pattern: Value, *arguments: Value) -> str:
    """Return a format with the arguments filled in, as the C function of this name does."""
    return sprintf(need_text("sprintf", pattern), [as_ruby(value) for value in arguments])


def as_ruby(value: Value) -> Value:
    """Return a value in the form of Ruby's own functions: undef is a symbol, a reference an object.

    >>> as_ruby(["a", None])
    ['a', :undef]
    """
    if value is None:
        return UNDEF
    if value.__class__ is list:
        return [as_ruby(item) for item in value]
    if value.__class__ is dict:
        return make_hash((key, as_ruby(item)) for key, item in pairs(value))
    if is_reference(value):
        return RubyObject(plain_text(value), inspect(value), value)
    return value


@function.api_3("scanf", 2, 2, dialects=OLD_PARSER)
def scanf(_scope: Scope, text: Value, pattern: Value) -> list[Value]:
    """Return the values that a format finds in a string."""
    return read(need_text("scanf", text), plain_text(pattern))


@function.api_3("shellquote", 0)
def shellquote(_scope: Scope, *values: Value) -> str:
    """Return the arguments, and the items of arrays, as words of a shell command line."""
    return " ".join(quoted(need_text("shellquote", word)) for word in flatten(values))


@function.api_3("versioncmp", 2, 2)
def versioncmp(_scope: Scope, left: Value, right: Value) -> int:
    """Return -1, 0 or 1 as a version is older than, the same as or newer than another."""
    order: int = compare_versions(need_text("versioncmp", left), need_text("versioncmp", right))
    return order
