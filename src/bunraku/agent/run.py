"""One run of an agent: plugins, facts, catalog, changes, report. The order is that of Puppet's agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from bunraku.agent import issues
from bunraku.agent.catalogs import Answer, CatalogRequest, KeptCatalog, request_catalog
from bunraku.agent.facts import Facts, facts_text, find_facts
from bunraku.agent.files import ServerFiles, inlined_in
from bunraku.agent.http import JSON, Query, Refused, Servers, encoded
from bunraku.agent.plugins import Plugins, mounts
from bunraku.agent.settings import Settings
from bunraku.apply.log import Destination, RunLog
from bunraku.apply.records import Records
from bunraku.apply.report import Report, managed_references
from bunraku.apply.report_format import report_data
from bunraku.apply.run import apply_catalog
from bunraku.apply.transaction import FromServer, Options, Watch
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.records import record
from bunraku.base.signals import Postponed, Terminated
from bunraku.base.suggestions import suggestion
from bunraku.catalog.catalog import Catalog
from bunraku.engine.deferred import deferred_resolver
from bunraku.engine.request import Request
from bunraku.facts.declaration import PATIENCE
from bunraku.formats.encoding import to_bytes
from bunraku.formats.failure import FormatError
from bunraku.formats.json import json_text
from bunraku.formats.yaml import load_plain
from bunraku.limits.limits import Limited, Limits
from bunraku.modules.names import node_name_problem
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file.web_sources import web_request
from bunraku.runtime.log import LogEntry
from bunraku.world.host import Command, CommandTimeout, Host

NOT_FOUND = 404
TRIES = 3
"""How often a run begins again in another environment after the second time."""
DIGEST = "sha256"
PLUGIN_MODE = 0o755
"""The mode of the directories of plugins, before that of the server is known."""


@record(frozen=True)
class Choices:
    """What the command chooses besides the settings; ``patience`` is the time limit of a custom fact."""

    level: str = "notice"
    job: str | None = None
    ruby_providers: bool = False
    patience: float = PATIENCE
    limits: Limits = Limits()
    watch: Watch | None = None


class AgentRun:
    """One run with the settings of a node; ``servers`` are asked with the node's certificate.

    ``records`` are the files of earlier runs; the caller holds their lock.
    """

    def __init__(
        self,
        settings: Settings,
        servers: Servers,
        records: Records,
        destinations: Sequence[Destination],
        choices: Choices,
    ) -> None:
        self.settings = settings
        self.servers = servers
        self.records = records
        self.host: Host = records.host
        self.choices = choices
        self.environment = settings.text("environment")
        self.node = settings.node_name
        """The name of the node in requests; a fact may change it."""
        self.started = self.host.monotonic()
        self.report = self.new_report()
        self.destinations = destinations
        self.log = RunLog(choices.level, self.host.now, [self.report.logs.append, *destinations])
        self.facts: Facts = {}
        self.signal: int | None = None
        """The signal that stopped the run after a resource."""
        self.failing = False
        """Whether the plugins could not be copied, so the cached catalog is used."""
        self.uses_kept = settings.flag("use_cached_catalog")
        self.falls_back = settings.flag("usecacheonfailure")

    def new_report(self) -> Report:
        """Return the report of the run, which begins before there is a catalog."""
        return Report(
            self.node,
            self.environment,
            None,
            self.host.now(),
            self.settings.flag("noop"),
            self.servers.version,
            str(uuid4()),
            mode="agent",
            job=self.choices.job,
            initial_environment=self.environment,
        )

    # -- the whole -------------------------------------------------------------------------------

    def run(self) -> int | None:
        """Return the exit code for ``--detailed-exitcodes``; None if no catalog was applied."""
        done = False
        self.find_server()
        try:
            try:
                self.find_node_name()
                done = self.converge_and_apply()
            except (PuppetError, ResourceFailure) as error:
                self.log("err", f"Failed to apply catalog: {error}")
            finally:
                done = self.command("postrun_command") and done
        finally:
            self.finish()
        if self.signal is not None:
            raise Terminated(self.signal)
        return self.report.exit_code() if done else None

    @property
    def kept(self) -> KeptCatalog:
        """The catalog of an earlier run."""
        return KeptCatalog(self.settings, self.node, self.host, self.records.make_directory)

    def converge_and_apply(self) -> bool:
        """Find the environment and the catalog, and apply it; return whether there was one."""
        answer = self.explicitly_kept()
        if answer is None:
            self.choose_environment()
        self.log("info", f"Using environment '{self.environment}'")
        if answer is None:
            if self.copies_plugins() and self.environment_exists():
                self.copy_plugins()
            self.find_facts()
            answer = self.catalog()
        else:
            self.find_facts()
        if answer is None:
            self.log("err", "Could not retrieve catalog; skipping run")
            return False
        answer = self.converged(answer)
        if answer is None:
            return False
        if not self.settings.flag("noop"):
            self.log("info", f"Caching catalog for {self.node}")
            self.kept.write(answer[1], self.log)
        if not self.command("prerun_command"):
            return False
        self.apply(answer[0])
        return True

    def find_server(self) -> None:
        """Choose the server of ``server_list``; PuppetError if none answers and nothing is kept."""
        listed = self.settings.words("server_list")
        if not listed:
            return
        self.servers.routes.forget()
        try:
            self.report.server_used = self.servers.routes.find("puppet", self.servers).text()
        except PuppetError:
            servers = ",".join(listed)
            if not self.falls_back:
                raise issues.NO_SERVER(servers=servers) from None
            self.failing = True
            text = "Could not select a functional puppet server from server_list:"
            self.log("err", f"{text} '{servers}'")

    def copies_plugins(self) -> bool:
        """Return whether plugins are copied before the first catalog."""
        return not self.settings.flag("use_cached_catalog") and not self.failing

    def finish(self) -> None:
        """Complete the report, send it and keep it."""
        report = self.report
        report.times["total"] = self.host.monotonic() - self.started
        try:
            if self.settings.flag("report"):
                self.send_report()
        finally:
            self.records.keep_report(report, self.log)
            self.servers.client.close()

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Add the duration of the block to the report."""
        begin = self.host.monotonic()
        try:
            yield
        finally:
            self.report.times[name] = self.host.monotonic() - begin

    # -- the environment -------------------------------------------------------------------------

    def switch(self, environment: str) -> None:
        """Continue in another environment."""
        self.environment = self.report.environment = environment

    def choose_environment(self) -> None:
        """Take the environment of the last run or of the server, unless an option sets it."""
        settings = self.settings
        if "environment" in settings.by_option or settings.flag("strict_environment_mode"):
            return
        last = self.last_environment() if settings.flag("use_last_environment") else None
        if last is None:
            last = self.environment_of_server()
        if last:
            self.switch(last)

    def last_environment(self) -> str | None:
        """Return the environment that the server chose in the last run; empty if it chose none.

        None means that there was no run of an agent.
        """
        try:
            summary = load_plain(self.host.read(self.records.directories.summary))
            found = summary["application"]
            if found["run_mode"] != "agent":
                return None
            initial, converged = found["initial_environment"], found["converged_environment"]
        except (OSError, FormatError, ValueError, KeyError, TypeError):
            return None
        return "" if initial == converged else str(converged)

    def environment_of_server(self) -> str | None:
        """Return the environment that the server has for this node; None if it does not say."""
        name = encoded(self.node)
        pairs = [
            ("environment", self.environment),
            ("configured_environment", self.configured or self.environment),
            ("transaction_uuid", self.report.transaction),
        ]
        try:
            with self.timed("node_retrieval"):
                node = self.servers.json(Query("puppet", f"/node/{name}", pairs))
        except PuppetError as error:
            text = "Unable to fetch my node definition, but the agent run will continue:"
            self.log("warning", text)
            self.log("warning", error.message)
            return None
        found = node.get("environment") if isinstance(node, dict) else None
        if not isinstance(found, str):
            return None
        if found != self.environment:
            self.log(
                "notice",
                f"Local environment: '{self.environment}' doesn't match server specified node "
                f"environment '{found}', switching agent to '{found}'.",
            )
        return found

    @property
    def configured(self) -> str | None:
        """The environment in the configuration; None without one."""
        return self.settings.text("environment") if "environment" in self.settings.given else None

    def environment_exists(self) -> bool:
        """Return whether the server has the environment; PuppetError if it must have it."""
        pairs = [
            ("recurse", "false"),
            ("links", "manage"),
            ("checksum_type", DIGEST),
            ("source_permissions", "ignore"),
            ("environment", self.environment),
        ]
        path = "/file_metadatas/" + self.settings.text("pluginsource").rpartition("/")[2]
        try:
            self.servers.json(Query("fileserver", path, pairs))
        except Refused as error:
            if error.status != NOT_FOUND:
                self.log("err", error.message)
                return False
            if self.settings.flag("strict_environment_mode"):
                raise issues.ENVIRONMENT_MISSING(name=self.environment) from None
            text = "not found on server, skipping initial pluginsync."
            self.log("notice", f"Environment '{self.environment}' {text}")
            return False
        except PuppetError as error:
            self.log("err", error.message)
            return False
        return True

    def converged(self, answer: Answer) -> Answer | None:
        """Return the catalog of an environment that the server agrees with; None without one."""
        for tries in range(TRIES + 2):
            found = answer[0].environment
            if not found or found == self.environment:
                return answer
            if self.settings.flag("strict_environment_mode"):
                self.log(
                    "err",
                    f"Not using catalog because its environment '{found}' does not match agent "
                    f"specified environment '{self.environment}' and strict_environment_mode is set",
                )
                return None
            if tries > TRIES:
                break
            self.log(
                "notice",
                f"Local environment: '{self.environment}' doesn't match server specified environment "
                f"'{found}', restarting agent run with environment '{found}'",
            )
            self.switch(found)
            self.copy_plugins()
            self.find_facts()
            again = self.catalog()
            if again is None:
                self.log("err", "Could not retrieve catalog; skipping run")
                return None
            answer = again
        raise issues.UNSTABLE_ENVIRONMENT(tries=TRIES + 1)

    # -- plugins and facts -----------------------------------------------------------------------

    def copy_plugins(self) -> None:
        """Copy the plugins of the environment; after a failure use the cached catalog, or raise it."""
        plugins = Plugins(
            self.settings,
            self.host,
            self.servers,
            self.log,
            self.log.destinations,
            self.choices.level,
        )
        try:
            self.records.make_directory(self.settings.text("vardir"))
            for mount in mounts(self.settings):
                if not self.host.is_directory(mount.directory):
                    self.host.make_directory(mount.directory, PLUGIN_MODE)
            with self.timed("plugin_sync"):
                plugins.copy(self.environment)
        except PuppetError as error:
            if not self.falls_back or self.settings.flag("ignore_plugin_errors"):
                raise
            self.log("err", error.message)
            self.failing = True
        except OSError as error:
            path = self.settings.text("vardir")
            raise issues.PLUGINS_FAILED(name=path, reason=error.strerror or error) from None

    def find_facts(self) -> None:
        """Collect the facts."""

        def warn(finding: Diagnostic) -> None:
            self.log("warning", finding.message)

        for directory in self.settings.text("factpath").split(":"):
            if self.host.is_directory(directory):
                self.log("info", "Loading facts")
        with self.timed("fact_generation"):
            self.facts = find_facts(
                self.host, self.settings, self.servers.version, warn, self.choices.patience
            )

    def find_node_name(self) -> None:
        """Take the node's name from the fact of node_name_fact; PuppetError if it cannot be one."""
        fact = self.settings.text("node_name_fact")
        if not fact:
            return
        if self.copies_plugins():  # they can have the fact
            self.copy_plugins()
        self.find_facts()
        value = self.facts.get(fact)
        if not isinstance(value, str):
            found = "there is none" if fact not in self.facts else "it is not a text"
            reason = f"{found}{suggestion(fact, self.facts)}"
            raise issues.NODE_NAME_FACT(fact=fact, reason=reason)
        problem = node_name_problem(value)
        if problem is not None:
            raise issues.NODE_NAME_FACT(fact=fact, reason=problem)
        self.node = self.report.host = value

    # -- the catalog -----------------------------------------------------------------------------

    def explicitly_kept(self) -> Answer | None:
        """Return the cached catalog if the settings require it; None if there is none, too."""
        if not self.uses_kept:
            return None
        answer = self.kept.read(self.log)
        if answer is None:
            self.uses_kept = self.falls_back = False
            return None
        self.report.cached = "explicitly_requested"
        found = answer[0].environment
        self.log("info", f"Using cached catalog from environment '{found}'")
        if found != self.environment and not self.settings.flag("strict_environment_mode"):
            self.log(
                "notice",
                f"Local environment: '{self.environment}' doesn't match the environment of the cached "
                f"catalog '{found}', switching agent to '{found}'.",
            )
            self.switch(found)
        return answer

    def catalog(self) -> Answer | None:
        """Return a catalog of the server, or the cached one after a failure; None without one."""
        if self.failing:
            return self.kept_after_failure(same=False) or self.new_catalog()
        return self.new_catalog() or self.kept_after_failure()

    def new_catalog(self) -> Answer | None:
        """Return a catalog of the server; log an error and return None without one."""
        wanted = CatalogRequest(
            self.node,
            facts_text(
                self.node,
                self.facts,
                self.host.now(),
                self.settings.number("runinterval"),
            ),
            self.environment,
            self.configured,
            self.report.transaction,
            self.choices.job,
            ".".join(self.settings.words("supported_checksum_types")),
        )
        try:
            with self.timed("config_retrieval"):
                return request_catalog(self.servers, self.log, wanted)
        except PuppetError as error:
            text = f"Could not retrieve catalog from remote server: {error.message}"
            self.log("err", text)
            return None

    def kept_after_failure(self, *, same: bool = True) -> Answer | None:
        """Return the cached catalog, if it may be used; ``same`` requires the same environment."""
        if not self.falls_back:
            self.log("warning", "Not using cache on failed catalog")
            return None
        answer = self.kept.read(self.log)
        if answer is None:
            return None
        found = answer[0].environment
        if same and found != self.environment:
            self.log(
                "err",
                f"Not using cached catalog because its environment '{found}' does not match "
                f"'{self.environment}'",
            )
            return None
        self.report.cached = "on_failure"
        self.log("info", f"Using cached catalog from environment '{found}'")
        return answer

    # -- the changes -----------------------------------------------------------------------------

    def apply(self, catalog: Catalog) -> None:
        """Apply a catalog as ``bunraku apply`` does; the outcome is added to the report."""
        report, settings = self.report, self.settings
        data = catalog.to_data()
        report.version, report.catalog_uuid = catalog.version, catalog.uuid
        report.code_id = data.get("code_id")
        files = ServerFiles(self.servers, self.environment, inlined_in(data))
        with Postponed() as signals:
            apply_catalog(
                catalog,
                self.host,
                self.settings_of_run(),
                records=self.records,
                options=Options(
                    tags=tuple(settings.words("tags")),
                    skip_tags=tuple(settings.words("skip_tags")),
                    ignore_schedules=settings.flag("ignoreschedules"),
                    stopped=lambda: signals.came() or self.is_late(),
                    watch=self.choices.watch,
                    traces=settings.flag("evaltrace"),
                    web=web_request(settings.values, self.host, self.servers.version),
                    agent=FromServer(report, files, [settings.text("libdir")]),
                ),
                destinations=self.destinations,
                level=self.choices.level,
                resolve=self.resolve,
            )
        self.signal = signals.number
        if settings.flag("write_catalog_summary"):
            managed = managed_references(catalog, report)
            self.records.keep_lists(catalog, managed, self.log)

    def is_late(self) -> bool:
        """Return whether the run takes longer than the setting runtimeout, after a message about it."""
        longest = self.settings.interval("runtimeout")
        late = bool(longest) and self.host.monotonic() - self.started > (longest or 0.0)
        if late:
            text = f"did not complete within {longest:g} seconds and was terminated."
            text = f"Execution of Puppet configuration client {text}"
            self.log("err", text)
        return late

    def settings_of_run(self) -> dict[str, Any]:
        """Return the settings that resources and the report need."""
        flags = ("noop", "show_diff", "preprocess_deferred")
        return {
            **self.settings.values,
            **{name: self.settings.flag(name) for name in flags},
            "ruby_providers": self.choices.ruby_providers,
            "puppet_version": self.servers.version,
        }

    def resolve(self, value: Any) -> Any:
        """Return a value of the catalog with its deferred calls replaced by their results."""

        def log(entry: LogEntry) -> None:
            self.log(entry.level, entry.message)

        request = Request(
            node=self.node,
            facts=self.facts,
            code="",
            settings={"environment": self.environment},
            adds_versions=True,
        )
        with Limited(self.choices.limits):
            return deferred_resolver(request, log)(value)

    def command(self, name: str) -> bool:
        """Run the command of a setting; log a failure and return False."""
        line = self.settings.text(name)
        if not line:
            return True
        try:
            done = self.host.execute(Command(line, merged=True))
            text = f"Execution of '{line}' returned {done.code}: {done.output.strip()}"
            reason = text if done.code else None
        except (OSError, CommandTimeout) as error:
            reason = str(error)
        if reason is not None:
            self.log("err", f"Could not run command from {name}: {reason}")
        return reason is None

    # -- the report ------------------------------------------------------------------------------

    def send_report(self) -> None:
        """Send the report to the server; a failure is an error in the log."""
        text = to_bytes(json_text(self.reported())).decode("utf-8", "replace").encode()
        query = Query(
            "report",
            f"/report/{encoded(self.node)}",
            [("environment", self.environment)],
            "PUT",
            JSON,
            text,
            JSON,
        )
        try:
            self.servers.bytes(query)
        except PuppetError as error:
            self.log("err", f"Could not send report: {error.message}")

    def reported(self) -> dict[str, Any]:
        """Return the report as data, without unchanged resources if the settings say so."""
        if not self.settings.flag("exclude_unchanged_resources"):
            return report_data(self.report)
        data, statuses = report_data(self.report), self.report.statuses
        data["resource_statuses"] = {
            reference: status
            for reference, status in data["resource_statuses"].items()
            if not statuses[reference].is_unchanged
        }
        return data
