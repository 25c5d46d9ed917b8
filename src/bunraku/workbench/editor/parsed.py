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
from bunraku.syntax.edited_tree import EditedTree, edited_tree, result_after_edit
from bunraku.syntax.nodes import Node, Nop, Program, children
from bunraku.syntax.parser import parser
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
"""The edited manifests whose tokens and trees for edits stay in memory."""
MOST_TEXT = 3_000_000
"""The characters of texts whose trees stay in memory: a tree takes some 20 bytes a character."""


@record(eq=False, slots=False)
class ParsedFile:
    """A manifest or an EPP template with its syntax tree.

    The tree of a text with mistakes lacks the statements around the mistakes; ``tokens`` has all. The next edit changes
    the tree, unless it ``is_lent`` to code that keeps it.
    """

    source: Source
    program: Program
    diagnostics: list[Diagnostic]
    dialect: Dialect
    results: dict[Callable[..., Any], Any] = field(default_factory=dict)
    is_lent: bool = False

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens, also of code that does not parse."""
        return self.dialect.tokenize(self.source)

    def lent_program(self) -> Program:
        """Return the tree for code that keeps it while the text is edited."""
        self.is_lent = True
        return self.program

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
    own = None if tokens is None else tokens.with_own_warnings()
    result = dialect.parse(source, own)
    program = result.program
    if result.errors and isinstance(program.body, Nop):
        program = program_when_closed(source, dialect, tokens)
    return ParsedFile(source, program, list(result.diagnostics), dialect)


def program_when_closed(source: Source, dialect: Dialect, tokens: Tokens | None) -> Program:
    """Return the program of a text behind which open brackets are closed."""
    if tokens is None:
        tokens = dialect.tokenize(Source(source.text))
    closed = Source(f"{source.text}\n{closing_brackets(source.text, tokens)}", source.path)
    closed.is_template = source.is_template
    edit = None
    if is_edited_in_parts(source, dialect):
        edit = tokens_after_edit(LexedText(source.text, tokens), closed, dialect.syntax)
    return dialect.parse(closed, None if edit is None else edit.tokens).program


def is_edited_in_parts(source: Source, dialect: Dialect) -> bool:
    """Return whether a part of a text can be lexed and parsed: a manifest in the language since Puppet 4."""
    return not source.is_template and dialect.grammar.parser == parser.__name__


def closing_brackets(text: str, tokens: Tokens) -> str:
    """Return the quote and the brackets that close what is open at the end of a text.

    >>> from bunraku.dialects.languages import dialect_named
    >>> text = "class a { file { 'x': mode => [1"
    >>> closing_brackets(text, dialect_named("8").tokenize(Source(text)))
    ']}}'
    """
    found: list[str] = []
    for kind, value in zip(tokens.kinds, tokens.values, strict=True):
        if kind == "ERROR":
            found.append(str(value.arguments.get("opener", "")))
            found.append("}" if OPEN_INTERPOLATION.search(text) else "")
        elif kind in CLOSERS:
            found.append(CLOSERS[kind])
        elif found and kind == found[-1]:
            found.pop()
    return "".join(reversed(found))


@record(eq=False, slots=False)
class EditedFile:
    """A manifest that is edited: its tokens without the warnings of the parser, and its tree."""

    lexed: LexedText
    parsed: ParsedFile

    @cached_property
    def tree(self) -> EditedTree | None:
        """The tree for edits; None if it has findings of the parser, or other code keeps it."""
        if self.parsed.is_lent or len(self.parsed.diagnostics) > len(self.lexed.tokens.warnings):
            return None
        return edited_tree(self.parsed.program, self.lexed.tokens)


class EditedFiles:
    """The last manifests that were edited: after an edit, only the text around it is lexed and parsed."""

    def __init__(self) -> None:
        self.files: OrderedDict[tuple[str, Dialect], EditedFile] = OrderedDict()

    def parsed(self, source: Source, dialect: Dialect) -> ParsedFile:
        """Return the tree of a manifest, which can be the changed one of its text before."""
        key = source.path, dialect
        before = self.files.pop(key, None)
        made = None if before is None else file_after_edit(before, source, dialect)
        if made is None:
            tokens = dialect.tokenize(source)
            made = edited_file(source, dialect, tokens)
        self.files[key] = made
        while len(self.files) > MOST_EDITED:
            self.files.popitem(last=False)
        return made.parsed


def edited_file(source: Source, dialect: Dialect, tokens: Tokens) -> EditedFile:
    """Return a manifest whose tokens are known."""
    parsed = parse_file(source, dialect, tokens)
    return EditedFile(LexedText(source.text, tokens), with_tokens(parsed, tokens))


def file_after_edit(before: EditedFile, source: Source, dialect: Dialect) -> EditedFile | None:
    """Return a manifest after an edit; None if all of it must be lexed. The tree of the one before may change."""
    edit = tokens_after_edit(before.lexed, source, dialect.syntax)
    if edit is None:
        return None
    tree = before.tree
    result = None if tree is None else result_after_edit(tree, source, edit, dialect.syntax)
    if result is None:
        return edited_file(source, dialect, edit.tokens)
    parsed = ParsedFile(source, result.program, result.diagnostics, dialect)
    made = EditedFile(LexedText(source.text, edit.tokens), with_tokens(parsed, edit.tokens))
    vars(made)["tree"] = tree
    return made


def with_tokens(parsed: ParsedFile, tokens: Tokens) -> ParsedFile:
    """Return a parsed text whose tokens are known."""
    vars(parsed)["tokens"] = tokens
    return parsed


class ParsedFiles:
    """Parsed files by path; those whose text is another object are parsed again.

    The least recently used trees are dropped when they take too much memory.
    """

    def __init__(self, most: int = MOST_TEXT) -> None:
        self.most = most
        self.size = 0
        self.files: OrderedDict[str, ParsedFile] = OrderedDict()
        self.edited = EditedFiles()

    def parsed(self, source: Source, dialect: Dialect) -> ParsedFile:
        """Return the tree of a text."""
        path = source.path
        known = self.files.get(path)
        if known is not None and known.dialect is dialect and known.source.text == source.text:
            self.files.move_to_end(path)
            return known
        self.forget(path)
        if not source.on_disk and is_edited_in_parts(source, dialect):
            made = self.edited.parsed(source, dialect)
        else:
            made = parse_file(source, dialect)
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
