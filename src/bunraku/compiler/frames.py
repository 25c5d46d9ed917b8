"""The frames of functions and lambdas: they decide which Puppet variables are fast locals.

A *body* (main, node, class, define, template) keeps its variables in a scope, for others may look
at them by name. A *function frame* (function, lambda) keeps them as Python locals named ``$x``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

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

MATCH_VARIABLE = re.compile(r"\$\{?\s*[0-9]")
SHORTEST = sorted(name for name in SEES_SCOPE if sum(other in name for other in SEES_SCOPE) == 1)
"""The names that have no other one in them: searching them finds all."""

DEFINITIONS = (
    nodes.FunctionDefinition,
    nodes.ClassDefinition,
    nodes.DefineDefinition,
    nodes.NodeDefinition,
    nodes.PlanDefinition,
)
INNER_FRAMES = (nodes.Lambda, *DEFINITIONS)
READERS = frozenset([nodes.Variable, nodes.Call, nodes.MethodCall])
"""The nodes that :func:`is_reader` may accept."""


@record(slots=False)
class Frame:
    """One Python function being emitted.

    ``scope_kept`` is true for bodies. ``assigned`` holds the names that the frame's own code may
    assign, ``definite`` those that surely are at this point, ``possible`` those that are on some way
    to it, ``unset_first`` those whose local must start as UNSET. ``awaited`` holds
    the parameters without a value while a default is computed, each with the node for its error.
    ``given`` are the variables that surely have a value when a body starts.
    ``match`` is the local that holds the captures of the last match. ``constants`` are the names
    around all functions of the unit whose values this one uses. ``checks_result`` is true for functions
    with a declared type, which ``return`` does not check: they return its signal.
    """

    outer: Frame | None
    scope_kept: bool
    kind: str
    assigned: frozenset[str] = frozenset()
    definite: set[str] = field(default_factory=set)
    possible: set[str] = field(default_factory=set)
    unset_first: set[str] = field(default_factory=set)
    awaited: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    given: frozenset[str] = frozenset()
    match: str | None = None
    statements: list[ast.stmt] = field(default_factory=list)
    raises_next: bool = False
    raises_return: bool = False
    checks_result: bool = False
    constants: list[str] = field(default_factory=list)

    @property
    def is_hot(self) -> bool:
        """Whether the code may run many times, so longer but faster code pays."""
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


def reads_captures(root: Node) -> bool:
    """Return whether code can read match variables: by name, or by a function that reads the scope."""
    return is_reader(root) or any(map(is_reader, everywhere(root)))


def is_reader(node: Node) -> bool:
    """Return whether a node itself reads match variables, or the variables of its scope."""
    if isinstance(node, nodes.Variable):
        return node.name.isdigit()
    if isinstance(node, nodes.Call):
        return isinstance(node.callee, nodes.Name) and node.callee.value in SEES_SCOPE
    if isinstance(node, nodes.MethodCall):
        return isinstance(node.name, nodes.Name) and node.name.value in SEES_SCOPE
    return False


class Readers:
    """The nodes of a program that hold code which can read match variables, found in one walk.

    Most programs have no such code, which their text shows.

    >>> from bunraku.base.source import Source
    >>> from bunraku.syntax.parser.parser import parse
    >>> program = parse(Source("if $x =~ /a(.)/ { notice($1) } else { notice(2) }")).program
    >>> readers = Readers(program)
    >>> readers.are_below(program.body.then), readers.are_below(program.body.otherwise)
    (True, False)
    """

    def __init__(self, program: nodes.Program) -> None:
        self.body = program.body
        self.possible = may_read(program.source.text)
        self.known: dict[int, bool] = {}

    def are_below(self, root: Node) -> bool:
        """Return what :func:`reads_captures` does, of nodes of the program from the walk."""
        if not self.possible:
            return False
        if not self.known:
            self.known = known_readers(self.body)
        found = self.known.get(id(root))
        return reads_captures(root) if found is None else found


def may_read(text: str) -> bool:
    """Return whether a text has a match variable, or a function that reads the scope."""
    return MATCH_VARIABLE.search(text) is not None or any(name in text for name in SHORTEST)


def known_readers(body: Node) -> dict[int, bool]:
    """Return for each node, by its identity, whether it or code below it reads match variables.

    A definition does not count for the code around it.
    """
    every, above = [body], [0]
    for at, node in enumerate(every):  # which grows meanwhile
        for value in nodes.CHILD_VALUES[node.__class__](node):
            if value.__class__ is list:
                every += value
                above += [at] * len(value)
            elif value is not None:
                every.append(value)
                above.append(at)
    reads = [node.__class__ in READERS and is_reader(node) for node in every]
    for at in range(len(every) - 1, 0, -1):
        if reads[at] and every[at].__class__ not in DEFINITIONS:
            reads[above[at]] = True
    return dict(zip(map(id, every), reads, strict=True))
