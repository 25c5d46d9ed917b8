"""The operators of the modern dialect: arithmetic, comparison, matching, membership.

Positions of errors follow Puppet: an operand that does not fit is pointed at itself (``at``), else
the operator is.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, isinf, isnan, nan
from operator import ge, gt, le, lt
from typing import Any, NoReturn

from bunraku.base.errors import BlamedPart, PuppetError, Words, puppet_words
from bunraku.runtime import arithmetic, issues
from bunraku.runtime.state import current_scope
from bunraku.runtime.suggest import word_hint
from bunraku.types.model import Type
from bunraku.types.relations.assignable import is_assignable
from bunraku.types.relations.equality import equal, same
from bunraku.types.relations.instance import checker, is_instance
from bunraku.types.text.display import display
from bunraku.types.value_text import to_text
from bunraku.values.binary import Binary
from bunraku.values.default import DEFAULT
from bunraku.values.keys import as_key, from_key, pairs
from bunraku.values.numbers import parse_number
from bunraku.values.pcore import PcoreObject
from bunraku.values.regexp.regexp import Match, Regexp, Search, regexp_from_string
from bunraku.values.ruby_object import RubyReference
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.version import SemVer, SemVerRange

Value = Any
HIGHEST = 2**63 - 1
LARGEST_SHIFT = 1024
"""Bits of a result whose words are worked out; a longer one is shown as of this length."""
LOWEST = -(2**63)
NUMBERS = frozenset({int, float})

# -- names of values in messages ------------------------------------------------------------------

KIND_NAMES: dict[type, str] = {
    bool: "a Boolean",
    int: "an Integer",
    float: "a Float",
    str: "a String",
    list: "an Array",
    dict: "a Hash",
    Regexp: "a Regexp",
    PcoreObject: Words("a PcoreObject", lambda: "an Object"),
    SemVer: Words("a SemVer", lambda: "a Semver"),
    SemVerRange: Words("a SemVerRange", lambda: "a SemverRange"),
    RubyReference: "a Ruby object",
}


def bare_kind_name(value: Value) -> str:
    """Return the kind of a value, without an article."""
    name = kind_name(value)
    return Words(name.partition(" ")[2], lambda: str(puppet_words(name)).partition(" ")[2])


def label_of_type(type_: Type) -> str:
    """Return Puppet's words for a type as a value: ``an Integer[1, 2]-Type``."""
    text = display(type_)
    return f"{'an' if text[:1] in 'AEIOU' else 'a'} {text}-Type"


def kind_name(value: Value) -> str:
    """Return the kind of a value, with its article."""
    if value is None:
        return "an Undef Value"
    if value is DEFAULT:
        return Words("a Default Value", lambda: "an Object")
    if isinstance(value, Type):
        return Words("a Type", lambda: label_of_type(value))
    name = KIND_NAMES.get(value.__class__)
    if name is not None:
        return name
    word = value.__class__.__name__
    return f"{'an' if word[0] in 'AEIOU' else 'a'} {word}"


# -- truth ---------------------------------------------------------------------------------------


def truthy(value: object) -> bool:
    """Return whether a value is true: only ``false`` and ``undef`` are false."""
    return value is not None and value is not False


# -- numbers -------------------------------------------------------------------------------------


def number(value: Value, part: BlamedPart, index: int | None = None) -> Any:
    """Return a number, or a string that is read as one where ``strict`` allows it."""
    if value.__class__ in NUMBERS:
        return value
    if value.__class__ is str:
        parsed = parse_number(value)
        if parsed is not None:
            report_coercion(value, parsed, part, index)
            return parsed
        scope = current_scope()
        hint = None if scope is None else word_hint(value, scope)
        raise issues.NOT_NUMERIC(value=show(value)).in_part(part, index).hinted(hint)
    raise issues.NOT_NUMERIC(value=show(value)).in_part(part, index)


def report_coercion(text: str, parsed: int | float, part: BlamedPart, index: int | None) -> None:
    """Refuse, warn or stay silent, as the setting ``strict`` requires."""
    scope = current_scope()
    if scope is not None:
        scope.compilation.messages.strict_finding(
            issues.NUMERIC_COERCION(before=text, after=parsed).in_part(part, index)
        )


