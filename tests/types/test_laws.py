"""Laws that hold for all types and values."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bunraku.types import model as m
from bunraku.types.builtin import DATA
from bunraku.types.normalize import normalize
from bunraku.types.parameters.parameters import access_type
from bunraku.types.parse import parse_type
from bunraku.types.relations.assignable import is_assignable
from bunraku.types.relations.common import common_type, generalize
from bunraku.types.relations.equality import equal
from bunraku.types.relations.infer import infer, infer_detailed
from bunraku.types.relations.instance import is_instance
from bunraku.types.relations.overlap import can_overlap
from bunraku.types.text.display import display
from bunraku.values.default import DEFAULT
from bunraku.values.keys import make_hash
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.sensitive import Sensitive

# The parser raises the recursion limit when first used; Hypothesis must not see it change.
parse_type("Integer")

QUICK = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(-9, 9)
    | st.sampled_from(["", "a", "b", "bc", "A", "é", "a'b", "x\ny"])
    | st.sampled_from(
        [DEFAULT, Regexp("a"), Regexp("b/c"), m.IntegerType(1, 2), m.ResourceType("file", "/a")]
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(st.tuples(inner, inner), max_size=3).map(make_hash)
        | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
        | SCALARS.map(Sensitive)
    ),
    max_leaves=8,
)


def sized(low, more):
    return low, None if more is None else (low or 0) + more


def written(size):
    """A size as parameters in Puppet."""
    return [DEFAULT if limit is None else limit for limit in size]


SIZES = st.builds(sized, st.sampled_from([None, 0, 1, 2]), st.sampled_from([None, 0, 1]))
LEAVES = st.sampled_from(
    [
        m.ANY, m.UNDEF, m.DEFAULT_TYPE, m.SCALAR, m.SCALAR_DATA, m.NUMERIC, m.BINARY, DATA,
        m.IntegerType(), m.IntegerType(1, 5), m.IntegerType(None, 3), m.FloatType(), m.FloatType(0.5, 2.5),
        m.BooleanType(), m.BooleanType(True), m.StringType(), m.StringType(1), m.StringType(1, 2),
        m.EnumType(("a", "b")), m.EnumType(("a",), case_insensitive=True), m.PatternType(("a", "b/c")),
        m.RegexpType("a"), m.CollectionType(1, 2), m.ResourceType("file"), m.ClassType("a"),
        m.CallableType((m.NUMERIC,)), m.CallableType((m.ANY,), 0, 2, return_type=m.StringType()),
    ]
)  # fmt: skip


def structs(inner):
    elements = st.builds(m.StructElement, st.sampled_from("abc"), inner, st.booleans())
    unique = st.lists(elements, min_size=1, max_size=3, unique_by=lambda item: item.name)
    # A key whose type takes undef may be absent, unless NotUndef says otherwise.
    return unique.map(lambda found: m.StructType(tuple(found)))


TYPES = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(
            lambda item, size: access_type(m.ArrayType(), [item, *written(size)]), inner, SIZES
        )
        | st.builds(
            lambda key, item, size: access_type(m.HashType(), [key, item, *written(size)]),
            inner,
            inner,
            SIZES,
        )
        | st.lists(inner, min_size=1, max_size=3).map(lambda found: m.TupleType(tuple(found)))
        | structs(inner)
        | inner.map(m.OptionalType)
        | st.lists(inner, min_size=1, max_size=3).map(
            lambda found: access_type(m.VariantType(), found)
        )
        | inner.map(m.TypeType)
        | inner.map(lambda found: m.SensitiveType(generalize(generalize(found))))
    ),
    max_leaves=6,
)


@QUICK
@given(VALUES)
def test_a_value_is_an_instance_of_its_detailed_type(value):
    assert is_instance(value, infer_detailed(value))


@QUICK
@given(VALUES)
def test_the_detailed_type_is_within_the_general_one_of_scalars(value):
    if not isinstance(value, list | dict):
        assert is_instance(value, generalize(infer(value)))


@QUICK
@given(TYPES)
def test_assignable_is_reflexive(type_):
    assert is_assignable(type_, type_)


@QUICK
@given(TYPES, TYPES, VALUES)
def test_an_instance_of_a_type_is_one_of_each_wider_type(wide, narrow, value):
    if not loose(narrow) and is_assignable(wide, narrow) and is_instance(value, narrow):
        assert is_instance(value, wide)


def loose(type_):
    """Whether Puppet's own rules look less closely: structs by size, tuples slot by slot."""
    text = display(type_)
    return any(name in text for name in ("Struct", "Tuple", "Hash", "Type[", "Callable"))


