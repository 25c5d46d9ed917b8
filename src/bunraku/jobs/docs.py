"""Write the documentation of modules from their comments: REFERENCE.md, JSON."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping

from bunraku.base.errors import Diagnostic
from bunraku.base.records import field, record
from bunraku.base.usage import InvalidInput, UsageError
from bunraku.jobs.context import Context
from bunraku.jobs.paths import near_path
from bunraku.project.issues import NO_PROJECT
from bunraku.project.model import CONTROL_REPOSITORY, MODULE, Project
from bunraku.workbench.docs.document import document, document_text
from bunraku.workbench.docs.findings import Findings
from bunraku.workbench.docs.markdown import reference
from bunraku.workbench.docs.model import ModuleDocs
from bunraku.workbench.docs.module import is_module, read_module
from bunraku.world.machine import Machine

REFERENCE = "REFERENCE.md"
FOLDER = "reference"
"""The folder of a control repository for its documentation, if no other is named."""


@record()
class DocsOptions:
    """What is documented: the module or the control repository in ``path``, and the ``format``."""

    path: str = "."
    format: str = "markdown"


@record()
class Documentation:
    """The pages, by their names: the text of one page has the name ``""``.

    ``default`` is where they belong if no other place is named: a file, or a folder for several pages;
    empty for standard output. ``findings`` are mistakes in the comments.
    """

    root: str
    pages: Mapping[str, str] = field(default_factory=dict)
    default: str = ""
    findings: list[Diagnostic] = field(default_factory=list)

    def differing(self, place: str) -> dict[str, str]:
        """Return the pages whose file in a place is another or absent, by the paths of the files."""
        paths = {posixpath.join(place, name) if name else place: name for name in self.pages}
        return {
            path: self.pages[name]
            for path, name in paths.items()
            if is_other(path, self.pages[name])
        }


def is_other(path: str, text: str) -> bool:
    """Return whether a file has not this text."""
    try:
        with open(path, "rb") as file:
            return file.read() != text.encode("utf-8", "surrogateescape")
    except OSError:
        return True


def docs(context: Context, options: DocsOptions) -> Documentation:
    """Return the documentation of a module, or of the modules of a control repository.

    Raises UsageError for a directory that does not exist, InvalidInput for one without Puppet code.
    """
    start = os.path.abspath(options.path)
    if not os.path.isdir(start):
        raise UsageError(f"cannot find the directory {options.path}{near_path(options.path)}")
    world = Machine()
    if is_module(world, start):
        return documentation_of_module(start, options.format)
    project = project_of(context, start)
    if project.kind == MODULE:
        return documentation_of_module(project.root, options.format)
    return documentation_of_repository(project, options.format)


def project_of(context: Context, start: str) -> Project:
    """Return the project around a directory."""
    from bunraku.project.detect import find_project

    project = find_project(start, Machine(), context.settings, below=True)
    if project.kind not in {MODULE, CONTROL_REPOSITORY}:
        raise InvalidInput(NO_PROJECT(path=start))
    return project


def documentation_of_module(root: str, form: str) -> Documentation:
    """Return the documentation of the module in a directory."""
    found = read_module(Machine(), root)
    text = module_page(found, form)
    default = os.path.join(root, REFERENCE) if form == "markdown" else ""
    return Documentation(root, {"": text}, default, findings_in(found, root))


def findings_in(found: ModuleDocs, root: str) -> list[Diagnostic]:
    """Return the findings of the module in a directory."""

    def read(path: str) -> str:
        return Machine().read(f"{root}/{path}").decode("utf-8", "surrogateescape")

    return Findings(root, read).of_module(found)


def module_page(found: ModuleDocs, form: str) -> str:
    """Return the documentation of a module as one text."""
    data = document(found)
    return reference(data) if form == "markdown" else document_text(data)


def documentation_of_repository(project: Project, form: str) -> Documentation:
    """Return the documentation of the modules that belong to a control repository."""
    world = Machine()
    ending = {"markdown": "md", "json": "json"}[form]
    result = Documentation(project.root, default=os.path.join(project.root, FOLDER))
    pages: dict[str, str] = {}
    for name, path in own_modules(project):
        found = read_module(world, path)
        pages[f"{name}.{ending}"] = module_page(found, form)
        result.findings += findings_in(found, path)
    result.pages = pages
    return result


def own_modules(project: Project) -> list[tuple[str, str]]:
    """Return the modules that the repository holds, with their directories; not those of its Puppetfile."""
    from bunraku.project.puppetfile import installed_directories

    world = Machine()
    installed = {f"{project.root}/{name}" for name in installed_directories(project, world)}
    found = []
    for folder in project.value("modulepath", ()):
        if not os.path.isdir(folder):
            continue
        for name in sorted(os.listdir(folder)):
            path = f"{folder}/{name}"
            if path not in installed and is_module(world, path):
                found.append((name, path))
    return found
