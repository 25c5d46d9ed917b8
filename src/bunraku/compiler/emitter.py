"""From syntax nodes to Python's ``ast``: the emitter, its places and its dispatch.

One function a node class, registered in :data:`EXPRESSIONS` (a value) or :data:`STATEMENTS` (code
whose value is dropped or returned). Helpers named here stand in ``runtime/helpers.py``.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable
from copy import copy
from typing import Any, Literal, TypedDict, TypeVar

from bunraku.base.source import Source
from bunraku.compiler.frames import Frame
from bunraku.compiler.rules import CompilerRules
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node

Sink = Literal["discard", "return"]


class Place(TypedDict):
    """The four positions of a node of Python's ``ast``."""

    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int


LONG_CHAIN = 50  # links; a longer chain is emitted step by step, for Python has a limit of nesting
INNERMOST = 8  # links at the beginning of a long chain that are emitted as in a short one
LEFT = {
    nodes.Access: "left",
    nodes.Arithmetic: "left",
    nodes.Call: "callee",
    nodes.Comparison: "left",
    nodes.In: "left",
    nodes.Match: "left",
    nodes.MethodCall: "receiver",
    nodes.Selector: "left",
}
"""What nests to the left without brackets, and so without limit."""

N = TypeVar("N", bound=Node)
EXPRESSIONS: dict[type[Node], Callable[[Emitter, Any], ast.expr]] = {}
STATEMENTS: dict[type[Node], Callable[[Emitter, Any, Sink], None]] = {}


@nodes.node
class Local(Node):
    """The value of a Python local, where a syntax node is expected."""

    name: str


def spine_of(node: Node) -> list[Node]:
    """The links of a chain, the last one first."""
    spine: list[Node] = []
    while (left := LEFT.get(node.__class__)) is not None:
        spine.append(node)
        node = getattr(node, left)
    return spine


def expression_of(
    *kinds: type[Node],
) -> Callable[[Callable[[Emitter, N], ast.expr]], Callable[[Emitter, N], ast.expr]]:
    """Register the function that emits a node class as an expression."""

    def register(function: Callable[[Emitter, N], ast.expr]) -> Callable[[Emitter, N], ast.expr]:
        for kind in kinds:
            EXPRESSIONS[kind] = function
        return function

    return register


def statement_of(
    *kinds: type[Node],
) -> Callable[[Callable[[Emitter, N, Sink], None]], Callable[[Emitter, N, Sink], None]]:
    """Register the function that emits a node class as statements."""

    def register(
        function: Callable[[Emitter, N, Sink], None],
    ) -> Callable[[Emitter, N, Sink], None]:
        for kind in kinds:
            STATEMENTS[kind] = function
        return function

    return register


