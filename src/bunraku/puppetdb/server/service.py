"""What the parts of the interface work with: the database, the settings, the queue of commands."""

from __future__ import annotations

from bunraku.base.records import field, record
from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.server.commands import Intake
from bunraku.puppetdb.settings import Settings


@record(frozen=True)
class Service:
    """A running PuppetDB; without ``intake`` it accepts no commands.

    ``allowed`` are the names in certificates of clients, None means all.
    """

    database: Database
    settings: Settings = field(default_factory=Settings)
    allowed: frozenset[str] | None = None
    intake: Intake | None = None
