"""From syntax nodes to Python's ``ast``: the state of a translation and its dispatch.

One function a node class, registered in :data:`EXPRESSIONS` (a value) or :data:`STATEMENTS` (code
whose value is dropped or returned). Helpers named here are in ``runtime/helpers.py``.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable
from copy import copy
from typing import Any, Literal, TypeVar

from bunraku.base.source import Source
from bunraku.compiler.builder import LOAD, Builder, Extent, Placed
from bunraku.compiler.frames import Frame, Readers
from bunraku.compiler.rules import CompilerRules
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, Program

Sink = Literal["discard", "return"]

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
"""Nodes that nest to the left without brackets, and therefore without limit."""

N = TypeVar("N", bound=Node)
EXPRESSIONS: dict[type[Node], Callable[[Emitter, Any], ast.expr]] = {}
STATEMENTS: dict[type[Node], Callable[[Emitter, Any, Sink], None]] = {}


@nodes.node
class Local(Node):
    """The value of a Python local, where a syntax node is expected."""

    name: str


def spine_of(node: Node) -> list[Node]:
    """Return the links of a chain, the last one first."""
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


class Emitter(Builder):
    """The state of one translation: source, frame, and the module's definitions.

    The functions registered for a node class run with ``place`` set to that of their node.
    """

    def __init__(self, source: Source, program: Program, unit: str, rules: CompilerRules) -> None:
        super().__init__()
        self.source = source
        self.unit = unit
        self.readers = Readers(program)
        self.starts = source.line_starts
        self.ascii = source.is_ascii
        self.frame = Frame(None, scope_kept=True, kind="module")
        self.module: list[ast.stmt] = []
        self.definitions: list[ast.expr] = []
        self.names_types = False
        self.late_lines = rules.late_lines
        self.works_in_place = rules.works_in_place
        self.constants: list[str] = []
        self.in_constant = False
        self.type_names: dict[str, str] = {}
        self.in_alias = False
        self.cells_read: set[str] = set()  # cells of captures that code looks into or fills

    # -- places ----------------------------------------------------------------------------------

    def at(self, node: Node) -> Placed:
        """Stamp the place of another node within a ``with`` block."""
        return Placed(self, self.place_of(node))

    def at_recorded(self, node: Node) -> Placed:
        """Stamp the recorded place of a resource or selector within a ``with`` block."""
        return Placed(self, self.recorded_place(node))

    def place_of(self, node: Node) -> Extent:
        """Return the place of a node."""
        return self.between(node.start, node.end)

    def between(self, start: int, end: int) -> Extent:
        """Return the place of a piece of text; that of an empty node may end before it starts."""
        starts = self.starts
        line = last = bisect_right(starts, start)
        if end <= start:
            end = start
        elif line < len(starts) and starts[line] <= end:
            last = bisect_right(starts, end, line)
        if self.ascii:
            return line, start - starts[line - 1], last, end - starts[last - 1]
        return line, self.source.byte_column(start), last, self.source.byte_column(end)

    def recorded_place(self, node: Node) -> Extent:
        """Return the place that messages give for a resource or selector: its end in Puppet 3."""
        return self.between(node.end - 1, node.end) if self.late_lines else self.place_of(node)

    def line(self, node: Node) -> int:
        """Return the line where a node begins, as the catalog records it."""
        return bisect_right(self.starts, node.start)

    # -- small pieces ----------------------------------------------------------------------------

    def scope(self) -> ast.Name:
        """Make a reference to the current scope."""
        return self.stamp(ast.Name("scope", LOAD))

    def made_once(self, prefix: str, make: Callable[[], ast.expr]) -> ast.expr:
        """Make a value that depends on nothing: computed when first needed, then kept with the code.

        The name is bound around all functions of the unit, which is a function itself. Parts of the
        value are not kept separately.
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
        unknown = self.is_none(self.name(local))
        return self.if_else(unknown, self.walrus(local, value), self.name(local))

    def not_kept(self, node: Node) -> ast.expr:
        """Make an expression of constants that is computed on each run, as few runs need it."""
        before, self.in_constant = self.in_constant, True
        try:
            return self.expression(node)
        finally:
            self.in_constant = before

    # -- dispatch --------------------------------------------------------------------------------

    def expression(self, node: Node) -> ast.expr:
        """Translate a node to a Python expression."""
        before = self.place
        self.place = self.place_of(node)
        made = self.value(node)
        self.place = before
        return made

    def value(self, node: Node) -> ast.expr:
        """Translate a node to a Python expression; the place is set."""
        kind = node.__class__
        if kind in LEFT and getattr(node, LEFT[kind]).__class__ in LEFT:
            spine = spine_of(node)
            if len(spine) > LONG_CHAIN:
                return self.step_by_step(spine)
        return EXPRESSIONS[kind](self, node)

    def step_by_step(self, spine: list[Node]) -> ast.expr:
        """Translate a long chain: each link takes the value of the one before it from a local."""
        local = self.fresh("link")
        steps: list[ast.expr] = []
        for link in reversed(spine[: 1 - INNERMOST]):
            known = copy(link)
            if steps:
                setattr(known, LEFT[link.__class__], Local(link.start, link.end, local))
            with self.at(link):
                value = EXPRESSIONS[link.__class__](self, known)
                steps.append(self.walrus(local, value))
        return self.sequence(steps)

    def statement(self, node: Node, sink: Sink) -> None:
        """Translate a node to Python statements, which are added to the current frame."""
        before = self.place
        self.place = self.place_of(node)
        emit = STATEMENTS.get(node.__class__)
        if emit is not None:
            emit(self, node, sink)
        else:
            self.finish(self.value(node), sink)
        self.place = before

    def finish(self, value: ast.expr, sink: Sink) -> None:
        """Drop or return a value."""
        done = self.return_(value) if sink == "return" else self.run(value)
        self.frame.statements.append(done)

    def finish_empty(self, sink: Sink) -> None:
        """Finish an empty block, whose value is undef."""
        if sink == "return":
            self.finish(self.constant(None), sink)

    def block(self, node: Node, sink: Sink) -> list[ast.stmt]:
        """Translate a node to a separate list of statements, never empty."""
        outer = self.frame.statements
        self.frame.statements = []
        try:
            self.statement(node, sink)
            if not self.frame.statements:
                with self.at(node):
                    self.frame.statements.append(self.pass_())
            return self.frame.statements
        finally:
            self.frame.statements = outer


def without_parentheses(node: Node) -> Node:
    """Return the expression within parentheses."""
    while node.__class__ is nodes.Parenthesized:
        node = node.expression
    return node


def is_true_or_false(node: Node) -> bool:
    """Return whether an expression can only yield a Boolean, and so needs no truth test."""
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
