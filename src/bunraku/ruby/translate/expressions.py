"""Expressions of Ruby in ERB templates as Python expressions."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bunraku.ruby.translate.block_functions import block_function
from bunraku.ruby.translate.literals import plain_values
from bunraku.ruby.translate.nodes import named, operator_of, part, sides, source
from bunraku.ruby.translate.translator import Translator, expression_of
from bunraku.ruby.values.blocks import BLOCK_METHODS, SYMBOL
from bunraku.ruby.values.collections import CLASSES
from bunraku.ruby.values.kernel import KERNEL
from bunraku.ruby.values.texts import METHODS

if TYPE_CHECKING:
    from tree_sitter import Node


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


# -- conditions ------------------------------------------------------------------------------


def condition(ruby: Translator, node: Node) -> ast.expr:
    """Return a node as an expression with Python's truth."""
    before, ruby.line = ruby.line, ruby.line_of(node)
    found = make_condition(ruby, node)
    ruby.line = before
    return found


def make_condition(ruby: Translator, node: Node) -> ast.expr:
    """Return a node as a truth value; the line is set."""
    if node.type == "parenthesized_statements" and len(named(node)) == 1:
        return condition(ruby, named(node)[0])
    if node.type == "unary" and operator_of(node) in ("!", "not"):
        return ruby.not_(condition(ruby, part(node, "operand")))
    if node.type == "binary":
        operator = operator_of(node)
        if operator in ("&&", "and", "||", "or"):
            tests = [condition(ruby, side) for side in sides(node)]
            return ruby.all_of(*tests) if operator in ("&&", "and") else ruby.any_of(*tests)
    return truth(ruby, ruby.value(tested(ruby, node)))


def truth(ruby: Translator, value: ast.expr) -> ast.expr:
    """Return whether a value counts as true."""
    if is_boolean(value):
        return value
    return truth_of(ruby, *ruby.twice(value))


# -- variables -------------------------------------------------------------------------------


