"""The files that a job checks: named ones, and those of a project."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.fences import fence
from bunraku.base.file_reading import NotRegular, text_on_disk
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.source import Source
from bunraku.base.usage import UsageError
from bunraku.checks.checker import Checker
from bunraku.jobs.context import Context

if TYPE_CHECKING:
    from bunraku.checks.files import FileWalk
    from bunraku.project.model import Project

UNREAD = (NotRegular, PermissionError)
"""The errors of single files; a link that leads out of the project ends the job."""


class CheckedFiles:
    """The files below directories, less those that options, the configuration and the project exclude.

    ``exclude`` are patterns of the options, relative to this directory. ``moved`` returns where a
    directory is in the state that is checked.
    """

    def __init__(
        self,
        context: Context,
        exclude: Sequence[str] = (),
        moved: Callable[[str], str] = os.path.abspath,
    ) -> None:
        self.context = context
        self.moved = moved
        self.exclude = [(moved(os.getcwd()), pattern) for pattern in exclude]

    def of_project(self, check: Checker, project: Project) -> str:
        """Return the directory of a project; the checker learns its modules."""
        self.exclude += excluded(project)
        check.modulepath += map(os.path.relpath, project.value("modulepath", ()))
        modules = project.value("modules", {})
        check.modulepath += [(name, os.path.relpath(path)) for name, path in modules.items()]
        return os.path.relpath(project.root)

    def below(
        self, directory: str, kinds: Collection[str] | None = None
    ) -> Iterator[tuple[Source, str]]:
        """Yield the texts of a directory and their kinds, or those of some kinds; UsageError if it cannot be listed.

        A special file or one that this user may not read is of the kind UNREADABLE: it does not hide the findings of others.
        """
        from bunraku.checks.kinds import UNREADABLE

        fence(directory)
        try:
            for path, kind in self.walk(directory).files(directory):
                if kinds is not None and kind not in kinds and kind != UNREADABLE:
                    continue
                try:
                    source = Source(text_on_disk(path), path, on_disk=True)
                except UNREAD as error:
                    source, kind = Source(error.strerror or str(error), path), UNREADABLE
                yield source, kind
        except OSError as error:
            raise UsageError(f"cannot read {error.filename}: {error.strerror or error}") from error

    def project_of(self, directory: str) -> Project:
        """Return the project of a directory: that of the context, or the one around a directory elsewhere."""
        from bunraku.project.detect import find_project
        from bunraku.project.model import NOTHING
        from bunraku.world.machine import Machine

        project, whole = self.context.project, os.path.abspath(directory)
        is_below = project.kind != NOTHING and f"{whole}/".startswith(f"{project.root}/")
        if self.context.options.no_project or is_below:
            return project
        return find_project(whole, Machine(), self.context.settings)

    def walk(self, directory: str) -> FileWalk:
        """Return the walk below a directory that skips what is excluded.

        That includes what the project around excludes, such as modules that its Puppetfile installs,
        unless the directory itself is one of these.
        """
        from bunraku.checks.files import FileWalk

        project = self.project_of(directory)
        of_project = FileWalk(excluded(project))
        named = self.moved(directory)
        patterns = [*self.exclude]
        if not of_project.is_excluded(named):
            patterns += of_project.exclude
        configured = self.context.options.configured.get("exclude")
        if configured is not None:
            base = self.moved(os.path.dirname(configured.file or ""))
            patterns += [(base, pattern) for pattern in configured.value]
        return FileWalk(patterns)


def excluded(project: Project) -> list[tuple[str, str]]:
    """Return the root of a project with each directory below it that its Puppetfile fills."""
    from bunraku.project.puppetfile import installed_directories
    from bunraku.world.machine import Machine

    return [(project.root, name) for name in installed_directories(project, Machine())]


def unreadable_findings(source: Source) -> list[Diagnostic]:
    """Return the findings for a file of the kind UNREADABLE."""
    from bunraku.checks.run import check_unreadable

    return check_unreadable(source)


def text_of(path: str) -> str:
    """Return a file's text, bytes kept whole; UsageError if it cannot be read."""
    try:
        return text_on_disk(path)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from error
