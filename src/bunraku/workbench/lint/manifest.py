"""A manifest as the checks see it: tokens and comments in order, the gaps between them, the tree."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from operator import attrgetter, itemgetter

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.checks.checker import is_plan
from bunraku.dialects.puppet_8 import PUPPET_8
from bunraku.syntax import nodes
from bunraku.syntax.lexer import tokenize
from bunraku.syntax.nodes import CHILD_VALUES, LEAVES, Node
from bunraku.syntax.parser.blocks import program
from bunraku.syntax.parser.parser import run
from bunraku.syntax.tokens import comments_in, gap_in_run

SAME = {"LISTSTART": "[", "WSLPAREN": "(", "SELBRACE": "{"}
OPENING = {"(": ")", "[": "]", "{": "}"}
BRACKETS = frozenset({*OPENING, *OPENING.values()})
BLANKS = " \t\r\v\f\u00a0"
COMMENT = "COMMENT"
HEREDOC = "HEREDOC"
"""The text of a heredoc without variables: its quotes are text."""
NAMES = frozenset({"NAME", "WORD", "CLASSREF"})
AFTER_BODY = frozenset({";", "}"})
BEFORE_UNENCLOSED = frozenset({"DQPRE", "DQMID", "VARIABLE"})
BLANK_ENDS = tuple(BLANKS)
ODD = lazy_pattern("\n(?:  )*+[ \t\r\v\f\u00a0]")
"""The begin of a line whose indent is not pairs of spaces, or an empty line of ``\\r\\n``."""
INDEXES = lazy_pattern(r"(?:\[.+?\])+")
BRACED = frozenset(
    [
        nodes.Case,
        nodes.ClassDefinition,
        nodes.DefineDefinition,
        nodes.NodeDefinition,
        nodes.Resource,
    ]
)
"""Classes of nodes that always have braces."""
TYPE_NAMES = frozenset({nodes.Name, nodes.Reference})
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
    """The attributes of one resource: the indexes of its colon and of the token after the last.

    ``type`` is the type as written, if that is a name; ``arrows`` has the indexes of all ``=>``
    between colon and last.
    """

    resource: nodes.Resource
    node: nodes.ResourceBody
    type: str
    colon: int
    last: int
    arrows: list[int]

    def attributes(self, *names: str) -> list[nodes.Attribute]:
        """Return the attributes of some names, or all."""
        return [
            one
            for one in self.node.operations
            if one.__class__ is nodes.Attribute and (not names or one.name in names)
        ]


def with_comments(columns: list[list[Any]], runs: list[tuple[int, int]]) -> list[list[Any]]:
    """Return starts, ends, kinds and values with those of runs of comments, in the order of the text."""
    starts, ends, kinds, values = columns
    found: list[list[Any]] = [[], [], [], []]
    new_starts, new_ends, new_kinds, new_values = found
    before = 0
    for start, end in runs:
        place = bisect_left(starts, start, before)
        new_starts += starts[before:place]
        new_starts.append(start)
        new_ends += ends[before:place]
        new_ends.append(end)
        new_kinds += kinds[before:place]
        new_kinds.append(COMMENT)
        new_values += values[before:place]
        new_values.append(None)
        before = place
    for column, old in zip(found, columns, strict=True):
        column += old[before:]
    return found


class Manifest:
    """A manifest with its tokens as parallel lists, in the order of the text.

    Kinds are those of the lexer, with one kind for each bracket, and ``COMMENT`` for a run of
    comments.
    """

    def __init__(self, source: Source, path: str) -> None:
        self.source = source
        self.text = source.text
        self.path = path
        self.options: dict[str, Any] = {}
        self.views: dict[
            type, Any
        ] = {}  # of the class that is the key, for the checks that share it
        dialect = PUPPET_8
        if is_plan(source):
            dialect = dialect.with_syntax(tasks=True)
        self.tokens = tokens = tokenize(source, dialect.syntax)
        self.result = run(source, tokens, dialect.syntax, program)
        size = len(tokens.kinds)
        if size and tokens.kinds[-1] == "END":
            size -= 1
        every = (tokens.starts, tokens.ends, tokens.kinds, tokens.values)
        columns: list[list[Any]] = [column[:size] for column in every]
        if tokens.heredocs and size > 1:
            in_order = itemgetter(*sorted(range(size), key=columns[0].__getitem__))
            columns = [list(in_order(column)) for column in columns]
        if tokens.comment_runs:
            # Comments in a heredoc precede those behind its tag.
            columns = with_comments(columns, sorted(tokens.comment_runs))
        self.starts: list[int]
        self.ends: list[int]
        self.kinds: list[str]
        self.values: list[Any]
        self.starts, self.ends, self.kinds, self.values = columns
        self.size = len(self.starts)
        self.by_kind = self.read_kinds()
        """The indexes of the tokens of each kind."""

    def read_kinds(self) -> dict[str, list[int]]:
        """Return the indexes of the tokens of each kind; give brackets of one form one kind."""
        kinds = self.kinds
        for start, _ in self.tokens.heredocs:
            at = bisect_left(self.starts, start)
            if self.kind(at) == "STRING" and not self.text[start : self.starts[at]].strip():
                kinds[at] = HEREDOC
        found: dict[str, list[int]] = defaultdict(list)
        for index, kind in enumerate(kinds):
            found[kind].append(index)
        for other in SAME.keys() & found.keys():
            kind = SAME[other]
            indexes = found.pop(other)
            for index in indexes:
                kinds[index] = kind
            found[kind] = sorted(found[kind] + indexes)
        return dict(found)

    # -- tokens ----------------------------------------------------------------------------------

    def written(self, index: int) -> str:
        """Return a token as written."""
        return self.text[self.starts[index] : self.ends[index]]

    def line(self, index: int) -> int:
        """Return the line of a token."""
        return self.source.line(self.starts[index])

    def column(self, index: int) -> int:
        """Return the column of a token."""
        start = self.starts[index]
        return start - self.text.rfind("\n", 0, start)

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

    def comments_above(self, index: int) -> Iterator[tuple[int, int]]:
        """Yield the places of the single comments right before a token, the last one first."""
        for at in range(index - 1, self.code_before(index), -1):
            run = [(self.starts[at], self.ends[at])]
            yield from reversed(list(comments_in(run, self.text)))

    def gap(self, index: int) -> str:
        """Return the text between a token and the one before it."""
        before = self.ends[index - 1] if index else 0
        return self.text[before : self.starts[index] if index < self.size else None]

    def of_kind(self, *kinds: str) -> list[int]:
        """Return the indexes of the tokens of some kinds, in the order of the text."""
        found = [self.by_kind[kind] for kind in kinds if kind in self.by_kind]
        return found[0] if len(found) == 1 else sorted(chain.from_iterable(found))

    def between(self, first: int, last: int, *kinds: str) -> list[int]:
        """Return the indexes of the tokens of some kinds, from one index to before another."""
        found: list[int] = []
        for kind in kinds:
            indexes = self.by_kind.get(kind)
            if indexes:
                found += indexes[bisect_left(indexes, first) : bisect_left(indexes, last)]
        if len(kinds) > 1:
            found.sort()
        return found

    @cached_property
    def named(self) -> list[tuple[str, int]]:
        """The kind and the name token of each class and defined type, also of one with a bad name."""
        found = []
        for at in self.of_kind("class", "define"):
            name = self.code_after(at)
            if self.kind(name) in NAMES:
                found.append(("class" if self.kinds[at] == "class" else "defined type", name))
        return found

    @cached_property
    def variables(self) -> list[tuple[int, str]]:
        """The index and the name of each variable."""
        indexes = self.of_kind("VARIABLE")
        return list(zip(indexes, map(self.values.__getitem__, indexes), strict=True))

    @cached_property
    def variable_names(self) -> set[str]:
        """The names of the variables."""
        return set(map(self.values.__getitem__, self.of_kind("VARIABLE")))

    @cached_property
    def partner(self) -> dict[int, int]:
        """The index of each bracket → that of its partner."""
        found: dict[int, int] = {}
        kinds, open_ = self.kinds, []
        for index in self.of_kind(*BRACKETS):
            kind = kinds[index]
            if kind in OPENING:
                open_.append(index)
            elif open_ and OPENING[kinds[open_[-1]]] == kind:
                other = open_.pop()
                found[index], found[other] = other, index
        return found

    def closing(self, opening: int) -> int | None:
        """Return the index of the partner of one opening bracket."""
        kinds = self.kinds
        open_: list[str] = []
        for index in range(opening, self.size):
            kind = kinds[index]
            if kind not in BRACKETS:
                continue
            if kind in OPENING:
                open_.append(OPENING[kind])
            elif kind == open_[-1]:
                open_.pop()
                if not open_:
                    return index
        return None

    def passed(self, index: int) -> int:
        """Return the index after a token, or after the partner of an opening bracket."""
        closing = self.closing(index) if self.kinds[index] in OPENING else None
        return (index if closing is None else closing) + 1

    # -- blanks ----------------------------------------------------------------------------------

    def is_blank(self, offset: int) -> bool:
        """Return whether a character is a blank, and no part of a line end."""
        return self.text[offset] in BLANKS and not self.text.startswith("\r\n", offset)

    def blanks_at(self, offset: int) -> tuple[int, int] | None:
        """Return the run of blanks around an offset; None within tokens, comments and heredocs."""
        low, high = self.gap_around(offset)
        for first, last in self.tokens.heredocs:
            if last <= offset:
                low = max(low, last)
            elif first <= offset:
                return None
            else:
                high = min(high, first)
        if not low <= offset < high or not self.is_blank(offset):
            return None
        start, end = offset, offset + 1
        while start > low and self.is_blank(start - 1):
            start -= 1
        while end < high and self.is_blank(end):
            end += 1
        return start, end

    def gap_around(self, offset: int) -> tuple[int, int]:
        """Return the piece between two tokens or comments around an offset; another within one."""
        index = bisect_right(self.starts, offset)
        low = self.ends[index - 1] if index else 0
        high = self.starts[index] if index < self.size else len(self.text)
        if offset < low and self.kinds[index - 1] is COMMENT:
            return gap_in_run(self.starts[index - 1], self.text, offset)
        return low, high

    def trailing_blanks(self) -> Iterator[tuple[int, int]]:
        """Yield the blanks at the end of a line or of the text."""
        text = self.text
        places: list[int] = []
        for blank in BLANKS:
            if blank in text:
                end = f"{blank}\n"
                at = text.find(end)
                while at >= 0:
                    places.append(at - 1 if blank == "\r" else at)
                    at = text.find(end, at + 2)
        places.sort()
        if text.endswith(BLANK_ENDS):
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
        at = self.text.find("\t")
        while at >= 0:
            found = self.blanks_at(at)
            if found:
                yield found
            at = self.text.find("\t", found[1] if found else at + 1)

    # -- strings ---------------------------------------------------------------------------------

    def is_single_quoted(self, index: int) -> bool:
        """Return whether a token is a string in single quotes."""
        return self.kinds[index] == "STRING" and self.text[self.starts[index]] == "'"

    def content(self, index: int) -> str:
        """Return the text of a string token between its quotes, as written."""
        written = self.written(index)
        if self.kinds[index] == HEREDOC:
            return written
        if written[:1] in {"'", '"'}:
            written = written[1:]
        if self.kinds[index] == "STRING":
            return written[:-1]
        return written.removesuffix("${") if self.kinds[index] == "DQPRE" else written

    @cached_property
    def unenclosed(self) -> frozenset[int]:
        """The indexes of the variables in strings that have no braces around them."""
        if "DQPRE" not in self.by_kind:
            return frozenset()
        text, kinds, starts, ends = self.text, self.kinds, self.starts, self.ends
        return frozenset(
            at
            for at in self.of_kind("VARIABLE")
            if kinds[at - 1] in BEFORE_UNENCLOSED
            and ends[at - 1] == (start := starts[at])
            and text[start] == "$"
            and text[start - 2 : start] != "${"
        )

    @cached_property
    def index_texts(self) -> list[tuple[int, int]]:
        """The places of indexes right behind variables, in the order of the text.

        They are a part of the variable for puppet-lint, which looks at no token in them. Each one ends
        at the first closing bracket of the line.
        """
        found: list[tuple[int, int]] = []
        for at in self.of_kind("VARIABLE"):
            if self.text[self.starts[at]] == "$" and self.text.startswith("[", self.ends[at]):
                index = INDEXES.match(self.text, self.ends[at])
                if index is not None and at not in self.unenclosed:
                    found.append(index.span())
        return found

    def is_in_index(self, start: int, end: int) -> bool:
        """Return whether a place is in an index right behind a variable."""
        before = bisect_right(self.index_texts, (start, len(self.text))) - 1
        return before >= 0 and end <= self.index_texts[before][1]

    # -- the tree --------------------------------------------------------------------------------

    @cached_property
    def by_class(self) -> dict[type, list[Node]]:
        """The nodes that have fields for others, by their class."""
        found: dict[type, list[Node]] = defaultdict(list)
        every: list[Any] = [self.result.program.body]
        for node in every:  # which grows meanwhile
            kind = node.__class__
            found[kind].append(node)
            for value in CHILD_VALUES[kind](node):
                if value.__class__ is list:
                    every += [one for one in value if one.__class__ not in LEAVES]
                elif value is not None and value.__class__ not in LEAVES:
                    every.append(value)
        return dict(found)

    @cached_property
    def with_braces(self) -> dict[type, list[Node]]:
        """The nodes that have a brace in their text, by their class; a fifth of all."""
        if self.tokens.heredocs:  # whose code is outside of the text of the node
            return self.by_class
        starts = self.starts
        braces = [*map(starts.__getitem__, self.of_kind("{")), len(self.text)]
        found: dict[type, list[Node]] = defaultdict(list)
        every: list[Any] = [self.result.program.body]
        for node in every:  # which grows meanwhile
            kind = node.__class__
            found[kind].append(node)
            for value in CHILD_VALUES[kind](node):
                if value.__class__ is list:
                    if value and braces[bisect_left(braces, value[0].start)] < value[-1].end:
                        every += [
                            one for one in value if braces[bisect_left(braces, one.start)] < one.end
                        ]
                elif (
                    value is not None
                    and value.__class__ not in LEAVES
                    and braces[bisect_left(braces, value.start)] < value.end
                ):
                    every.append(value)
        return dict(found)

    def all(self, *kinds: type) -> Iterator[Any]:
        """Yield the nodes of some classes, each class in the order of the text."""
        for kind in kinds:
            found = self.with_braces if kind in BRACED else self.by_class
            if kind in found:
                yield from sorted(found[kind], key=START)

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

    def index_of(self, node: Node) -> int:
        """Return the index of the first token of a node."""
        return bisect_right(self.starts, node.start) - 1

    def index_ending(self, end: int) -> int | None:
        """Return the index of the token that ends at an offset."""
        index = bisect_left(self.starts, end) - 1
        return index if index >= 0 and self.ends[index] == end else None

    @cached_property
    def bodies(self) -> list[Body]:
        """The attributes of all resources."""
        found: list[Body] = []
        starts, ends, kinds = self.starts, self.ends, self.kinds
        every = self.of_kind("=>")
        for resource in self.all(nodes.Resource):
            name = resource.type_name
            type_ = getattr(name, "value", "") if name.__class__ in TYPE_NAMES else ""
            for body in resource.bodies:
                title_end = body.title.end
                colon = bisect_left(starts, title_end)
                if colon == 0 or ends[colon - 1] != title_end:
                    continue
                while colon < self.size and kinds[colon] != ":":
                    colon += 1
                last = self.end_of_body(body, colon)
                arrows = every[bisect_left(every, colon) : bisect_left(every, last)]
                found.append(Body(resource, body, type_, colon, last, arrows))
        return found

    @cached_property
    def bodies_by_type(self) -> dict[str, list[Body]]:
        """The attributes of the resources of each type."""
        found: dict[str, list[Body]] = defaultdict(list)
        for body in self.bodies:
            found[body.type].append(body)
        return dict(found)

    def end_of_body(self, body: nodes.ResourceBody, colon: int) -> int:
        """Return the index of the ``;`` or ``}`` that ends the attributes after a colon."""
        index = colon + 1
        if body.operations:  # the tokens of its attributes need not be searched
            index = max(index, bisect_left(self.starts, body.operations[-1].end))
        kinds, size = self.kinds, self.size
        while index < size and kinds[index] not in AFTER_BODY:
            index = self.passed(index)
        return min(index, size - 1)

    def parameters(self, definition: Definition) -> tuple[int, int]:
        """Return the indexes of the parentheses around the parameters; the same twice without."""
        at = self.code_after(definition.name)
        if self.kind(at) != "(":
            return at, at
        closing = self.closing(at)
        return at, at if closing is None else closing

    def text_of(self, node: Node) -> str:
        """Return a node as written."""
        return self.text[node.start : node.end]
