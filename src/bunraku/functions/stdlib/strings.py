"""Functions on strings: letter case, line ends, escapes, beginnings and ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn
from urllib.parse import quote

from bunraku.functions.api_3 import Api3Table, need_string, unsuitable
from bunraku.functions.stdlib import issues
from bunraku.functions.stdlib.text_sets import squeeze_letters
from bunraku.values.regexp.regexp import escape

Value = Any
function = Api3Table()
newer = Api3Table()


def each_string(name: str, value: Value, change: Callable[[str], str]) -> Value:
    """Return a string changed, or an array with its strings changed and the rest kept."""
    if value.__class__ is str:
        return change(value)
    if value.__class__ is not list:
        raise unsuitable(name, 0, "an Array or a String", value)
    return [change(item) if item.__class__ is str else item for item in value]


@function.api_3("dos2unix", 1, 1, since="4.9.0")
def dos2unix(text: Value) -> str:
    r"""Turn the line ends of DOS into those of Unix.

    ```puppet
    dos2unix("a\r\n") == "a\n"
    ```
    """
    return need_string(text, "dos2unix").replace("\r\n", "\n")


@function.api_3("unix2dos", 1, 1, since="4.9.0")
def unix2dos(text: Value) -> str:
    r"""Turn the line ends of Unix into those of DOS.

    ```puppet
    unix2dos("a\n") == "a\r\n"
    ```
    """
    return re.sub(r"\r*\n", "\r\n", need_string(text, "unix2dos"))


@function.api_3("squeeze", 1, 2, since="2.2.0")
def squeeze(value: Value, letters: Value = None) -> Value:
    """Make runs of the same letter (of a set) one letter.

    ```puppet
    squeeze('aabbcc') == 'abc'
    squeeze('aabbcc', 'a') == 'abbcc'
    ```
    """
    chosen = (
        need_string(letters, "squeeze", 1) if letters is not None and letters is not False else None
    )
    if value.__class__ is not list:
        return squeeze_letters(need_string(value, "squeeze"), chosen)
    return [squeeze_letters(need_string(item, "squeeze"), chosen) for item in value]


@function.api_3("swapcase", since="2.2.0")
def swapcase(value: Value, *_: Value) -> Value:
    """Swap upper and lower case in a string, or in the strings of an array.

    ```puppet
    swapcase('aBcD') == 'AbCd'
    ```
    """
    return each_string("swapcase", value, str.swapcase)


@function.api_3("uriescape", since="2.6.0")
def uriescape(value: Value, *_: Value) -> Value:
    """Write characters that are not allowed in an address as ``%XX``, in a string or in an array of strings.

    ```puppet
    uriescape(':/?#[]@!$&()*+,;= {}') == ':/?%23[]@!$&()*+,;=%20%7B%7D'
    ```
    """
    return each_string("uriescape", value, escape_uri)


@newer.api_3("uriescape", since="9.0.0")
def newer_uriescape(*_: Value) -> NoReturn:
    """Refused: the library gave it up for Puppet 8."""
    reason = "this function does not exist for Puppet 8"
    raise issues.NOT_AVAILABLE(name="uriescape", reason=reason)


def escape_uri(text: str) -> str:
    """Return a text with all bytes but those that mean something in addresses as ``%XX``."""
    return quote(text.encode("utf-8", "surrogateescape"), safe="-_.!~*'();/?:@&=+$,[]")


@function.api_3("regexpescape", since="4.13.0")
def regexpescape(value: Value, *_: Value) -> Value:
    r"""Escape the special characters of regular expressions, in a string or an array's strings.

    ```puppet
    regexpescape('a.b*') == 'a\.b\*'
    ```
    """
    return each_string("regexpescape", value, escape)


@function(
    "stdlib::start_with(String $text, Variant[String[1], Array[String[1], 1]] $prefixes)",
    since="6.3.0",
)
def start_with(text: str, prefixes: Value) -> bool:
    """Return whether a string begins with a prefix, or with one of several.

    ```puppet
    stdlib::start_with('foobar', ['bar', 'foo'])
    ```
    """
    return text.startswith(prefixes if prefixes.__class__ is str else tuple(prefixes))


@function(
    "stdlib::end_with(String $text, Variant[String[1], Array[String[1], 1]] $suffixes)",
    since="6.3.0",
)
def end_with(text: str, suffixes: Value) -> bool:
    """Return whether a string ends with a suffix, or with one of several.

    ```puppet
    stdlib::end_with('foobar', 'bar')
    ```
    """
    return text.endswith(suffixes if suffixes.__class__ is str else tuple(suffixes))


XML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


@function("stdlib::xml_encode(String $text, Enum['text', 'attr'] $kind = 'text')", since="8.2.0")
def xml_encode(text: str, kind: str = "text") -> str:
    """Write a string as XML text, or as an attribute's value with its quotes.

    ```puppet
    stdlib::xml_encode('a < b') == 'a &lt; b'
    stdlib::xml_encode('"a"', 'attr') == '"&quot;a&quot;"'
    ```
    """
    inside = "".join(XML.get(letter, letter) for letter in text)
    if kind == "text":
        return inside
    quoted = inside.replace('"', "&quot;").replace("'", "&apos;")
    return f'"{quoted}"'
