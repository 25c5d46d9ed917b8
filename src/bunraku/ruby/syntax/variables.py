"""Local variables in a syntax tree of Ruby: which names Ruby's parser knows as variables at a place."""

from __future__ import annotations

from functools import cache, cached_property

from bunraku.base.lazy_typing import Any
from bunraku.ruby.syntax.grammar import ruby_language, tree_sitter

CLOSED = frozenset({"method", "singleton_method", "class", "module", "singleton_class", "program"})
"""Constructs whose code sees no local variables of the code around them."""
SCOPES = CLOSED | {"block", "do_block", "lambda"}
LISTS = [
    "method_parameters",
    "block_parameters",
    "lambda_parameters",
    "destructured_parameter",
    "left_assignment_list",
    "destructured_left_assignment",
    "rest_assignment",
    "exception_variable",
    "array_pattern",
    "find_pattern",
]
"""Constructs in which a name by itself is a variable that gets a value."""
NAMED = [
    "optional_parameter",
    "keyword_parameter",
    "splat_parameter",
    "hash_splat_parameter",
    "block_parameter",
    "as_pattern",
]
"""Constructs whose part ``name`` is such a variable."""
PARTS = {
    "assignment": "left",
    "operator_assignment": "left",
    "for": "pattern",
    "keyword_pattern": "value",
    "in_clause": "pattern",
    "match_pattern": "pattern",
    "test_pattern": "pattern",
    **dict.fromkeys(NAMED, "name"),
}
QUERY = "".join(
    [
        *(f"({kind} (identifier) @variable)" for kind in LISTS),
        *(f"({kind} {part}: (identifier) @variable)" for kind, part in PARTS.items()),
        "(keyword_pattern key: (hash_key_symbol) @variable !value)",
    ]
)
"""The names that get a value."""


@cache
def query() -> Any:
    """Return the query for names that get a value."""
    return tree_sitter().Query(ruby_language(), QUERY)


class Variables:
    """The local variables of a syntax tree."""

    def __init__(self, root: Any) -> None:
        self.root = root

    @cached_property
    def first(self) -> dict[tuple[int, bytes], int]:
        """Where each variable first gets a value, by the identity of its scope and its name."""
        found: dict[tuple[int, bytes], int] = {}
        nodes: list[Any] = (
            tree_sitter().QueryCursor(query()).captures(self.root).get("variable", [])
        )
        for node in nodes:
            key = scope_of(node).id, node.text
            found[key] = min(found.get(key, node.start_byte), node.start_byte)
        return found

    def knows(self, name: str, at: int) -> bool:
        """Return whether a name is a local variable at an offset: the code before it gives it a value."""
        encoded = name.encode("latin-1")
        scope = scope_of(self.root.descendant_for_byte_range(at, at))
        while self.first.get((scope.id, encoded), at) >= at:
            if scope.type in CLOSED or scope.parent is None:
                return False
            scope = scope_of(scope.parent)
        return True


def scope_of(node: Any) -> Any:
    """Return the construct whose variables the code of a node uses first."""
    while node.type not in SCOPES and node.parent is not None:
        node = node.parent
    return node
