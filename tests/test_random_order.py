"""Tests can be run in random order: ``pytest --shuffle SEED``."""

from __future__ import annotations

from itertools import groupby

from support.order import shuffled

ITEMS = [(file, number) for file in "abcdefgh" for number in range(20)]


def first(item):
    return item[0]


def test_a_seed_names_an_order_in_which_groups_stay_together():
    found = shuffled(ITEMS, 1, first)
    assert sorted(found) == ITEMS
    assert found == shuffled(ITEMS, 1, first)
    files = [file for file, _ in groupby(found, first)]
    assert len(files) == 8
    assert files != sorted(files)
    assert [number for file, number in found if file == "a"] != list(range(20))


def test_another_seed_names_another_order():
    assert shuffled(ITEMS, 1, first) != shuffled(ITEMS, 2, first)
