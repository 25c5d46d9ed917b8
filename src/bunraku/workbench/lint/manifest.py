"""A manifest as the checks see it: tokens and comments in order, the gaps between them, the tree."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Any

from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.dialects.puppet_8 import PUPPET_8
from bunraku.syntax import nodes
from bunraku.syntax.lexer import tokenize
from bunraku.syntax.nodes import CHILD_FIELDS, Node
from bunraku.syntax.parser.blocks import program
from bunraku.syntax.parser.parser import run

SAME = {"LISTSTART": "[", "WSLPAREN": "(", "SELBRACE": "{"}
OPENING = {"(": ")", "[": "]", "{": "}"}
BLANKS = " \t\r\v\f\u00a0"
COMMENT = "COMMENT"
TRAILING = re.compile("\n(?<=[ \t\r\v\f\u00a0]\n)")
"""The end of a line behind a blank, or behind the ``\\r`` of ``\\r\\n``."""
ODD = re.compile("\n(?:  )*+[ \t\r\v\f\u00a0]")
"""The begin of a line whose indent is not pairs of spaces, or an empty line of ``\\r\\n``."""
TAB = re.compile("\t")
START = attrgetter("start")


@record(frozen=True)
class Definition:
    """A class or a defined type: the indexes of its keyword, its name, and its last brace."""

    node: nodes.ClassDefinition | nodes.DefineDefinition
    first: int
    name: int
    last: int

    @property
    def kind(self) -> str:
        """The kind, as messages call it."""
        return "class" if isinstance(self.node, nodes.ClassDefinition) else "defined type"


@record(frozen=True)
class Body:
    """The attributes of one resource: the indexes of its colon and of the token after the last."""

    resource: nodes.Resource
    node: nodes.ResourceBody
    colon: int
    last: int

    @property
    def type(self) -> str:
        """The type as written, if that is a name."""
        name = self.resource.type_name
        return name.value if isinstance(name, nodes.Name | nodes.Reference) else ""

    def attributes(self, *names: str) -> list[nodes.Attribute]:
        """Return the attributes of some names, or all."""
        return [
            one
            for one in self.node.operations
            if isinstance(one, nodes.Attribute) and (not names or one.name in names)
        ]


class Manifest:
    """A manifest with its tokens as parallel lists, in the order of the text.

    Kinds are those of the lexer, with one kind for each bracket, and ``COMMENT``.
    """

    def __init__(self, source: Source, path: str) -> None:
        self.source = source
        self.text = source.text
        self.path = path
        self.options: dict[str, Any] = {}
        self.tokens = tokens = tokenize(source, PUPPET_8.syntax)
        self.result = run(source, tokens, PUPPET_8.syntax, program)
        kinds = map(SAME.get, tokens.kinds, tokens.kinds)
        rows: list[tuple[int, int, Any, Any]] = [
            row
            for row in zip(tokens.starts, tokens.ends, kinds, tokens.values, strict=True)
            if row[2] != "END"
        ]
        rows += [(start, end, COMMENT, None) for start, end in tokens.comments]
        if tokens.comments or tokens.heredocs:
            rows.sort(key=itemgetter(0))
        columns = map(list, zip(*rows, strict=True)) if rows else ([], [], [], [])
        self.starts: list[int]
        self.ends: list[int]
        self.kinds: list[str]
        self.values: list[Any]
        self.starts, self.ends, self.kinds, self.values = columns
        self.size = len(rows)

    # -- tokens ----------------------------------------------------------------------------------

    def written(self, index: int) -> str:
        """Return a token as written."""
        return self.text[self.starts[index] : self.ends[index]]

    def line(self, index: int) -> int:
        """Return the line of a token."""
        return self.source.line(self.starts[index])

    def column(self, index: int) -> int:
        """Return the column of a token."""
        return self.source.position(self.starts[index])[1]

    def kind(self, index: int | None) -> str:
        """Return the kind of a token; an empty text outside of the manifest."""
        if index is None:
            return ""
        return self.kinds[index] if 0 <= index < self.size else ""

    def code_after(self, index: int) -> int:
        """Return the index of the next token that is not a comment."""
        index += 1
        while index < self.size and self.kinds[index] is COMMENT:
            index += 1
        return index

    def code_before(self, index: int) -> int:
        """Return the index of the last token before this one that is not a comment; -1 if there is none."""
        index -= 1
        while index >= 0 and self.kinds[index] is COMMENT:
            index -= 1
        return index

    def gap(self, index: int) -> str:
        """Return the text between a token and the one before it."""
        before = self.ends[index - 1] if index else 0
        return self.text[before : self.starts[index] if index < self.size else None]

    @cached_property
    def by_kind(self) -> dict[str, list[int]]:
        """The indexes of the tokens of each kind."""
        found: dict[str, list[int]] = defaultdict(list)
        for index, kind in enumerate(self.kinds):
            found[kind].append(index)
        return dict(found)

    def of_kind(self, *kinds: str) -> list[int]:
        """Return the indexes of the tokens of some kinds, in the order of the text."""
        if len(kinds) == 1:
            return self.by_kind.get(kinds[0], [])
        return sorted(index for kind in kinds for index in self.by_kind.get(kind, ()))

    def between(self, first: int, last: int, *kinds: str) -> list[int]:
        """Return the indexes of the tokens of some kinds, from one index to before another."""
        found: list[int] = []
        for kind in kinds:
            indexes = self.by_kind.get(kind, [])
            found += indexes[bisect_left(indexes, first) : bisect_left(indexes, last)]
        return sorted(found) if len(kinds) > 1 else found

    @cached_property
    def variables(self) -> list[tuple[int, str]]:
        """The index and the name of each variable."""
        return [(at, self.written(at).removeprefix("$")) for at in self.of_kind("VARIABLE")]

    @cached_property
    def index_at(self) -> dict[int, int]:
        """Offset → the index of the token that begins there."""
        return {start: index for index, start in enumerate(self.starts)}

    @cached_property
    def partner(self) -> dict[int, int]:
        """The index of each bracket → that of its partner."""
        found: dict[int, int] = {}
        open_: list[int] = []
        for index, kind in enumerate(self.kinds):
            if kind in OPENING:
                open_.append(index)
            elif kind in {")", "]", "}"} and open_ and OPENING[self.kinds[open_[-1]]] == kind:
                other = open_.pop()
                found[index], found[other] = other, index
        return found

    # -- blanks ----------------------------------------------------------------------------------

    def is_blank(self, offset: int) -> bool:
        """Return whether a character is a blank, and no part of a line end."""
        return self.text[offset] in BLANKS and not self.text.startswith("\r\n", offset)

    def blanks_at(self, offset: int) -> tuple[int, int] | None:
        """Return the run of blanks around an offset; None within tokens, comments and heredocs."""
        index = bisect_right(self.starts, offset)
        low = self.ends[index - 1] if index else 0
        high = self.starts[index] if index < self.size else len(self.text)
        for first, last in self.tokens.heredocs:
            if last <= offset:
                low = max(low, last)
            elif first <= offset:
                return None
            else:
                high = min(high, first)
        if offset < low or not self.is_blank(offset):
            return None
        start, end = offset, offset + 1
        while start > low and self.is_blank(start - 1):
            start -= 1
        while end < high and self.is_blank(end):
            end += 1
        return start, end

    def trailing_blanks(self) -> Iterator[tuple[int, int]]:
        """Yield the blanks at the end of a line or of the text."""
        text = self.text
        places = [match.start() - 1 for match in TRAILING.finditer(text)]
        places = [at - 1 if text[at] == "\r" else at for at in places]
        if text:
            places.append(len(text) - 1)
        for at in places:
            found = self.blanks_at(at) if at >= 0 else None
            if found:
                yield found

    def odd_indents(self) -> Iterator[tuple[int, int]]:
        """Yield the blanks at the start of a line, other than the first, whose number is odd."""
        for match in ODD.finditer(self.text):
            found = self.blanks_at(match.start() + 1)
            if found and (found[1] - found[0]) % 2:
                yield found

    def blanks_with_tabs(self) -> Iterator[tuple[int, int]]:
        """Yield the runs of blanks that have a tab in them."""
        end = 0
        for match in TAB.finditer(self.text):
            found = self.blanks_at(match.start()) if match.start() >= end else None
            if found:
                end = found[1]
                yield found

    # -- strings ---------------------------------------------------------------------------------

    def is_double_quoted(self, index: int) -> bool:
        """Return whether a token is a string in double quotes without interpolation."""
        return self.kinds[index] == "STRING" and self.text[self.starts[index]] == '"'

    def is_single_quoted(self, index: int) -> bool:
        """Return whether a token is a string in single quotes."""
        return self.kinds[index] == "STRING" and self.text[self.starts[index]] == "'"

    def content(self, index: int) -> str:
        """Return the text of a string token between its quotes, as written."""
        written = self.written(index)
        if written[:1] in {"'", '"'}:
            written = written[1:]
        if self.kinds[index] == "STRING":
            return written[:-1]
        return written.removesuffix("${") if self.kinds[index] == "DQPRE" else written

    def is_unenclosed(self, index: int) -> bool:
        """Return whether a token is a variable in a string, without braces around it."""
        start = self.starts[index]
        return (
            self.kinds[index] == "VARIABLE"
            and self.kind(index - 1) in {"DQPRE", "DQMID", "VARIABLE"}
            and self.ends[index - 1] == start
            and self.text[start] == "$"
            and self.text[start - 2 : start] != "${"
        )

    # -- the tree --------------------------------------------------------------------------------

    @cached_property
    def by_class(self) -> dict[type, list[Node]]:
        """The nodes that have fields for others, by their class."""
        found: dict[type, list[Node]] = defaultdict(list)
        seen: set[int] = set()
        stack: list[Any] = [self.result.program.body]
        while stack:
            node = stack.pop()
            names = CHILD_FIELDS[node.__class__]
            if not names or id(node) in seen:
                continue
            seen.add(id(node))
            found[node.__class__].append(node)
            # The same as nodes.children(), whose generator for each node takes as long as the rest.
            for name in names:
                value = getattr(node, name)
                if value.__class__ is list:
                    stack += value
                elif value is not None:
                    stack.append(value)
        return dict(found)

    def all(self, *kinds: type) -> Iterator[Any]:
        """Yield the nodes of some classes, each class in the order of the text."""
        for kind in kinds:
            yield from sorted(self.by_class.get(kind, ()), key=START)

    @cached_property
    def definitions(self) -> list[Definition]:
        """The classes, then the defined types."""
        found: list[Definition] = []
        for node in self.all(nodes.ClassDefinition, nodes.DefineDefinition):
            first = self.index_starting(node.start)
            name = self.index_starting(node.name_start)
            last = self.index_ending(node.end)
            if first is not None and name is not None and last is not None:
                found.append(Definition(node, first, name, last))
        return found

    def index_starting(self, start: int) -> int | None:
        """Return the index of the token that begins at an offset."""
        index = bisect_right(self.starts, start) - 1
        return index if index >= 0 and self.starts[index] == start else None

    def index_ending(self, end: int) -> int | None:
        """Return the index of the token that ends at an offset."""
        index = bisect_left(self.starts, end) - 1
        return index if index >= 0 and self.ends[index] == end else None

    @cached_property
    def bodies(self) -> list[Body]:
        """The attributes of all resources."""
        found: list[Body] = []
        for resource in self.all(nodes.Resource):
            for body in resource.bodies:
                end = self.index_ending(body.title.end)
                if end is None:
                    continue
                colon = self.code_after(end)
                while self.kind(colon) not in {":", ""}:
                    colon = self.code_after(colon)
                found.append(Body(resource, body, colon, self.end_of_body(colon)))
        return found

    def end_of_body(self, colon: int) -> int:
        """Return the index of the ``;`` or ``}`` that ends the attributes after a colon."""
        index = colon + 1
        while index < self.size and self.kinds[index] not in {";", "}"}:
            index = self.partner.get(index, index) if self.kinds[index] in OPENING else index
            index += 1
        return min(index, self.size - 1)

    def parameters(self, definition: Definition) -> tuple[int, int]:
        """Return the indexes of the parentheses around the parameters; the same twice without."""
        at = self.code_after(definition.name)
        if self.kind(at) != "(":
            return at, at
        return at, self.partner.get(at, at)

    def text_of(self, node: Node) -> str:
        """Return a node as written."""
        return self.text[node.start : node.end]
