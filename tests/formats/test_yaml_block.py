"""Documents are written as libyaml's emitter writes them, line by line or through the emitter."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunraku.formats.yaml_events import Writer, written
from bunraku.formats.yaml_styles import LOOKUP, Plain, RubyObject
from bunraku.formats.yaml_writer import ruby_yaml_text

WORDS = st.one_of(
    st.text(max_size=12),
    st.text("ab0:#- '\"/.,[]{}&*!|>%@`~=?\\\n\t", max_size=8),
    st.sampled_from(["true", "y", "null", "0644", "12:30", "2026-01-01", "<<", "...", "---", ""]),
    st.builds(lambda word, count: f"{word} " * count + "end", st.text("ab/:", max_size=30), st.integers(1, 12)),
)  # fmt: skip
SCALARS = st.one_of(
    WORDS,
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.builds(Plain, st.text("ab:", max_size=5)),
)
KEYS = st.one_of(WORDS, st.integers(), st.booleans(), st.none())
DATA = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(KEYS, inner, max_size=4),
        st.builds(lambda data: RubyObject("A::B", data), st.dictionaries(WORDS, inner, max_size=2)),
    ),
    max_leaves=20,
)


def outcome(write: Any, value: Any) -> Any:
    """Return a document, or the class of the error that its value raises."""
    try:
        return write(value)
    except Exception as error:
        return type(error)


@given(DATA)
def test_a_document_is_what_the_emitter_writes(value: Any) -> None:
    by_emitter = outcome(lambda data: written(Writer(LOOKUP), data), value)
    assert outcome(ruby_yaml_text, value) == by_emitter


@pytest.mark.parametrize("columns", range(60, 100))
def test_text_is_folded_where_the_emitter_folds_it(columns: int) -> None:
    word = "a" * (columns // 2)
    value = {"k": {"key": f"{word} {word} b", "x": [f"{word} {word}", f"/{word} {word} c"]}}
    assert ruby_yaml_text(value) == written(Writer(LOOKUP), value)
