"""Conversions between Booleans, numbers, strings and units."""

from __future__ import annotations

import base64
import binascii
import math
import re
import string
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.api_3 import Api3Table, need_string, unsuitable
from bunraku.functions.issues import WRONG_COUNT
from bunraku.functions.stdlib import issues
from bunraku.runtime.binary_texts import mark_binary
from bunraku.runtime.state import Scope
from bunraku.types.model import Type
from bunraku.types.relations.infer import infer_detailed
from bunraku.types.relations.instance import is_instance
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.ruby_semantics.collections import truthy
from bunraku.values.ruby_semantics.numbers import is_number, parse_float, to_f, to_i

Value = Any
function = Api3Table()

EMPTY_LINE = lazy_pattern(r"(?:\A|\n(?!\Z))(?=\n|\Z)")
TRUE_WORD = lazy_pattern(r"^(?:1|t|y|true|yes)$", re.IGNORECASE | re.MULTILINE)
FALSE_WORD = lazy_pattern(r"^(?:0|f|n|false|no)$", re.IGNORECASE | re.MULTILINE)
UNDEF_WORD = lazy_pattern(r"^(?:undef|undefined)$", re.MULTILINE)


def string_to_boolean(value: Value, name: str) -> bool:
    """Return the Boolean that a word such as ``yes`` or ``F`` means; a Boolean is itself."""
    if value.__class__ is bool:
        return bool(value)
    text = need_string(value, name)
    if EMPTY_LINE.search(text):
        return False
    if TRUE_WORD.search(text):
        return True
    if FALSE_WORD.search(text) or UNDEF_WORD.search(text):
        return False
    raise issues.NOT_A_BOOLEAN(name=name, text=text)


def number_to_boolean(value: Value, name: str) -> bool:
    """Return whether the whole part of a number is above zero."""
    if value.__class__ is str:
        number = parse_float(value)
        if number is None:
            raise issues.NOT_A_NUMBER(name=name, value=value)
        return whole(number, name) > 0
    return whole(value, name) > 0 if is_number(value) else to_i(to_s(value)) > 0


def whole(number: float, name: str) -> int:
    """Return the whole part of a number, which must be finite."""
    if not math.isfinite(number):
        raise issues.NO_WHOLE_PART(name=name, number=to_s(number))
    return int(number)


@function.api_3("str2bool", since="2.2.0")
def str2bool(value: Value, *_: Value) -> bool:
    """Turn words such as 'yes', 'T', '1' into true and 'no', 'f', '0', '' into false.

    ```puppet
    str2bool('yes')
    !str2bool('')
    ```
    """
    return string_to_boolean(value, "str2bool")


@function.api_3("num2bool", 1, 1, since="2.2.0")
def num2bool(value: Value) -> bool:
    """Return whether the whole part of a number, or of a text with one, is above zero.

    ```puppet
    num2bool('2.5')
    !num2bool(0.5)
    ```
    """
    return number_to_boolean(value, "num2bool")


@function.api_3("any2bool", since="4.13.0")
def any2bool(value: Value, *_: Value) -> bool:
    """Turn anything into a Boolean: numbers and words by their meaning, the rest is true.

    ```puppet
    any2bool([])
    !any2bool('0')
    ```
    """
    if value.__class__ is bool:
        return bool(value)
    if value.__class__ is str:
        convert = string_to_boolean if parse_float(value) is None else number_to_boolean
        return convert(value, "any2bool")
    return number_to_boolean(value, "any2bool") if is_number(value) else value is not None


@function.api_3("bool2num", since="2.2.0")
def bool2num(value: Value, *_: Value) -> int:
    """Turn a Boolean, or a word for one, into 1 or 0.

    ```puppet
    bool2num(true) == 1
    bool2num('no') == 0
    ```
    """
    return int(string_to_boolean(value, "bool2num"))


@function.api_3("bool2str", 1, 3, since="4.3.0")
def bool2str(value: Value, true_text: Value = None, *rest: Value) -> str:
    """Turn a Boolean into 'true' or 'false', or into two given strings.

    ```puppet
    bool2str(true) == 'true'
    bool2str(false, 'yes', 'no') == 'no'
    ```
    """
    if true_text is not None and not rest:
        raise WRONG_COUNT(name="bool2str", actual=2, expected="1 or 3", wanted="3")
    if value.__class__ is not bool:
        raise unsuitable("bool2str", 0, "a Boolean", value)
    texts = [true_text if truthy(true_text) else "true"]
    texts.append(rest[0] if rest and truthy(rest[0]) else "false")
    words = [need_string(text, "bool2str", at + 1) for at, text in enumerate(texts)]
    return words[0] if value else words[1]


BYTES = lazy_pattern(r"([0-9.e+-]*)\s*([^bB]?)", re.ASCII)
UNITS = {"": 0, "k": 10, "M": 20, "G": 30, "T": 40, "P": 50, "E": 60}


