"""Making Python's syntax trees for templates: nodes with a line, and which Python variable is which."""

from __future__ import annotations

import ast
from typing import Any

from bunraku.base.records import field, record
from bunraku.ruby.erb.text import RubyText, Unsupported

LOAD, STORE = ast.Load(), ast.Store()


@record(eq=False)
class Frame:
    """A Python function that is being made."""

    parent: Frame | None = None
    outside: set[str] = field(default_factory=set)


@record(eq=False)
class Names:
    """The local variables of the template or of a block: Ruby's name → Python's."""

    frame: Frame
    parent: Names | None = None
    known: dict[str, str] = field(default_factory=dict)
    fresh: list[str] = field(default_factory=list)


class Maker:
    """Makes nodes; ``line`` is the template's line they get."""

    def __init__(self, source: RubyText) -> None:
        self.source = source
        self.line = 1
        self.names = Names(Frame())
        self.body: list[ast.stmt] = []
        self.taken: dict[str, int] = {}

    # -- places ----------------------------------------------------------------------------------

    def place(self, node: Any) -> int:
        """The template's line of a syntax node of Ruby."""
        row = int(node.start_point[0])
        return self.source.lines[min(row, len(self.source.lines) - 1)]

    def refuse(self, node: Any, what: str) -> Unsupported:
        """The exception for what only Ruby can do."""
        return Unsupported(what, self.place(node))

    def stamp(self, made: Any) -> Any:
        """Give a node its line."""
        made.lineno = made.end_lineno = self.line
        made.col_offset = made.end_col_offset = 0
        return made

    # -- nodes -----------------------------------------------------------------------------------

    def name(self, identifier: str) -> ast.expr:
        """A variable or helper."""
        found: ast.expr = self.stamp(ast.Name(identifier, LOAD))
        return found

    def constant(self, value: Any) -> ast.expr:
        """A constant."""
        found: ast.expr = self.stamp(ast.Constant(value))
        return found

    def call(self, helper: str | ast.expr, *arguments: ast.expr) -> ast.expr:
        """A call of a helper."""
        function = self.name(helper) if isinstance(helper, str) else helper
        found: ast.expr = self.stamp(ast.Call(function, list(arguments), []))
        return found

    def context(self, attribute: str, *arguments: ast.expr) -> ast.expr:
        """A call of a method of the context."""
        member = self.stamp(ast.Attribute(self.name(":context"), attribute, LOAD))
        return self.call(member, *arguments)

    def sequence(self, items: list[ast.expr]) -> ast.expr:
        """A tuple."""
        found: ast.expr = self.stamp(ast.Tuple(items, LOAD))
        return found

    def array(self, items: list[ast.expr]) -> ast.expr:
        """An array of the template's own."""
        return self.call(":Array", self.sequence(items))

    def choice(self, test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.expr:
        """``yes if test else no``."""
        found: ast.expr = self.stamp(ast.IfExp(test, yes, no))
        return found

    def negation(self, test: ast.expr) -> ast.expr:
        """``not test``."""
        found: ast.expr = self.stamp(ast.UnaryOp(ast.Not(), test))
        return found

    def comparison(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.expr:
        """``left operator right``; of constants the answer, for Python warns of ``1 is None``."""
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            if isinstance(operator, ast.Is | ast.IsNot):
                same = left.value is right.value
                return self.constant(same is isinstance(operator, ast.Is))
        found: ast.expr = self.stamp(ast.Compare(left, [operator], [right]))
        return found

    def both(self, operator: ast.boolop, *tests: ast.expr) -> ast.expr:
        """Tests with ``and`` or ``or``."""
        found: ast.expr = self.stamp(ast.BoolOp(operator, list(tests)))
        return found

    def named(self, identifier: str, value: ast.expr) -> ast.expr:
        """``(identifier := value)``."""
        found: ast.expr = self.stamp(ast.NamedExpr(self.stamp(ast.Name(identifier, STORE)), value))
        return found

    def set(self, identifier: str, value: ast.expr) -> None:
        """The statement ``identifier = value``."""
        target = self.stamp(ast.Name(identifier, STORE))
        self.body.append(self.stamp(ast.Assign([target], value)))

    def do(self, value: ast.expr) -> None:
        """An expression as a statement."""
        self.body.append(self.stamp(ast.Expr(value)))

    # -- variables -------------------------------------------------------------------------------

    def new_name(self, wanted: str) -> str:
        """A Python name that nothing else has."""
        number = self.taken[wanted] = self.taken.get(wanted, 0) + 1
        return wanted if number == 1 else f"{wanted}'{number}"

    def temporary(self) -> str:
        """A variable of the function that is being made."""
        return self.new_name(":t")

    def find(self, ruby: str) -> tuple[str, Frame] | None:
        """The Python variable of a local variable, and the function it belongs to."""
        names: Names | None = self.names
        while names is not None:
            if ruby in names.known:
                return names.known[ruby], names.frame
            names = names.parent
        return None

    def assigned(self, ruby: str) -> str:
        """The Python variable to assign to; a new one belongs to the block around."""
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
        """The Python variable of a parameter of the block that is being made."""
        made = self.names.known[ruby] = self.new_name(ruby)
        return made
