"""The old validations ``validate_array``, ``validate_bool`` …, as functions of the old kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.functions.api_3 import Api3Table, unsuitable
from bunraku.functions.stdlib import issues
from bunraku.functions.stdlib.checks import address_version, is_domain, is_email, is_path
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.ruby_semantics.collections import flatten, truthy
from bunraku.values.ruby_semantics.numbers import parse_float, parse_integer
from bunraku.values.ruby_semantics.texts import kind_name

Value = Any
function = Api3Table()


def refuse_others(values: Sequence[Value], fits: Callable[[Value], bool], what: str) -> None:
    """Complain about the first value that does not fit."""
    for value in values:
        if not fits(value):
            raise issues.LOOKS_LIKE(value=inspect(value), what=what, actual=kind_name(value))


@function.api_3("validate_array", since="1.0.0", until="8.6.0")
def validate_array(*values: Value) -> None:
    """Fail unless all values are arrays.

    ```puppet
    validate_array([1]) == undef
    ```
    """
    refuse_others(values, lambda value: value.__class__ is list, "an Array")


@function.api_3("validate_hash", since="0.1.7", until="8.6.0")
def validate_hash(*values: Value) -> None:
    """Fail unless all values are hashes.

    ```puppet
    validate_hash({}) == undef
    ```
    """
    refuse_others(values, lambda value: value.__class__ is dict, "a Hash")


@function.api_3("validate_bool", since="0.1.5", until="8.6.0")
def validate_bool(*values: Value) -> None:
    """Fail unless all values are Booleans.

    ```puppet
    validate_bool(true, false) == undef
    ```
    """
    refuse_others(values, lambda value: value.__class__ is bool, "a boolean")


@function.api_3("validate_string", since="1.0.0", until="8.6.0")
def validate_string(*values: Value) -> None:
    """Fail unless all values are strings or undef.

    ```puppet
    validate_string('x', undef) == undef
    ```
    """
    refuse_others(values, lambda value: value is None or value.__class__ is str, "a string")


@function.api_3("validate_absolute_path", since="2.3.0", until="8.6.0")
def validate_absolute_path(*values: Value) -> None:
    """Fail unless all strings, also those in arrays, are absolute paths.

    ```puppet
    validate_absolute_path('/usr', ['C:/x']) == undef
    ```
    """
    for value in values:
        for path in value if value.__class__ is list else [value]:
            if not is_path(path):
                raise issues.NOT_AN_ABSOLUTE_PATH(path=inspect(path))


def refuse_bad_strings(values: Sequence[Value], fits: Callable[[str], bool], what: str) -> None:
    """Complain about the first value that is not a string or does not match."""
    for value in values:
        if value.__class__ is not str:
            raise issues.NOT_A_STRING(value=inspect(value))
        if not fits(value):
            raise issues.NOT_VALID(value=inspect(value), what=what)


@function.api_3("validate_ip_address", since="4.10.0", until="8.6.0")
def validate_ip_address(*values: Value) -> None:
    """Fail unless all strings are IP addresses.

    ```puppet
    validate_ip_address('10.0.0.1', '::1') == undef
    ```
    """
    refuse_bad_strings(values, lambda text: address_version(text) > 0, "a valid IP address.")


@function.api_3("validate_ipv4_address", since="4.2.0", until="8.6.0")
def validate_ipv4_address(*values: Value) -> None:
    """Fail unless all strings are IPv4 addresses.

    ```puppet
    validate_ipv4_address('10.0.0.1') == undef
    ```
    """
    refuse_bad_strings(values, lambda text: address_version(text) == 4, "a valid IPv4 address.")


@function.api_3("validate_ipv6_address", since="4.2.0", until="8.6.0")
def validate_ipv6_address(*values: Value) -> None:
    """Fail unless all strings are IPv6 addresses.

    ```puppet
    validate_ipv6_address('::1') == undef
    ```
    """
    refuse_bad_strings(values, lambda text: address_version(text) == 6, "a valid IPv6 address.")


@function.api_3("validate_domain_name", since="4.19.0", until="8.6.0")
def validate_domain_name(*values: Value) -> None:
    """Fail unless all strings can be domain names.

    ```puppet
    validate_domain_name('example.com') == undef
    ```
    """
    refuse_bad_strings(values, is_domain, "a syntactically correct domain name")


@function.api_3("validate_email_address", since="4.12.0", until="8.6.0")
def validate_email_address(*values: Value) -> None:
    """Fail unless all strings look like addresses of electronic mail.

    ```puppet
    validate_email_address('dan@example.com') == undef
    ```
    """
    refuse_bad_strings(values, is_email, "a valid email address")


@function.api_3("validate_re", 2, 3, since="0.1.3", until="8.6.0")
def validate_re(value: Value, patterns: Value, message: Value = None) -> None:
    """Fail unless a string matches one of several regular expressions.

    ```puppet
    validate_re('one', ['^one$', '^two']) == undef
    ```
    """
    if value.__class__ is not str:
        raise unsuitable("validate_re", 0, "a String", value)
    for pattern in flatten([patterns]):
        if pattern.__class__ is not str and pattern.__class__ is not Regexp:
            raise unsuitable("validate_re", 1, "a String or an Array of them", pattern)
        regexp = pattern if isinstance(pattern, Regexp) else Regexp(pattern)
        if regexp.search(value) is not None:
            return
    if truthy(message):
        raise issues.VALIDATION_MESSAGE(message=to_s(message))
    raise issues.PATTERN_MISMATCH(value=inspect(value), patterns=inspect(patterns))


def limit(name: str, value: Value, parse: Callable[[str], Any], position: int) -> Any:
    """Return a bound as a number."""
    number = parse(to_s(value))
    if number is None:
        raise unsuitable(name, position, "unset or a number", value)
    return number


def validate_numbers(name: str, parse: Callable[[str], Any], arguments: Sequence[Value]) -> None:
    """Fail unless a number, or each of an array, is a number between bounds."""
    value, *bounds = arguments
    high = low = None
    if bounds and not (len(bounds) > 1 and to_s(bounds[0]) == ""):
        high = limit(name, bounds[0], parse, 1)
    if len(bounds) > 1:
        low = limit(name, bounds[1], parse, 2)
    if high is not None and low is not None and low > high:
        raise issues.BOUNDS_REVERSED(name=name, high=high, low=low)
    if value.__class__ is dict:
        raise unsuitable(name, 0, "a number or an Array of them", value)
    for item in value if value.__class__ is list else [value]:
        number = None if item.__class__ is dict else parse(to_s(item))
        if number is None:
            raise issues.NOT_SUCH_A_NUMBER(name=name, value=inspect(item))
        if high is not None and number > high:
            raise issues.TOO_LARGE(name=name, value=inspect(item), high=high)
        if low is not None and number < low:
            raise issues.TOO_SMALL(name=name, value=inspect(item), low=low)


@function.api_3("validate_integer", 1, 3, since="4.6.0", until="8.6.0")
def validate_integer(*arguments: Value) -> None:
    """Fail unless a value, or each of an array, is an integer, at most and at least so much.

    ```puppet
    validate_integer([1, '2'], 10, 0) == undef
    ```
    """
    validate_numbers("validate_integer", parse_integer, arguments)


@function.api_3("validate_numeric", 1, 3, since="4.6.0", until="8.6.0")
def validate_numeric(*arguments: Value) -> None:
    """Fail unless a value, or each of an array, is a number, at most and at least so much.

    ```puppet
    validate_numeric([1.5, '2'], 10, 0) == undef
    ```
    """
    validate_numbers("validate_numeric", parse_float, arguments)


def length_bound(value: Value, position: int, lowest: int) -> int:
    """Return a bound of a string's length."""
    kind = value.__class__
    number = parse_integer(value) if kind is str else value if kind in {int, float} else None
    if number is None or int(number) < lowest:
        raise unsuitable("validate_slength", position, "a positive number", value)
    return int(number)


def length_error(text: str, low: int, high: int) -> PuppetError:
    """Return the complaint about a string's length."""
    return issues.LENGTH_OUT_OF_BOUNDS(
        name="validate_slength", text=inspect(text), low=low, high=high, length=len(text)
    )


@function.api_3("validate_slength", 2, 3, since="2.3.0", until="8.6.0")
def validate_slength(value: Value, longest: Value, shortest: Value = None) -> None:
    """Fail unless a string, or each of an array, has a length between bounds.

    ```puppet
    validate_slength(['discombobulate', 'moo'], 17, 3) == undef
    ```
    """
    high = length_bound(longest, 1, 1)
    low = length_bound(shortest, 2, 0) if truthy(shortest) else 0
    if high < low:
        raise issues.EMPTY_BOUNDS(name="validate_slength")
    if value.__class__ not in {str, list}:
        raise unsuitable("validate_slength", 0, "a String or an Array", value)
    for text in value if value.__class__ is list else [value]:
        if text.__class__ is not str:
            raise unsuitable("validate_slength", 0, "an Array of Strings", value)
        if not low <= len(text) <= high:
            raise length_error(text, low, high)
