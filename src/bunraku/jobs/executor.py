"""Where the nodes of a job are compiled."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager

from bunraku.base.usage import UsageError
from bunraku.engine.remote import executors
from bunraku.jobs.context import Context


@contextmanager
def executor_of(context: Context) -> Iterator[Executor | None]:
    """Provide the executor that the options name; None for processes of this machine.

    Raises UsageError for an executor that cannot be used, and for options that contradict each other.
    """
    options = context.options
    if options.jobs is not None and options.jobs < 1:
        raise UsageError("--jobs must be at least 1")
    own = options.executor != executors.PROCESSES
    if own and options.jobs is not None and "jobs" not in options.configured:
        raise UsageError("give --jobs or --executor, not both: an executor has its own workers")
    with ExitStack() as stack:
        try:
            executor = stack.enter_context(executors.opened_executor(options.executor))
        except executors.BadExecutor as error:
            raise UsageError(f"--executor: {error}") from error
        yield executor
