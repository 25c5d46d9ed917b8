"""Places where tree-sitter reads Ruby code unlike Ruby, and the blanks that make it read them right.

What ``a <<B``, ``a -1``, ``a [1]``, ``a /b/`` and ``a %w(b)`` mean depends on ``a`` in Ruby. After a
local variable or a value the sign is an operator, after the name of a method it begins an argument;
without a blank before it it always is an operator. (``parse.y`` of Ruby: ``IS_SPCARG``,
``heredoc_identifier``, ``lvar_defined``.) The grammar of tree-sitter knows no local variables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any
from bunraku.ruby.syntax.gaps import Correction, enclosed
from bunraku.ruby.syntax.variables import Variables
from bunraku.ruby.syntax.words import CALLS, OPERANDS, RESERVED

SIGNS = lazy_pattern(
    r"""[ \t](?P<spaced>(?:<<|\*\*|[-+*&/%?])(?=[^\s=])|\[|::)"""
    r"""|(?<=\S)(?P<attached><<|%|&(?![&.])|\?(?=['"]))(?=[^\s=])"""
)
"""A sign that is an operator or begins an argument, with or without a blank before it."""
WORD = lazy_pattern(
    r"""(?P<before>(?<![.])&?\.|::?)?(?P<word>[@$]*[A-Za-z_\x80-\xff][\w\x80-\xff]*[?!]?|\d|["'\])}])"""
    r"""(?P<blank>[ \t]*)\Z"""
)
"""A word or the end of a value at the end of a text."""
LONGEST = 200
"""The longest word before a sign, with its blanks."""
JUMPS = lazy_pattern(r"(?:return|break|next)\[")
SYMBOLS = lazy_pattern(r":[A-Za-z_\x80-\xff][\w\x80-\xff]*=(?=[=~])")
"""The name of a method that assigns, before a sign with which Ruby does not read one."""
NEGATIONS = lazy_pattern(r"not[ \t]+\(")
COMMANDS = lazy_pattern(r"end\b(?=\s*(?:&?\.|::)\s*\w)")
FOLLOWED = frozenset({"call", "element_reference", "binary", "conditional", "range"})
"""Constructs that may begin with what is negated."""
VALUES = OPERANDS | {"__FILE__", "__LINE__", "__ENCODING__"}
KEYWORDS = (RESERVED | {"defined?"}) - OPERANDS - CALLS
LEAVES = {"heredoc_beginning": "<<", "character": "?"}
"""Leaves that begin an argument, with their first sign."""
HOLDERS = frozenset(
    [
        "unary",
        "splat_argument",
        "hash_splat_argument",
        "block_argument",
        "regex",
        "string",
        "string_array",
        "symbol_array",
        "subshell",
        "delimited_symbol",
        "array",
        "scope_resolution",
    ]
)
"""Constructs of several nodes that begin with a sign."""
ENDS = frozenset(
    [
        "argument_list",
        "parenthesized_statements",
        "array",
        "element_reference",
        "hash",
        "block",
        "string",
        "string_array",
        "symbol_array",
        "regex",
        "subshell",
        "delimited_symbol",
    ]
)
"""Constructs that end with a sign, after which no argument can begin."""


def symbols(root: Any, code: str) -> Iterator[Correction]:
    """Yield the changes for ``:name==1``, in which the first sign is not part of the symbol."""
    for found in SYMBOLS.finditer(code):
        node = root.descendant_for_byte_range(found.start(), found.end())
        if node is not None and node.type == "simple_symbol" and node.end_byte == found.end():
            yield ((found.end() - 1, found.end() - 1, b" "),)


def signs(root: Any, code: str) -> Iterator[Correction]:
    """Yield the changes for signs that tree-sitter takes for the other of their two meanings."""
    variables = Variables(root)
    for found in SIGNS.finditer(code):
        sign = found["spaced"] or found["attached"]
        at = found.end() - len(sign)
        node = root.descendant_for_byte_range(at, at + len(sign))
        if node is None or node.start_byte != at:
            continue
        is_argument = begins_argument(node, sign, at)
        word = WORD.search(code[max(0, at - LONGEST) : at]) if is_argument or sign == "+" else None
        if word is None:
            continue
        if is_argument:
            if is_operator(variables, word, at):
                yield as_operator(sign, at - len(word["blank"]), at)
        elif is_sum(node, at - len(word["blank"])) and not is_operator(variables, word, at):
            yield ((at, at + 1, b" "),)


def jumps(root: Any, code: str) -> Iterator[Correction]:
    """Yield the changes for ``return[a]``, which returns an array."""
    for found in JUMPS.finditer(code):
        node = root.descendant_for_byte_range(found.end() - 1, found.end())
        if node.type == "[" and node.parent is not None and node.parent.type == "element_reference":
            yield ((found.end() - 1, found.end() - 1, b" "),)


def begins_argument(node: Any, sign: str, at: int) -> bool:
    """Return whether a sign begins a value in the tree, and joins no two values."""
    if node.type in LEAVES:
        return sign == LEAVES[node.type]
    holder = node if node.is_named else node.parent
    if node.type == "ERROR" or (holder is not None and holder.type == "ERROR"):
        return True
    return holder is not None and holder.start_byte == at and holder.type in HOLDERS


def is_sum(node: Any, end: int) -> bool:
    """Return whether a plus sign adds something to what ends at an offset, without brackets there."""
    parent = node.parent
    if node.type != "+" or parent is None or parent.type != "binary":
        return False
    left = parent.child_by_field_name("left")
    return (
        left is not None
        and left.end_byte == end
        and left.type in ("identifier", "call", "super", "yield")
    )


def is_operator(variables: Variables, found: re.Match[str], at: int) -> bool:
    """Return whether a sign at an offset, after a word, is an operator in Ruby."""
    before, word, blank = found["before"], found["word"], found["blank"]
    if word in "\"')]}":
        return ends_value(variables.root, at - len(blank) - 1)
    if before in (".", "&."):
        return not blank
    if word in KEYWORDS and before is None:
        return False
    if not blank:
        return True
    if not (word[0].isalpha() or word[0] == "_") or word in VALUES or before == ":":
        return True
    return before is None and variables.knows(word, at)


def ends_value(root: Any, at: int) -> bool:
    """Return whether the closing sign at an offset ends a value."""
    node = root.descendant_for_byte_range(at, at + 1)
    holder = node.parent
    return holder is not None and holder.type in ENDS and node.end_byte == holder.end_byte


def negations(root: Any, code: str) -> Iterator[Correction]:
    """Yield the changes for ``not (a).b``: all that follows is negated."""
    for found in NEGATIONS.finditer(code):
        node = root.descendant_for_byte_range(found.start(), found.start() + 3)
        negation = node.parent
        if node.type != "not" or negation is None or negation.type != "unary":
            continue
        operand, around = negation.child_by_field_name("operand"), negation.parent
        if operand is None or around is None or around.start_byte != negation.start_byte:
            continue
        if operand.type == "parenthesized_statements" and around.type in FOLLOWED:
            yield enclosed(operand, b"begin ", b" end")


def commands(root: Any, code: str) -> Iterator[Correction]:
    """Yield the changes for ``a b do … end.c(1).d``, where ``c`` is called on what ``a b`` returns."""
    for found in COMMANDS.finditer(code):
        block = root.descendant_for_byte_range(found.start(), found.end()).parent
        called = None if block is None or block.type != "do_block" else block.parent
        if called is None or called.type != "call":
            continue
        arguments = called.child_by_field_name("arguments")
        if arguments is not None and not arguments.text.startswith(b"("):
            yield enclosed(called, b"(", b")")


def as_operator(sign: str, blank: int, at: int) -> Correction:
    """Return the change after which a sign is an operator: the blank before it stands after it."""
    end = at + len(sign)
    if blank == at or sign == "?":
        return ((end, end, b" "),)
    return ((blank, end, f"{sign}{' ' * (at - blank)}".encode()),)


MISREADINGS = (signs, symbols, jumps, negations, commands)
"""Functions that yield corrections for a syntax tree and its text."""
