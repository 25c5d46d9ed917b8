"""What compiled code works out in place: the common case of an operator, a type or a pattern.

Each function here gives a Python expression that does what a helper of ``runtime/helpers.py`` does for
the values met most often, and calls the helper for all others. Longer ones are made only for code
that may run many times (:attr:`Frame.is_hot`), and only where the dialect allows it
(``CompilerRules.works_in_place``).
"""

from __future__ import annotations

import ast

from bunraku.compiler.emitter import Emitter, Place
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node

HIGHEST, LOWEST = 2**63 - 1, -(2**63)
SUMS: dict[str, ast.operator] = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult()}
COMPARED: dict[str, ast.cmpop] = {
    "==": ast.Eq(),
    "!=": ast.NotEq(),
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
}
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
"""The types that no environment can change, nor what may stand in their brackets."""
NO_NUMBERS = (ast.List, ast.Dict, ast.JoinedStr)
MOST_TEXTS = 12  # an Enum with more is looked up by its own check


class WholeNumber(ast.IfExp):
    """A value that is an integer where its test holds; what is done with it need not ask again."""


def kept(emitter: Emitter, value: ast.expr, at: Place) -> tuple[ast.expr, ast.expr]:
    """A value to be used more than once: how to have it first, and how again."""
    if isinstance(value, ast.Name):
        return value, value
    local = emitter.fresh("operand")
    return emitter.walrus(local, value, at), emitter.name(local, at)


def is_hot(emitter: Emitter) -> bool:
    """Whether longer but faster code is wanted here."""
    return emitter.works_in_place and emitter.frame.is_hot


# -- operators -----------------------------------------------------------------------------------


def operation(
    emitter: Emitter, node: nodes.Arithmetic | nodes.Comparison, helper: str, left: ast.expr
) -> ast.expr:
    """One operator: a call of its helper; common operands are worked out in place."""
    at = emitter.place(node)
    right = node.right
    if isinstance(right, nodes.String | nodes.Name) and node.operator == "==":
        first, again = kept(emitter, left, at)
        call = emitter.call(helper, again, emitter.expression(right), at=at)
        return text_test(emitter, first, again, right.value, call, at)
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
    return emitter.call(helper, left, value, at=at)


def integer_operation(
    emitter: Emitter,
    node: nodes.Arithmetic | nodes.Comparison,
    helper: str,
    left: ast.expr,
    number: int,
) -> ast.expr:
    """``left operator number``: an integer on the left is worked out in place."""
    at = emitter.place(node)
    right = emitter.constant(number, emitter.place(node.right))
    if isinstance(left, ast.Constant) and left.value.__class__ is int:
        known = folded(node.operator, left.value, number)
        if known is not None:
            return emitter.constant(known, at)
    if isinstance(left, WholeNumber) and node.operator not in SUMS:
        call = emitter.call(helper, left.orelse, right, at=at)
        return in_integers(emitter, node, (left.body, right), left.test, call)
    first, again = kept(emitter, left, at)
    test = emitter.is_in(first, "int", at)
    call = emitter.call(helper, again, right, at=at)
    return in_integers(emitter, node, (again, right), test, call)


def folded(operator: str, left: int, right: int) -> int | None:
    """The result of an operator on two literals, where it is an integer that fits."""
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
    """``left operator right``, one of them a local: two integers are worked out in place.

    What is no local is worked out first: a local has its value already.
    """
    at = emitter.place(node)
    first, again = kept(emitter, left, at)
    other, other_again = kept(emitter, right, at)
    tests = [emitter.is_in(first, "int", at), emitter.is_in(other, "int", at)]
    if isinstance(left, ast.Name):
        tests.reverse()
    call = emitter.call(helper, again, other_again, at=at)
    test = ast.BoolOp(ast.And(), tests, **at)
    return in_integers(emitter, node, (again, other_again), test, call)


def in_integers(
    emitter: Emitter,
    node: nodes.Arithmetic | nodes.Comparison,
    operands: tuple[ast.expr, ast.expr],
    test: ast.expr,
    otherwise: ast.expr,
) -> ast.expr:
    """The operator on two integers where the test holds and the result fits; else the other way."""
    at = emitter.place(node)
    left, right = operands
    if node.operator in COMPARED:
        value: ast.expr = ast.Compare(left, [COMPARED[node.operator]], [right], **at)
    elif node.operator in SUMS:
        result = emitter.fresh("result")
        sum_ = emitter.walrus(result, ast.BinOp(left, SUMS[node.operator], right, **at), at)
        lowest, highest = emitter.constant(LOWEST, at), emitter.constant(HIGHEST, at)
        fits = ast.Compare(lowest, [ast.LtE(), ast.LtE()], [sum_, highest], **at)
        test = ast.BoolOp(ast.And(), [test, fits], **at)
        value = emitter.name(result, at)
    else:
        operator = ast.Mod() if node.operator == "%" else ast.FloorDiv()
        return WholeNumber(test, ast.BinOp(left, operator, right, **at), otherwise, **at)
    return ast.IfExp(test, value, otherwise, **at)


