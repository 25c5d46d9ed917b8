"""An executor whose workers may be on other machines."""

from __future__ import annotations

import os
import pickle
import uuid
from collections.abc import Callable, Hashable
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    InvalidStateError,
)
from contextlib import suppress
from functools import partial
from math import inf
from threading import Condition, Thread
from time import monotonic
from typing import Any

from bunraku.base.disk_cache import CONFIGURED
from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record, replace
from bunraku.engine.nodes import Task
from bunraku.engine.remote.files import Table, digests, table_of
from bunraku.engine.remote.issues import EXECUTOR_FAILED, WORKER_SILENT
from bunraku.engine.remote.worker import Parcel, Shared, answer, software
from bunraku.engine.request import MACHINE, Request
from bunraku.limits.limits import GRACE, timeout

MOST_SHARED = 4
"""Tables and exports that are kept: those of two groups of nodes."""
MOST_ATTEMPTS = 2
"""How often a task is sent to workers that do not answer."""
ANSWER_SECONDS = 60.0
"""Seconds beyond the time limit of a task in which a worker starts, compares files and answers."""
MOST_SECONDS = 3600.0
"""The longest wait of a thread at once: the system refuses waits without an end."""


def with_each_task(shared: Shared) -> Shared:
    """Return shared data as what stands for it: each task brings it along."""
    return shared


@record(eq=False)
class Sent:
    """A task that waits for its result, the futures of its attempts, and how often it had no answer."""

    function: Callable[..., Any]
    task: Task
    attempts: list[Future[tuple[str, bytes]]] = field(default_factory=list)
    unanswered: int = 0


