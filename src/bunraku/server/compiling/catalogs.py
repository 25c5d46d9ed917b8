"""Compile the catalog of a job, in a compile process."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from subprocess import CalledProcessError
from time import time
from typing import Any
from uuid import uuid4

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.catalog.wire import catalog_to_data
from bunraku.engine.compile import compile_resolved
from bunraku.engine.request import DISK, Request, ResolvedRequest, resolve
from bunraku.modules.ini import read_settings
from bunraku.puppetdb.site.opening import open_site
from bunraku.puppetdb.timestamps import to_text
from bunraku.runtime.error_texts import puppet_text
from bunraku.runtime.log import LogEntry
from bunraku.server.compiling.bodies import catalog_body
from bunraku.server.compiling.described_files import (
    deployed_code,
    described_resources,
    descriptions,
)
from bunraku.server.compiling.held_code import world_of
from bunraku.server.compiling.jobs import Job, Line, Result
from bunraku.server.compiling.kept import (
    Answer,
    Described,
    Place,
    Reason,
    answer_place,
    is_keepable,
)
from bunraku.server.compiling.pieces import MARKS, VERSION, Values, joined, marked, pieces_of
from bunraku.server.compiling.stored import content_digest, stored_catalog
from bunraku.server.failures import Refused
from bunraku.server.files.code import CommandFailed, current_code_id
from bunraku.server.issues import COMMAND_FAILED
from bunraku.world.linux import LinuxHost
from bunraku.world.processes import failure_reason
from bunraku.world.recording import Recording
from bunraku.world.special_files import is_present

WRONG = (
    "The stored catalog of {node} differs from a compiled one, which is sent instead. The catalogs of this node"
    " are compiled from now on: please report this as a fault of bunraku"
)


class Counted:
    """Counts what is done now and then."""

    def __init__(self) -> None:
        self.number = 0

    def is_due(self, every: int) -> bool:
        """Return whether it is time; never for 0."""
        self.number += 1
        return every > 0 and self.number % every == 0


COUNTED = Counted()
JSON_FORMATS = frozenset({"rich_json", "json", "pson"})
NOT_FOR_COMPILES = frozenset({"include_legacy_facts"})
"""Settings of an agent that must not change the facts that it has sent."""


def compile_job(job: Job) -> Result:
    """Return the catalog of a job, or the error of its code."""
    entries: list[LogEntry] = []
    resolved: ResolvedRequest | None = None
    try:
        resolved = resolve(compile_request(job), entries.append)
        environment = resolved.environment.name
        if job.checks_environment and environment != job.environment:
            empty = CompiledCatalog(job.node, environment=environment)
            return answer_of(job, empty, resolved, entries)
        code_id = code_id_of(job, resolved, entries)
        place = answer_place(job, resolved, code_id)
        if place is None:
            catalog, _value = compile_resolved(resolved)
            return answer_of(job, replace(catalog, code_id=code_id), resolved, entries)
        found = place.find()
        if isinstance(found, Answer):
            return reused_answer(place, found, entries)
        return compiled_and_kept(place, entries, found)
    except CommandFailed as failed:
        return Result(
            status=500,
            message=str(failed),
            environment=job.environment,
            lines=log_lines(entries),
            plain=True,
        )
    except Refused as refused:
        return Result(status=500, message=refused.message, environment=job.environment)
    except PuppetError as error:
        return Result(
            status=500,
            message=text_of(error, job, resolved),
            environment=job.environment,
            lines=log_lines(entries),
        )


def compiled_and_kept(place: Place, entries: list[LogEntry], reason: Reason) -> Result:
    """Return the catalog of a compile, kept for later requests if that is sound."""
    job, before = place.job, len(entries)
    catalog, _value = compile_resolved(place.resolved)
    catalog = replace(catalog, code_id=place.code_id)
    made = marked_answer(place, catalog, entries[before:])
    if made is not None:
        made = place.keep(catalog, made)
        result = result_of_kept(place, made, log_lines(entries[:before]))
    else:
        result = answer_of(job, catalog, place.resolved, entries)
    unrepeatable = place.recording.unrepeatable
    cause, why = reason if unrepeatable is None else ("unrepeatable", unrepeatable)
    return replace(result, why=why, cause=cause)


def reused_answer(place: Place, found: Answer, entries: list[LogEntry]) -> Result:
    """Return a kept answer; if it is the turn of one, after a comparison with a compile."""
    job, lines = place.job, log_lines(entries)
    known = {one.fields() for one in lines}  # a module that is read now, not during the compile
    found = replace(found, lines=tuple([one for one in found.lines if tuple(one) not in known]))
    if COUNTED.is_due(job.verifies):
        try:
            compiled = compiled_answer(place, entries)
        except PuppetError:
            place.refuse()
            raise
        if compiled is None or not found.is_same(compiled):
            place.refuse()
            lines.append(Line("err", WRONG.format(node=job.node)))
            result = (
                answer_again(job) if compiled is None else result_of_kept(place, compiled, lines)
            )
            return replace(result, cause="wrong", lines=lines, why="the stored catalog was wrong")
    return replace(result_of_kept(place, found, lines), reused=True)


def answer_again(job: Job) -> Result:
    """Return the catalog of a job that is compiled without a record."""
    return compile_job(replace(job, reuses=False))


def compiled_answer(place: Place, entries: list[LogEntry]) -> Answer | None:
    """Return the answer that a compile gives now."""
    before = len(entries)
    catalog, _value = compile_resolved(place.resolved)
    return marked_answer(place, catalog, entries[before:])


def text_of(error: PuppetError, job: Job, resolved: ResolvedRequest | None) -> str:
    """Return the text of an error for an agent."""
    if resolved is None:
        return str(error)
    return puppet_text(error, resolved.environment.name, job.node)


def compile_request(job: Job) -> Request:
    """Return the request of a job."""
    settings = {name: value for name, value in job.settings.items() if name not in NOT_FOR_COMPILES}
    settings["environment"] = job.environment
    return Request(
        node=job.node,
        facts=facts_of_job(job),
        trusted=trusted_of(job),
        server_facts=job.server_facts,
        settings=settings,
        language=job.language,
        storedconfigs=job.site,
        world=Recording(world_of(job), site={}) if is_keepable(job) else world_of(job),
    )


def facts_of_job(job: Job) -> dict[str, Any]:
    """Return the facts of a job, or those that the data of the site have."""
    if job.facts is not None:
        return dict(job.facts)
    if job.site is None:
        return {}
    found = open_site(job.site, DISK, job.settings).facts(job.node) or {}
    found.pop("trusted", None)
    return found


def trusted_of(job: Job) -> dict[str, Any] | None:
    """Return the trusted data with those of the site's own programs."""
    if job.trusted is None:
        return None
    command = job.settings.get("trusted_external_command")
    if not command:
        return dict(job.trusted)
    return {**job.trusted, "external": external_data(str(command), job.node)}


