"""The report of a run: completed, sent and stored."""

from __future__ import annotations

from typing import Any

from bunraku.agent.http import JSON, Query, encoded
from bunraku.agent.run.state import RunState
from bunraku.apply.report_format import report_data
from bunraku.base.errors import PuppetError
from bunraku.formats.encoding import to_bytes
from bunraku.formats.json import json_text


def finish_report(state: RunState) -> None:
    """Complete the report, send it and keep it."""
    report = state.report
    report.times["total"] = state.host.monotonic() - state.started
    try:
        if state.settings.flag("report"):
            send_report(state)
    finally:
        state.records.keep_report(report, state.log)
        state.servers.client.close()
        report.start_commands(state.host)


def send_report(state: RunState) -> None:
    """Send the report to the server; a failure is an error in the log."""
    text = to_bytes(json_text(reported_data(state))).decode("utf-8", "replace").encode()
    query = Query(
        "report",
        f"/report/{encoded(state.node)}",
        [("environment", state.environment)],
        "PUT",
        JSON,
        text,
        JSON,
    )
    try:
        state.servers.bytes(query)
    except PuppetError as error:
        state.log("err", f"Could not send report: {error.message}")


def reported_data(state: RunState) -> dict[str, Any]:
    """Return the report as data, without unchanged resources if the settings say so."""
    if not state.settings.flag("exclude_unchanged_resources"):
        return report_data(state.report)
    data, statuses = report_data(state.report), state.report.statuses
    data["resource_statuses"] = {
        reference: status
        for reference, status in data["resource_statuses"].items()
        if not statuses[reference].is_unchanged
    }
    return data