def text_test(
    emitter: Emitter, first: ast.expr, again: ast.expr, text: str, call: ast.expr, at: Place
) -> ast.expr:
    """Whether a value equals a literal text: letter case of ASCII does not count."""
    same: ast.expr = ast.Compare(first, [ast.Eq()], [emitter.constant(text, at)], **at)
    small = text.lower()
    if not emitter.works_in_place or not text.isascii():
        return ast.BoolOp(ast.Or(), [same, call], **at)
    if small == text.upper():
        return same
    if not emitter.frame.is_hot:
        return ast.BoolOp(ast.Or(), [same, call], **at)
    lowered = ast.Compare(method(again, "lower", at), [ast.Eq()], [ast.Constant(small, **at)], **at)
    is_text = emitter.is_in(again, "str", at)
    folded = ast.BoolOp(ast.And(), [is_text, lowered, method(again, "isascii", at)], **at)
    return ast.BoolOp(ast.Or(), [same, folded], **at)


def number_test(emitter: Emitter, value: ast.expr, number: int, at: Place) -> ast.expr:
    """Whether a local equals a literal integer."""
    literal = emitter.constant(number, at)
    call = emitter.call("equal", value, literal, at=at)
    if not is_hot(emitter):
        return call
    same = ast.Compare(value, [ast.Eq()], [literal], **at)
    return ast.IfExp(emitter.is_in(value, "int", at), same, call, **at)


def method(value: ast.expr, name: str, at: Place, *arguments: ast.expr) -> ast.expr:
    """``value.name(arguments)``."""
    return ast.Call(ast.Attribute(value, name, ast.Load(), **at), list(arguments), [], **at)


def among_texts(
    emitter: Emitter, node: nodes.In, left: ast.expr, call: list[ast.expr]
) -> ast.expr | None:
    """``left in ['a', 'b']``, in one look; None where that is not what it says."""
    if not (is_hot(emitter) and isinstance(node.right, nodes.List)):
        return None
    texts = [item.value for item in node.right.values if isinstance(item, nodes.String)]
    if not texts or len(texts) < len(node.right.values) or not all(map(str.isascii, texts)):
        return None
    at = emitter.place(node)
    first, again = kept(emitter, left, at)
    ascii_ = [emitter.is_in(first, "str", at), method(again, "isascii", at)]
    small = [emitter.constant(text.lower(), at) for text in texts]
    found = ast.Compare(method(again, "lower", at), [ast.In()], [ast.Set([*small], **at)], **at)
    asked = emitter.call("contains", again, *call, at=at)
    return ast.IfExp(ast.BoolOp(ast.And(), [*ascii_], **at), found, asked, **at)


def element_of(emitter: Emitter, node: nodes.Access, left: ast.expr, key: ast.expr) -> ast.expr:
    """``left[key]``: a hash by a text is read in place, where the key is a literal or a local."""
    at = emitter.place(node)
    literal = isinstance(node.keys[0], nodes.String | nodes.Name)
    if not is_hot(emitter) or not (literal or isinstance(key, ast.Name)):
        return emitter.call("access", left, key, at=at)
    first, again = kept(emitter, left, at)
    test = emitter.is_in(first, "dict", at)
    if not literal:
        test = ast.BoolOp(ast.And(), [test, emitter.is_in(key, "str", at)], **at)
    found = method(again, "get", at, key)
    asked = emitter.call("access", again, key, at=at)
    return ast.IfExp(test, found, asked, **at)


def key_of(emitter: Emitter, key: ast.expr, at: Place) -> ast.expr:
    """The key of a hash: a text is one as it is."""
    made = emitter.call("as_key", key, at=at)
    if not is_hot(emitter) or not isinstance(key, ast.Name):
        return made
    return ast.IfExp(emitter.is_in(key, "str", at), key, made, **at)


def text_of(emitter: Emitter, value: ast.expr, at: Place) -> ast.expr:
    """A value as interpolation shows it: Python shows texts and integers in the same way."""
    if not is_hot(emitter):
        return emitter.call("text", value, at=at)
    if isinstance(value, WholeNumber):
        other = emitter.call("text", value.orelse, at=at)
        return ast.IfExp(value.test, value.body, other, **at)
    first, again = kept(emitter, value, at)
    kinds = [emitter.is_in(first, "str", at), emitter.is_in(again, "int", at)]
    plain = ast.BoolOp(ast.Or(), [*kinds], **at)
    return ast.IfExp(plain, again, emitter.call("text", again, at=at), **at)


# -- patterns and types --------------------------------------------------------------------------


def is_constant(emitter: Emitter, node: Node) -> bool:
    """Whether an expression of types and literals has the same value in every environment."""
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
    """Whether an expression can yield nothing but a type."""
    return isinstance(node, nodes.Reference) or (
        isinstance(node, nodes.Access) and isinstance(node.left, nodes.Reference)
    )


def is_constant_type(emitter: Emitter, node: Node) -> bool:
    """Whether an expression is a type that no environment can change."""
    return emitter.works_in_place and is_type(node) and is_constant(emitter, node)


