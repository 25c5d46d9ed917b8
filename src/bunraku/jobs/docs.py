"""Write the documentation of modules from their comments: REFERENCE.md, JSON, a site."""

from __future__ import annotations

import os
import posixpath

from bunraku.base.errors import Diagnostic
from bunraku.base.file_reading import read_whole, text_on_disk
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.records import field, record, replace
from bunraku.base.source import Place
from bunraku.base.usage import InvalidInput, UsageError
from bunraku.jobs.context import Context
from bunraku.workbench.docs.document import document
from bunraku.workbench.docs.findings import Findings
from bunraku.workbench.docs.issues import UNREADABLE_DATA
from bunraku.workbench.docs.markdown import FORMS, OLDEST, form_of, reference
from bunraku.workbench.docs.model import ModuleDocs
from bunraku.workbench.docs.module import is_module, read_module
from bunraku.world.machine import Machine

if TYPE_CHECKING:
    from bunraku.project.model import Project
    from bunraku.workbench.docs.site import DocumentationSite, Values

FORMATS = ("markdown", "json", "html")
REFERENCE = "REFERENCE.md"
FOLDER = "reference"
"""The folder of a control repository for its documentation, if no other is named."""


@record()
class DocsOptions:
    """What is documented: the module or the control repository in ``path``, and the ``format``.

    ``strings_version`` is the first release of Puppet Strings with the form of REFERENCE.md that is wanted; without
    one, a file that is there keeps its form. ``place`` is the file or folder that will be written, if it is not the
    default.
    """

    path: str = "."
    format: str = "markdown"
    strings_version: str | None = None
    place: str | None = None


@record()
class Documentation:
    """The pages, by their names: the text of one page has the name ``""``.

    ``default`` is where they belong if no other place is named: a file, or a folder for several pages;
    empty for standard output. ``findings`` are mistakes in the comments. With the format ``html``, the
    ``site`` has what pages are made of.
    """

    root: str
    pages: dict[str, str] = field(default_factory=dict)
    default: str = ""
    findings: list[Diagnostic] = field(default_factory=list)
    site: DocumentationSite | None = None

    def differing(self, place: str) -> dict[str, str]:
        """Return the files in a place that are other than their pages, or absent, with the pages' names."""
        paths = {posixpath.join(place, name) if name else place: name for name in self.pages}
        return {path: name for path, name in paths.items() if is_other(path, self.pages[name])}


def is_other(path: str, text: str) -> bool:
    """Return whether a file has not this text."""
    try:
        return read_whole(path) != text.encode("utf-8", "surrogateescape")
    except OSError:
        return True


def docs(context: Context, options: DocsOptions) -> Documentation:
    """Return the documentation of a module, or of the modules of a control repository.

    Raises UsageError for a directory that does not exist, InvalidInput for one without Puppet code.
    """
    if options.format not in FORMATS:
        raise UsageError(f"unknown format {options.format!r}; expected one of {', '.join(FORMATS)}")
    version = options.strings_version
    if version is not None and version not in FORMS:
        raise UsageError(f"unknown form {version!r}; expected one of {', '.join(FORMS)}")
    start = os.path.abspath(options.path)
    if not os.path.isdir(start):
        if os.path.exists(start):
            raise UsageError(f"{options.path} is not a directory")
        from bunraku.jobs.paths import near_path

        raise UsageError(f"cannot find the directory {options.path}{near_path(options.path)}")
    if is_module(Machine(), start):
        return of_module(context, start, options)
    from bunraku.project.model import MODULE

    project = project_of(context, start)
    if project.kind == MODULE:
        return of_module(context, project.root, options)
    return of_repository(context, project, options)


def project_of(context: Context, start: str) -> Project:
    """Return the project around a directory."""
    from bunraku.project.detect import find_project
    from bunraku.project.issues import NO_PROJECT
    from bunraku.project.model import CONTROL_REPOSITORY, MODULE

    project = find_project(start, Machine(), context.settings, below=True)
    if project.kind not in {MODULE, CONTROL_REPOSITORY}:
        raise InvalidInput(NO_PROJECT(path=start))
    return project


