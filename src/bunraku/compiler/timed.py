"""Expressions that only compute from the time, variables and constants (:mod:`bunraku.runtime.timed`).

Code without the name of a source of the time is emitted as if this module were not there. An expression
that this module does not know is emitted as usual, too; a compile that runs it depends on the very time.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import Any

from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.compiler.emitter import Emitter, Sink, without_parentheses
from bunraku.compiler.expressions import ARITHMETIC, COMPARISON, RESERVED
from bunraku.compiler.rules import CompilerRules
from bunraku.syntax import nodes
from bunraku.syntax.nodes import CHILD_VALUES, Node, Program

SOURCES = re.compile(r"Timestamp|strftime|\btime\b")
MADE = frozenset({"boolean", "float", "integer", "numeric", "string", "timespan", "timestamp"})
"""Types whose values are made of others."""
OPERATORS = {**ARITHMETIC, **COMPARISON}
WITHOUT_VALUE = frozenset({"class", "define"})
"""Bodies whose last statement yields nothing that is used."""
LITERALS = (nodes.Integer, nodes.Float, nodes.Boolean, nodes.String, nodes.Name)
Formula = tuple[Any, ...]


class NotTimed(Exception):
    """An expression that does more than compute."""


@record(eq=False)
class TimedTree:
    """An expression with its formula, and the variables that it reads, in order."""

    formula: Formula = ()
    leaves: list[Node] = field(default_factory=list)
    reads_time: bool = False


def emitter_for(source: Source, program: Program, unit: str, rules: CompilerRules) -> Emitter:
    """Return the emitter for a program."""
    if rules.works_in_place and SOURCES.search(source.text):
        trees = Trees()
        for body in (*program.definitions, program.body):
            trees.find(body)
        if trees.known:
            return TimedEmitter(source, program, unit, rules, trees)
    return Emitter(source, program, unit, rules)


class Trees:
    """The largest expressions of a program that compute from the time, by the identity of their nodes.

    ``variables`` are the names of variables that some code assigns such a value to.
    """

    def __init__(self) -> None:
        self.known: dict[int, TimedTree] = {}
        self.variables: set[str] = set()

    def find(self, root: Node) -> None:
        """Find the expressions below a node, in the order of the source."""
        waiting: list[Node] = [root]
        while waiting:
            node = waiting.pop()
            tree = self.tree(node)
            if tree is not None:
                self.known[id(node)] = tree
                continue
            if isinstance(node, nodes.Assignment) and isinstance(node.left, nodes.Variable):
                if self.tree(without_parentheses(node.right)) is not None:
                    self.variables.add(node.left.name)
            found: list[Node] = []
            for value in CHILD_VALUES[node.__class__](node):
                if value.__class__ is list:
                    found += value
                elif value is not None:
                    found.append(value)
            waiting += reversed(found)

    def tree(self, node: Node) -> TimedTree | None:
        """Return an expression with its formula; None for one that does not compute from the time."""
        if isinstance(node, nodes.Variable | nodes.Access | nodes.Parenthesized):
            return None
        if node.__class__ not in FORMULAS:
            return None
        tree = TimedTree()
        try:
            tree.formula = self.formula(tree, node)
        except (NotTimed, RecursionError):
            return None
        return tree if tree.reads_time else None

    def formula(self, tree: TimedTree, node: Node) -> Formula:
        """Return the formula of an expression; NotTimed if it has none."""
        node = without_parentheses(node)
        if isinstance(node, LITERALS):
            return "value", node.value
        if is_leaf(node):
            name = (
                f"${node.name}"
                if isinstance(node, nodes.Variable) and "::" not in node.name
                else ""
            )
            tree.reads_time |= name[1:] in self.variables
            tree.leaves.append(node)
            return "leaf", name, len(tree.leaves) - 1
        make = FORMULAS.get(node.__class__)
        if make is None:
            raise NotTimed
        return make(self, tree, node)

    def all_of(self, tree: TimedTree, found: Sequence[Node]) -> list[Formula]:
        """Return the formulas of several expressions."""
        return [self.formula(tree, one) for one in found]


def is_leaf(node: Node) -> bool:
    """Return whether an expression is a variable, or an element of one by constants."""
    while isinstance(node, nodes.Access) and all(isinstance(key, LITERALS) for key in node.keys):
        node = node.left
    return isinstance(node, nodes.Variable) and not node.name.isdigit()


def of_operator(
    trees: Trees, tree: TimedTree, node: nodes.Arithmetic | nodes.Comparison
) -> Formula:
    """Return the formula of a binary operator."""
    if node.operator not in OPERATORS:
        raise NotTimed
    return OPERATORS[node.operator], *trees.all_of(tree, [node.left, node.right])


def of_not(trees: Trees, tree: TimedTree, node: nodes.Not) -> Formula:
    """Return the formula of ``! x``."""
    return "not", trees.formula(tree, node.expression)


def of_minus(trees: Trees, tree: TimedTree, node: nodes.UnaryMinus) -> Formula:
    """Return the formula of ``- x``."""
    return "negate", trees.formula(tree, node.expression)


def of_text(trees: Trees, tree: TimedTree, node: nodes.Concatenation) -> Formula:
    """Return the formula of a text with values in it."""
    parts = [
        segment.expression if isinstance(segment, nodes.Interpolation) else segment
        for segment in node.segments
    ]
    return "text", *trees.all_of(tree, parts)


def of_call(trees: Trees, tree: TimedTree, node: nodes.Call) -> Formula:
    """Return the formula of ``name(arguments)`` and ``Type(arguments)``."""
    if node.block is not None:
        raise NotTimed
    if isinstance(node.callee, nodes.Reference):
        return of_type(trees, tree, node.callee.value, node.arguments)
    if isinstance(node.callee, nodes.Name):
        return of_function(trees, tree, node.callee.value, node.arguments)
    raise NotTimed


def of_method(trees: Trees, tree: TimedTree, node: nodes.MethodCall) -> Formula:
    """Return the formula of ``receiver.name(arguments)``."""
    if node.block is not None or not isinstance(node.name, nodes.Name):
        raise NotTimed
    if isinstance(node.receiver, nodes.Reference) and node.name.value == "new":
        return of_type(trees, tree, node.receiver.value, node.arguments)
    return of_function(trees, tree, node.name.value, [node.receiver, *node.arguments])


def of_type(trees: Trees, tree: TimedTree, name: str, arguments: Sequence[Node]) -> Formula:
    """Return the formula of a new value of a type."""
    if name.lower() not in MADE:
        raise NotTimed
    if not arguments:
        if name.lower() != "timestamp":
            raise NotTimed
        tree.reads_time = True
        return "now", "timestamp"
    return "new", name.capitalize(), *trees.all_of(tree, arguments)


def of_function(trees: Trees, tree: TimedTree, name: str, arguments: Sequence[Node]) -> Formula:
    """Return the formula of a call of a function that reads the time, or writes it as text."""
    name = name.removeprefix("::")
    if name in ("time", "stdlib::time") and not arguments:
        tree.reads_time = True
        return "call", name, "now", "seconds"
    if name != "strftime" or not 1 <= len(arguments) <= 3:
        raise NotTimed
    found = trees.all_of(tree, arguments)
    if len(found) == 1:
        tree.reads_time = True
        found.insert(0, ("now", "timestamp"))
    return "call", name, "strftime", *found


FORMULAS: dict[type[Node], Callable[[Trees, TimedTree, Any], Formula]] = {
    nodes.Arithmetic: of_operator,
    nodes.Comparison: of_operator,
    nodes.Not: of_not,
    nodes.UnaryMinus: of_minus,
    nodes.Concatenation: of_text,
    nodes.Call: of_call,
    nodes.MethodCall: of_method,
}


class TimedEmitter(Emitter):
    """Emits a program that reads the time; ``leaves`` are the locals of variables that are read already."""

    def __init__(
        self, source: Source, program: Program, unit: str, rules: CompilerRules, trees: Trees
    ) -> None:
        super().__init__(source, program, unit, rules)
        self.trees = trees
        self.leaves: dict[int, str] = {}

    def value(self, node: Node) -> ast.expr:
        """Translate a node to a Python expression; the place is set."""
        leaf = self.leaves.get(id(node))
        if leaf is not None:
            return self.name(leaf)
        tree = self.trees.known.get(id(node))
        if tree is None:
            return super().value(node)
        return self.call("timed", *self.parts(tree, node))

    def statement(self, node: Node, sink: Sink) -> None:
        """Translate a node to Python statements, which are added to the current frame."""
        if (
            isinstance(node, nodes.Assignment)
            and isinstance(node.left, nodes.Variable)
            and (sink == "discard" or self.frame.kind in WITHOUT_VALUE)
            and node.operator == "="
            and self.frame.scope_kept
            and node.left.name not in RESERVED
            and not node.left.name.isdigit()
        ):
            right = without_parentheses(node.right)
            tree = self.trees.known.get(id(right))
            if tree is not None:
                with self.at(node):
                    scope, *parts = self.parts(tree, right)
                    key = self.constant(f"${node.left.name}")
                    self.finish(self.call("assign_timed", scope, key, *parts), "discard")
                return
        super().statement(node, sink)

    def parts(self, tree: TimedTree, node: Node) -> list[ast.expr]:
        """Return the arguments of the helper for an expression, in the order in which they are computed."""
        names = [self.fresh("leaf") for _ in tree.leaves]
        locals_ = dict(zip(map(id, tree.leaves), names, strict=True))
        in_body = self.frame.scope_kept
        read: list[ast.expr] = [
            self.walrus(locals_[id(leaf)], self.expression(leaf)) for leaf in tree.leaves
        ]
        self.leaves.update(locals_)
        try:
            with self.at(node):
                value = super().value(node)
        finally:
            for leaf in locals_:
                del self.leaves[leaf]
        formula = tree.formula if in_body else without_names(tree.formula)
        begin = self.call("begin_timed", self.scope())
        return [self.scope(), self.constant(formula), begin, self.tuple_of(read), value]


def without_names(formula: Formula) -> Formula:
    """Return a formula whose variables are known by their values only: in a lambda they may be its own."""
    if formula[0] == "leaf":
        return "leaf", "", formula[2]
    return tuple([without_names(one) if one.__class__ is tuple else one for one in formula])
