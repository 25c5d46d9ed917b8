"""Deployments over HTTP: ``/deploy/v1``. Webhooks are signed, other requests have a token."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from time import sleep
from typing import Any, TypeAlias

from bunraku.base.errors import PuppetError
from bunraku.modules.names import ENVIRONMENT_NAME
from bunraku.server.deploying.deploys import Deploys
from bunraku.server.deploying.keeper import has_ended
from bunraku.server.deploying.pushes import (
    check_sender,
    check_signature,
    check_token,
    pushes_of,
)
from bunraku.server.deploying.queue import Work
from bunraku.server.failures import RefusedPlainly, no_route
from bunraku.server.service import Service
from bunraku.web.http import ClientGone, Request, Response, json_response

LARGEST = 8 << 20
"""Bytes of a webhook."""
LARGEST_REQUEST = 1 << 20
MOST_NAMES = 100
PAUSE = 0.25
"""Seconds between two looks at whether a deployment has ended."""
Answer: TypeAlias = "Callable[[Deploys, Request, str], Response]"


def for_deploys(answer: Answer) -> Callable[[Service, Request, str], Response]:
    """Decorate an answer: without a configuration, the server has no such route."""

    @wraps(answer)
    def found(service: Service, request: Request, rest: str) -> Response:
        deploys = service.deploys
        if deploys is None:
            return no_route(request.path)
        try:
            return answer(deploys, request, rest)
        except PuppetError as error:
            deploys.log("err", error.message)
            raise RefusedPlainly(503, error.message) from None

    return found


@for_deploys
def answer_webhook(deploys: Deploys, request: Request, _rest: str) -> Response:
    """Queue the deployments that a webhook of a git server is about."""
    check_sender(request.headers)
    body = request.read(LARGEST)
    check_signature(request.headers, body, deploys.configuration.secrets)
    queued: list[Any] = []
    for push in pushes_of(request.headers, body):
        question = {"push": {"remotes": push.remotes, "branch": push.branch}}
        queued += deploys.process.ask(question)["deploys"]
    if not queued:
        text = "it is not about a branch that the r10k.yaml or a deployed module names"
        return json_response({"deploys": [], "ignored": text})
    return json_response({"deploys": queued}, 202)


@for_deploys
def answer_deploys(deploys: Deploys, request: Request, rest: str) -> Response:
    """Queue the deployments that a program asks for; wait for them if it wants that."""
    if rest:
        return no_route(request.path)
    check_token(request.headers, deploys.configuration.tokens)
    data = requested(request.read(LARGEST_REQUEST))
    works = works_of(data)
    queued = deploys.process.ask({"add": [one.data for one in works]})["deploys"]
    if not data.get("wait"):
        return json_response(queued, 202)
    return json_response(awaited(deploys, request, [one["id"] for one in queued]))


def awaited(deploys: Deploys, request: Request, ids: Sequence[int]) -> list[Any]:
    """Return deployments when all have ended; ClientGone if the client goes before."""
    while True:
        found: list[Any] = deploys.process.ask({"ids": ids})["deploys"]
        if all(map(has_ended, found)):
            return found
        if request.gone():
            raise ClientGone
        sleep(PAUSE)


@for_deploys
def answer_deploy(deploys: Deploys, request: Request, rest: str) -> Response:
    """Return one deployment with its result and its log."""
    check_token(request.headers, deploys.configuration.tokens)
    if not rest.isascii() or not rest.isdecimal() or len(rest) > 18:
        return no_route(request.path)
    found = deploys.process.ask({"ids": [int(rest)]})["deploys"]
    if not found:
        raise RefusedPlainly(404, f"The deployment {rest} is not known")
    return json_response(found[0])


@for_deploys
def answer_status(deploys: Deploys, request: Request, _rest: str) -> Response:
    """Return the deployments that wait, run and have ended."""
    check_token(request.headers, deploys.configuration.tokens)
    return json_response(deploys.process.ask({}))


# -- what a program asks for -----------------------------------------------------------------------

KEYS: Mapping[str, type] = {"environments": list, "modules": list, "deploy-all": bool, "wait": bool}


def requested(body: bytes) -> Mapping[str, Any]:
    """Return the document of a request; RefusedPlainly if it is wrong."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise RefusedPlainly(400, "The body of the request is not a JSON document") from None
    if not isinstance(data, dict):
        raise RefusedPlainly(400, "The body of the request is not a JSON object")
    for name, value in data.items():
        if name not in KEYS:
            raise RefusedPlainly(400, f"The key '{name}' is unknown; known: {', '.join(KEYS)}")
        if not isinstance(value, KEYS[name]):
            kind = "an array of names" if KEYS[name] is list else "true or false"
            raise RefusedPlainly(400, f"{name}: expected {kind}")
    return data


def works_of(data: Mapping[str, Any]) -> list[Work]:
    """Return the deployments that a document asks for; RefusedPlainly for wrong names, and for none."""
    environments = names_in(data, "environments")
    modules = names_in(data, "modules")
    if bool(environments) == bool(data.get("deploy-all")) and not (modules and not environments):
        text = "Name the environments, or set deploy-all to true; modules alone are for all environments"
        raise RefusedPlainly(400, text)
    if modules or not environments:
        return [Work(environments, modules)]
    return [Work((name,)) for name in environments]


def names_in(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the names of a list; RefusedPlainly for one that no environment or module can have."""
    names = tuple(dict.fromkeys(map(str, data.get(key, ()))))
    if len(names) > MOST_NAMES:
        raise RefusedPlainly(400, f"{key}: more than {MOST_NAMES} names")
    for name in names:
        if not ENVIRONMENT_NAME.fullmatch(name):
            raise RefusedPlainly(400, f"{key}: '{name}' is not a valid name")
    return names
