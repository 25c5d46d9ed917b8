"""Work on many nodes: in this process, in forked processes, or with an executor.

Each node is a separate task: a failing node, even one whose process dies, does not affect the others.
"""

from __future__ import annotations

import gc
import os
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, as_completed
from typing import Generic, Protocol, TypeVar

from bunraku.base import system
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.records import record
from bunraku.engine.issues import WORKER_ENDED, WORKER_FAILED
from bunraku.limits.limits import Limits, timeout
from bunraku.world.workers import Result, Workers


class NodeTask(Protocol):
    """A task for a node; tasks with the same ``share`` have the same code."""

    @property
    def node(self) -> str:
        """The name of the node."""

    @property
    def share(self) -> str | None:
        """The group of nodes that the task belongs to."""

    @property
    def limits(self) -> Limits | None:
        """The limits of time and memory of the task."""


K = TypeVar("K", bound=NodeTask)
T = TypeVar("T")


@record(frozen=True)
class Work(Generic[K, T]):
    """What is done with each task: ``do`` is a function of a module, or a partial application of one.

    ``failed`` makes a result of the findings that explain why a task has none.
    """

    do: Callable[[K], T]
    failed: Callable[[K, list[Diagnostic]], T]

    def done(self, task: K) -> T:
        """Return the result of a task; an error of any kind is a finding."""
        try:
            return self.do(task)
        except PuppetError as error:
            return self.failed(task, list(error))
        except Exception as error:  # an internal error must not stop the others
            return self.failed(task, [failure(error)])


Done = Callable[[int, T], T]
"""Called with the number of a task and its result as soon as it is known; returns the result."""


def failure(error: BaseException) -> Diagnostic:
    """Return the finding for an internal error."""
    reason = f"{type(error).__name__}: {' '.join(str(error).split())[:500]}"
    return WORKER_FAILED.diagnostic(reason=reason)


def for_each(
    work: Work[K, T],
    tasks: Sequence[K],
    *,
    executor: Executor | None,
    jobs: int | None,
    done: Done[T],
) -> list[T]:
    """Return the results in the order of the tasks.

    Without an executor, ``jobs`` processes are forked (default: one per CPU), on a system that can. The
    first task of each group runs before that, so the processes share its parsed code.
    """
    if executor is not None:
        return in_executor(work, tasks, executor, done)
    processes = min(jobs or os.cpu_count() or 1, len(tasks))
    if processes <= 1 or not system.HAS_FORK:
        return [done(at, work.done(task)) for at, task in enumerate(tasks)]
    before = first_of_groups(tasks)
    found = {at: done(at, work.done(tasks[at])) for at in before}
    rest = [at for at in range(len(tasks)) if at not in found]
    frozen = gc.get_freeze_count()
    gc.collect()
    gc.freeze()  # keep the objects in memory shared with the processes
    try:
        in_processes(
            work, tasks, rest, processes, lambda at, one: found.update({at: done(at, one)})
        )
    finally:
        if not frozen:  # otherwise the program that uses bunraku froze its objects
            gc.unfreeze()
    return [found[at] for at in range(len(tasks))]


def first_of_groups(tasks: Sequence[NodeTask]) -> list[int]:
    """Return the first task of each group: other groups have other code."""
    found: dict[str | None, int] = {}
    for at, task in enumerate(tasks):
        found.setdefault(task.share, at)
    return list(found.values())


def in_executor(work: Work[K, T], tasks: Sequence[K], executor: Executor, done: Done[T]) -> list[T]:
    """Run tasks with an executor of any kind; tasks that wait are cancelled after an interrupt."""
    futures: dict[Future[T], int] = {}
    found: dict[int, T] = {}
    try:
        for at, task in enumerate(tasks):
            futures[executor.submit(work.done, task)] = at
        for future in as_completed(futures):
            at = futures[future]
            found[at] = done(at, result_of_future(work, future, tasks[at]))
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return [found[at] for at in range(len(tasks))]


def result_of_future(work: Work[K, T], future: Future[T], task: K) -> T:
    """Return the result from a worker, or one that reports why there is none."""
    try:
        return future.result()
    except PuppetError as error:
        return work.failed(task, list(error))
    except (BrokenExecutor, CancelledError):
        return work.failed(task, [WORKER_ENDED.diagnostic(node=task.node)])
    except Exception as error:
        return work.failed(task, [failure(error)])


def in_processes(
    work: Work[K, T],
    tasks: Sequence[K],
    numbers: Sequence[int],
    processes: int,
    done: Callable[[int, T], None],
) -> None:
    """Run some of the tasks in forked processes; if one dies, only its current task fails."""

    def answer(job: bytes) -> bytes:
        task = tasks[int(job)]
        try:
            return pickle.dumps(work.done(task))
        except Exception as error:  # an error with an object that cannot be pickled
            return pickle.dumps(work.failed(task, [failure(error)]))

    with Workers(answer, processes) as workers:
        for result in workers.results((at, b"%d" % at, 0.0) for at in numbers):
            done(result.number, result_of(work, result, tasks[result.number]))


def result_of(work: Work[K, T], result: Result, task: K) -> T:
    """Return the result of a task from what its worker gave."""
    if result.status == "timeout" and task.limits is not None:
        return work.failed(task, list(timeout(task.limits)))
    if result.status != "answered":
        return work.failed(task, [WORKER_ENDED.diagnostic(node=task.node)])
    found: T = pickle.loads(result.answer)  # noqa: S301 (from our own fork)
    return found
