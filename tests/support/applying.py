"""Apply a manifest to a machine in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import bunraku
from bunraku.apply.log import Message, RunLog, console_line
from bunraku.apply.records import NoRecords
from bunraku.apply.report import Report
from bunraku.apply.run import apply_catalog
from bunraku.apply.state import State
from bunraku.apply.transaction import Options
from bunraku.base.records import field, record
from bunraku.catalog.catalog import Catalog
from bunraku.providers.registry import BUILTIN_TYPES
from bunraku.providers.run import Run
from bunraku.world.host import Host

SETTINGS = {
    "noop": False,
    "show_diff": False,
    "clientbucketdir": "/var/bucket",
    "statedir": "/var/lib/state",
}


@record(slots=False)
class Applied:
    """The outcome of a run: its report and its log."""

    report: Report
    messages: list[Message] = field(default_factory=list)

    @property
    def changes(self) -> list[str]:
        """The messages of all events, each after its resource and property."""
        return [
            f"{event.resource}/{event.property}: {event.message}" for event in self.report.events()
        ]

    @property
    def lines(self) -> list[str]:
        """The log as the console shows it, without the lines about the run as a whole."""
        lines = [console_line(message) for message in self.messages]
        return [
            line
            for line in lines
            if not line.startswith(("Info: Applying configuration", "Notice: Applied catalog"))
        ]


def declared(
    type_: str, resources: Mapping[str, Mapping[str, Any]], *, secret: Sequence[str] = ()
) -> Catalog:
    """Return a catalog of resources, by title, of a type that the compiler does not know."""
    rows = [
        {
            "type": type_.capitalize(),
            "title": title,
            "parameters": dict(parameters),
            "sensitive_parameters": list(secret),
        }
        for title, parameters in resources.items()
    ]
    return Catalog({"name": "host", "resources": rows})


def run_on(host: Host) -> Run:
    """Return a run on a host whose messages are dropped."""
    return Run(host, RunLog("err", host.now, []), SETTINGS, BUILTIN_TYPES)


def apply(
    host: Host,
    manifest: str | Catalog,
    *,
    state: State | None = None,
    options: Options | None = None,
    level: str = "info",
    modules: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    resolve: Callable[[Any], Any] | None = None,
) -> Applied:
    """Apply a manifest or a catalog; PuppetError if nothing can be applied."""
    messages: list[Message] = []
    report = apply_catalog(
        bunraku.compile(manifest) if isinstance(manifest, str) else manifest,
        host,
        {**SETTINGS, **(settings or {})},
        records=NoRecords(state),
        options=options,
        destinations=[messages.append],
        level=level,
        modules=modules,
        resolve=resolve,
    )
    return Applied(report, messages)
