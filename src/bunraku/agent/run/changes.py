"""The changes of a run: the resources of its catalog, and the commands before and after them."""

from __future__ import annotations

from functools import partial
from typing import Any

from bunraku.agent.files import ServerFiles, inlined_in
from bunraku.agent.run.state import RunState
from bunraku.apply.report import managed_references
from bunraku.apply.run import apply_catalog
from bunraku.apply.transaction import FromServer, Options
from bunraku.base.signals import Postponed
from bunraku.catalog.catalog import Catalog
from bunraku.engine.deferred import deferred_resolver
from bunraku.engine.request import Request
from bunraku.limits.limits import Limited
from bunraku.providers.file.web_request import web_request
from bunraku.runtime.log import LogEntry
from bunraku.world.host import Command, CommandTimeout


def apply_changes(state: RunState, catalog: Catalog) -> None:
    """Apply a catalog as ``bunraku apply`` does; the outcome is added to the report."""
    report, settings = state.report, state.settings
    data = catalog.to_data()
    report.version, report.catalog_uuid = catalog.version, catalog.uuid
    report.code_id = data.get("code_id")
    files = ServerFiles(state.servers, state.environment, inlined_in(data))
    with Postponed() as signals:
        apply_catalog(
            catalog,
            state.host,
            settings_of_run(state),
            records=state.records,
            options=Options(
                tags=tuple(settings.words("tags")),
                skip_tags=tuple(settings.words("skip_tags")),
                ignore_schedules=settings.flag("ignoreschedules"),
                stopped=lambda: signals.came() or is_late(state),
                watch=state.choices.watch,
                traces=settings.flag("evaltrace"),
                web=web_request(settings.values, state.host, state.servers.version),
                facts=lambda: state.facts,
                agent=FromServer(report, files, [settings.text("libdir")]),
            ),
            destinations=state.destinations,
            level=state.choices.level,
            resolve=partial(resolved_value, state),
        )
    state.signal = signals.number
    if settings.flag("write_catalog_summary"):
        managed = managed_references(catalog, report)
        state.records.keep_lists(catalog, managed, state.log)


def is_late(state: RunState) -> bool:
    """Return whether the run takes longer than the setting runtimeout, after a message about it."""
    longest = state.settings.interval("runtimeout")
    late = bool(longest) and state.host.monotonic() - state.started > (longest or 0.0)
    if late:
        text = f"did not complete within {longest:g} seconds and was terminated."
        text = f"Execution of Puppet configuration client {text}"
        state.log("err", text)
    return late


def settings_of_run(state: RunState) -> dict[str, Any]:
    """Return the settings that resources and the report need."""
    flags = ("noop", "show_diff", "preprocess_deferred")
    return {
        **state.settings.values,
        **{name: state.settings.flag(name) for name in flags},
        "ruby_providers": state.choices.ruby_providers,
        "puppet_version": state.servers.version,
    }


def resolved_value(state: RunState, value: Any) -> Any:
    """Return a value of the catalog with its deferred calls replaced by their results."""

    def log(entry: LogEntry) -> None:
        state.log(entry.level, entry.message)

    request = Request(
        node=state.node,
        facts=state.facts,
        code="",
        settings={"environment": state.environment},
        adds_versions=True,
    )
    with Limited(state.choices.limits):
        return deferred_resolver(request, log)(value)


def run_command(state: RunState, name: str) -> bool:
    """Run the command of a setting; log a failure and return False."""
    line = state.settings.text(name)
    if not line:
        return True
    try:
        done = state.host.execute(Command(line, merged=True))
        text = f"Execution of '{line}' returned {done.code}: {done.output.strip()}"
        reason = text if done.code else None
    except (OSError, CommandTimeout) as error:
        reason = str(error)
    if reason is not None:
        state.log("err", f"Could not run command from {name}: {reason}")
    return reason is None
