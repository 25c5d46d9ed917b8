"""Hashes that record which facts are read, and answers to what they record."""

from __future__ import annotations

import copy
import json
import operator
import pickle

import pytest

from bunraku.modules.fact_reads import FactHash, FactTable

FACTS = {"os": {"family": "Debian", "release": {"major": "12"}}, "role": "web", "none": {}}


def hash_and_questions():
    questions: list[tuple[str, ...]] = []
    return FactHash(FACTS, questions.append), questions


# Methods of every object, and those that neither read nor change the content.
INERT = {"__init__", "__new__", "__getattribute__", "__doc__", "__sizeof__", "fromkeys"}
INERT |= {"__class_getitem__", "__lt__", "__le__", "__gt__", "__ge__"}


def test_every_method_of_a_dictionary_records():
    own = vars(FactHash)
    assert [name for name in vars(dict) if name not in own and name not in INERT] == []


@pytest.mark.parametrize(
    "use",
    [
        repr,
        str,
        json.dumps,
        pickle.dumps,
        copy.copy,
        copy.deepcopy,
        lambda facts: facts | {},
        lambda facts: {} | facts,
        lambda facts: facts == {},
        lambda facts: operator.eq({}, facts),
        lambda facts: operator.ne({}, facts),
        lambda facts: [facts] == [{}],
        lambda facts: facts.copy(),
        lambda facts: facts.items(),
        lambda facts: facts.pop("role"),
        lambda facts: facts.update(a=1),
        lambda facts: facts.setdefault("role", 1),
        lambda facts: facts.popitem(),
        lambda facts: facts.clear(),
        lambda facts: facts.__setitem__("a", 1),
        lambda facts: facts.__delitem__("role"),
        lambda facts: facts.__ior__({"a": 1}),
    ],
)
def test_a_use_of_the_whole_hash_is_recorded(use):
    facts, questions = hash_and_questions()
    use(facts)
    assert questions[0] == ("fact",)


@pytest.mark.parametrize("use", [list, len, bool, sorted, set, lambda facts: list(reversed(facts))])
def test_a_use_of_the_keys_is_recorded(use):
    facts, questions = hash_and_questions()
    use(facts)
    assert set(questions) == {("names",)}


@pytest.mark.parametrize(
    "use",
    [
        dict,
        {}.update,
        lambda facts: {**facts},
        lambda facts: FactHash(facts, lambda _: None),
    ],
)
def test_a_copy_of_the_hash_reads_each_key(use):
    facts, questions = hash_and_questions()
    names = set(dict.keys(facts))
    use(facts)
    assert questions[0] == ("names",)
    assert {one[1] for one in questions[1:]} == names


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (lambda facts: facts["role"], [("fact", "role")]),
        (lambda facts: facts.get("site"), [("fact", "site")]),
        (lambda facts: "site" in facts, [("fact", "site")]),
        (lambda facts: facts["os"], [("hash", "os")]),
        (lambda facts: "os" in facts, [("hash", "os")]),
        (lambda facts: facts["none"], [("fact", "none")]),
        (lambda facts: facts["os"]["family"], [("hash", "os"), ("fact", "os", "family")]),
        (lambda facts: facts["os"].get("x"), [("hash", "os"), ("fact", "os", "x")]),
        (lambda facts: next(iter(facts["os"])), [("hash", "os"), ("names", "os")]),
        (lambda facts: [facts["role"], facts["role"]], [("fact", "role")]),
        (lambda facts: facts.get(7), []),  # no fact has a number as its name
    ],
)
def test_keys_are_recorded(use, expected):
    facts, questions = hash_and_questions()
    use(facts)
    assert questions == expected


def test_a_missing_key_is_an_error_and_recorded():
    facts, questions = hash_and_questions()
    with pytest.raises(KeyError):
        facts["site"]
    assert questions == [("fact", "site")]
    with pytest.raises(TypeError):
        facts[["role"]]


def test_it_is_a_dictionary_for_code_and_keeps_its_inner_hashes():
    facts, _ = hash_and_questions()
    inner = facts["os"]
    assert inner.__class__ is dict
    assert isinstance(inner, dict)
    assert next(iter(facts.values())) is inner is facts["os"]
    assert (facts, json.loads(json.dumps(facts))) == (FACTS, FACTS)
    assert type(pickle.loads(pickle.dumps(facts))) is dict


def test_a_changed_hash_is_read_as_it_is():
    facts, _ = hash_and_questions()
    facts["os"]["family"] = "RedHat"
    del facts["role"]
    assert (facts["os"]["family"], "role" in facts) == ("RedHat", False)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (("fact",), {**FACTS, "7": ""}),
        (("fact", "7"), ""),
        (("fact", "os", "release"), {"major": "12"}),
        (("fact", "os", "release", "major"), "12"),
        (("hash", "os"), True),
        (("hash", "role"), False),
        (("hash", "site"), False),
    ],
)
def test_answers(question, answer):
    assert FactTable({**FACTS, 7: None}).answer(question) == answer


@pytest.mark.parametrize("path", [("site",), ("os", "x"), ("role", "x"), ("os", "x", "y")])
def test_absence_is_an_answer(path):
    assert repr(FactTable(FACTS).answer(("fact", *path))) == "MISSING"
