"""Data classes: their arguments, comparison and output; ``dataclasses`` is not imported."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path
from typing import ClassVar

import pytest

from bunraku.base.records import field, names_of, record, replace

TESTS = Path(__file__).parents[1]
SRC = TESTS.parent / "src" / "bunraku"


@record()
class Base:
    """A record with a value, a default, and a list of its own."""

    count: ClassVar[int] = 7
    first: int
    second: str = "two"
    third: list[int] = field(default_factory=list)


@record(frozen=True)
class Derived(Base):
    """One more field after those of its base, and one that is worked out."""

    fourth: bool = True
    total: int = field(init=False, shown=False, compared=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", self.first * 2)


@record(frozen=True)
class Single:
    """One field."""

    value: object


@record(eq=False, slots=False)
class Entity:
    """Equal to itself alone."""

    name: str = "x"


def test_fields_are_given_in_order_or_by_name():
    assert (Base(1).first, Base(1).second, Base(1, "b").second) == (1, "two", "b")
    made = Derived(1, third=[3], fourth=False)
    assert (made.first, made.second, made.third, made.fourth, made.total) == (
        1,
        "two",
        [3],
        False,
        2,
    )
    assert Base(first=1) == Base(1)


@pytest.mark.parametrize("arguments", [(), (1, "a", [], 4)])
def test_what_is_missing_or_too_much_is_said_by_name(arguments):
    with pytest.raises(TypeError, match=r"Base\.__init__\(\)"):
        Base(*arguments)


def test_each_object_has_a_default_of_its_own():
    one, other = Base(1), Base(1)
    one.third.append(1)
    assert other.third == []


def test_equality_is_by_class_and_fields():
    assert Base(1) == Base(1) != Base(2)
    assert Base(1) != (1, "two", [])
    assert Single(1) == Single(True)  # as in tuples
    assert Derived(1) != Base(1)
    absent = float("nan")
    assert Single(absent) == Single(absent)
    assert Entity() != Entity()


def test_a_frozen_record_has_a_hash_and_another_has_none():
    assert len({Single("a"), Single("a"), Single("b")}) == 2
    assert Base.__hash__ is None
    assert len({Entity(), Entity()}) == 2


def test_methods_of_the_class_win():
    @record(frozen=True)
    class Own:
        value: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 5

        def __repr__(self) -> str:
            return "own"

    assert (Own(1) == Own(2), hash(Own(1)), repr(Own(1))) == (True, 5, "own")


def test_repr_names_the_fields_that_are_shown():
    assert repr(Derived(1)) == "Derived(first=1, second='two', third=[], fourth=True)"
    loop = Single([])
    loop.value.append(loop)
    assert repr(loop) == "Single(value=[...])"


def test_slots_take_no_other_name():
    with pytest.raises(AttributeError):
        Base(1).other = 2
    Entity().other = 2
    assert Base.__slots__ == ("first", "second", "third")
    assert Derived.__slots__ == ("fourth", "total")


def test_names_are_known_and_constants_of_the_class_are_none():
    assert list(names_of(Derived(1))) == ["first", "second", "third", "fourth", "total"]
    assert list(names_of(1)) == []
    assert Base.count == 7


def test_a_changed_copy_is_worked_out_again():
    old = Derived(1, third=[1])
    new = replace(old, first=5)
    assert (new.first, new.total, new.third is old.third, old.first) == (5, 10, True, 1)
    with pytest.raises(TypeError):
        replace(old, nothing=1)


def test_records_match_by_position():
    match Derived(1, "b"):
        case Derived(1, second):
            assert second == "b"
        case _:
            pytest.fail("no match")


@pytest.mark.parametrize("value", [Base(1, "b", [2]), Derived(3), Single("x")])
def test_copies_and_pickles_are_equal(value):
    assert copy.deepcopy(value) == value
    assert pickle.loads(pickle.dumps(value)) == value


def test_the_package_does_without_dataclasses():
    taken = re.compile(r"^\s*(?:from dataclasses import|import dataclasses)", re.MULTILINE)
    assert [str(path) for path in SRC.rglob("*.py") if taken.search(path.read_text())] == []
