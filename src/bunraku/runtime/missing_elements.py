"""Hints about ``$a['x']['y']`` where ``$a['x']`` is undef."""

from __future__ import annotations

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node

NO_FACTS = "the node has no facts: give some, for example with --facts FILE"
FACTS = ("$facts", "facts")
"""The variable of the facts, as code and as strings write it."""


def with_missing_element(error: PuppetError, node: Node, source: Source) -> PuppetError:
    """Return an error with the name of the expression that is undef before brackets.

    An error has the hint that the node lacks facts; it stays where the brackets are behind a fact.
    """
    arguments = error.diagnostic.arguments
    is_undef = (arguments.get("operator"), arguments.get("left")) == ("[]", "an Undef Value")
    if not is_undef or not isinstance(node, nodes.Access):
        return error
    left = node.left
    written = source.text[left.start : left.end]
    if not isinstance(left, nodes.Access):
        return error.having(hint=f"{written} is undef")
    inner = source.text[left.left.start : left.left.end]
    key = source.text[left.left.end : left.end].strip().removeprefix("[").removesuffix("]")
    if inner in FACTS and error.diagnostic.hint is not None:
        return error
    return error.having(hint=f"{inner} has no key {key}, or its value is undef")
