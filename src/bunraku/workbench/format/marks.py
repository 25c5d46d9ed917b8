"""What the syntax tree says about tokens that look alike, by offset."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.lazy_typing import Any
from bunraku.base.records import field, record
from bunraku.syntax import nodes
from bunraku.syntax.nodes import CHILD_VALUES, LEAVES, Node, Program
from bunraku.workbench.format.pieces import ATTRIBUTES, CASES, RESOURCE


@record()
class Marks:
    """The places at which hashes, parenthesized expressions, signs and statements begin.

    ``heads`` has the end of each expression behind which a brace follows → the role of the brace.
    """

    hashes: set[int] = field(default_factory=set)
    groups: set[int] = field(default_factory=set)
    signs: set[int] = field(default_factory=set)
    statements: set[int] = field(default_factory=set)
    heads: dict[int, str] = field(default_factory=dict)


def marks_of(program: Program) -> Marks:
    """Return the marks of a syntax tree."""
    marks = Marks()
    mark_body(marks, program.body)
    every: list[Node] = [program.body]
    while every:
        node = every.pop()
        kind = node.__class__
        if kind in MARKERS:
            MARKERS[kind](marks, node)
        for value in CHILD_VALUES[kind](node):
            if value.__class__ is list:
                every += value
            elif value is not None and (value.__class__ not in LEAVES):
                every.append(value)
    return marks


def mark_block(marks: Marks, node: nodes.Block) -> None:
    """Mark the statements of a block."""
    marks.statements.update([one.start for one in node.statements])


def mark_body(marks: Marks, body: Node) -> None:
    """Mark the only statement of a body; blocks are visited later."""
    if body.__class__ is not nodes.Block:
        marks.statements.add(body.start)


def mark_branches(marks: Marks, node: nodes.If | nodes.Unless) -> None:
    """Mark the only statements of both branches; the second may be an ``elsif``."""
    mark_body(marks, node.then)
    mark_body(marks, node.otherwise)


def mark_case(marks: Marks, node: nodes.Case) -> None:
    """Mark the brace of the options, and the only statements of options."""
    marks.heads[node.test.end] = CASES
    for option in node.options:
        mark_body(marks, option.then)


def mark_hash(marks: Marks, node: nodes.Hash) -> None:
    """Mark a hash with braces."""
    if node.braces:
        marks.hashes.add(node.start)


def mark_collector(marks: Marks, node: nodes.Collector) -> None:
    """Mark the brace behind a query."""
    marks.heads[node.query.end] = ATTRIBUTES


MARKERS: dict[type, Callable[[Marks, Any], None]] = {
    nodes.Block: mark_block,
    nodes.If: mark_branches,
    nodes.Unless: mark_branches,
    nodes.Case: mark_case,
    nodes.Hash: mark_hash,
    nodes.Collector: mark_collector,
    nodes.Lambda: lambda marks, node: mark_body(marks, node.body),
    nodes.Apply: lambda marks, node: mark_body(marks, node.body),
    nodes.Parenthesized: lambda marks, node: marks.groups.add(node.start),
    nodes.UnaryMinus: lambda marks, node: marks.signs.add(node.start),
    nodes.Unfold: lambda marks, node: marks.signs.add(node.start),
    nodes.Resource: lambda marks, node: marks.heads.update({node.type_name.end: RESOURCE}),
    nodes.ResourceDefaults: lambda marks, node: marks.heads.update(
        {node.type_reference.end: ATTRIBUTES}
    ),
    nodes.ResourceOverride: lambda marks, node: marks.heads.update(
        {node.resources.end: ATTRIBUTES}
    ),
}
"""The class of a node → what marks its places."""
