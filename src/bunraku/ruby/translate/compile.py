"""ERB templates as Python code: statements and blocks.

A template becomes a function of a :class:`bunraku.ruby.erb.scope.Context`, whose code carries the
template's file name and lines. Whatever is not known to mean the same in Python as in Ruby is refused
with :class:`Unsupported`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import CodeType
from typing import Any

from bunraku.ruby.erb.text import PUT, TEXT, RubyText, Unsupported, ruby_text
from bunraku.ruby.schema.reader import parse_ruby
from bunraku.ruby.translate.expressions import Expressions, operator_of, sides
from bunraku.ruby.translate.literals import named, source
from bunraku.ruby.translate.names import STORE, Frame, Names

Node = Any
Sink = Callable[[ast.expr], None]
"""What becomes of the value of a statement."""
LOOPS = {
    "each": ":each",
    "each_pair": ":each_pair",
    "each_with_index": ":with_index",
    "each_index": ":indices",
    "times": ":times",
    "each_key": ":keys",
    "each_value": ":values",
    "reverse_each": ":reverse_each",
}
ERRORS = frozenset(
    {"ArgumentError", "StandardError", "Exception", "IPAddr::Error", "IPAddr::InvalidAddressError"}
)
"""Classes of errors that ``rescue`` may name."""
NOTHING = frozenset({"comment", "empty_statement"})
ONCE = frozenset({"sort"})
"""Methods that call their block as often as they like: it must do nothing but answer."""


class Compiler(Expressions):
    """Makes the code of one template."""

    def __init__(self, text: RubyText, root: Node, old: bool) -> None:
        groups = "$" in text.code and "global_variable" in kinds(root)
        super().__init__(text, old, groups)
        self.root = root
        self.loops: list[bool] = []
        self.outputs = 0
        self.spreads: list[tuple[str, list[Any]]] = []
        self.statements: dict[str, Callable[[Node, Sink | None], None]] = {
            "if": self.do_if,
            "elsif": self.do_if,
            "unless": self.do_if,
            "if_modifier": self.do_modifier,
            "unless_modifier": self.do_modifier,
            "case": self.do_case,
            "call": self.do_call,
            "assignment": self.do_assignment,
            "binary": self.do_binary,
            "begin": self.do_begin,
            "parenthesized_statements": self.do_begin,
            "next": self.do_next,
            "break": self.do_break,
        }

    def module(self) -> ast.Module:
        """The module that defines the function ``template``."""
        self.do_all(named(self.root), None)
        body, self.body, self.line = self.body, [], 1
        self.set(":out", self.stamp(ast.List([], ast.Load())))
        out = self.stamp(ast.Attribute(self.name(":out"), "extend", ast.Load()))
        self.set(":put", out)
        for identifier in self.instance:
            self.set(identifier, self.context("variable", self.constant(f"${identifier[1:]}")))
        for identifier, node in self.asked_defined:
            if identifier in self.assigned_instance:
                raise self.refuse(node, "'defined?' of a variable that the template sets")
        self.forget(self.names)
        empty = self.stamp(ast.Attribute(self.constant(""), "join", ast.Load()))
        returned = self.stamp(ast.Return(self.call(empty, self.name(":out"))))
        function = self.function_of("template", [":context"], [*self.body, *body, returned])
        return ast.Module([function], [])

    def function_of(self, name: str, parameters: list[str], body: list[ast.stmt]) -> ast.stmt:
        """The definition of a function."""
        arguments = [self.stamp(ast.arg(parameter)) for parameter in parameters]
        signature = ast.arguments([], arguments, None, [], [], None, [])
        found: ast.stmt = self.stamp(ast.FunctionDef(name, signature, body, [], None))
        return found

    def forget(self, names: Names) -> None:
        """Let the variables of a block be nil at its beginning."""
        for identifier in names.fresh:
            self.set(identifier, self.constant(None))

    # -- statements ------------------------------------------------------------------------------

    def do_all(self, nodes: list[Node], sink: Sink | None) -> None:
        """Statements one after the other; the value is that of the last."""
        nodes = [node for node in nodes if node.type not in NOTHING]
        for node in nodes[:-1]:
            self.do_one(node, None)
        if nodes:
            self.do_one(nodes[-1], sink)
        elif sink is not None:
            sink(self.constant(None))

    def do_one(self, node: Node, sink: Sink | None) -> None:
        """One statement."""
        before, self.line = self.line, self.place(node)
        handler = self.statements.get(node.type)
        if handler is not None:
            handler(node, sink)
        else:
            self.finish(self.value(node), sink)
        self.line = before

    def finish(self, value: ast.expr, sink: Sink | None) -> None:
        """Give a value to the sink; without one it was computed for what it does."""
        if sink is not None:
            sink(value)
        elif not isinstance(value, ast.Name | ast.Constant):
            self.do(value)

    def inner(self, make: Callable[[], None]) -> list[ast.stmt]:
        """The statements that something makes; at least one."""
        before, self.body = self.body, []
        make()
        found, self.body = self.body or [self.stamp(ast.Pass())], before
        return found

    def put(self, value: ast.expr) -> None:
        """Add a text to the output; neighbours are added together."""
        self.outputs += 1
        last = self.body[-1] if self.body else None
        if isinstance(last, Output):
            last.items.append(value)
            return
        items = [value]
        self.body.append(self.stamp(Output(self.call(":put", self.sequence(items)), items)))

    def do_begin(self, node: Node, sink: Sink | None) -> None:
        """Statements in parentheses or between ``begin`` and ``end``."""
        inner = named(node)
        body = [child for child in inner if child.type not in ("rescue", "ensure", "else")]
        clauses = inner[len(body) :]
        if not clauses:
            self.do_all(body, sink)
            return
        for clause in clauses:
            if clause.type != "rescue" or len(clauses) > 1:
                raise self.refuse(clause, f"'{clause.type}'")
        statements = self.inner(lambda: self.do_all(body, sink))
        statement = self.stamp(ast.Try(statements, [self.rescue(clauses[0], sink)], [], []))
        self.body.append(statement)

    def rescue(self, node: Node, sink: Sink | None) -> ast.ExceptHandler:
        """``rescue``: only what is sure to be raised gets here, all else is Ruby's."""
        given, variable, body = (
            node.child_by_field_name(name) for name in ("exceptions", "variable", "body")
        )
        names = ["StandardError"] if given is None else [source(child) for child in named(given)]
        if not self.is_rescued(names):
            raise self.refuse(node, "'rescue' of such errors")
        if variable is not None and self.find(source(named(variable)[0])) is not None:
            raise self.refuse(node, "'rescue' into a variable")
        error = self.temporary()
        again = self.stamp(ast.Raise(None, None))
        fits = self.stamp(ast.Attribute(self.name(error), "fits", ast.Load()))
        test = self.negation(self.call(fits, *map(self.constant, names)))
        check: ast.stmt = self.stamp(ast.If(test, [again], []))
        handler = [check, *self.inner(lambda: self.do_branch(body, sink))]
        found: ast.ExceptHandler = self.stamp(
            ast.ExceptHandler(self.name(":Raised"), error, handler)
        )
        return found

    def is_rescued(self, names: list[str]) -> bool:
        """Whether ``rescue`` may name some classes of errors."""
        return ERRORS.issuperset(names)

    def do_if(self, node: Node, sink: Sink | None) -> None:
        """``if``, ``elsif`` and ``unless``."""
        test = self.condition(node.child_by_field_name("condition"))
        if node.type == "unless":
            test = self.negation(test)
        yes, no = (node.child_by_field_name(name) for name in ("consequence", "alternative"))
        self.when(test, lambda: self.do_branch(yes, sink), lambda: self.do_branch(no, sink))

    def when(self, test: ast.expr, yes: Callable[[], None], no: Callable[[], None] | None) -> None:
        """The statement ``if test: … else: …``."""
        statement = self.stamp(ast.If(test, [], []))
        statement.body = self.inner(yes)
        otherwise = [] if no is None else self.inner(no)
        if len(otherwise) != 1 or not isinstance(otherwise[0], ast.Pass):
            statement.orelse = otherwise
        self.body.append(statement)

    def do_branch(self, node: Node | None, sink: Sink | None) -> None:
        """What stands after a condition."""
        if node is None:
            self.do_all([], sink)
        elif node.type == "elsif":
            self.tried([node], sink)
        else:
            self.tried(named(node), sink)

    def tried(self, nodes: list[Node], sink: Sink | None) -> None:
        """Statements that may never run: if only Ruby can do them, it does when they do run."""
        names, loops, size = self.names, len(self.loops), len(self.body)
        body, known, spreads = self.body, dict(self.names.known), self.spreads
        try:
            self.do_all(nodes, sink)
        except Unsupported as reason:
            self.names, self.body, self.spreads = names, body, spreads
            del self.loops[loops:], self.body[size:]
            self.names.known = known
            self.line = reason.line or self.line
            self.do(self.call(":only_ruby", self.constant(reason.what)))

    def do_modifier(self, node: Node, sink: Sink | None) -> None:
        """``x if y``: variables of x are known in y, for it comes first in the text."""
        body = node.child_by_field_name("body")
        statements = self.inner(lambda: self.do_one(body, sink))
        test = self.condition(node.child_by_field_name("condition"))
        if node.type == "unless_modifier":
            test = self.negation(test)
        statement = self.stamp(ast.If(test, statements, []))
        if sink is not None:
            statement.orelse = self.inner(lambda: sink(self.constant(None)))
        self.body.append(statement)

    def do_binary(self, node: Node, sink: Sink | None) -> None:
        """``a and b`` as a statement may jump: ``next``."""
        operator = operator_of(node)
        left, right = sides(node)
        if sink is not None or operator not in ("and", "or", "&&", "||"):
            self.finish(self.value(node), sink)
            return
        test = self.condition(left)
        if operator in ("or", "||"):
            test = self.negation(test)
        self.when(test, lambda: self.do_one(right, None), None)

    def do_assignment(self, node: Node, sink: Sink | None) -> None:
        """``x = y``, and ``a, b = c``."""
        left, right = (node.child_by_field_name(name) for name in ("left", "right"))
        if left.type == "left_assignment_list":
            self.do_several(node, left, right, sink)
        elif left.type == "element_reference" or right.type == "right_assignment_list":
            self.finish(self.value(node), sink)
        else:
            identifier = self.target(left)

            def keep(value: ast.expr) -> None:
                self.set(identifier, value)

            self.do_one(right, keep)
            if sink is not None:
                sink(self.name(identifier))

    def do_several(self, node: Node, left: Node, right: Node, sink: Sink | None) -> None:
        """``a, b = c`` and ``a, b = c, d``."""
        targets = [self.target(child) for child in named(left)]
        count = self.constant(len(targets))
        spread = named(right)
        if right.type == "splat_argument" or (
            len(spread) == 1 and spread[0].type == "splat_argument"
        ):
            inner = right if right.type == "splat_argument" else spread[0]
            value = self.call(":to_list", self.value(named(inner)[0]))
        elif right.type == "right_assignment_list":
            value = self.array(self.plain_values(named(right)))
        else:
            value = self.value(right)
        if sink is not None:
            raise self.refuse(node, "several variables set for a value")
        stores = [self.stamp(ast.Name(identifier, STORE)) for identifier in targets]
        pattern = self.stamp(ast.Tuple(stores, STORE))
        self.body.append(self.stamp(ast.Assign([pattern], self.call(":spread", value, count))))

    def do_case(self, node: Node, sink: Sink | None) -> None:
        """``case``."""
        subject = node.child_by_field_name("value")
        found: ast.expr | None = None
        if subject is not None:
            temporary = self.temporary()
            self.set(temporary, self.value(subject))
            found = self.name(temporary)
        clauses = [child for child in named(node) if child != subject]
        self.do_clauses(
            node, [child for child in clauses if child.type not in NOTHING], found, sink
        )

    def do_clauses(
        self, node: Node, clauses: list[Node], subject: ast.expr | None, sink: Sink | None
    ) -> None:
        """The clauses of a ``case`` from one on."""
        if not clauses or clauses[0].type == "else":
            if len(clauses) > 1:
                raise self.refuse(node, "'case' of such a form")
            self.do_branch(clauses[0] if clauses else None, sink)
            return
        clause, *others = clauses
        if clause.type != "when":
            raise self.refuse(clause, "'case' of such a form")
        self.line = self.place(clause)
        patterns = clause.children_by_field_name("pattern")
        tests = [self.pattern(named(pattern)[0], subject) for pattern in patterns]
        test = tests[0] if len(tests) == 1 else self.both(ast.Or(), *tests)
        body = clause.child_by_field_name("body")
        self.when(
            test,
            lambda: self.do_branch(body, sink),
            lambda: self.do_clauses(node, others, subject, sink),
        )

    def pattern(self, node: Node, subject: ast.expr | None) -> ast.expr:
        """Whether a pattern of ``when`` fits."""
        if subject is None:
            return self.condition(node)
        if node.type in ("constant", "scope_resolution"):
            return self.class_test(node, subject, node)
        if node.type == "regex":
            test = self.call(":case_match", subject, self.value(node))
            return self.context("case_matched", *test.args) if self.groups else test  # type: ignore[attr-defined]
        if node.type in ("string", "integer", "nil", "true", "false", "simple_symbol", "float"):
            return self.equality(subject, self.value(node))
        return self.call(":case_equal", self.value(node), subject)

    # -- calls and loops -------------------------------------------------------------------------

    def do_call(self, node: Node, sink: Sink | None) -> None:
        """Text, ``<%= %>``, loops; else a call."""
        receiver, method, block = (
            node.child_by_field_name(name) for name in ("receiver", "method", "block")
        )
        name = "" if method is None else source(method)
        if receiver is None and name in (TEXT, PUT):
            if sink is not None and name == PUT:
                raise self.refuse(node, "output as a value")
            self.do_output(named(node.child_by_field_name("arguments"))[0], name)
            if sink is not None:
                sink(self.constant(None))  # ERB's is the whole output, which nothing asks for
        elif receiver is not None and block is not None and name in LOOPS:
            self.do_loop(node, name, sink)
        else:
            self.finish(self.value(node), sink)

    def do_output(self, argument: Node, name: str) -> None:
        """Text, or a value as text."""
        if name == TEXT:
            self.put(self.constant(self.source.texts[int(source(argument))]))
            return
        inner = argument.child_by_field_name("receiver")
        if inner is None or inner.type != "parenthesized_statements" or argument.type != "call":
            raise self.refuse(argument, "output of such a form")

        def shown(value: ast.expr) -> None:
            self.put(self.as_text(value))

        self.do_all(named(inner), shown)

    def do_loop(self, node: Node, name: str, sink: Sink | None) -> None:
        """A loop over items: the block becomes the body of a ``for``."""
        receiver, block = (node.child_by_field_name(part) for part in ("receiver", "block"))
        operator = node.child_by_field_name("operator")
        if node.child_by_field_name("arguments") is not None or source(operator) != ".":
            raise self.refuse(node, f"the method '{name}' with such arguments")
        if self.is_scope(receiver):
            raise self.refuse(node, f"'scope.{name}'")
        items = self.receiver(receiver)
        if sink is not None:
            temporary = self.temporary()
            self.set(temporary, items)
            items = self.name(temporary)
        patterns = self.parameters(block)
        before, self.names = self.names, Names(self.names.frame, self.names)
        self.loops.append(True)
        statement = self.stamp(ast.For(*self.loop_head(node, name, items, patterns), [], []))
        first = self.spreads
        self.spreads = []
        body = self.inner(lambda: self.tried(body_of(block), None))
        heads = self.inner(lambda: self.block_head(first))
        statement.body = [*(heads if first or self.names.fresh else []), *body]
        self.loops.pop()
        self.names = before
        self.body.append(statement)
        if sink is not None:
            sink(self.name(temporary))

    def block_head(self, spreads: list[tuple[str, list[Any]]]) -> None:
        """The beginning of a block: its variables are nil, parameters in parentheses get theirs."""
        self.forget(self.names)
        for identifier, inner in spreads:
            stores = [self.stamp(ast.Name(name, STORE)) for name in inner]
            pattern = self.stamp(ast.Tuple(stores, STORE))
            value = self.call(":spread", self.name(identifier), self.constant(len(inner)))
            self.body.append(self.stamp(ast.Assign([pattern], value)))

    def parameters(self, block: Node) -> list[Any]:
        """The parameters of a block: names, and lists of names for those in parentheses."""
        found = block.child_by_field_name("parameters")
        if found is None:
            return []
        patterns: list[Any] = []
        for child in named(found):
            if child.type == "identifier":
                patterns.append(source(child))
            elif child.type == "destructured_parameter" and all(
                inner.type == "identifier" for inner in named(child)
            ):
                patterns.append([source(inner) for inner in named(child)])
            else:
                raise self.refuse(child, "parameters of such a form")
        if len(found.children) > 1 and source(found.children[-2]) == ",":
            patterns.append("_")
        flat = [name for item in patterns for name in (item if isinstance(item, list) else [item])]
        if len(set(flat)) != len(flat):
            raise self.refuse(found, "parameters of one name")
        return patterns

    def bind(self, patterns: list[Any]) -> list[str]:
        """The Python names of parameters; those in parentheses get theirs at the block's head."""
        made = []
        self.spreads = []
        for pattern in patterns:
            if isinstance(pattern, list):
                made.append(self.temporary())
                self.spreads.append((made[-1], [self.parameter(name) for name in pattern]))
            else:
                made.append(self.parameter(pattern))
        return made

    def loop_head(
        self, node: Node, name: str, items: ast.expr, patterns: list[Any]
    ) -> tuple[ast.expr, ast.expr]:
        """Target and iterable of a loop."""
        helper, count = LOOPS[name], len(patterns)
        if name == "each_pair" and count != 2:
            helper = ":each_pairs"
        if name in ("each", "each_pair", "each_with_index") and count == 2:
            helper = ":each_two" if name == "each" else helper
            names = self.bind(patterns)
        elif name == "each_with_index":
            raise self.refuse(node, "each_with_index with such a block")
        elif count <= 1:
            names = self.bind(patterns) or [self.temporary()]
        elif name in ("each", "each_pair", "each_value", "each_key", "reverse_each"):
            names = self.bind(patterns)
            stores = [self.stamp(ast.Name(item, STORE)) for item in names]
            target = self.stamp(ast.Tuple(stores, STORE))
            return target, self.call(
                ":each_several", self.call(helper, items), self.constant(count)
            )
        else:
            raise self.refuse(node, f"{name} with such a block")
        stores = [self.stamp(ast.Name(item, STORE)) for item in names]
        target = stores[0] if len(stores) == 1 else self.stamp(ast.Tuple(stores, STORE))
        return target, self.call(helper, items)

    def do_next(self, node: Node, _sink: Sink | None) -> None:
        """``next``: on to the next item."""
        given = named(node)
        if not self.loops:
            raise self.refuse(node, "'next' outside of a block")
        if self.loops[-1]:
            self.body.append(self.stamp(ast.Continue()))
            return
        if len(given) > 1:
            raise self.refuse(node, "'next' with several values")
        inner = named(given[0]) if given else []
        value = self.value(inner[0]) if inner else self.constant(None)
        self.body.append(self.stamp(ast.Return(value)))

    def do_break(self, node: Node, _sink: Sink | None) -> None:
        """``break`` out of a loop."""
        if not self.loops or not self.loops[-1] or named(node):
            raise self.refuse(node, "'break' out of such a block")
        self.body.append(self.stamp(ast.Break()))

    def block(self, node: Node, what: str) -> tuple[ast.expr, int]:
        """A block as a function that is defined before the statement it stands in."""
        patterns = self.parameters(node)
        before, self.names = self.names, Names(Frame(self.names.frame), self.names)
        outputs = self.outputs
        self.loops.append(False)
        names = self.bind(patterns)
        spreads, self.spreads = self.spreads, []

        def give(value: ast.expr) -> None:
            self.body.append(self.stamp(ast.Return(value)))

        body = self.inner(lambda: self.do_all(body_of(node), give))
        head = self.inner(lambda: self.block_head(spreads))
        frame = self.names.frame
        self.loops.pop()
        if what in ONCE and (self.outputs != outputs or frame.outside):
            raise self.refuse(node, f"a block of '{what}' that does something")
        statements = [*head, *body]
        if frame.outside:
            statements.insert(0, self.stamp(ast.Nonlocal(sorted(frame.outside))))
        self.names = before
        identifier = self.new_name(":block")
        self.body.append(self.function_of(identifier, names, statements))
        return self.name(identifier), len(patterns)


