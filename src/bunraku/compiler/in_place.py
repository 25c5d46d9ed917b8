"""Fast paths of compiled code: the common case of an operator, a type or a pattern.

Each function returns a Python expression that replaces a helper of ``runtime/helpers.py`` for the most
frequent values, and calls the helper for all others. Longer expressions are made only for code that
may run many times (:attr:`Frame.is_hot`), and only where the dialect allows it
(``CompilerRules.works_in_place``).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

from bunraku.compiler.emitter import Emitter
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node

HIGHEST, LOWEST = 2**63 - 1, -(2**63)
SUMS = frozenset({"+", "-", "*"})
COMPARED = frozenset({"==", "!=", "<", "<=", ">", ">="})
CONSTANT_TYPES = frozenset(
    [
        "any",
        "array",
        "binary",
        "boolean",
        "collection",
        "data",
        "default",
        "enum",
        "float",
        "hash",
        "integer",
        "iterable",
        "iterator",
        "notundef",
        "numeric",
        "optional",
        "pattern",
        "regexp",
        "scalar",
        "scalardata",
        "semver",
        "semverrange",
        "sensitive",
        "string",
        "struct",
        "timespan",
        "timestamp",
        "tuple",
        "undef",
        "variant",
    ]
)
"""Types that no environment can change, with any parameters."""
NO_NUMBERS = (ast.List, ast.Dict, ast.JoinedStr)
MOST_TEXTS = 12  # an Enum with more is looked up by its own check


class WholeNumber(ast.IfExp):
    """A value that is an integer where its test holds; later code need not test it again."""


def kept(emitter: Emitter, value: ast.expr) -> tuple[ast.expr, ast.expr]:
    """Return two expressions for a value that is used twice: one stores it, the other reads it."""
    if isinstance(value, ast.Name):
        return value, value
    local = emitter.fresh("operand")
    return emitter.walrus(local, value), emitter.name(local)


def is_hot(emitter: Emitter) -> bool:
    """Return whether longer but faster code is preferred here."""
    return emitter.works_in_place and emitter.frame.is_hot


# -- operators -----------------------------------------------------------------------------------


def operation(
    emitter: Emitter, node: nodes.Arithmetic | nodes.Comparison, helper: str, left: ast.expr
) -> ast.expr:
    """Return one operator: a call of its helper; common operands are computed in place."""
    right = node.right
    if isinstance(right, nodes.String | nodes.Name) and node.operator == "==":
        first, again = kept(emitter, left)
        call = emitter.call(helper, again, emitter.expression(right))
        return text_test(emitter, first, again, right.value, call)
    if isinstance(right, nodes.Integer) and (
        node.operator in SUMS
        or node.operator in COMPARED
        or (node.operator in ("%", "/") and 0 < right.value <= HIGHEST)
    ):
        return integer_operation(emitter, node, helper, left, right.value)
    value = emitter.expression(right)
    named = isinstance(left, ast.Name) or isinstance(value, ast.Name)
    number = not isinstance(left, NO_NUMBERS) and not isinstance(value, NO_NUMBERS)
    worked_out = node.operator in SUMS or node.operator in COMPARED
    if named and number and worked_out and is_hot(emitter):
        return operation_of_two(emitter, node, helper, left, value)
    return emitter.call(helper, left, value)


def integer_operation(
    emitter: Emitter,
    node: nodes.Arithmetic | nodes.Comparison,
    helper: str,
    left: ast.expr,
    number: int,
) -> ast.expr:
    """Emit ``left operator number``: an integer on the left is computed in place."""
    right = emitter.expression(node.right)
    if isinstance(left, ast.Constant) and left.value.__class__ is int:
        known = folded(node.operator, left.value, number)
        if known is not None:
            return emitter.constant(known)
    if isinstance(left, WholeNumber) and node.operator not in SUMS:
        call = emitter.call(helper, left.orelse, right)
        return in_integers(emitter, node, (left.body, right), left.test, call)
    first, again = kept(emitter, left)
    test = emitter.has_class(first, "int")
    call = emitter.call(helper, again, right)
    return in_integers(emitter, node, (again, right), test, call)


def folded(operator: str, left: int, right: int) -> int | None:
    """Return the result of an operator on two literals, where it is an integer that fits."""
    match operator:
        case "+":
            result = left + right
        case "-":
            result = left - right
        case "*":
            result = left * right
        case _:
            return None
    return result if LOWEST <= result <= HIGHEST else None


def operation_of_two(
    emitter: Emitter,
    node: nodes.Arithmetic | nodes.Comparison,
    helper: str,
    left: ast.expr,
    right: ast.expr,
) -> ast.expr:
    """Emit ``left operator right``, one of them a local: two integers are computed in place.

    The operand that is not a local is computed first: a local already has its value.
    """
    first, again = kept(emitter, left)
    other, other_again = kept(emitter, right)
    tests = [emitter.has_class(first, "int"), emitter.has_class(other, "int")]
    if isinstance(left, ast.Name):
        tests.reverse()
    call = emitter.call(helper, again, other_again)
    test = emitter.all_of(*tests)
    return in_integers(emitter, node, (again, other_again), test, call)


def in_integers(
    emitter: Emitter,
    node: nodes.Arithmetic | nodes.Comparison,
    operands: tuple[ast.expr, ast.expr],
    test: ast.expr,
    otherwise: ast.expr,
) -> ast.expr:
    """Return the operator on two integers if the test holds and the result fits, else the call."""
    left, right = operands
    if node.operator in COMPARED:
        value: ast.expr = emitter.compare(left, node.operator, right)
    elif node.operator in SUMS:
        result = emitter.fresh("result")
        sum_ = emitter.walrus(result, emitter.binary(left, node.operator, right))
        lowest, highest = emitter.constant(LOWEST), emitter.constant(HIGHEST)
        test = emitter.all_of(test, emitter.within(lowest, sum_, highest))
        value = emitter.name(result)
    else:
        operator = "%" if node.operator == "%" else "//"
        value = emitter.binary(left, operator, right)
        return emitter.stamp(WholeNumber(test, value, otherwise))
    return emitter.if_else(test, value, otherwise)


def text_test(
    emitter: Emitter, first: ast.expr, again: ast.expr, text: str, call: ast.expr
) -> ast.expr:
    """Return whether a value equals a literal text, ignoring the case of ASCII letters."""
    same: ast.expr = emitter.compare(first, "==", emitter.constant(text))
    small = text.lower()
    if not emitter.works_in_place or not text.isascii():
        return emitter.any_of(same, call)
    if small == text.upper():
        return same
    if not emitter.frame.is_hot:
        return emitter.any_of(same, call)
    lowered = emitter.compare(emitter.method(again, "lower"), "==", emitter.constant(small))
    is_text = emitter.has_class(again, "str")
    folded = emitter.all_of(is_text, lowered, emitter.method(again, "isascii"))
    return emitter.any_of(same, folded)


def number_test(emitter: Emitter, value: ast.expr, number: int) -> ast.expr:
    """Return whether a local equals a literal integer."""
    literal = emitter.constant(number)
    call = emitter.call("equal", value, literal)
    if not is_hot(emitter):
        return call
    same = emitter.compare(value, "==", literal)
    return emitter.if_else(emitter.has_class(value, "int"), same, call)


def among_texts(
    emitter: Emitter, node: nodes.In, left: ast.expr, call: list[ast.expr]
) -> ast.expr | None:
    """Emit ``left in ['a', 'b']``, in one look; None if the code has another form."""
    if not (is_hot(emitter) and isinstance(node.right, nodes.List)):
        return None
    texts = [item.value for item in node.right.values if isinstance(item, nodes.String)]
    if not texts or len(texts) < len(node.right.values) or not all(map(str.isascii, texts)):
        return None
    first, again = kept(emitter, left)
    is_ascii = emitter.all_of(emitter.has_class(first, "str"), emitter.method(again, "isascii"))
    small: list[ast.expr] = [emitter.constant(text.lower()) for text in texts]
    found = emitter.compare(emitter.method(again, "lower"), "in", emitter.stamp(ast.Set(small)))
    asked = emitter.call("contains", again, *call)
    return emitter.if_else(is_ascii, found, asked)


def element_of(emitter: Emitter, node: nodes.Access, left: ast.expr, key: ast.expr) -> ast.expr:
    """``left[key]``: a hash by a text is read in place, where the key is a literal or a local."""
    literal = isinstance(node.keys[0], nodes.String | nodes.Name)
    if not is_hot(emitter) or not (literal or isinstance(key, ast.Name)):
        return emitter.call("access", left, key)
    first, again = kept(emitter, left)
    test = emitter.has_class(first, "dict")
    if not literal:
        test = emitter.all_of(test, emitter.has_class(key, "str"))
    found = emitter.method(again, "get", key)
    asked = emitter.call("access", again, key)
    return emitter.if_else(test, found, asked)


def key_of(emitter: Emitter, key: ast.expr) -> ast.expr:
    """Return the key of a hash; a text needs no conversion."""
    made = emitter.call("as_key", key)
    if not is_hot(emitter) or not isinstance(key, ast.Name):
        return made
    return emitter.if_else(emitter.has_class(key, "str"), key, made)


def text_of(emitter: Emitter, value: ast.expr) -> ast.expr:
    """Return a value as text for interpolation; Python formats texts and integers as Puppet does."""
    if not is_hot(emitter):
        return emitter.call("text", value)
    if isinstance(value, WholeNumber):
        other = emitter.call("text", value.orelse)
        return emitter.if_else(value.test, value.body, other)
    first, again = kept(emitter, value)
    plain = emitter.any_of(emitter.has_class(first, "str"), emitter.has_class(again, "int"))
    return emitter.if_else(plain, again, emitter.call("text", again))


# -- patterns and types --------------------------------------------------------------------------


def is_constant(emitter: Emitter, node: Node) -> bool:
    """Return whether an expression of types and literals has the same value in every environment."""
    match node:
        case nodes.Reference(value=name):
            name = name.lower()
            return name in CONSTANT_TYPES and name not in emitter.type_names
        case nodes.Integer() | nodes.Float() | nodes.String() | nodes.Name():
            return True
        case nodes.Boolean() | nodes.Undef() | nodes.Default() | nodes.Regexp():
            return True
        case nodes.UnaryMinus(expression=inner):
            return isinstance(inner, nodes.Integer | nodes.Float)
        case nodes.Access(left=nodes.Reference() as left, keys=keys):
            return is_constant(emitter, left) and all(is_constant(emitter, key) for key in keys)
        case nodes.List(values=values):
            return all(is_constant(emitter, value) for value in values)
        case nodes.Hash(entries=entries):
            return all(
                is_constant(emitter, entry.key) and is_constant(emitter, entry.value)
                for entry in entries
            )
    return False


def is_type(node: Node) -> bool:
    """Return whether an expression can only yield a type."""
    return isinstance(node, nodes.Reference) or (
        isinstance(node, nodes.Access) and isinstance(node.left, nodes.Reference)
    )


def is_constant_type(emitter: Emitter, node: Node) -> bool:
    """Return whether an expression is a type that no environment can change."""
    return emitter.works_in_place and is_type(node) and is_constant(emitter, node)


OF_TYPES = {
    "optional": 1,
    "notundef": 1,
    "iterable": 1,
    "iterator": 1,
    "variant": None,
    "tuple": None,
}
"""Types whose parameters are types, with their number if it is fixed."""


def type_key(emitter: Emitter, node: Node) -> tuple[Any, ...] | None:
    """Return a type that cannot fail as nested tuples: its name in small letters, its parameters.

    These are types, texts and integers in the usual forms. None for all others.
    """
    match node:
        case nodes.Reference(value=name) if is_constant(emitter, node):
            return (name.lower(),)
        case nodes.Access(left=nodes.Reference(value=name) as left, keys=keys):
            if not is_constant(emitter, left):
                return None
            name = name.lower()
            found = key_parameters(name, keys, partial(type_key, emitter))
            return (name, *found) if found else None
    return None


TypeKey = tuple[Any, ...]


def key_parameters(
    name: str, keys: list[Node], key_of_type: Callable[[Node], TypeKey | None]
) -> list[Any] | None:
    """Return the parameters of a type for :func:`type_key`; types among them by ``key_of_type``."""
    if name == "enum":
        texts = [key.value for key in keys if isinstance(key, nodes.String | nodes.Name)]
        return texts if len(texts) == len(keys) else None
    types = 0
    if name in OF_TYPES:
        types = OF_TYPES[name] or len(keys)
    elif name in {"array", "hash"}:
        types = 1 if name == "array" else 2
    elif name not in {"string", "integer"}:
        return None
    parameters = [key_of_type(key) for key in keys[:types]]
    sizes = [key.value for key in keys[types:] if isinstance(key, nodes.Integer)]
    ordered = sizes == sorted(sizes) and (name == "integer" or min(sizes, default=0) >= 0)
    if None in parameters or len(parameters) < types or len(parameters) + len(sizes) < len(keys):
        return None
    if len(sizes) > (0 if name in OF_TYPES else 2) or not ordered:
        return None
    return [*parameters, *sizes]


def constant_type(emitter: Emitter, node: Node) -> ast.expr | None:
    """Emit a type that cannot fail, as one call; None for others, and for code that runs often."""
    if emitter.frame.is_hot:
        return None
    key = type_key(emitter, node)
    return None if key is None else emitter.call("constant_type", emitter.constant(key))


def static(emitter: Emitter, node: Node, value: ast.expr, purpose: str = "") -> ast.expr:
    """Return a value that is the same all through a compile, made when first needed."""
    key = emitter.constant(f"{emitter.unit}:{node.start}:{node.end}{purpose}")
    table = emitter.attribute(emitter.scope(), "statics")
    local = emitter.fresh("static")
    found = emitter.is_not_none(emitter.walrus(local, emitter.method(table, "get", key)))
    made = emitter.call("keep", emitter.scope(), key, value)
    return emitter.if_else(found, emitter.name(local), made)


def reference_to(emitter: Emitter, node: nodes.Access, name: str) -> ast.expr | None:
    """Emit ``File['/a']``, a type of modules with texts only, as one call; None for others.

    A manifest has many of them, and each node costs time in the first compile.
    """
    titles = [key.value for key in node.keys if isinstance(key, nodes.Name | nodes.String)]
    if not emitter.works_in_place or emitter.in_alias or len(titles) < len(node.keys):
        return None
    return emitter.call("reference_to", emitter.scope(), emitter.constant((name, *titles)))


def is_static(node: Node) -> bool:
    """Return whether a type expression depends only on names and literals."""
    match node:
        case nodes.Reference() | nodes.Integer() | nodes.Float() | nodes.String() | nodes.Name():
            return True
        case nodes.Boolean() | nodes.Undef() | nodes.Default() | nodes.Regexp():
            return True
        case nodes.UnaryMinus(expression=inner) | nodes.Parenthesized(expression=inner):
            return is_static(inner)
        case nodes.Access(left=left, keys=keys):
            return is_static(left) and all(map(is_static, keys))
        case nodes.List(values=values):
            return all(map(is_static, values))
        case nodes.Hash(entries=entries):
            return all(is_static(entry.key) and is_static(entry.value) for entry in entries)
    return False


def pattern_test(
    emitter: Emitter, value: ast.expr, pattern: nodes.Regexp, captures: list[ast.expr]
) -> ast.expr:
    """Return whether a pattern is found in a text."""
    with emitter.at(pattern):
        if captures:
            return emitter.call("search", emitter.value(pattern), value, *captures)
        once = emitter.made_once("search", lambda: emitter.call("searcher", emitter.value(pattern)))
        return emitter.is_not_none(emitter.call(once, value))


Value = tuple[ast.expr, ast.expr]
"""A value to test, as two expressions: one stores it, the other reads it (see :func:`kept`)."""


def type_test(emitter: Emitter, value: ast.expr, type_: Node) -> ast.expr | None:
    """Return whether a value is of a type, by the type's own check; None where the type depends on
    the environment, or if shorter code is preferred.
    """
    if not emitter.works_in_place or not is_type(type_) or not is_static(type_):
        return None
    with emitter.at(type_):
        if is_constant(emitter, type_):
            simple = simple_test(emitter, kept(emitter, value), type_)
            if simple is not None:
                return simple
        return checked(emitter, value, type_) if emitter.frame.is_hot else None


def checked(emitter: Emitter, value: ast.expr, type_: Node) -> ast.expr:
    """Return the test of a type by its own check."""

    def check() -> ast.expr:
        return emitter.call("checker", emitter.value(type_))

    first, again = kept(emitter, value)
    if is_constant(emitter, type_):
        once = emitter.made_once("check", check)
    else:
        once = static(emitter, type_, check(), "?")
    test = emitter.call(once, again)
    # The value is evaluated before the type; either may be an error.
    return test if first is again else emitter.sequence([first, test])


def simple_test(emitter: Emitter, value: Value, type_: Node) -> ast.expr | None:
    """Return the test of a type that Python can express; None for others."""
    match type_:
        case nodes.Reference(value=name):
            return class_test(emitter, value, name.lower())
        case nodes.Access(left=nodes.Reference(value=name), keys=keys):
            return bounded_test(emitter, value, name.lower(), keys)
    return None


CLASSES = {
    "array": "list",
    "boolean": "bool",
    "float": "float",
    "hash": "dict",
    "integer": "int",
    "string": "str",
}


def class_test(emitter: Emitter, value: Value, name: str) -> ast.expr | None:
    """Return the test of a type without parameters."""
    first, again = value
    if name in CLASSES:
        return emitter.has_class(first, CLASSES[name])
    if name == "undef":
        return emitter.is_none(first)
    if name == "numeric":
        return emitter.any_of(emitter.has_class(first, "int"), emitter.has_class(again, "float"))
    return None


def bounded_test(emitter: Emitter, value: Value, name: str, keys: list[Node]) -> ast.expr | None:
    """Return the test of a type with parameters."""
    first, again = value
    limit: ast.expr
    match name, keys:
        case "optional", [nodes.Reference() | nodes.Access() as inner]:
            test = simple_test(emitter, (again, again), inner)
            if test is None:
                return None
            return emitter.any_of(emitter.is_none(first), test)
        case "string", [nodes.Integer(value=1)]:
            limit = emitter.compare(again, "!=", emitter.constant(""))
            kind = "str"
        case "integer", [nodes.Integer(value=low)]:
            limit = emitter.compare(again, ">=", emitter.constant(low))
            kind = "int"
        case "integer", [nodes.Integer(value=low), nodes.Integer(value=high)] if low <= high:
            limit = emitter.within(emitter.constant(low), again, emitter.constant(high))
            kind = "int"
        case "enum", [_, *_] if len(keys) <= MOST_TEXTS:
            texts = [key.value for key in keys if isinstance(key, nodes.String)]
            if len(texts) < len(keys):
                return None
            known = emitter.tuple_of([emitter.constant(text) for text in texts])
            limit = emitter.compare(again, "in", known)
            kind = "str"
        case _:
            return None
    return emitter.all_of(emitter.has_class(first, kind), limit)
