"""The index of tags, which takes in changes, beside one that is made again."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from bunraku.runtime.collect import TagIndex

TAGS = [f"t{number}" for number in range(12)]


def resource(name, container):
    return SimpleNamespace(
        type="Notify", title=name, tags={"notify": None}, scope=SimpleNamespace(resource=container)
    )


def places(index):
    return {tag: found for tag, found in sorted(index.places.items()) if found}


@pytest.mark.parametrize("seed", range(20))
def test_changes_give_the_same_places_as_a_new_index(seed):
    choose = random.Random(seed)
    containers = [resource(f"c{number}", None) for number in range(3)]
    resources, tagged = [], []
    index = TagIndex(resources)
    for number in range(60):
        resources.append(resource(f"n{number}", choose.choice(containers)))
        for _ in range(choose.randrange(3)):
            changed = choose.choice([*containers, *resources])
            changed.tags[choose.choice(TAGS)] = None
            tagged.append(changed)
        if choose.random() < 0.4:
            index.add_new()
            index.add_changed("Notify", tagged)
            fresh = TagIndex(resources)
            fresh.add_new()
            assert places(index) == places(fresh)
