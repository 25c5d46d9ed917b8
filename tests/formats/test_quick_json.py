"""The standard library writes the bytes that orjson writes, and refuses the same."""

from __future__ import annotations

import json
import math
import random
import struct
from collections import OrderedDict
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunraku.formats.quick_json import standard_bytes

orjson = pytest.importorskip("orjson", reason="the package orjson is not installed")
TESTS = Path(__file__).parent.parent
LAYOUTS = [(False, False), (True, False), (False, True), (True, True)]


class Text(str):
    __slots__ = ()


class Pair(tuple):
    __slots__ = ()


class Number(float):
    __slots__ = ()


def nested(levels, make):
    value = 1
    for _ in range(levels):
        value = make(value)
    return value


ODD = [
    *[float(f"{digits}e{exponent}") for digits in ("1", "-1", "1.5", "9.75") for exponent in range(-330, 308)],
    *[math.nan, math.inf, -math.inf, -0.0, 0.1 + 0.2, 9007199254740993.0],
    *[2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 2**400, True, False, None],
    *["", "\ud800", "\udcff", 'a\x00\x1f\x7f\x08\t\n\f\r"\\/', "\u2028\u2029é😀\ufffe<>&", Text("a")],
    *[{"\udcff": 1}, {Text("a"): 1}, {1: 2}, {None: 1}, {True: 1}, {1.5: 1}, {("a",): 1}],
    *[(), (1, 2), Pair((1,)), Number(1.5), b"x", {1}, object, OrderedDict(b=1, a=2)],
    *[{"b": [], "a": {}, "c": [{}, []], "é": 1, "\uffff": 2, "😀": 3, "Z": {"b": 1, "a": 2}}],
    *[nested(levels, lambda value: [value]) for levels in (1, 100, 253, 254, 255, 300)],
    *[nested(levels, lambda value: {"a": value}) for levels in (252, 253, 254, 255)],
]  # fmt: skip


def by_orjson(value, indent, sort_keys):
    options = (orjson.OPT_INDENT_2 if indent else 0) | (orjson.OPT_SORT_KEYS if sort_keys else 0)
    return outcome(lambda: orjson.dumps(value, option=options))


def outcome(write):
    try:
        return write()
    except TypeError:
        return TypeError


def assert_same(value):
    for indent, sort_keys in LAYOUTS:
        own = outcome(partial(standard_bytes, value, indent=indent, sort_keys=sort_keys))
        assert own == by_orjson(value, indent, sort_keys), repr(value)[:200]


def test_odd_values_are_written_or_refused_alike():
    for value in ODD:
        assert_same(value)
        assert_same({"a": [value, value]})


def test_floats_of_all_bit_patterns_are_written_alike():
    bits = random.Random(7)
    for _ in range(20_000):
        value = struct.unpack("d", bits.randbytes(8))[0]
        assert standard_bytes(value) == orjson.dumps(value)
        value = bits.uniform(-10, 10) * 10.0 ** bits.randint(-12, 24)
        assert standard_bytes(value) == orjson.dumps(value)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_data_of_any_shape_are_written_alike(data):
    assert_same(data)


def test_the_documents_of_the_tests_are_written_alike():
    files = [path for path in sorted(TESTS.rglob("*.json")) if path.stat().st_size < 1 << 20]
    assert len(files) > 100
    for path in files:
        try:
            data = json.loads(path.read_bytes())
        except ValueError:  # a test of damaged files
            continue
        assert_same(data)
