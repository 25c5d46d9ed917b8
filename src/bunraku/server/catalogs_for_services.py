"""Catalogs for services, with all data in the request: ``/puppet/v4/catalog``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.modules.names import node_name_problem
from bunraku.server.authorization.rules import Caller
from bunraku.server.catalogs import common, job_result, kept, plain_failure, stored_result
from bunraku.server.compiling.jobs import Job, Line, Result
from bunraku.server.facts import Facts, stored_facts
from bunraku.server.failures import RefusedPlainly
from bunraku.server.service import Service
from bunraku.web.http import Request, Response

Data: TypeAlias = "Mapping[str, Any]"
REQUIRED: Mapping[str, type] = {"certname": str, "persistence": dict, "environment": str}
OPTIONAL: Mapping[str, type] = {
    "facts": dict,
    "trusted_facts": dict,
    "transaction_uuid": str,
    "job_id": str,
    "options": dict,
}
CHECKS: Mapping[type, str] = {str: "string?", dict: "map?"}
"""Kind of value → the check that puppetserver's messages name."""
COMPILED = "Compiled catalog for {node} in environment {environment} using the v4 catalog endpoint"
LEVELS = ("debug", "info", "notice", "warning", "err")


def answer_services(service: Service, request: Request, _rest: str, caller: Caller) -> Response:
    """Return the catalog that a service wants, and its log if it wants that."""
    data = checked(request, service.settings.body)
    node, persistence = data["certname"], data["persistence"]
    facts = data.get("facts")
    values = None if facts is None else facts.get("values", {})
    if persistence.get("facts") and values is not None:
        found = Facts(values)
        kept(service, lambda: stored_facts(service, node, data["environment"], found, caller), None)
    parts = common(service)
    parts["stores"] = parts["stores"] and bool(persistence.get("catalog"))
    job = Job(
        "catalog",
        node,
        data["environment"],
        service.settings.given,
        facts=values,
        trusted=service_trusted(data),
        formats=("json",),
        transaction_uuid=data.get("transaction_uuid"),
        job_id=data.get("job_id"),
        with_exported=True,
        **parts,
    )
    result = compiled(service, job, request)
    log = b""
    options = data.get("options") or {}
    if options.get("capture_logs"):
        of_server = Line("info", COMPILED.format(node=node, environment=result.environment))
        entries = log_entries([*result.lines, of_server], options.get("log_level", "info"))
        log = b',"logs":' + json.dumps(entries).encode()
    body = b'{"catalog":' + result.body + log + b"}"
    return Response(200, {"content-type": "application/json"}, [body])


def checked(request: Request, most: int) -> Data:
    """Return the document of a request; RefusedPlainly if it is wrong."""
    try:
        data = parse_json(request.read(most))
    except FormatError as error:
        raise RefusedPlainly(400, f"Error parsing JSON: {error}") from None
    if not isinstance(data, dict):
        raise RefusedPlainly(400, "Invalid input: (not (map? the document))")
    problems = list(problems_of(data))
    if problems:
        raise RefusedPlainly(400, f"Invalid input: {{{', '.join(problems)}}}")
    problem = node_name_problem(data["certname"])
    if problem is not None:
        raise RefusedPlainly(400, f'Invalid input: {{"certname" {problem}}}')
    return data


def problems_of(data: Data) -> list[str]:
    """Return what is wrong with the keys of a request."""
    found = []
    for key, kind in {**REQUIRED, **OPTIONAL}.items():
        if key not in data:
            if key in REQUIRED:
                found.append(f'"{key}" missing-required-key')
        elif not isinstance(data[key], kind):
            found.append(f'"{key}" (not ({CHECKS[kind]} {json.dumps(data[key])}))')
    unknown = [key for key in data if key not in REQUIRED and key not in OPTIONAL]
    return found + [f'"{key}" disallowed-key' for key in unknown]


def service_trusted(data: Data) -> Data:
    """Return the trusted data that a service gives for a node."""
    given = (data.get("trusted_facts") or {}).get("values") or {}
    return {"authenticated": False, "certname": None, "extensions": {}, "external": {}, **given}


def compiled(service: Service, job: Job, request: Request) -> Result:
    """Return the result of a compile, whose catalog is then stored."""
    if not service.settings.has_environment(job.environment):
        path = ":".join(service.settings.environmentpath)
        raise failed_compile(
            "EnvironmentNotFound",
            f"Could not find a directory environment named '{job.environment}' anywhere in the"
            f" path: {path}. Does the directory exist?",
        )

    def ask(job: Job) -> Result:
        result = job_result(service, job, request)
        if result.plain:
            raise plain_failure(result)
        if result.status != 200:
            raise failed_compile("PreformattedError", result.message)
        return result

    return stored_result(service, job, ask)


def failed_compile(kind: str, message: str) -> RefusedPlainly:
    """Return the failure of a compile as puppetserver words it."""
    text = f"Internal Server Error: org.jruby.exceptions.RuntimeError: ({kind}) {message}"
    return RefusedPlainly(500, text)


def log_entries(lines: Sequence[Line], level: str) -> list[Data]:
    """Return the log of a compile from a level on, as Puppet writes its entries; their time is that of the answer."""
    wanted = LEVELS[LEVELS.index(level) :] if level in LEVELS else LEVELS
    now = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "000+00:00")
    return [
        {
            "level": line.level,
            "message": line.message,
            "source": line.source,
            "tags": [line.level],
            "time": now,
            "file": line.file,
            "line": line.line,
        }
        for line in lines
        if line.level in wanted
    ]
