"""Catalogs for agents: ``/puppet/v3/catalog/NODE``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.catalog.document import UUID_HEADER, VERSION_HEADER
from bunraku.server import issues
from bunraku.server.authorization.rules import Caller
from bunraku.server.compiling.jobs import Job, Result
from bunraku.server.compiling.stored import Payload
from bunraku.server.facts import begin_facts, submitted
from bunraku.server.failures import Busy, Refused, RefusedPlainly
from bunraku.server.formats import CATALOG, NAMES, TYPES, accepted, not_acceptable
from bunraku.server.service import Service
from bunraku.server.storage import do_nothing
from bunraku.web.forms import form_fields
from bunraku.web.http import Request, Response

T = TypeVar("T")
FORM = "application/x-www-form-urlencoded"
RETRY_SECONDS = 30
"""The time after which agents ask again if all processes are busy."""


def answer_catalog(service: Service, request: Request, node: str, caller: Caller) -> Response:
    """Return the catalog of a node, compiled with the facts in the request.

    Facts and catalog are on disk before the response; the facts are written before the compile, and
    reach the disk with the catalog.
    """
    formats = accepted(request, CATALOG)
    parameters = catalog_parameters(request, service.settings.body)
    environment = known_environment(service, parameters["environment"])
    facts = submitted(parameters, node)
    accept_facts = do_nothing
    if facts is not None:
        accept_facts = kept(
            service, lambda: begin_facts(service, node, environment, facts, caller), do_nothing
        )
    job = Job(
        "catalog",
        node,
        environment,
        service.settings.given,
        facts=None if facts is None else facts.values,
        trusted=caller_trusted(caller, node),
        formats=formats,
        transaction_uuid=parameters.get("transaction_uuid"),
        job_id=parameters.get("job_id"),
        checksum_types=checksum_types(parameters),
        checks_environment=parameters.get("check_environment") == "true",
        tag=request.headers.get("if-none-match", "").strip('"'),
        **common(service),
    )
    try:
        result = compiled(service, job, request)
    finally:
        kept(service, accept_facts, None)
    if service.background is not None and facts is not None and caller.name == node:
        service.background.note(job, result)
    if not result.format:
        raise not_acceptable(request.headers["accept"])
    if result.unchanged:
        return Response(304, tag_headers(result), [])
    kind = {"content-type": TYPES[NAMES[result.format]]}
    return Response(200, {**kind, **tag_headers(result)}, [result.body])


def tag_headers(result: Result) -> dict[str, str]:
    """Return the headers about the content of a stored catalog; those of an unchanged one have what is new.

    Agents of Puppet ignore them. The agent of bunraku sends the tag of the catalog that it has.
    """
    if not result.tag:
        return {}
    found = {"etag": f'"{result.tag}"'}
    if result.unchanged:
        found[UUID_HEADER] = result.uuid
        if result.version:
            found[VERSION_HEADER] = str(result.version)
    return found


def catalog_parameters(request: Request, most: int) -> dict[str, str]:
    """Return the parameters of the query and of a form in the body, which win."""
    found = dict(request.parameters)
    kind = request.headers.get("content-type", "").split(";")[0].strip()
    if request.method == "POST" and kind == FORM:
        found.update(form_fields(request.read(most)))
    return found


def checksum_types(parameters: Mapping[str, str]) -> str | None:
    """Return the kinds of checksums of an agent that accepts a static catalog; None without one."""
    if parameters.get("static_catalog") != "true":
        return None
    return parameters.get("checksum_type", "sha256")


def known_environment(service: Service, name: str) -> str:
    """Return an environment; for one that does not exist, the one that nodes are in by default.

    The agent sees the other name in the catalog, and starts its run again in that environment.
    """
    if service.settings.has_environment(name):
        return name
    return str(service.settings.values["environment"])


def caller_trusted(caller: Caller, node: str) -> Mapping[str, Any] | None:
    """Return the trusted data for a node: those of its own certificate, never another's."""
    if caller.name == node:
        return caller.trusted
    return {"authenticated": False, "certname": None, "extensions": {}, "external": {}}


def common(service: Service) -> dict[str, Any]:
    """Return the parts of a job that come from the configuration."""
    settings, storage = service.settings, service.storage
    return {
        "server_facts": settings.server_facts,
        "site": None if storage is None else storage.site,
        "stores": storage is not None,
        "language": settings.language,
        "code_id_command": settings.code_id_command,
        "seconds": settings.seconds,
        "memory": settings.memory,
        "reuses": settings.reuse_catalogs,
        "verifies": settings.verify_catalogs,
        "flushes": service.flushes.count,
        "environment_flushes": service.flushes.of_environments(),
    }


def compiled(service: Service, job: Job, request: Request) -> Result:
    """Return the result of a compile, whose catalog is then stored; Refused if it fails."""

    def ask(job: Job) -> Result:
        result = job_result(service, job, request)
        if result.status != 200:
            service.log("err", result.message)
            raise plain_failure(result) if result.plain else Refused(500, result.message)
        return result

    return stored_result(service, job, ask)


def stored_result(service: Service, job: Job, ask: Callable[[Job], Result]) -> Result:
    """Return the result of a job, whose catalog is stored.

    Content that the PuppetDB has is asked for only if it has other content by the time of the answer.
    """
    known = "" if service.storage is None else service.storage.known_content(job.node)
    result = ask(replace(job, known=known))
    if not store_catalog(service, job, result):
        result = ask(job)
        store_catalog(service, job, result)
    return result


def plain_failure(result: Result) -> RefusedPlainly:
    """Return the failure of a job outside of the Puppet code."""
    return RefusedPlainly(500, f"Internal Server Error: {result.message}")


def store_catalog(service: Service, job: Job, result: Result) -> bool:
    """Store the catalog of a job, if the server stores catalogs; return False if its content is needed for that."""
    storage = service.storage
    if storage is None or not result.stored:
        return True
    payload = Payload.of(result.stored, result.digest)
    return kept(
        service, lambda: storage.store_catalog(job.node, result.timestamp, payload), failed=True
    )


def job_result(service: Service, job: Job, request: Request) -> Result:
    """Return the result of a job; Refused if no process could do it."""
    try:
        return service.result(job, request.gone)
    except PuppetError as error:
        raise unavailable(error) from None


def unavailable(error: PuppetError) -> Refused:
    """Return the failure for a job that no process could do."""
    if error.is_a(issues.COMPILERS_BUSY):
        return Busy(error.message, RETRY_SECONDS)
    return Refused(500, error.message)


def kept(service: Service, store: Callable[[], T], failed: T) -> T:
    """Return what storing something returns; a failure is one of the request, unless the configuration
    allows it: then return ``failed``.
    """
    try:
        return store()
    except PuppetError as error:
        service.log("err", error.message)
        if not service.settings.soft_write_failure:
            raise Refused(500, error.message) from None
    return failed
