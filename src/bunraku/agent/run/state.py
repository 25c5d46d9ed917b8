"""The state of a run, which all of its steps share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bunraku.agent.catalogs import KeptCatalog
from bunraku.agent.facts import Facts
from bunraku.agent.http import Servers
from bunraku.agent.settings import AgentSettings
from bunraku.apply.log import Destination, RunLog
from bunraku.apply.records import Records
from bunraku.apply.report import Report
from bunraku.apply.transaction import Watch
from bunraku.base.random_names import random_uuid
from bunraku.base.records import record
from bunraku.facts.declaration import PATIENCE
from bunraku.limits.limits import Limits
from bunraku.world.host import Host


@record(frozen=True)
class Choices:
    """What the command chooses besides the settings; ``patience`` is the time limit of a custom fact."""

    level: str = "notice"
    job: str | None = None
    ruby_providers: bool = True
    patience: float = PATIENCE
    limits: Limits = Limits()
    watch: Watch | None = None


class RunState:
    """The state of a run with the settings of a node; ``servers`` are asked with the node's certificate.

    ``records`` are the files of earlier runs; the caller holds their lock.
    """

    def __init__(
        self,
        settings: AgentSettings,
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
            random_uuid(),
            mode="agent",
            job=self.choices.job,
            initial_environment=self.environment,
        )

    @property
    def kept(self) -> KeptCatalog:
        """The catalog of an earlier run."""
        return KeptCatalog(self.settings, self.node, self.host, self.records.make_directory)

    @property
    def configured(self) -> str | None:
        """The environment in the configuration; None without one."""
        return self.settings.text("environment") if "environment" in self.settings.given else None

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Add the duration of the block to the report."""
        begin = self.host.monotonic()
        try:
            yield
        finally:
            self.report.times[name] = self.host.monotonic() - begin

    def switch(self, environment: str) -> None:
        """Continue in another environment."""
        self.environment = self.report.environment = environment