def show(value: object) -> str:
    """Return a value for messages; secrets stay hidden, long values are cut."""
    text = to_text(value)
    return text if len(text) <= 120 else f"{text[:117]}..."


def checked(value: int | float, operator: str) -> int | float:
    """Return a result that fits Puppet's numbers."""
    if value.__class__ is int:
        if not LOWEST <= value <= HIGHEST:
            raise overflow(operator, value)
    elif isinf(value):
        raise issues.RESULT_IS_INFINITY(operator=operator)
    return value


def not_applicable(operator: str, value: Value, part: BlamedPart = "left") -> NoReturn:
    """Raise the error for an operand that the operator does not accept."""
    raise issues.OPERATOR_NOT_APPLICABLE(operator=operator, left=kind_name(value)).in_part(part)


def add(left: Value, right: Value) -> Value:
    """Evaluate ``+``: sum of numbers, concatenation of arrays, merge of hashes."""
    if left.__class__ is int and right.__class__ is int:
        result = left + right
        if LOWEST <= result <= HIGHEST:
            return result
        raise overflow("+", result)
    if left.__class__ is list:
        if right.__class__ is list:
            return [*left, *right]
        if right.__class__ is dict:
            return [*left, *([key, value] for key, value in pairs(right))]
        return [*left, right]
    if left.__class__ is dict:
        return merge(left, right)
    if arithmetic.takes_sum(left, right):
        return arithmetic.add(left, right, number)
    return checked(number(left, "left") + number(right, "right"), "+")


def merge(left: dict[Any, Value], right: Value) -> dict[Any, Value]:
    """Hash ``+`` hash, or an array of pairs or a flat array that makes one."""
    if right.__class__ is dict:
        return {**left, **right}
    if right.__class__ is list:
        if all(item.__class__ is list and len(item) == 2 for item in right):
            return {**left, **{as_key(key): value for key, value in right}}
        if len(right) % 2 == 0:
            flat = zip(right[::2], right[1::2], strict=True)
            return {**left, **{as_key(key): value for key, value in flat}}
    raise issues.APPEND_TO_HASH(right=kind_name(right), problem=append_problem(right))


def append_problem(right: Value) -> str:
    """Return Puppet's words for what cannot be added to a hash."""
    if right.__class__ is not list:
        return "Can only append Array or Hash to a Hash"
    if any(item.__class__ is not list for item in right):
        return "odd number of arguments for Hash"
    size = next(len(item) for item in right if not 1 <= len(item) <= 2)
    return f"invalid number of elements ({size} for 1..2)"


def overflow(operator: str, value: int, shown: str | None = None) -> PuppetError:
    """Return the error for a result of more than 64 bits."""
    limit = "max" if value > 0 else "min"
    number = Words(shown or str(value), lambda: f"{value:+#x}")
    return issues.NUMERIC_OVERFLOW(operator=operator, value=number, limit=limit)


def no_conversion(value: Value) -> str:
    """Return Ruby's words for a value that it does not take as a text."""
    name = {None: "nil", True: "true", False: "false"}.get(value) if is_atom(value) else None
    return f"no implicit conversion of {name or bare_kind_name(value)} into String"


def is_atom(value: Value) -> bool:
    """Return whether a value is undef or a Boolean."""
    return value is None or value.__class__ is bool


def subtract(left: Value, right: Value) -> Value:
    """Evaluate ``-``: difference of numbers; an array or hash without elements or keys."""
    if left.__class__ is int and right.__class__ is int:
        result = left - right
        if LOWEST <= result <= HIGHEST:
            return result
        raise overflow("-", result)
    if left.__class__ is list:
        return remove(left, right)
    if left.__class__ is dict:
        if right.__class__ is dict:
            gone = set(right)
        elif right.__class__ is list:
            gone = set(map(as_key, right))
        else:
            gone = {as_key(right)}
        return {key: value for key, value in left.items() if key not in gone}
    if arithmetic.takes(left, right):
        return arithmetic.subtract(left, right, number)
    return checked(number(left, "left") - number(right, "right"), "-")


