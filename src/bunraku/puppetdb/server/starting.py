"""Start a PuppetDB in this process: its queue, and the threads that work on it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from bunraku.puppetdb.commands.process import ProcessingOptions
from bunraku.puppetdb.commands.queue import Queue
from bunraku.puppetdb.commands.worker import Worker
from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.server.commands import Intake
from bunraku.puppetdb.server.service import Service
from bunraku.puppetdb.settings import PuppetDBSettings
from bunraku.puppetdb.storage.cleaner import Cleaner


def start(
    open_things: ExitStack,
    database: Database,
    settings: PuppetDBSettings,
    folders: tuple[str, str],
    log: Callable[[str], None],
) -> Service:
    """Return a service whose threads run until the stack is closed.

    ``folders`` are those of queued and of discarded commands; ``log`` is called with sentences.
    """
    queue = Queue(*folders)
    open_things.callback(queue.close)
    limits = ProcessingOptions(
        settings.max_command_size, settings.resource_events_ttl, settings.facts_blocklist
    )
    worker = Worker(database, queue, log, limits)
    worker.start()
    open_things.callback(worker.stop)
    cleaner = Cleaner(database, settings, log)
    cleaner.start()
    open_things.callback(cleaner.stop)
    intake = Intake(queue, worker, settings.max_command_size)
    return Service(database, settings, intake=intake, cleaner=cleaner)
