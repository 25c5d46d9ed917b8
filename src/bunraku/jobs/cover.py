"""Measure which lines and branches of manifests and templates a command runs."""

from __future__ import annotations

import os
from collections.abc import Sequence

from bunraku.base.records import record
from bunraku.base.usage import UsageError
from bunraku.jobs.context import Context
from bunraku.jobs.paths import near_path
from bunraku.jobs.recorded_program import run_recorded
from bunraku.project.model import NOTHING
from bunraku.project.puppetfile import installed_directories
from bunraku.workbench.coverage.data import BadData, CoverageData, data_text, read_data
from bunraku.workbench.coverage.project import CountedFiles, coverage_of
from bunraku.workbench.coverage.result import Coverage
from bunraku.world.machine import Machine
from bunraku.world.whole_files import KEY_MODE, write_whole

DATA = ".bunraku/coverage"
"""The file in the project that keeps the last measurement."""
IGNORED = b"# What bunraku keeps here is no part of the project.\n*\n"
"""The ``.gitignore`` of its directory."""


@record()
class CoverOptions:
    """What counts, and where the measurement is kept.

    ``exclude`` are patterns of files that do not count. ``data`` is the file of the measurement (default:
    one in the root of the project); ``append`` continues the measurement that it has.
    """

    exclude: Sequence[str] = ()
    data: str | None = None
    append: bool = False


@record()
class LineRuns:
    """The nodes or tests that ran a line; none is an empty list."""

    file: str
    line: int
    runs: Sequence[str]


class Measurement:
    """The coverage of a project: measured, read, combined, removed. Methods raise UsageError."""

    def __init__(self, context: Context, options: CoverOptions) -> None:
        self.scope = scope_of(context, options)
        self.options = options
        self.is_kept = True
        self.path = options.data or os.path.join(self.scope.root, DATA)

    def measure(self, words: Sequence[str], *, aside: bool = False) -> tuple[int, CoverageData]:
        """Run a command, keep what it recorded, and return its exit code and that.

        A command that fails does not replace the last measurement; ``is_kept`` says which case it is.

        The words are a command of bunraku or a program. With ``aside``, its output goes to standard error.
        """
        code, data = run_recorded(words, self.scope, aside=aside)
        has_last = os.path.exists(self.path)
        if self.options.append and has_last:
            data.update(saved(self.path))
        self.is_kept = not (code and has_last)
        if self.is_kept:
            self.keep(data)
        return code, data

    def keep(self, data: CoverageData) -> None:
        """Write the measurement of the project; git ignores the directory that bunraku makes for it."""
        folder = os.path.dirname(self.path)
        if not self.options.data and not os.path.isdir(folder):
            try:
                os.mkdir(folder)
                write_whole(f"{folder}/.gitignore", IGNORED, mode=KEY_MODE)
            except OSError as error:
                raise UsageError(f"cannot write {folder}: {error.strerror}") from error
        save(self.path, data)

    def last(self) -> CoverageData:
        """Return the last measurement."""
        return saved(self.path)

    def combine(self, paths: Sequence[str]) -> CoverageData:
        """Join measurements, such as those of several machines, to the one of the project."""
        data = CoverageData()
        if self.options.append and os.path.exists(self.path):
            data = saved(self.path)
        for path in paths:
            data.update(saved(path))
        self.keep(data)
        return data

    def erase(self) -> None:
        """Remove the measurement of the project."""
        try:
            os.remove(self.path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise UsageError(f"cannot remove {self.path}: {error.strerror}") from error

    def coverage(self, data: CoverageData, only: Sequence[str] = ()) -> Coverage:
        """Return the coverage of the project, or ``only`` of some files."""
        try:
            return coverage_of(data, self.scope, only)
        except OSError as error:
            raise UsageError(f"cannot read {error.filename}: {error.strerror}") from error

    def place(self, text: str) -> tuple[str, int]:
        """Return file and line of ``FILE:LINE``, the file relative to the project."""
        path, _, number = text.rpartition(":")
        if not path or not number.isascii() or not number.isdecimal() or not int(number):
            raise UsageError(f"expected FILE:LINE, not {text!r}")
        choices = [path, os.path.join(self.scope.root, path)]
        file = next((one for one in choices if os.path.isfile(one)), None)
        if file is None:
            raise UsageError(f"cannot find {path}{near_path(path)}")
        name = self.scope.session.name_of(os.path.abspath(file))
        if name is None:
            raise UsageError(f"{path} does not count: it is outside of the project, or left out")
        return name, int(number)

    def runs_of(self, coverage: Coverage, name: str, line: int) -> LineRuns:
        """Return the runs that reached a line; raise UsageError for a line without code."""
        files = [one for one in coverage.files if one.path == name]
        runs = files[0].runs_of_line(line) if files else None
        if runs is None:
            raise UsageError(f"no code is at {name}:{line}")
        return LineRuns(name, line, runs)


def scope_of(context: Context, options: CoverOptions) -> CountedFiles:
    """Return the files that count: those of the project of a context."""
    project = context.project
    language = context.configured("language") or project.value("language") or "8"
    globs = [
        *options.exclude,
        *installed_directories(project, Machine()),
        *configured_globs(context),
    ]
    if project.kind == NOTHING and not context.options.no_project:
        raise UsageError(f"cannot find a module or a control repository: {project.reason}")
    return CountedFiles(
        project.root,
        tuple(one.removesuffix("/**").removesuffix("/").removeprefix("./") for one in globs),
        language,
    )


def configured_globs(context: Context) -> list[str]:
    """Return the globs of the configuration file, relative to the project instead of that file."""
    choice = context.options.configured.get("exclude")
    if choice is None:
        return []
    base, root = os.path.dirname(choice.file or ""), context.project.root
    return [
        os.path.relpath(os.path.join(base, glob), root) if "/" in glob else glob
        for glob in choice.value
    ]


def saved(path: str) -> CoverageData:
    """Return the data of a file."""
    try:
        return read_data(path)
    except FileNotFoundError:
        raise UsageError(f"cannot find {path}; measure with 'bunraku cover -- COMMAND'") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except BadData as error:
        raise UsageError(f"cannot use {path}: {error}") from error


def save(path: str, data: CoverageData) -> None:
    """Write data to a file."""
    try:
        write_whole(path, data_text(data).encode(), mode=KEY_MODE)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
