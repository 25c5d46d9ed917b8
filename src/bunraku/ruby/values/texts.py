"""Methods of Ruby's strings, numbers and symbols, and matching, for the code of ERB templates."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, TypeVar

from bunraku.base.bounded_cache import remembered
from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.ruby.values.objects import (
    LISTS,
    SYMBOLS,
    Array,
    Found,
    NeedsRuby,
    Raised,
    checked,
    inspect,
    symbol,
    text,
    unknown,
)
from bunraku.values.regexp.regexp import (
    Match,
    Regexp,
    escape,
    find_all,
    scan,
    split_text,
    substitute,
)
from bunraku.values.ruby_object import Symbol
from bunraku.values.sensitive import Sensitive

Value = Any
F = TypeVar("F", bound=Callable[..., Any])
NOT_GIVEN: Any = object()
"""Placeholder for an omitted argument."""
METHODS: dict[str, Callable[..., Value]] = {}
"""The methods by name; each gets its receiver first."""
SPACES = lazy_pattern(r"[ \t\n\v\f\r]+")
LEADING_INTEGER = lazy_pattern(r"[ \t\n\v\f\r]*([+-]?[0-9]+(?:_[0-9]+)*)")
WHOLE_INTEGER = lazy_pattern(r"-?(?:0|[1-9][0-9]*)")
LEADING_FLOAT = lazy_pattern(r"([+-]?[0-9]+(?:\.[0-9]+)?)(?![0-9._eExX])")
FORMAT = lazy_pattern(r"%(?:%|([-0]?)([0-9]*)([sd]))")
IPV4 = lazy_pattern(r"(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})")
NAME = lazy_pattern(r"[A-Za-z*][A-Za-z0-9.*-]*")
BLANK = "\t\n\v\f\r "


def method(*names: str) -> Callable[[F], F]:
    """Register a method under its names."""

    def register(function: F) -> F:
        for name in names:
            METHODS[name] = function
        return function

    return register


def string(value: Value, what: str) -> str:
    """Return a receiver or argument that must be a string of whole characters."""
    if value.__class__ is not str:
        raise unknown(what, value)
    return value if value.isascii() else checked(value)


def ascii_string(value: Value, what: str) -> str:
    """Return a string that must be ASCII: other letters have case rules of their own."""
    if value.__class__ is not str or not value.isascii() or "\0" in value:
        raise unknown(what, value)
    return str(value)


def without_nul(value: Value, what: str) -> str:
    """Return a string without NUL, which some versions of Ruby strip as a blank."""
    found = string(value, what)
    if "\0" in found:
        raise unknown(what, value)
    return found


def count_of(value: Value, what: str) -> int:
    """Return an argument that must be an integer."""
    if value.__class__ is not int or not -100_000 < value < 100_000:
        raise unknown(what, value)
    return int(value)


# -- conversions -----------------------------------------------------------------------------------

METHODS["to_s"] = text
METHODS["inspect"] = inspect


@method("to_i")
def to_integer(value: Value) -> int:
    """Implement ``to_i``: the digits that a string begins with."""
    kind = value.__class__
    if kind is int:
        return int(value)
    if value is None:
        return 0
    if kind is float and abs(value) < 1e300:
        return int(value)
    found = LEADING_INTEGER.match(ascii_string(value, "to_i"))
    return int(found[1].replace("_", "")) if found and len(found[1]) < 1000 else 0


@method("to_f")
def to_float(value: Value) -> float:
    """Implement ``to_f`` of numbers, and of strings that begin with plain ones."""
    if value.__class__ in (int, float):
        return float(value)
    if value is None:
        return 0.0
    found = LEADING_FLOAT.match(ascii_string(value, "to_f"))
    if found is None or len(found[1]) > 300:
        raise unknown("to_f", value)
    return float(found[1])


@method("to_sym")
def to_symbol(value: Value) -> Value:
    """Implement ``to_sym``."""
    return value if value.__class__ in SYMBOLS else symbol(string(value, "to_sym"))


@method("to_str")
def to_str(value: Value) -> str:
    """Implement ``to_str``, which only strings have."""
    return string(value, "to_str")


@method("abs")
def absolute(value: Value) -> Value:
    """Implement ``abs``."""
    if value.__class__ in (int, float):
        return abs(value)
    raise unknown("abs", value)


@method("floor")
def floor(value: Value) -> int:
    """Implement ``floor`` without digits."""
    if value.__class__ is int or (value.__class__ is float and abs(value) < 1e300):
        return math.floor(value)
    raise unknown("floor", value)


@method("ceil")
def ceiling(value: Value) -> int:
    """Implement ``ceil`` without digits."""
    if value.__class__ is int or (value.__class__ is float and abs(value) < 1e300):
        return math.ceil(value)
    raise unknown("ceil", value)


@method("ipv4?")
def is_ipv4(value: Value) -> bool:
    """Implement ``ipv4?`` of an address that was looked at."""
    if value.__class__ is Address:
        return True
    raise unknown("ipv4?", value)


@method("ipv6?")
def is_ipv6(value: Value) -> bool:
    """Implement ``ipv6?`` of an address that was looked at: those are of version 4."""
    return not is_ipv4(value)


@method("zero?")
def is_zero(value: Value) -> bool:
    """Implement ``zero?``."""
    if value.__class__ in (int, float):
        return bool(value == 0)
    raise unknown("zero?", value)


@method("unwrap")
def unwrap(value: Value) -> Value:
    """Implement ``unwrap`` of a Sensitive value."""
    if value.__class__ is Sensitive:
        return value.value
    raise unknown("unwrap", value)


def integer(value: Value) -> int:
    """Implement ``Integer(x)``."""
    if value.__class__ is int:
        return int(value)
    if WHOLE_INTEGER.fullmatch(string(value, "Integer()")):
        return int(value)
    if value.isascii() and not any(map(str.isdigit, value)):
        raise Raised(f"Integer() of {value[:40]!r}", "ArgumentError")
    raise unknown("Integer()", value)


def ip_address(value: Value) -> Address:
    """Implement ``IPAddr.new(x)`` of plain IPv4 addresses, and of names, which are none."""
    text_ = string(value, "IPAddr.new")
    if IPV4.fullmatch(text_) and all(int(part) < 256 for part in text_.split(".")):
        return Address()
    if NAME.fullmatch(text_):
        classes = ("IPAddr::InvalidAddressError", "IPAddr::Error", "ArgumentError")
        raise Raised(f"IPAddr.new of {text_[:40]!r}", *classes)
    raise unknown("IPAddr.new", value)


class Address:
    """An address that was looked at: there is one."""


# -- letters ---------------------------------------------------------------------------------------


@method("upcase")
def upcase(value: Value) -> str:
    """Implement ``upcase``."""
    return ascii_string(value, "upcase").upper()


@method("downcase")
def downcase(value: Value) -> str:
    """Implement ``downcase``."""
    return ascii_string(value, "downcase").lower()


@method("capitalize")
def capitalize(value: Value) -> str:
    """Implement ``capitalize``."""
    return ascii_string(value, "capitalize").capitalize()


@method("swapcase")
def swapcase(value: Value) -> str:
    """Implement ``swapcase``."""
    return ascii_string(value, "swapcase").swapcase()


@method("strip")
def strip(value: Value) -> str:
    """Implement ``strip``."""
    return without_nul(value, "strip").strip(BLANK)


@method("lstrip")
def left_strip(value: Value) -> str:
    """Implement ``lstrip``."""
    return without_nul(value, "lstrip").lstrip(BLANK)


@method("rstrip")
def right_strip(value: Value) -> str:
    """Implement ``rstrip``."""
    return without_nul(value, "rstrip").rstrip(BLANK)


@method("chomp")
def chomp(value: Value, end: Value = NOT_GIVEN) -> str:
    """Implement ``chomp``: without the line end, or an end that is given."""
    found = string(value, "chomp")
    if end is not NOT_GIVEN:
        wanted = string(end, "chomp")
        if not wanted or wanted == "\n":
            raise unknown("chomp of line ends", value)
        return found.removesuffix(wanted)
    for ending in ("\r\n", "\n", "\r"):
        if found.endswith(ending):
            return found[: -len(ending)]
    return found


@method("chop")
def chop(value: Value) -> str:
    """Implement ``chop``."""
    found = string(value, "chop")
    return found[:-2] if found.endswith("\r\n") else found[:-1]


@method("chars")
def chars(value: Value) -> Array:
    """Implement ``chars``."""
    return Array(string(value, "chars"))


@method("lines")
def lines(value: Value) -> Array:
    """Implement ``lines``: each with its end."""
    return Array(re.findall(r"[^\n]*\n|[^\n]+", string(value, "lines")))


@method("start_with?")
def starts_with(value: Value, *starts: Value) -> bool:
    """Implement ``start_with?``."""
    return string(value, "start_with?").startswith(tuple(string(s, "start_with?") for s in starts))


@method("end_with?")
def ends_with(value: Value, *ends: Value) -> bool:
    """Implement ``end_with?``."""
    return string(value, "end_with?").endswith(tuple(string(s, "end_with?") for s in ends))


def padding(value: Value, width: Value, filling: Value, what: str) -> tuple[str, str]:
    """Return the receiver of methods such as ``ljust``, and the padding."""
    found, pad = string(value, what), string(filling, what)
    missing = count_of(width, what) - len(found)
    if not pad:
        raise unknown(f"{what} with nothing", value)
    missing = max(missing, 0)
    return found, (pad * (missing // len(pad) + 1))[:missing]


@method("ljust")
def left_justified(value: Value, width: Value, filling: Value = " ") -> str:
    """Implement ``ljust``."""
    return "".join(padding(value, width, filling, "ljust"))


@method("rjust")
def right_justified(value: Value, width: Value, filling: Value = " ") -> str:
    """Implement ``rjust``."""
    found, more = padding(value, width, filling, "rjust")
    return more + found


@method("center")
def centered(value: Value, width: Value) -> str:
    """Implement ``center`` among spaces."""
    found, more = padding(value, width, " ", "center")
    half = len(more) // 2
    return more[:half] + found + more[half:]


@method("tr")
def translated(value: Value, old: Value, new: Value) -> str:
    """Implement ``tr`` of single letters; ranges and classes are Ruby's."""
    found, before, after = (string(item, "tr") for item in (value, old, new))
    if len(before) != 1 or len(after) != 1 or "\\" in before + after or before == "^":
        if not before or not after or set("-^\\") & set(before + after):
            raise unknown("tr with ranges", value)
        if len(set(before)) != len(before):
            raise unknown("tr of a letter twice", value)
    letters = after + after[-1] * len(before)
    table: dict[int, str] = {}
    for letter, other in zip(before, letters, strict=False):
        table.setdefault(ord(letter), other)
    return found.translate(table)


