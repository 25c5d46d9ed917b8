"""The strings of compiled code are known by identity, and are looked for once in a process."""

from __future__ import annotations

from bunraku.ruby.process.literals import strings_of


def body():
    return "a literal", ("nested", "in a tuple"), lambda: "of a function inside"


def test_the_strings_of_definitions_are_those_of_their_code():
    definitions = (("class", "ntp", body),)
    found = strings_of(definitions)
    literal, (nested, _), inner = body()
    for text in (literal, nested, inner(), definitions[0][1]):
        assert id(text) in found
    assert id(str(b"a literal", "ascii")) not in found


def test_they_are_looked_for_once():
    definitions = (("ntp", body),)
    assert strings_of(definitions) is strings_of(definitions)


def test_equal_definitions_with_other_strings_are_others():
    one, other = ((str(b"computed text", "ascii"),) for _ in range(2))
    assert one == other
    assert strings_of(one) == {id(one[0])}
    assert strings_of(other) == {id(other[0])}