@QUICK
@given(TYPES, TYPES)
def test_the_common_type_takes_both(left, right):
    if isinstance(left, m.UndefType) or isinstance(right, m.UndefType):
        return  # what undef has in common with a type is that type, in Puppet
    found = common_type(left, right)
    if not inner_undef(left) and not inner_undef(right):
        assert is_assignable(found, left)
        assert is_assignable(found, right)


def inner_undef(type_):
    """Whether undef, which counts for nothing among common types, is inside."""
    return "Undef" in display(type_)


@QUICK
@given(TYPES)
def test_a_displayed_type_parses_to_itself(type_):
    text = display(type_)
    assume("Unit" not in text)  # has no name in the language
    assert display(parse_type(text, NO_LOADER)) == text


class NoLoader:
    def load_type(self, name):
        return m.ResourceType(name.lower()) if name in {"File", "User"} else None


NO_LOADER = NoLoader()


@QUICK
@given(TYPES, VALUES)
def test_a_normalized_type_has_all_values_of_the_type(type_, value):
    assert is_instance(value, normalize(type_)) or not is_instance(value, type_)


@QUICK
@given(VALUES)
def test_equality_is_reflexive(value):
    assert equal(value, value)


@QUICK
@given(VALUES, VALUES)
def test_equality_is_symmetric_but_for_hashes(left, right):
    if "{" not in repr(left):
        assert equal(left, right) == equal(right, left)


@given(VALUES, TYPES, TYPES)
@QUICK
def test_types_of_one_value_overlap(value, type_, other):
    types = [infer_detailed(value)]
    types += [one for one in (type_, other) if is_instance(value, one)]
    for one in types:
        for another in types:
            assert can_overlap(one, another)


@given(SCALARS, TYPES)
@QUICK
def test_single_values_overlap_only_with_their_types(value, type_):
    assume(not isinstance(value, m.Type))
    assume(not re.search(r"Callable|Resource|File|Class|Any|RichData", display(type_)))
    assert can_overlap(type_, infer_detailed(value)) == is_instance(value, type_)


def test_overlap_of_containers():
    pairs = [
        ("Array[String]", "Tuple[String, Integer]", False),
        ("Array[String]", "Array[Integer]", True),  # the empty array
        ("Array[String, 1]", "Array[Integer]", False),
        ("Array[Any, 0, 1]", "Tuple[Integer, Integer]", False),
        ("Tuple[Integer, 0, 3]", "Tuple[String, 0, 3]", True),
        ("Struct[{a => Integer}]", "Struct[{a => Integer, b => Integer}]", False),
        ("Struct[{a => Integer, Optional[b] => Integer}]", "Struct[{a => Numeric}]", True),
        ("Hash[String, Integer]", "Struct[{a => String}]", False),
        ("Hash[String, Integer]", "Struct[{Optional[a] => String}]", True),
        ("Sensitive[String]", "Sensitive[Integer]", False),
        ("NotUndef", "Undef", False),
        ("NotUndef", "Optional[String]", True),
        ("Iterable", "Boolean", False),
        ("Data", "Sensitive[String]", False),
        ("Data", "Hash[String, Array[Integer]]", True),
        ("Enum['a', 'b']", "Enum['c']", False),
        ("Pattern[/^a/]", "Enum['b', 'c']", False),
        ("Integer[1, 2]", "Integer[3]", False),
        ("Float", "Integer", False),
        ("Variant[Optional, String]", "Integer", True),  # a parameter of this type takes it
    ]
    for one, other, overlaps in pairs:
        for left, right in ((one, other), (other, one)):
            assert can_overlap(parse_type(left), parse_type(right)) is overlaps, (left, right)
