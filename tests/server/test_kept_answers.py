"""The answers in the memory of a compile process stay within limits of number and bytes."""

from __future__ import annotations

from random import Random

import pytest

from bunraku.engine.dependencies import Dependencies
from bunraku.server.compiling.kept import Answer, Memory


def answer(size):
    return Answer(Dependencies(), (), "json", "production", (), (b"x" * size,), (b"",))


def test_the_least_recently_used_answers_go_first():
    memory = Memory(most=2, most_bytes=1000)
    memory.keep("a", answer(1))
    memory.keep("b", answer(1))
    memory.get("a")
    memory.keep("c", answer(1))
    assert [*memory.answers] == ["a", "c"]


def test_bytes_are_limited_too():
    memory = Memory(most=10, most_bytes=100)
    for name in "abc":
        memory.keep(name, answer(40))
    assert ([*memory.answers], memory.bytes) == (["b", "c"], 80)
    memory.keep("b", answer(70))
    assert ([*memory.answers], memory.bytes) == (["b"], 70)


def test_an_answer_above_the_limit_is_not_kept():
    memory = Memory(most=10, most_bytes=100)
    memory.keep("a", answer(101))
    assert (memory.get("a"), memory.bytes) == (None, 0)


@pytest.mark.parametrize("seed", range(3))
def test_the_limits_hold_after_each_step(seed):
    random, memory = Random(seed), Memory(most=8, most_bytes=300)
    for _ in range(500):
        memory.keep(str(random.randrange(30)), answer(random.randrange(120)))
        if random.random() < 0.2:
            memory.drop(str(random.randrange(30)))
        assert len(memory.answers) <= 8
        assert memory.bytes == sum(one.size() for one in memory.answers.values()) <= 300
