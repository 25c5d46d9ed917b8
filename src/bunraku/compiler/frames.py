"""The frames of functions and lambdas: they decide which Puppet variables are fast locals.

A *body* (main, node, class, define, template) keeps its variables in a scope, for others may look
at them by name. A *function frame* (function, lambda) keeps them as Python locals named ``$x``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import chain

from bunraku.base.records import field, record
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, children

# Functions that look at the caller's variables by name: they get the fast locals handed over.
SEES_SCOPE = frozenset(
    {
        "template",
        "inline_template",
        "epp",
        "inline_epp",
        "getvar",
        "defined",
        "lookup",
        "hiera",
        "hiera_array",
        "hiera_hash",
        "hiera_include",
    }
)

INNER_FRAMES = (
    nodes.Lambda,
    nodes.FunctionDefinition,
    nodes.ClassDefinition,
    nodes.DefineDefinition,
    nodes.NodeDefinition,
    nodes.PlanDefinition,
)


@record(slots=False)
class Frame:
    """One Python function being emitted.

    ``scope_kept`` is true for bodies. ``assigned`` holds the names that the frame's own code may
    assign, ``definite`` those that surely are at this point, ``possible`` those that are on some way
    to it, ``unset_first`` those whose local must start as UNSET. ``awaited`` holds
    the parameters without a value while a default is computed, each with the node for its error.
    ``match`` is the local that holds the captures of the last match. ``constants`` are the names
    around all functions of the unit whose values this one uses.
    """

    outer: Frame | None
    scope_kept: bool
    kind: str
    assigned: frozenset[str] = frozenset()
    definite: set[str] = field(default_factory=set)
    possible: set[str] = field(default_factory=set)
    unset_first: set[str] = field(default_factory=set)
    awaited: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    match: str | None = None
    statements: list[ast.stmt] = field(default_factory=list)
    raises_next: bool = False
    raises_return: bool = False
    constants: list[str] = field(default_factory=list)

    @property
    def is_hot(self) -> bool:
        """Whether the code may run many times, so that longer but faster code pays."""
        return self.kind in ("lambda", "function")

    def local(self, name: str) -> str:
        """Return the Python name of a variable of this frame, distinct from those of outer frames."""
        outer, depth = self.outer, 0
        while outer is not None and not outer.scope_kept:
            if name in outer.assigned:
                depth += 1
            outer = outer.outer
        return f"${name}" if depth == 0 else f"${name}'{depth}"

    def definition(self) -> Frame:
        """Return the frame of the function or body around a lambda; itself for other frames."""
        frame = self
        while frame.kind == "lambda" and frame.outer is not None:
            frame = frame.outer
        return frame


def within_frame(root: Node) -> Iterator[Node]:
    """Yield the nodes below one that run in the same frame, without lambdas and definitions."""
    stack = list(children(root))
    while stack:
        found = stack.pop()
        yield found
        if not isinstance(found, INNER_FRAMES):
            stack.extend(children(found))


def everywhere(root: Node) -> Iterator[Node]:
    """Yield the nodes below one, lambdas included, definitions not."""
    stack = list(children(root))
    while stack:
        found = stack.pop()
        yield found
        if isinstance(found, nodes.Lambda) or not isinstance(found, INNER_FRAMES):
            stack.extend(children(found))


def assigned_names(root: Node) -> frozenset[str]:
    """Return the variables that a frame's own code may assign."""
    names: set[str] = set()
    for found in within_frame(root):
        if isinstance(found, nodes.Assignment):
            names.update(target_names(found.left))
    return frozenset(names)


def target_names(target: Node) -> Iterator[str]:
    """Yield the variables in the left side of an assignment."""
    if isinstance(target, nodes.Variable):
        yield target.name
    elif isinstance(target, nodes.List):
        for item in target.values:
            yield from target_names(item)


def reads_captures(*roots: Node) -> bool:
    """Return whether code can read match variables: by name, or by a function that reads the scope."""
    for found in chain(roots, *map(everywhere, roots)):
        if isinstance(found, nodes.Variable) and found.name.isdigit():
            return True
        if isinstance(found, nodes.Call) and isinstance(found.callee, nodes.Name):
            if found.callee.value in SEES_SCOPE:
                return True
        elif isinstance(found, nodes.MethodCall) and isinstance(found.name, nodes.Name):
            if found.name.value in SEES_SCOPE:
                return True
    return False
