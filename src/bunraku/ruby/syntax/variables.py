"""Local variables in a syntax tree of Ruby: which names Ruby's parser knows as variables at a place."""

from __future__ import annotations

import re
from typing import Any

CLOSED = frozenset({"method", "singleton_method", "class", "module", "singleton_class", "program"})
"""Constructs whose code sees no local variables of the code around them."""
SCOPES = CLOSED | {"block", "do_block", "lambda"}
BINDERS = frozenset(
    [
        "method_parameters",
        "block_parameters",
        "lambda_parameters",
        "optional_parameter",
        "keyword_parameter",
        "splat_parameter",
        "hash_splat_parameter",
        "block_parameter",
        "destructured_parameter",
        "left_assignment_list",
        "destructured_left_assignment",
        "rest_assignment",
        "exception_variable",
        "as_pattern",
        "array_pattern",
        "find_pattern",
        "keyword_pattern",
        "in_clause",
        "alternative_pattern",
        "match_pattern",
        "test_pattern",
    ]
)
"""Constructs in which a name by itself is a variable that gets a value."""
WITH_LEFT = {"assignment": "left", "operator_assignment": "left", "for": "pattern"}


def is_variable(root: Any, code: str, name: str, at: int) -> bool:
    """Return whether a name is a local variable at an offset: the code before it gives it a value."""
    visible = None
    for found in re.finditer(rf"(?<![\w@$.]){re.escape(name)}\b", code[:at]):
        node = root.descendant_for_byte_range(found.start(), found.end())
        if node is None or not binds(node):
            continue
        if visible is None:
            visible = scopes_around(root.descendant_for_byte_range(at, at))
        if scope_of(node).id in visible:
            return True
    return False


def binds(node: Any) -> bool:
    """Return whether a node is the name of a variable that gets a value there."""
    parent = node.parent
    if parent is None or node.type not in ("identifier", "hash_key_symbol"):
        return False
    if parent.type in WITH_LEFT:
        return bool(parent.child_by_field_name(WITH_LEFT[parent.type]) == node)
    return parent.type in BINDERS


def scope_of(node: Any) -> Any:
    """Return the construct whose variables the code of a node uses first."""
    while node.type not in SCOPES and node.parent is not None:
        node = node.parent
    return node


def scopes_around(node: Any) -> set[int]:
    """Return the identities of the constructs whose variables are visible at a node."""
    found = set()
    while True:
        scope = scope_of(node)
        found.add(scope.id)
        if scope.type in CLOSED or scope.parent is None:
            return found
        node = scope.parent