@expression_of("instance_variable")
def instance_variable(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``@name``."""
    return ruby.name(instance_name(ruby, node))


def instance_name(ruby: Translator, node: Node) -> str:
    """Return the Python variable of an instance variable; a function's object outlives the call."""
    if ruby.in_method:
        raise ruby.refuse(node, f"the variable {source(node)}")
    found = source(node)
    if found.startswith("@_") and found.endswith("__"):
        raise ruby.refuse(node, f"the variable {found}")
    ruby.instance[found] = None
    return found


@expression_of("global_variable")
def global_variable(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``$1``."""
    found = source(node)
    if not re.fullmatch(r"\$[1-9]", found):
        raise ruby.refuse(node, f"the variable {found}")
    return ruby.context("group", ruby.constant(int(found[1:])))


@expression_of("identifier")
def identifier_value(ruby: Translator, node: Node) -> ast.expr:
    """Return a local variable; in Puppet 3 any variable."""
    name = source(node)
    found = ruby.find(name)
    if found is not None:
        return ruby.name(found[0])
    if ruby.old and name not in KERNEL:
        return ruby.context("bare", ruby.constant(name))
    raise ruby.refuse(node, f"'{name}'")


@expression_of("assignment")
def assignment_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``x = y`` and ``x[y] = z``."""
    left, right = sides(node)
    if left.type == "element_reference":
        arguments = named(left)
        if len(arguments) != 2:
            raise ruby.refuse(node, "an assignment of this form")
        target, at = ruby.value(arguments[0]), ruby.value(arguments[1])
        return ruby.call(":set_element", target, at, ruby.value(right))
    identifier = assigned_target(ruby, left)
    return ruby.walrus(identifier, ruby.value(right))


def assigned_target(ruby: Translator, node: Node) -> str:
    """Return the Python variable that an assignment sets."""
    if node.type == "identifier":
        return ruby.assigned(source(node))
    if node.type == "instance_variable":
        found = instance_name(ruby, node)
        ruby.assigned_instance.add(found)
        frame = ruby.names.frame
        while frame.parent is not None:
            frame.outside.add(found)
            frame = frame.parent
        return found
    raise ruby.refuse(node, "an assignment of this form")


@expression_of("operator_assignment")
def operator_assignment(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``x += y`` and ``x ||= y``."""
    left, right = sides(node)
    operator = operator_of(node)[:-1]
    if left.type == "element_reference":
        return element_assignment(ruby, node, left, right, operator)
    identifier = assigned_target(ruby, left)
    if operator in ("||", "&&"):
        test = truth(ruby, ruby.name(identifier))
        new = ruby.walrus(identifier, ruby.value(right))
        now = ruby.name(identifier)
        return ruby.if_else(test, now, new) if operator == "||" else ruby.if_else(test, new, now)
    if operator not in OPERATORS:
        raise ruby.refuse(node, f"the operator {operator}=")
    return ruby.walrus(
        identifier, ruby.call(OPERATORS[operator], ruby.name(identifier), ruby.value(right))
    )


def element_assignment(
    ruby: Translator, node: Node, left: Node, right: Node, operator: str
) -> ast.expr:
    """Translate ``x[y] ||= z`` and ``x[y] += z``."""
    parts = named(left)
    if len(parts) != 2 or is_scope(ruby, parts[0]) or parts[1].type in ("range", "regex"):
        raise ruby.refuse(node, "an assignment of this form")
    (target, again), (at, at_again) = (ruby.twice(ruby.value(part)) for part in parts)
    if operator == "||":
        first, known = ruby.twice(ruby.call(":element", target, at))
        new = ruby.call(":set_element", again, at_again, ruby.value(right))
        return ruby.if_else(truth_of(ruby, first, known), known, new)
    if operator not in OPERATORS:
        raise ruby.refuse(node, f"the operator {operator}=")
    now = ruby.call(":element", again, at_again)
    value = ruby.call(OPERATORS[operator], now, ruby.value(right))
    return ruby.call(":set_element", target, at, value)


# -- operators -------------------------------------------------------------------------------


@expression_of("parenthesized_statements")
def parenthesized_statements(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``(x)``."""
    inner = [child for child in named(node) if child.type != "comment"]
    if len(inner) != 1:
        raise ruby.refuse(node, "several statements in parentheses")
    return ruby.value(inner[0])


@expression_of("binary")
def binary_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``x + y``, ``x && y``, ``x == y``."""
    operator = operator_of(node)
    left, right = sides(node)
    if operator in ("&&", "and", "||", "or"):
        value = ruby.value(tested(ruby, left))
        if is_boolean(value) and not isinstance(value, ast.Constant):
            test, again = ruby.twice(value)
        else:
            first, again = ruby.twice(value)
            test = truth_of(ruby, first, again)
        other = ruby.value(right)
        if operator in ("&&", "and"):
            return ruby.if_else(test, other, again)
        return ruby.if_else(test, again, other)
    if operator in ("==", "!="):
        found = equality(ruby, ruby.value(left), ruby.value(right))
        return found if operator == "==" else ruby.not_(found)
    if operator in ("=~", "!~"):
        return matching(ruby, node, operator, left, right)
    if operator not in OPERATORS:
        raise ruby.refuse(node, f"the operator {operator}")
    return ruby.call(OPERATORS[operator], ruby.value(left), ruby.value(right))


def truth_of(ruby: Translator, first: ast.expr, again: ast.expr) -> ast.expr:
    """Return whether a value counts as true, where it is used twice."""
    no, false = ruby.constant(None), ruby.constant(False)
    return ruby.all_of(ruby.compare(first, "is not", no), ruby.compare(again, "is not", false))


def equality(ruby: Translator, left: ast.expr, right: ast.expr) -> ast.expr:
    """Translate ``==``; simple where one side is a text, nil, true or false."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, ast.Constant):
            if one.value.__class__ is str:
                return ruby.compare(left, "==", right)
            if one.value is None or one.value.__class__ is bool:
                return ruby.compare(other, "is", one)
    return ruby.call(":equal", left, right)


def matching(ruby: Translator, node: Node, operator: str, left: Node, right: Node) -> ast.expr:
    """Translate ``=~`` and ``!~``."""
    if left.type == "regex" and "(?<" in source(left):
        raise ruby.refuse(node, "groups that become variables")
    if operator == "!~":
        if ruby.groups:
            raise ruby.refuse(node, "'!~' beside $1")
        return ruby.call(":differs", ruby.value(left), ruby.value(right))
    sides_ = ruby.value(left), ruby.value(right)
    return ruby.context("matched", *sides_) if ruby.groups else ruby.call(":match_place", *sides_)


@expression_of("unary")
def unary_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``!x``, ``not x``, ``-x``, ``defined?(@x)``."""
    operator = operator_of(node)
    operand = part(node, "operand")
    if operator in ("!", "not"):
        return ruby.not_(condition(ruby, operand))
    if operator == "-":
        value = ruby.value(operand)
        if isinstance(value, ast.Constant) and value.value.__class__ in (int, float):
            return ruby.constant(-value.value)
        return ruby.call(":negative", value)
    if operator == "defined?":
        while operand.type == "parenthesized_statements" and len(named(operand)) == 1:
            operand = named(operand)[0]
        if operand.type == "instance_variable":
            return defined_test(ruby, operand)
    raise ruby.refuse(node, f"'{operator}'")


def defined_test(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``defined?(@x)``: whether Puppet has a variable ``x``."""
    identifier = instance_name(ruby, node)
    ruby.asked_defined.append((identifier, node))
    test = ruby.compare(ruby.name(identifier), "is not", ruby.constant(None))
    return ruby.if_else(test, ruby.constant("instance-variable"), ruby.constant(None))


@expression_of("conditional")
def conditional_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``x ? y : z``."""
    test, yes, no = (part(node, name) for name in ("condition", "consequence", "alternative"))
    found = condition(ruby, test)
    return ruby.if_else(found, ruby.value(yes), ruby.value(no))


@expression_of("if")
def if_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``if`` for its value."""
    return simple_if(ruby, node, negated=False)


@expression_of("elsif")
def elsif_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``elsif`` for its value."""
    return simple_if(ruby, node, negated=False)


@expression_of("unless")
def unless_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``unless`` for its value."""
    return simple_if(ruby, node, negated=True)


def simple_if(ruby: Translator, node: Node, negated: bool) -> ast.expr:
    """Translate ``if`` for its value, of one expression each."""
    test = condition(ruby, part(node, "condition"))
    yes = branch_value(ruby, node.child_by_field_name("consequence"))
    no = branch_value(ruby, node.child_by_field_name("alternative"))
    return ruby.if_else(ruby.not_(test) if negated else test, yes, no)


def branch_value(ruby: Translator, node: Node | None) -> ast.expr:
    """Return the value of a branch."""
    if node is None:
        return ruby.constant(None)
    if node.type == "elsif":
        return ruby.value(node)
    inner = [child for child in named(node) if child.type not in ("comment", "empty_statement")]
    if len(inner) > 1:
        raise ruby.refuse(node, "a branch of several statements for its value")
    return ruby.value(inner[0]) if inner else ruby.constant(None)


# -- indexing --------------------------------------------------------------------------------


@expression_of("element_reference")
def element_reference(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``x[y]``, ``x[1, 2]``, ``x[1..2]``, ``scope['x']``."""
    target, *arguments = named(node)
    if is_scope(ruby, target):
        if len(arguments) != 1:
            raise ruby.refuse(node, "scope[] of this form")
        return ruby.context("lookup", ruby.value(arguments[0]))
    found = ruby.value(target)
    if len(arguments) == 2:
        return ruby.call(":part", found, *plain_values(ruby, arguments))
    if len(arguments) != 1:
        raise ruby.refuse(node, "[] of this form")
    if arguments[0].type == "range":
        first, last, exclusive = range_limits(ruby, arguments[0])
        return ruby.call(":part_range", found, first, last, exclusive)
    if ruby.groups and arguments[0].type == "regex":
        raise ruby.refuse(node, "[] beside $1")
    return ruby.call(":element", found, ruby.value(arguments[0]))


def range_limits(ruby: Translator, node: Node) -> tuple[ast.expr, ast.expr, ast.expr]:
    """Return both ends of a range, and whether the last is left out."""
    first, last = (node.child_by_field_name(name) for name in ("begin", "end"))
    if first is None:
        raise ruby.refuse(node, "a range without begin")
    end = ruby.constant(None) if last is None else ruby.value(last)
    return ruby.value(first), end, ruby.constant(operator_of(node) == "...")


@expression_of("range")
def range_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``1..2`` that is neither an index nor the receiver of a method."""
    raise ruby.refuse(node, "a range")


def is_scope(ruby: Translator, node: Node) -> bool:
    """Return whether a node is the template's ``scope``; functions have none."""
    return (
        not ruby.in_method
        and node.type == "identifier"
        and source(node) == "scope"
        and ruby.find("scope") is None
    )


# -- calls -----------------------------------------------------------------------------------


@expression_of("call")
def call_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``x.method(y)``."""
    receiver = node.child_by_field_name("receiver")
    method = node.child_by_field_name("method")
    if method is None:
        raise ruby.refuse(node, "a call of this form")
    name = source(method)
    if receiver is None:
        return ruby.rules.own_call(ruby, node, name)
    if is_scope(ruby, receiver):
        return scope_method(ruby, node, name)
    if receiver.type in ("constant", "scope_resolution"):
        if source(receiver) == "Regexp" and name in ("escape", "quote"):
            return ruby.call(":escape", *arguments_of(ruby, node, 1))
        if source(receiver) == "IPAddr" and name == "new":
            return ruby.call(":ip_address", *arguments_of(ruby, node, 1))
        raise ruby.refuse(node, f"'{source(receiver)}.{name}'")
    operator = node.child_by_field_name("operator")
    if operator is not None and source(operator) == "&.":
        first, again = ruby.twice(ruby.value(receiver))
        test = ruby.compare(first, "is", ruby.constant(None))
        return ruby.if_else(test, ruby.constant(None), ruby.rules.method(ruby, node, name, again))
    return ruby.rules.method(ruby, node, name, receiver_value(ruby, receiver))


def receiver_value(ruby: Translator, node: Node) -> ast.expr:
    """Return the receiver of a method; a range in parentheses is its integers."""
    inner = named(node)
    if node.type == "parenthesized_statements" and len(inner) == 1 and inner[0].type == "range":
        first, last, exclusive = range_limits(ruby, inner[0])
        return ruby.call(":number_range", first, last, exclusive)
    return ruby.value(node)


def arguments_of(ruby: Translator, node: Node, low: int, high: int | None = -1) -> list[ast.expr]:
    """Return the arguments of a call, checked in number; -1 means the same as ``low``."""
    given = node.child_by_field_name("arguments")
    nodes = [] if given is None else named(given)
    found = plain_values(ruby, nodes)
    most = low if high == -1 else high
    if len(found) < low or (most is not None and len(found) > most):
        raise ruby.refuse(node, f"a call of '{source(node)[:40]}' with these arguments")
    return found


def own_call(ruby: Translator, node: Node, name: str) -> ast.expr:
    """Return a method of the template itruby."""
    if node.child_by_field_name("block") is not None:
        raise ruby.refuse(node, f"'{name}'")
    helper = {"Array": ":to_list", "Integer": ":integer", "String": ":text"}.get(name)
    if helper is not None:
        return ruby.call(helper, *arguments_of(ruby, node, 1))
    if name == "require":
        return library(ruby, node)
    if name == "has_variable?":
        return ruby.context("includes", *arguments_of(ruby, node, 1))
    raise ruby.refuse(node, f"'{name}'")


def library(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``require`` of a part of Ruby: uses of it are checked where they occur."""
    given = node.child_by_field_name("arguments")
    if given is None or source(given).strip("()'\" ") not in LIBRARIES:
        raise ruby.refuse(node, "'require'")
    return ruby.constant(None)


def scope_method(ruby: Translator, node: Node, name: str) -> ast.expr:
    """Return a method of ``scope``."""
    if node.child_by_field_name("block") is not None:
        raise ruby.refuse(node, f"'scope.{name}' with a block")
    if name == "lookupvar":
        return ruby.context("lookup", *arguments_of(ruby, node, 1))
    if name in SCOPE_METHODS:
        return ruby.context(SCOPE_METHODS[name], *arguments_of(ruby, node, 1, 2))
    if name == "call_function":
        return ruby.context("call_function", *arguments_of(ruby, node, 1, 2))
    if name.startswith("function_"):
        argument = arguments_of(ruby, node, 1)
        return ruby.context("old_function", ruby.constant(name[9:]), *argument)
    raise ruby.refuse(node, f"'scope.{name}'")


def method(ruby: Translator, node: Node, name: str, receiver: ast.expr) -> ast.expr:
    """Return a method of a value."""
    block = node.child_by_field_name("block")
    given = node.child_by_field_name("arguments")
    last = named(given)[-1] if given is not None and named(given) else None
    if block is not None or (last is not None and last.type == "block_argument"):
        return ruby.rules.block_call(ruby, node, name, receiver, block, last)
    if name in ("is_a?", "kind_of?"):
        return class_test(ruby, node, receiver, last)
    if name == "nil?":
        arguments_of(ruby, node, 0)
        return ruby.compare(receiver, "is", ruby.constant(None))
    if name not in METHODS or (ruby.groups and name in MATCHING - {"match", "split"}):
        raise ruby.refuse(node, f"the method '{name}'")
    if ruby.groups and name == "match":
        return ruby.context("match_found", receiver, *arguments_of(ruby, node, 1))
    low, high = arity(METHODS[name], 1)
    return ruby.call(f".{name}", receiver, *arguments_of(ruby, node, low, high))


def class_test(ruby: Translator, node: Node, receiver: ast.expr, last: Node | None) -> ast.expr:
    """Translate ``is_a?``."""
    if last is None or source(last) not in CLASSES:
        raise ruby.refuse(node, f"'{source(node)[:60]}'")
    return ruby.call(":is_a", receiver, ruby.constant(source(last)))


def block_call(
    ruby: Translator,
    node: Node,
    name: str,
    receiver: ast.expr,
    block: Node | None,
    last: Node | None,
) -> ast.expr:
    """Return a method that is given a block, or a method as a block."""
    given = node.child_by_field_name("arguments")
    nodes = [] if given is None else named(given)
    count: int | ast.expr
    if block is None:
        assert last is not None  # the block is an argument
        nodes = nodes[:-1]
        function, count = ruby.rules.symbol_block(ruby, last)
    else:
        if name == "sort" and not is_an_order(block):
            raise ruby.refuse(node, "sort with this kind of block")
        function, count = block_function(ruby, block, name)
    arguments = plain_values(ruby, nodes)
    number = ruby.constant(count) if isinstance(count, int) else count
    if name in ("gsub", "sub") and len(arguments) == 1 and not ruby.groups:
        every = ruby.constant(name == "gsub")
        return ruby.call(":replaced_by_block", receiver, function, number, *arguments, every)
    found = BLOCK_METHODS.get(name)
    if found is None:
        raise ruby.refuse(node, f"the method '{name}' with a block")
    low, high = arity(found, 3)
    if len(arguments) < low or (high is not None and len(arguments) > high):
        raise ruby.refuse(node, f"the method '{name}' with these arguments")
    return ruby.call(f"&{name}", receiver, function, number, *arguments)


def symbol_block(ruby: Translator, node: Node) -> tuple[ast.expr, int | ast.expr]:
    """Translate ``&:name``."""
    inner = named(node)
    name = source(inner[0])[1:] if inner and inner[0].type == "simple_symbol" else ""
    if name not in METHODS or arity(METHODS[name], 1)[0] > 0:
        raise ruby.refuse(node, f"'{source(node)}'")
    return ruby.name(f".{name}"), SYMBOL


def tested(ruby: Translator, node: Node) -> Node:
    """Return a condition; a pattern in it matches the last line that was read."""
    inner = node
    while inner.type == "parenthesized_statements" and len(named(inner)) == 1:
        inner = named(inner)[0]
    if inner.type == "regex":
        raise ruby.refuse(node, "a pattern as a condition")
    return node


def is_an_order(block: Node) -> bool:
    """Return whether a block of ``sort`` compares like ``f(a) <=> f(b)``."""
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
    """Return the minimum and maximum number of arguments of a helper besides its own."""
    code: Any = getattr(function, "__code__")  # noqa: B009, helpers are functions all
    high = code.co_argcount - own
    defaults = getattr(function, "__defaults__") or ()  # noqa: B009
    return high - len(defaults), None if code.co_flags & 4 else high


def is_boolean(value: ast.expr) -> bool:
    """Return whether an expression can only be True or False."""
    if isinstance(value, ast.Compare):
        return True
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.Not)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id.endswith("?") or value.func.id in BOOLEANS
    return isinstance(value, ast.Constant) and value.value.__class__ is bool
