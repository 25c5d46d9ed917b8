"""Refactorings: document parameters, extract a variable, extract a class."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise

from bunraku.base.source import Source
from bunraku.base.text_edits import Edit, edited
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.workbench.docs.manifests import thing_of
from bunraku.workbench.editor.code_actions.action import CodeAction, EditedRange
from bunraku.workbench.editor.mentions import Mention, canonical
from bunraku.workbench.editor.parsed import ParsedFile
from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.rename import definition_file
from bunraku.workbench.editor.snapshot import Snapshot

DOCUMENTED = (
    nodes.ClassDefinition,
    nodes.DefineDefinition,
    nodes.FunctionDefinition,
    nodes.PlanDefinition,
)
EXPRESSIONS = (
    nodes.Access,
    nodes.Arithmetic,
    nodes.Call,
    nodes.Comparison,
    nodes.Concatenation,
    nodes.Hash,
    nodes.List,
    nodes.MethodCall,
    nodes.Selector,
    nodes.String,
)
NEW_NAME = "extracted"


def documentation(snapshot: Snapshot, wanted: EditedRange) -> Iterator[CodeAction]:
    """Yield the addition of comments for the parameters around a cursor that have none."""
    parsed = snapshot.parsed(wanted.path)
    around = [] if parsed is None else parsed.path_to(wanted.range.start)
    for node in reversed(around):
        if isinstance(node, DOCUMENTED) and parsed is not None:
            thing = thing_of(node, parsed.source, wanted.path)
            if thing is None:
                return
            written = thing.comment.written
            known = {tag.subject for tag in written if tag.name == "param"}
            missing = [one.name for one in node.parameters if one.name not in known]
            has_summary = any(tag.name == "summary" for tag in written)
            if missing or not has_summary:
                edit = comment_edit(parsed.source, node, missing, has_summary=has_summary)
                yield CodeAction("Add documentation", "refactor.rewrite", {wanted.path: [edit]})
            return


def comment_edit(source: Source, node: Node, missing: list[str], *, has_summary: bool) -> Edit:
    """Return the edit that adds lines to the comment above a definition."""
    start = source.line_starts[source.line(node.start) - 1]
    indent = source.text[start : node.start]
    lines = [] if has_summary else ["@summary Describe it here"]
    for name in missing:
        lines += ["", f"@param {name}", "  Describe it here"]
    return Edit(start, start, "".join(f"{indent}# {line}".rstrip() + "\n" for line in lines))


# -- a variable --------------------------------------------------------------------------------------


def extracted_variable(snapshot: Snapshot, wanted: EditedRange) -> Iterator[CodeAction]:
    """Yield the assignment of the selected expression to a new variable before its statement."""
    parsed = snapshot.parsed(wanted.path)
    piece = wanted.range
    if parsed is None or piece.start == piece.end or parsed.source.is_template:
        return
    around = parsed.path_to(piece.start)
    chosen = next((one for one in around if (one.start, one.end) == (piece.start, piece.end)), None)
    if not isinstance(chosen, EXPRESSIONS) or not can_move(around, chosen):
        return
    statement = statement_around(around, chosen)
    if statement is None:
        return
    text = parsed.source.text
    name = free_name(snapshot, wanted.path)
    start = parsed.source.line_starts[parsed.source.line(statement.start) - 1]
    indent = text[start : statement.start]
    if indent.strip():
        return
    edits = [
        Edit(
            statement.start, statement.start, f"${name} = {text[piece.start : piece.end]}\n{indent}"
        ),
        Edit(piece.start, piece.end, f"${name}"),
    ]
    yield CodeAction("Extract to a variable", "refactor.extract", {wanted.path: edits})


def can_move(around: list[Node], chosen: Node) -> bool:
    """Return whether the code of a node means the same in another place.

    Pieces of a string, the beginning of an interpolation (``${facts['os']}``) and heredocs do not.
    """
    for outer, inner in pairwise(around):
        if isinstance(outer, nodes.Concatenation) and isinstance(inner, nodes.String):
            return False
        if isinstance(outer, nodes.Interpolation) and inner.start == chosen.start:
            return False
    return not has_heredoc(chosen) and not any(isinstance(one, nodes.Heredoc) for one in around)


def has_heredoc(node: Node) -> bool:
    """Return whether code has a heredoc: its text is not behind ``@(``, but below."""
    return isinstance(node, nodes.Heredoc) or any(map(has_heredoc, nodes.children(node)))


def statement_around(around: list[Node], chosen: Node) -> Node | None:
    """Return the statement of a block that has a node; None where no statement can stand before it."""
    found: Node | None = None
    for outer, inner in pairwise(around):
        if isinstance(outer, nodes.Parameter | nodes.Lambda) and not isinstance(inner, nodes.Block):
            found = None
        if isinstance(outer, nodes.Block):
            found = inner
        elif isinstance(outer, nodes.ClassDefinition | nodes.DefineDefinition):
            found = inner if inner is outer.body and not isinstance(inner, nodes.Block) else None
        if inner is chosen:
            break
    return None if found is chosen else found


def free_name(snapshot: Snapshot, path: str) -> str:
    """Return a name that no variable in a file has."""
    used = {one.symbol.name for one in snapshot.mentions(path) if one.symbol.kind == "variable"}
    names = (
        NEW_NAME if number == 1 else f"{NEW_NAME}_{number}" for number in range(1, len(used) + 2)
    )
    return next(name for name in names if name not in used)


# -- a class -----------------------------------------------------------------------------------------


def extracted_class(snapshot: Snapshot, wanted: EditedRange) -> Iterator[CodeAction]:
    """Yield the move of the selected statements to a class of their own, which this class contains.

    Variables of the class are read by their full names there. Statements that set variables for the rest of the
    class, statements with heredocs, and those in lambdas or conditions stay.
    """
    parsed = snapshot.parsed(wanted.path)
    if parsed is None or wanted.range.start == wanted.range.end:
        return
    definition = class_around(parsed, wanted.range)
    if definition is None:
        return
    body = definition.body
    statements = body.statements if isinstance(body, nodes.Block) else [body]
    inside = [one for one in statements if covers_node(wanted.range, one)]
    touched = [one for one in statements if overlaps(wanted.range, one)]
    if not inside or inside != touched or any(map(cannot_stand_alone, inside)):
        return
    piece = TextRange(inside[0].start, inside[-1].end)
    owner = canonical(definition.name)
    name = f"{owner}::{NEW_NAME}"
    root = snapshot.project_of(wanted.path).modules.get(owner.partition("::")[0])
    target = f"{root}{definition_file(name, 'manifests')}"
    edits = qualified(snapshot, wanted.path, owner, piece)
    if root is None or edits is None or os.path.exists(target):
        return
    text = parsed.source.text
    moved = edited(text, edits)[
        piece.start : piece.end + sum(len(one.text) - (one.end - one.start) for one in edits)
    ]
    start = parsed.source.line_starts[parsed.source.line(piece.start) - 1]
    indent = text[start : piece.start]
    created = (
        f"# @summary Describe it here\n#\n# @api private\nclass {name} {{\n{indent}{moved}\n}}\n"
    )
    replacement = Edit(piece.start, piece.end, f"contain {name}")
    yield CodeAction(
        "Extract to a class", "refactor.extract", {wanted.path: [replacement]}, {target: created}
    )


def cannot_stand_alone(node: Node) -> bool:
    """Return whether a statement cannot be moved to another file: the empty body of a class, or one with a heredoc."""
    return isinstance(node, nodes.Nop) or has_heredoc(node)


def class_around(parsed: ParsedFile, piece: TextRange) -> nodes.ClassDefinition | None:
    """Return the innermost class around a piece."""
    around = [one for one in parsed.path_to(piece.start) if isinstance(one, nodes.ClassDefinition)]
    return around[-1] if around and around[-1].end >= piece.end else None


def covers_node(piece: TextRange, node: Node) -> bool:
    """Return whether a piece has a node as a whole."""
    return piece.start <= node.start and node.end <= piece.end


def overlaps(piece: TextRange, node: Node) -> bool:
    """Return whether a piece has a part of a node."""
    return node.start < piece.end and piece.start < node.end


def qualified(snapshot: Snapshot, path: str, owner: str, piece: TextRange) -> list[Edit] | None:
    """Return the edits that qualify the variables of a class in a piece; None if it sets some that others read."""
    mentions = [one for one in snapshot.mentions(path) if is_variable_of(one, owner)]
    inside = [one for one in mentions if piece.start <= one.range.start < piece.end]
    own = {one.symbol.name for one in inside if one.role != "use"}
    if any(one.symbol.name in own for one in mentions if one not in inside):
        return None
    source = snapshot.source(path)
    return [
        Edit(one.range.start, one.range.end, f"{owner}::{one.symbol.name}")
        for one in inside
        if one.symbol.name not in own and one.settled and source is not None
        if "::" not in source.text[one.range.start : one.range.end]
    ]


def is_variable_of(one: Mention, owner: str) -> bool:
    """Return whether a mention is that of a variable of a class."""
    return one.symbol.kind == "variable" and one.symbol.owner == owner
