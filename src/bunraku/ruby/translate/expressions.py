"""Expressions of Ruby in ERB templates as Python expressions."""

from __future__ import annotations

import ast
import re
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from bunraku.ruby.erb.text import RubyText
from bunraku.ruby.methods.collections import CLASSES
from bunraku.ruby.methods.kernel import KERNEL
from bunraku.ruby.methods.texts import METHODS
from bunraku.ruby.translate.blocks import BLOCK_METHODS, SYMBOL
from bunraku.ruby.translate.literals import Literals, named, source
from bunraku.ruby.translate.names import Maker

Node = Any
OPERATORS = {
    "+": ":add",
    "-": ":subtract",
    "*": ":multiply",
    "/": ":divide",
    "%": ":formatted",
    "<<": ":push",
    "<=>": ":spaceship",
    "<": ":less",
    ">": ":greater",
    "<=": ":at_most",
    ">=": ":at_least",
    "&": ":bit_and",
    "|": ":bit_or",
}
BOOLEANS = frozenset({":equal", ":less", ":greater", ":at_most", ":at_least", ":differs", ":is_a"})
LIBRARIES = frozenset({"ipaddr", "json", "yaml", "uri", "set", "date", "time", "erb", "digest"})
"""Parts of Ruby that code may have without any effect."""
MATCHING = frozenset({"gsub", "sub", "scan", "match", "index", "slice", "partition", "split"})
"""Methods that may set ``$1`` as well."""
SCOPE_METHODS = {"include?": "includes", "exist?": "exists", "setvar": "set_variable"}


