"""The statements of a Puppetfile, from its syntax tree: literals alone, the rest is refused.

What they mean depends on the directory of an environment: :mod:`bunraku.project.puppetfile` says it.
Environments often have Puppetfiles with equal texts: a deployment reads each text once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property

from bunraku.base.bounded_cache import remembered
from bunraku.base.errors import Issue, Severity
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.records import field, record
from bunraku.base.suggestions import suggestion
from bunraku.project import issues
from bunraku.project.ruby_literals import (
    CONSTANTS,
    Collection,
    Literal,
    NotLiteral,
    Symbol,
    code,
    construct_name,
    element_of,
    literal,
    text,
)
from bunraku.ruby.syntax.grammar import parse
from bunraku.ruby.translate.nodes import named

if TYPE_CHECKING:
    from tree_sitter import Node

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
Point = tuple[int, int]
Extent = tuple[Point, Point]
"""Where code begins and ends: rows from 0, and columns from 0 in bytes."""


@record(frozen=True)
class Problem:
    """What is wrong at a place, or in a line; ``words`` are for the message."""

    issue: Issue
    where: Extent | int
    words: Mapping[str, object] = field(default_factory=dict)
    severity: Severity = "error"


@record(frozen=True)
class Setting:
    """A call of ``forge``, ``moduledir`` or ``exclusion`` with a text."""

    name: str
    value: str


@record(frozen=True)
class WrittenOption:
    """An option of a module; ``name`` is empty for a key that is not a symbol."""

    name: str
    value: Literal
    extent: Extent


@record(frozen=True)
class ModuleCall:
    """A call of ``mod``; ``options`` is None if a problem before it is in one of them."""

    title: str
    extent: Extent
    options: tuple[WrittenOption, ...] | None


@record(frozen=True)
class ModuleName:
    """The name of a module that is declared in a line of code that is refused."""

    title: str
    line: int


Step = Problem | Setting | ModuleCall | ModuleName


@remembered(8)
def steps_of(text: str) -> tuple[Step, ...]:
    """Return the statements of the text of a Puppetfile, and what is wrong, in the order of the text.

    >>> steps_of("moduledir 'vendor'")
    (Setting(name='moduledir', value='vendor'),)
    """
    return tuple(Reader(text).read())


class Reader:
    """Reads the statements of a Puppetfile in their order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = parse(text.encode("utf-8", "surrogateescape"))

    def read(self) -> Iterator[Step]:
        """Yield the statements and the problems."""
        wrong = self.mistake() if self.tree.has_error else None
        if wrong is not None:
            yield Problem(issues.PUPPETFILE_NOT_RUBY, wrong)
            yield from names_in(self.tree)
            return
        for statement in self.tree.named_children:
            if statement.type not in HARMLESS:
                yield from self.statement(statement)

    def mistake(self) -> int | None:
        """Read the text again as Ruby reads it; return the line of a mistake."""
        from bunraku.ruby.syntax.tree import mistake_in, parse_ruby

        self.tree = parse_ruby(self.text)
        return mistake_in(self.tree) if self.tree.has_error else None

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names that the file defines."""
        return frozenset(defined_names(self.tree))

    @cached_property
    def loads_methods(self) -> bool:
        """Whether the file calls what can define methods."""
        return any(called(one) in LOADERS for one in nodes_of(self.tree, "call"))

    def refused(self, node: Node) -> Problem:
        """Return the problem of code that is not literal; a word that nothing defines is one for r10k, too."""
        word = code(node)
        if node.type == "identifier" and not self.may_be_defined(word):
            return Problem(issues.PUPPETFILE_WORD, extent(node), {"word": word})
        what = construct_name(node)
        return Problem(issues.PUPPETFILE_NOT_LITERAL, extent(node), {"what": what})

    def may_be_defined(self, name: str) -> bool:
        """Return whether a name may be that of a method or variable when r10k runs the file."""
        return name in OF_RUBY or name in self.defined or self.loads_methods

    def statement(self, node: Node) -> Iterator[Step]:
        """Yield what a statement says."""
        name = called(node)
        if name in WANTED:
            yield from self.declaration(name, node)
        elif not name or self.may_be_defined(name):
            yield self.refused(node)
            yield from names_in(node)
        else:
            words = {"name": name, "near": suggestion(name, WANTED)}
            yield Problem(issues.PUPPETFILE_DECLARATION, extent(node), words)

    def declaration(self, name: str, node: Node) -> Iterator[Step]:
        """Yield what a call of ``mod``, ``forge``, ``moduledir`` or ``exclusion`` says."""
        found = arguments(node)
        unread = [one for one in found if one.type in ARGUMENTS_OF_CODE]
        block = node.child_by_field_name("block")
        unread += [] if block is None else [block]
        if unread:
            yield self.refused(unread[0])
            return
        values = [one for one in found if one.type != "pair"]
        pairs = [one for one in found if one.type == "pair"]
        count = len(values) + bool(pairs)
        if not 1 <= count <= (2 if name == "mod" else 1):
            words = {"name": name, "wanted": WANTED[name], "count": count}
            yield Problem(issues.PUPPETFILE_VALUES, extent(node), words)
            return
        try:
            first = literal(values[0]) if values else Collection("a hash")
        except NotLiteral as error:
            yield self.refused(error.node)
            return
        if not isinstance(first, str):
            severity: Severity = "error" if name in ("mod", "moduledir") else "warning"
            if severity == "error" or (name == "forge" and first is not None):
                yield Problem(issues.PUPPETFILE_VALUE, extent(node), {"name": name}, severity)
        elif name == "mod":
            yield from self.module(first, node, values, pairs)
        else:
            yield Setting(name, first)

    def module(
        self, title: str, node: Node, values: list[Node], pairs: list[Node]
    ) -> Iterator[Step]:
        """Yield a module; before it, what is wrong with the code of its options."""
        options: list[WrittenOption] = []
        elements = pairs
        if len(values) == 2 and values[1].type == "hash":
            elements = named(values[1])
        elif not pairs:
            options.append(WrittenOption("type", "forge", extent(node)))
            elements = values[1:]
        is_whole = True
        for element in elements:
            try:
                options.append(option_of(element))
            except NotLiteral as error:
                is_whole = False
                yield self.refused(error.node)
        yield ModuleCall(title, extent(node), tuple(options) if is_whole else None)


def option_of(element: Node) -> WrittenOption:
    """Return an element of a hash, or a version of the Forge; raise NotLiteral for other code."""
    if element.type != "pair":
        return WrittenOption("version", literal(element), extent(element))
    key, value = element_of(element)
    name = key.name if isinstance(key, Symbol) else ""
    return WrittenOption(name, value, extent(element))


def names_in(node: Node) -> Iterator[ModuleName]:
    """Yield the names of the modules that are declared somewhere in code."""
    for call in nodes_of(node, "call"):
        values = positional(call)
        if called(call) == "mod" and values and values[0].type == "string":
            with suppress(NotLiteral):
                yield ModuleName(text(values[0]), call.start_point[0] + 1)


# -- parts of calls ----------------------------------------------------------------------------------


def extent(node: Node) -> Extent:
    """Return where a node begins and ends."""
    return node.start_point, node.end_point


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