def formatted(template: Value, arguments: Value) -> Value:
    """Implement ``%`` with ``%s`` and ``%d``."""
    if template.__class__ is int and arguments.__class__ is int and arguments != 0:
        return template % arguments
    pattern = string(template, "%")
    values = list(arguments) if arguments.__class__ in LISTS else [arguments]
    if "%" in FORMAT.sub("", pattern):
        raise unknown("% with rarer forms", template)

    def directive(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        if not values:
            raise unknown("% with too few values", template)
        return format_one(values.pop(0), found[1], int(found[2] or 0), found[3])

    return FORMAT.sub(directive, pattern)


def format_one(value: Value, flag: str, width: int, kind: str) -> str:
    """Return a value formatted by one directive."""
    if kind == "s":
        if flag == "0":
            raise unknown("%0s", value)
        shown = checked(text(value))
    elif value.__class__ is int:
        shown = str(value)
        if flag == "0":
            return shown.zfill(width)
    else:
        raise unknown("%d", value)
    return shown.ljust(width) if flag == "-" else shown.rjust(width)


# -- patterns --------------------------------------------------------------------------------------


@remembered(1024)
def regexp(pattern: str, options: int) -> Regexp:
    """Return the regular expression of a literal."""
    try:
        return Regexp(pattern, options).compile()
    except PuppetError as error:
        raise NeedsRuby(error.message) from None


def pattern_of(value: Value, what: str) -> Regexp:
    """Return a pattern argument: a regular expression, or a literal string."""
    if value.__class__ is Regexp:
        return value
    return regexp(escape(string(value, what)), 0)


def search(pattern: Regexp, subject: str, start: int = 0) -> Match | None:
    """Return the first match from an offset on."""
    try:
        return pattern.search(checked(subject), start)  # type: ignore[no-any-return]
    except PuppetError as error:
        raise NeedsRuby(error.message) from None


def find_match(left: Value, right: Value) -> Match | None:
    """Return the match that ``=~`` finds; either side may be the pattern."""
    if left.__class__ is Regexp and right.__class__ is not Regexp:
        left, right = right, left
    if right.__class__ is not Regexp:
        raise unknown("=~", left, right)
    if left is None:
        return None
    return search(right, text(left) if left.__class__ is Symbol else string(left, "=~"))


def match_place(left: Value, right: Value) -> int | None:
    """Implement ``=~``: return the position of the match."""
    found = find_match(left, right)
    return None if found is None else found.start()


def differs(left: Value, right: Value) -> bool:
    """Implement ``!~``."""
    return find_match(left, right) is None


@method("match")
def match(value: Value, pattern: Value) -> Found | None:
    """Implement ``match``; a string is a pattern too."""
    if value.__class__ is Regexp:
        value, pattern = pattern, value
    if pattern.__class__ is str:
        pattern = regexp(checked(pattern), 0)
    if pattern.__class__ is not Regexp:
        raise unknown("match", value, pattern)
    found = search(pattern, string(value, "match"))
    return None if found is None else Found(found, pattern)


@method("match?")
def matches(value: Value, pattern: Value) -> bool:
    """Implement ``match?``."""
    return match(value, pattern) is not None


@method("captures")
def captures(value: Value) -> Array:
    """Implement ``captures`` of a match."""
    if value.__class__ is Found:
        return Array(value.match.groups())
    raise unknown("captures", value)


@method("gsub")
def replace_all(value: Value, pattern: Value, replacement: Value) -> str:
    """Implement ``gsub`` with a text."""
    return replaced(value, pattern, replacement, True, "gsub")


@method("sub")
def replace_first(value: Value, pattern: Value, replacement: Value) -> str:
    """Implement ``sub`` with a text."""
    return replaced(value, pattern, replacement, False, "sub")


def replaced(value: Value, pattern: Value, replacement: Value, every: bool, what: str) -> str:
    """Implement ``sub`` and ``gsub``."""
    found, other = string(value, what), string(replacement, what)
    if pattern.__class__ is str and "\\" not in other and pattern:
        return found.replace(checked(pattern), other, -1 if every else 1)
    try:
        return substitute(pattern_of(pattern, what), found, other, every)
    except PuppetError as error:
        raise NeedsRuby(error.message) from None


def replaced_by_block(
    value: Value, block: Callable[..., Value], count: int, pattern: Value, every: bool
) -> str:
    """Implement ``sub`` and ``gsub`` with a block."""
    found = string(value, "gsub")
    out: list[str] = []
    at = 0
    for hit in find_all(pattern_of(pattern, "gsub"), found):
        out.append(found[at : hit.start()])
        given: list[Value] = [hit.group(), None, None][:count]
        out.append(checked(text(block(*given))))
        at = hit.end()
        if not every:
            break
    out.append(found[at:])
    return "".join(out)


@method("scan")
def scan_all(value: Value, pattern: Value) -> Array:
    """Implement ``scan``."""
    return Array(scan(pattern_of(pattern, "scan"), string(value, "scan")))


@method("split")
def split(value: Value, separator: Value = None, limit: Value = 0) -> Array:
    """Implement ``split``."""
    found, most = string(value, "split"), count_of(limit, "split")
    if separator is None or separator == " ":
        if most != 0 or "\0" in found:
            raise unknown("split by blanks with a limit", value)
        return Array(item for item in SPACES.split(found) if item)
    if separator.__class__ is str and most == 0 and separator:
        parts = found.split(checked(separator)) if found else []
        while parts and not parts[-1]:
            parts.pop()
        return Array(parts)
    return Array(split_text(pattern_of(separator, "split"), found, most))


def slice_text(value: str, at: Value) -> Value:
    """Implement ``text[at]``."""
    found = checked(value)
    if at.__class__ is int:
        return found[at] if -len(found) <= at < len(found) else None
    if at.__class__ is str:
        return at if at in found else None
    if at.__class__ is Regexp:
        hit = search(at, found)
        return None if hit is None else hit.group()
    raise unknown("[]", value, at)


def is_symbol(value: Value) -> bool:
    """Return whether a value is a symbol."""
    return value.__class__ in SYMBOLS
