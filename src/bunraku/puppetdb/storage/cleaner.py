"""The thread that cleans the database at the start and after each ``gc_interval``."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock, Thread
from time import time

from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.settings import PuppetDBSettings
from bunraku.puppetdb.storage.expiry import Cleaning, clean


class Cleaner:
    """Cleans a database again and again; an interval of 0 means never.

    ``runs`` counts the runs that ended, ``failures`` those that failed.
    """

    def __init__(
        self, database: Database, settings: PuppetDBSettings, log: Callable[[str], None]
    ) -> None:
        self.database = database
        self.settings = settings
        self.log = log
        self.runs = 0
        self.failures = 0
        self.stopping = Event()
        self.one_at_a_time = Lock()
        self.thread = Thread(target=self.repeat, name="cleaner", daemon=True)

    def start(self) -> None:
        """Begin to clean."""
        self.thread.start()

    def stop(self) -> None:
        """Finish the current run and end the thread."""
        self.stopping.set()
        self.thread.join()

    def repeat(self) -> None:
        """Clean until the stop."""
        while self.settings.gc_interval and not self.stopping.is_set():
            try:
                self.run(limited=True)
            except Exception as error:
                self.failures += 1
                self.log(f"Cannot clean the database: {error}")
            self.stopping.wait(self.settings.gc_interval / 1000)

    def run(self, *steps: str, limited: bool = False) -> None:
        """Carry out some steps of cleaning, or all. Raise PuppetError, ValueError for a step."""
        with self.one_at_a_time:
            now = int(time() * 1000)
            clean(Cleaning(self.database, self.settings, now, self.log, limited=limited), steps)
            self.runs += 1
