"""Edits of a Puppetfile as text: comments, order and style of what is there stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from bunraku.base.records import record
from bunraku.project.puppetfile_syntax import called, nodes_of, positional
from bunraku.project.ruby_literals import NotLiteral
from bunraku.project.ruby_literals import text as text_of_string
from bunraku.ruby.syntax.grammar import parse

if TYPE_CHECKING:
    from tree_sitter import Node


@record(frozen=True)
class Style:
    """How a Puppetfile is written: its quotes, what is between owner and name, whether keys end with a colon."""

    quote: str = "'"
    separator: str = "/"
    has_colons: bool = False
    indent: str = "  "

    def quoted(self, text: str) -> str:
        """Return a string literal; one with special characters is in single quotes."""
        if self.quote == '"' and not set(text) & {'"', "\\", "#"}:
            return f'"{text}"'
        escaped = text.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"

    def option(self, name: str, text: str) -> str:
        """Return an option of a module."""
        return (
            f"{name}: {self.quoted(text)}" if self.has_colons else f":{name} => {self.quoted(text)}"
        )


def style_of(text: str) -> Style:
    """Return the style that most of a Puppetfile has.

    >>> style_of('mod "a-b", "1.0.0"').quoted("c"), style_of("mod 'a', git: 'x'").has_colons
    ('"c"', True)
    """
    root = parse(text.encode("utf-8", "surrogateescape"))
    strings = [one for call in module_calls(root) for one in nodes_of(call, "string")]
    quotes = Counter(source_of(one)[:1] for one in strings)
    titles = [name for call in module_calls(root) if (name := title_of(call))]
    separators = Counter(one for name in titles for one in "/-" if one in name)
    keys = Counter(one.type for call in module_calls(root) for one in keys_in(call))
    return Style(
        '"' if quotes['"'] > quotes["'"] else "'",
        "-" if separators["-"] > separators["/"] else "/",
        keys["hash_key_symbol"] > keys["simple_symbol"],
    )


def added(text: str, statement: str) -> str:
    """Return a Puppetfile with a declaration after the last one.

    >>> added("mod 'a/b', '1.0.0' # why\\n\\n# end\\n", "mod 'c/d', '2.0.0'")
    "mod 'a/b', '1.0.0' # why\\nmod 'c/d', '2.0.0'\\n\\n# end\\n"
    """
    data = text.encode("utf-8", "surrogateescape")
    newline = b"\r\n" if data.partition(b"\n")[0].endswith(b"\r") else b"\n"
    code = statement.encode("utf-8", "surrogateescape").replace(b"\n", newline) + newline
    calls = module_calls(parse(data))
    end = data.find(b"\n", calls[-1].end_byte) + 1 if calls else 0
    head, tail = (data[:end], data[end:]) if end else (data, b"")
    if head and not head.endswith(b"\n"):
        head += newline
    return (head + code + tail).decode("utf-8", "surrogateescape")


def removed(text: str, name: str) -> str:
    """Return a Puppetfile without the declaration of a module and the comment on its line.

    >>> removed("# one\\nmod 'a/b', '1'  # why\\nmod 'c',\\n  :git => 'x'\\n", "b")
    "# one\\nmod 'c',\\n  :git => 'x'\\n"
    >>> removed("mod 'a/b'; mod 'c/d'\\n", "b"), removed("mod 'a/b'; mod 'c/d'\\n", "d")
    ("mod 'c/d'\\n", "mod 'a/b'\\n")
    """
    data = text.encode("utf-8", "surrogateescape")
    for call in reversed(module_calls(parse(data))):
        if plain_name(title_of(call)) == name:
            data = without_lines(data, call)
    return data.decode("utf-8", "surrogateescape")


def without_lines(data: bytes, call: Node) -> bytes:
    """Return a Puppetfile without a call: without its lines, unless other calls are on them."""
    start = data.rfind(b"\n", 0, call.start_byte) + 1
    end = data.find(b"\n", call.end_byte) + 1 or len(data)
    before, after = data[start : call.start_byte], data[call.end_byte : end]
    if after.lstrip().startswith(b";"):
        return data[:start] + before + after.lstrip()[1:].lstrip(b" \t") + data[end:]
    if before.rstrip().endswith(b";"):
        return data[:start] + before.rstrip(b" \t;") + after + data[end:]
    head, tail = data[:start], data[end:]
    if head.endswith(b"\n\n") and tail.startswith(b"\n"):
        tail = tail[1:]
    return head + tail


def with_version(text: str, name: str, version: str) -> str:
    """Return a Puppetfile in which a module of the Forge has another version.

    >>> with_version("mod 'a/b', '1.0.0' # why\\nmod 'c/d'\\n", "b", "'2.0.0'")
    "mod 'a/b', '2.0.0' # why\\nmod 'c/d'\\n"
    >>> with_version("mod 'a/b', { :version => '1.0.0', :install_path => 'c' }\\n", "b", "'2.0.0'")
    "mod 'a/b', { :version => '2.0.0', :install_path => 'c' }\\n"
    """
    data = text.encode("utf-8", "surrogateescape")
    for call in reversed(module_calls(parse(data))):
        if plain_name(title_of(call)) == name:
            start, end, before, after = place_of_version(call)
            data = data[:start] + before + version.encode() + after + data[end:]
    return data.decode("utf-8", "surrogateescape")


def place_of_version(call: Node) -> tuple[int, int, bytes, bytes]:
    """Return the bytes that a version is to replace in a call, and what goes before and after it."""
    pairs = [*nodes_of(call, "pair")]
    for key, value in ((one.named_children[0], one.named_children[-1]) for one in pairs):
        if source_of(key).strip(":\"'") == "version":
            return value.start_byte, value.end_byte, b"", b""
    if pairs:
        start = pairs[0].start_byte
        return start, start, b":version => ", b", "
    title, *others = positional(call)
    if others:
        return others[-1].start_byte, others[-1].end_byte, b"", b""
    return title.end_byte, title.end_byte, b", ", b""


# -- parts -------------------------------------------------------------------------------------------


def module_calls(root: Node) -> list[Node]:
    """Return the calls of ``mod`` in their order."""
    return [one for one in nodes_of(root, "call") if called(one) == "mod"]


def title_of(call: Node) -> str:
    """Return the name in a declaration; empty if it is not a literal."""
    values = positional(call)
    if values and values[0].type == "string":
        with suppress(NotLiteral):
            return text_of_string(values[0])
    return ""


def plain_name(title: str) -> str:
    """Return a name without its owner.

    >>> plain_name("acme/alpha"), plain_name("acme-alpha"), plain_name("alpha")
    ('alpha', 'alpha', 'alpha')
    """
    return title.replace("/", "-").rpartition("-")[2]


def keys_in(call: Node) -> Sequence[Node]:
    """Return the keys of the options in a declaration."""
    pairs = [one.child_by_field_name("key") for one in nodes_of(call, "pair")]
    return [one for one in pairs if one is not None]


def source_of(node: Node) -> str:
    """Return the code of a node."""
    return (node.text or b"").decode("utf-8", "replace")
