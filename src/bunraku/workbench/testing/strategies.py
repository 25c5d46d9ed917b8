"""Strategies of hypothesis for values of Puppet's data types, for property tests.

A strategy makes only values that the type accepts. hypothesis is imported with this module alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import partial, singledispatchmethod
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bunraku.base.errors import PuppetError
from bunraku.types import model as m
from bunraku.types.base import Type, TypeAliasType, resolved
from bunraku.types.parse import parse_type
from bunraku.types.relations.instance import is_instance
from bunraku.types.text.display import display
from bunraku.values.binary import Binary
from bunraku.values.default import DEFAULT
from bunraku.values.keys import as_key
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.regexp.translate import Elsewhere, Invalid, translate
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer, SemVerRange
from bunraku.workbench.testing.issues import NO_STRATEGY
from bunraku.workbench.testing.project import code_under_test
from bunraku.workbench.testing.subject_compiler import SubjectCompiler
from bunraku.world.machine import Machine

Values = SearchStrategy[Any]
SMALLEST, LARGEST = -(2**63), 2**63 - 1
"""Puppet's integers have 64 bits."""
SECOND = 10**9
FIRST_TIME, LAST_TIME = -(2**31) * SECOND, 2**32 * SECOND
"""Points in time and durations of types without limits, in nanoseconds."""
MORE = 4
"""Elements beyond the least number, in containers without a greatest number."""
TEXT = st.characters(codec="utf-8", exclude_characters="\0")
PATTERNS = ("", "a", "^b+$", r"\d{2,3}", "[x/y]|z")
RANGES = ("1.x", ">=1.2.3", ">=1.0.0 <3.0.0", "~2.1", "4.5.6")
TYPES = (m.ANY, m.UNDEF, m.IntegerType(1, 9), m.StringType(), m.ArrayType(m.SCALAR))


def from_type(type_: str | Type, directory: str | None = None) -> Values:
    """Return a strategy for the values of a data type.

    A type is given as Puppet writes it. Type aliases are those of the module or control repository
    of ``directory``, which is the working directory unless it is given. Values are Python's: a
    hash is a dict, undef is None. In a ``Variant``, options without a strategy are left out.
    Raises PuppetError when the first value is drawn: for wrong and unknown types, for types such as
    ``Callable`` of which no value can be written, and for patterns that Python's regular
    expressions cannot say.

    >>> from hypothesis import find
    >>> find(from_type("Array[Enum['b', 'a'], 1]"), lambda value: True)
    ['a']
    """
    if isinstance(type_, Type):
        return Maker().strategy(type_)
    return st.deferred(lambda: Maker().strategy(type_of(type_, directory or os.getcwd())))


def type_of(text: str, directory: str) -> Type:
    """Return a type by its text, with the type aliases of the code under test in a directory."""
    found: Any = parse_type(text)
    if "TypeReference[" in display(found):  # a name that the language does not have
        found = SubjectCompiler(code_under_test(directory, Machine()), {}).evaluate(text)
    if isinstance(found, Type):
        return found
    raise NO_STRATEGY(type=text, reason="it is not a data type")


