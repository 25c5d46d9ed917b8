"""The environment and classes of a node: ``/puppet/v3/node/NODE``."""

from __future__ import annotations

import json
from typing import Any

from bunraku.formats.yaml_styles import RubyObject
from bunraku.formats.yaml_writer import ruby_yaml_text
from bunraku.server.authorization.rules import Caller
from bunraku.server.catalogs import common, job_result
from bunraku.server.compiling.jobs import Job
from bunraku.server.failures import Refused
from bunraku.server.formats import PLAIN, TYPES, accepted
from bunraku.server.service import Service
from bunraku.web.http import Request, Response


def answer_node(service: Service, request: Request, node: str, _caller: Caller) -> Response:
    """Return the name and environment of a node, and what the node classifier says."""
    format_ = accepted(request, PLAIN)[0]
    data = node_data(service, request, node)
    if format_ == "yaml":
        text = ruby_yaml_text(RubyObject("Puppet::Node", data))
    else:
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Response(200, {"content-type": TYPES[format_]}, [text])


def node_data(service: Service, request: Request, node: str) -> dict[str, Any]:
    """Return the data of a node; a classifier is asked by a compile process."""
    environment = request.parameters["environment"]
    if service.settings.values.get("node_terminus", "plain") == "plain":
        return {"name": node, "environment": environment}
    job = Job("node", node, environment, service.settings.given, **common(service))
    result = job_result(service, job, request)
    if result.status != 200:
        service.log("err", result.message)
        raise Refused(500, result.message)
    found: dict[str, Any] = json.loads(result.body)
    return found
