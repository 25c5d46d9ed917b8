"""Patterns that are compiled at their first use."""

from __future__ import annotations

import re

import pytest

from bunraku.base.lazy_patterns import ATTRIBUTES, lazy_pattern


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_only_the_first_use_of_a_pattern_compiles_it(attribute, monkeypatch):
    pattern = lazy_pattern("(?P<word>[a-z]+)")
    assert pattern.findall("a1b") == ["a", "b"]
    monkeypatch.setattr(re, "compile", None)
    found, expected = getattr(pattern, attribute), getattr(re.Pattern, attribute)
    assert not callable(expected) or found.__name__ == expected.__name__
