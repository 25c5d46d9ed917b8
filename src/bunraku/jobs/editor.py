"""What the commands know of a project and find in its files, for a file that is edited."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property

from bunraku.base.errors import Diagnostic, PuppetError, in_order
from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.base.usage import UsageError
from bunraku.checks.kinds import EPP, MANIFEST
from bunraku.jobs.context import Context
from bunraku.jobs.project_context import context_in
from bunraku.jobs.validate import checker_of, kind_of_file
from bunraku.modules.settings import resolve
from bunraku.project.config_file import has_config_file
from bunraku.project.detect import is_part
from bunraku.project.model import NOTHING
from bunraku.project.options import CompileOptions
from bunraku.syntax.nodes import Program
from bunraku.workbench.control_comments import without_suppressed_warnings
from bunraku.workbench.editor.project import EditedProject
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine
from bunraku.world.overlay import Overlay
from bunraku.world.owners import have_same_writers

if TYPE_CHECKING:
    from bunraku.engine.request import Request
    from bunraku.jobs.format import Styles
    from bunraku.workbench.editor.node import NodeData
    from bunraku.workbench.format.pieces import Style
    from bunraku.workbench.lint.run import LintSettings

Note = Callable[[str], None]


class Projects:
    """Finds the projects of files; ``note`` gets what is wrong with their configuration.

    ``lint`` returns the settings of the lint; it may raise UsageError.
    """

    def __init__(self, note: Note, lint: Callable[[], LintSettings] | None = None) -> None:
        self.note = note
        self.lint = lint
        self.forget()

    def __call__(self, directory: str) -> EditedProject:
        """Return the project of a directory; one without configuration if that is wrong."""
        if directory not in self.by_directory:
            found = self.project_above(directory)
            self.by_directory[directory] = self.found_project(directory) if found is None else found
        return self.by_directory[directory]

    def project_above(self, directory: str) -> EditedProject | None:
        """Return the project of the directory above, if nothing in this one can make it another one."""
        above, world = os.path.dirname(directory), Machine()
        if not have_same_writers(directory, above) or has_config_file(directory, world):
            return None
        if not is_part(directory, world, default_settings()):
            return None
        found = self(above)
        return found if found.is_project else None

    def found_project(self, directory: str) -> EditedProject:
        """Search the project of a directory."""
        try:
            return self.project_of(context_in(directory))
        except (PuppetError, UsageError) as error:
            self.note(str(error))
            return self.project_of(Context(CompileOptions(directory=directory, no_project=True)))

    def project_of(self, context: Context) -> EditedProject:
        """Return the project of a context, the same one for the same directory."""
        root = context.project.root
        if root not in self.by_root:
            self.by_root[root] = edited_project(context, ContextParts(context, self.lint_settings))
        return self.by_root[root]

    def lint_settings(self) -> LintSettings:
        """Return the settings of the lint; the default ones if the configured ones are wrong."""
        from bunraku.workbench.lint.run import LintSettings

        try:
            return LintSettings() if self.lint is None else self.lint()
        except UsageError as error:
            self.note(str(error))
            return LintSettings()

    def forget(self) -> None:
        """Read the projects again."""
        self.by_root: dict[str, EditedProject] = {}
        self.by_directory: dict[str, EditedProject] = {}


@cache
def default_settings() -> Mapping[str, Any]:
    """Return the settings of a project that sets none."""
    return resolve({})


class ContextParts:
    """The parts of a project with a context; they import most of bunraku."""

    def __init__(self, context: Context, lint: Callable[[], LintSettings]) -> None:
        self.context = context
        self.lint = lint

    def request(self) -> Request:
        """Return the request of the project without code."""
        from bunraku.engine.request import Request

        return Request(**self.context.fields)

    def data(self) -> NodeData:
        """Return what answers which data nodes have."""
        from bunraku.jobs.editor_nodes import ProjectNodes

        return ProjectNodes(self.context)

    def has_nodes(self) -> bool:
        """Return whether the project has facts of nodes."""
        from bunraku.jobs.nodes import has_nodes

        return has_nodes(self.context)

    @cached_property
    def styles(self) -> Styles:
        """The layouts of the files of the project."""
        from bunraku.jobs.format import Styles

        return Styles(self.context)

    def style_of(self, source: Source) -> Style:
        """Return the layout that the formatter gives a file."""
        project = self.context.project
        return self.styles.of(source, None if project.kind == NOTHING else project.root)


def edited_project(context: Context, parts: ContextParts) -> EditedProject:
    """Return the project of a context. Raises PuppetError and UsageError."""
    project = context.project
    modulepath: list[str | tuple[str, str]] = list(project.value("modulepath", ()))
    modulepath += [(name, path) for name, path in project.value("modules", {}).items()]
    return EditedProject(
        root=project.root,
        dialect=context.dialect,
        parts=parts,
        is_project=project.kind != NOTHING,
        limits=context.limits,
        modulepath=modulepath,
        settings=context.settings,
    )


def findings_of(
    project: EditedProject, source: Source, beside: Sequence[Program] = (), *, lint: bool = True
) -> Iterator[Callable[[], list[Diagnostic]]]:
    """Yield functions that return the findings in a file: of its syntax, the analysis and the lint.

    These are those of ``bunraku check`` and, for a manifest, ``bunraku lint``. ``beside`` are programs of
    other files whose texts in the editor differ from those on the disk.
    """
    try:
        kind = kind_of_file(source.path)
    except UsageError:
        return
    programs: list[Program] = []

    def syntax() -> list[Diagnostic]:
        programs.clear()
        check = checker_of(project, programs.append)
        check.modulepath = project.modulepath
        return in_order(without_suppressed_warnings(check(source, kind), programs))

    def analysis() -> list[Diagnostic]:
        from bunraku.jobs.analysis import analysed

        request = project.request
        if kind not in {MANIFEST, EPP} and not source.on_disk:
            text = source.text.encode("utf-8", "surrogateescape")
            world = Overlay(DictionaryWorld({source.path: text}), request.world)
            request = replace(request, world=world)
        return in_order(analysed(request, project.limits, programs, [source.path], beside))

    def style() -> list[Diagnostic]:
        from bunraku.workbench.lint.run import SYNTAX, is_ignored, lint_source

        if is_ignored(os.path.relpath(source.path, project.root), project.lint):
            return []
        outcome = lint_source(source, project.lint.chosen(), project.lint)
        return [one for one in outcome.diagnostics() if one.code != SYNTAX]

    yield syntax
    yield analysis
    if lint and kind == MANIFEST:
        yield style