def of_module(context: Context, root: str, options: DocsOptions) -> Documentation:
    """Return the documentation of the module in a directory."""
    result = Documentation(root)
    result.default = os.path.join(root, REFERENCE) if options.format == "markdown" else ""
    is_named = options.place not in {None, "-"}
    version = version_of(options, str(options.place) if is_named else result.default)
    found = read_module(Machine(), root, is_newer=version != OLDEST)
    result.findings += findings_in(found, root)
    if options.format == "html":
        from bunraku.workbench.docs.site import SiteBuilder

        project = context.project_in(root, Machine())
        name = project.name or os.path.basename(root)
        builder = SiteBuilder(name, data_values(context, project, result), is_repository=False)
        builder.add(name, found, "")
        result.site = builder.site
        result.default = os.path.join(root, FOLDER)
    else:
        result.pages = {"": module_page(found, options.format, version)}
    return result


def module_page(found: ModuleDocs, form: str, version: str) -> str:
    """Return the documentation of a module as one text."""
    data = document(found)
    if form == "markdown":
        return reference(data, version)
    from bunraku.workbench.docs.document_text import document_text

    return document_text(data)


def version_of(options: DocsOptions, path: str) -> str:
    """Return the first release of Puppet Strings that writes the form that is wanted, or that a file has."""
    if options.strings_version is not None or options.format != "markdown":
        return options.strings_version or OLDEST
    return form_of_file(path) or OLDEST


def form_of_file(path: str) -> str:
    """Return the form of a REFERENCE.md; empty if there is none that shows one."""
    try:
        return form_of(text_on_disk(path))
    except OSError:
        return ""


def findings_in(found: ModuleDocs, root: str) -> list[Diagnostic]:
    """Return the findings of the module in a directory."""
    return Findings(root, found.sources.__getitem__).of_module(found)


def of_repository(context: Context, project: Project, options: DocsOptions) -> Documentation:
    """Return the documentation of the modules that belong to a control repository."""
    root = project.root
    result = Documentation(root, default=os.path.join(root, FOLDER))
    modules = dict(own_modules(project))
    ending = {"markdown": "md", "json": "json", "html": "html"}[options.format]
    place = options.place or result.default
    versions = {
        name: version_of(options, os.path.join(place, f"{name}.{ending}")) for name in modules
    }
    read = {
        name: read_module(Machine(), path, is_newer=versions[name] != OLDEST)
        for name, path in modules.items()
    }
    for name, found in read.items():
        result.findings += findings_in(found, modules[name])
    if options.format == "html":
        from bunraku.workbench.docs.site import SiteBuilder

        values = data_values(context, project, result)
        builder = SiteBuilder(os.path.basename(root), values, is_repository=True)
        for name, found in read.items():
            builder.add(name, found, f"{os.path.relpath(modules[name], root)}/")
        result.site = builder.site
    else:
        for name, one in read.items():
            result.pages[f"{name}.{ending}"] = module_page(one, options.format, versions[name])
    return result


def own_modules(project: Project) -> list[tuple[str, str]]:
    """Return the modules that the repository holds, with their directories; not those of its Puppetfile."""
    from bunraku.project.puppetfile import installed_directories

    world = Machine()
    installed = {f"{project.root}/{name}" for name in installed_directories(project, world)}
    found = []
    for folder in project.value("modulepath", ()):
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            path = f"{folder}/{name}"
            is_own = path.startswith(f"{project.root}/") and path not in installed
            if is_own and is_module(world, path):
                found.append((name, path))
    return found


def data_values(context: Context, project: Project, result: Documentation) -> Values:
    """Return what finds the values of keys in the data of a project, with paths relative to it.

    The result gets a warning if the data cannot be read.
    """
    from bunraku.engine.request import Request, resolve
    from bunraku.workbench.docs.data_values import DataValues
    from bunraku.workbench.docs.site import SetValue

    def ignore(_entry: object) -> None:
        pass

    found = DataValues(resolve(Request(**context.fields_of(project)), ignore))
    if not found.is_readable:
        place = Place(os.path.join(project.root, "hiera.yaml"))
        result.findings.append(UNREADABLE_DATA.diagnostic(place, "warning"))

    def values(key: str, is_secret: bool) -> list[SetValue]:
        every = found.of(key, is_secret=is_secret)
        return [replace(one, path=os.path.relpath(one.path, project.root)) for one in every]

    return values
