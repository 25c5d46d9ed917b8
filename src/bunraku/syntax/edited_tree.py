"""The syntax tree of a manifest after an edit: only the statements around the edit are parsed again.

The other nodes stay; those behind the edit move. So the earlier tree is of no use afterwards. An edit of anything but
statements in a block, and one that makes or has made mistakes, leaves the tree alone: the whole text is parsed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import chain, islice
from operator import attrgetter

from bunraku.base.lazy_typing import Any, Final
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.syntax.edited_tokens import TokenEdit
from bunraku.syntax.nodes import (
    FIELDS,
    Block,
    Name,
    Node,
    Program,
    children,
    nodes_with_all_below,
)
from bunraku.syntax.parser.parser import grammar_of
from bunraku.syntax.parser.result import ParseResult
from bunraku.syntax.parser.state import Parser, SyntaxFailure
from bunraku.syntax.parser.statements import statement
from bunraku.syntax.rules import SyntaxRules
from bunraku.syntax.tokens import Tokens

LOOKED_AHEAD: Final = 4
"""No rule looks at more tokens behind a statement to find its end."""
LEVELS_OF_A_NODE: Final = 3
"""Most levels of nesting that the parser counts for a node."""
OTHER_PLACES: Final = {
    kind: name
    for kind, names in FIELDS.items()
    for name in ("operator_start", "name_start")
    if name in names
}
"""The third offset in the text of the classes of nodes that have one."""
start_of = attrgetter("start")


@record(eq=False)
class EditedTree:
    """A tree without mistakes, the tokens that it was made of, and all its nodes: each one before those below it."""

    program: Program
    tokens: Tokens
    nodes: list[Node]


@record(eq=False)
class StatementList:
    """The statements of a block, or of a whole manifest, with the nodes around them and the block itself.

    ``opener`` and ``closer`` are the indexes of the tokens before and behind the statements.
    """

    around: list[Node]
    statements: list[Node]
    opener: int
    closer: int


@record(eq=False)
class NewStatements:
    """Statements that replace those of a list from one index to another."""

    first: int
    last: int
    statements: list[Node]


def edited_tree(program: Program, tokens: Tokens) -> EditedTree:
    """Return a tree that edits can change."""
    return EditedTree(program, tokens, nodes_with_all_below([program.body]))


def result_after_edit(
    tree: EditedTree, source: Source, edit: TokenEdit, dialect: SyntaxRules
) -> ParseResult | None:
    """Change a tree to that of a text after an edit; None if all of it must be parsed, then the tree is as before."""
    parser = Parser(source, edit.tokens.with_own_warnings(), dialect, grammar_of(dialect))
    place = list_around(tree, edit)
    if moves_only(tree.tokens, edit):
        body = moved_body(tree, edit)
    elif place is None:
        return None
    else:
        new = new_statements(tree, place, parser, edit)
        if new is None or not stays_a_block(place, new):
            return None
        body = replace_statements(tree, place, new, edit)
    tree.program = Program(source, body, tree.program.definitions, edit.tokens.comment_runs)
    tree.tokens = edit.tokens
    return ParseResult(tree.program, parser.diagnostics())


def moves_only(old: Tokens, edit: TokenEdit) -> bool:
    """Return whether an edit changes no token, and it is clear what is behind it: there were blanks."""
    if edit.kept != edit.later or len(edit.tokens) != len(old):
        return False
    return not edit.kept or old.ends[edit.kept - 1] < old.starts[edit.later]


def moved_body(tree: EditedTree, edit: TokenEdit) -> Node:
    """Move what is behind an edit that changes no token, and return the node of the whole text."""
    if edit.shift:
        for one in tree.nodes:
            stretch(one, tree.tokens.starts[edit.later], edit.shift)
    return tree.program.body


# -- the place -----------------------------------------------------------------------------------


def list_around(tree: EditedTree, edit: TokenEdit) -> StatementList | None:
    """Return the innermost list of statements whose braces an edit leaves alone."""
    tokens, node = tree.tokens, tree.program.body
    found: StatementList | None = None
    if isinstance(node, Block):
        found = StatementList([node], node.statements, -1, len(tokens) - 1)
    if not edit.kept or edit.later == len(tokens):
        return found
    first, last = tokens.starts[edit.kept - 1], tokens.ends[edit.later]
    around = [node]
    while True:
        below = [one for one in children(node) if one.start <= first and last <= one.end]
        if len(below) != 1:
            return found
        node = below[0]
        around.append(node)
        if isinstance(node, Block):
            inner = list_in_braces(node, [*around], tokens)
            if inner is None or inner.opener >= edit.kept or inner.closer < edit.later:
                return found
            found = inner


def list_in_braces(block: Block, around: list[Node], tokens: Tokens) -> StatementList | None:
    """Return the statements of a block; None if tokens do not show its braces."""
    opener = bisect_left(tokens.starts, block.start)
    closer = bisect_left(tokens.starts, block.end - 1)
    if tokens.kinds[opener] != "{" or tokens.kinds[closer] != "}":
        return None
    return StatementList(around, block.statements, opener, closer)


# -- the statements ------------------------------------------------------------------------------


def new_statements(
    tree: EditedTree, place: StatementList, parser: Parser, edit: TokenEdit
) -> NewStatements | None:
    """Parse the statements around an edit; None if they have mistakes or definitions, or end elsewhere."""
    first, begin, last = edited_range(tree.tokens, place, edit)
    count = len(place.statements)
    parser.at, parser.depth = begin, len(place.around) * LEVELS_OF_A_NODE
    added = len(edit.tokens) - len(tree.tokens)
    found: list[Node] = []
    while True:
        stop = added + index_behind(tree.tokens, place, last)
        try:
            while parser.at < stop:
                statement(parser, found)
        except SyntaxFailure as failure:
            failure.forget_frames()
            return None
        if parser.at == stop and not (last < count and takes_arguments(found, parser.dialect)):
            break
        if last == count:
            return None
        last += 1
    if parser.findings or parser.definitions or has_definitions(tree, place, first, last):
        return None
    if len(parser.tokens.warnings) != len(edit.tokens.warnings):
        return None
    return NewStatements(first, last, found)


def edited_range(tokens: Tokens, place: StatementList, edit: TokenEdit) -> tuple[int, int, int]:
    """Return the first statement that an edit can change, the token that it begins with, and the first one behind the edit.

    The token decides where the statement before it ends, so it is not a new one.
    """
    first = -1
    if edit.kept >= LOOKED_AHEAD:
        known = tokens.starts[edit.kept - LOOKED_AHEAD]
        first = bisect_right(place.statements, known, key=start_of) - 1
    last = len(place.statements)
    if edit.later < len(tokens):
        last = bisect_left(place.statements, tokens.starts[edit.later], key=start_of)
    if first <= 0:
        return 0, place.opener + 1, last
    return first, index_behind(tokens, place, first), last


def index_behind(tokens: Tokens, place: StatementList, number: int) -> int:
    """Return the index of the token that a statement begins with; behind the last one, of the end of the list."""
    if number == len(place.statements):
        return place.closer
    return bisect_left(tokens.starts, place.statements[number].start)


def takes_arguments(found: list[Node], dialect: SyntaxRules) -> bool:
    """Return whether the next statement is the arguments of the last one."""
    last = found[-1] if found else None
    return isinstance(last, Name) and last.value in dialect.statement_functions


def has_definitions(tree: EditedTree, place: StatementList, first: int, last: int) -> bool:
    """Return whether statements of a list define something."""
    if first == last:
        return False
    start, end = place.statements[first].start, place.statements[last - 1].end
    return any(start <= one.start < end for one in tree.program.definitions)


def stays_a_block(place: StatementList, new: NewStatements) -> bool:
    """Return whether a block stays one: the parser makes other nodes for none and for single statements."""
    before = len(place.statements)
    after = before - (new.last - new.first) + len(new.statements)
    return after >= 1 and (after == 1) == (before == 1)


# -- the change ----------------------------------------------------------------------------------


def replace_statements(
    tree: EditedTree, place: StatementList, new: NewStatements, edit: TokenEdit
) -> Node:
    """Put statements in the place of others, move what is behind them, and return the node of the whole text.

    A whole manifest begins and ends where its statements do.
    """
    statements, nodes = place.statements, tree.nodes
    old = nodes_with_all_below(statements[new.first : new.last])
    if new.first < len(statements):
        at = position_of(statements[new.first], nodes)
    else:
        at = position_of(statements[-1], nodes) + len(nodes_with_all_below(statements[-1:]))
    move(islice(nodes, at + len(old), None), edit.shift)
    statements[new.first : new.last] = new.statements
    nodes[at : at + len(old)] = nodes_with_all_below(new.statements)
    if place.opener < 0:
        whole = Block(statements[0].start, statements[-1].end, statements)
        nodes[0] = whole
        return whole
    for one in place.around:
        stretch(one, tree.tokens.starts[edit.later], edit.shift)
    return tree.program.body


def position_of(node: Node, nodes: list[Node]) -> int:
    """Return the index of a node in a list of nodes that are mostly in the order of the text."""
    guess = bisect_left(nodes, node.start, key=start_of)
    return next(at for at in chain(range(guess, len(nodes)), range(guess)) if nodes[at] is node)


def move(nodes: Iterable[Any], shift: int) -> None:
    """Move nodes by some characters; their class declares that nothing else changes them."""
    for one in nodes:
        one.start += shift
        one.end += shift
        name = OTHER_PLACES.get(one.__class__)
        if name is not None:
            setattr(one, name, getattr(one, name) + shift)


def stretch(node: Node, behind: int, shift: int) -> None:
    """Move what a node has behind an edit, from an offset on."""
    other = OTHER_PLACES.get(node.__class__)
    for name in ("start", "end") if other is None else ("start", "end", other):
        place: int = getattr(node, name)
        if place >= behind:
            setattr(node, name, place + shift)
