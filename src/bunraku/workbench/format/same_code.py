"""Whether two texts are the same code: tokens, comments, heredocs, and the tree."""

from __future__ import annotations

from bunraku.base.bounded_cache import remembered
from bunraku.syntax.nodes import FIELDS, Node, Program
from bunraku.syntax.tokens import Tokens, comments_in

PLACES = frozenset({"start", "end", "operator_start", "name_start"})
SAME = {"LISTSTART": "[", "WSLPAREN": "("}
WITHOUT_VALUE = frozenset({"LISTSTART", "WSLPAREN", "[", "(", "RENDER"})
"""Kinds whose value is their text, or an offset."""
CLOSERS = frozenset({"}", "]", ")"})


def same_tokens(old: Tokens, new: Tokens) -> bool:
    """Return whether the tokens are the same but for commas before closing brackets."""
    return code_of(old) == code_of(new)


def code_of(tokens: Tokens) -> list[tuple[str, object]]:
    """Return kinds and values, without commas before closing brackets."""
    kinds = tokens.kinds
    return [
        (SAME.get(kind, kind), None if kind in WITHOUT_VALUE else value)
        for kind, after, value in zip(kinds, [*kinds[1:], ""], tokens.values, strict=True)
        if kind != "," or after not in CLOSERS
    ]


def comments_of(text: str, tokens: Tokens) -> list[str]:
    """Return the comments, and the texts of heredocs as written."""
    comments = comments_in(sorted(tokens.comment_runs), text)
    found = [text[start:end].removesuffix("\r") for start, end in comments]
    return found + [text[start:end].rstrip("\r\n") for start, end in sorted(tokens.heredocs)]


def same_tree(old: Program, new: Program) -> bool:
    """Return whether two trees differ only in places."""
    pairs: list[tuple[object, object]] = [(old.body, new.body)]
    while pairs:
        one, other = pairs.pop()
        kind = one.__class__
        if kind is not other.__class__:
            return False
        if isinstance(one, Node):
            pairs += [(getattr(one, name), getattr(other, name)) for name in fields_of(kind)]
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pairs += zip(one, other, strict=True)
        elif one != other:
            return False
    return True


@remembered(500)
def fields_of(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a class of nodes, without places."""
    return tuple(name for name in FIELDS[kind] if name not in PLACES)
