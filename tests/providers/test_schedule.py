"""The resource type schedule."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from bunraku.base.errors import PuppetError
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.registry import BUILTIN_TYPES
from bunraku.providers.run import Run
from bunraku.providers.schedule.type import Schedule, schedule_of
from support.applying import apply
from support.host import MemoryHost

NOON = datetime(2026, 11, 22, 12, 30, tzinfo=UTC).timestamp()
"""A Sunday."""


def no_log(*_: object, **__: object) -> None:
    """Drop a message."""


def matches(ago: float | None = None, **parameters: object) -> bool:
    """Return whether a resource that was checked so many seconds ago may be applied."""
    host = MemoryHost()
    host.time = NOON
    made = ManagedResource(
        Schedule(Run(host, no_log, {"noop": False}, BUILTIN_TYPES)), "s", parameters
    )
    made.complete()
    return schedule_of(made).matches(made, None if ago is None else NOON - ago)


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_a_period_must_have_passed() -> None:
    assert [matches(ago, period="hourly") for ago in (None, 3599 - 2, 3601)] == [True, False, True]
    assert [matches(ago, period="hourly", repeat=2) for ago in (1700, 1801)] == [False, True]
    assert not matches(period="never")


def test_a_check_in_the_future_is_of_a_wrong_clock() -> None:
    assert matches(-3600, period="daily")
    assert not matches(-3600, period="never")


def test_a_period_by_number_is_that_of_the_calendar() -> None:
    by_number = {"period": "hourly", "periodmatch": "number"}

    assert [matches(ago, **by_number) for ago in (600, 2400)] == [False, True]


def test_ranges_may_cross_midnight_and_count_for_the_day_on_which_they_begin() -> None:
    assert matches(range="12:00 - 13")
    assert not matches(range=["1 - 2", "3:00 - 4:00"])
    assert matches(range="20:00 - 13:00", weekday="Saturday")
    assert not matches(range="20:00 - 13:00", weekday=["Sun", 1])
    assert matches(weekday="0")


@pytest.mark.parametrize(
    "parameters",
    ["range => 'x'", "range => '24 - 1'", "weekday => 'Someday'", "repeat => 'x'"],
)
def test_wrong_values_are_refused(parameters: str) -> None:
    with pytest.raises(PuppetError, match="failed on Schedule"):
        apply(MemoryHost(), f"schedule {{ 's': {parameters} }}")


def test_the_schedules_of_puppet_exist_and_never_skips() -> None:
    done = apply(
        MemoryHost(), "notify { 'a': schedule => 'never' } notify { 'b': schedule => 'daily' }"
    )

    assert done.changes == ["Notify[b]/message: defined 'message' as 'b'"]
