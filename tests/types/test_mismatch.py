"""Descriptions of mismatches lead to the culprit."""

from __future__ import annotations

import pytest
from tests.support.type_values import evaluate

from bunraku.types import model as m
from bunraku.types.mismatch import (
    callable_with,
    describe_call,
    describe_mismatch,
)
from bunraku.types.parse import parse_type

CASES = [
    ("Integer", "'x'", "expects an Integer value, got String"),
    ("Boolean", "'true'", "expects a Boolean value, got String"),
    ("Integer[1, 10]", "11", "expects an Integer[1, 10] value, got 11"),
    ("String[1]", "''", "expects a String[1] value, got ''"),
    ("Enum[running, stopped]", "'runing'", "got 'runing' (did you mean 'running'?)"),
    ("Pattern[/^a/]", "'b'", "expects a match for Pattern[/^a/], got 'b'"),
    ("Optional[Integer]", "'x'", "expects a value of type Undef or Integer, got String"),
    ("Optional[Struct[{a => Integer}]]", "{a => 'x'}", "entry 'a' expects an Integer value"),
    ("Variant[Integer, Boolean]", "'x'", "expects a value of type Integer or Boolean, got String"),
    ("Struct[{user => Struct[{uid => Integer}]}]", "{user => {uid => 'x'}}",
     "entry 'user' entry 'uid' expects an Integer value, got String"),
    ("Struct[{mode => String}]", "{mod => 'x'}", "expects a value for key 'mode'"),
    ("Struct[{mode => String}]", "{mode => 'x', mod => 1}",
     "unrecognized key 'mod' (did you mean 'mode'?)"),
    ("Array[Integer]", "[1, 'b', 3]", "index 1 expects an Integer value, got String"),
    ("Array[Integer, 2]", "[1]", "expects size to be at least 2, got 1"),
    ("Tuple[String, Integer]", "['a']", "expects size to be 2, got 1"),
    ("Hash[String, Integer]", "{a => 'x'}", "entry 'a' expects an Integer value, got String"),
    ("Hash[Enum[a], Integer]", "{b => 1}", "key of entry 'b' expects a match for Enum['a'], got 'b'"),
    ("Variant[Struct[{type => Enum[a], x => Integer}], Struct[{type => Enum[b], y => Integer}]]",
     "{type => 'b', y => 'no'}", "entry 'y' expects an Integer value, got String"),
    ("Type[Numeric]", "String", "expects a Type[Numeric] value, got Type[String]"),
    ("NotUndef[Integer]", "undef", "expects a NotUndef[Integer] value, got Undef"),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "value", "words"), CASES)
def test_names_the_culprit(type_, value, words):
    text = describe_mismatch("parameter 'p'", parse_type(type_), evaluate(value))
    assert text.startswith("parameter 'p' ")
    assert words in text


def test_names_the_alias():
    port = m.TypeAliasType("Port", m.IntegerType(1, 65535))
    assert "Port = Integer[1, 65535]" in describe_mismatch("x", port, 0)


def test_a_call_with_too_few_arguments():
    signature = m.CallableType((m.IntegerType(), m.IntegerType()), names=("a", "b"))
    assert describe_call("f", [signature], [1]) == "'f' expects 2 arguments, got 1"


def test_a_call_with_a_wrong_argument_names_the_parameter():
    signature = m.CallableType((m.IntegerType(),), names=("count",))
    assert "'f' parameter 'count' expects an Integer value, got String" in describe_call(
        "f", [signature], ["x"]
    )


def test_a_call_of_several_signatures_lists_them():
    signatures = [parse_type("Callable[Integer]"), parse_type("Callable[Boolean, Boolean]")]
    text = describe_call("f", signatures, ["x"])
    assert "expects one of" in text
    assert text.count("rejected:") == 2


def test_a_missing_and_an_unwanted_block():
    with_block = parse_type("Callable[Integer, Callable[1, 1]]")
    without = parse_type("Callable[Integer]")
    assert "expects a block" in describe_call("f", [with_block], [1])
    assert "does not take a block" in describe_call(
        "f", [without], [1], parse_type("Callable[1, 1]")
    )


def test_a_block_that_no_signature_calls():
    signatures = [parse_type(f"Callable[Iterable, Callable[{count}, {count}]]") for count in (1, 2)]
    text = describe_call("map", signatures, [[1]], parse_type("Callable[3, 3]"))
    assert text == "'map' block expects 3 arguments, but is called with 1 or 2"
    text = describe_call("map", signatures, [1.5], parse_type("Callable[3, 3]"))
    assert text == "'map' argument 1 expects an Iterable value, got Float"


def test_what_all_signatures_refuse_is_said_once():
    signatures = [parse_type(f"Callable[{type_}, 1, 2]") for type_ in ("String", "Numeric")]
    assert describe_call("f", signatures, []) == "'f' expects between 1 and 2 arguments, got none"
    text = describe_call("f", signatures, [True])
    assert text == "'f' argument 1 expects a value of type String or Numeric, got Boolean"
    mixed = [parse_type("Callable[String]"), parse_type("Callable[Integer, String]")]
    assert "rejected" in describe_call("f", mixed, [True])


def test_callable_with():
    signature = parse_type("Callable[Integer, String, 1, 3]")
    assert callable_with(signature, [1])
    assert callable_with(signature, [1, "a", "b"])
    assert not callable_with(signature, [1, 2])
    assert not callable_with(signature, [])
    assert not callable_with(signature, [1], m.CallableType())
