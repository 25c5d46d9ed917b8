"""The order of tests: whatever it is, each test must pass."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def shuffled(items: Sequence[Item], seed: int, group: Callable[[Item], Hashable]) -> list[Item]:
    """Return the items with their groups in random order, and random order in each group.

    Items of a group stay together, for they share fixtures that are slow to make. Each process gets the
    same order from the same seed.
    """
    groups: dict[Hashable, list[Item]] = {}
    for item in items:
        groups.setdefault(group(item), []).append(item)
    chance = random.Random(seed)
    order = list(groups.values())
    chance.shuffle(order)
    for members in order:
        chance.shuffle(members)
    return [item for members in order for item in members]
