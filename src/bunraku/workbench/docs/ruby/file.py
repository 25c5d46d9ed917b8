"""A Ruby file as YARD sees it: texts of nodes, comments of statements, calls with their arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any
from bunraku.ruby.syntax.grammar import parse
from bunraku.workbench.docs.ruby.remarks import RubyRemarks

Node = Any
HEREDOC = lazy_pattern(r"^<?<[-~]?['\"]?(\w+)['\"]?[^\n]*\n?", re.MULTILINE | re.ASCII)
HEREDOC_MARK = re.compile(rb"<<[-~]?['\"`\w]")
QUOTES = ("'", '"')
CALLS = frozenset(["call", "identifier"])
STRING_PARTS = frozenset(["string_content", "escape_sequence"])
CONSTANTS = {"true": True, "false": False}
LISTS = frozenset(["body_statement", "then", "else"])
BODIES = {
    "module": ("body",),
    "class": ("body",),
    "singleton_class": ("body",),
    "if_modifier": ("body",),
    "unless_modifier": ("body",),
    "if": ("consequence", "alternative"),
    "unless": ("consequence", "alternative"),
    "elsif": ("consequence", "alternative"),
}
"""Statements whose parts have statements that are documented, too."""


class RubyFile:
    """The syntax tree of a file, and the texts that YARD takes from it."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        root = parse(text.encode("utf-8", "surrogateescape"))
        self.root = corrected_root(text) if root.has_error else root
        # The root begins at the first token; offsets of nodes count from the beginning of the file.
        self.content: bytes = b"\n" * self.root.start_byte + self.root.text
        self.beginnings: dict[int, int] = {}
        self.bodies = self.heredoc_bodies()
        self.remarks = RubyRemarks(self.root, self.content)

    @property
    def mistake(self) -> int | None:
        """The first line that is not Ruby; None without one."""
        if not self.root.has_error:
            return None
        from bunraku.ruby.syntax.tree import mistake_in

        return mistake_in(self.root)

    def heredoc_bodies(self) -> dict[int, Node]:
        """Return the texts of here documents, by the offsets where they are announced."""
        starts: list[int] = []
        bodies: list[Node] = []
        if not HEREDOC_MARK.search(self.content):
            return {}
        labels: list[int] = []
        for node in inside(self.root):
            match node.type:
                case "heredoc_beginning":
                    starts.append(node.start_byte)
                    if labels:
                        self.beginnings[node.start_byte] = labels.pop()
                case "heredoc_body":
                    bodies.append(node)
                case "string" if is_quoted_label(node):
                    labels.append(node.start_byte)
        return dict(zip(sorted(starts), sorted(bodies, key=start_of), strict=False))

    def statements(self) -> Iterator[Node]:
        """Yield the statements of the file, of modules and classes in it, and below conditions."""
        yield from self.statements_in(self.root)

    def statements_in(self, node: Node) -> Iterator[Node]:
        """Yield the statements that are documented in a node."""
        for child in code_nodes(node):
            if child.type in BODIES:
                for part in parts_of(child):
                    yield from self.statements_in(part) if part.type in LISTS else [part]
            else:
                yield child

    def source(self, node: Node) -> str:
        """Return the text of a node."""
        return text_of(node)

    def word(self, node: Node | None) -> str | None:
        """Return the text of a symbol, a string, a regular expression; None for other code.

        Of a string with interpolated code it is the part before that code. Strings without a text and
        those in other quotation marks keep the marks: YARD finds no content in them.
        """
        if node is None:
            return None
        match node.type:
            case "simple_symbol":
                return text_of(node)[1:]
            case "hash_key_symbol":
                return text_of(node)
            case "delimited_symbol":
                content = first_content(node)
                return text_of(node) if content is None else content
            case "string":
                return self.string(node)
            case "heredoc_beginning":
                return without_marks(self.heredoc(node))
            case "regex":
                return text_of(node)
        return None

    def string(self, node: Node) -> str:
        """Return the text of a string."""
        if text_of(node.children[0]) in QUOTES:
            content = first_content(node)
            if content is not None:
                return content
        return without_marks(text_of(node))

    def heredoc(self, node: Node) -> str:
        """Return the text that YARD takes for a here document.

        YARD counts the characters of its parts and cuts as many from where it is announced; code behind
        the announcement then takes the place of as many characters at the end of the document. It begins
        at a key in quotation marks (``'os.name': 1``) before it, if there is one that no other took.
        """
        body = self.bodies.get(node.start_byte)
        if body is None:
            return text_of(node)
        follows = self.content[body.end_byte : body.end_byte + 1] == b"\n"
        length = len(text_of(node)) + len(text_of(body)) - (0 if follows else 1)
        rest = self.content[node.start_byte : body.end_byte + 1]
        before = self.content[
            self.beginnings.get(node.start_byte, node.start_byte) : node.start_byte
        ]
        text = rest.decode("utf-8", "surrogateescape")[:length]
        return before.decode("utf-8", "surrogateescape") + text

    def shown(self, node: Node) -> str:
        """Return the text of a symbol or string; the source of other code."""
        word = self.word(node)
        return text_of(node) if word is None else word

    def comment(self, node: Node) -> tuple[str | None, int]:
        """Return the comment of a statement, and the line where it begins; None without one."""
        return self.remarks.of(node)


