"""Blocks of Ruby as functions, and their parameters."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from bunraku.ruby.translate.names import Frame, Names
from bunraku.ruby.translate.nodes import Block, named, source
from bunraku.ruby.translate.translator import Translator

if TYPE_CHECKING:
    from tree_sitter import Node


ONCE = frozenset({"sort"})
"""Methods that call their block as often as they like: it must do nothing but answer."""


def block_function(ruby: Translator, node: Block, what: str) -> tuple[ast.expr, int]:
    """Return a block as a function that is defined before its statement."""
    patterns = block_parameters(ruby, node)
    before, ruby.names = ruby.names, Names(Frame(ruby.names.frame), ruby.names)
    outputs = ruby.outputs
    ruby.loops.append(False)
    names = bind(ruby, patterns)
    spreads, ruby.spreads = ruby.spreads, []

    body = ruby.inner(lambda: ruby.do_all(body_of(node), ruby.give))
    head = ruby.inner(lambda: block_head(ruby, spreads))
    frame = ruby.names.frame
    ruby.loops.pop()
    if what in ONCE and (ruby.outputs != outputs or frame.outside):
        raise ruby.refuse(node, f"a block of '{what}' that does something")
    ruby.names = before
    identifier = ruby.new_name(":block")
    parameters = ruby.parameters(names)
    outside = sorted(frame.outside)
    ruby.body.append(ruby.function(identifier, parameters, [*head, *body], outside))
    return ruby.name(identifier), len(patterns)


def block_head(ruby: Translator, spreads: list[tuple[str, list[str]]]) -> None:
    """Begin a block: set its variables to nil and unpack parameters in parentheses."""
    ruby.forget(ruby.names)
    for identifier, inner in spreads:
        ruby.spread(inner, ruby.name(identifier))


def block_parameters(ruby: Translator, block: Block) -> list[str | list[str]]:
    """Return the parameters of a block: names, and lists of names for those in parentheses."""
    found = block.child_by_field_name("parameters")
    if found is None:
        return []
    patterns: list[str | list[str]] = []
    for child in named(found):
        if child.type == "identifier":
            patterns.append(source(child))
        elif child.type == "destructured_parameter" and all(
            inner.type == "identifier" for inner in named(child)
        ):
            patterns.append([source(inner) for inner in named(child)])
        else:
            raise ruby.refuse(child, "parameters of this form")
    if len(found.children) > 1 and source(found.children[-2]) == ",":
        patterns.append("_")
    flat = [name for item in patterns for name in (item if isinstance(item, list) else [item])]
    if len(set(flat)) != len(flat):
        raise ruby.refuse(found, "parameters of one name")
    return patterns


def bind(ruby: Translator, patterns: list[str | list[str]]) -> list[str]:
    """Return the Python names of parameters; those in parentheses get theirs at the block's head."""
    made = []
    ruby.spreads = []
    for pattern in patterns:
        if isinstance(pattern, list):
            made.append(ruby.temporary())
            ruby.spreads.append((made[-1], [ruby.parameter(name) for name in pattern]))
        else:
            made.append(ruby.parameter(pattern))
    return made


def body_of(block: Block) -> list[Node]:
    """Return the statements of a block."""
    body = block.child_by_field_name("body")
    return [] if body is None else named(body)
