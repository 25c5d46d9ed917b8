"""Regular expressions mean what Ruby's mean."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.support.recorded import cases

from bunraku.base.errors import PuppetError
from bunraku.values.regexp.pieces import alphabet
from bunraku.values.regexp.regexp import (
    EXTENDED,
    IGNORECASE,
    MULTILINE,
    Regexp,
    escape,
    regexp_from_string,
    scan,
    split_text,
    substitute,
)


def spans(pattern: str, text: str) -> Any:
    """The spans of all groups, None where a group took no part."""
    match = Regexp(pattern).search(text)
    if match is None:
        return None
    return [
        [match.start(n), match.end(n)] if match.start(n) >= 0 else None
        for n in range(len(match.groups()) + 1)
    ]


def test_recorded_searches_agree_with_ruby() -> None:
    """Generated patterns and subjects; Ruby's answers were recorded."""
    wrong = []
    for pattern, subjects, expected in cases("regexp"):
        try:
            regexp_from_string(pattern)
            found: Any = [spans(pattern, subject) for subject in subjects]
        except PuppetError:
            found = "error"
        if found != expected:
            wrong.append((pattern, subjects, found, expected))
    assert wrong == []


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"^b$", "a\nb\n", True),
        (r"\Ab", "a\nb", False),
        (r"a\Z", "a\n", True),
        (r"a\z", "a\n", False),
        (r"^\z", "a\n", False),
        (r"\w", "é", False),
        (r"[[:alpha:]]", "é", True),
        (r"é\b", "éa", False),
        (r"(?i)É", "é", True),
        (r"a.b", "a\nb", False),
        (r"(?m)a.b", "a\nb", True),
        (r"\h+\H", "fg", True),
        (r"(?<y>\d+)-\k<y>", "12-12", True),
        (r"\B", "", True),
    ],
)
def test_ruby_meaning(pattern: str, text: str, found: bool) -> None:
    """What differs between Ruby's and Python's engines."""
    assert Regexp(pattern).matches(text) is found


def test_common_patterns_run_in_python() -> None:
    """Most patterns of manifests go straight to ``re``."""
    patterns = (r"^[a-z][a-z0-9_]*$", r"\A\d+(\.\d+)*\z", r"^(/[^/]+)+$", r"\bno\b|^[[:alpha:]]")
    for pattern, text in zip(patterns, ("a_1", "1.22.333", "/usr/share/puppet", "n"), strict=True):
        assert isinstance(Regexp(pattern).search(text), re.Match), pattern


@pytest.mark.parametrize("pattern", [r"^(a+)+$", r"^(a|aa)+$", r"^(a?a)*$"])
def test_runaway_patterns_end_in_an_error(pattern: str) -> None:
    """The engine's limit of steps stops exponential patterns; without it this test never ends."""
    with pytest.raises(PuppetError) as caught:
        Regexp(pattern).search("a" * 60 + "b")
    assert caught.value.code == "REGEXP_RUNAWAY"


@pytest.mark.parametrize("pattern", ["(", "[", "*a", "a{3,1}", "(?<=a+)b", "[z-a]", "(?<n>a"])
def test_invalid_patterns(pattern: str) -> None:
    """What Ruby refuses is refused."""
    with pytest.raises(PuppetError) as caught:
        regexp_from_string(pattern)
    assert caught.value.code == "REGEXP_INVALID"


def test_options() -> None:
    """Options as ``regsubst`` gives them."""
    assert Regexp("A B", IGNORECASE | EXTENDED).matches("xab")
    assert Regexp("a.b", MULTILINE).matches("a\nb")
    assert str(Regexp("a/b", IGNORECASE)) == r"/(?i-mx:a\/b)/"
    assert Regexp("a") == Regexp("a") != Regexp("a", IGNORECASE)
    assert hash(Regexp("a")) == hash(Regexp("a"))


def test_bytes_that_are_not_utf8_are_searched() -> None:
    """Lone surrogates stand for such bytes; neither engine fails on them."""
    assert spans("b", "a\udcffb") == [[2, 3]]
    assert spans(r"\p{Alpha}b", "\udcffab") == [[1, 3]]
    assert split_text(Regexp(r"\R"), "\udcff\n\udcfe") == ["\udcff", "\udcfe"]


@pytest.mark.parametrize(
    ("pattern", "text", "limit", "parts"),
    [  # recorded from Ruby's String#split
        ("", "abc", 0, ["a", "b", "c"]),
        ("(,)", "a,b,,c,,", 0, ["a", ",", "b", ",", "", ",", "c", ",", "", ","]),
        (",", "a,b,c", 2, ["a", "b,c"]),
        (",", ",a,,", 0, ["", "a"]),
        (",", ",a,,", -1, ["", "a", "", ""]),
        ("b*", "abbc", 0, ["a", "c"]),
        ("x*", "日本語", 0, ["日", "本", "語"]),
        (",", "", 0, []),
        (",", ",,", 0, []),
    ],
)
def test_split(pattern: str, text: str, limit: int, parts: list[str]) -> None:
    """Ruby's ``split``."""
    assert split_text(Regexp(pattern), text, limit) == parts


@pytest.mark.parametrize(
    ("pattern", "text", "replacement", "everywhere", "expected"),
    [  # recorded from Ruby's String#sub and String#gsub
        ("b*", "abc", "-", True, "-a--c-"),
        ("(?<x>b)", "abc", r"[\k<x>\0\\]", False, r"a[bb\]c"),
        ("(a)|(b)", "ab", r"<\1\2\3>", True, "<a><b>"),
        ("b", "abc", r"[\`\'\&]", False, "a[acb]c"),
        ("b", "abcb", "x", False, "axcb"),
        ("z", "abc", "x", True, "abc"),
    ],
)
def test_substitute(
    pattern: str, text: str, replacement: str, everywhere: bool, expected: str
) -> None:
    """Ruby's ``sub`` and ``gsub``."""
    assert substitute(Regexp(pattern), text, replacement, everywhere) == expected


def test_scan_and_escape() -> None:
    """Ruby's ``scan`` and ``Regexp.escape``."""
    assert scan(Regexp("a|b"), "abcab") == ["a", "b", "a", "b"]
    assert scan(Regexp("(a)(x)?"), "aax") == [["a", None], ["a", "x"]]
    assert escape("a.b*c d-#\n") == r"a\.b\*c\ d\-\#\n"
    assert Regexp(escape("a.(b)")).fullmatch("a.(b)")


@pytest.mark.parametrize("before", ["a", "ab"])
def test_a_long_name_that_is_cut_in_the_message_is_no_broken_text(before: str) -> None:
    with pytest.raises(PuppetError, match="invalid group name <abé+" if before == "ab" else "<aé+"):
        regexp_from_string(f"(?<{before}{'é' * 40}-)a)")


def test_the_alphabet_of_a_single_character_is_what_python_matches() -> None:
    characters = [chr(code) for code in range(128)]
    checked = 0
    for atom in [form + one for one in characters for form in ("", "\\")]:
        try:
            match = re.compile(atom, re.ASCII).match
        except re.error:
            continue
        bits = sum(1 << ord(one) for one in characters if match(one))
        assert alphabet(atom) % (1 << 128) == bits, atom
        checked += 1
    assert checked > 180
