"""Parsed texts: trees also of code with mistakes, and caches by content."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any, TypeVar
from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.syntax.edited_tokens import LexedText, tokens_after_edit
from bunraku.syntax.lexer import tokenize, tokenize_template
from bunraku.syntax.nodes import Node, Nop, Program, children
from bunraku.syntax.tokens import Tokens

R = TypeVar("R")
PUPPET_CODE = (".pp", ".epp")
CLOSERS = {
    "{": "}",
    "SELBRACE": "}",
    "[": "]",
    "LISTSTART": "]",
    "(": ")",
    "WSLPAREN": ")",
}
"""Kinds of tokens that open a bracket, with those that close it."""
OPEN_INTERPOLATION = lazy_pattern(r"\$\{[^}]*\Z")
MOST_EDITED = 3
"""The edited manifests whose tokens stay in memory."""
MOST_TEXT = 3_000_000
"""The characters of texts whose trees stay in memory: a tree takes some 20 bytes a character."""


@record(eq=False, slots=False)
class ParsedFile:
    """A manifest or an EPP template with its syntax tree.

    The tree of a text with mistakes lacks the statements around the mistakes; ``tokens`` has all.
    """

    source: Source
    program: Program
    diagnostics: list[Diagnostic]
    dialect: Dialect
    results: dict[Callable[..., Any], Any] = field(default_factory=dict)

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens, also of code that does not parse."""
        read = tokenize_template if self.source.is_template else tokenize
        return read(self.source, self.dialect.syntax)

    @property
    def has_errors(self) -> bool:
        """Whether the text has mistakes."""
        return any(one.severity == "error" for one in self.diagnostics)

    @cached_property
    def roots(self) -> list[Node]:
        """The nodes that have all others below them.

        A mistake that ends the parsing leaves no body; then these are the outermost definitions.
        """
        body = self.program.body
        if not (isinstance(body, Nop) and self.program.definitions):
            return [body]
        found: list[Node] = []
        for one in sorted(self.program.definitions, key=lambda node: (node.start, -node.end)):
            if not found or one.start >= found[-1].end:
                found.append(one)
        return found

    def remembered(self, function: Callable[[ParsedFile], R]) -> R:
        """Return the result of a function of this file alone, which is computed once."""
        if function not in self.results:
            self.results[function] = function(self)
        found: R = self.results[function]
        return found

    def path_to(self, offset: int) -> list[Node]:
        """Return the nodes around an offset, the outermost first."""
        found: list[Node] = []
        waiting = list(self.roots)
        while waiting:
            node = waiting.pop()
            if node.start <= offset <= node.end:
                found.append(node)
                waiting = list(children(node))
        return found


def parse_file(source: Source, dialect: Dialect, tokens: Tokens | None = None) -> ParsedFile:
    """Return a parsed text; ``tokens`` are those of a manifest, if they are known.

    If a mistake leaves no tree, open brackets are closed behind the text, as its author will do.
    """
    result = dialect.parse(source, tokens)
    program = result.program
    if result.errors and isinstance(program.body, Nop):
        closed = Source(f"{source.text}\n{closing_brackets(source, dialect)}", source.path)
        closed.is_template = source.is_template
        program = dialect.parse(closed).program
    return ParsedFile(source, program, list(result.diagnostics), dialect)


def closing_brackets(source: Source, dialect: Dialect) -> str:
    """Return the quote and the brackets that close what is open at the end of a text.

    >>> from bunraku.dialects.languages import dialect_named
    >>> closing_brackets(Source("class a { file { 'x': mode => [1"), dialect_named("8"))
    ']}}'
    """
    found: list[str] = []
    tokens = tokenize(source, dialect.syntax)
    for kind, value in zip(tokens.kinds, tokens.values, strict=True):
        if kind == "ERROR":
            found.append(str(value.arguments.get("opener", "")))
            found.append("}" if OPEN_INTERPOLATION.search(source.text) else "")
        elif kind in CLOSERS:
            found.append(CLOSERS[kind])
        elif found and kind == found[-1]:
            found.pop()
    return "".join(reversed(found))


class EditedTexts:
    """The tokens of the last manifests that were edited: after an edit, only the text around it is lexed."""

    def __init__(self) -> None:
        self.texts: OrderedDict[tuple[str, Dialect], LexedText] = OrderedDict()

    def tokens(self, source: Source, dialect: Dialect) -> Tokens:
        """Return the tokens of a manifest for a parser."""
        key = source.path, dialect
        before = self.texts.pop(key, None)
        found = None if before is None else tokens_after_edit(before, source, dialect.syntax)
        if found is None:
            found = tokenize(source, dialect.syntax)
        self.texts[key] = LexedText(source.text, found)
        while len(self.texts) > MOST_EDITED:
            self.texts.popitem(last=False)
        return found.with_own_warnings()


class ParsedFiles:
    """Parsed files by path; those whose text is another object are parsed again.

    The least recently used trees are dropped when they take too much memory.
    """

    def __init__(self, most: int = MOST_TEXT) -> None:
        self.most = most
        self.size = 0
        self.files: OrderedDict[str, ParsedFile] = OrderedDict()
        self.edited = EditedTexts()

    def parsed(self, source: Source, dialect: Dialect) -> ParsedFile:
        """Return the tree of a text."""
        path = source.path
        known = self.files.get(path)
        if known is not None and known.dialect is dialect and known.source.text == source.text:
            self.files.move_to_end(path)
            return known
        is_edited = not source.on_disk and not source.is_template
        made = parse_file(
            source, dialect, self.edited.tokens(source, dialect) if is_edited else None
        )
        self.forget(path)
        self.files[path] = made
        self.size += len(source.text)
        while self.size > self.most and len(self.files) > 1:
            self.forget(next(iter(self.files)))
        return made

    def forget(self, path: str) -> None:
        """Drop the tree of a file."""
        known = self.files.pop(path, None)
        if known is not None:
            self.size -= len(known.source.text)