def external_data(command: str, node: str) -> dict[str, Any]:
    """Return what ``trusted_external_command`` prints; of a directory, by the name of each program."""
    if not DISK.is_directory(command):
        return printed_data(command, node)
    programs = [f"{command}/{name}" for name in sorted(DISK.list_directory(command))]
    return {
        os.path.splitext(os.path.basename(path))[0]: printed_data(path, node)
        for path in programs
        if DISK.is_executable(path)
    }


def printed_data(command: str, node: str) -> dict[str, Any]:
    """Return the JSON object that a program prints for a node."""
    try:
        found = json.loads(DISK.run([command, node]))
    except ValueError:
        found = None
    except (OSError, CalledProcessError) as error:
        raise command_failed(command, failure_reason(error)) from None
    if not isinstance(found, dict):
        raise command_failed(command, "it did not print a JSON object")
    return found


def command_failed(command: str, reason: str) -> PuppetError:
    """Return the error of a program that prints trusted data."""
    return COMMAND_FAILED(setting="trusted_external_command", command=command, reason=reason)


def code_id_of(job: Job, resolved: ResolvedRequest, entries: list[LogEntry]) -> str | None:
    """Return the version of the code of a catalog's environment: a command prints it, or it is the
    digest of what bunraku has deployed. None without both.

    Raise CommandFailed for a failing command and for a malformed version: puppetserver refuses the
    catalog, too. The command runs before the compile: if the code changes during the compile, the
    catalog names the earlier version.
    """
    if job.code_id_command is None:
        code = deployed_code(resolved)
        return None if code is None else code.code_id

    def log(level: str, text: str) -> None:
        entries.append(LogEntry(level, text))

    return current_code_id(LinuxHost(), log, job.code_id_command, resolved.environment.name)


def answer_of(
    job: Job, catalog: CompiledCatalog, resolved: ResolvedRequest, entries: list[LogEntry]
) -> Result:
    """Return a compiled catalog in the first format that can hold it."""
    catalog = replace(
        catalog,
        catalog_uuid=str(uuid4()),
        version=catalog.version or int(time()),
    )
    timestamp = to_text(int(time() * 1000))
    format_, body, stored, _described = rendered_catalog(job, catalog, resolved, timestamp)
    return Result(
        format_,
        environment=catalog.environment,
        timestamp=timestamp,
        lines=log_lines(entries),
        body=body,
        stored=stored,
    )


