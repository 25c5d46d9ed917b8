"""Strategies of hypothesis make only values that a data type accepts, and every kind of them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import find, given, settings

from bunraku.base.errors import PuppetError
from bunraku.types.parse import parse_type
from bunraku.types.relations.instance import is_instance
from bunraku.values.sensitive import Sensitive
from bunraku.workbench.testing.strategies import from_type, type_of

STDLIB = "/usr/share/puppet/modules/stdlib"
TYPES = r"""
Any
Undef
Default
Boolean
Boolean[true]
Integer
Integer[1, 5]
Integer[default, -3]
Float
Float[0.5, 1.0]
Numeric
String
String[1]
String[2, 4]
Enum['a', 'b']
Enum['Ab', 'c', true]
Pattern[/\A[a-z]+\z/]
Pattern[/^x\d{2}$/, /y/]
Pattern[/(?i:abc)\h+/]
Regexp
Regexp[/a/]
Scalar
ScalarData
SemVer
SemVer['>=3.1.0 <5.0.0']
SemVerRange
Timespan
Timespan['0-00:00:01', '1-00:00:00']
Timestamp
Timestamp['2000-01-01', '2001-01-01']
Binary
URI
URI[{ scheme => 'https' }]
Array
Array[String]
Array[Integer[0], 1, 3]
Array[0, 0]
Array[0, 2]
Hash
Hash[String[1], Integer, 1]
Hash[Integer, Boolean, 2, 2]
Hash[0, 0]
Collection[1, 2]
Tuple
Tuple[String, Integer]
Tuple[String, Integer, 1, 4]
Struct[{ a => Integer, Optional[b] => String }]
Struct[{ mode => Enum['x'], NotUndef[c] => Optional[Integer] }]
Variant[Integer, Enum['x']]
Optional[Integer]
Optional['x']
NotUndef[Optional[String]]
Sensitive
Sensitive[String[8]]
Type
Type[Integer]
Init[Integer]
Iterable[Integer]
Data
RichData
Array[Data, 1]
""".strip().splitlines()


def check_all(strategy, type_):
    @settings(max_examples=15, database=None, derandomize=True)
    @given(strategy)
    def fits(value):
        assert is_instance(value, type_)

    fits()


@pytest.mark.parametrize("text", TYPES)
def test_values_are_instances(text):
    check_all(from_type(text), parse_type(text))


def aliases_of_stdlib():
    """The names of the type aliases of Debian's stdlib."""
    for path in sorted(Path(STDLIB, "types").rglob("*.pp")):
        yield from re.findall(r"(Stdlib[\w:]+)\s*=", path.read_text())


@pytest.mark.skipif(not os.path.isdir(STDLIB), reason="needs Debian's stdlib")
@pytest.mark.parametrize("text", list(aliases_of_stdlib()))
def test_aliases_of_stdlib(text):
    check_all(from_type(text, STDLIB), type_of(text, STDLIB))


def test_each_option_is_made():
    strategy = from_type("Variant[Integer, Optional[Enum['x']]]")
    assert find(strategy, lambda value: value == "x") == "x"
    assert find(strategy, lambda value: value is None) is None
    assert find(strategy, lambda value: isinstance(value, int) and value > 5) == 6


def test_optional_keys_come_and_go():
    strategy = from_type("Struct[{ a => Integer, Optional[b] => Integer }]")
    assert find(strategy, lambda value: "b" in value) == {"a": 0, "b": 0}
    assert find(strategy, lambda value: "b" not in value) == {"a": 0}


def test_sensitive_is_wrapped():
    assert isinstance(find(from_type("Sensitive[String]"), lambda value: True), Sensitive)


@pytest.mark.parametrize("text", ["Callable", "Runtime", "Variant[Callable, Runtime]"])
def test_types_without_values_are_refused(text):
    with pytest.raises(PuppetError, match="Cannot make values of"):
        find(from_type(text), lambda value: True)


def test_pattern_that_python_cannot_say():
    with pytest.raises(PuppetError, match="with the same meaning"):
        find(from_type(r"Pattern[/(a)\g<1>/]"), lambda value: True)


@pytest.mark.skipif(not os.path.isdir(STDLIB), reason="needs Debian's stdlib")
def test_unknown_type():
    with pytest.raises(PuppetError, match="not found: Stdlib::Prot"):
        find(from_type("Optional[Stdlib::Prot]", STDLIB), lambda value: True)
