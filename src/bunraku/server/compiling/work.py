"""What a compile process does with a job: within limits of time and memory, whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bunraku.base.errors import PuppetError
from bunraku.base.garbage_collection import PATIENT
from bunraku.engine import kept
from bunraku.limits.limits import Limited, Limits
from bunraku.server.compiling.catalogs import compile_job
from bunraku.server.compiling.classification import classify_job
from bunraku.server.compiling.contents import (
    classes_job,
    modules_job,
    tasks_job,
    transports_job,
)
from bunraku.server.compiling.held_code import HELD_CODE
from bunraku.server.compiling.jobs import Job, Kind, Result
from bunraku.server.compiling.renewals import changes_job, look_job, renewal_job
from bunraku.server.compiling.trees import from_one_tree

WORK: Mapping[Kind, Callable[[Job], Result]] = {
    "catalog": compile_job,
    "node": classify_job,
    "classes": classes_job,
    "modules": modules_job,
    "tasks": tasks_job,
    "transports": transports_job,
    "renewal": renewal_job,
    "look": look_job,
    "changes": changes_job,
}


class Caches:
    """The caches of this process; ``flushes`` is the last order to empty them."""

    def __init__(self) -> None:
        self.flushes = 0

    def follow(self, flushes: int) -> None:
        """Empty the caches if that was ordered since the last job."""
        if flushes != self.flushes:
            self.flushes = flushes
            kept.forget()
            HELD_CODE.forget()


CACHES = Caches()


def answer_job(content: bytes) -> list[bytes]:
    """Return the result of a job; every error is a result."""
    job = Job.decoded(content)
    CACHES.follow(job.flushes)
    with PATIENT:  # until the catalog is freed
        return job_result(job).encoded()


def job_result(job: Job) -> Result:
    """Return the result of a job."""
    try:
        limited = Limited(Limits(job.seconds, job.memory))
        with limited:
            return from_one_tree(job, limited, lambda: WORK[job.kind](job))
    except PuppetError as error:
        return Result(status=500, message=str(error), environment=job.environment)
    except Exception as error:  # an internal error must not stop the others
        text = " ".join(str(error).split())[:500]
        return Result(
            status=500,
            message=f"internal error: {type(error).__name__}: {text}",
            environment=job.environment,
        )


def warm_up() -> None:
    """Compile an empty catalog, which imports what compiles import on demand."""
    compile_job(Job("catalog", "localhost", "production", {}, formats=("rich_json",)))
