"""Functions with regular expressions: split, regsubst, match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.functions.core import issues
from bunraku.functions.declaration import FunctionTable
from bunraku.runtime.callables import Value
from bunraku.runtime.once import warn_once
from bunraku.runtime.state import Scope
from bunraku.types.model import PatternType, RegexpType, Type, resolved
from bunraku.types.relations.infer import infer
from bunraku.types.text.display import display
from bunraku.values.regexp.regexp import (
    EXTENDED,
    IGNORECASE,
    MULTILINE,
    Regexp,
    escape,
    find_all,
    regexp_from_string,
    split_text,
    substitute,
)
from bunraku.values.sensitive import Sensitive

function = FunctionTable()


@remembered(1024)
def pattern_of(text: str, options: int = 0) -> Regexp:
    """Return the compiled pattern of a text; manifests use the same few again and again."""
    return regexp_from_string(text, options)


def regexp_of(pattern: Value) -> Regexp:
    """Return the regular expression of a string, a Regexp or a Regexp type."""
    if pattern.__class__ is str:
        return pattern_of(pattern)
    if isinstance(pattern, Regexp):
        return pattern
    type_ = resolved(pattern)
    return pattern_of(type_.pattern or "" if isinstance(type_, RegexpType) else "")


# -- split -----------------------------------------------------------------------------------------
@function("split(String $str, Variant[String, Regexp, Type[Regexp]] $pattern)", since="0.25.0")
def split(text: str, pattern: Value) -> list[str]:
    r"""Return the parts of a string between matches of a pattern, without empty ones at its end.

    ```puppet
    split('a,b,,c,,', ',') == ['a', 'b', '', 'c']
    split('a1b', /(\d)/) == ['a', '1', 'b']
    ```
    """
    if pattern.__class__ is str and len(pattern) == 1 and escape(pattern) == pattern:
        return plain_split(text, pattern)
    return split_text(regexp_of(pattern), text)


def plain_split(text: str, separator: str) -> list[str]:
    """Return the parts between a character that has no meaning in patterns.

    >>> plain_split(",a,,b,,", ",")
    ['', 'a', '', 'b']
    """
    parts = text.split(separator)
    while parts and not parts[-1]:
        parts.pop()
    return parts


@function("split(Sensitive[String] $sensitive, Variant[String, Regexp, Type[Regexp]] $pattern)")
def split_sensitive(secret: Sensitive, pattern: Value) -> Sensitive:
    """Return the parts of a secret string as a secret.

    ```puppet
    split(Sensitive('a,b'), ',').unwrap == ['a', 'b']
    ```
    """
    return Sensitive(split(secret.value, pattern))


# -- regsubst --------------------------------------------------------------------------------------
TARGET = (
    "Variant[Array[Variant[String, Sensitive[String]]], "
    "Sensitive[Array[Variant[String, Sensitive[String]]]], "
    "String, Sensitive[String]] $target"
)
REPLACEMENT = "Variant[String, Hash[String, String]] $replacement"
OPTIONS = {"E": EXTENDED, "I": IGNORECASE, "M": MULTILINE}


@function(
    f"regsubst({TARGET}, String $pattern, {REPLACEMENT}, "
    "Optional[Pattern[/^[GEIM]*$/]] $flags = undef, Enum['N', 'E', 'S', 'U'] $encoding = 'N')",
    scope=True,
    since="0.24.8",
)
def regsubst(
    scope: Scope,
    target: Value,
    pattern: str,
    replacement: Value,
    flags: str | None = None,
    encoding: str | None = None,
) -> Value:
    r"""Return a string (or each of an array) with the first match of a pattern, or all, replaced.

    ```puppet
    regsubst('abab', 'a', 'X') == 'Xbab'
    regsubst(['AbA', 'c'], 'a', 'X', 'GI') == ['XbX', 'c']
    regsubst('ab', '(.)(.)', '\2\1') == 'ba'
    regsubst('abc', '[ab]', { 'a' => '1' }, 'G') == '1c'
    ```
    """
    if encoding is not None:
        warn_once(
            scope.compilation,
            "deprecations",
            "regsubst(): the encoding has no effect; Puppet 9 removes the parameter",
        )
    options = 0
    for letter in flags or "":
        options |= OPTIONS.get(letter, 0)
    return replaced(target, pattern_of(pattern, options), replacement, "G" in (flags or ""))


REGEXP_HEADER = (
    f"regsubst({TARGET}, Variant[Regexp, Type[Regexp]] $pattern, {REPLACEMENT}, "
    "Pattern[/^G?$/] $flags = '')"
)


@function(REGEXP_HEADER)
def regsubst_regexp(target: Value, pattern: Value, replacement: Value, flags: str = "") -> Value:
    """Replace matches of a regular expression, which has its own options.

    The text of a Regexp type is matched literally: a dot is a dot.

    ```puppet
    regsubst('abab', /a/, 'X', 'G') == 'XbXb'
    regsubst('a.b', Regexp[/./], 'X') == 'aXb'
    ```
    """
    if not isinstance(pattern, Regexp):
        type_ = resolved(pattern)
        text = type_.pattern if isinstance(type_, RegexpType) else None
        pattern = pattern_of(escape(text or ""))
    return replaced(target, pattern, replacement, flags == "G")


def replaced(target: Value, regexp: Regexp, replacement: Value, every: bool) -> Value:
    """Replace matches in a target; a secret stays secret, an array of secrets becomes plain."""
    if isinstance(target, Sensitive):
        if target.value.__class__ is not list:
            return Sensitive(replaced(target.value, regexp, replacement, every))
        target = target.value
    if target.__class__ is list:
        return [replaced(item, regexp, replacement, every) for item in target]
    if replacement.__class__ is dict:
        return looked_up(target, regexp, replacement, every)
    return substitute(regexp, target, replacement, every)


def looked_up(text: str, regexp: Regexp, replacements: dict[Any, Value], every: bool) -> str:
    """Return a text with each match replaced by its value in a hash, or by nothing.

    >>> looked_up("abc", Regexp("[ab]"), {"a": "1"}, True)
    '1c'
    """
    parts: list[str] = []
    at = 0
    for match in find_all(regexp, text):
        parts += (text[at : match.start()], replacements.get(match.group(), ""))
        at = match.end()
        if not every:
            break
    parts.append(text[at:])
    return "".join(parts)


# -- match -----------------------------------------------------------------------------------------
@function("match(String $string, Variant[Any, Type] $pattern)", since="3.7.0")
def match(text: str, pattern: Value) -> list[str | None] | None:
    """Return the first match of a pattern in a string and its groups; undef without a match.

    ```puppet
    match('abc123', /([a-z]+)([1-9]+)/) == ['abc123', 'abc', '123']
    match('abc', Pattern[/x/, /c/]) == ['c']
    match('abc', 'x') == undef
    ```
    """
    for regexp in patterns_of(pattern):
        found = regexp.search(text)
        if found is not None:
            return [found.group(), *found.groups()]
    return None


@function("match(Array[String] $string, Variant[Any, Type] $pattern)")
def match_each(texts: list[str], pattern: Value) -> list[Value]:
    """Return the match of a pattern in each string of an array.

    ```puppet
    match(['ab', 'c'], /b/) == [['b'], undef]
    ```
    """
    return [match(text, pattern) for text in texts]


def patterns_of(pattern: Value) -> Iterator[Regexp]:
    """Yield the regular expressions to try, in order."""
    type_ = resolved(pattern) if isinstance(pattern, Type) else None
    if pattern.__class__ is str:
        yield pattern_of(pattern)
    elif isinstance(pattern, Regexp):
        yield pattern
    elif pattern.__class__ is list:
        for item in pattern:
            yield from patterns_of(item)
    elif isinstance(type_, RegexpType):
        if type_.pattern is None:
            raise issues.NO_PATTERN()
        yield pattern_of(type_.pattern)
    elif isinstance(type_, PatternType):
        yield from map(pattern_of, type_.patterns)
    else:
        raise issues.NOT_A_PATTERN(actual=display(infer(pattern)))
