"""Both ways of writing JSON write the same."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunraku.base.errors import PuppetError
from bunraku.formats.json import json_text
from bunraku.formats.quick_json import quick_text

SCALARS = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False)
DATA = st.recursive(
    SCALARS.filter(lambda value: value not in (math.inf, -math.inf)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.text(), DATA) | st.lists(DATA))
def test_the_quick_way_writes_the_same(data):
    assert quick_text(data) == json_text(data, indent=True)


@pytest.mark.parametrize(
    "data",
    [
        {"a": 1e16, "b": [1.5, -0.0]},
        {"a": 2**64, "b": -(2**63)},
        {"a": "\udcff"},
        {"a": '\u2028\x7f\x1f"\\/\u00e9'},
        {"a": {1: 2, None: 3}},
        {"a": (1, [2.5])},
        {},
        [],
    ],
)
def test_what_only_the_slow_way_writes(data):
    assert quick_text(data) == json_text(data, indent=True)


def test_what_no_json_can_hold_is_an_error_either_way():
    for way in (quick_text, lambda data: json_text(data, indent=True)):
        with pytest.raises(PuppetError, match="JSON"):
            way({"a": [math.nan]})
