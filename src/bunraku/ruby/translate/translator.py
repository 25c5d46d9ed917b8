"""From syntax nodes of Ruby to Python's ``ast``: the state of a translation and its dispatch.

One function for each type of node, registered in :data:`EXPRESSIONS` (a value) or
:data:`STATEMENTS`. Code that may have another meaning in Python than in Ruby is refused with
:class:`Unsupported`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from bunraku.base.records import record
from bunraku.compiler.builder import STORE, Builder
from bunraku.ruby.syntax.erb import RubyText, Unsupported
from bunraku.ruby.translate.names import Frame, Names
from bunraku.ruby.translate.nodes import Block

if TYPE_CHECKING:
    from tree_sitter import Node

Sink = Callable[[ast.expr], None]
"""Consumes the value of a statement."""
Expression = Callable[["Translator", "Node"], ast.expr]
Statement = Callable[["Translator", "Node", Sink | None], None]
EXPRESSIONS: dict[str, Expression] = {}
STATEMENTS: dict[str, Statement] = {}
NOTHING = frozenset({"comment", "empty_statement"})


def expression_of(*kinds: str) -> Callable[[Expression], Expression]:
    """Register the function that translates types of nodes to an expression."""

    def register(function: Expression) -> Expression:
        for kind in kinds:
            EXPRESSIONS[kind] = function
        return function

    return register


def statement_of(*kinds: str) -> Callable[[Statement], Statement]:
    """Register the function that translates types of nodes to statements."""

    def register(function: Statement) -> Statement:
        for kind in kinds:
            STATEMENTS[kind] = function
        return function

    return register


@record(frozen=True)
class Rules:
    """Translations that differ between templates and the methods of a function."""

    expressions: dict[str, Expression]
    statements: dict[str, Statement]
    own_call: Callable[[Translator, Node, str], ast.expr]
    """A call without a receiver."""
    method: Callable[[Translator, Node, str, ast.expr], ast.expr]
    """A call of a method of a value."""
    block_call: Callable[[Translator, Node, str, ast.expr, Node | None, Node | None], ast.expr]
    """A call of a method with a block."""
    symbol_block: Callable[[Translator, Node], tuple[ast.expr, int | ast.expr]]
    """A block argument: ``&:name``."""


class Output(ast.Expr):
    """A statement that adds texts to the output; ``items`` are theirs."""

    def __init__(self, value: ast.expr, items: list[ast.expr]) -> None:
        super().__init__(value)
        self.items = items


class Translator(Builder):
    """The state of one translation.

    ``names`` are the variables of the current block, ``body`` the statements of the current function,
    ``loops`` whether each block around is a loop in Python. ``in_method`` is whether the code belongs
    to a function, with its ``methods`` and ``constants``; ``acts`` whether one of them does more than
    compute with its arguments.
    """

    def __init__(self, text: RubyText, rules: Rules, old: bool, groups: bool) -> None:
        super().__init__()
        self.source = text
        self.rules = rules
        self.old = old
        self.groups = groups
        self.names = Names(Frame())
        self.body: list[ast.stmt] = []
        self.taken: dict[str, int] = {}
        self.instance: dict[str, None] = {}
        self.assigned_instance: set[str] = set()
        self.asked_defined: list[tuple[str, Node]] = []
        self.loops: list[bool] = []
        self.outputs = 0
        self.spreads: list[tuple[str, list[str]]] = []
        self.in_method = False
        self.methods: dict[str, Node] = {}
        self.constants: dict[str, Node] = {}
        self.method_frame = self.names.frame
        self.acts = False

    # -- places ----------------------------------------------------------------------------------

    @property
    def line(self) -> int:
        """The line that nodes are stamped with."""
        return self.place[0]

    @line.setter
    def line(self, line: int) -> None:
        self.place = (line, 0, line, 0)

    def line_of(self, node: Block) -> int:
        """Return the line of a node in the file."""
        row = int(node.start_point[0])
        return self.source.lines[min(row, len(self.source.lines) - 1)]

    def refuse(self, node: Block, what: str) -> Unsupported:
        """Return the exception for code that only Ruby can run."""
        return Unsupported(what, self.line_of(node))

    # -- small pieces ----------------------------------------------------------------------------

    def context(self, attribute: str, *arguments: ast.expr) -> ast.expr:
        """Make a call of a method of the context."""
        return self.method(self.name(":context"), attribute, *arguments)

    def array(self, items: list[ast.expr]) -> ast.expr:
        """Make an array of Ruby."""
        return self.call(":Array", self.tuple_of(items))

    def compare(self, left: ast.expr, operator: str, right: ast.expr) -> ast.expr:
        """Make a comparison; of constants the answer, because Python warns of ``1 is None``."""
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            if operator in ("is", "is not"):
                return self.constant((left.value is right.value) is (operator == "is"))
        return super().compare(left, operator, right)

    def targets(self, identifiers: list[str]) -> ast.expr:
        """Make the left side of an assignment to one or several variables."""
        stores: list[ast.expr] = [self.stamp(ast.Name(name, STORE)) for name in identifiers]
        return stores[0] if len(stores) == 1 else self.stamp(ast.Tuple(stores, STORE))

    def spread(self, identifiers: list[str], value: ast.expr) -> None:
        """Add the assignment of an array's items to variables."""
        stores: list[ast.expr] = [self.stamp(ast.Name(name, STORE)) for name in identifiers]
        items = self.call(":spread", value, self.constant(len(identifiers)))
        self.body.append(self.assign_to(self.stamp(ast.Tuple(stores, STORE)), items))

    def set(self, identifier: str, value: ast.expr) -> None:
        """Add the statement ``identifier = value``."""
        self.body.append(self.assign(identifier, value))

    def do(self, value: ast.expr) -> None:
        """Add an expression as a statement."""
        self.body.append(self.run(value))

    def give(self, value: ast.expr) -> None:
        """Add a ``return`` of a value."""
        self.body.append(self.return_(value))

    def put(self, value: ast.expr) -> None:
        """Add a text to the output; neighbours are added together."""
        self.outputs += 1
        last = self.body[-1] if self.body else None
        if isinstance(last, Output):
            last.items.append(value)
            return
        items = [value]
        self.body.append(self.stamp(Output(self.call(":put", self.tuple_of(items)), items)))

    def inner(self, make: Callable[[], None]) -> list[ast.stmt]:
        """Return the statements that something adds; at least one."""
        before, self.body = self.body, []
        make()
        found, self.body = self.body or [self.pass_()], before
        return found

    def forget(self, names: Names) -> None:
        """Let the variables of a block be nil at its beginning."""
        for identifier in names.fresh:
            self.set(identifier, self.constant(None))

    # -- dispatch --------------------------------------------------------------------------------

    def value(self, node: Node) -> ast.expr:
        """Translate a node to an expression."""
        handler = self.rules.expressions.get(node.type)
        if handler is None:
            raise self.refuse(node, f"'{node.type.replace('_', ' ')}'")
        before, self.line = self.line, self.line_of(node)
        found = handler(self, node)
        self.line = before
        return found

    def do_all(self, nodes: list[Node], sink: Sink | None) -> None:
        """Translate statements, one after the other; the value is that of the last."""
        nodes = [node for node in nodes if node.type not in NOTHING]
        for node in nodes[:-1]:
            self.do_one(node, None)
        if nodes:
            self.do_one(nodes[-1], sink)
        elif sink is not None:
            sink(self.constant(None))

    def do_one(self, node: Node, sink: Sink | None) -> None:
        """Translate a statement; in a method that is refused, it gives up when it is reached."""
        if not self.in_method:
            self.statement(node, sink)
            return
        names, line, length = self.names, self.line, len(self.body)
        loops, spreads, body = list(self.loops), self.spreads, self.body
        try:
            self.statement(node, sink)
        except Unsupported as reason:
            self.names, self.loops, self.spreads, self.body = names, loops, spreads, body
            del self.body[length:]
            self.line = self.line_of(node)
            self.do(self.call(":give_up", self.constant(reason.what)))
            self.line = line
            if sink is not None:
                sink(self.constant(None))

    def statement(self, node: Node, sink: Sink | None) -> None:
        """Translate a statement."""
        before, self.line = self.line, self.line_of(node)
        handler = self.rules.statements.get(node.type)
        if handler is not None:
            handler(self, node, sink)
        else:
            self.finish(self.value(node), sink)
        self.line = before

    def finish(self, value: ast.expr, sink: Sink | None) -> None:
        """Give a value to the sink; without a sink it was computed for its effects."""
        if sink is not None:
            sink(value)
        elif not isinstance(value, ast.Name | ast.Constant):
            self.do(value)

    # -- variables -------------------------------------------------------------------------------

    def twice(self, value: ast.expr) -> tuple[ast.expr, ast.expr]:
        """Return a value for two uses, evaluated by the first."""
        if isinstance(value, ast.Name):
            return value, self.name(value.id)
        if isinstance(value, ast.Constant):
            return value, value
        temporary = self.temporary()
        return self.walrus(temporary, value), self.name(temporary)

    def new_name(self, wanted: str) -> str:
        """Return an unused Python name."""
        number = self.taken[wanted] = self.taken.get(wanted, 0) + 1
        return wanted if number == 1 else f"{wanted}'{number}"

    def temporary(self) -> str:
        """Return a variable of the function that is being made."""
        return self.new_name(":t")

    def find(self, ruby: str) -> tuple[str, Frame] | None:
        """Return the Python variable of a local variable, and the function it belongs to."""
        names: Names | None = self.names
        while names is not None:
            if ruby in names.known:
                return names.known[ruby], names.frame
            names = names.parent
        return None

    def assigned(self, ruby: str) -> str:
        """Return the Python variable to assign to; a new one belongs to the block around."""
        found = self.find(ruby)
        if found is None:
            made = self.names.known[ruby] = self.new_name(ruby)
            self.names.fresh.append(made)
            return made
        identifier, owner = found
        self.reach(identifier, owner)
        return identifier

    def reach(self, identifier: str, owner: Frame) -> None:
        """Let the function that is being made assign to a variable of one around it."""
        frame: Frame | None = self.names.frame
        while frame is not None and frame is not owner:
            frame.outside.add(identifier)
            frame = frame.parent

    def parameter(self, ruby: str) -> str:
        """Return the Python variable of a parameter of the block that is being made."""
        made = self.names.known[ruby] = self.new_name(ruby)
        return made
