"""Mistakes in Ruby code that the grammar of tree-sitter accepts and Ruby refuses when it reads a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any
from bunraku.ruby.syntax.encoding import has_unknown_encoding
from bunraku.ruby.syntax.grammar import ruby_language, tree_sitter
from bunraku.ruby.syntax.words import RESERVED
from bunraku.values.regexp.regexp import EXTENDED, IGNORECASE, MULTILINE, Regexp

NAMES = frozenset(
    [
        "setter",
        "method",
        "singleton_method",
        "alias",
        "undef",
        "keyword_parameter",
        "keyword_pattern",
    ]
)
"""Constructs in which a reserved word may be a name."""
VALUES = ["instance_variable", "class_variable", "global_variable", "self", "nil", "true", "false"]
METHODS = frozenset({"method", "singleton_method"})
CLASSES = frozenset({"class", "module"})
BLOCKS = frozenset({"block", "do_block", "lambda"})
JUMPS = frozenset(["return", "break", "next", "redo", "retry"])
OPTIONS = {"m": MULTILINE, "i": IGNORECASE, "x": EXTENDED}
WRONG = lazy_pattern("[\udc80-\udcff]")
"""A byte that is not UTF-8."""
HIGH = lazy_pattern(r"(?P<bytes>(?:\\x[89a-fA-F][0-9a-fA-F])+)|(?P<octal>\\[23][0-7]{2})|\\.")
"""Escapes in a regular expression, among them those of bytes that are not ASCII."""

QUERY = (
    f"((identifier) @reserved (#any-of? @reserved {' '.join(f'{chr(34)}{word}{chr(34)}' for word in sorted(RESERVED))}))"
    f"(call !receiver method: [{' '.join(f'({kind})' for kind in VALUES)}]) @called"
    "(regex) @regex (return) @return (else) @else (class) @class (module) @class"
    "(assignment left: [(constant) (scope_resolution)]) @constant"
    "(assignment left: [(self) (nil) (true) (false) (file) (line) (encoding)]) @target"
    "(method_parameters) @parameters (block_parameters) @parameters (lambda_parameters) @parameters"
    "(optional_parameter) @default"
    "(assignment right: [(return) (break) (next) (redo) (retry)]) @void"
    "(argument_list [(return) (break) (next) (redo) (retry)]) @void"
)
"""The nodes that may be mistakes, each with the name of the rule that judges it."""


def first_mistake(root: Any) -> int | None:
    """Return the row, from 0, of the first mistake in a tree without errors; None if it has none."""
    content: bytes = root.text
    if has_unknown_encoding(content):
        return int(root.start_point[0])
    found = tree_sitter().QueryCursor(query()).captures(root)
    rows = [
        int(node.start_point[0])
        for rule, nodes in found.items()
        for node in nodes
        if RULES[rule](node)
    ]
    return min([*rows, *wrong_letters(root, content)], default=None)


def wrong_letters(root: Any, content: bytes) -> Iterator[int]:
    """Yield the rows of bytes that are not letters, outside of comments."""
    if content.isascii():
        return
    decoded = content.decode("utf-8", "surrogateescape")
    for found in WRONG.finditer(decoded):
        before = decoded[: found.start()]
        at = root.start_byte + len(before.encode("utf-8", "surrogateescape"))
        node = root.descendant_for_byte_range(at, at + 1)
        if node.type not in ("comment", "uninterpreted"):
            yield int(root.start_point[0]) + before.count("\n")


@cache
def query() -> Any:
    """Return the query for what may be a mistake."""
    return tree_sitter().Query(ruby_language(), QUERY)


def text(node: Any) -> str:
    """Return the text of a node."""
    decoded: str = node.text.decode("utf-8", "surrogateescape")
    return decoded


def around(node: Any) -> Iterator[Any]:
    """Yield the nodes around a node, the nearest first."""
    while node.parent is not None:
        node = node.parent
        yield node


def nearest(node: Any, kinds: frozenset[str]) -> Any:
    """Return the nearest node around a node that is of some kinds; None if there is none."""
    return next((one for one in around(node) if one.type in kinds), None)


def is_reserved(node: Any) -> bool:
    """Return whether a reserved word stands where the grammar wants a name, and is none."""
    parent = node.parent
    if parent is None or parent.type in NAMES:
        return False
    is_method = parent.type == "call" and parent.child_by_field_name("method") == node
    return not (is_method and parent.child_by_field_name("receiver") is not None)


def is_called(node: Any) -> bool:
    """Return whether a value is called like a method: ``@a b``."""
    return node.child_by_field_name("arguments") is not None


def is_wrong_regexp(node: Any) -> bool:
    """Return whether a regular expression without interpolations is none."""
    if any(child.type == "interpolation" for child in node.named_children):
        return False
    start, end = node.children[0].end_byte, node.children[-1].start_byte
    pattern = text(node).encode("utf-8", "surrogateescape")
    pattern_text = pattern[start - node.start_byte : end - node.start_byte].decode(
        "utf-8", "replace"
    )
    flags = text(node.children[-1])[1:]
    escapes = list(HIGH.finditer(pattern_text))
    if "n" in flags or any(one["octal"] for one in escapes):
        return False
    high = [one["bytes"] for one in escapes if one["bytes"]]
    if high:
        return any(map(is_no_letter, high))
    try:
        Regexp(pattern_text, sum(OPTIONS.get(flag, 0) for flag in set(flags))).compile()
    except PuppetError:
        return True
    return False


def is_no_letter(escapes: str) -> bool:
    """Return whether escaped bytes are not the UTF-8 form of letters."""
    try:
        bytes.fromhex(escapes.replace("\\x", "")).decode()
    except UnicodeDecodeError:
        return True
    return False


def is_in_class(node: Any) -> bool:
    """Return whether ``return`` stands in the body of a class or module."""
    inside = nearest(node, METHODS | CLASSES | BLOCKS | {"singleton_class"})
    return inside is not None and inside.type in CLASSES


def is_useless_else(node: Any) -> bool:
    """Return whether ``else`` belongs to a ``begin`` or a body without ``rescue``."""
    parent = node.parent
    if parent is None or parent.type not in ("begin", "body_statement"):
        return False
    return not any(child.type == "rescue" for child in parent.named_children)


def is_in_method(node: Any) -> bool:
    """Return whether a class is defined, or a constant assigned, in a method."""
    inside = nearest(node, METHODS | CLASSES | {"singleton_class"})
    return inside is not None and inside.type in METHODS


def is_repeated(node: Any) -> bool:
    """Return whether two parameters have the same name."""
    names = [name for name in map(parameter, node.named_children) if name]
    used = [name for name in names if not name.startswith("_")]
    return len(used) != len(set(used))


def parameter(node: Any) -> str:
    """Return the name of a parameter; empty for those without one."""
    if node.type == "identifier":
        return text(node)
    name = node.child_by_field_name("name")
    return "" if name is None else text(name)


def is_circular(node: Any) -> bool:
    """Return whether the default of a parameter is the parameter itself: ``a = a``."""
    value = node.child_by_field_name("value")
    name = node.child_by_field_name("name")
    return bool(value is not None and value.type == "identifier" and text(value) == text(name))


def always(_node: Any) -> bool:
    """Return true: the form itself is a mistake."""
    return True


RULES: dict[str, Callable[[Any], bool]] = {
    "reserved": is_reserved,
    "called": is_called,
    "regex": is_wrong_regexp,
    "return": is_in_class,
    "else": is_useless_else,
    "class": is_in_method,
    "constant": is_in_method,
    "target": always,
    "parameters": is_repeated,
    "default": is_circular,
    "void": always,
}