@function.api_3("to_bytes", 1, 1, since="2.4.0")
def to_bytes(value: Value) -> Value:
    """Turn a size such as '4 kB' into a number of bytes.

    ```puppet
    to_bytes('4 kB') == 4096
    ```
    """
    if is_number(value):
        return value
    found = BYTES.match(need_string(value, "to_bytes"))
    amount, unit = found.groups() if found else ("", "")
    if unit not in UNITS:
        raise issues.UNKNOWN_PREFIX(name="to_bytes", unit=unit)
    return whole(to_f(amount) * (1 << UNITS[unit]), "to_bytes")


def decimal(value: Value, name: str, position: int) -> int:
    """Return the value as an integer, which it is or which its digits mean."""
    if value.__class__ is int:
        return int(value)
    if value.__class__ is not str or not re.search(r"^[0-9]+$", value, re.MULTILINE):
        raise unsuitable(name, position, "an Integer or a String of decimal digits", value)
    return to_i(value)


DIGITS = string.digits + string.ascii_lowercase


def in_base(number: int, base: int) -> str:
    """Return a number's digits in a base from 2 to 36.

    >>> in_base(-255, 16)
    '-ff'
    """
    digits: list[str] = []
    rest = abs(number)
    while rest or not digits:
        rest, digit = divmod(rest, base)
        digits.append(DIGITS[digit])
    return ("-" if number < 0 else "") + "".join(reversed(digits))


@function.api_3("convert_base", 2, 2, since="4.9.0")
def convert_base(number: Value, base: Value) -> str:
    """Write a number in another base.

    ```puppet
    convert_base(254, 16) == 'fe'
    convert_base('5', '2') == '101'
    ```
    """
    value, radix = decimal(number, "convert_base", 0), decimal(base, "convert_base", 1)
    if not 2 <= radix <= 36:
        raise issues.BASE_LIMITS(name="convert_base")
    return in_base(value, radix)


ALPHABET = {
    letter: at
    for at, letter in enumerate(string.ascii_uppercase + string.ascii_lowercase + "0123456789+/")
}


def decode_loosely(text: str) -> bytes:
    """Decode base64 as Ruby does by default: foreign letters are skipped, ``=`` may end it.

    >>> decode_loosely("dGhl c3Ry!aW5n")
    b'thestring'
    """
    bits: list[int] = []
    for letter in text:
        if letter == "=" and len(bits) % 4 >= 2:
            break
        if letter in ALPHABET:
            bits.append(ALPHABET[letter])
    usable = len(bits) - (len(bits) % 4 == 1)
    number = 0
    for bit in bits[:usable]:
        number = number << 6 | bit
    size, spare = divmod(usable * 6, 8)
    return (number >> spare).to_bytes(size, "big")


def decode_strictly(text: str) -> bytes:
    """Decode base64; foreign letters are an error."""
    try:
        data = base64.b64decode(text.encode("utf-8", "surrogateescape"), validate=True)
    except (binascii.Error, ValueError):
        data = None
    if data is None or base64.b64encode(data).decode() != text:
        raise issues.INVALID_BASE64(name="base64")
    return data


def encode_base64(text: str, method: str) -> str:
    """Return a text's bytes in base64: in lines of 60, in one line, or for use in addresses."""
    data = text.encode("utf-8", "surrogateescape")
    if method == "urlsafe":
        return base64.urlsafe_b64encode(data).decode()
    whole_line = base64.b64encode(data).decode()
    if method == "strict":
        return whole_line
    return "".join(whole_line[at : at + 60] + "\n" for at in range(0, len(whole_line), 60))


def decode_base64(text: str, method: str) -> str:
    """Return the text that is encoded in base64."""
    if method == "default":
        data = decode_loosely(text)
    elif method == "strict":
        data = decode_strictly(text)
    else:
        padded = text if text.endswith("=") else text + "=" * (-len(text) % 4)
        data = decode_strictly(padded.replace("-", "+").replace("_", "/"))
    return data.decode("utf-8", "surrogateescape")


@function.api_3("base64", 2, scope=True, since="4.2.0")
def base64_text(
    scope: Scope, action: Value, text: Value, method: Value = "default", *_: Value
) -> str:
    """Encode a string in base64, or decode it; methods are default, strict and urlsafe.

    ```puppet
    base64('encode', 'thestring', 'strict') == 'dGhlc3RyaW5n'
    base64('decode', 'dGhlc3RyaW5n') == 'thestring'
    ```
    """
    if action.__class__ is not str or action not in {"encode", "decode"}:
        raise issues.BASE64_ACTION(name="base64")
    need_string(text, "base64", 1)
    if method.__class__ is not str or method not in {"default", "strict", "urlsafe"}:
        raise issues.BASE64_METHOD(name="base64")
    if action == "encode":
        return encode_base64(text, method)
    return mark_binary(scope.compilation, decode_base64(text, method))


@function("type_of(Any $value)", since="4.6.0", until="8.6.0")
@function("stdlib::type_of(Any $value)", since="9.0.0")
def type_of(value: Value) -> Type:
    """Return the detailed type of a value.

    ```puppet
    type_of([1, 'a']) == type([1, 'a'], 'detailed')
    ```
    """
    return infer_detailed(value)


@function("is_a(Any $value, Type $type)", since="4.10.0")
def is_a(value: Value, type_: Type) -> bool:
    """Return whether a value is an instance of a type.

    ```puppet
    is_a(3, Integer)
    ```
    """
    return is_instance(value, type_)