class Sender(Executor):
    """Runs functions of a :class:`Task` by another executor, each in a process of a worker.

    ``share`` makes data available to all workers and returns what stands for it among the arguments
    of a task. ``gone`` are the exceptions of the executor that mean that the workers of a task ended.
    Another task of these workers may be the cause. Such tasks are therefore *suspects*: when no other
    task runs, they run again, one at a time.

    A worker that works answers within the time limit of its task and ``patience`` more seconds. If no
    task gets a result in that time, those that workers have are sent again, and bring shared data
    along, so they depend on no worker; the first result counts. ``preferences`` can name workers
    that still report to the executor.
    Those that again get none fail with WORKER_SILENT. Tasks without a time limit can wait forever.
    """

    def __init__(
        self,
        inner: Executor,
        share: Callable[[Shared], Any] = with_each_task,
        gone: tuple[type[BaseException], ...] = (),
        patience: float = ANSWER_SECONDS + GRACE,
    ) -> None:
        self.inner = inner
        self.share = share
        self.gone = gone
        self.kept: dict[Hashable, tuple[object, Any]] = {}
        self.patience = patience
        self.waiting: dict[Future[Any], Sent] = {}
        self.preferences: dict[str, Any] = {}
        """Keyword arguments of the executor for tasks that are sent again: which workers to prefer."""
        self.late: list[Future[tuple[str, bytes]]] = []
        """Attempts that had no answer in time; nothing may wait for them."""
        self.last = monotonic()
        self.watch: Thread | None = None
        self.suspects: list[tuple[Future[Any], Callable[..., Any], Task]] = []
        self.lock = Condition()  # results come in threads of the executor

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return the future result of a function of a task."""
        assert not kwargs
        (task,) = args
        outer: Future[Any] = Future()
        with self.lock:
            self.waiting[outer] = Sent(fn, task)
            self.last = monotonic()
        self.send(outer, fn, task, alone=False)
        outer.add_done_callback(self.drop)
        self.start_watch()
        return outer

    def send(
        self, outer: Future[Any], function: Callable[..., Any], task: Task, *, alone: bool
    ) -> None:
        """Let the executor run a task whose result belongs to a future."""
        try:
            preferences = self.preferences if alone else {}
            inner = self.inner.submit(answer, *self.parcel(function, task), **preferences)
        except (PuppetError, BrokenExecutor) as error:
            outer.set_exception(error)
            return
        with self.lock:
            if outer in self.waiting:
                self.waiting[outer].attempts.append(inner)
        outer.add_done_callback(lambda one: one.cancelled() and inner.cancel())
        inner.add_done_callback(partial(self.settle, outer, function, task, alone))

    def drop(self, outer: Future[Any]) -> None:
        """Wait no longer for a future that is done."""
        with self.lock:
            self.waiting.pop(outer, None)
            self.last = monotonic()
            self.lock.notify()
        self.try_suspects()

    def start_watch(self) -> None:
        """Start the thread that finds workers which do not answer; it ends when no task waits."""
        with self.lock:
            if self.watch is None and self.waiting:
                self.watch = Thread(target=self.watch_answers, daemon=True)
                self.watch.start()

    def watch_answers(self) -> None:
        """Send tasks again, or fail them, if no task gets a result for too long."""
        while True:
            with self.lock:
                if not self.waiting:
                    self.watch = None
                    return
                rest = self.last + self.longest() - monotonic()
                if rest > 0:
                    self.lock.wait(min(rest, MOST_SECONDS))
                    continue
                late = self.unanswered()
                self.last = monotonic()
                self.late += [sent.attempts[-1] for _outer, sent in late if sent.attempts]
                # A worker that does not answer may have the only copy, or be chosen for the next one.
                self.kept.clear()
                self.share = with_each_task
            for outer, sent in late:
                if sent.unanswered < MOST_ATTEMPTS:
                    self.send(outer, sent.function, sent.task, alone=True)
                else:
                    with suppress(InvalidStateError):  # the result came at the same time
                        outer.set_exception(WORKER_SILENT(attempts=MOST_ATTEMPTS))

    def unanswered(self) -> list[tuple[Future[Any], Sent]]:
        """Return the tasks that workers have; suspects wait until these are done."""
        suspects = {one[0] for one in self.suspects}
        late = [(outer, sent) for outer, sent in self.waiting.items() if outer not in suspects]
        for _outer, sent in late:
            sent.unanswered += 1
        return late

    def longest(self) -> float:
        """Return the seconds in which one of the tasks that wait must get a result."""
        seconds = [sent.task.limits and sent.task.limits.seconds for sent in self.waiting.values()]
        return max([one or inf for one in seconds], default=inf) + self.patience

    def abandon(self) -> None:
        """Cancel the attempts that had no answer, once all tasks have a result.

        A thread of Dask cannot do this, so it is not done where a result comes.
        """
        for inner in self.late:
            inner.cancel()

    def is_repeated(self, outer: Future[Any], inner: Future[tuple[str, bytes]]) -> bool:
        """Return whether a task was sent again after an attempt that had no answer in time."""
        with self.lock:
            sent = self.waiting.get(outer)
            return sent is not None and bool(sent.unanswered) and inner is not sent.attempts[-1]

    def try_suspects(self) -> None:
        """Run a suspect again if no other task waits for its result."""
        with self.lock:
            self.suspects = [one for one in self.suspects if not one[0].done()]
            if not self.suspects or len(self.suspects) < len(self.waiting):
                return
            suspect = self.suspects.pop(0)
        self.send(*suspect, alone=True)

    def parcel(self, function: Callable[[Task], Any], task: Task) -> tuple[Parcel, Any, Any]:
        """Return a task as the arguments of :func:`answer`."""
        exports = task.request.exports
        shared = None
        if exports is not None:
            shared = self.shared(id(exports), exports, lambda: exports)
            task = replace(task, request=replace(task.request, exports=None))
        table = self.shared(*self.table(task.request))
        files = {}
        if task.facts_file is not None:
            root = (os.path.abspath(task.facts_file), "")
            files = {root: digests(root, MACHINE)}
        try:
            work = pickle.dumps((function, task))
        except Exception as error:
            raise EXECUTOR_FAILED(reason=f"{type(error).__name__}: {error}") from error
        parcel = Parcel(software(), os.getcwd(), dict(CONFIGURED), work, files)
        return parcel, table, shared

    def table(self, request: Request) -> tuple[Hashable, object, Callable[[], Table]]:
        """Return the key of a request's files, the object that it belongs to, and their maker."""
        key = (
            request.path,
            tuple(request.modulepath),
            request.environment_directory,
            request.hiera_config,
            repr(sorted(request.settings.items())),
            id(request.world),
        )
        return key, request.world, lambda: table_of(request)

    def shared(self, key: Hashable, owner: object, make: Callable[[], Any]) -> Any:
        """Return what stands for shared data; it is sent once. ``owner`` must live as long."""
        known = self.kept.get(key)
        if known is None:
            while len(self.kept) >= MOST_SHARED:
                self.kept.pop(next(iter(self.kept)), None)
            known = self.kept[key] = (
                owner,
                self.share(Shared(uuid.uuid4().hex, pickle.dumps(make()))),
            )
        return known[1]

    def settle(
        self,
        outer: Future[Any],
        function: Callable[..., Any],
        task: Task,
        alone: bool,
        inner: Future[tuple[str, bytes]],
    ) -> None:
        """Give a future its result, unless it was cancelled or the task is a suspect."""
        if not alone and not inner.cancelled() and isinstance(inner.exception(), self.gone):
            with self.lock:
                self.suspects.append((outer, function, task))
            self.try_suspects()
            return
        with suppress(InvalidStateError):
            try:
                outer.set_result(self.result(inner, task))
            except (PuppetError, BrokenExecutor) as error:
                if not self.is_repeated(outer, inner):
                    outer.set_exception(error)

    def result(self, inner: Future[tuple[str, bytes]], task: Task) -> Any:
        """Return the result of a task; raise PuppetError or BrokenExecutor if there is none."""
        try:
            status, content = inner.result()
        except CancelledError:
            raise EXECUTOR_FAILED(reason="the executor cancelled the task") from None
        except Exception as error:
            if isinstance(error, (BrokenExecutor, *self.gone)):
                raise BrokenExecutor from error
            raise EXECUTOR_FAILED(reason=f"{type(error).__name__}: {error}") from error
        if status == "timeout" and task.limits is not None:
            raise timeout(task.limits)
        if status != "answered":
            raise BrokenExecutor
        kind, found = pickle.loads(content)  # noqa: S301 (from the worker that the user chose)
        if kind == "findings":
            raise PuppetError(found[0], found[1:])
        return found

    def fail(self, error: Exception) -> None:
        """End all tasks that wait for a result with an error."""
        for future in list(self.waiting):
            with suppress(InvalidStateError):  # the result came at the same time
                future.set_exception(error)
