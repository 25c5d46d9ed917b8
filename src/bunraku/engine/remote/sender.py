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
from typing import Any

from bunraku.base.disk_cache import CONFIGURED
from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.engine.nodes import Task
from bunraku.engine.remote.files import Table, digests, table_of
from bunraku.engine.remote.issues import EXECUTOR_FAILED
from bunraku.engine.remote.worker import Parcel, Shared, answer, software
from bunraku.engine.request import MACHINE, Request
from bunraku.limits.limits import timeout

MOST_SHARED = 4
"""Tables and exports that are kept: those of two groups of nodes."""


class Sender(Executor):
    """Runs functions of a :class:`Task` by another executor, each in a process of a worker.

    ``share`` makes data available to all workers and returns what stands for it among the arguments
    of a task. ``gone`` are the exceptions of the executor that mean that a worker ended.
    """

    def __init__(
        self,
        inner: Executor,
        share: Callable[[Shared], Any] = lambda shared: shared,
        gone: tuple[type[BaseException], ...] = (),
    ) -> None:
        self.inner = inner
        self.share = share
        self.gone = gone
        self.kept: dict[Hashable, tuple[object, Any]] = {}
        self.waiting: set[Future[Any]] = set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return the future result of a function of a task."""
        assert not kwargs
        (task,) = args
        outer: Future[Any] = Future()
        try:
            inner = self.inner.submit(answer, *self.parcel(fn, task))
        except (PuppetError, BrokenExecutor) as error:
            outer.set_exception(error)
            return outer
        self.waiting.add(outer)
        outer.add_done_callback(self.waiting.discard)
        outer.add_done_callback(lambda one: one.cancelled() and inner.cancel())
        inner.add_done_callback(partial(self.settle, outer, task))
        return outer

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
        if key not in self.kept:
            while len(self.kept) >= MOST_SHARED:
                del self.kept[next(iter(self.kept))]
            self.kept[key] = owner, self.share(Shared(uuid.uuid4().hex, pickle.dumps(make())))
        return self.kept[key][1]

    def settle(self, outer: Future[Any], task: Task, inner: Future[tuple[str, bytes]]) -> None:
        """Give a future its result, unless it was cancelled."""
        with suppress(InvalidStateError):
            try:
                outer.set_result(self.result(inner, task))
            except (PuppetError, BrokenExecutor) as error:
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
