"""Making nodes of Python's ``ast``: a builder stamps each with the current place.

``compile`` requires the position of every node. A compiler sets the place of the piece of source that
it translates (:meth:`Builder.at`); all nodes it makes then get this place. The compilers of Puppet
code and of Ruby code both extend :class:`Builder` by their own state.
"""

from __future__ import annotations

import ast
from typing import Any, TypeVar

Extent = tuple[int, int, int, int]
"""First line, its column, last line, the column after the end: lines from 1, columns from 0 in bytes."""
START: Extent = (1, 0, 1, 0)
"""The place of nodes that belong to the whole source."""

Located = TypeVar("Located", bound=ast.expr | ast.stmt | ast.arg | ast.keyword | ast.ExceptHandler)

# Nodes without a place: one of each serves all.
LOAD, STORE, NOT, AND, OR = ast.Load(), ast.Store(), ast.Not(), ast.And(), ast.Or()
COMPARISONS: dict[str, ast.cmpop] = {
    "==": ast.Eq(),
    "!=": ast.NotEq(),
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
    "is": ast.Is(),
    "is not": ast.IsNot(),
    "in": ast.In(),
    "not in": ast.NotIn(),
}
OPERATORS: dict[str, ast.operator] = {
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "//": ast.FloorDiv(),
    "%": ast.Mod(),
}


class Placed:
    """A ``with`` block in which a builder stamps another place."""

    __slots__ = ("before", "builder", "place")

    def __init__(self, builder: Builder, place: Extent) -> None:
        self.builder = builder
        self.place = place

    def __enter__(self) -> None:
        self.before = self.builder.place
        self.builder.place = self.place

    def __exit__(self, *_: object) -> None:
        self.builder.place = self.before


