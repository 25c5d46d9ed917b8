"""The modules that a Puppetfile declares: it is read as text, never run.

r10k runs a Puppetfile as Ruby (``lib/r10k/module_loader/puppetfile/dsl.rb``). Here its calls may have
literals only; other code is refused with its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record, replace
from bunraku.base.source import Place, Source, Span
from bunraku.project import issues
from bunraku.project.declared_modules import DeclaredModule, LocalModule
from bunraku.project.model import CONTROL_REPOSITORY, PUPPET_3_TREE, Choice, Project
from bunraku.project.module_options import TITLE, ModuleOptions, Option, resolved
from bunraku.project.puppetfile_syntax import (
    Extent,
    ModuleCall,
    ModuleName,
    Setting,
    Step,
    steps_of,
)
from bunraku.world.protocol import World

MODULEDIR = "modules"
SECRET = lazy_pattern(r"://[^/\s'\"]*@|password", re.IGNORECASE)
"""A user name in a URL, or an option for a password."""


@record(frozen=True)
class NamedModule:
    """A module of which the Puppetfile says the name and the directory, if nothing else can be read."""

    name: str
    directory: str
    line: int


@record(frozen=True)
class Puppetfile:
    """What a Puppetfile declares.

    ``modules`` are those that are declared completely, ``names`` all with a literal name that come from
    elsewhere, also those in code that is refused. ``moduledir`` is the absolute directory for modules, the last one that the
    file sets; ``forge`` the URL of a Forge, empty without one.
    """

    path: str
    modules: tuple[DeclaredModule, ...] = ()
    forge: str = ""
    moduledir: str = ""
    findings: list[Diagnostic] = field(default_factory=list)
    names: tuple[NamedModule, ...] = ()

    @property
    def is_readable(self) -> bool:
        """Whether the file has no errors."""
        return all(one.severity != "error" for one in self.findings)


def read_puppetfile(root: str, world: World) -> Puppetfile:
    """Return what the Puppetfile in a directory declares; nothing without one.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> text = b"moduledir 'vendor'\\nmod 'puppetlabs/stdlib', '9.0.0'\\n"
    >>> found = read_puppetfile("/c", DictionaryWorld({"/c/Puppetfile": text}))
    >>> [one.directory for one in found.modules]
    ['/c/vendor/stdlib']
    """
    from bunraku.project.reading import text_of  # it brings the readers of all projects

    path = f"{root}/Puppetfile"
    text = text_of(world, path)
    if not text.strip():
        return Puppetfile(path, moduledir=resolved(root, MODULEDIR))
    return read_puppetfile_text(Source(text, path), root)


def read_puppetfile_text(source: Source, root: str, *, moduledir: str = MODULEDIR) -> Puppetfile:
    """Return what the text of a Puppetfile declares.

    ``root`` is the absolute directory of its environment, ``moduledir`` the directory for modules
    where the text names none; a relative one is below ``root``.

    >>> found = read_puppetfile_text(Source("mod 'a/b', ENV['B']\\nfoo 1"), "/c")
    >>> [(one.line, one.message) for one in found.findings][1]
    (2, "unknown declaration 'foo'")
    """
    return puppetfile_of_steps(steps_of(source.text), source, root, moduledir=moduledir)


def puppetfile_of_steps(
    steps: Iterable[Step], source: Source, root: str, *, moduledir: str = MODULEDIR
) -> Puppetfile:
    """Return what the statements of a text declare in the directory of an environment."""
    reader = Reader(source, root, moduledir or MODULEDIR)
    for step in steps:
        reader.read(step)
    return Puppetfile(
        source.path,
        tuple(reader.modules),
        reader.forge,
        reader.moduledir,
        reader.findings,
        tuple(reader.names),
    )


def installed_choice(project: Project, world: World) -> Choice | None:
    """Return the directories that the Puppetfile of a project fills, relative to it: they are not checked.

    They are not among the choices of the project, because most commands do not need them.
    """
    if project.kind not in (CONTROL_REPOSITORY, PUPPET_3_TREE):
        return None
    found = read_puppetfile(project.root, world)
    start = len(project.root) + 1
    inside = {
        one.directory[start:] for one in found.names if one.directory.startswith(f"{project.root}/")
    }
    if not inside:
        return None
    return Choice(sorted(inside), "installed by the Puppetfile", found.path, found.names[0].line)


def installed_directories(project: Project, world: World) -> list[str]:
    """Return the directories that the Puppetfile of a project fills, relative to it."""
    choice = installed_choice(project, world)
    return [] if choice is None else list(choice.value)


class Reader:
    """Reads the statements of a Puppetfile for the directory of an environment."""

    def __init__(self, source: Source, root: str, moduledir: str) -> None:
        self.source = source
        self.root = resolved("/", root)
        self.moduledir = resolved(self.root, moduledir)
        self.forge = ""
        self.modules: list[DeclaredModule] = []
        self.names: list[NamedModule] = []
        self.findings: list[Diagnostic] = []
        self.known_lines: dict[str, int] = {}

    def read(self, step: Step) -> None:
        """Do what a statement says."""
        if isinstance(step, ModuleCall):
            self.module(step)
        elif isinstance(step, Setting):
            self.set(step.name, step.value)
        elif isinstance(step, ModuleName):
            self.name_module(step.title, step.line)
        else:
            place = self.place(step.where)
            self.findings.append(step.issue.diagnostic(place, step.severity, **step.words))

    def span(self, extent: Extent) -> Span:
        """Return the code of a statement or of a part of it."""
        start, end = (self.source.offset(row + 1, column) for row, column in extent)
        return self.source.span(start, end)

    def place(self, where: Extent | int) -> Place:
        """Return the place of some code, or of a line."""
        if isinstance(where, int):
            return without_secret(self.source.line_span(where).place)
        return without_secret(self.span(where).place)

    def set(self, name: str, value: str) -> None:
        """Use a setting of the file."""
        if name == "forge":
            self.forge = value
        elif name == "moduledir":
            self.moduledir = resolved(self.root, value)

    def name_module(self, title: str, line: int) -> None:
        """Add the name of a module."""
        found = TITLE.match(title)
        if found is not None:
            directory = resolved(self.moduledir, found[2])
            self.names.append(NamedModule(found[2], directory, line))

    def module(self, call: ModuleCall) -> None:
        """Read a module."""
        read = self.options_of(call)
        found = read.module(self.root, self.moduledir) if read is not None else None
        if read is None or found is None:
            self.name_module(call.title, call.extent[0][0] + 1)
            return
        if read.names_directory:  # r10k keeps ``spec`` there, whatever the module says
            found = replace(found, exclude_spec=False)
        self.modules.append(found)
        if not isinstance(found.source, LocalModule):
            self.names.append(NamedModule(found.name, found.directory, found.line))
        self.check_duplicate(found, call.extent)

    def options_of(self, call: ModuleCall) -> ModuleOptions | None:
        """Return the options of a module; None if they are not all literals."""
        if call.options is None:
            return None
        options = [
            Option(one.name, one.value, partial(self.place, one.extent)) for one in call.options
        ]
        start = Place(self.source.path or None, *self.span(call.extent).position)
        place = partial(self.place, call.extent)
        return ModuleOptions(call.title, options, start, place, self.findings.append)

    def check_duplicate(self, module: DeclaredModule, extent: Extent) -> None:
        """Add an error for a module that has the name of another one; letter case counts, as in r10k."""
        first = self.known_lines.get(module.name)
        if first is None:
            self.known_lines[module.name] = module.line
            return
        issue, place = issues.PUPPETFILE_DUPLICATE, self.place(extent)
        self.findings.append(issue.diagnostic(place, "error", name=module.name, first=first))


def place_of_module(module: DeclaredModule, source: Source | None = None) -> Place:
    """Return where a module is declared, with the line of the source, unless that may have a password."""
    if source is None:
        return Place(module.path, module.line, module.column)
    return without_secret(source.line_span(module.line).place)


def without_secret(place: Place) -> Place:
    """Return a place without its code, which is printed with a finding, if that may have a password.

    >>> source = Source("mod 'a', :git => 'https://me:secret@host/a'", "Puppetfile")
    >>> without_secret(source.span(0, 3).place)
    Place(file='Puppetfile', line=1, column=1, span=None, shown=None)
    """
    span = place.code
    if span is None:
        return place
    lines = range(span.line, span.source.line(span.end) + 1)
    if any(SECRET.search(span.source.line_text(line)) for line in lines):
        return replace(place, span=None, shown=None)
    return place
