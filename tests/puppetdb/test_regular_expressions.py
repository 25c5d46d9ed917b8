"""Regular expressions as PostgreSQL defines them; expected results from its documents."""

from __future__ import annotations

import random
import re

import pytest

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.databases.regular_expressions import matches, search


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("", "", True),
        ("a", "", False),
        ("^web", "web01", True),
        ("^eb", "web01", False),
        ("01$", "web01", True),
        ("01$", "web01\n", False),
        ("^b", "a\nb", False),
        ("a.b", "a\nb", True),
        ("[^x]", "\n", True),
        ("(?i)WEB", "web", True),
        ("***:web", "web", True),
        ("***=a.b", "a.b", True),
        ("***=a.b", "axb", False),
        (r"\d{2,3}$", "web01", True),
        (r"\D\d\d\Z", "web01", True),
        (r"\mweb\M", "a web b", True),
        (r"\mweb\M", "aweb", False),
        (r"[[:<:]]web[[:>:]]", "a web b", True),
        (r"\yweb\y.*\yb", "a web b", True),
        (r"\Yeb.*\d+", "web01", True),
        ("[[:alpha:]]+[[:digit:]]+$", "web01", True),
        ("[]a]+x?$", "]a]", True),
        ("[^]a]", "]a", False),
        (r"[\w.]+@[\w.]+", "me@example.test", True),
        ("[a-c-]+d?$", "a-c", True),
        ("{", "a{b", True),
        ("a{", "a{b", True),
        ("a{2}b{1,2}", "aabb", True),
        ("^(a|b)*c$", "ababc", True),
        ("^(?:ab)+?c", "ababc", True),
        ("(a)(b)\\2", "abb", True),
        ("web(?=0)", "web01", True),
        ("web(?!0)", "web01", False),
        (r"\x41|\u00fc", "ü", True),
        ("Grüße 日.+🎭", "Grüße 日本 🎭", True),
        (r"^\s+\S+$", " \tx", True),
        (r"\.", "a", False),
    ],
)
def test_means_what_postgresql_means(pattern, text, expected):
    assert matches(pattern, text) is expected


def test_null_matches_nothing():
    assert matches("a", None) is None


PIECES = [
    "a",
    "b",
    ".",
    "[ab]",
    "[^a]",
    "^",
    "$",
    "(",
    ")",
    "|",
    "*",
    "+",
    "?",
    "{1,2}",
    r"\m",
    "c",
]


def test_both_engines_agree():
    """Patterns have the same matches in Python's engine."""
    generator = random.Random(3)
    compared = 0
    for _ in range(4000):
        pattern = "".join(generator.choices(PIECES, k=generator.randint(1, 7)))
        text = "".join(generator.choices("abc \n", k=generator.randint(0, 6)))
        python = pattern.replace(r"\m", r"(?:(?<![a-c])(?=[a-c]))").replace("$", r"\Z")
        try:
            expected = re.search(python, text, re.DOTALL) is not None
        except re.error:
            continue
        try:
            found = search(pattern)(text)
        except PuppetError:
            continue
        assert found is expected, (pattern, text)
        compared += 1
    assert compared > 1000
