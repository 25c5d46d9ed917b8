"""The interface of the server: the function that answers a request, after the rules of access."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Literal, TypeAlias

from bunraku.base.errors import PuppetError
from bunraku.base.records import record, replace
from bunraku.ca.interface import answer_ca
from bunraku.modules.names import ENVIRONMENT_NAME, node_name_problem
from bunraku.server.admin import answer_cache, answer_explanation
from bunraku.server.authorization.defaults import ANY, CLI, NO_CALLERS, OWN, DefaultAccess
from bunraku.server.authorization.rules import Caller, Rules, allowed
from bunraku.server.caller import caller_of, request_of_caller
from bunraku.server.catalogs import answer_catalog
from bunraku.server.catalogs_for_services import answer_services as answer_services_catalog
from bunraku.server.contents import (
    answer_classes,
    answer_modules,
    answer_tasks,
    answer_transports,
)
from bunraku.server.deployments import (
    answer_deploy,
    answer_deploys,
    answer_status,
    answer_webhook,
)
from bunraku.server.environments import answer_environments
from bunraku.server.facts import answer_facts
from bunraku.server.failures import Refused, RefusedPlainly, forbidden, no_route
from bunraku.server.files.interface import answer_files
from bunraku.server.files.names import BadPath, decoded_path
from bunraku.server.metrics import answer_beans, answer_metrics
from bunraku.server.node import answer_node
from bunraku.server.reports import answer_report
from bunraku.server.service import Service
from bunraku.server.status import answer_services, answer_simple
from bunraku.web.http import Request, Response, text_response

Plain: TypeAlias = "Callable[[Service, Request, str], Response]"
ForNode: TypeAlias = "Callable[[Service, Request, str, Caller], Response]"
LONGEST_TARGET = 8192
"""Characters of path and query."""
PUPPET = ("/puppet/", "/puppet-ca/")
"""Paths whose responses name the version of Puppet."""
TOO_LONG = "<h1>Bad Message 414</h1><pre>reason: URI Too Long</pre>"


@record(frozen=True)
class Route:
    """A route: the start of the path, and the function for each method.

    Other methods get an empty response with ``empty_404``; with ``rules_first``, the rules of access
    are asked before. ``environment`` is whether a request must name an environment that exists. ``rest`` is
    what may follow the prefix: a ``path``, the name of a ``node``, or ``nothing``.
    ``access`` says who may send requests without an ``auth.conf``; all others are refused.
    """

    prefix: str
    methods: Mapping[str, ForNode]
    empty_404: bool = False
    environment: bool = True
    rules_first: bool = False
    rest: Literal["path", "node", "nothing"] = "path"
    access: tuple[DefaultAccess, ...] = ()


def plain(function: Plain) -> ForNode:
    """Return a function of a route that does not look at the caller."""

    def answer(service: Service, request: Request, rest: str, _caller: Caller) -> Response:
        return function(service, request, rest)

    return answer


def answer_file(service: Service, request: Request, _rest: str) -> Response:
    """Return the response of the file server."""
    if service.files is None:
        return no_route(request.path)
    return answer_files(service.files, request)


def answer_authority(service: Service, request: Request, _rest: str, caller: Caller) -> Response:
    """Return the response of the certificate authority."""
    if service.authority is None:
        return no_route(request.path)
    return answer_ca(service.authority, request, caller.name)


ALL = ("GET", "HEAD", "POST", "PUT", "DELETE")
FILES: Mapping[str, tuple[DefaultAccess, ...]] = {
    "file_metadata": (DefaultAccess("file metadata", "get post", ANY),),
    "file_metadatas": (DefaultAccess("file metadatas", "get post", ANY),),
    "file_content": (DefaultAccess("file content", "get post", ANY),),
    "file_bucket_file": (
        DefaultAccess("file bucket", "head put", ANY),
        DefaultAccess("file bucket read", "get post", CLI),
    ),
    "static_file_content": (DefaultAccess("static file content", "get", ANY),),
}
"""Route of the file server → who may send requests."""
AUTHORITY = (
    DefaultAccess("certificate", "get", None, r"/certificate/"),
    DefaultAccess("crl", "get", None, r"/certificate_revocation_list/ca"),
    DefaultAccess("csr", "get put", None, r"/certificate_request"),
    DefaultAccess("certificate renewal", "post", ANY, r"/certificate_renewal"),
    DefaultAccess("cert status", "get put delete", CLI, r"/certificate_status/"),
    DefaultAccess("CRL update", "put", CLI, r"/certificate_revocation_list$"),
    DefaultAccess("cert statuses", "get", CLI, r"/certificate_statuses"),
    DefaultAccess("expirations", "get", ANY, r"/expirations"),
    DefaultAccess("cert clean", "put", CLI, r"/clean"),
    DefaultAccess("cert sign", "post", CLI, r"/sign(/all)?$"),
)
"""Who may send requests to the certificate authority."""
ROUTES: tuple[Route, ...] = (
    Route(
        "/puppet/v3/node",
        {"GET": answer_node},
        rest="node",
        access=(DefaultAccess("node", "get", OWN, r"/([^/]+)$"),),
    ),
    Route(
        "/puppet/v3/catalog",
        {"GET": answer_catalog, "POST": answer_catalog},
        empty_404=True,
        environment=False,
        rest="node",
        access=(DefaultAccess("v3 catalog from agents", "get post", OWN, r"/([^/]+)$"),),
    ),
    Route(
        "/puppet/v3/facts",
        {"PUT": answer_facts},
        rest="node",
        access=(DefaultAccess("facts", "put", OWN, r"/([^/]+)$"),),
    ),
    Route(
        "/puppet/v3/report",
        {"PUT": answer_report},
        rest="node",
        access=(DefaultAccess("report", "put", OWN, r"/([^/]+)$"),),
    ),
    *[
        Route(
            f"/puppet/v3/{name}",
            dict.fromkeys(ALL, plain(answer_file)),
            environment=False,
            access=access,
        )
        for name, access in FILES.items()
    ],
    Route(
        "/puppet-ca/v1", dict.fromkeys(ALL, answer_authority), environment=False, access=AUTHORITY
    ),
    Route("/puppet/v3/environment_classes", {"GET": answer_classes}, environment=False),
    Route("/puppet/v3/environment_modules", {"GET": answer_modules}, environment=False),
    Route("/puppet/v3/environment_transports", {"GET": answer_transports}, environment=False),
    Route(
        "/puppet/v4/catalog",
        {"POST": answer_services_catalog},
        environment=False,
        access=(DefaultAccess("v4 catalog for services", "post", NO_CALLERS, r"/?$"),),
    ),
    Route(
        "/puppet/v3/environments",
        {"GET": answer_environments},
        environment=False,
        rest="nothing",
        access=(DefaultAccess("environments", "get", ANY),),
    ),
    Route(
        "/puppet/v3/tasks",
        {"GET": answer_tasks},
        rest="nothing",
        access=(DefaultAccess("tasks", "", ANY),),
    ),
    Route("/puppet/v3/plans", {}, environment=False, rules_first=True),
    Route(
        "/status/v1/services",
        {"GET": plain(answer_services)},
        environment=False,
        access=(DefaultAccess("status services", "get", None),),
    ),
    Route(
        "/status/v1/simple",
        {"GET": plain(answer_simple)},
        environment=False,
        access=(DefaultAccess("status simple", "get", None),),
    ),
    Route(
        "/puppet-admin-api/v1/environment-cache",
        dict.fromkeys(ALL, plain(answer_cache)),
        environment=False,
    ),
    Route(
        "/puppet-admin-api/v1/catalog-explanations",
        {"GET": plain(answer_explanation)},
        environment=False,
        rest="node",
        access=(DefaultAccess("catalog explanations", "get", CLI, r"/"),),
    ),
    *[
        Route(prefix, {}, environment=False, rules_first=True)
        for prefix in ("/status", "/puppet-admin-api")
    ],
    Route(
        "/deploy/v1/webhook",
        {"POST": plain(answer_webhook)},
        environment=False,
        rest="nothing",
        access=(DefaultAccess("deploy webhooks, which are signed", "post", None),),
    ),
    Route(
        "/deploy/v1/deploys",
        {"GET": plain(answer_deploy), "POST": plain(answer_deploys)},
        environment=False,
        access=(DefaultAccess("deploys, with a token", "get post", None),),
    ),
    Route(
        "/deploy/v1/status",
        {"GET": plain(answer_status)},
        environment=False,
        rest="nothing",
        access=(DefaultAccess("deploy status, with a token", "get", None),),
    ),
    Route("/metrics/v2", dict.fromkeys(("GET", "POST"), plain(answer_beans)), environment=False),
    Route("/metrics", {"GET": plain(answer_metrics)}, environment=False, rest="nothing"),
)
"""The routes; a path is below the start of one of them."""
DEFAULT_RULES: Rules = tuple(one.rule(route.prefix) for route in ROUTES for one in route.access)
"""The rules of access without an ``auth.conf``; all other requests are refused."""


def answer(service: Service, request: Request) -> Response:
    """Return the response to a request."""
    started = monotonic()
    service.counts.begin()
    status, route = 500, None
    try:
        route, response = answer_checked(service, request)
        status = response.status
    finally:
        prefix = "other" if route is None else route.prefix
        service.counts.end(request.method, prefix, status, monotonic() - started)
    if request.path.startswith(PUPPET) and route is not None:
        headers = {**response.headers, "x-puppet-version": service.settings.version}
        return replace(response, headers=headers)
    return response


def answer_checked(service: Service, request: Request) -> tuple[Route | None, Response]:
    """Return the route of a request and the response, after the checks of its target."""
    length = len(request.path) + sum(len(name) + len(value) for name, value in request.pairs)
    if length > LONGEST_TARGET:
        headers = {"content-type": "text/html;charset=iso-8859-1", "connection": "close"}
        return None, Response(414, headers, [TOO_LONG])
    try:  # the same path for the rules of access and for the routes, however it is written
        path = decoded_path(request.path)
    except BadPath as refused:
        return None, refused.response
    route = route_of(path)
    if route is None or (route.rest == "nothing" and path != route.prefix):
        return None, no_route(request.path)
    if request.method not in route.methods and not route.rules_first:
        return None, Response(404, {}, []) if route.empty_404 else no_route(request.path)
    try:
        request = request_of_caller(service, request)
    except Refused as refused:
        return route, refused.response
    caller = caller_of(request, service.settings.mapping)
    if not allowed(service.rules, request, path, caller):
        service.log(
            "info", f"Forbidden: {request.method} {path} of {caller.name or request.address}"
        )
        return route, forbidden(request.method, path)
    if request.method not in route.methods:
        return None, no_route(request.path)
    return route, answered(service, request, route, path, caller)


def route_of(path: str) -> Route | None:
    """Return the route of a path; None if there is none."""
    for route in ROUTES:
        if path == route.prefix or path.startswith(f"{route.prefix}/"):
            return route
    return None


def answered(
    service: Service, request: Request, route: Route, path: str, caller: Caller
) -> Response:
    """Return the response of a route."""
    try:
        check_environment(service, request, route)
        rest = path.removeprefix(route.prefix).removeprefix("/")
        if route.rest == "node":
            check_node(rest)
        return route.methods[request.method](service, request, rest, caller)
    except Refused as refused:
        return refused.response
    except PuppetError as error:
        service.log("err", str(error))
        return text_response(500, str(error))


def check_node(name: str) -> None:
    """Raise Refused unless a text can be the name of a node."""
    problem = node_name_problem(name)
    if problem is not None or not name or name != name.lower():
        raise Refused(400, f"The name of the node is invalid: {problem or 'it must be lower case'}")


def check_environment(service: Service, request: Request, route: Route) -> None:
    """Raise Refused unless a request names an environment, where the route needs one."""
    name = request.parameters.get("environment")
    if route.prefix == "/puppet/v3/catalog":
        if name is None or not ENVIRONMENT_NAME.fullmatch(name):
            shown = "null" if name is None else name
            raise RefusedPlainly(400, f"The environment must be purely alphanumeric, not '{shown}'")
        return
    if not route.environment:
        return
    if name is None:
        raise Refused(400, "An environment parameter must be specified")
    if not ENVIRONMENT_NAME.fullmatch(name):
        raise Refused(400, f"The environment must be purely alphanumeric, not '{name}'")
    if not service.settings.has_environment(name):
        raise Refused(404, f"Could not find environment '{name}'")
