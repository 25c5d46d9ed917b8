"""Executors by name: ``processes``, ``dask=ADDRESS`` and ``MODULE:FACTORY``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from importlib import import_module
from threading import Event, Thread
from time import monotonic
from typing import Any

from bunraku.base.suggestions import suggestion
from bunraku.engine.remote.issues import NO_WORKERS
from bunraku.engine.remote.sender import Sender
from bunraku.engine.remote.worker import same

PROCESSES = "processes"
DASK = "dask"
CONNECT_SECONDS = 10
"""The time in which a scheduler must answer."""
WORKER_SECONDS = 60.0
"""The time without any worker after which the tasks fail. Clusters that grow on demand take a while."""
POLL_SECONDS = 2.0
HEARTBEAT_SECONDS = 20.0
"""The time after which a worker is silent. Dask's workers report every few seconds."""


class BadExecutor(ValueError):
    """A name that is not that of a usable executor; the text is a message for the user."""


def opened_executor(name: str) -> AbstractContextManager[Executor | None]:
    """Return a block with the executor of a name, None for processes of this machine.

    Raises BadExecutor, also at the start of the block. The tasks that wait are cancelled if an
    exception leaves the block.

    >>> opened_executor("procesess")
    Traceback (most recent call last):
    bunraku.engine.remote.executors.BadExecutor: unknown executor 'procesess' (did you mean 'processes'?); ...
    """
    if name == PROCESSES:
        return nullcontext()
    kind, equals, rest = name.partition("=")
    if kind == DASK and rest:
        return dask_executor(rest)
    if kind == DASK:
        raise BadExecutor("dask requires the address of a scheduler: dask=tls://HOST:8786")
    module, colon, factory = name.partition(":")
    if (
        not equals
        and colon
        and all(map(str.isidentifier, [*module.split("."), *factory.split(".")]))
    ):
        return made_executor(module, factory)
    if "://" in name and not equals:
        raise BadExecutor(f"unknown executor {name!r} (did you mean 'dask={name}'?)")
    near = suggestion(kind, [PROCESSES, DASK])
    raise BadExecutor(
        f"unknown executor {name!r}{near}; expected processes, dask=ADDRESS or MODULE:FACTORY"
    )


@contextmanager
def made_executor(module: str, factory: str) -> Iterator[Executor]:
    """Provide the executor that a factory in a module returns."""
    name = f"{module}:{factory}"
    try:
        made: Any = import_module(module)
    except Exception as error:
        raise BadExecutor(f"{name}: cannot import {module}: {text_of(error)}") from error
    for part in factory.split("."):
        near = suggestion(part, vars(made))
        made = getattr(made, part, None)
        if made is None:
            raise BadExecutor(f"{name}: {module} has no {factory}{near}")
    if not callable(made):
        raise BadExecutor(f"{name} is not a function that returns an executor")
    try:
        executor = made()
    except Exception as error:
        raise BadExecutor(f"{name} failed: {text_of(error)}") from error
    if not isinstance(executor, Executor):
        kind = type(executor).__name__
        raise BadExecutor(f"{name} returned a {kind}, not a concurrent.futures.Executor")
    sender = Sender(executor)
    try:
        yield sender
    except BaseException:
        executor.shutdown(wait=False)  # the tasks are cancelled already
        raise
    sender.abandon()
    executor.shutdown(wait=not sender.late)


def text_of(error: BaseException) -> str:
    """Return an error with its kind, on one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """Provide the workers of a Dask scheduler."""
    try:
        import distributed
    except ImportError as error:
        raise BadExecutor(
            "the package distributed is not installed: pip install distributed"
        ) from error
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:  # of Dask, tornado, sockets and TLS
        raise BadExecutor(
            f"cannot connect to a Dask scheduler at {address}: {text_of(error)}"
        ) from error
    executor = client.get_executor(pure=False)
    sender = Sender(
        executor,
        lambda shared: client.submit(same, shared, pure=False),
        (distributed.KilledWorker,),
    )
    stopped = Event()
    watch = Thread(target=watch_workers, args=(client, sender, stopped, address), daemon=True)
    watch.start()
    try:
        yield sender
    finally:
        stopped.set()
        executor.shutdown(wait=False)
        client.close()
        watch.join()


def preferred(workers: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the arguments of ``submit`` that prefer workers which still report to the scheduler.

    >>> preferred({"tcp://a": {"last_seen": 100.0}, "tcp://b": {"last_seen": 70.5}})
    {'workers': ['tcp://a'], 'allow_other_workers': True}
    >>> preferred({"tcp://a": {"last_seen": 100.0}, "tcp://b": {"last_seen": 99.5}})
    {}
    """
    newest = max((one["last_seen"] for one in workers.values()), default=0.0)
    found = [
        address for address, one in workers.items() if newest - one["last_seen"] < HEARTBEAT_SECONDS
    ]
    return {"workers": found, "allow_other_workers": True} if len(found) < len(workers) else {}


def watch_workers(
    client: Any,
    sender: Sender,
    stopped: Event,
    address: str,
    patience: float = WORKER_SECONDS,
    poll: float = POLL_SECONDS,
) -> None:
    """Fail the tasks of a scheduler that has had no worker for ``patience`` seconds; look every ``poll``.

    Tasks that are sent again prefer workers that still report: Dask itself needs minutes to notice
    that a worker is silent, and could choose it again.
    """
    last = looked = monotonic()
    while not stopped.wait(poll):
        with suppress(Exception):  # no connection now: the client tries again
            if client.nthreads():
                last = monotonic()
            if monotonic() - looked >= 5 * poll:  # this answer is large
                looked = monotonic()
                sender.preferences = preferred(client.scheduler_info()["workers"])
        if monotonic() - last >= patience:
            sender.fail(NO_WORKERS(address=address))
