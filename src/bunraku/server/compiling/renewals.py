"""Jobs of the process that compiles in the background: stored catalogs are made before agents ask for them.

The process remembers what the stored catalogs depend on, so it notices edits of code and data. It keeps no catalogs in
memory: the other processes find them in the cache on disk.
"""

from __future__ import annotations

from bunraku.base.records import replace
from bunraku.engine.dependencies import Dependencies
from bunraku.engine.request import resolve
from bunraku.runtime.log import LogEntry
from bunraku.server.compiling.catalogs import (
    code_id_of,
    compile_job,
    compile_request,
    facts_of_job,
)
from bunraku.server.compiling.held_code import HELD_CODE
from bunraku.server.compiling.jobs import Job, Result
from bunraku.server.compiling.kept import Place, answer_place, answers, reason_of_change

NO_FACTS = "no facts"
FAILED = "failed"
HELD = "held"
"""The code of an environment is not read again before a flush, so it does not change."""
NOTHING = "nothing"
"""Nothing is known that catalogs of an environment depend on."""
CHANGED = "changed"


def renewal_job(job: Job) -> Result:
    """Compile the catalog of a node with the facts that the data of the site have, unless the stored one holds.

    The result has no catalog.
    """
    answers().watch()
    facts = facts_of_job(job)
    if not facts:
        return Result(environment=job.environment, cause=NO_FACTS)
    result = compile_job(replace(job, facts=facts))
    cause = result.cause if result.status == 200 else FAILED
    return replace(result, cause=cause, lines=(), body=b"", stored=b"")


def look_job(job: Job) -> Result:
    """Remember what the stored catalog of a node depends on."""
    place = recorded_place(job)
    found = None if place is None else place.read(place.name)
    if place is not None and found is not None:
        place.watch(found)
    return Result(environment=job.environment)


def changes_job(job: Job) -> Result:
    """Say whether something changed on which the stored catalogs of an environment depend; ``why`` is what it is."""
    environment = job.environment
    place = recorded_place(replace(job, settings={**job.settings, "node_terminus": "plain"}))
    if HELD_CODE.current is not None:
        return Result(environment=environment, cause=HELD)
    known = {} if place is None else place.answers.watched.of(environment)
    if place is None or not known:
        return Result(environment=environment, cause=NOTHING)
    change = next(place.checker().changes(Dependencies(tuple(known.items()))), None)
    if change is None:
        return Result(environment=environment)
    place.answers.watched.forget(environment)
    return Result(environment=environment, cause=CHANGED, why=reason_of_change(change)[1])


def recorded_place(job: Job) -> Place | None:
    """Return where the answer to a job is kept, whatever the facts are."""
    answers().watch()
    resolved = resolve(compile_request(replace(job, facts={})), ignore)
    return answer_place(job, resolved, code_id_of(job, resolved, []))


def ignore(_entry: LogEntry) -> None:
    """Ignore a warning: compiles report it."""
