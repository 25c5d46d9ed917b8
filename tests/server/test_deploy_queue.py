"""The queue of deployments: one at a time, and a later request replaces one that waits."""

from __future__ import annotations

import pytest

from bunraku.server.deploying.queue import MOST_ENDED, MOST_WAITING, DeployQueue, FullQueue, Work

PRODUCTION, DEVELOPMENT = Work(("production",), pushed=True), Work(("development",), pushed=True)


@pytest.fixture
def queue():
    now = iter(range(10_000))
    return DeployQueue(lambda: float(next(now)))


def numbers(deployments):
    return [one["id"] for one in deployments]


def test_one_runs_at_a_time_in_the_order_of_requests(queue):
    first, second = queue.add(PRODUCTION), queue.add(DEVELOPMENT)
    assert queue.start() is first
    assert queue.start() is None
    assert queue.finish({"whole": True}, None) is first
    assert (first.status, first.started, first.finished) == ("complete", 2.0, 3.0)
    assert queue.start() is second


def test_a_later_push_takes_the_place_of_one_that_waits(queue):
    running = queue.add(PRODUCTION)
    queue.start()
    waiting, other = queue.add(PRODUCTION), queue.add(DEVELOPMENT)
    newest = queue.add(PRODUCTION)
    found = queue.status()
    assert numbers(found["queued"]) == [newest.number, other.number]
    assert numbers(found["running"]) == [running.number]
    assert (waiting.status, waiting.by) == ("replaced", newest.number)
    assert queue.find(waiting.number).summary()["replaced_by"] == newest.number


def test_modules_and_requests_of_programs_are_other_work(queue):
    works = [PRODUCTION, Work(("production",)), Work(("production",), ("ntp",)), Work()]
    for work in works:
        queue.add(work)
    assert len(queue.status()["queued"]) == 4


@pytest.mark.parametrize(
    ("result", "error", "status"),
    [
        ({"whole": True}, None, "complete"),
        ({"whole": False}, None, "failed"),
        (None, "x", "failed"),
        (None, None, "failed"),
    ],
)
def test_the_status_after_the_end(queue, result, error, status):
    queue.add(PRODUCTION)
    queue.start()
    queue.note("info", "text")
    found = queue.finish(result, error).details()
    assert (found["status"], found["result"]) == (status, result)
    assert found["log"] == [{"level": "info", "message": "text"}]


def test_the_queue_and_what_it_remembers_are_bounded(queue):
    for number in range(MOST_WAITING):
        queue.add(Work((f"e{number}",)))
    with pytest.raises(FullQueue):
        queue.add(PRODUCTION)
    while queue.start():
        queue.finish({"whole": True}, None)
    found = queue.status()["ended"]
    assert (len(found), found[0]["id"]) == (MOST_ENDED, MOST_WAITING)


def test_work_is_sent_as_data():
    work = Work(("production",), ("ntp",))
    assert Work.of({**work.data, "environments": ["production"]}) == work
