"""What Ruby code of templates and functions reads: variables and keys of Hiera, each with the line that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.migrate.templates import all_nodes, looked_up, ruby_code
from bunraku.ruby.syntax.grammar import has_reader
from bunraku.ruby.syntax.tree import parse_ruby

KEY = lazy_pattern(
    r"""(?:scope\.|\A)(?:function_(?:hiera\w*|lookup)\(\[|call_function\(\s*:?['"]?(?:hiera\w*|lookup)['"]?,\s*\[?)"""
    r"""\s*['"](?P<key>[^'"#]+)['"]"""
)
"""A call of Hiera in Ruby."""
READERS = frozenset({"scope", "closure_scope", "self"})


@record(frozen=True)
class RubyRead:
    """A variable, or a key of Hiera, that Ruby code reads: as it is written, its name, and the first line that does."""

    text: str
    name: str
    line: int
    is_key: bool = False


def template_reads(text: str) -> list[RubyRead]:
    """Return what an ERB template reads.

    >>> [(one.text, one.line) for one in template_reads("a\\n<%= @b %> <%= scope['c::d'] %>")]
    [('@b', 2), ("scope['c::d']", 2)]
    """
    return ruby_reads(ruby_code(text))


def ruby_reads(code: str) -> list[RubyRead]:
    """Return what Ruby code reads, in the order of lines; nothing if Ruby code cannot be read."""
    if not has_reader():
        return []
    found: dict[str, RubyRead] = {}
    for one in reads_in(parse_ruby(code)):
        if one.text not in found or one.line < found[one.text].line:
            found[one.text] = one
    return sorted(found.values(), key=lambda one: (one.line, one.text))


def reads_in(root: Any) -> Iterator[RubyRead]:
    """Yield what the code of a syntax tree reads."""
    for node in all_nodes(root):
        line = node.start_point[0] + 1
        if node.type == "instance_variable":
            name = node.text.decode()
            yield RubyRead(name, name[1:], line)
        elif node.type in {"call", "element_reference"}:
            variable = looked_up(node)
            key = KEY.match(node.text.decode("utf-8", "replace"))
            if variable is not None:
                yield RubyRead(f"scope['{variable}']", variable, line)
            elif key is not None:
                yield RubyRead(f"the key {key['key']}", key["key"], line, is_key=True)