class Maker:
    """Makes the strategies of a type and of the types in it; an alias may contain itself."""

    def __init__(self) -> None:
        self.aliases: dict[int, Values] = {}

    def strategy(self, type_: Type) -> Values:
        """Return the strategy of a type; PuppetError if there is none."""
        if isinstance(type_, TypeAliasType):
            return self.of_alias(type_)
        return self.values(type_)

    def of_alias(self, alias: TypeAliasType) -> Values:
        """Return the strategy of an alias; within itself it is one that is made later."""
        known = self.aliases.get(id(alias))
        if known is None:
            made: list[Values] = []
            known = self.aliases[id(alias)] = st.deferred(lambda: made[0])
            made.append(self.strategy(resolved(alias)))
        return known

    def any_of(self, types: Sequence[Type]) -> list[Values]:
        """Return the strategies of those types that have one."""
        found = []
        for one in types:
            try:
                found.append(self.strategy(one))
            except PuppetError as error:
                if error.code != NO_STRATEGY.code:
                    raise
        return found

    @singledispatchmethod
    def values(self, type_: Type) -> Values:
        """Return the strategy of a type that is not an alias."""
        raise no_strategy(type_, "no value of it can be written")

    @values.register
    def _(self, type_: m.TypeReferenceType) -> Values:
        raise NO_STRATEGY(type=type_.text, reason="the type is unknown")

    # -- scalars -------------------------------------------------------------------------------

    @values.register
    def _(self, type_: m.UndefType) -> Values:
        return st.none()

    @values.register
    def _(self, type_: m.DefaultType) -> Values:
        return st.just(DEFAULT)

    @values.register
    def _(self, type_: m.BooleanType) -> Values:
        return st.booleans() if type_.value is None else st.just(type_.value)

    @values.register
    def _(self, type_: m.IntegerType) -> Values:
        low = SMALLEST if type_.low is None else type_.low
        return st.integers(low, LARGEST if type_.high is None else type_.high)

    @values.register
    def _(self, type_: m.FloatType) -> Values:
        return st.floats(type_.low, type_.high, allow_nan=False, allow_infinity=False)

    @values.register
    def _(self, type_: m.StringType) -> Values:
        if type_.value is not None:
            return st.just(type_.value)
        return st.text(TEXT, min_size=type_.low or 0, max_size=type_.high)

    @values.register
    def _(self, type_: m.EnumType) -> Values:
        if not type_.values:
            return st.text(TEXT)
        words = [
            *type_.values,
            *(map(str.swapcase, type_.values) if type_.case_insensitive else ()),
        ]
        return st.sampled_from([word for word in words if is_instance(word, type_)])

    @values.register
    def _(self, type_: m.PatternType) -> Values:
        if not type_.patterns:
            return st.text(TEXT)
        found = [in_pattern(one, type_) for one in type_.patterns]
        return st.one_of(found).filter(partial(is_instance, type_=type_))

    @values.register
    def _(self, type_: m.RegexpType) -> Values:
        patterns = PATTERNS if type_.pattern is None else (type_.pattern,)
        return st.sampled_from([Regexp(one) for one in patterns])

    @values.register
    def _(self, type_: m.SemVerType) -> Values:
        written = re.findall(r"\d+", " ".join(str(one) for one in type_.ranges))
        near = {0, 1, *(int(one) + step for one in written for step in (0, 1))}
        number = st.sampled_from(sorted(near))
        return st.builds(SemVer, number, number, number).filter(partial(is_instance, type_=type_))

    @values.register
    def _(self, type_: m.SemVerRangeType) -> Values:
        return st.sampled_from([SemVerRange.parse(one) for one in RANGES])

    @values.register
    def _(self, type_: m.TimespanType) -> Values:
        return st.builds(Timespan, nanoseconds(type_))

    @values.register
    def _(self, type_: m.TimestampType) -> Values:
        return st.builds(Timestamp, nanoseconds(type_))

    @values.register
    def _(self, type_: m.BinaryType) -> Values:
        return st.builds(Binary, st.binary())

    @values.register
    def _(self, type_: m.URIType) -> Values:
        parts: dict[str, Values] = {
            "scheme": st.sampled_from(["http", "https", "ftp"]),
            "host": st.sampled_from(["example.com", "192.0.2.1"]),
            "port": st.none() | st.integers(1, 65535),
            "path": st.sampled_from(["/", "/a", "/a/b.txt"]),
            "query": st.sampled_from([None, "a=1"]),
        }
        for name, wanted in type_.parts:
            parts[name] = self.strategy(wanted) if isinstance(wanted, Type) else st.just(wanted)
        return st.builds(URI, **parts).filter(partial(is_instance, type_=type_))

    # -- several types ---------------------------------------------------------------------------

    @values.register
    def _(self, type_: m.NumericType) -> Values:
        return self.strategy(m.IntegerType()) | self.strategy(m.FloatType())

    @values.register
    def _(self, type_: m.ScalarDataType) -> Values:
        return st.booleans() | self.strategy(m.NUMERIC) | st.text(TEXT)

    @values.register
    def _(self, type_: m.ScalarType) -> Values:
        others = [m.RegexpType(), m.SemVerType(), m.TimespanType(), m.TimestampType()]
        return st.one_of(self.strategy(m.SCALAR_DATA), *map(self.strategy, others))

    @values.register(m.AnyType)
    @values.register(m.UnitType)
    def _(self, type_: Type) -> Values:
        keys = self.strategy(m.SCALAR_DATA).map(as_key)
        single = st.none() | st.just(DEFAULT) | self.strategy(m.SCALAR)
        return st.recursive(single, lambda one: st.lists(one) | st.dictionaries(keys, one))

    @values.register
    def _(self, type_: m.VariantType) -> Values:
        found = self.any_of(type_.types)
        if not found:
            raise no_strategy(type_, "none of its options has one")
        return st.one_of(found)

    @values.register
    def _(self, type_: m.OptionalType) -> Values:
        return st.none() | self.strategy(type_.inner)

    @values.register
    def _(self, type_: m.NotUndefType) -> Values:
        return self.strategy(type_.inner).filter(lambda value: value is not None)

    @values.register
    def _(self, type_: m.SensitiveType) -> Values:
        return st.builds(Sensitive, self.strategy(type_.inner))

    @values.register
    def _(self, type_: m.TypeType) -> Values:
        return st.sampled_from(TYPES) if type_.type is None else st.just(type_.type)

    @values.register
    def _(self, type_: m.InitType) -> Values:
        return self.strategy(type_.type or m.ANY).filter(partial(is_instance, type_=type_))

    # -- containers ------------------------------------------------------------------------------

    @values.register
    def _(self, type_: m.ArrayType) -> Values:
        low, high = sizes(type_.minimum, type_.high)
        if high == 0:
            return st.builds(list)
        return st.lists(self.strategy(type_.element), min_size=low, max_size=high)

    @values.register
    def _(self, type_: m.HashType) -> Values:
        low, high = sizes(type_.minimum, type_.high)
        if high == 0:
            return st.builds(dict)
        keys = self.strategy(type_.key).map(as_key)
        return st.dictionaries(keys, self.strategy(type_.value), min_size=low, max_size=high)

    @values.register
    def _(self, type_: m.CollectionType) -> Values:
        array = m.ArrayType(m.ANY, type_.minimum, type_.high)
        return self.strategy(array) | self.strategy(
            m.HashType(m.SCALAR_DATA, m.ANY, type_.minimum, type_.high)
        )

    @values.register
    def _(self, type_: m.IterableType) -> Values:
        return self.strategy(m.ArrayType(type_.inner))

    @values.register
    def _(self, type_: m.TupleType) -> Values:
        low, high = sizes(type_.minimum, type_.maximum)
        each = [self.strategy(one) for one in type_.types or (m.ANY,)]
        slots = [each[min(index, len(each) - 1)] for index in range(high)]
        return st.one_of([st.tuples(*slots[:size]) for size in range(low, high + 1)]).map(list)

    @values.register
    def _(self, type_: m.StructType) -> Values:
        fields = {one.name: self.strategy(one.type) for one in type_.elements}
        optional = {one.name: fields.pop(one.name) for one in type_.elements if one.optional}
        return st.fixed_dictionaries(fields, optional=optional)