class Builder:
    """Makes nodes; ``place`` is the position that they get."""

    def __init__(self) -> None:
        self.place = START
        self.counter = 0

    def stamp(self, made: Located) -> Located:
        """Give a node the current place."""
        made.lineno, made.col_offset, made.end_lineno, made.end_col_offset = self.place
        return made

    def fresh(self, prefix: str) -> str:
        """Return an unused Python name."""
        self.counter += 1
        return f"{prefix}.{self.counter}"

    def placed(self, place: Extent) -> Placed:
        """Stamp another place within a ``with`` block."""
        return Placed(self, place)

    # -- expressions -----------------------------------------------------------------------------

    def name(self, identifier: str) -> ast.Name:
        """Make a reference to a helper or a local."""
        return self.stamp(ast.Name(identifier, LOAD))

    def constant(self, value: Any) -> ast.Constant:
        """Make a constant: also a tuple of constants, which typeshed's types leave out."""
        return self.stamp(ast.Constant(value))

    def call(self, function: str | ast.expr, *arguments: ast.expr) -> ast.Call:
        """Make a call of a helper, or of the value of an expression."""
        called = self.name(function) if isinstance(function, str) else function
        return self.stamp(ast.Call(called, [*arguments], []))

    def attribute(self, value: ast.expr, name: str) -> ast.Attribute:
        """Make ``value.name``."""
        return self.stamp(ast.Attribute(value, name, LOAD))

    def method(self, value: ast.expr, name: str, *arguments: ast.expr) -> ast.Call:
        """Make ``value.name(arguments)``."""
        return self.call(self.attribute(value, name), *arguments)

    def subscript(self, value: ast.expr, key: ast.expr) -> ast.Subscript:
        """Make ``value[key]``."""
        return self.stamp(ast.Subscript(value, key, LOAD))

    def tuple_of(self, items: list[ast.expr]) -> ast.Tuple:
        """Make ``(item, …)``."""
        return self.stamp(ast.Tuple(items, LOAD))

    def list_of(self, items: list[ast.expr]) -> ast.List:
        """Make ``[item, …]``."""
        return self.stamp(ast.List(items, LOAD))

    def dict_of(self, keys: list[ast.expr | None], values: list[ast.expr]) -> ast.Dict:
        """Make ``{key: value, …}``."""
        return self.stamp(ast.Dict(keys, values))

    def walrus(self, local: str, value: ast.expr) -> ast.NamedExpr:
        """Make ``(local := value)``."""
        return self.stamp(ast.NamedExpr(self.stamp(ast.Name(local, STORE)), value))

    def if_else(self, test: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.IfExp:
        """Make ``then if test else otherwise``."""
        return self.stamp(ast.IfExp(test, then, otherwise))

    def compare(self, left: ast.expr, operator: str, right: ast.expr) -> ast.expr:
        """Make ``left operator right`` with one of the :data:`COMPARISONS`."""
        return self.stamp(ast.Compare(left, [COMPARISONS[operator]], [right]))

    def within(self, low: ast.expr, value: ast.expr, high: ast.expr) -> ast.expr:
        """Make ``low <= value <= high``."""
        operator = COMPARISONS["<="]
        return self.stamp(ast.Compare(low, [operator, operator], [value, high]))

    def binary(self, left: ast.expr, operator: str, right: ast.expr) -> ast.BinOp:
        """Make ``left operator right`` with one of the :data:`OPERATORS`."""
        return self.stamp(ast.BinOp(left, OPERATORS[operator], right))

    def is_none(self, value: ast.expr) -> ast.expr:
        """Make ``value is None``."""
        return self.compare(value, "is", self.constant(None))

    def is_not_none(self, value: ast.expr) -> ast.expr:
        """Make ``value is not None``."""
        return self.compare(value, "is not", self.constant(None))

    def has_class(self, value: ast.expr, class_name: str) -> ast.expr:
        """Make ``value.__class__ is class_name``."""
        return self.compare(self.attribute(value, "__class__"), "is", self.name(class_name))

    def not_(self, test: ast.expr) -> ast.UnaryOp:
        """Make ``not test``."""
        return self.stamp(ast.UnaryOp(NOT, test))

    def all_of(self, *tests: ast.expr) -> ast.BoolOp:
        """Make ``test and test …``."""
        return self.stamp(ast.BoolOp(AND, [*tests]))

    def any_of(self, *tests: ast.expr) -> ast.BoolOp:
        """Make ``test or test …``."""
        return self.stamp(ast.BoolOp(OR, [*tests]))

    def sequence(self, items: list[ast.expr]) -> ast.expr:
        """Make an expression that evaluates several, one after another, and yields the last value."""
        if len(items) == 1:
            return items[0]
        return self.subscript(self.tuple_of(items), self.constant(-1))

    # -- statements ------------------------------------------------------------------------------

    def assign(self, local: str, value: ast.expr) -> ast.Assign:
        """Make ``local = value``."""
        return self.assign_to(self.stamp(ast.Name(local, STORE)), value)

    def assign_to(self, target: ast.expr, value: ast.expr) -> ast.Assign:
        """Make ``target = value``; the target has the context STORE."""
        return self.stamp(ast.Assign([target], value))

    def run(self, value: ast.expr) -> ast.Expr:
        """Make a statement of an expression."""
        return self.stamp(ast.Expr(value))

    def return_(self, value: ast.expr) -> ast.Return:
        """Make ``return value``."""
        return self.stamp(ast.Return(value))

    def pass_(self) -> ast.Pass:
        """Make ``pass``."""
        return self.stamp(ast.Pass())

    def if_(
        self, test: ast.expr, then: list[ast.stmt], otherwise: list[ast.stmt] | None = None
    ) -> ast.If:
        """Make ``if test: then … else: otherwise``."""
        return self.stamp(ast.If(test, then, otherwise or []))

    def try_(
        self, body: list[ast.stmt], exception: str, local: str, handler: list[ast.stmt]
    ) -> ast.Try:
        """Make ``try: body … except exception as local: handler``."""
        caught = self.stamp(ast.ExceptHandler(self.name(exception), local, handler))
        return self.stamp(ast.Try(body, [caught], [], []))

    def function(
        self, name: str, parameters: ast.arguments, body: list[ast.stmt], outer: list[str]
    ) -> ast.FunctionDef:
        """Make a function; ``outer`` are the variables of functions around it that it assigns."""
        if outer:
            body = [self.stamp(ast.Nonlocal(outer)), *body]
        return self.stamp(ast.FunctionDef(name, parameters, body, []))

    def parameters(
        self, names: list[str], defaults: list[ast.expr] | None = None, rest: str | None = None
    ) -> ast.arguments:
        """Make the parameter list of a function; defaults belong to the last names."""
        return ast.arguments(
            posonlyargs=[],
            args=[self.stamp(ast.arg(name)) for name in names],
            vararg=self.stamp(ast.arg(rest)) if rest else None,
            kwonlyargs=[],
            kw_defaults=[],
            defaults=defaults or [],
        )