class Emitter:
    """The state of one translation: source, frame, and the module's definitions so far."""

    def __init__(self, source: Source, unit: str, rules: CompilerRules) -> None:
        self.source = source
        self.unit = unit
        self.starts = source.line_starts
        self.ascii = source.is_ascii
        self.frame = Frame(None, scope_kept=True, kind="module")
        self.module: list[ast.stmt] = []
        self.definitions: list[ast.expr] = []
        self.counter = 0
        self.names_types = False
        self.late_lines = rules.late_lines
        self.works_in_place = rules.works_in_place
        self.constants: list[str] = []
        self.in_constant = False
        self.type_names: dict[str, str] = {}
        self.in_alias = False
        self.cells_read: set[str] = set()  # cells of captures that code looks into or fills

    # -- places ----------------------------------------------------------------------------------

    def place(self, node: Node) -> Place:
        """All four positions of a node, columns in UTF-8 bytes."""
        return self.between(node.start, node.end)

    def between(self, start: int, end: int) -> Place:
        """All four positions of a piece of text."""
        end = max(start, end)
        starts = self.starts
        line = bisect_right(starts, start)
        last = bisect_right(starts, end)
        if self.ascii:
            column, stop = start - starts[line - 1], end - starts[last - 1]
        else:
            column, stop = self.source.byte_column(start), self.source.byte_column(end)
        return {"lineno": line, "col_offset": column, "end_lineno": last, "end_col_offset": stop}

    def told_place(self, node: Node) -> Place:
        """Where a resource or selector is told to be: its end in Puppet 3, else all of it."""
        return self.between(node.end - 1, node.end) if self.late_lines else self.place(node)

    def told_line(self, node: Node) -> int:
        """The line that the catalog records of a resource."""
        return self.told_place(node)["lineno"]

    def line(self, node: Node) -> int:
        """The line where a node begins, as the catalog records it."""
        return bisect_right(self.starts, node.start)

    # -- small pieces ----------------------------------------------------------------------------

    def name(self, helper: str, at: Place) -> ast.Name:
        """A reference to a helper or a local."""
        return ast.Name(helper, ast.Load(), **at)

    def constant(self, value: Any, at: Place) -> ast.Constant:
        """A Python constant."""
        return ast.Constant(value, **at)

    def call(self, helper: str, *arguments: ast.expr, at: Place) -> ast.Call:
        """A call of a helper."""
        return ast.Call(ast.Name(helper, ast.Load(), **at), list(arguments), [], **at)

    def tuple(self, items: list[ast.expr], at: Place) -> ast.Tuple:
        """A tuple display."""
        return ast.Tuple(items, ast.Load(), **at)

    def store(self, local: str, value: ast.expr, at: Place) -> ast.Assign:
        """``local = value``."""
        return ast.Assign([ast.Name(local, ast.Store(), **at)], value, **at)

    def walrus(self, local: str, value: ast.expr, at: Place) -> ast.NamedExpr:
        """``(local := value)``."""
        return ast.NamedExpr(ast.Name(local, ast.Store(), **at), value, **at)

    def scope(self, at: Place) -> ast.Name:
        """The scope at hand."""
        return ast.Name("scope", ast.Load(), **at)

    def fresh(self, prefix: str) -> str:
        """A Python name that nothing else has."""
        self.counter += 1
        return f"{prefix}.{self.counter}"

    def is_in(self, value: ast.expr, kind: str, at: Place) -> ast.expr:
        """``value.__class__ is kind``."""
        class_ = ast.Attribute(value, "__class__", ast.Load(), **at)
        return ast.Compare(class_, [ast.Is()], [self.name(kind, at)], **at)

    def is_none(self, value: ast.expr, at: Place) -> ast.expr:
        """``value is None``."""
        return ast.Compare(value, [ast.Is()], [self.constant(None, at)], **at)

    def made_once(self, prefix: str, make: Callable[[], ast.expr], at: Place) -> ast.expr:
        """A value that depends on nothing: worked out when first needed, then kept with the code.

        The name stands around all functions of the unit, which is a function itself. What such a
        value is made of is not kept by itself.
        """
        if self.in_constant:
            return make()
        self.in_constant = True
        try:
            value = make()
        finally:
            self.in_constant = False
        local = self.fresh(prefix)
        self.constants.append(local)
        self.frame.constants.append(local)
        unknown = self.is_none(self.name(local, at), at)
        return ast.IfExp(unknown, self.walrus(local, value, at), self.name(local, at), **at)

    def not_kept(self, node: Node) -> ast.expr:
        """An expression of constants that is worked out each time, for it is seldom needed."""
        before, self.in_constant = self.in_constant, True
        try:
            return self.expression(node)
        finally:
            self.in_constant = before

    # -- dispatch --------------------------------------------------------------------------------

    def expression(self, node: Node) -> ast.expr:
        """The node as a Python expression."""
        kind = node.__class__
        if kind in LEFT and getattr(node, LEFT[kind]).__class__ in LEFT:
            spine = spine_of(node)
            if len(spine) > LONG_CHAIN:
                return self.step_by_step(spine)
        return EXPRESSIONS[kind](self, node)

    def step_by_step(self, spine: list[Node]) -> ast.expr:
        """A long chain: each link takes the value of the one before it from a local."""
        local = self.fresh("link")
        inner = spine[-INNERMOST]
        steps: list[ast.expr] = [
            self.walrus(local, EXPRESSIONS[inner.__class__](self, inner), self.place(inner))
        ]
        for link in reversed(spine[:-INNERMOST]):
            known = copy(link)
            setattr(known, LEFT[link.__class__], Local(link.start, link.end, local))
            value = EXPRESSIONS[link.__class__](self, known)
            steps.append(self.walrus(local, value, self.place(link)))
        return self.sequence(steps, self.place(spine[0]))

    def sequence(self, items: list[ast.expr], at: Place) -> ast.expr:
        """Expressions one after another; the value is that of the last."""
        if len(items) == 1:
            return items[0]
        return ast.Subscript(self.tuple(items, at), self.constant(-1, at), ast.Load(), **at)

    def statement(self, node: Node, sink: Sink) -> None:
        """The node as Python statements, added to the frame at hand."""
        emit = STATEMENTS.get(node.__class__)
        if emit is not None:
            emit(self, node, sink)
        else:
            self.finish(self.expression(node), sink, node)

    def finish(self, value: ast.expr, sink: Sink, node: Node) -> None:
        """Drop or return a value."""
        at = self.place(node)
        done = ast.Return(value, **at) if sink == "return" else ast.Expr(value, **at)
        self.frame.statements.append(done)

    def finish_empty(self, sink: Sink, node: Node) -> None:
        """What an empty block comes to."""
        if sink == "return":
            self.finish(self.constant(None, self.place(node)), sink, node)

    def block(self, node: Node, sink: Sink) -> list[ast.stmt]:
        """The node as a list of statements of its own, never empty."""
        outer = self.frame.statements
        self.frame.statements = []
        try:
            self.statement(node, sink)
            if not self.frame.statements:
                self.frame.statements.append(ast.Pass(**self.place(node)))
            return self.frame.statements
        finally:
            self.frame.statements = outer


def function_definition(
    name: str, parameters: ast.arguments, body: list[ast.stmt], frame: Frame, at: Place
) -> ast.FunctionDef:
    """A Python function; the definition itself stands on the Puppet definition's place."""
    if frame.constants:
        body = [ast.Nonlocal(frame.constants, **at), *body]
    return ast.FunctionDef(name, parameters, body, [], **at)


def arguments_of(
    names: list[str],
    at: Place,
    defaults: list[ast.expr] | None = None,
    rest: str | None = None,
) -> ast.arguments:
    """The parameter list of a Python function."""
    return ast.arguments(
        posonlyargs=[],
        args=[ast.arg(name, **at) for name in names],
        vararg=ast.arg(rest, **at) if rest else None,
        kwonlyargs=[],
        kw_defaults=[],
        defaults=defaults or [],
    )


def without_parentheses(node: Node) -> Node:
    """Return the expression within parentheses."""
    while node.__class__ is nodes.Parenthesized:
        node = node.expression
    return node


def is_true_or_false(node: Node) -> bool:
    """Whether an expression can only yield a Boolean, so that it needs no truth test."""
    return isinstance(
        without_parentheses(node),
        nodes.Comparison
        | nodes.Match
        | nodes.In
        | nodes.And
        | nodes.Or
        | nodes.Not
        | nodes.Boolean,
    )
