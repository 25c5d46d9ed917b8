"""Objects that a compile leaves in memory, and its work for Python's garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.garbage_collection import PATIENCE, PATIENT
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.runtime.state import Compilation, DeclaredResource, Scope

CODE = """
define item(String $text = 'x') { notify { "${title} ${text}": tag => ['a', 'b'] } }
class base { item { ['a', 'b']: } @item { 'c': } }
class child inherits base { Item['a'] { text => 'y' } }
include child
Item <| title == 'c' |> { text => 'z' } -> Notify['late']
realize Item['c']
notify { 'late': message => [1, 2].map |$i| { $i + 1 } }
file { 'motd': path => '/etc/motd', alias => 'message' }
Notify { withpath => true }
notice(Notify['late']['message'], $child::missing, inline_epp('<%= 1 %>'))
"""


@pytest.fixture(autouse=True)
def _thresholds_stay() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def state_objects() -> int:
    """Return how many compilations, scopes and declared resources there are."""
    kinds = Compilation | Scope | DeclaredResource
    return sum(isinstance(one, kinds) for one in gc.get_objects())


def compilations() -> int:
    """Return how many compilations there are."""
    return sum(isinstance(one, Compilation) for one in gc.get_objects())


def test_nothing_of_a_compile_outlives_it_but_its_catalog() -> None:
    during: list[int] = []
    gc.collect()  # objects left by earlier tests would be counted before, and collected meanwhile
    gc.disable()
    before, alive = state_objects(), compilations()
    try:
        settings = {"strict": "off", "strict_variables": False}
        catalog = compile_catalog(
            Request(code=CODE, settings=settings), lambda _entry: during.append(compilations())
        )
        after, still_alive = state_objects(), compilations()
    finally:
        gc.enable()
    assert set(during) == {alive + 1}
    assert still_alive == alive
    assert catalog.resources
    assert after == before


def test_the_collector_has_patience_during_a_compile_only() -> None:
    gc.set_threshold(600, 7, 8)
    seen: list[tuple[int, int, int]] = []
    compile_catalog(Request(code="notice('x')"), lambda _entry: seen.append(gc.get_threshold()))
    assert seen == [(PATIENCE, 7, 8)]
    assert gc.get_threshold() == (600, 7, 8)


def test_patience_ends_with_the_last_of_several_and_with_an_error() -> None:
    gc.set_threshold(600, 7, 8)
    with PATIENT:
        with pytest.raises(PuppetError):
            compile_catalog(Request(code="fail('x')"), lambda _entry: None)
        assert gc.get_threshold()[0] == PATIENCE
    assert gc.get_threshold() == (600, 7, 8)


@pytest.mark.parametrize("own", [0, PATIENCE + 1])
def test_a_collector_that_is_off_or_more_patient_stays_so(own: int) -> None:
    gc.set_threshold(own)
    with PATIENT:
        assert gc.get_threshold()[0] == own
    assert gc.get_threshold()[0] == own


def test_what_somebody_sets_meanwhile_stays() -> None:
    with PATIENT:
        gc.set_threshold(900)
    assert gc.get_threshold()[0] == 900
