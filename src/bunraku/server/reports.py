"""Reports of agents: ``/puppet/v3/report/NODE`` and the report processors."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from time import gmtime, strftime, time
from typing import Any, TypeAlias

from bunraku.base.errors import PuppetError
from bunraku.formats.encoding import to_bytes
from bunraku.formats.yaml_writer import RubyObject, ruby_yaml_text
from bunraku.puppetdb.timestamps import to_text
from bunraku.server.authorization.rules import Caller
from bunraku.server.facts import json_bytes
from bunraku.server.failures import Refused
from bunraku.server.formats import TYPES, accepted, sent
from bunraku.server.service import Service
from bunraku.server.stored_reports import stored_report
from bunraku.web.http import Request, Response
from bunraku.world.http import HttpRequest
from bunraku.world.machine import Machine
from bunraku.world.whole_files import CATALOG_MODE, write_whole

Report: TypeAlias = "Mapping[str, Any]"
MACHINE = Machine()
KIND = "Puppet::Transaction::Report"
FOLDER_MODE = 0o750
UNSAFE = re.compile(r"[/\\\0]|\A\.\.?\Z")
LEVELS = frozenset(
    ["debug", "info", "notice", "warning", "err", "alert", "emerg", "crit"],
)


def answer_report(service: Service, request: Request, node: str, _caller: Caller) -> Response:
    """Process a report; return the names of the processors."""
    report = sent(request, service.settings.body, ("json", "pson", "msgpack"))
    format_ = accepted(request, ("json", "pson"))[0]
    check(report)
    processors = service.settings.report_processors
    for name in processors:
        try:
            PROCESSORS[name](service, report, node)
        except (PuppetError, OSError) as error:
            service.log("err", f"Report processor {name} failed for {node}: {error}")
    text = json.dumps(processors, separators=(",", ":"))
    return Response(200, {"content-type": TYPES[format_]}, [text])


def check(report: Any) -> None:
    """Raise Refused unless a document has the shape of a report."""
    reason = None
    if not isinstance(report, Mapping):
        reason = "the report is not a hash"
    elif not isinstance(report.get("host"), str) or not isinstance(report.get("time"), str):
        reason = "the report has no 'host' or no 'time'"
    elif not isinstance(report.get("logs"), list) or not isinstance(report.get("metrics"), Mapping):
        reason = "the report has no 'logs' or no 'metrics'"
    elif not isinstance(report.get("resource_statuses"), Mapping):
        reason = "the report has no 'resource_statuses'"
    if reason is not None:
        raise Refused(400, f"The request body is invalid: Could not intern from json: {reason}")


# -- processors --------------------------------------------------------------------------------------


def store(service: Service, report: Report, node: str) -> None:
    """Write a report below ``reportdir`` as Puppet does: a folder of the node, a file of the minute."""
    if UNSAFE.search(node):
        raise OSError(f"{node!r} cannot be the name of a folder")
    folder = os.path.join(str(service.settings.values["reportdir"]), node)
    os.makedirs(folder, FOLDER_MODE, exist_ok=True)
    path = os.path.join(folder, strftime("%Y%m%d%H%M.yaml", gmtime()))
    write_whole(path, to_bytes(report_text(report)), mode=CATALOG_MODE)


def report_text(report: Report) -> str:
    """Return a report in Puppet's YAML."""
    return ruby_yaml_text(RubyObject(KIND, report))


def http(service: Service, report: Report, _node: str) -> None:
    """Post a report to ``reporturl``."""
    url = str(service.settings.values["reporturl"])
    headers = {"content-type": "application/x-yaml"}
    request = HttpRequest("POST", url, headers, to_bytes(report_text(report)))
    with MACHINE.http(request) as response:
        if response.status >= 300:
            raise OSError(f"{url} answered with status {response.status}")


def log(service: Service, report: Report, node: str) -> None:
    """Write the messages of a report to the log of the server."""
    for entry in report["logs"]:
        if isinstance(entry, Mapping):
            level = str(entry.get("level"))
            text = f"{node} {entry.get('source')}: {entry.get('message')}"
            service.log(level if level in LEVELS else "notice", text)


def puppetdb(service: Service, report: Report, node: str) -> None:
    """Store a report in the PuppetDB."""
    storage = service.storage
    if storage is None:
        raise OSError(
            "the server has no PuppetDB; use --puppetdb, or other processors in 'reports'"
        )
    timestamp = to_text(int(time() * 1000))
    payload = stored_report(report, node, service.settings.certname, timestamp)
    storage.store("report", node, timestamp, json_bytes(payload))


PROCESSORS: Mapping[str, Callable[[Service, Report, str], None]] = {
    "store": store,
    "http": http,
    "log": log,
    "puppetdb": puppetdb,
}
"""The report processors by the names that the setting ``reports`` has."""
