"""Facts about the syntax trees of Ruby files: the tree that bunraku reads beside that of Ruby.

``syntax.rb`` writes the same facts from Ruby's own parser. A fact is a line of text: the kind of a
construct, and the places (line and column in bytes) of the first and the last word within it.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bunraku.ruby.syntax.encoding import source_text
from bunraku.ruby.syntax.tree import mistake_line, parse_ruby

DRIVER = Path(__file__).with_name("syntax.rb")
LEAVES = frozenset(
    [
        "identifier",
        "constant",
        "instance_variable",
        "class_variable",
        "global_variable",
        "integer",
        "float",
        "rational",
        "complex",
        "nil",
        "true",
        "false",
        "self",
        "hash_key_symbol",
        "character",
        "simple_symbol",
    ]
)
KINDS = {
    "conditional": "conditional",
    "if_modifier": "if_mod",
    "unless_modifier": "unless_mod",
    "while_modifier": "while_mod",
    "until_modifier": "until_mod",
    "rescue_modifier": "rescue_mod",
    "if": "if",
    "unless": "unless",
    "while": "while",
    "until": "until",
    "case": "case",
    "case_match": "case",
    "for": "for",
    "match_pattern": "match",
    "test_pattern": "match",
    "assignment": "assign",
    "class": "class",
    "module": "module",
    "singleton_class": "sclass",
    "lambda": "lambda",
    "array": "array",
    "string_array": "array",
    "symbol_array": "array",
    "element_reference": "element",
    "range": "range",
    "regex": "regexp",
    "subshell": "command",
}
Place = tuple[int, int]


def ruby_facts(paths: Iterable[str], facts: bool = True) -> Iterator[dict[str, Any]]:
    """Yield what Ruby's parser finds in each file: ``path``, ``mistake`` (or None), ``facts``."""
    command = ["ruby", "--disable=gems", str(DRIVER), *(["facts"] if facts else [])]
    with tempfile.TemporaryFile() as asked:
        asked.write("".join(f"{path}\n" for path in paths).encode())
        asked.seek(0)
        with subprocess.Popen(command, stdin=asked, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            yield from map(json.loads, process.stdout)
    if process.returncode:
        raise RuntimeError(f"{DRIVER} ended with {process.returncode}")


def without_blanks(facts: Iterable[str], source: bytes) -> list[str]:
    """Return facts whose columns count no blanks: corrections of a text move only blanks."""
    lines = source.split(b"\n")

    def moved(found: re.Match[str]) -> str:
        before = lines[int(found[1]) - 1][: int(found[2])] if int(found[1]) <= len(lines) else b""
        count = len(re.sub(rb"[ \t+()]", b"", before))
        return f"{found[1]}:{count}"

    return [re.sub(r"(\d+):(\d+)", moved, fact) for fact in facts]


def own_facts(source: bytes) -> list[str]:
    """Return the facts of bunraku's tree of a text."""
    facts = Facts(source.removeprefix(codecs.BOM_UTF8))
    above = b"\n" * facts.root.start_point[0]
    return without_blanks(facts.found, above + facts.root.text)


class Facts:
    """The facts of one syntax tree."""

    def __init__(self, source: bytes) -> None:
        self.root = parse_ruby(source_text(source))
        self.found: list[str] = []
        self.leaves: dict[int, list[Place]] = {}
        self.beginnings: list[Any] = []
        self.visit(self.root)

    def place(self, place: Place | None) -> str:
        """Return a place as the facts write it."""
        return "-" if place is None else f"{place[0]}:{place[1]}"

    def leaf(self, node: Any) -> Place:
        """Return the place of a leaf as Ruby counts it: a symbol's after its colon."""
        row, column = node.start_point
        if node.type == "simple_symbol":
            column += 1
        return row + 1, column

    def leaves_of(self, node: Any) -> list[Place]:
        """Return the places of all words in a node."""
        if node is None:
            return []
        if node.id in self.leaves:
            return self.leaves[node.id]
        if node.type == "heredoc_body" or (
            node.type == "simple_symbol" and not is_word(node.text[1:])
        ):
            found = []
        elif node.type in LEAVES or is_signed(node):
            found = [self.leaf(node)]
        else:
            found = [place for child in node.named_children for place in self.leaves_of(child)]
        self.leaves[node.id] = found
        return found

    def span(self, kind: str, node: Any, extra: object = None) -> None:
        """Add a fact for a node that has words."""
        found = self.leaves_of(node)
        if found:
            text = f"{kind} {self.place(min(found))} {self.place(max(found))}"
            self.found.append(text if extra is None else f"{text} {extra}")

    def visit(self, node: Any) -> None:
        """Add the facts of a node and of those within it."""
        kind = node.type
        if kind == "comment":
            self.found.append(f"comment {self.place(self.leaf(node))}")
        elif kind in ("simple_symbol", "delimited_symbol"):
            row, column = node.start_point
            self.found.append(f"symbeg {row + 1}:{column}")
        elif kind == "heredoc_beginning":
            self.beginnings.append(node)
        elif kind == "heredoc_body":
            begin = self.beginnings.pop(0) if self.beginnings else node
            row, column = begin.start_point
            self.found.append(f"heredoc {row + 1}:{column} until {node.end_point[0] + 1}")
            return
        self.describe(kind, node)
        for child in node.named_children:
            self.visit(child)

    def describe(self, kind: str, node: Any) -> None:
        """Add the fact of one node."""
        if kind in KINDS:
            self.span(KINDS[kind], node)
        elif kind in {"call", "super"}:
            self.call(node)
        elif kind == "binary":
            self.span(f"binary {text(node.child_by_field_name('operator'))}", node)
        elif kind == "unary":
            self.unary(node)
        elif kind == "hash":
            self.span("hash", node, len(meaningful(node)))
        elif kind == "operator_assignment":
            self.span(f"assign {text(node.child_by_field_name('operator'))}", node)
        elif kind in ("method", "singleton_method"):
            name = text(node.child_by_field_name("name"))
            self.span("def" if kind == "method" else "defs", node, name)
        if kind in ("regex", "string_array", "symbol_array"):
            row, column = node.start_point
            self.found.append(f"{kind} {row + 1}:{column}")

    def unary(self, node: Any) -> None:
        """Add the fact of a unary operator."""
        operator = text(node.child_by_field_name("operator"))
        if operator == "defined?" or is_signed(node):
            return
        self.span(f"unary {operator.replace('not', '!')}", node)

    def call(self, node: Any) -> None:
        """Add the fact of a call with its receiver, arguments and block."""
        parent = node.parent
        if node.type == "super" and parent is not None and parent.type == "call":
            if parent.child_by_field_name("method") == node:
                return
        if is_target(node):
            return
        receiver, method, arguments, block = (
            node.child_by_field_name(name) for name in ("receiver", "method", "arguments", "block")
        )
        if node.type == "super":
            method, name = node, "super"
        elif method is None:
            name = "call"
        elif method.type == "super":
            name = "super"
        elif is_word(method.text):
            name = f"{text(method)} {self.place(self.leaf(method))}"
        else:
            name = text(method)
        before, within = self.leaves_of(receiver), self.leaves_of(arguments)
        inside = self.leaves_of(block)
        kind = "none" if block is None else {"block": "brace", "do_block": "do"}[block.type]
        self.found.append(
            f"call {name} of {self.place(min(before, default=None))}"
            f" {self.place(max(before, default=None))} with {count(arguments)}"
            f" {self.place(min(within, default=None))} {self.place(max(within, default=None))}"
            f" block {kind} {self.place(max(inside, default=None))}"
        )


def is_target(node: Any) -> bool:
    """Return whether a call is what an assignment assigns to: ``a.b = 1``."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type in ("assignment", "operator_assignment"):
        return bool(parent.child_by_field_name("left") == node)
    return parent.type in (
        "left_assignment_list",
        "destructured_left_assignment",
        "rest_assignment",
    )


def is_signed(node: Any) -> bool:
    """Return whether a node is a number with a plus sign, which is part of the number in Ruby."""
    operand = node.child_by_field_name("operand") if node.type == "unary" else None
    return (
        operand is not None
        and operand.type in ("integer", "float", "rational", "complex")
        and text(node).startswith("+")
    )


def is_word(content: bytes) -> bool:
    """Return whether a method or symbol is a name and no operator."""
    return content[:1].isalpha() or content[:1] in b"_@$" or content[:1] >= b"\x80"


def text(node: Any) -> str:
    """Return the text of a node."""
    return "" if node is None else node.text.decode("utf-8", "replace")


def meaningful(node: Any) -> list[Any]:
    """Return the children that are no comments."""
    skipped = {"comment", "heredoc_body", "block_argument"}
    return [] if node is None else [one for one in node.named_children if one.type not in skipped]


def count(arguments: Any) -> int:
    """Return the number of arguments; keywords count as one."""
    found = meaningful(arguments)
    pairs = {"pair", "hash_splat_argument"}
    plain = [one for one in found if one.type not in pairs]
    return len(plain) + (len(plain) < len(found))


@dataclass
class SyntaxFigures:
    """How many files both sides accept or refuse, and whose trees differ."""

    files: int = 0
    contents: int = 0
    accepted: int = 0
    refused: int = 0
    trees: int = 0
    differing_trees: int = 0
    differences: list[list[str]] = field(default_factory=list)
    """File, what Ruby says of it, what bunraku says."""


def ruby_files(folder: Path) -> list[str]:
    """Return the Ruby files below a folder; links to folders are followed."""
    return sorted(
        f"{place}/{name}"
        for place, _, names in os.walk(folder, followlinks=True)
        for name in names
        if name.endswith(".rb") and os.path.isfile(f"{place}/{name}") and "\n" not in place + name
    )


def compare_syntax(paths: Sequence[str], every: int) -> SyntaxFigures:
    """Compare files of Ruby code, each content once, and the trees of one of ``every`` accepted files."""
    by_content = {Path(path).read_bytes(): path for path in reversed(paths)}
    figures = SyntaxFigures(len(paths), len(by_content))
    chosen = [path for at, path in enumerate(by_content.values()) if at % every == 0]
    others = [path for at, path in enumerate(by_content.values()) if at % every]
    for row in ruby_facts(chosen):
        compare_file(row, figures, is_chosen=True)
    for row in ruby_facts(others, facts=False):
        compare_file(row, figures, is_chosen=False)
    return figures


def compare_file(row: Mapping[str, Any], figures: SyntaxFigures, is_chosen: bool) -> None:
    """Add a file to the figures."""
    content = Path(row["path"]).read_bytes()
    line = mistake_line(source_text(content))
    if (line is None) != (row["mistake"] is None):
        ours = "accepted" if line is None else f"mistake on line {line}"
        figures.differences.append([row["path"], row["mistake"] or "accepted", ours])
    elif line is not None:
        figures.refused += 1
    else:
        figures.accepted += 1
        if is_chosen:
            compare_trees(row, content, figures)


def compare_trees(row: Mapping[str, Any], content: bytes, figures: SyntaxFigures) -> None:
    """Add the comparison of a file's trees to the figures."""
    figures.trees += 1
    own = Counter(own_facts(content))
    theirs = Counter(without_blanks(row["facts"], content.removeprefix(codecs.BOM_UTF8)))
    if own != theirs:
        figures.differing_trees += 1
        first = min([*(theirs - own), *(own - theirs)], key=line_of)
        side = "Ruby" if first in theirs - own else "bunraku"
        figures.differences.append([row["path"], f"tree, only {side}", first])


def line_of(fact: str) -> int:
    """Return the first line in a fact."""
    found = re.search(r"(\d+):", fact)
    return int(found[1]) if found else 0
