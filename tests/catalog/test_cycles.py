"""Circles among relationships and containers."""

from __future__ import annotations

import random

import pytest

import bunraku
from bunraku.base.errors import PuppetError
from bunraku.runtime.cycles import dependency_graph, find_cycle, is_circular


@pytest.mark.parametrize("seed", range(300))
def test_the_quick_look_agrees_with_the_search_for_a_way(seed: int) -> None:
    chance = random.Random(seed)
    names = [f"n{number}" for number in range(chance.randint(2, 9))]
    edges = [(chance.choice(names[:at]), names[at]) for at in range(1, len(names))]
    if chance.random() < 0.2:
        edges.append((chance.choice(names), chance.choice(names)))
    pairs = [
        (chance.choice(names), chance.choice(names)) for _ in range(chance.randint(0, len(names)))
    ]
    found = find_cycle(dependency_graph(edges, pairs))
    assert is_circular(edges, pairs) == (found is not None)


def test_a_container_whose_members_have_no_relationship_is_on_the_way() -> None:
    code = """
    class c { notify { 'm': } }
    include c
    notify { 'x': require => Class['c'], before => Class['c'] }
    """
    with pytest.raises(PuppetError, match="Class\\[C\\]"):
        bunraku.compile(code, node="n", cycles=True)


def test_many_arrows_from_one_resource_keep_their_order_and_the_list_they_began_with() -> None:
    code = """
    $first = [Notify['b']]
    notify { 'a': before => $first }
    notify { 'other': before => $first }
    notify { ['b', 'c', 'd']: }
    Notify['a'] -> Notify['c'] -> Notify['d']
    Notify['a'] -> Notify['d']
    """
    found = {item.title: item for item in bunraku.compile(code, node="n").resources}
    before = found["a"].references("before")
    assert before == ["Notify[b]", "Notify[c]", "Notify[d]"]
    assert found["other"].references("before") == ["Notify[b]"]


def test_a_circle_through_references_with_another_title_is_found() -> None:
    code = "file { '/a': require => File['/b/'] } file { '/b': require => File['/a/'] }"
    with pytest.raises(PuppetError, match=r"File\[/a\] -> File\[/b\]"):
        bunraku.compile(code, node="n", cycles=True)
