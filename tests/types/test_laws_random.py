"""Laws of all types, on types within each other and on values near them.

What each law leaves out, Puppet itself breaks; ``docs/differences.md`` ("Types") tells where.
"""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bunraku.base.source import Source
from bunraku.syntax.parser.parser import parse
from bunraku.types import model as m
from bunraku.types.convert.convert import new
from bunraku.types.mismatch import describe_mismatch
from bunraku.types.normalize import normalize
from bunraku.types.parse import parse_type
from bunraku.types.relations.assignable import is_assignable
from bunraku.types.relations.common import common_type
from bunraku.types.relations.infer import infer, infer_detailed, infer_generalized
from bunraku.types.relations.instance import is_instance
from bunraku.types.text.display import display
from support.type_expressions import ALIASES, Generator
from support.type_values import ValueReader, define

BARE = re.compile(r"(Enum|Optional)(?!\[)")
LOADER = define(ALIASES)
LOADER.types["t::made"] = m.ResourceType("t::made")
GENERATORS = st.randoms(use_true_random=False).map(Generator)
LAW = settings(
    max_examples=70, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


class Values(ValueReader):
    """Reads the values that the generator writes: also calls of any type."""

    def value(self, node):
        if node.__class__.__name__ == "Call":
            type_ = self.value(node.callee)
            return new(type_, [self.value(item) for item in node.arguments])
        return super().value(node)


def read_value(text):
    """The value of an expression."""
    source = Source(text)
    body = parse(source).program.body
    return Values(LOADER, source).value(getattr(body, "statements", [body])[0])


def read_type(text):
    """The type of an expression."""
    return parse_type(text, LOADER)


def simple(generator):
    """A value without iterators, which only functions make."""
    while True:
        text = generator.value()
        if "_each" not in text and "step(" not in text:
            return read_value(text)


@LAW
@given(GENERATORS)
def test_assignable_is_reflexive(generator):
    type_ = read_type(generator.type())
    assert is_assignable(type_, type_)


@LAW
@given(GENERATORS)
def test_assignable_is_transitive(generator):
    shape = generator.shape()
    one, two, three = (
        read_type(text) for text in (shape.text, generator.within(shape), generator.within(shape))
    )
    for wide, middle, narrow in ((one, two, three), (one, three, two), (two, one, three)):
        if is_assignable(wide, middle) and is_assignable(middle, narrow):
            assert is_assignable(wide, narrow), (display(wide), display(middle), display(narrow))


@LAW
@given(GENERATORS)
def test_a_value_is_an_instance_of_its_inferred_types(generator):
    value = simple(generator)
    if "T::Box" in repr(value) or "Sensitive" in repr(value):
        # An instance of T::Box[Integer] holds an integer there, not the type; in Sensitive, types are
        # generalised in part.
        return
    assert is_instance(value, infer_detailed(value))
    # Of a hash with keys of several kinds, or an empty string within, Puppet forgets something.
    for type_ in (infer(value), infer_generalized(value)):
        if not forgets(value):
            assert is_instance(value, type_), display(type_)


def forgets(value):
    """Whether Puppet's reduced type leaves out what the value has: undef beside other items."""
    text = repr(value)
    return "None" in text or "UndefType" in text


@LAW
@given(GENERATORS)
def test_the_detailed_type_is_within_what_takes_the_value(generator):
    shape = generator.shape()
    text = shape.value()
    if "_each" in text or "step(" in text:
        return
    value, type_ = read_value(text), read_type(shape.text)
    if BARE.search(display(type_)):
        return  # no string is one of the bare Enum, yet Puppet takes types of strings for within
    if is_assignable(type_, infer_detailed(value)):
        assert is_instance(value, type_)


@LAW
@given(GENERATORS)
def test_the_common_type_takes_both(generator):
    shape = generator.shape()
    left, right = read_type(shape.text), read_type(generator.within(shape))
    text = display(left) + display(right)
    # Puppet lets undef and case-insensitivity go, and takes the bare Enum for all strings.
    if "Undef" in text or "Enum" in text or "Pattern" in text:
        return
    found = common_type(left, right)
    assert is_assignable(found, left), display(found)
    assert is_assignable(found, right), display(found)


UNREADABLE = ("1.0e+20", "Box[", "'port' => '8080'", "Sensitive[", " = ", "Object[{}]")
"""Puppet cannot read such numbers and types that it writes, and generalises in Sensitive again."""


@LAW
@given(GENERATORS)
def test_display_then_parse_gives_the_type_back(generator):
    type_ = read_type(generator.type())
    text = display(type_)
    if any(part in text for part in UNREADABLE):
        return
    assert display(read_type(text)) == text
    assert is_assignable(read_type(text), type_)
    assert is_assignable(type_, read_type(text))


@LAW
@given(GENERATORS)
def test_normalizing_keeps_the_values(generator):
    type_, value = read_type(generator.type()), simple(generator)
    assert is_instance(value, normalize(type_)) or not is_instance(value, type_)


@LAW
@given(GENERATORS)
def test_a_mismatch_is_described_from_its_subject_on(generator):
    type_, value = read_type(generator.type()), simple(generator)
    if not is_instance(value, type_):
        lines = describe_mismatch("parameter 'x'", type_, value).split("\n")
        assert all(line.startswith("parameter 'x' ") for line in lines)