def rendered_catalog(
    job: Job, catalog: CompiledCatalog, resolved: ResolvedRequest, timestamp: str
) -> tuple[str, bytes, bytes, Described | None]:
    """Return the first format that can hold a catalog, the catalog in it and in PuppetDB's form, and
    what it describes if it is static.
    """
    data = catalog_to_data(catalog, with_exported=job.with_exported)
    described: Described | None = None
    if job.checksum_types is not None and catalog.code_id is not None and is_static(resolved):
        resources = described_resources(data)
        described = resources, descriptions(resources, resolved, job)
        data = {**data, **described[1]}
    format_, body = catalog_body(data, job.formats)
    stored = b""
    if job.stores:
        if catalog.unfiltered:  # otherwise both are the same
            data = catalog_to_data(catalog, with_exported=True)
        stored = stored_catalog(data, job, timestamp)
    return format_, body, stored, described


def marked_answer(
    place: Place, catalog: CompiledCatalog, entries: Sequence[LogEntry]
) -> Answer | None:
    """Return a catalog as it is kept; None if what it depends on cannot be asked again."""
    if place.recording.unrepeatable is not None:
        return None
    new = ["catalog_uuid"] if catalog.version else ["catalog_uuid", "version"]
    new += [] if place.code_id is None else ["code_id"]
    catalog = replace(
        catalog,
        catalog_uuid=MARKS["catalog_uuid"],
        version=catalog.version or VERSION,
        code_id=None if place.code_id is None else MARKS["code_id"],
    )
    job = marked(place.job)
    format_, body, stored, described = rendered_catalog(
        job, catalog, place.resolved, MARKS["timestamp"]
    )
    if format_ not in JSON_FORMATS:
        return None
    body_pieces = pieces_of(body, new)
    more = [*new, "transaction_uuid", "job_id", "timestamp"]
    stored_pieces = pieces_of(stored, more if job.stores else ())
    if body_pieces is None or stored_pieces is None:
        return None
    lines = [line.fields() for line in log_lines(entries)]
    return place.made(format_, catalog.environment, lines, body_pieces, stored_pieces, described)


def result_of_kept(place: Place, found: Answer, lines: list[Line]) -> Result:
    """Return a kept answer with the values that are new in each."""
    job, now = place.job, time()
    timestamp = to_text(int(now * 1000))
    own = (job.transaction_uuid, job.job_id, timestamp)
    new = Values(str(uuid4()), int(now), place.code_id, *own)
    values = new.as_json()
    is_known = job.known and job.known == found.digest
    tag = content_digest(f"{found.tag} {place.code_id}".encode())
    unchanged = job.tag == tag
    return Result(
        found.format,
        environment=found.environment,
        timestamp=timestamp,
        lines=[*lines, *[Line(*one) for one in found.lines]],
        depends=found.counts,
        body=b"" if unchanged else joined(found.body, values),
        stored=joined((*found.stored[:-1], b"}") if is_known else found.stored, values),
        digest=found.digest,
        shared=place.answers.shares(found),
        tag=tag,
        unchanged=unchanged,
        uuid=new.catalog_uuid,
        version=new.version if b"version" in found.body[1::2] else 0,
    )


def is_static(resolved: ResolvedRequest) -> bool:
    """Return whether the catalogs of an environment may be static: the setting of its own wins."""
    value = resolved.settings.get("static_catalogs", True)
    path = f"{resolved.environment.path}/environment.conf"
    if is_present(path, resolved.world):
        value = read_settings(path, resolved.world).get("static_catalogs", value)
    return str(value).lower() != "false"


def log_lines(entries: Sequence[LogEntry]) -> list[Line]:
    """Return messages of a compile as lines of a log."""
    return [
        Line(entry.level, placed_message(entry), log_source(entry), entry.file, entry.line)
        for entry in entries
    ]


def log_source(entry: LogEntry) -> str:
    """Return the source of a message as Puppet names it."""
    return "Puppet" if entry.scope is None else f"Scope({entry.scope})"


def placed_message(entry: LogEntry) -> str:
    """Return a message, with its place unless Puppet code logged it."""
    if entry.scope is not None:
        return entry.message
    named = (("file", entry.file), ("line", entry.line), ("column", entry.column))
    where = ", ".join(f"{name}: {value}" for name, value in named if value)
    return f"{entry.message} ({where})" if where else entry.message
