"""The files that runs keep on the machine: state, reports and lists; and the lock of the run."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TypeVar

from bunraku.apply.directories import Directories
from bunraku.apply.issues import RUN_IN_PROGRESS
from bunraku.apply.report import Report
from bunraku.apply.report_format import report_yaml, summary_data
from bunraku.apply.state import State, read_state, state_text
from bunraku.apply.system_values import SystemValues, read_values, values_text
from bunraku.catalog.catalog import Catalog
from bunraku.formats.failure import FormatError
from bunraku.formats.yaml_writer import ruby_yaml_text
from bunraku.providers.base import Log
from bunraku.world.host import Host

Found = TypeVar("Found")
PRIVATE, READABLE, DIRECTORY = 0o640, 0o644, 0o750


class NoRecords:
    """Keeps nothing on the machine; ``remembered`` is what earlier runs left."""

    def __init__(self, remembered: State | None = None) -> None:
        self.remembered = remembered or State()

    def state(self, log: Log) -> State:
        """Return what the last run remembered."""
        return self.remembered

    def values(self, log: Log) -> SystemValues:
        """Return values of which none is known."""
        return SystemValues({}, enabled=False)

    def keep(self, state: State, values: SystemValues, log: Log) -> None:
        """Keep nothing."""

    def keep_report(self, report: Report) -> None:
        """Keep nothing."""


class Records(NoRecords):
    """The files of runs below some directories of a machine.

    ``corrective`` says whether the values that a run leaves behind are kept, by which the next one
    recognises corrective changes. All files are written whole, and others cannot read them.
    """

    def __init__(self, host: Host, directories: Directories, *, corrective: bool = False) -> None:
        super().__init__()
        self.host = host
        self.directories = directories
        self.corrective = corrective

    # -- the lock --------------------------------------------------------------------------------

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock of the run; raise PuppetError if another run holds it."""
        path = self.directories.lock
        self.make_directory(posixpath.dirname(path))
        with self.host.lock(path) as mine:
            if not mine:
                raise RUN_IN_PROGRESS(path=path, holder=self.holder(path))
            yield

    def holder(self, path: str) -> str:
        """Return who holds a lock, as far as it is known."""
        with suppress(OSError):
            number = self.host.read(path).decode("ascii", "replace").strip()
            if number.isdigit():
                return f"process {number}"
        return "another process"

    # -- what earlier runs left ------------------------------------------------------------------

    def state(self, log: Log) -> State:
        """Return what the last run remembered."""
        found = self.read(self.directories.memory, read_state, log)
        return State() if found is None else found

    def values(self, log: Log) -> SystemValues:
        """Return the values that the last run left behind."""
        if not self.corrective:
            return super().values(log)
        found = self.read(self.directories.store, read_values, log)
        return SystemValues(found or {}, enabled=True)

    def read(self, path: str, reader: Callable[[bytes], Found], log: Log) -> Found | None:
        """Return what a file holds; a damaged one is renamed, with one warning."""
        try:
            content = self.host.read(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            log("warning", f"Could not read {path}: {error.strerror or error}")
            return None
        try:
            return reader(content)
        except (ValueError, FormatError) as error:
            log("warning", f"{path} is damaged and was renamed to {path}.bad: {error}")
            self.host.rename(path, f"{path}.bad")
            return None

    # -- what this run leaves --------------------------------------------------------------------

    def keep(self, state: State, values: SystemValues, log: Log) -> None:
        """Write what the next run should know."""
        path = self.directories.memory
        if self.host.status(path) is None:
            log("info", f"Creating state file {path}")
        self.write(path, state_text(state, self.host.now()))
        if values.enabled:
            self.write(self.directories.store, values_text(values.fresh))

    def keep_report(self, report: Report) -> None:
        """Write the report of a run and its summary."""
        self.write(self.directories.report, report_yaml(report))
        summary = ruby_yaml_text(summary_data(report, self.host.now()))
        self.write(self.directories.summary, summary, mode=READABLE)

    def keep_lists(self, catalog: Catalog, managed: Sequence[str]) -> None:
        """Write the names of the classes and of the resources of a catalog, each on a line."""
        self.write(self.directories.classes, lines(catalog.classes))
        self.write(self.directories.resources, lines([name.lower() for name in managed]))

    def write(self, path: str, text: str, *, mode: int = PRIVATE) -> None:
        """Write a file whole; directories that are missing are made."""
        self.make_directory(posixpath.dirname(path))
        self.host.replace_file(path, [text.encode("utf-8", "surrogateescape")], mode=mode)

    def make_directory(self, path: str) -> None:
        """Make a directory and those above it, where they are missing."""
        if path in ("", "/") or self.host.is_directory(path):
            return
        self.make_directory(posixpath.dirname(path))
        with suppress(FileExistsError):  # another run was quicker
            self.host.make_directory(path, DIRECTORY)


def remembered(host: Host, directories: Directories) -> State:
    """Return what the last run remembered, and change nothing: nothing from a damaged file."""
    try:
        return read_state(host.read(directories.memory))
    except (OSError, ValueError, FormatError):
        return State()


def lines(names: Sequence[str]) -> str:
    """Return names, each on a line."""
    return "".join(f"{name}\n" for name in names)
