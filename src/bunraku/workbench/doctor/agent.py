"""The agent of this machine: its last run, its locks, and where its catalogs come from."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping

from bunraku.base.lazy_typing import Any
from bunraku.formats import yaml
from bunraku.workbench.doctor.findings import Fault, FoundFault, Gap
from bunraku.workbench.doctor.machine import Examined, date, length

RUN = "bunraku agent --test shows a run"
TOO_OLD = Fault(
    "agent-run-too-old",
    "error",
    "the last run was on {date}, {age} ago; one is expected every {interval}",
    "start the agent: systemctl start bunraku-agent or puppet; " + RUN,
)
FAILED = Fault("agent-run-failed", "error", "the last run failed: {reason}", RUN)
UNREADABLE = Fault(
    "agent-record-damaged", "error", "the record of the last run is damaged: {reason}", RUN
)
DISABLED = Fault(
    "agent-disabled", "warning", "the agent is disabled: {reason}", "bunraku agent --enable"
)
STALE_LOCK = Fault(
    "agent-lock-stale",
    "error",
    "process {process} held the lock of a run and is gone",
    "rm {place}",
)
HANGS = Fault(
    "agent-run-hangs",
    "error",
    "a run (process {process}) has lasted {age}",
    "look at it with ps -fp {process}; kill {process} ends it",
)
STALE_CERTIFICATE_LOCK = Fault(
    "certificate-lock-stale",
    "warning",
    "the lock of the certificate is {age} old",
    "rm {place}, if no agent runs",
)
STALE_PROCESS = Fault(
    "pid-file-stale", "warning", "process {process} of this file is gone", "rm {place}"
)
CACHED = Fault(
    "catalog-from-cache",
    "warning",
    "the last run used a cached catalog ({status})",
    "bunraku agent --test shows why the server did not compile one",
)
HOUR = 3600.0
CACHED_STATUS = re.compile(
    r"^cached_catalog_status: ['\"]?(on_failure|explicitly_requested)", re.MULTILINE
)


def check_runs(machine: Examined) -> Iterator[FoundFault | Gap]:
    """Find a last run that is too old, or failed."""
    path = machine.of_agent("lastrunfile")
    if not machine.has_agent:
        yield Gap("agent", "no certificate, key or record of a run", absent=True)
        return
    if machine.status(path) is None:
        yield Gap("last run of the agent", f"no file {path}", absent=True)
        return
    try:
        data = yaml.load_plain(machine.host.read(path))
        last = float(data["time"]["last_run"])
    except yaml.YamlError as error:
        yield UNREADABLE.at(path, reason=error.problem)
        return
    except (ValueError, KeyError, TypeError):
        yield UNREADABLE.at(path, reason="it has no time of a run")
        return
    yield from check_age(machine, path, last)
    reason = failure_of(data)
    if reason:
        yield FAILED.at(path, reason=reason)


def check_age(machine: Examined, path: str, last: float) -> Iterator[FoundFault]:
    """Find a last run that is older than two intervals and an hour."""
    interval = machine.agent["runinterval"]
    seconds = float(interval) if isinstance(interval, int | float) else 1800.0
    age = machine.host.now() - last
    if age > 2 * seconds + HOUR:
        moment = dt.datetime.fromtimestamp(last, dt.UTC)
        yield TOO_OLD.at(path, date=date(moment), age=length(age), interval=length(seconds))


def failure_of(data: Mapping[str, Any]) -> str:
    """Return why the run of a summary failed, empty if it did not.

    >>> failure_of({"resources": {"failed": 2}, "events": {"failure": 0}})
    '2 resources failed'
    """
    resources, events = data.get("resources"), data.get("events")
    if not isinstance(resources, Mapping) or not isinstance(events, Mapping):
        return "it has no catalog"
    for figures, name, what in (
        (resources, "failed", "resources failed"),
        (events, "failure", "changes failed"),
        (resources, "failed_to_restart", "resources failed to restart"),
    ):
        if figures.get(name):
            return f"{figures[name]} {what}"
    return ""


def check_disabled(machine: Examined) -> Iterator[FoundFault]:
    """Find an agent that somebody has disabled, with the reason."""
    path = machine.of_agent("agent_disabled_lockfile")
    if machine.status(path) is None:
        return
    try:
        data = json.loads(machine.host.read(path))
    except ValueError:
        data = None
    reason = data.get("disabled_message") if isinstance(data, dict) else None
    yield DISABLED.at(path, reason=reason or "reason not specified")


def check_locks(machine: Examined) -> Iterator[FoundFault]:
    """Find locks of runs that have ended, and runs that do not end."""
    path = machine.of_agent("agent_catalog_run_lockfile")
    process = process_in(machine, path)
    if process:
        age, limit = machine.age(path), machine.agent["runtimeout"]
        if not machine.is_running(process):
            yield STALE_LOCK.at(path, process=process)
        elif isinstance(limit, int | float) and 0 < limit < age:
            yield HANGS.at(path, process=process, age=length(age))
    path = machine.of_agent("ssl_lockfile")
    if machine.status(path) is not None and machine.age(path) > HOUR:
        yield STALE_CERTIFICATE_LOCK.at(path, age=length(machine.age(path)))


def check_pid_files(machine: Examined) -> Iterator[FoundFault]:
    """Find files with the ID of a process that has ended."""
    for folder in dict.fromkeys([machine.of_agent("rundir"), machine.of_server("rundir")]):
        for name in machine.names(folder):
            process = process_in(machine, f"{folder}/{name}") if name.endswith(".pid") else ""
            if process and not machine.is_running(process):
                yield STALE_PROCESS.at(f"{folder}/{name}", process=process)


def check_catalog(machine: Examined) -> Iterator[FoundFault]:
    """Find a last run that did not get a catalog from the server."""
    path = machine.of_agent("lastrunreport")
    if machine.status(path) is None:
        return
    found = CACHED_STATUS.search(machine.host.read(path).decode("utf-8", "replace"))
    if found is not None:
        yield CACHED.at(path, status=found[1].replace("_", " "))


def process_in(machine: Examined, path: str) -> str:
    """Return the process ID in a file, empty without one."""
    if machine.status(path) is None:
        return ""
    text = machine.host.read(path).decode("ascii", "replace").strip()
    return text if text.isdecimal() else ""
