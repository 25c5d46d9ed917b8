"""The files that runs keep on the machine: state, reports and lists; and the lock of a run."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TypeVar

from bunraku.apply.directories import Directories
from bunraku.apply.issues import NO_LOCK, RUN_IN_PROGRESS
from bunraku.apply.report import Report
from bunraku.apply.report_format import report_yaml, summary_data
from bunraku.apply.state import State, read_state, state_text
from bunraku.apply.system_values import SystemValues, read_values, values_text
from bunraku.catalog.catalog import Catalog
from bunraku.formats.failure import FormatError
from bunraku.formats.yaml_writer import ruby_yaml_text
from bunraku.providers.run import Log
from bunraku.world.host import Host

Found = TypeVar("Found")
PRIVATE, READABLE, DIRECTORY = 0o640, 0o644, 0o750


class NoRecords:
    """Keeps nothing on the machine; ``remembered`` is the state that earlier runs left."""

    def __init__(self, remembered: State | None = None) -> None:
        self.remembered = remembered or State()

    def state(self, log: Log) -> State:
        """Return the state of the last run."""
        return self.remembered

    def values(self, log: Log) -> SystemValues:
        """Return an empty set of values: none is known."""
        return SystemValues({}, enabled=False)

    def keep(self, state: State, values: SystemValues, log: Log) -> None:
        """Do nothing: no file is written."""

    def keep_report(self, report: Report, log: Log) -> None:
        """Do nothing: no file is written."""


class Records(NoRecords):
    """The files of runs below the directories of a machine.

    ``corrective`` says whether the values at the end of a run are kept. The next run needs them to
    recognise corrective changes; ``reports`` says whether reports are kept besides their summaries.
    All files are replaced atomically, and other users cannot read them.
    """

    def __init__(
        self,
        host: Host,
        directories: Directories,
        *,
        corrective: bool = False,
        reports: bool = True,
    ) -> None:
        super().__init__()
        self.reports = reports
        self.host = host
        self.directories = directories
        self.corrective = corrective

    # -- the lock --------------------------------------------------------------------------------

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock of the run; raise PuppetError if another run holds it."""
        path = self.directories.lock
        with ExitStack() as stack:
            try:
                self.make_directory(posixpath.dirname(path))
                mine = stack.enter_context(self.host.lock(path))
            except OSError as error:
                raise NO_LOCK(path=path, reason=error.strerror or error) from None
            if not mine:
                raise RUN_IN_PROGRESS(path=path, holder=self.holder(path))
            yield

    def holder(self, path: str) -> str:
        """Return the holder of a lock; ``another process`` if its process ID cannot be read."""
        with suppress(OSError):
            number = self.host.read(path).decode("ascii", "replace").strip()
            if number.isdigit():
                return f"process {number}"
        return "another process"

    # -- state of earlier runs --------------------------------------------------------------------

    def state(self, log: Log) -> State:
        """Return the state of the last run."""
        found = self.read(self.directories.memory, read_state, log)
        return State() if found is None else found

    def values(self, log: Log) -> SystemValues:
        """Return the values at the end of the last run."""
        if not self.corrective:
            return super().values(log)
        found = self.read(self.directories.store, read_values, log)
        return SystemValues(found or {}, enabled=True)

    def read(self, path: str, reader: Callable[[bytes], Found], log: Log) -> Found | None:
        """Return the data of a file. Rename a damaged file and log a warning."""
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
            renamed = ""
            with suppress(OSError):
                self.host.rename(path, f"{path}.bad")
                renamed = f" and was renamed to {path}.bad"
            log("warning", f"{path} is damaged{renamed}: {error}")
            return None

    # -- state of this run ------------------------------------------------------------------------

    def keep(self, state: State, values: SystemValues, log: Log) -> None:
        """Write the state and the values for the next run."""
        path = self.directories.memory
        if self.host.status(path) is None:
            log("info", f"Creating state file {path}")
        self.write(path, state_text(state, self.host.now()), log)
        if values.enabled:
            self.write(self.directories.store, values_text(values.fresh), log)

    def keep_report(self, report: Report, log: Log) -> None:
        """Write the report of a run and its summary."""
        if self.reports:
            self.write(self.directories.report, report_yaml(report), log)
        summary = ruby_yaml_text(summary_data(report, self.host.now()))
        self.write(self.directories.summary, summary, log, mode=READABLE)

    def keep_lists(self, catalog: Catalog, managed: Sequence[str], log: Log) -> None:
        """Write the names of the classes and resources of a catalog, one per line."""
        self.write(self.directories.classes, lines(catalog.classes), log)
        self.write(self.directories.resources, lines([name.lower() for name in managed]), log)

    def write(self, path: str, text: str, log: Log, *, mode: int = PRIVATE) -> None:
        """Replace a file atomically; missing directories are created.

        A failure is an error in the log: the changes of the run are made already.
        """
        try:
            self.make_directory(posixpath.dirname(path))
            self.host.replace_file(path, [text.encode("utf-8", "surrogateescape")], mode=mode)
        except OSError as error:
            log("err", f"Could not write {path}: {error.strerror or error}")

    def make_directory(self, path: str) -> None:
        """Create a directory and its missing parents."""
        if path in ("", "/") or self.host.is_directory(path):
            return
        self.make_directory(posixpath.dirname(path))
        with suppress(FileExistsError):  # another run has created it
            self.host.make_directory(path, DIRECTORY)


def remembered(host: Host, directories: Directories) -> State:
    """Return the state of the last run without changing any file; empty if the file is damaged."""
    try:
        return read_state(host.read(directories.memory))
    except (OSError, ValueError, FormatError):
        return State()


def lines(names: Sequence[str]) -> str:
    """Return names, one per line."""
    return "".join(f"{name}\n" for name in names)
