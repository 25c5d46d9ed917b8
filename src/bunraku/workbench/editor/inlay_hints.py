"""Hints between the code: the types of variables that get their values from other code."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, Program, children
from bunraku.types.text.display import display
from bunraku.workbench.analysis.analyse import NO_PROGRAM
from bunraku.workbench.analysis.declared_types import UNKNOWN
from bunraku.workbench.analysis.definitions import Definitions
from bunraku.workbench.analysis.inference import inference_of
from bunraku.workbench.analysis.state import Analysis
from bunraku.workbench.editor.mentions import OWN_SCOPES, targets
from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.snapshot import Snapshot

LITERALS = (
    nodes.String,
    nodes.Integer,
    nodes.Float,
    nodes.Boolean,
    nodes.Undef,
    nodes.Concatenation,
    nodes.Regexp,
)
"""Values whose type can be seen."""
LONGEST = 60


@record(frozen=True)
class InlayHint:
    """Text to show behind an offset."""

    offset: int
    text: str


def inlay_hints(snapshot: Snapshot, path: str, piece: TextRange) -> list[InlayHint]:
    """Return the hints in a piece of a manifest."""
    parsed = snapshot.parsed(path)
    project = snapshot.project_of(path)
    if parsed is None or parsed.has_errors or project.resolved is None:
        return []
    definitions = Definitions(project.resolved, [parsed.program])
    analysis = Analysis(definitions, NO_PROGRAM, {})
    found: list[InlayHint] = []
    for body in bodies_of(parsed.program):
        try:
            found += type_hints(analysis, body)
        except PuppetError:
            continue  # a module cannot be read, which a finding says
    return sorted(
        (one for one in found if piece.start <= one.offset <= piece.end), key=lambda one: one.offset
    )


def bodies_of(program: Program) -> Iterator[Node]:
    """Yield the code that has a scope of its own: the definitions, and the rest of the program."""
    if not any(program.body is one for one in program.definitions):
        yield program.body
    yield from program.definitions


def type_hints(analysis: Analysis, body: Node) -> Iterator[InlayHint]:
    """Yield the types of the variables that the code of a body sets, as far as they are known."""
    inference = inference_of(analysis.declared, analysis.functions, body, analysis.classes)
    for one in assignments_in(getattr(body, "body", body)):
        variables = list(targets(one.left))
        if (
            len(variables) != 1
            or isinstance(one.right, LITERALS)
            or isinstance(one.left, nodes.List)
        ):
            continue
        type_ = inference.of(one.right)
        text = display(type_)
        if type_ != UNKNOWN and len(text) <= LONGEST:
            yield InlayHint(variables[0].end, f": {text}")


def assignments_in(node: Node) -> Iterator[nodes.Assignment]:
    """Yield the assignments of a scope, not those of scopes inside of it."""
    if isinstance(node, nodes.Assignment):
        yield node
    if node.__class__ not in OWN_SCOPES:
        for child in children(node):
            yield from assignments_in(child)