def static(emitter: Emitter, node: Node, value: ast.expr, purpose: str = "") -> ast.expr:
    """A value that is the same all through a compile, made when first needed."""
    at = emitter.place(node)
    key = emitter.constant(f"{emitter.unit}:{node.start}:{node.end}{purpose}", at)
    table = ast.Attribute(emitter.scope(at), "statics", ast.Load(), **at)
    local = emitter.fresh("static")
    kept = ast.Call(ast.Attribute(table, "get", ast.Load(), **at), [key], [], **at)
    found = ast.Compare(
        emitter.walrus(local, kept, at), [ast.IsNot()], [emitter.constant(None, at)], **at
    )
    made = emitter.call("keep", emitter.scope(at), key, value, at=at)
    return ast.IfExp(found, emitter.name(local, at), made, **at)


def is_static(node: Node) -> bool:
    """Whether a type expression depends on nothing but names and literals."""
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
    """Whether a pattern is found in a text."""
    at = emitter.place(pattern)
    if captures:
        return emitter.call("search", emitter.expression(pattern), value, *captures, at=at)
    once = emitter.made_once(
        "search", lambda: emitter.call("searcher", emitter.expression(pattern), at=at), at
    )
    found = ast.Call(once, [value], [], **at)
    return ast.Compare(found, [ast.IsNot()], [emitter.constant(None, at)], **at)


Value = tuple[ast.expr, ast.expr]
"""A value to be tested: how to have it first, and how again (see :func:`kept`)."""


def type_test(emitter: Emitter, value: ast.expr, type_: Node) -> ast.expr | None:
    """Whether a value is of a type, by the type's own check; None where the expression for the type
    may say something else, or where shorter code is wanted.
    """
    if not emitter.works_in_place or not is_type(type_) or not is_static(type_):
        return None
    at = emitter.place(type_)
    constant = is_constant(emitter, type_)
    if constant:
        simple = simple_test(emitter, kept(emitter, value, at), type_, at)
        if simple is not None:
            return simple
    if not emitter.frame.is_hot:
        return None

    def check() -> ast.expr:
        return emitter.call("checker", emitter.expression(type_), at=at)

    first, again = kept(emitter, value, at)
    once = (
        emitter.made_once("check", check, at) if constant else static(emitter, type_, check(), "?")
    )
    test = ast.Call(once, [again], [], **at)
    # The value comes before the type, either of which may be an error.
    return test if first is again else emitter.sequence([first, test], at)


def simple_test(emitter: Emitter, value: Value, type_: Node, at: Place) -> ast.expr | None:
    """The test of a type that Python has words for; None for others."""
    match type_:
        case nodes.Reference(value=name):
            return class_test(emitter, value, name.lower(), at)
        case nodes.Access(left=nodes.Reference(value=name), keys=keys):
            return bounded_test(emitter, value, name.lower(), keys, at)
    return None


CLASSES = {
    "array": "list",
    "boolean": "bool",
    "float": "float",
    "hash": "dict",
    "integer": "int",
    "string": "str",
}


def class_test(emitter: Emitter, value: Value, name: str, at: Place) -> ast.expr | None:
    """The test of a type without parameters."""
    first, again = value
    if name in CLASSES:
        return emitter.is_in(first, CLASSES[name], at)
    if name == "undef":
        return emitter.is_none(first, at)
    if name == "numeric":
        kinds = [emitter.is_in(first, "int", at), emitter.is_in(again, "float", at)]
        return ast.BoolOp(ast.Or(), [*kinds], **at)
    return None


def bounded_test(
    emitter: Emitter, value: Value, name: str, keys: list[Node], at: Place
) -> ast.expr | None:
    """The test of a type with parameters."""
    first, again = value
    limit: ast.expr
    match name, keys:
        case "optional", [nodes.Reference() | nodes.Access() as inner]:
            test = simple_test(emitter, (again, again), inner, at)
            if test is None:
                return None
            return ast.BoolOp(ast.Or(), [emitter.is_none(first, at), test], **at)
        case "string", [nodes.Integer(value=1)]:
            limit = ast.Compare(again, [ast.NotEq()], [emitter.constant("", at)], **at)
            kind = "str"
        case "integer", [nodes.Integer(value=low)]:
            limit = ast.Compare(again, [ast.GtE()], [emitter.constant(low, at)], **at)
            kind = "int"
        case "integer", [nodes.Integer(value=low), nodes.Integer(value=high)] if low <= high:
            within = [again, emitter.constant(high, at)]
            limit = ast.Compare(emitter.constant(low, at), [ast.LtE(), ast.LtE()], within, **at)
            kind = "int"
        case "enum", [_, *_] if len(keys) <= MOST_TEXTS:
            texts = [key.value for key in keys if isinstance(key, nodes.String)]
            if len(texts) < len(keys):
                return None
            known = emitter.tuple([emitter.constant(text, at) for text in texts], at)
            limit = ast.Compare(again, [ast.In()], [known], **at)
            kind = "str"
        case _:
            return None
    return ast.BoolOp(ast.And(), [emitter.is_in(first, kind, at), limit], **at)