def no_strategy(type_: Type, reason: str) -> PuppetError:
    """Return the error for a type of which no values can be made."""
    return NO_STRATEGY(type=display(type_), reason=reason)


def in_pattern(pattern: str, type_: Type) -> Values:
    """Return the strategy of texts in which a pattern of Ruby is found."""
    try:
        translation = translate(pattern, 0)
        compiled = re.compile(translation.text, re.ASCII if translation.ascii_only else 0)
    except (Elsewhere, Invalid, re.error):
        reason = f"Python's regular expressions cannot say /{pattern}/ with the same meaning"
        raise no_strategy(type_, reason) from None
    return st.from_regex(compiled, alphabet=TEXT)


def nanoseconds(type_: m.TimespanType | m.TimestampType) -> SearchStrategy[int]:
    """Return the strategy of the nanoseconds within the limits of a type."""
    low = FIRST_TIME if type_.low is None else type_.low.total
    high = LAST_TIME if type_.high is None else type_.high.total
    return st.integers(min(low, high) if type_.low is None else low, max(low, high))


def sizes(low: int, high: int | None) -> tuple[int, int]:
    """Return the least and the greatest number of elements to make.

    >>> sizes(2, None), sizes(0, 3)
    ((2, 6), (0, 3))
    """
    return low, low + MORE if high is None else min(high, low + MORE)
