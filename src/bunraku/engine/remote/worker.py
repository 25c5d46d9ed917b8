"""The part of a task that runs in a worker: checks, then the task in a process."""

from __future__ import annotations

import pickle
import platform
import socket
from collections.abc import Mapping
from threading import Lock
from typing import Any

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record, replace
from bunraku.base.version import version
from bunraku.engine.remote.files import Table, table_difference
from bunraku.engine.remote.issues import FILES_DIFFER, VERSIONS_DIFFER, WORKER_UNUSABLE
from bunraku.engine.remote.process import PROCESSES, Job

COMPARED: BoundedCache[str, str | None] = BoundedCache("comparisons of files", 100)
"""How the files differ from those of a run, by the key of the run's table."""
COMPARING = Lock()


@record(frozen=True)
class Shared:
    """Data that many parcels need, pickled, with a key. Printing it shows no secrets."""

    key: str
    content: bytes = field(shown=False)


@record(frozen=True)
class Parcel:
    """A task on its way to a worker: the pickled work, and what the worker checks before.

    ``software`` is that of the sender, ``directory`` its current directory, ``cache`` the
    configuration of its cache on disk. ``files`` are those that only this task reads. Printing it shows no secrets, because executors may log their tasks.
    """

    software: str
    directory: str
    cache: Mapping[str, Any]
    work: bytes = field(shown=False)
    files: Table = field(default_factory=dict, shown=False)


def software() -> str:
    """Return the versions on which pickled data and catalogs depend."""
    return f"bunraku {version()} on Python {platform.python_version()}"


def same(shared: Shared) -> Shared:
    """Return shared data: a task of its own so that an executor can send it once to each worker."""
    return shared


def answer(parcel: Parcel, table: Shared, exports: Shared | None) -> tuple[str, bytes]:
    """Run a task; return ``answered`` with its pickled answer, else ``timeout`` or ``crash``."""
    try:
        check(parcel, table)
        job = Job(parcel.work, parcel.cache)
        if exports is not None:
            job = replace(job, exports=exports.key, content=exports.content)
        return PROCESSES.run(parcel.directory, job)
    except PuppetError as error:
        found = list(error)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        found = [WORKER_UNUSABLE.diagnostic(host=socket.gethostname(), reason=reason)]
    return "answered", pickle.dumps(("findings", found))


def check(parcel: Parcel, table: Shared) -> None:
    """Raise PuppetError if this worker has other software or other files than the sender."""
    host = socket.gethostname()
    if parcel.software != software():
        raise VERSIONS_DIFFER(host=host, theirs=software(), ours=parcel.software)
    with COMPARING:
        if table.key not in COMPARED:
            files: Table = pickle.loads(table.content)  # noqa: S301 (from the sender of the code)
            COMPARED.keep(table.key, table_difference(files))
        found = COMPARED[table.key]
    found = found or table_difference(parcel.files)
    if found is not None:
        raise FILES_DIFFER(host=host, difference=found)
