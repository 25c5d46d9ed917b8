"""Values that are known without running code, by the rules of the dialect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.syntax import nodes
from bunraku.syntax.nodes import FIELDS, Node

Value = Any
Helpers = Mapping[str, Any]
UNKNOWN: Any = object()
"""Stands for a value that only a run can give."""
POSITIONS = frozenset({"start", "end", "operator_start"})
OPERATORS = {
    "==": "equal",
    "!=": "unequal",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
}
"""Comparison → the helper of compiled code that evaluates it."""


def constant(helpers: Helpers, node: Node) -> Value:
    """Return the value of a literal or of a comparison of literals; UNKNOWN for other code.

    Raises PuppetError for a comparison that fails.
    """
    reader = READERS.get(node.__class__)
    return UNKNOWN if reader is None else reader(helpers, node)


def known_text(_helpers: Helpers, node: nodes.String | nodes.Name) -> Value:
    """Return the text of a string."""
    return node.value


def known_value(_helpers: Helpers, node: nodes.Integer | nodes.Float | nodes.Boolean) -> Value:
    """Return the value of a literal."""
    return node.value


def known_list(helpers: Helpers, node: nodes.List) -> Value:
    """Return the elements of an array if all are known."""
    values = [constant(helpers, one) for one in node.values]
    return UNKNOWN if any(one is UNKNOWN for one in values) else values


def known_negation(helpers: Helpers, node: nodes.Not) -> Value:
    """Return the opposite of a condition that is always the same."""
    found = constant_truth(helpers, node.expression)
    return UNKNOWN if found is None else not found


def known_comparison(helpers: Helpers, node: nodes.Comparison) -> Value:
    """Return the result of comparing literals, or an expression with itself."""
    left, right = constant(helpers, node.left), constant(helpers, node.right)
    if left is UNKNOWN or right is UNKNOWN:
        if is_pure(node.left) and same_code(node.left, node.right):
            return node.operator in {"==", "<=", ">="}
        return text_with_number(helpers, node, left, right)
    return helpers[OPERATORS[node.operator]](left, right)


def text_with_number(helpers: Helpers, node: nodes.Comparison, left: Value, right: Value) -> Value:
    """Return the result of ``"${x}" == 1``: a string with interpolation is not a number."""
    kinds = {type(one) for one in (left, right) if one is not UNKNOWN}
    is_text = isinstance(node.left, nodes.Concatenation) or isinstance(
        node.right, nodes.Concatenation
    )
    if is_text and kinds & {int, float} and node.operator in {"==", "!="}:
        if not helpers["equal"]("1", 1):
            return node.operator == "!="
    return UNKNOWN


def known_match(helpers: Helpers, node: nodes.Match) -> Value:
    """Return whether a literal string matches a literal pattern."""
    left = constant(helpers, node.left)
    if not isinstance(left, str) or not isinstance(node.right, nodes.Regexp):
        return UNKNOWN
    helper: Callable[..., bool] = helpers["matches" if node.operator == "=~" else "not_matches"]
    return helper(left, helpers["regexp"](node.right.pattern))


def known_and(helpers: Helpers, node: nodes.And) -> Value:
    """Return the result of ``and`` if its operands decide it."""
    sides = constant_truth(helpers, node.left), constant_truth(helpers, node.right)
    if False in sides:
        return False
    return True if sides == (True, True) else UNKNOWN


def known_or(helpers: Helpers, node: nodes.Or) -> Value:
    """Return the result of ``or`` if its operands decide it."""
    sides = constant_truth(helpers, node.left), constant_truth(helpers, node.right)
    if True in sides:
        return True
    return False if sides == (False, False) else UNKNOWN


READERS: dict[type[Node], Callable[[Helpers, Any], Value]] = {
    nodes.String: known_text,
    nodes.Name: known_text,
    nodes.Integer: known_value,
    nodes.Float: known_value,
    nodes.Boolean: known_value,
    nodes.Undef: lambda _helpers, _node: None,
    nodes.List: known_list,
    nodes.Parenthesized: lambda helpers, node: constant(helpers, node.expression),
    nodes.Not: known_negation,
    nodes.Comparison: known_comparison,
    nodes.Match: known_match,
    nodes.And: known_and,
    nodes.Or: known_or,
}


def constant_truth(helpers: Helpers, node: Node) -> bool | None:
    """Return whether a condition is always true or always false; None if it can be either.

    >>> from bunraku.base.source import Source
    >>> from bunraku.dialects.languages import dialect_named
    >>> def truth_of(code, language="8"):
    ...     dialect = dialect_named(language)
    ...     return constant_truth(
    ...         dialect.helper_table(), dialect.parse(Source(f"if {code} {{}}")).program.body.test
    ...     )
    >>> truth_of("''"), truth_of("''", "3.8"), truth_of("$x"), truth_of("1 == '1'")
    (True, False, None, False)
    """
    try:
        value = constant(helpers, node)
    except PuppetError:
        return None
    if value is not UNKNOWN:
        return bool(helpers["truthy"](value))
    if isinstance(node, nodes.Reference | nodes.Hash | nodes.List | nodes.Lambda):
        return True
    if isinstance(node, nodes.Concatenation) and helpers["truthy"](""):
        return True
    return None


def same_code(left: object, right: object) -> bool:
    """Return whether two pieces of code are the same, wherever they are."""
    if left.__class__ is not right.__class__:
        return False
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_code, left, right))
    if isinstance(left, Node):
        names = (name for name in FIELDS[left.__class__] if name not in POSITIONS)
        return all(same_code(getattr(left, name), getattr(right, name)) for name in names)
    return left == right


PURE: frozenset[type] = frozenset(
    [
        *(nodes.Variable, nodes.Access, nodes.String, nodes.Name, nodes.Integer, nodes.Float),
        *(nodes.Boolean, nodes.Undef, nodes.Default, nodes.Regexp, nodes.Reference, nodes.List),
        *(nodes.Parenthesized, nodes.Not, nodes.And, nodes.Or, nodes.Comparison, nodes.Match),
        *(nodes.In, nodes.Arithmetic, nodes.UnaryMinus, nodes.Concatenation, nodes.Interpolation),
    ]
)
"""Expressions that have the same value each time; calls may not."""


def is_pure(node: Node) -> bool:
    """Return whether code has the same value wherever it is in a body."""
    if isinstance(node, nodes.Variable) and node.name.isdigit():
        return False
    return node.__class__ in PURE and all(map(is_pure, nodes.children(node)))