class Expressions(Literals):
    """Makes Python expressions."""

    def __init__(self, source: RubyText, old: bool, groups: bool) -> None:
        super().__init__(source)
        self.old = old
        self.groups = groups
        self.instance: dict[str, None] = {}
        self.assigned_instance: set[str] = set()
        self.asked_defined: list[tuple[str, Node]] = []
        self.handlers: dict[str, Callable[[Node], ast.expr]] = {
            kind: getattr(self, f"on_{kind}") for kind in EXPRESSIONS
        }

    @abstractmethod
    def block(self, node: Node, what: str) -> tuple[ast.expr, int]:
        """The function of a block, and how many parameters it has; see :mod:`erb_compile`."""

    def value(self, node: Node) -> ast.expr:
        """A node as an expression."""
        handler = self.handlers.get(node.type)
        if handler is None:
            raise self.refuse(node, f"'{node.type.replace('_', ' ')}'")
        before, self.line = self.line, self.place(node)
        found = handler(node)
        self.line = before
        return found

    # -- conditions ------------------------------------------------------------------------------

    def condition(self, node: Node) -> ast.expr:
        """A node as something whose truth is Python's."""
        before, self.line = self.line, self.place(node)
        found = self.make_condition(node)
        self.line = before
        return found

    def make_condition(self, node: Node) -> ast.expr:
        """The same, the line being set."""
        if node.type == "parenthesized_statements" and len(named(node)) == 1:
            return self.condition(named(node)[0])
        if node.type == "unary" and operator_of(node) in ("!", "not"):
            return self.negation(self.condition(node.child_by_field_name("operand")))
        if node.type == "binary":
            operator = operator_of(node)
            if operator in ("&&", "and", "||", "or"):
                kind = ast.And() if operator in ("&&", "and") else ast.Or()
                left, right = sides(node)
                return self.both(kind, self.condition(left), self.condition(right))
        return self.truth(self.value(tested(node, self)))

    def truth(self, value: ast.expr) -> ast.expr:
        """Whether a value counts as true."""
        if is_boolean(value):
            return value
        return self.truth_of(*self.twice(value))

    def twice(self, value: ast.expr) -> tuple[ast.expr, ast.expr]:
        """A value for two uses, evaluated by the first."""
        if isinstance(value, ast.Name):
            return value, self.name(value.id)
        if isinstance(value, ast.Constant):
            return value, value
        temporary = self.temporary()
        return self.named(temporary, value), self.name(temporary)

    # -- variables -------------------------------------------------------------------------------

    def on_instance_variable(self, node: Node) -> ast.expr:
        """``@name``."""
        return self.name(self.instance_name(node))

    def instance_name(self, node: Node) -> str:
        """The Python variable of an instance variable."""
        found = source(node)
        if found.startswith("@_") and found.endswith("__"):
            raise self.refuse(node, f"the variable {found}")
        self.instance[found] = None
        return found

    def on_global_variable(self, node: Node) -> ast.expr:
        """``$1``."""
        found = source(node)
        if not re.fullmatch(r"\$[1-9]", found):
            raise self.refuse(node, f"the variable {found}")
        return self.context("group", self.constant(int(found[1:])))

    def on_identifier(self, node: Node) -> ast.expr:
        """A local variable; in Puppet 3 any variable."""
        ruby = source(node)
        found = self.find(ruby)
        if found is not None:
            return self.name(found[0])
        if self.old and ruby not in KERNEL:
            return self.context("bare", self.constant(ruby))
        raise self.refuse(node, f"'{ruby}'")

    def on_assignment(self, node: Node) -> ast.expr:
        """``x = y`` and ``x[y] = z``."""
        left, right = (node.child_by_field_name(name) for name in ("left", "right"))
        if left.type == "element_reference":
            arguments = named(left)
            if len(arguments) != 2:
                raise self.refuse(node, "an assignment of such a form")
            target, at = self.value(arguments[0]), self.value(arguments[1])
            return self.call(":set_element", target, at, self.value(right))
        identifier = self.target(left)
        return self.named(identifier, self.value(right))

    def target(self, node: Node) -> str:
        """The Python variable that an assignment sets."""
        if node.type == "identifier":
            return self.assigned(source(node))
        if node.type == "instance_variable":
            found = self.instance_name(node)
            self.assigned_instance.add(found)
            frame = self.names.frame
            while frame.parent is not None:
                frame.outside.add(found)
                frame = frame.parent
            return found
        raise self.refuse(node, "an assignment of such a form")

    def on_operator_assignment(self, node: Node) -> ast.expr:
        """``x += y`` and ``x ||= y``."""
        left, right = (node.child_by_field_name(name) for name in ("left", "right"))
        operator = operator_of(node)[:-1]
        if left.type == "element_reference":
            return self.element_assignment(node, left, right, operator)
        identifier = self.target(left)
        if operator in ("||", "&&"):
            test = self.truth(self.name(identifier))
            new = self.named(identifier, self.value(right))
            now = self.name(identifier)
            return self.choice(test, now, new) if operator == "||" else self.choice(test, new, now)
        if operator not in OPERATORS:
            raise self.refuse(node, f"the operator {operator}=")
        return self.named(
            identifier, self.call(OPERATORS[operator], self.name(identifier), self.value(right))
        )

    def element_assignment(self, node: Node, left: Node, right: Node, operator: str) -> ast.expr:
        """``x[y] ||= z`` and ``x[y] += z``."""
        parts = named(left)
        if len(parts) != 2 or self.is_scope(parts[0]) or parts[1].type in ("range", "regex"):
            raise self.refuse(node, "an assignment of such a form")
        (target, again), (at, at_again) = (self.twice(self.value(part)) for part in parts)
        if operator == "||":
            first, known = self.twice(self.call(":element", target, at))
            new = self.call(":set_element", again, at_again, self.value(right))
            return self.choice(self.truth_of(first, known), known, new)
        if operator not in OPERATORS:
            raise self.refuse(node, f"the operator {operator}=")
        now = self.call(":element", again, at_again)
        value = self.call(OPERATORS[operator], now, self.value(right))
        return self.call(":set_element", target, at, value)

    # -- operators -------------------------------------------------------------------------------

    def on_parenthesized_statements(self, node: Node) -> ast.expr:
        """``(x)``."""
        inner = [child for child in named(node) if child.type != "comment"]
        if len(inner) != 1:
            raise self.refuse(node, "several statements in parentheses")
        return self.value(inner[0])

    def on_binary(self, node: Node) -> ast.expr:
        """``x + y``, ``x && y``, ``x == y``."""
        operator = operator_of(node)
        left, right = sides(node)
        if operator in ("&&", "and", "||", "or"):
            value = self.value(tested(left, self))
            if is_boolean(value) and not isinstance(value, ast.Constant):
                temporary = self.temporary()
                test, again = self.named(temporary, value), self.name(temporary)
            else:
                first, again = self.twice(value)
                test = self.truth_of(first, again)
            other = self.value(right)
            if operator in ("&&", "and"):
                return self.choice(test, other, again)
            return self.choice(test, again, other)
        if operator in ("==", "!="):
            found = self.equality(self.value(left), self.value(right))
            return found if operator == "==" else self.negation(found)
        if operator in ("=~", "!~"):
            return self.matching(node, operator, left, right)
        if operator not in OPERATORS:
            raise self.refuse(node, f"the operator {operator}")
        return self.call(OPERATORS[operator], self.value(left), self.value(right))

    def truth_of(self, first: ast.expr, again: ast.expr) -> ast.expr:
        """Whether a value counts as true, of which there are two uses."""
        no, false = self.constant(None), self.constant(False)
        return self.both(
            ast.And(),
            self.comparison(first, ast.IsNot(), no),
            self.comparison(again, ast.IsNot(), false),
        )

    def equality(self, left: ast.expr, right: ast.expr) -> ast.expr:
        """``==``; simple where one side is a text, nil, true or false."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one, ast.Constant):
                if one.value.__class__ is str:
                    return self.comparison(left, ast.Eq(), right)
                if one.value is None or one.value.__class__ is bool:
                    return self.comparison(other, ast.Is(), one)
        return self.call(":equal", left, right)

    def matching(self, node: Node, operator: str, left: Node, right: Node) -> ast.expr:
        """``=~`` and ``!~``."""
        if left.type == "regex" and "(?<" in source(left):
            raise self.refuse(node, "groups that become variables")
        if operator == "!~":
            if self.groups:
                raise self.refuse(node, "'!~' beside $1")
            return self.call(":differs", self.value(left), self.value(right))
        sides_ = self.value(left), self.value(right)
        return (
            self.context("matched", *sides_) if self.groups else self.call(":match_place", *sides_)
        )

    def on_unary(self, node: Node) -> ast.expr:
        """``!x``, ``not x``, ``-x``, ``defined?(@x)``."""
        operator = operator_of(node)
        operand = node.child_by_field_name("operand")
        if operator in ("!", "not"):
            return self.negation(self.condition(operand))
        if operator == "-":
            value = self.value(operand)
            if isinstance(value, ast.Constant) and value.value.__class__ in (int, float):
                return self.constant(-value.value)
            return self.call(":negative", value)
        if operator == "defined?":
            while operand.type == "parenthesized_statements" and len(named(operand)) == 1:
                operand = named(operand)[0]
            if operand.type == "instance_variable":
                return self.defined(operand)
        raise self.refuse(node, f"'{operator}'")

    def defined(self, node: Node) -> ast.expr:
        """``defined?(@x)``: whether Puppet has such a variable."""
        identifier = self.instance_name(node)
        self.asked_defined.append((identifier, node))
        test = self.comparison(self.name(identifier), ast.IsNot(), self.constant(None))
        return self.choice(test, self.constant("instance-variable"), self.constant(None))

    def on_conditional(self, node: Node) -> ast.expr:
        """``x ? y : z``."""
        test, yes, no = (
            node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")
        )
        found = self.condition(test)
        return self.choice(found, self.value(yes), self.value(no))

    def on_if(self, node: Node) -> ast.expr:
        """``if`` for its value."""
        return self.simple_if(node, negated=False)

    def on_elsif(self, node: Node) -> ast.expr:
        """``elsif`` for its value."""
        return self.simple_if(node, negated=False)

    def on_unless(self, node: Node) -> ast.expr:
        """``unless`` for its value."""
        return self.simple_if(node, negated=True)

    def simple_if(self, node: Node, negated: bool) -> ast.expr:
        """``if`` for its value, of one expression each."""
        test = self.condition(node.child_by_field_name("condition"))
        yes = self.branch(node.child_by_field_name("consequence"))
        no = self.branch(node.child_by_field_name("alternative"))
        return self.choice(self.negation(test) if negated else test, yes, no)

    def branch(self, node: Node | None) -> ast.expr:
        """The value of a branch."""
        if node is None:
            return self.constant(None)
        if node.type == "elsif":
            return self.value(node)
        inner = [child for child in named(node) if child.type not in ("comment", "empty_statement")]
        if len(inner) > 1:
            raise self.refuse(node, "a branch of several statements for its value")
        return self.value(inner[0]) if inner else self.constant(None)

    # -- indexing --------------------------------------------------------------------------------

    def on_element_reference(self, node: Node) -> ast.expr:
        """``x[y]``, ``x[1, 2]``, ``x[1..2]``, ``scope['x']``."""
        target, *arguments = named(node)
        if self.is_scope(target):
            if len(arguments) != 1:
                raise self.refuse(node, "scope[] of such a form")
            return self.context("lookup", self.value(arguments[0]))
        found = self.value(target)
        if len(arguments) == 2:
            return self.call(":part", found, *self.plain_values(arguments))
        if len(arguments) != 1:
            raise self.refuse(node, "[] of such a form")
        if arguments[0].type == "range":
            first, last, exclusive = self.limits(arguments[0])
            return self.call(":part_range", found, first, last, exclusive)
        if self.groups and arguments[0].type == "regex":
            raise self.refuse(node, "[] beside $1")
        return self.call(":element", found, self.value(arguments[0]))

    def limits(self, node: Node) -> tuple[ast.expr, ast.expr, ast.expr]:
        """Both ends of a range, and whether the last is left out."""
        first, last = (node.child_by_field_name(name) for name in ("begin", "end"))
        if first is None:
            raise self.refuse(node, "a range without begin")
        end = self.constant(None) if last is None else self.value(last)
        return self.value(first), end, self.constant(operator_of(node) == "...")

    def on_range(self, node: Node) -> ast.expr:
        """``1..2`` where it is no index and has no method called on it."""
        raise self.refuse(node, "a range")

    def is_scope(self, node: Node) -> bool:
        """Whether a node is the template's ``scope``."""
        return node.type == "identifier" and source(node) == "scope" and self.find("scope") is None

    # -- calls -----------------------------------------------------------------------------------

    def on_call(self, node: Node) -> ast.expr:
        """``x.method(y)``."""
        receiver = node.child_by_field_name("receiver")
        method = node.child_by_field_name("method")
        if method is None:
            raise self.refuse(node, "a call of such a form")
        name = source(method)
        if receiver is None:
            return self.function(node, name)
        if self.is_scope(receiver):
            return self.scope_method(node, name)
        if receiver.type in ("constant", "scope_resolution"):
            if source(receiver) == "Regexp" and name in ("escape", "quote"):
                return self.call(":escape", *self.arguments(node, 1))
            if source(receiver) == "IPAddr" and name == "new":
                return self.call(":ip_address", *self.arguments(node, 1))
            raise self.refuse(node, f"'{source(receiver)}.{name}'")
        operator = node.child_by_field_name("operator")
        if operator is not None and source(operator) == "&.":
            first, again = self.twice(self.value(receiver))
            test = self.comparison(first, ast.Is(), self.constant(None))
            return self.choice(test, self.constant(None), self.method(node, name, again))
        return self.method(node, name, self.receiver(receiver))

    def receiver(self, node: Node) -> ast.expr:
        """What a method is called on; a range in parentheses is its integers."""
        inner = named(node)
        if node.type == "parenthesized_statements" and len(inner) == 1 and inner[0].type == "range":
            first, last, exclusive = self.limits(inner[0])
            return self.call(":number_range", first, last, exclusive)
        return self.value(node)

    def arguments(self, node: Node, low: int, high: int | None = -1) -> list[ast.expr]:
        """The arguments of a call, as many as are right; -1 is as many as ``low``."""
        given = node.child_by_field_name("arguments")
        nodes = [] if given is None else named(given)
        found = self.plain_values(nodes)
        most = low if high == -1 else high
        if len(found) < low or (most is not None and len(found) > most):
            raise self.refuse(node, f"a call of '{source(node)[:40]}' with such arguments")
        return found

    def function(self, node: Node, name: str) -> ast.expr:
        """A method of the template itself."""
        if node.child_by_field_name("block") is not None:
            raise self.refuse(node, f"'{name}'")
        helper = {"Array": ":to_list", "Integer": ":integer", "String": ":text"}.get(name)
        if helper is not None:
            return self.call(helper, *self.arguments(node, 1))
        if name == "require":
            return self.library(node)
        if name == "has_variable?":
            return self.context("includes", *self.arguments(node, 1))
        raise self.refuse(node, f"'{name}'")

    def library(self, node: Node) -> ast.expr:
        """``require`` of a part of Ruby: what the template uses of it is looked at there."""
        given = node.child_by_field_name("arguments")
        if given is None or source(given).strip("()'\" ") not in LIBRARIES:
            raise self.refuse(node, "'require'")
        return self.constant(None)

    def scope_method(self, node: Node, name: str) -> ast.expr:
        """A method of ``scope``."""
        if node.child_by_field_name("block") is not None:
            raise self.refuse(node, f"'scope.{name}' with a block")
        if name == "lookupvar":
            return self.context("lookup", *self.arguments(node, 1))
        if name in SCOPE_METHODS:
            return self.context(SCOPE_METHODS[name], *self.arguments(node, 1, 2))
        if name == "call_function":
            return self.context("call_function", *self.arguments(node, 1, 2))
        if name.startswith("function_"):
            argument = self.arguments(node, 1)
            return self.context("old_function", self.constant(name[9:]), *argument)
        raise self.refuse(node, f"'scope.{name}'")

    def method(self, node: Node, name: str, receiver: ast.expr) -> ast.expr:
        """A method of a value."""
        block = node.child_by_field_name("block")
        given = node.child_by_field_name("arguments")
        last = named(given)[-1] if given is not None and named(given) else None
        if block is not None or (last is not None and last.type == "block_argument"):
            return self.method_with_block(node, name, receiver, block, last)
        if name in ("is_a?", "kind_of?"):
            return self.class_test(node, receiver, last)
        if name == "nil?":
            self.arguments(node, 0)
            return self.comparison(receiver, ast.Is(), self.constant(None))
        if name not in METHODS or (self.groups and name in MATCHING - {"match", "split"}):
            raise self.refuse(node, f"the method '{name}'")
        if self.groups and name == "match":
            return self.context("match_found", receiver, *self.arguments(node, 1))
        low, high = arity(METHODS[name], 1)
        return self.call(f".{name}", receiver, *self.arguments(node, low, high))

    def class_test(self, node: Node, receiver: ast.expr, last: Node | None) -> ast.expr:
        """``is_a?``."""
        if last is None or source(last) not in CLASSES:
            raise self.refuse(node, f"'{source(node)[:60]}'")
        return self.call(":is_a", receiver, self.constant(source(last)))

    def method_with_block(
        self, node: Node, name: str, receiver: ast.expr, block: Node | None, last: Node | None
    ) -> ast.expr:
        """A method that is given a block, or a method as a block."""
        given = node.child_by_field_name("arguments")
        nodes = [] if given is None else named(given)
        count: int | ast.expr
        if block is None:
            nodes = nodes[:-1]
            function, count = self.method_as_block(last)
        else:
            if name == "sort" and not is_an_order(block):
                raise self.refuse(node, "sort with such a block")
            function, count = self.block(block, name)
        arguments = self.plain_values(nodes)
        number = self.constant(count) if isinstance(count, int) else count
        if name in ("gsub", "sub") and len(arguments) == 1 and not self.groups:
            every = self.constant(name == "gsub")
            return self.call(":replaced_by_block", receiver, function, number, *arguments, every)
        found = BLOCK_METHODS.get(name)
        if found is None:
            raise self.refuse(node, f"the method '{name}' with a block")
        low, high = arity(found, 3)
        if len(arguments) < low or (high is not None and len(arguments) > high):
            raise self.refuse(node, f"the method '{name}' with such arguments")
        return self.call(f"&{name}", receiver, function, number, *arguments)

    def method_as_block(self, node: Node) -> tuple[ast.expr, int | ast.expr]:
        """``&:name``."""
        inner = named(node)
        name = source(inner[0])[1:] if inner and inner[0].type == "simple_symbol" else ""
        if name not in METHODS or arity(METHODS[name], 1)[0] > 0:
            raise self.refuse(node, f"'{source(node)}'")
        return self.name(f".{name}"), SYMBOL


