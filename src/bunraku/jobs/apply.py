"""Apply a catalog to this machine, or show what that would change."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bunraku.apply.directories import Directories, directories_of
from bunraku.apply.log import RANKS, Destination, Message
from bunraku.apply.records import NoRecords, remembered
from bunraku.apply.report import Report
from bunraku.apply.run import apply_catalog
from bunraku.apply.transaction import Options, Watch
from bunraku.base.encoding import encode
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.records import field, record
from bunraku.base.usage import UsageError
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.wire import catalog_to_data
from bunraku.dialects.dialect import Dialect
from bunraku.engine.compile import compile_resolved
from bunraku.engine.dialects import find_dialect
from bunraku.engine.request import resolve
from bunraku.facts.collect import (
    ALL,
    OF_NODE_NAME,
    MachineFacts,
    collect_facts,
    wanted_facts,
)
from bunraku.facts.custom import FactFiles, PuppetForFacts, fact_files
from bunraku.facts.external import FOLDERS
from bunraku.jobs.compile import CodeOrManifest, what_to_compile
from bunraku.jobs.context import Context
from bunraku.limits.limits import Limited
from bunraku.modules.fact_reads import Gathering
from bunraku.modules.settings import own_directories, user_settings
from bunraku.modules.settings import resolve as resolved_settings
from bunraku.providers.file.web_request import web_request
from bunraku.runtime.log import LogEntry
from bunraku.web.requests import HttpRequest
from bunraku.world.linux import LinuxHost
from bunraku.world.machine import Machine
from bunraku.world.whole_files import KEY_MODE, write_whole

if TYPE_CHECKING:
    from bunraku.apply.plan import Plan
    from bunraku.apply.plan_file import SavedPlan


@record()
class ApplyOptions:
    """What is applied, and to which resources.

    ``what`` is code, a manifest or the main manifest; ``catalog`` is the path of a catalog instead, or
    ``catalog_text`` its JSON. ``fact_timeout`` is the time limit of a custom fact in seconds.
    ``statedir`` and ``vardir`` are directories for the state of runs. ``level`` is the least urgent level
    of messages. ``noop`` changes nothing; None is the setting. ``is_quiet`` makes the message about the compile one of level ``info``.
    """

    what: CodeOrManifest = field(default_factory=CodeOrManifest)
    catalog: str | None = None
    catalog_text: str | None = None
    noop: bool | None = None
    show_diff: bool = False
    tags: Sequence[str] = ()
    skip_tags: Sequence[str] = ()
    ignoreschedules: bool = False
    preprocess_deferred: bool | None = None
    ruby_providers: bool = True
    fact_timeout: float = 10.0
    statedir: str | None = None
    vardir: str | None = None
    evaltrace: bool = False
    level: str = "notice"
    is_quiet: bool = False


class ApplyJob:
    """One run: its catalog, its facts and its changes.

    ``destinations`` get the messages of the compile, besides the observer of the context.
    """

    def __init__(self, context: Context, options: ApplyOptions) -> None:
        self.context = context
        self.options = options
        self.level = options.level
        self.destinations: Sequence[Destination] = ()
        self.host = LinuxHost()
        self.settings = context.settings
        self.modules: Sequence[str] = context.fields["modulepath"]
        self.started = self.host.monotonic()
        self.choices: dict[str, Any] = {
            "tags": tuple(options.tags),
            "skip_tags": tuple(options.skip_tags),
            "ignoreschedules": options.ignoreschedules,
            "ruby_providers": options.ruby_providers,
            "preprocess_deferred": self.preprocesses(),
        }
        """The options that select the resources to apply; a saved plan has its own."""

    def preprocesses(self) -> bool:
        """Return whether deferred functions are called before the run: the option, or the setting."""
        chosen: object = self.options.preprocess_deferred
        if chosen is None:
            defaults = self.dialect.default_settings()
            name = "preprocess_deferred"
            chosen = self.settings.get(name, defaults.get(name, False))
        return str(chosen).lower() == "true"

    @cached_property
    def directories(self) -> Directories:
        """The directories in which runs keep their state."""
        return directories_for(self.options.statedir, self.options.vardir, self.settings, self.host)

    @cached_property
    def web(self) -> HttpRequest:
        """What the requests for sources on web servers have in common; UsageError for a wrong proxy."""
        own = {} if self.host.effective_user() == 0 else own_directories(os.path.expanduser("~"))
        try:
            return web_request(resolved_settings({**own, **self.settings}), self.host, self.version)
        except ValueError as error:
            raise UsageError(str(error)) from None

    @property
    def is_noop(self) -> bool:
        """Whether the run changes nothing: the option, or the setting."""
        chosen: object = self.options.noop
        return str(self.settings.get("noop") if chosen is None else chosen).lower() == "true"

    # -- messages --------------------------------------------------------------------------------

    def log(self, entry: LogEntry) -> None:
        """Send a message of the compile to the observer and to the destinations."""
        self.context.observer.log(entry)
        if RANKS[entry.level] < RANKS[self.level]:
            return
        source = "Puppet" if entry.scope is None else f"Scope({entry.scope})"
        for destination in self.destinations:
            destination(self.message(entry.level, entry.message, source, entry.file, entry.line))

    def log_failure(self, error: PuppetError) -> None:
        """Send the reason why nothing is applied to the destinations; the observer is not told."""
        for finding in error:
            path, line, _ = finding.place.where
            for destination in self.destinations:
                destination(self.message("err", finding.message, "Puppet", path, line))

    def message(
        self, level: str, text: str, source: str, file: str | None, line: int | None
    ) -> Message:
        """Return a message of now."""
        return Message(level, text, source, self.host.now(), (level,), file, line)

    # -- the catalog -----------------------------------------------------------------------------

    def catalog(self) -> Catalog:
        """Return the catalog to apply: read from a file, or compiled with this machine's facts."""
        if self.options.catalog_text is not None:
            return Catalog.from_json(self.options.catalog_text)
        path = self.options.catalog
        if path:
            return Catalog.from_file(path)
        return self.compiled()

    def compiled(self) -> Catalog:
        """Return the catalog of the manifest, and log the duration of the compile."""
        what = what_to_compile(self.context, self.options.what)
        request = self.context.request(self.facts_with(OF_NODE_NAME), cycles=False, **what)
        begin = self.host.monotonic()
        with Limited(self.context.limits):
            resolved = resolve(request, self.log)
            compiled, _value = compile_resolved(resolved, gathering=self.gathering)
            data = catalog_to_data(compiled)
        self.modules = resolved.environment.modulepath
        if not data["version"]:
            data["version"] = int(self.host.now())
        seconds = self.host.monotonic() - begin
        name, environment = data["name"], data["environment"]
        text = f"Compiled catalog for {name} in environment {environment} in {seconds:.2f} seconds"
        self.log(LogEntry("info" if self.options.is_quiet else "notice", text))
        return Catalog(data)

    # -- facts -----------------------------------------------------------------------------------

    @cached_property
    def facts(self) -> dict[str, Any]:
        """This machine's facts, with legacy facts and those of the options."""
        return self.facts_with(None)

    def facts_with(self, names: frozenset[str] | None) -> dict[str, Any]:
        """Return the machine's facts with these names (None: all), and those of the options.

        With custom facts these are all facts, because code of a custom fact may read any other.
        """
        if self.has_custom_facts:
            found = self.custom_facts
        else:
            wanted = None if names is None else wanted_facts(names)
            found = self.machine.facts(wanted, legacy=True)
        return found | self.own_facts

    @cached_property
    def custom_facts(self) -> dict[str, Any]:
        """This machine's facts, with those that modules define in code, which may read all others."""
        return collect_facts(
            Machine(),
            self.warn,
            legacy=True,
            files=self.fact_files,
            patience=self.options.fact_timeout,
            puppet=PuppetForFacts(
                {"puppetversion": self.version}, lambda: user_settings(self.settings)
            ),
        )

    @cached_property
    def own_facts(self) -> dict[str, Any]:
        """The facts of this program and of the options."""
        return {"puppetversion": self.version} | self.context.facts(self.context.options.node)

    @cached_property
    def fact_files(self) -> FactFiles:
        """The files of modules that define facts."""
        return fact_files(Machine(), self.context.module_directories)

    @property
    def has_custom_facts(self) -> bool:
        """Whether modules define facts in code."""
        return bool(self.fact_files.python or self.fact_files.ruby)

    @cached_property
    def machine(self) -> MachineFacts:
        """The facts of this machine but for custom ones, collected when they are needed."""
        return MachineFacts(Machine(), self.warn, [*FOLDERS, *self.fact_files.folders])

    @property
    def gathering(self) -> Gathering | None:
        """What collects facts when the manifests read them; None if they are collected already."""
        return None if self.has_custom_facts else Gathering(ALL, self.facts_with)

    def warn(self, finding: Diagnostic) -> None:
        """Log a warning about facts."""
        self.log(LogEntry("warning", finding.message))

    def resolve(self, value: Any) -> Any:
        """Return a value of the catalog with its deferred calls replaced by their results."""
        from bunraku.engine.deferred import deferred_resolver

        request = self.context.request(self.facts, code="")
        with Limited(self.context.limits):
            return deferred_resolver(request, self.log)(value)

    # -- the run ---------------------------------------------------------------------------------

    def apply(
        self,
        catalog: Catalog,
        records: NoRecords,
        destinations: Sequence[Destination],
        *,
        noop: bool | None = None,
        stopped: Callable[[], bool] = lambda: False,
        watch: Watch | None = None,
    ) -> Report:
        """Apply a catalog and return the report; ``noop`` is stronger than the options."""
        options, choices = self.options, self.choices
        return apply_catalog(
            catalog,
            self.host,
            {
                **self.settings,
                "noop": self.is_noop if noop is None else noop,
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
                traces=options.evaltrace,
                web=self.web,
                facts=lambda: self.facts,
            ),
            destinations=destinations,
            level=self.level,
            modules=self.modules,
            resolve=self.resolve,
        )

    def plan(self, catalog: Catalog) -> Plan:
        """Return the changes that a run would make."""
        from bunraku.apply.plan import plan_of

        records = NoRecords(remembered(self.host, self.directories))
        level, self.level = self.level, "notice"
        report = self.apply(catalog, records, [], noop=True)
        self.level = level
        return plan_of(report)

    def save(self, plan: Plan, catalog: Catalog, path: str) -> None:
        """Write a plan to a file that only its owner can read; UsageError if that is not possible."""
        from bunraku.apply.plan_file import saved_text

        text = saved_text(plan, catalog, self.choices, self.modules)
        try:
            write_whole(path, encode(text), mode=KEY_MODE)
        except OSError as error:
            raise UsageError(f"--out: cannot write {path}: {error.strerror}") from None

    def unchanged(self, saved: SavedPlan) -> Catalog:
        """Return the catalog of a saved plan; raise PuppetError if it would make other changes now."""
        from bunraku.apply.plan_file import check_unchanged

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
        return dialect_of(self.context)


def dialect_of(context: Context) -> Dialect:
    """Return the dialect of the project, with the settings of the options."""
    fields = context.fields
    return find_dialect(fields["language"], fields["follow"], context.settings)


def directories_for(
    statedir: str | None, vardir: str | None, settings: Mapping[str, Any], host: LinuxHost
) -> Directories:
    """Return the directories in which runs of this user keep their state."""
    named = {"statedir": statedir, "vardir": vardir}
    root = host.effective_user() == 0
    chosen = {name: os.path.abspath(value) for name, value in named.items() if value is not None}
    return directories_of({**settings, **chosen}, root=root, home=os.path.expanduser("~"))