class Output(ast.Expr):
    """A statement that adds texts to the output; ``items`` are theirs."""

    def __init__(self, value: ast.expr, items: list[ast.expr]) -> None:
        super().__init__(value)
        self.items = items


def body_of(block: Node) -> list[Node]:
    """The statements of a block."""
    body = block.child_by_field_name("body")
    return [] if body is None else named(body)


def ends_in_comment(root: Node) -> bool:
    """Return whether the last line of the code ends in a comment."""
    node = root
    while node.named_children:
        node = node.named_children[-1]
    return bool(node.type == "comment" and node.end_byte == root.end_byte)


def kinds(root: Node) -> set[str]:
    """The kinds of all nodes."""
    found: set[str] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        found.add(node.type)
        waiting += node.named_children
    return found


def compile_template(text: str, file: str, old: bool) -> CodeType:
    """The code that defines ``template``; Unsupported when Ruby must render it."""
    ruby = ruby_text(text)
    root = parse_ruby(ruby.code)
    if root.has_error:
        raise Unsupported("code that is not understood", 1)
    if ends_in_comment(root):
        # The comment hides what ERB adds: the result is the value of the last statement.
        raise Unsupported("a comment to the end of the template", ruby.lines[-1])
    try:
        module = Compiler(ruby, root, old).module()
        return compile(module, file, "exec", dont_inherit=True, optimize=0)
    except (RecursionError, SyntaxError):  # Python's own limits of nesting
        raise Unsupported("code that nests too deeply", 1) from None
