"""What the parts of the interface work with: the database, the settings, the queue of commands."""

from __future__ import annotations

from bunraku.base.records import field, record
from bunraku.puppetdb.commands.counts import Count
from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.server.commands import Intake
from bunraku.puppetdb.settings import PuppetDBSettings
from bunraku.puppetdb.storage.cleaner import Cleaner


@record(frozen=True)
class Service:
    """A running PuppetDB; without ``intake`` it accepts no commands, without ``cleaner`` no cleaning.

    ``allowed`` are the names in certificates of clients, None means all.
    """

    database: Database
    settings: PuppetDBSettings = field(default_factory=PuppetDBSettings)
    allowed: frozenset[str] | None = None
    intake: Intake | None = None
    cleaner: Cleaner | None = None

    @property
    def queue_depth(self) -> int:
        """How many commands are not processed yet."""
        return 0 if self.intake is None else self.intake.queue.depth

    @property
    def awaiting_retry(self) -> int:
        """How many commands wait for another attempt."""
        return 0 if self.intake is None else self.intake.queue.awaiting_retry

    @property
    def command_counts(self) -> dict[str, Count]:
        """What happened to commands, in all and by name and version."""
        return {} if self.intake is None else self.intake.worker.counts.snapshot()
