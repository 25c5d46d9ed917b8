"""The modules that a Puppetfile declares: it is read as text, never run.

r10k runs a Puppetfile as Ruby (``lib/r10k/module_loader/puppetfile/dsl.rb``). Here its calls may have
literals only; other code is refused with its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from bunraku.base.errors import Diagnostic, Issue
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record, replace
from bunraku.base.source import Place, Source
from bunraku.base.suggestions import suggestion
from bunraku.project import issues
from bunraku.project.declared_modules import DeclaredModule, LocalModule
from bunraku.project.model import CONTROL_REPOSITORY, PUPPET_3_TREE, Choice, Project
from bunraku.project.module_options import TITLE, ModuleOptions, Option, resolved
from bunraku.project.reading import text_of
from bunraku.project.ruby_literals import (
    CONSTANTS,
    Collection,
    NotLiteral,
    Symbol,
    code,
    construct_name,
    element_of,
    literal,
    text,
)
from bunraku.ruby.syntax.grammar import parse
from bunraku.ruby.syntax.tree import mistake_in, parse_ruby
from bunraku.ruby.translate.nodes import named
from bunraku.world.protocol import World

if TYPE_CHECKING:
    from tree_sitter import Node

MODULEDIR = "modules"
WANTED = {
    "mod": "one or two values",
    "forge": "one value",
    "moduledir": "one value",
    "exclusion": "one value",
}
"""Declaration → the values that it takes. ``exclusion`` has no effect since r10k 5."""
METHODS_OF_RUBY = """
Array Complex Float Hash Integer Rational String __callee__ __dir__ __method__ __send__ abort at_exit autoload
binding block_given? caller caller_locations catch class clone define_singleton_method display dup enum_for eval
exec exit exit! extend fail fork format freeze gem gets global_variables hash inspect instance_eval instance_exec
instance_variable_get instance_variable_set instance_variables itself lambda load local_variables loop method
methods object_id open p pp print printf proc public_send putc puts raise rand readline readlines require
require_relative select send singleton_class sleep spawn sprintf srand syscall system tap test then throw to_enum
to_s trap warn yield_self
"""
"""Methods that all objects of Ruby have: a call is valid for r10k."""
REQUIRED = ("require", "require_relative")
OF_RUBY = frozenset(METHODS_OF_RUBY.split())
LOADERS = frozenset(
    ["define_singleton_method", "eval", "extend", "instance_eval", "load", *REQUIRED]
)
"""Methods that can define others."""
DEFINITIONS = {
    "method": "name",
    "assignment": "left",
    "operator_assignment": "left",
    "left_assignment_list": "",
    "block_parameters": "",
    "for": "pattern",
}
"""Type of a node → the part with the names that it defines; all parts if that is empty."""
ARGUMENTS_OF_CODE = frozenset({"splat_argument", "hash_splat_argument", "block_argument"})
HARMLESS = frozenset(
    {*CONSTANTS, "comment", "string", "integer", "simple_symbol", "uninterpreted", "heredoc_body"}
)
"""Statements without effect, the text after ``__END__``, and text that belongs to a refused statement."""
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
    reader = Reader(source, root, moduledir or MODULEDIR)
    reader.read()
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
    """Reads the statements of a Puppetfile in their order."""

    def __init__(self, source: Source, root: str, moduledir: str) -> None:
        self.source = source
        self.root = resolved("/", root)
        self.moduledir = resolved(self.root, moduledir)
        self.forge = ""
        self.modules: list[DeclaredModule] = []
        self.names: list[NamedModule] = []
        self.findings: list[Diagnostic] = []
        self.known_lines: dict[str, int] = {}
        self.defined: frozenset[str] = frozenset()
        self.loads_methods = False

    def read(self) -> None:
        """Read all statements."""
        tree = parse(self.source.text.encode("utf-8", "surrogateescape"))
        if tree.has_error:
            tree = parse_ruby(self.source.text)
        if tree.has_error and (wrong := mistake_in(tree)) is not None:
            self.find(
                issues.PUPPETFILE_NOT_RUBY, without_secret(self.source.line_span(wrong).place)
            )
            self.name_modules_in(tree)
            return
        self.defined = frozenset(defined_names(tree))
        self.loads_methods = any(called(one) in LOADERS for one in nodes_of(tree, "call"))
        for statement in tree.named_children:
            if statement.type not in HARMLESS:
                self.statement(statement)

    def find(self, issue: Issue, place: Place, **words: object) -> None:
        """Add an error."""
        self.findings.append(issue.diagnostic(place, "error", **words))

    def place(self, node: Node) -> Place:
        """Return the place of a node."""
        start, end = (
            self.source.offset(row + 1, column)
            for row, column in (node.start_point, node.end_point)
        )
        return without_secret(self.source.span(start, end).place)

    def refuse(self, node: Node) -> None:
        """Add an error about code that is not literal; a word that nothing defines is one for r10k, too."""
        word = code(node)
        if node.type == "identifier" and not self.may_be_defined(word):
            self.find(issues.PUPPETFILE_WORD, self.place(node), word=word)
            return
        self.find(issues.PUPPETFILE_NOT_LITERAL, self.place(node), what=construct_name(node))

    def may_be_defined(self, name: str) -> bool:
        """Return whether a name may be that of a method or variable when r10k runs the file."""
        return name in OF_RUBY or name in self.defined or self.loads_methods

    def name_modules_in(self, node: Node) -> None:
        """Add the names of the modules that are declared somewhere in code."""
        for call in nodes_of(node, "call"):
            values = positional(call)
            if called(call) == "mod" and values and values[0].type == "string":
                with suppress(NotLiteral):
                    self.name_module(text(values[0]), call)

    def name_module(self, title: str, node: Node) -> None:
        """Add the name of a module."""
        found = TITLE.match(title)
        if found is not None:
            directory = resolved(self.moduledir, found[2])
            self.names.append(NamedModule(found[2], directory, node.start_point[0] + 1))

    # -- statements --------------------------------------------------------------------------

    def statement(self, node: Node) -> None:
        """Read a statement."""
        name = called(node)
        if name in WANTED:
            self.declaration(name, node)
        elif not name or self.may_be_defined(name):
            self.refuse(node)
            self.name_modules_in(node)
        else:
            near = suggestion(name, WANTED)
            self.find(issues.PUPPETFILE_DECLARATION, self.place(node), name=name, near=near)

    def declaration(self, name: str, node: Node) -> None:
        """Read a call of ``mod``, ``forge``, ``moduledir`` or ``exclusion``."""
        unread = [one for one in arguments(node) if one.type in ARGUMENTS_OF_CODE]
        block = node.child_by_field_name("block")
        unread += [] if block is None else [block]
        if unread:
            self.refuse(unread[0])
            return
        values, options = positional(node), hash_elements(node)
        count = len(values) + bool(options)
        if not 1 <= count <= (2 if name == "mod" else 1):
            place = self.place(node)
            self.find(issues.PUPPETFILE_VALUES, place, name=name, wanted=WANTED[name], count=count)
            return
        try:
            first = literal(values[0]) if values else Collection("a hash")
        except NotLiteral as error:
            self.refuse(error.node)
            return
        if isinstance(first, str):
            self.declare(name, first, node)
        elif name in ("mod", "moduledir"):
            self.find(issues.PUPPETFILE_VALUE, self.place(node), name=name)
        elif name == "forge" and first is not None:
            wrong = issues.PUPPETFILE_VALUE.diagnostic(self.place(node), "warning", name=name)
            self.findings.append(wrong)

    def declare(self, name: str, value: str, node: Node) -> None:
        """Do what a declaration says."""
        if name == "mod":
            self.module(value, node)
        elif name == "forge":
            self.forge = value
        elif name == "moduledir":
            self.moduledir = resolved(self.root, value)

    def module(self, title: str, node: Node) -> None:
        """Read a module."""
        findings = len(self.findings)
        options = list(self.options(node))
        place = self.place(node)
        if len(self.findings) == findings:
            read = ModuleOptions(title, options, place, self.findings.append)
            found = read.module(self.root, self.moduledir)
            if found is not None:
                if read.names_directory:  # r10k keeps ``spec`` there, whatever the module says
                    found = replace(found, exclude_spec=False)
                self.modules.append(found)
                if not isinstance(found.source, LocalModule):
                    self.names.append(NamedModule(found.name, found.directory, found.line))
                self.check_duplicate(found.name, place)
                return
        self.name_module(title, node)

    def check_duplicate(self, name: str, place: Place) -> None:
        """Add an error for a module that has the name of another one; letter case counts, as in r10k."""
        first = self.known_lines.get(name)
        if first is None:
            self.known_lines[name] = place.line or 1
        else:
            self.find(issues.PUPPETFILE_DUPLICATE, place, name=name, first=first)

    def options(self, node: Node) -> Iterator[Option]:
        """Yield the options of a module: those of a hash, or a version of the Forge."""
        values, elements = positional(node), hash_elements(node)
        if len(values) == 2 and values[1].type == "hash":
            elements = named(values[1])
        elif not elements:
            yield Option("type", "forge", self.place(node))
            elements = values[1:]
        for element in elements:
            try:
                if element.type != "pair":
                    yield Option("version", literal(element), self.place(element))
                    continue
                key, value = element_of(element)
                name = key.name if isinstance(key, Symbol) else ""
                yield Option(name, value, self.place(element))
            except NotLiteral as error:
                self.refuse(error.node)


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


# -- parts of calls ----------------------------------------------------------------------------------


def nodes_of(root: Node, kind: str) -> Iterator[Node]:
    """Yield the nodes of a type in a tree, in the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == kind:
            yield node
        waiting += reversed(node.named_children)


def defined_names(root: Node) -> Iterator[str]:
    """Yield the names of methods, variables and parameters that a file defines."""
    for kind, part in DEFINITIONS.items():
        for node in nodes_of(root, kind):
            for name in node.children_by_field_name(part) if part else node.named_children:
                yield code(name)


def called(node: Node) -> str:
    """Return the name of the method of the Puppetfile that a statement calls; empty for other code."""
    if node.type == "identifier":
        return code(node)
    method = node.child_by_field_name("method") if node.type == "call" else None
    receiver = node.child_by_field_name("receiver")
    if method is None or (receiver is not None and receiver.type != "self"):
        return ""
    return code(method)


def arguments(node: Node) -> list[Node]:
    """Return the arguments of a call."""
    found = node.child_by_field_name("arguments")
    return [] if found is None else named(found)


def positional(node: Node) -> list[Node]:
    """Return the arguments of a call that are not elements of a hash without braces."""
    return [one for one in arguments(node) if one.type != "pair"]


def hash_elements(node: Node) -> list[Node]:
    """Return the elements of the hash without braces that ends the arguments of a call."""
    return [one for one in arguments(node) if one.type == "pair"]
