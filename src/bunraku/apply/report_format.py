"""The report and the summary of a run in Puppet's formats: YAML, report format 12."""

from __future__ import annotations

import base64
from typing import Any

from bunraku.apply.event_values import reported
from bunraku.apply.events import Event, Status
from bunraku.apply.log import Message
from bunraku.apply.report import Report
from bunraku.apply.times import iso_time
from bunraku.formats.encoding import to_bytes
from bunraku.formats.yaml_styles import RubyObject
from bunraku.formats.yaml_writer import ruby_yaml_text
from bunraku.providers.attributes import BinaryText
from bunraku.providers.managed_resource import ManagedResource, capitalised

REPORT_FORMAT = 12
Data = dict[str, Any]


def report_yaml(report: Report) -> str:
    """Return a report as Puppet stores it."""
    return ruby_yaml_text(RubyObject("Puppet::Transaction::Report", report_data(report)))


def report_data(report: Report) -> Data:
    """Return a report in Puppet's format 12."""
    data = {
        "host": report.host,
        "time": iso_time(report.time),
        "configuration_version": report.version,
        "transaction_uuid": report.transaction,
        "report_format": REPORT_FORMAT,
        "puppet_version": report.puppet_version,
        "status": report.status,
        "transaction_completed": report.completed,
        "noop": report.noop,
        "noop_pending": report.noop_pending,
        "environment": report.environment,
        "logs": [log_data(log) for log in report.logs],
        "metrics": {
            group: {
                "name": group,
                "label": label(group),
                "values": [[name, label(name), value] for name, value in figures.items()],
            }
            for group, figures in report.metrics().items()
        },
        "resource_statuses": {
            reference: status_data(report.resources[reference], status)
            for reference, status in report.statuses.items()
        },
        "corrective_change": report.count("corrective_change") > 0,
    }
    optional = {
        "server_used": report.server_used,
        "catalog_uuid": report.catalog_uuid,
        "code_id": report.code_id,
        "job_id": report.job,
    }
    data |= {name: value for name, value in optional.items() if value is not None}
    return data | {"cached_catalog_status": report.cached}


def log_data(log: Message) -> Data:
    """Return a message as data."""
    return {
        "level": log.level,
        "message": log.text,
        "source": log.source,
        "tags": list(log.tags),
        "time": iso_time(log.time),
        "file": log.file,
        "line": log.line,
    }


def status_data(resource: ManagedResource, status: Status) -> Data:
    """Return the status of a resource as data."""
    return {
        "title": resource.title,
        "file": resource.file,
        "line": resource.line,
        "resource": resource.reference,
        "resource_type": capitalised(resource.type.name),
        "provider_used": resource.provider.name if resource.has_provider else None,
        "containment_path": [*resource.containers, resource.reference],
        "evaluation_time": status.seconds,
        "tags": list(resource.tags),
        "time": iso_time(status.time),
        "failed": status.failed,
        "failed_to_restart": status.failed_to_restart,
        "changed": status.changed,
        "out_of_sync": status.out_of_sync,
        "skipped": status.skipped,
        "change_count": status.changes,
        "out_of_sync_count": status.differences,
        "events": [event_data(event) for event in status.events],
        "corrective_change": status.corrective,
    }


def previous_value(value: Any) -> Any:
    """Return an old value as reports hold it; texts that are binary in Ruby are in base64.

    >>> previous_value([BinaryText("no"), "yes"])
    ['bm8=', 'yes']
    """
    if isinstance(value, BinaryText):
        return base64.b64encode(to_bytes(value)).decode("ascii")
    return [previous_value(one) for one in value] if isinstance(value, list) else reported(value)


def event_data(event: Event) -> Data:
    """Return an event as data."""
    return {
        "audited": event.audited,
        "property": event.property,
        "previous_value": previous_value(event.previous),
        "desired_value": reported(event.desired),
        "historical_value": reported(event.historical),
        "message": event.message,
        "name": event.name,
        "status": event.status,
        "time": iso_time(event.time),
        "redacted": event.redacted,
        "corrective_change": event.corrective,
    }


def label(name: str) -> str:
    """Return the label of a metric.

    >>> label("failed_to_restart")
    'Failed to restart'
    """
    return name.capitalize().replace("_", " ")


# -- the summary -----------------------------------------------------------------------------------


def summary_data(report: Report, now: float) -> Data:
    """Return the metrics of a run as they are stored in ``last_run_summary.yaml``."""
    data: Data = {
        "version": {"config": report.version, "puppet": report.puppet_version},
        "application": {
            "run_mode": report.mode,
            "initial_environment": report.initial_environment or report.environment,
            "converged_environment": report.environment,
        },
    }
    for group, figures in report.metrics().items():
        data[group] = dict(sorted(figures.items(), key=lambda figure: label(figure[0])))
    data["time"]["last_run"] = int(now)
    return data


def summary_text(data: Data) -> str:
    """Return a summary as ``--summarize`` prints it; metrics that are 0 are omitted.

    >>> print(summary_text({"changes": {"total": 2, "x": 0}, "time": {"file": 0.5}}), end="")
    Changes:
                Total: 2
    Time:
                 File: 0.50
    """
    lines = []
    for group in sorted(data):
        lines.append(f"{label(group)}:")
        figures = data[group]
        for name in sorted(figures, key=lambda name: (name == "total", str(figures[name]))):
            value = figures[name]
            if value != 0:
                text = f"{value:.2f}" if isinstance(value, float) else str(value)
                lines.append(f"   {label(name) + ':':>15} {text}")
    return "\n".join(lines) + "\n"
