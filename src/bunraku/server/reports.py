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
from bunraku.formats.yaml_styles import RubyObject
from bunraku.formats.yaml_writer import ruby_yaml_text
from bunraku.puppetdb.timestamps import to_milliseconds, to_text
from bunraku.server.authorization.rules import Caller
from bunraku.server.facts import json_bytes
from bunraku.server.failures import Refused
from bunraku.server.formats import SHOWN, TYPES, accepted, sent
from bunraku.server.posted_reports import post_report
from bunraku.server.service import Service
from bunraku.server.stored_reports import stored_report
from bunraku.web.http import Request, Response
from bunraku.world.whole_files import CATALOG_MODE, make_folders, write_whole

Report: TypeAlias = "Mapping[str, Any]"
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
    reason = problem(report)
    if reason is not None:
        raise Refused(400, f"The request body is invalid: Could not intern from json: {reason}")


def problem(report: Any) -> str | None:
    """Return what is wrong with the shape of a report.

    >>> problem(
    ...     {"host": "a", "time": "2026-01-10", "logs": [1], "metrics": {}, "resource_statuses": {}}
    ... )
    "an element of 'logs' is not a hash"
    """
    if not isinstance(report, Mapping):
        return "the report is not a hash"
    if not isinstance(report.get("host"), str) or not isinstance(report.get("time"), str):
        return "the report has no 'host' or no 'time'"
    if to_milliseconds(report["time"]) is None:
        return f"'time' is not a time: {report['time'][:SHOWN]!r}"
    if not isinstance(report.get("logs"), list) or not isinstance(report.get("metrics"), Mapping):
        return "the report has no 'logs' or no 'metrics'"
    if not isinstance(report.get("resource_statuses"), Mapping):
        return "the report has no 'resource_statuses'"
    statuses = report["resource_statuses"].values()
    if not all(isinstance(entry, Mapping) for entry in report["logs"]):
        return "an element of 'logs' is not a hash"
    if not all(is_group(group) for group in report["metrics"].values()):
        return "an element of 'metrics' has no 'values' of name, label and value"
    if not all(is_status(status) for status in statuses):
        return "an element of 'resource_statuses' is not a hash, or one of its 'events' is not"
    return None


def is_group(group: Any) -> bool:
    """Return whether a value is a group of metrics."""
    values = group.get("values") if isinstance(group, Mapping) else None
    return isinstance(values, list) and all(
        isinstance(one, list) and len(one) == 3 for one in values
    )


def is_status(status: Any) -> bool:
    """Return whether a value is the status of a resource."""
    events = status.get("events") or [] if isinstance(status, Mapping) else None
    return isinstance(events, list) and all(isinstance(event, Mapping) for event in events)


# -- processors --------------------------------------------------------------------------------------


def store_report(service: Service, report: Report, node: str) -> None:
    """Write a report below ``reportdir`` as Puppet does: a folder of the node, a file of the minute."""
    if UNSAFE.search(node):
        raise OSError(f"{node!r} cannot be the name of a folder")
    folder = os.path.join(str(service.settings.values["reportdir"]), node)
    make_folders(folder, FOLDER_MODE)
    path = os.path.join(folder, strftime("%Y%m%d%H%M.yaml", gmtime()))
    write_whole(path, to_bytes(report_as_yaml(report)), mode=CATALOG_MODE)


def report_as_yaml(report: Report) -> str:
    """Return a report in Puppet's YAML."""
    return ruby_yaml_text(RubyObject(KIND, report))


def http(service: Service, report: Report, _node: str) -> None:
    """Post a report to ``reporturl``."""
    post_report(service.settings.values, to_bytes(report_as_yaml(report)))


def log(service: Service, report: Report, node: str) -> None:
    """Write the messages of a report to the log of the server."""
    for entry in report["logs"]:
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
    "store": store_report,
    "http": http,
    "log": log,
    "puppetdb": puppetdb,
}
"""The report processors by the names that the setting ``reports`` has."""
