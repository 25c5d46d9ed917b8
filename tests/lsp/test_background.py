"""Work in the background gives way to messages, and garbage is collected when none come."""

from __future__ import annotations

import gc
import sys
import time
import weakref
from threading import Timer
from types import FrameType

import pytest

from bunraku.base.garbage_collection import PATIENT, Patience
from bunraku.lsp.background import PAUSE, Background
from bunraku.lsp.garbage import THRESHOLDS, RareCollections, collect_later

SECONDS = 20


def work_for(seconds: float) -> None:
    """Work until it is interrupted."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    pytest.fail("the work was not interrupted")


class Watched:
    """Something that can be gone."""


def in_a_callback() -> None:
    """Begin the work in a callback, in which Python drops what is raised."""
    watched = Watched()
    reference = weakref.ref(watched, lambda _gone: time.sleep(0.2))
    del watched
    assert reference() is None
    work_for(SECONDS)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("step", [lambda: work_for(SECONDS), in_a_callback])
def test_a_message_interrupts_a_step(step):
    messages: list[int] = []
    background = Background()

    def arrive() -> None:
        messages.append(1)
        background.interrupt()

    background.add("work", iter([step]))
    with background:
        arrival = Timer(0.1, arrive)
        arrival.start()
        background.run_step(lambda: bool(messages))
        arrival.join()
    assert background.tasks["work"].step is step


def test_a_step_that_is_not_interruptible_goes_on():
    done: list[int] = []
    background = Background()

    def step() -> None:
        background.interrupt()
        done.append(1)

    background.add("work", iter([step]), is_interruptible=False)
    with background:
        background.run_step(lambda: False)
    assert done


def test_garbage_waits_until_no_message_comes():
    background = Background()
    with RareCollections():
        assert gc.get_threshold() == THRESHOLDS
        collect_later(background)
        seconds = background.wait()
        assert seconds is not None
        assert seconds > 0
        background.tasks["garbage"].due = 0.0
        background.run_step(lambda: False)
        assert gc.get_freeze_count() > 0
    assert gc.get_threshold() != THRESHOLDS


def test_no_step_begins_right_after_an_answer():
    background = Background()
    background.add("work", iter([lambda: None]))
    assert background.wait() == 0
    background.pause()
    seconds = background.wait()
    assert seconds is not None
    assert 0 < seconds <= PAUSE


def test_a_task_that_needs_rest_begins_later_after_an_answer():
    background, done = Background(), []
    background.add("restful", iter([lambda: done.append("restful")]), rest=10.0)
    background.add("other", iter([lambda: done.append("other")]))
    background.pause()
    time.sleep(PAUSE * 1.5)
    for _ in range(3):
        background.run_step(lambda: False)
    assert done == ["other"]
    wait = background.wait()
    assert wait is not None
    assert 9 < wait <= 10
    background.answered -= 10
    background.run_step(lambda: False)
    assert done == ["other", "restful"]


def test_a_message_is_read_soon_while_a_step_runs():
    before = sys.getswitchinterval()
    with Background():
        assert sys.getswitchinterval() < before
    assert sys.getswitchinterval() == before


@pytest.mark.parametrize("method", [Patience.__enter__, Patience.__exit__])
def test_a_message_does_not_interrupt_a_change_of_the_settings_of_the_collector(method):
    background, done = Background(), []

    def arrive(frame: FrameType, event: str, _value: object) -> None:
        if event == "call" and frame.f_code is method.__code__:
            background.on_signal(0, frame)

    def step() -> None:
        sys.setprofile(arrive)
        try:
            with PATIENT:
                done.append("begun")
            done.append("ended")
        finally:
            sys.setprofile(None)

    before = PATIENT.running
    background.add("collector", iter([step]))
    background.run_step(lambda: False)
    assert done == ["begun", "ended"]
    assert PATIENT.running == before
