"""The thread that processes queued commands."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic, time

from bunraku.base.errors import PuppetError
from bunraku.base.garbage_collection import PATIENT
from bunraku.base.records import record
from bunraku.puppetdb import issues
from bunraku.puppetdb.commands.counts import Counts
from bunraku.puppetdb.commands.process import Change, Command, Prepare, ProcessingOptions, prepare
from bunraku.puppetdb.commands.queue import Attempt, CommandEntry, Queue
from bunraku.puppetdb.databases.database import Connection, Database

ATTEMPTED = frozenset([issues.UNSUPPORTED_COMMAND.code, issues.UNSTORABLE_DOCUMENT.code])
"""Errors that PuppetDB finds when it stores a command, not when it checks one."""


@record(frozen=True)
class Schedule:
    """How many commands are processed together, and when failed ones are tried again, in seconds.

    ``at_once`` commands share a transaction, or fewer if their payloads have ``bytes_at_once``: each
    is in memory until its end, as objects of about ten times the size. Commands that arrive within
    ``gathering`` seconds of the first are taken with it. A stop waits for the commands
    that were taken. ``retries`` are the delays after
    each failed attempt: a command is discarded after the last one, a day later. While the database
    is unavailable, ``longest_pause`` is the most between attempts; after ``at_the_head`` attempts
    of one command it is set ``aside`` for others, as it may be the cause itself.
    """

    at_once: int = 50
    bytes_at_once: int = 1024 * 1024
    gathering: float = 0.01
    retries: tuple[float, ...] = (1, 10, 60, 600, 3600, 6 * 3600, 18 * 3600)
    longest_pause: float = 30.0
    at_the_head: int = 5
    aside: float = 600.0


@record(frozen=True)
class CommandOutcome:
    """What became of a command; ``attempted`` is false if its payload is invalid."""

    error: str | None = None
    attempted: bool = True


class Waiter:
    """Waits for the outcome of one command."""

    def __init__(self) -> None:
        self.event = Event()
        self.outcome: CommandOutcome | None = None

    def wait(self, seconds: float) -> CommandOutcome | None:
        """Return the outcome; None if there is none after the time."""
        self.event.wait(seconds)
        return self.outcome


class DatabaseUnavailable(Exception):
    """Raised if the work of several commands was undone, by no fault of theirs."""

    def __init__(self, reason: str, entries: Sequence[CommandEntry]) -> None:
        super().__init__(reason)
        self.entries = entries


class Worker:
    """Processes the commands of a queue in a thread, in order of arrival.

    ``log`` is called with sentences about what went wrong, ``options`` changes what is stored.
    ``prepare`` returns how a command changes the database.
    """

    def __init__(
        self,
        database: Database,
        queue: Queue,
        log: Callable[[str], None],
        options: ProcessingOptions | None = None,
        schedule: Schedule | None = None,
        prepare: Prepare = prepare,
    ) -> None:
        self.database = database
        self.queue = queue
        self.log = log
        self.options = options or ProcessingOptions()
        self.schedule = schedule or Schedule()
        self.prepare = prepare
        self.counts = Counts()
        self.lock = Lock()
        self.waiters: dict[str, Waiter] = {}
        self.stopping = Event()
        self.pause = 0.0
        self.thread = Thread(target=self.run, name="commands", daemon=True)

    @property
    def unavailable(self) -> bool:
        """Whether the database could not be used at the last attempt."""
        return self.pause > 0

    def start(self) -> None:
        """Begin to process commands."""
        self.thread.start()

    def stop(self) -> None:
        """Finish the current commands and end the thread; the others stay in the queue."""
        self.stopping.set()
        self.queue.wake()
        self.thread.join()

    @contextmanager
    def expected(self, uuid: str) -> Iterator[Waiter]:
        """Lend an object that waits for a command, which is queued within the block."""
        waiter = Waiter()
        with self.lock:
            self.waiters[uuid] = waiter
        try:
            yield waiter
        finally:
            with self.lock:
                del self.waiters[uuid]

    def report(self, entry: CommandEntry, outcome: CommandOutcome) -> None:
        """Give the outcome of a command to the thread that waits for it."""
        with self.lock:
            waiter = self.waiters.get(entry.metadata.uuid)
        if waiter is not None and waiter.outcome is None:
            waiter.outcome = outcome
            waiter.event.set()

    def run(self) -> None:
        """Process commands until the stop."""
        while not self.stopping.is_set():
            entries = self.take()
            if not entries:
                continue
            try:
                self.process(entries)
                self.pause = 0.0
            except DatabaseUnavailable as error:
                self.postpone(error.entries, str(error))

    def take(self) -> list[CommandEntry]:
        """Return the next commands; wait a moment for more, unless a client waits for the first."""
        most = self.schedule.at_once
        if self.unavailable:
            return self.queue.take(1)
        entries = self.queue.take(most)
        if entries and len(entries) < most and not self.waiters:
            self.stopping.wait(self.schedule.gathering)
            entries += self.queue.take(most - len(entries), 0)
        return entries

    def postpone(self, entries: Sequence[CommandEntry], error: str) -> None:
        """Queue commands again and wait, because the database is unavailable.

        A command that fails alone again and again is set aside, as it may be the cause itself.
        """
        self.pause = min(max(1.0, self.pause * 2), self.schedule.longest_pause)
        self.log(f"The database is unavailable, next attempt in {self.pause:g} seconds: {error}")
        for entry in entries:
            entry.postponed += 1
            aside = len(entries) == 1 and entry.postponed % self.schedule.at_the_head == 0
            self.queue.put_back(entry, self.schedule.aside if aside else 0)
        self.stopping.wait(self.pause)

    def process(self, entries: Sequence[CommandEntry]) -> None:
        """Process commands in one transaction, or in several if they are large.

        Raise DatabaseUnavailable with the commands that are not done.
        """
        waiting = deque(entries)
        while waiting:
            changes: list[tuple[CommandEntry, Change]] = []
            size = 0
            while waiting and size < self.schedule.bytes_at_once:
                entry = waiting.popleft()
                with PATIENT:
                    change = self.prepared(entry)
                if change is not None:
                    changes.append((entry, change))
                    size += entry.size
            try:
                with PATIENT:
                    self.store(changes)
            except DatabaseUnavailable as error:
                raise DatabaseUnavailable(str(error), [*error.entries, *waiting]) from None

    def store(self, changes: Sequence[tuple[CommandEntry, Change]]) -> None:
        """Make the changes of commands in one transaction; DatabaseUnavailable if it is undone.

        If one of them fails, all are undone, and then done one by one: each alone can be undone,
        which costs two statements more.
        """
        begin = monotonic()
        if not changes:
            return
        failed: dict[int, str] = {}

        def together(connection: Connection) -> None:
            for _, change in changes:
                change(connection)

        def apply(connection: Connection) -> None:
            failed.clear()
            if len(changes) > 1 and attempt(connection, together) is None:
                return
            for entry, change in changes:
                error = attempt(connection, change)
                if error is not None:
                    failed[entry.number] = error

        try:
            self.database.write(apply)
        except Exception as error:
            raise DatabaseUnavailable(error_text(error), [one for one, _ in changes]) from None
        seconds = (monotonic() - begin) / len(changes)
        for entry, _ in changes:
            if entry.number in failed:
                self.retry(entry, failed[entry.number])
            else:
                self.finish(entry, seconds)

    def prepared(self, entry: CommandEntry) -> Change | None:
        """Return how a command changes the database; None if there is nothing to do."""
        metadata = entry.metadata
        if entry.obsolete:
            self.drop(entry)
            return None
        try:
            payload = self.queue.read(entry, self.options.most_bytes or None)
            if payload is None:
                self.log(f"The file of a queued command disappeared: {entry.name}")
                self.drop(entry)
                return None
            entry.size = len(payload)
            return self.prepare(Command.of(metadata, payload), self.options, self.log)
        except PuppetError as error:
            attempted = error.diagnostic.code in ATTEMPTED
            self.discard(entry, CommandOutcome(str(error), attempted=attempted), fatal=True)
        except Exception as error:
            self.retry(entry, error_text(error))
        return None

    def finish(self, entry: CommandEntry, seconds: float) -> None:
        """Remove a command whose changes are in the database."""
        self.remove(entry)
        self.count(
            entry,
            processed=1,
            processing_seconds=seconds,
            queue_seconds=max(0.0, time() - entry.metadata.received / 1000),
        )
        self.report(entry, CommandOutcome())

    def drop(self, entry: CommandEntry) -> None:
        """Remove a command that needs no work: a newer one replaces it, or its file is missing."""
        self.remove(entry)
        self.count(entry, obsolete=1)
        self.report(entry, CommandOutcome())

    def remove(self, entry: CommandEntry) -> None:
        """Remove a command from the queue; one that cannot be removed is repeated at a start."""
        try:
            self.queue.finish(entry)
        except OSError as error:
            self.log(f"Cannot remove the processed command {entry.name}: {error}")

    def retry(self, entry: CommandEntry, error: str) -> None:
        """Process a command again after a delay; discard it after the last one."""
        attempts = len(entry.attempts)
        if attempts >= len(self.schedule.retries):
            self.discard(entry, CommandOutcome(error))
            return
        seconds = self.schedule.retries[attempts]
        entry.attempts.append(Attempt(now(), error))
        self.queue.put_back(entry, seconds)
        self.count(entry, retried=1)
        self.log(f"{described(entry)} failed, next attempt in {seconds:g} seconds: {error}")
        self.report(entry, CommandOutcome(error))

    def discard(self, entry: CommandEntry, outcome: CommandOutcome, *, fatal: bool = False) -> None:
        """Move a command to the folder of discarded ones."""
        error = outcome.error or ""
        entry.attempts.append(Attempt(now(), error))
        self.log(f"{described(entry)} is discarded: {error}")
        try:
            self.queue.discard(entry)
        except OSError as problem:
            self.log(f"Cannot move {entry.name} to {self.queue.discarded}: {problem}")
            self.queue.put_back(entry, self.schedule.aside)
        else:
            self.count(entry, discarded=1, fatal=int(fatal))
        self.report(entry, outcome)

    def count(self, entry: CommandEntry, **amounts: float) -> None:
        """Add to the counts of a command."""
        self.counts.add(entry.metadata.command, entry.metadata.version, **amounts)


def attempt(connection: Connection, change: Change) -> str | None:
    """Make a change that can be undone alone; return the error, None if there was none.

    The error of an unavailable database is raised instead, because the change can be repeated.
    """
    try:
        with connection.savepoint():
            change(connection)
    except PuppetError as error:
        if error.diagnostic.code == issues.DATABASE_UNAVAILABLE.code:
            raise
        return str(error)
    except Exception as error:
        return error_text(error)
    return None


def described(entry: CommandEntry) -> str:
    """Return a command in words."""
    metadata = entry.metadata
    return f"Command '{metadata.command}' version {metadata.version} for {metadata.certname}"


def error_text(error: Exception) -> str:
    """Return an error in one line, with its class if it is not one of bunraku's."""
    return str(error) if isinstance(error, PuppetError) else f"{type(error).__name__}: {error}"


def now() -> int:
    """Return the time in milliseconds since 1970."""
    return int(time() * 1000)