def corrected_root(text: str) -> Node:
    """Return the root of the tree of a text that tree-sitter misreads."""
    from bunraku.ruby.syntax.tree import parse_ruby

    return parse_ruby(text)


def parts_of(node: Node) -> Iterator[Node]:
    """Yield the parts of a module, a class or a condition that have statements: of a constant, one branch."""
    fields = BODIES[node.type]
    condition = node.child_by_field_name("condition")
    value = None if condition is None else CONSTANTS.get(condition.type)
    if value is not None:
        chosen = value != node.type.startswith("unless")
        fields = fields[:1] if chosen else fields[1:]
    for field in fields:
        part = node.child_by_field_name(field)
        if part is not None and part.type in BODIES:
            yield from parts_of(part)
        elif part is not None:
            yield part


def is_quoted_label(node: Node) -> bool:
    """Return whether a node is a key in quotation marks before a colon."""
    if node.parent.type != "pair":
        return False
    follows = node.next_sibling
    return node.parent.named_children[0] == node and follows is not None and follows.type == ":"


def code_nodes(node: Node) -> list[Node]:
    """Return the nodes in a node, less comments and the texts of here documents."""
    return [one for one in node.named_children if one.type not in {"comment", "heredoc_body"}]


def inside(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes in it, in the order of the text."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        if one.named_child_count:
            waiting += reversed(one.named_children)


def start_of(node: Node) -> int:
    """Return the offset where a node begins."""
    start: int = node.start_byte
    return start


def text_of(node: Node) -> str:
    """Return the source of a node."""
    content: bytes = node.text
    return content.decode("utf-8", "surrogateescape")


def node_line(node: Node) -> int:
    """Return the line of a node, from 1."""
    row: int = node.start_point[0]
    return row + 1


def first_content(node: Node) -> str | None:
    """Return the first text in a string: up to code that is interpolated, or that in this code."""
    parts: list[str] = []
    for child in node.named_children:
        if child.type in STRING_PARTS:
            parts.append(text_of(child))
        elif parts:
            break
        elif child.type == "interpolation":
            for one in inside(child):
                found = first_content(one) if one.type == "string" else None
                if found is not None:
                    return found
    return "".join(parts) or None


def without_marks(text: str) -> str:
    """Return the lines of a here document without those that begin and end it.

    Puppet Strings drops the last line if it has the end mark, but for its last letter.
    """
    mark = HEREDOC.search(text)
    if mark is None:
        return text
    lines = text.split("\n")
    while lines and not lines[-1]:
        lines.pop()
    if len(lines) < 2:
        return text
    has_end = mark[1][:-1] in lines[-1]
    return "\n".join(lines[1 : -1 if has_end else None])


def is_call(node: Node) -> bool:
    """Return whether a node calls a method; a name alone does."""
    return node.type in CALLS


def receiver(node: Node) -> Node | None:
    """Return the object whose method is called; None without one."""
    return node.child_by_field_name("receiver") if node.type == "call" else None


def method_name(node: Node) -> str:
    """Return the name of the method that is called."""
    if node.type == "identifier":
        return text_of(node)
    name = node.child_by_field_name("method")
    return "" if name is None else text_of(name)


def block_of_call(node: Node) -> Node | None:
    """Return the block of a call."""
    return node.child_by_field_name("block") if node.type == "call" else None


def block_statements(node: Node) -> list[Node] | None:
    """Return the statements of a call's block; None without a block."""
    found = block_of_call(node)
    if found is None:
        return None
    body = found.child_by_field_name("body")
    return [] if body is None else code_nodes(body)


Pairs = list[tuple[Node, Node | None]]
"""The keys and values at the end of arguments."""


def call_arguments(node: Node, *, with_last: bool = False) -> list[Node | Pairs]:
    """Return the arguments of a call; pairs at the end are one argument.

    YARD loses the last argument before a comma at the end, except ``with_last``.
    """
    found = node.child_by_field_name("arguments") if node.type == "call" else None
    result: list[Node | Pairs] = []
    if found is None:
        return result
    for one in code_nodes(found):
        if one.type == "block_argument":
            continue
        if one.type == "pair":
            if not (result and isinstance(result[-1], list)):
                result.append([])
            result[-1].append((one.child_by_field_name("key"), one.child_by_field_name("value")))
        elif one.type == "splat_argument":
            result += code_nodes(one)
        else:
            result.append(one)
    has_comma = [one.type for one in found.children[-2:]] == [",", ")"]
    return result[:-1] if has_comma and not with_last else result


def pairs_of(argument: Node | Pairs) -> Pairs:
    """Return the pairs of an argument; none for other code."""
    if isinstance(argument, list):
        return argument
    if argument.type != "hash":
        return []
    return [
        (one.child_by_field_name("key"), one.child_by_field_name("value"))
        for one in code_nodes(argument)
        if one.type == "pair"
    ]
