"""Hints about ``$a['x']['y']`` where ``$a['x']`` is undef, and about extensions that a node lacks."""

from __future__ import annotations

from collections.abc import Iterator

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
    if (extension := extension_of(left)) is not None:
        return error.having(hint=no_extension(extension))
    inner = source.text[left.left.start : left.left.end]
    key = source.text[left.left.end : left.end].strip().removeprefix("[").removesuffix("]")
    if inner in FACTS and error.diagnostic.hint is not None:
        return error
    return error.having(hint=f"{inner} has no key {key}, or its value is undef")


def with_missing_extension(error: PuppetError, node: Node) -> PuppetError:
    """Return an error about a class without a name with the trusted extension that was to give it.

    Code that reads other variables, too, keeps its hint.
    """
    diagnostic = error.diagnostic
    is_empty = str(diagnostic.arguments.get("name", "")).endswith("::")
    if diagnostic.code != "CLASS_NAME_UNDEF" and not (
        diagnostic.code == "UNKNOWN_CLASS" and is_empty
    ):
        return error
    below = list(nodes_below(node))
    found = [name for name in map(extension_of, below) if name is not None]
    is_certain = len(found) == 1 == sum(isinstance(one, nodes.Variable) for one in below)
    return error.having(hint=no_extension(found[0])) if is_certain else error


def nodes_below(node: Node) -> Iterator[Node]:
    """Yield a node and all those in it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += nodes.children(one)


def extension_of(node: Node) -> str | None:
    """Return the name in ``$trusted['extensions'][name]``; None for other code."""
    if not isinstance(node, nodes.Access) or len(node.keys) != 1:
        return None
    inner, key = node.left, node.keys[0]
    if not isinstance(inner, nodes.Access) or not isinstance(key, nodes.String | nodes.Name):
        return None
    variable, keys = inner.left, inner.keys
    if not isinstance(variable, nodes.Variable) or variable.name.removeprefix("::") != "trusted":
        return None
    names = [one.value for one in keys if isinstance(one, nodes.String | nodes.Name)]
    return key.value if names == ["extensions"] else None


def no_extension(name: str) -> str:
    """Return the hint that a node has no trusted extension of a name.

    >>> no_extension("pp_role").split(":")[0]
    "the node has no trusted extension 'pp_role'"
    """
    example = f'{{"extensions": {{"{name}": "…"}}}}'
    return f"the node has no trusted extension '{name}': give it with --trusted FILE, as {example}"