EXPRESSIONS = [name[3:] for name in dir(Expressions) if name.startswith("on_")]


def tested(node: Node, maker: Maker) -> Node:
    """A node that is a condition: a pattern there is matched with the last line that was read."""
    inner = node
    while inner.type == "parenthesized_statements" and len(named(inner)) == 1:
        inner = named(inner)[0]
    if inner.type == "regex":
        raise maker.refuse(node, "a pattern as a condition")
    return node


def operator_of(node: Node) -> str:
    """The operator of a node."""
    found = node.child_by_field_name("operator")
    return "" if found is None else source(found)


def sides(node: Node) -> tuple[Node, Node]:
    """Left and right of an operator."""
    return node.child_by_field_name("left"), node.child_by_field_name("right")


def is_an_order(block: Node) -> bool:
    """Whether a block of ``sort`` compares the same of both its parameters: ``f(a) <=> f(b)``."""
    parameters, body = (block.child_by_field_name(name) for name in ("parameters", "body"))
    names = [] if parameters is None else [source(child) for child in named(parameters)]
    inner = [] if body is None else named(body)
    if len(names) != 2 or len(inner) != 1 or operator_of(inner[0]) != "<=>":
        return False
    left, right = map(source, sides(inner[0]))
    words = "|".join(map(re.escape, names))
    other = {names[0]: names[1], names[1]: names[0]}
    swapped = re.sub(rf"(?<![\w@.:])(?:{words})(?!\w)", lambda found: other[found[0]], left)
    return swapped == right and re.search(rf"(?<![\w@.:])(?:{words})(?!\w)", left) is not None


def arity(function: Callable[..., Any], own: int) -> tuple[int, int | None]:
    """How many arguments a helper takes besides its own: least and most."""
    code: Any = getattr(function, "__code__")  # noqa: B009, helpers are functions all
    high = code.co_argcount - own
    defaults = getattr(function, "__defaults__") or ()  # noqa: B009
    return high - len(defaults), None if code.co_flags & 4 else high


def is_boolean(value: ast.expr) -> bool:
    """Whether an expression can only be True or False."""
    if isinstance(value, ast.Compare):
        return True
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.Not)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id.endswith("?") or value.func.id in BOOLEANS
    return isinstance(value, ast.Constant) and value.value.__class__ is bool
