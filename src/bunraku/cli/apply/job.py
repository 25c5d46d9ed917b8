"""A catalog to apply and the objects that its run needs, from the options of a command."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from bunraku.apply.directories import Directories, directories_of
from bunraku.apply.log import RANKS, Destination, Message
from bunraku.apply.plan import Plan, plan_of
from bunraku.apply.plan_file import SavedPlan, check_unchanged
from bunraku.apply.records import NoRecords, remembered
from bunraku.apply.report import Report
from bunraku.apply.run import apply_catalog
from bunraku.apply.transaction import Options, Watch
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.usage import UsageError
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.wire import catalog_to_data
from bunraku.cli.apply.console import Console
from bunraku.cli.apply.options import words
from bunraku.cli.options.manifest import what_to_compile
from bunraku.cli.options.node import request_for_node
from bunraku.cli.options.project import facts_of, module_directories, place_of
from bunraku.cli.options.shared import limits_of, paint_for, read_text, settings
from bunraku.dialects.dialect import Dialect
from bunraku.engine.compile import compile_resolved
from bunraku.engine.deferred import deferred_resolver
from bunraku.engine.dialects import find_dialect
from bunraku.engine.request import resolve
from bunraku.facts.collect import collect
from bunraku.limits.limits import Limited
from bunraku.modules.settings import own_directories
from bunraku.modules.settings import resolve as resolved_settings
from bunraku.providers.file.web_sources import web_request
from bunraku.runtime.log import LogEntry
from bunraku.web.requests import HttpRequest
from bunraku.world.linux import LinuxHost
from bunraku.world.machine import Machine


class Job:
    """One run with the options of a command. ``errors_only`` leaves standard output to the command."""

    def __init__(self, options: argparse.Namespace, *, errors_only: bool = False) -> None:
        self.options = options
        self.level = "debug" if options.debug else "info" if options.verbose else "notice"
        self.paint = paint_for(options)
        self.console = Console(self.level, self.paint, errors_only=errors_only)
        self.destinations: Sequence[Destination] = [self.console]
        """The destinations of the messages of the compile."""
        self.host = LinuxHost()
        self.place = place_of(options, below=options.file is None and options.execute is None)
        self.given = settings(options)
        self.modules: Sequence[str] = self.place.fields["modulepath"]
        self.started = self.host.monotonic()
        self.choices: dict[str, Any] = {
            "tags": words(options.tags),
            "skip_tags": words(options.skip_tags),
            "ignoreschedules": options.ignoreschedules,
            "ruby_providers": options.ruby_providers,
            "preprocess_deferred": self.preprocesses(),
        }
        """The options that select the resources to apply; a saved plan has its own."""

    def preprocesses(self) -> bool:
        """Return whether deferred functions are called before the run: the option, or the setting."""
        chosen = self.options.preprocess_deferred
        if chosen is None:
            defaults = self.dialect.default_settings()
            name = "preprocess_deferred"
            chosen = self.given.get(name, defaults.get(name, False))
        return str(chosen).lower() == "true"

    @cached_property
    def directories(self) -> Directories:
        """The directories in which runs keep their state."""
        return directories_for(self.options, self.given, self.host)

    @cached_property
    def web(self) -> HttpRequest:
        """What the requests for sources on web servers have in common; UsageError for a wrong proxy."""
        own = {} if self.host.effective_user() == 0 else own_directories(os.path.expanduser("~"))
        try:
            return web_request(resolved_settings({**own, **self.given}), self.host, self.version)
        except ValueError as error:
            raise UsageError(str(error)) from None

    # -- messages --------------------------------------------------------------------------------

    def log(self, entry: LogEntry) -> None:
        """Send a message of the compile to the destinations."""
        for destination in self.destinations:
            if destination is self.console:
                self.console.entry(entry)
            elif RANKS[entry.level] >= RANKS[self.level]:
                source = "Puppet" if entry.scope is None else f"Scope({entry.scope})"
                destination(
                    self.message(entry.level, entry.message, source, entry.file, entry.line)
                )

    def log_failure(self, error: PuppetError) -> None:
        """Send the reason why nothing is applied to the destinations; the command prints it."""
        for finding in error:
            path, line, _ = finding.place.where
            for destination in self.destinations:
                if destination is not self.console:
                    destination(self.message("err", finding.message, "Puppet", path, line))

    def message(
        self, level: str, text: str, source: str, file: str | None, line: int | None
    ) -> Message:
        """Return a message of now."""
        return Message(level, text, source, self.host.now(), (level,), file, line)

    # -- the catalog -----------------------------------------------------------------------------

    def catalog(self) -> Catalog:
        """Return the catalog to apply: read from a file, or compiled with this machine's facts."""
        path = self.options.catalog
        if path == "-":
            return Catalog.from_json(read_text("-"))
        return Catalog.from_file(path) if path else self.compiled()

    def compiled(self) -> Catalog:
        """Return the catalog of the manifest, and log the duration of the compile."""
        what = what_to_compile(self.options, self.place)
        request = request_for_node(self.options, self.place, self.facts, cycles=False, **what)
        begin = self.host.monotonic()
        with Limited(limits_of(self.options)):
            resolved = resolve(request, self.log)
            data = catalog_to_data(compile_resolved(resolved)[0])
        self.modules = resolved.environment.modulepath
        if not data["version"]:
            data["version"] = int(self.host.now())
        seconds = self.host.monotonic() - begin
        name, environment = data["name"], data["environment"]
        text = f"Compiled catalog for {name} in environment {environment} in {seconds:.2f} seconds"
        self.log(LogEntry("info" if self.console.errors_only else "notice", text))
        return Catalog(data)

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Return this machine's facts, with legacy facts and those of the options."""

        def warn(finding: Diagnostic) -> None:
            self.log(LogEntry("warning", finding.message))

        modules = module_directories(self.place)
        patience = self.options.fact_timeout
        own = {"puppetversion": self.version}
        found = collect(Machine(), warn, legacy=True, modules=modules, patience=patience, own=own)
        return found | own | facts_of(self.options, self.place)

    def resolve(self, value: Any) -> Any:
        """Return a value of the catalog with its deferred calls replaced by their results."""
        request = request_for_node(self.options, self.place, self.facts, code="")
        with Limited(limits_of(self.options)):
            return deferred_resolver(request, self.log)(value)

    # -- the run ---------------------------------------------------------------------------------

    def apply(
        self,
        catalog: Catalog,
        records: NoRecords,
        destinations: Sequence[Destination],
        *,
        noop: bool,
        stopped: Callable[[], bool] = lambda: False,
        watch: Watch | None = None,
    ) -> Report:
        """Apply a catalog and return the report."""
        options, choices = self.options, self.choices
        return apply_catalog(
            catalog,
            self.host,
            {
                **self.given,
                "noop": noop,
                "show_diff": options.show_diff,
                "preprocess_deferred": choices["preprocess_deferred"],
                "ruby_providers": choices["ruby_providers"],
                "clientbucketdir": self.directories.bucket,
                "statedir": self.directories.state,
                "puppet_version": self.version,
                "config_retrieval": self.host.monotonic() - self.started,
            },
            records=records,
            options=Options(
                tags=tuple(choices["tags"]),
                skip_tags=tuple(choices["skip_tags"]),
                ignore_schedules=choices["ignoreschedules"],
                stopped=stopped,
                watch=watch,
                traces=getattr(options, "evaltrace", False),
                web=self.web,
            ),
            destinations=destinations,
            level=self.level,
            modules=self.modules,
            resolve=self.resolve,
        )

    def plan(self, catalog: Catalog) -> Plan:
        """Return the changes that a run would make."""
        records = NoRecords(remembered(self.host, self.directories))
        level, self.level = self.level, "notice"
        report = self.apply(catalog, records, [], noop=True)
        self.level = level
        return plan_of(report)

    def unchanged(self, saved: SavedPlan) -> Catalog:
        """Return the catalog of a saved plan; raise PuppetError if it would make other changes now."""
        self.choices = dict(saved.choices)
        self.modules = saved.modules
        check_unchanged(saved, self.plan(saved.catalog))
        return saved.catalog

    @property
    def version(self) -> str:
        """The version of Puppet that the run emulates."""
        return self.dialect.version

    @cached_property
    def dialect(self) -> Dialect:
        """The dialect of the options."""
        fields = self.place.fields
        return find_dialect(fields["language"], fields["follow"], self.given)


def directories_for(
    options: argparse.Namespace, given: dict[str, Any], host: LinuxHost
) -> Directories:
    """Return the directories in which runs of this user keep their state."""
    named = {name: getattr(options, name) for name in ("statedir", "vardir")}
    root = host.effective_user() == 0
    chosen = {name: os.path.abspath(value) for name, value in named.items() if value is not None}
    return directories_of({**given, **chosen}, root=root, home=os.path.expanduser("~"))
