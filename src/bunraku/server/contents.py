"""What environments contain: classes, modules, transports and tasks, below ``/puppet/v3``.

puppetserver sends tags only with ``environment-class-cache-enabled``, because it does not look at the
files again then. Here each request looks at them, so a tag is always right.
"""

from __future__ import annotations

from hashlib import sha256

from bunraku.modules.names import ENVIRONMENT_NAME
from bunraku.server.authorization.rules import Caller
from bunraku.server.catalogs import common, job_result, plain_failure
from bunraku.server.compiling.jobs import Job, Kind
from bunraku.server.failures import Refused, RefusedPlainly
from bunraku.server.service import Service
from bunraku.web.http import JSON_TYPE, Request, Response


def answer_classes(service: Service, request: Request, _rest: str, _caller: Caller) -> Response:
    """Return the classes of an environment, unless the client has them already."""
    return tagged(service, request, "classes")


def answer_transports(service: Service, request: Request, _rest: str, _caller: Caller) -> Response:
    """Return the transports of devices of an environment, unless the client has them already."""
    return tagged(service, request, "transports")


def tagged(service: Service, request: Request, kind: Kind) -> Response:
    """Return what an environment has, with a tag by which the client asks next time."""
    body = contents(service, request, kind, required_environment(service, request))
    tag = sha256(body).hexdigest()
    known = request.headers.get("if-none-match", "").strip('"').removesuffix("--gzip")
    headers = {"etag": tag}
    if known == tag:
        return Response(304, headers, [])
    return Response(200, {**headers, "content-type": JSON_TYPE}, [body])


def answer_modules(service: Service, request: Request, _rest: str, _caller: Caller) -> Response:
    """Return the modules of an environment, or of all."""
    if "environment" in request.parameters:
        name = required_environment(service, request)
        body = contents(service, request, "modules", name)
    else:
        names = service.settings.environments()
        found = [contents(service, request, "modules", name) for name in names]
        body = b"[" + b",".join(found) + b"]"
    return Response(200, {"content-type": JSON_TYPE}, [body])


def answer_tasks(service: Service, request: Request, _rest: str, _caller: Caller) -> Response:
    """Return the tasks of an environment."""
    body = contents(service, request, "tasks", request.parameters["environment"])
    return Response(200, {"content-type": JSON_TYPE}, [body])


def required_environment(service: Service, request: Request) -> str:
    """Return the environment that a request names; Refused if there is none."""
    name = request.parameters.get("environment")
    if name is None:
        raise RefusedPlainly(400, "An environment parameter must be specified")
    if not ENVIRONMENT_NAME.fullmatch(name):
        raise RefusedPlainly(400, f"The environment must be purely alphanumeric, not '{name}'")
    if not service.settings.has_environment(name):
        raise RefusedBare(404, f"Could not find environment '{name}'")
    return name


class RefusedBare(Refused):
    """A refusal as a sentence without a type."""

    @property
    def response(self) -> Response:
        """The sentence."""
        return Response(self.status, {}, [self.message])


def contents(service: Service, request: Request, kind: Kind, environment: str) -> bytes:
    """Return what a compile process says about an environment."""
    job = Job(
        kind, service.settings.certname, environment, service.settings.given, **common(service)
    )
    result = job_result(service, job, request)
    if result.status != 200:
        raise plain_failure(result)
    return result.body