def remove(left: list[Value], right: Value) -> list[Value]:
    """Return an array without the elements of another; letter case counts, as in Ruby."""
    if right.__class__ is list:
        gone = right
    elif right.__class__ is dict:
        gone = [[key, value] for key, value in pairs(right)]
    else:
        gone = [right]
    plain = {item for item in gone if item.__class__ is str or item.__class__ is int}
    others = [item for item in gone if item.__class__ is not str and item.__class__ is not int]

    def stays(item: Value) -> bool:
        """Return whether no unwanted element equals it; text and integers use a set."""
        kind = item.__class__
        if kind is str:
            return item not in plain
        if kind is int:
            return item not in plain and not any(same(item, other) for other in others)
        return not any(same(item, other) for other in gone)

    return list(filter(stays, left))


def multiply(left: Value, right: Value) -> Value:
    """Evaluate ``*``."""
    if left.__class__ is int and right.__class__ is int:
        result = left * right
        if LOWEST <= result <= HIGHEST:
            return result
    if arithmetic.takes(left, right):
        return arithmetic.multiply(left, right, number)
    return checked(number(left, "left") * number(right, "right"), "*")


def divide(left: Value, right: Value) -> Value:
    """Evaluate ``/``: integers round toward negative infinity."""
    if left.__class__ is int and right.__class__ is int and right > 0:
        return left // right
    if arithmetic.takes(left, right):
        return arithmetic.divide(left, right, number)
    dividend, divisor = number(left, "left"), number(right, "right")
    if divisor.__class__ is int and dividend.__class__ is int:
        if divisor == 0:
            raise issues.DIV_BY_ZERO().in_part("right")
        return checked(dividend // divisor, "/")
    if divisor == 0:
        if dividend == 0 or isnan(dividend):
            return nan
        raise issues.RESULT_IS_INFINITY(operator="/").in_part("left")
    return checked(dividend / divisor, "/")


def modulo(left: Value, right: Value) -> Value:
    """Evaluate ``%``: on integers only; the sign is the divisor's."""
    if left.__class__ is int and right.__class__ is int and right != 0:
        return left % right
    if arithmetic.takes(left, right):
        return arithmetic.modulo(left, right, number)
    dividend, divisor = number(left, "left"), number(right, "right")
    if dividend.__class__ is float:
        not_applicable("%", dividend)
    if divisor.__class__ is float:
        raise issues.OPERATOR_NOT_APPLICABLE_WHEN(
            operator="%", left=kind_name(dividend), right=kind_name(divisor)
        ).in_part("left")
    if divisor == 0:
        raise issues.DIV_BY_ZERO().in_part("right")
    return dividend % divisor


def shift_left(left: Value, right: Value) -> Value:
    """Evaluate ``<<``: shift of an integer, or an array with one element more."""
    if left.__class__ is list:
        return [*left, right]
    if left.__class__ is dict:
        not_applicable("<<", left)
    return shift(left, right, "<<", 1)


def shift_right(left: Value, right: Value) -> Value:
    """Evaluate ``>>``."""
    return shift(left, right, ">>", -1)


def shift(left: Value, right: Value, operator: str, sign: int) -> int:
    """Shift an integer left (sign 1) or right (-1); a negative distance turns it round."""
    if arithmetic.takes(left, right):
        if left.__class__ in NUMBERS:
            arithmetic.not_applicable_when(operator, left, right)
        not_applicable(operator, left)
    value, distance = number(left, "left"), number(right, "right")
    if value.__class__ is float:
        not_applicable(operator, value)
    if distance.__class__ is float and not isfinite(distance):
        not_applicable(operator, distance, "right")
    steps = int(distance) * sign
    if steps >= 0:
        if steps > 64 and value != 0:
            raise overflow(
                operator, int(value) << min(steps, LARGEST_SHIFT), "a value of over 64 bits"
            )
        return int(checked(int(value) << min(steps, 64), operator))
    return int(value) >> min(-steps, 64)


def negate(value: Value) -> Value:
    """Evaluate ``-value``."""
    if arithmetic.takes(value, value):
        return arithmetic.negate(value)
    return checked(-number(value, "operator"), "-")


# -- comparison ----------------------------------------------------------------------------------


def unequal(left: Value, right: Value) -> bool:
    """Evaluate ``!=``."""
    return not equal(left, right)


def compare(left: Value, right: Value, operator: str) -> int:
    """Negative, zero or positive; for numbers, strings (without ASCII case), times, versions."""
    kinds = left.__class__, right.__class__
    if kinds[0] in NUMBERS and kinds[1] in NUMBERS:
        return int(left > right) - int(left < right)
    if kinds == (str, str):
        first, second = fold(left), fold(right)
        return (first > second) - (first < second)
    ordered: int | None = arithmetic.compare(left, right)
    if ordered is not None:
        return ordered
    raise issues.COMPARISON_NOT_POSSIBLE(
        operator=operator,
        left=kind_name(left),
        right=kind_name(right),
        left_kind=bare_kind_name(left),
        right_kind=bare_kind_name(right),
        cause=reason_not_comparable(left),
    )


def reason_not_comparable(left: Value) -> str:
    """Return Puppet's words about the operands that a left operand cannot be compared with."""
    if left.__class__ in NUMBERS:
        return "A Numeric is not comparable to non Numeric"
    if left.__class__ is str:
        return "A String is not comparable to a non String"
    if left.__class__ is Timespan:
        return "Timespans are only comparable to Timespans, Integers, and Floats"
    if left.__class__ is Timestamp:
        return "Timestamps are only comparable to Timestamps, Integers, and Floats"
    if left.__class__ is SemVer:
        return "Versions not comparable to non Versions"
    return "Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable"


def fold(text: str) -> bytes:
    """Return a string as bytes in lower case (of ASCII) for comparison."""
    return text.encode("utf-8", "surrogateescape").lower()


def ordering(
    operator: str, numbers: Callable[[Any, Any], Any], test: Callable[[int], bool]
) -> Callable[[Value, Value], bool]:
    """Return a comparison operator of values; on types it compares which is wider."""

    def ordered(left: Value, right: Value) -> bool:
        if left.__class__ is int and right.__class__ is int:
            return bool(numbers(left, right))
        if isinstance(left, Type):
            return isinstance(right, Type) and type_order(operator, left, right)
        return test(compare(left, right, operator))

    return ordered


def type_order(operator: str, left: Type, right: Type) -> bool:
    """Evaluate ``<`` between types: the left is a narrower type than the right."""
    wider, narrower = (left, right) if operator.startswith(">") else (right, left)
    if not is_assignable(wider, narrower):
        return False
    return operator.endswith("=") or not equal(left, right)


less = ordering("<", lt, lambda order: order < 0)
less_equal = ordering("<=", le, lambda order: order <= 0)
greater = ordering(">", gt, lambda order: order > 0)
greater_equal = ordering(">=", ge, lambda order: order >= 0)

# -- matching ------------------------------------------------------------------------------------


def captured(found: Match) -> tuple[str | None, ...]:
    """Return the groups of a match, the whole first."""
    return (found.group(), *found.groups())


def search(pattern: Regexp, text: str, cell: list[Any] | None) -> bool:
    """Search, and keep the captures if code may read them."""
    found = pattern.search(text)
    if found is None:
        return False
    if cell is not None:
        cell[0] = captured(found)
    return True


def searcher(pattern: Regexp) -> Search:
    """Return a search for a pattern in a text that only reports whether it is found."""
    return pattern.compile().search


def matches(left: Value, right: Value, cell: list[Any] | None = None) -> bool:
    """Match with ``=~``: a string by a regular expression, a value by a type, version or range."""
    if right.__class__ is Regexp and left.__class__ is str:
        return search(right, left, cell)
    if isinstance(right, Type):
        try:
            check = right.checker
        except AttributeError:
            check = checker(right)
        return check(left)
    if right.__class__ is SemVerRange:
        return version_in(left, right)
    if left.__class__ is not str:
        raise issues.MATCH_NOT_STRING(left=kind_name(left)).in_part("left")
    if right.__class__ is str:
        try:
            return search(regexp_from_string(right), left, cell)
        except PuppetError as error:
            detail = Words(error.message, lambda: words)
            words = error.diagnostic.in_puppet.words or error.message
            raise issues.MATCH_NOT_REGEXP(detail=detail).in_part("right") from None
    if right.__class__ is not Regexp:
        detail = Words(f"it is {kind_name(right)}", lambda: no_conversion(right))
        raise issues.MATCH_NOT_REGEXP(detail=detail).in_part("right")
    return search(right, left, cell)


def version_in(left: Value, range_: SemVerRange) -> bool:
    """Return a version, or text that is one, in a range."""
    version = as_version(left)
    return version is not None and range_.includes(version)


def as_version(value: Value) -> SemVer | None:
    """Return a version, from text too; None for other values."""
    if value.__class__ is str:
        try:
            return SemVer.parse(value)
        except PuppetError:
            return None
    return value if value.__class__ is SemVer else None


def not_matches(left: Value, right: Value, cell: list[Any] | None = None) -> bool:
    """Evaluate ``!~``."""
    return not matches(left, right, cell)


def contains(left: Value, right: Value, cell: list[Any] | None = None) -> bool:
    """Return whether left is part of a string, an element of an array or a key of a hash, ignoring case."""
    if right.__class__ is str:
        return in_text(left, right, cell)
    if right.__class__ is list:
        return any(in_element(left, item, cell) for item in right)
    if right.__class__ is dict:
        return in_hash(left, right, cell)
    if right.__class__ is Binary:
        return in_bytes(left, right)
    return right.__class__ is SemVerRange and version_in(left, right)


def in_bytes(left: Value, bytes_: Binary) -> bool:
    """Return part of some bytes: text, bytes or the number of one byte."""
    if left.__class__ is Binary:
        return left.data in bytes_.data
    if left.__class__ is str:
        return left.encode("utf-8", "surrogateescape") in bytes_.data
    return left.__class__ in NUMBERS and left in tuple(bytes_.data)


def in_text(left: Value, text: str, cell: list[Any] | None) -> bool:
    """Return part of a string."""
    if left.__class__ is str:
        return fold(left) in fold(text)
    if left.__class__ is Regexp:
        return search(left, text, cell)
    return False


def in_element(left: Value, item: Value, cell: list[Any] | None) -> bool:
    """Return whether an element equals the value searched for."""
    if left.__class__ is Regexp:
        return item.__class__ is str and search(left, item, cell)
    if isinstance(left, Type):
        return is_instance(item, left)
    return fits_version(left, item) or equal(item, left)


def fits_version(value: Value, wanted: Value) -> bool:
    """Return whether a version, or text that is one, equals a version or is in a range."""
    if wanted.__class__ is SemVerRange:
        return version_in(value, wanted)
    return wanted.__class__ is SemVer and as_version(value) == wanted


def in_hash(left: Value, hash_: dict[Any, Value], cell: list[Any] | None) -> bool:
    """Return a key of a hash."""
    key = as_key(left)
    if key in hash_:
        return True
    return any(in_element(left, from_key(candidate), cell) for candidate in hash_)


# -- case and selector ---------------------------------------------------------------------------


def option_matches(value: Value, option: Value, cell: list[Any] | None = None) -> bool:
    """Return whether a value matches an option: by equality, pattern, type, or element by element."""
    if option.__class__ is Regexp:
        return value.__class__ is str and search(option, value, cell)
    if isinstance(option, Type):
        return is_instance(value, option)
    if option is DEFAULT:
        return True
    if option.__class__ is SemVerRange or option.__class__ is SemVer:
        return fits_version(value, option)
    if option.__class__ is list:
        return (
            value.__class__ is list
            and len(value) == len(option)
            and all(option_matches(*pair, cell) for pair in zip(value, option, strict=True))
        )
    if option.__class__ is dict:
        return value.__class__ is dict and all(
            key in value and option_matches(value[key], wanted, cell)
            for key, wanted in option.items()
        )
    return equal(value, option)


def any_option_matches(value: Value, options: list[Value], cell: list[Any] | None = None) -> bool:
    """Evaluate ``*options``: whether any of them matches."""
    return any(option_matches(value, option, cell) for option in options)


def unmatched_selector(value: Value) -> NoReturn:
    """Raise the error for a selector without a matching entry."""
    raise issues.UNMATCHED_SELECTOR(value=show(value))


def unfold(value: Value) -> list[Value]:
    """Unfold ``*value``: the elements of an array or iterator, pairs of a hash; none for undef."""
    if value.__class__ is list:
        found: list[Value] = value
        return found
    if value.__class__ is dict:
        return [[key, item] for key, item in pairs(value)]
    if value is None:
        return []
    if hasattr(value, "__iter__") and value.__class__ is not str:
        return list(value)
    return [value]
