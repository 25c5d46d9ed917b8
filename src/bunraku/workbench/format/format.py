"""Format a manifest."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.checks.checker import is_plan
from bunraku.dialects.puppet_8 import PUPPET_8
from bunraku.syntax.lexer import tokenize, tokenize_template
from bunraku.syntax.parser.blocks import program
from bunraku.syntax.parser.parser import run
from bunraku.syntax.parser.result import ParseResult
from bunraku.syntax.parser.templates import template
from bunraku.syntax.tokens import Tokens
from bunraku.workbench.format.alignment import set_columns
from bunraku.workbench.format.gaps import set_gaps
from bunraku.workbench.format.indents import set_indents
from bunraku.workbench.format.pieces import Style
from bunraku.workbench.format.reading import read_lines
from bunraku.workbench.format.regions import keep_marked, keep_others
from bunraku.workbench.format.same_code import comments_of, same_tokens, same_tree
from bunraku.workbench.format.structure import add_commas, structured
from bunraku.workbench.format.templates import spaced_template
from bunraku.workbench.format.writing import written_manifest

TAB = 2
"""The columns of a tab in an indent, as in puppet-lint's hard_tabs."""


@record()
class Formatted:
    """A text before and after formatting.

    ``errors`` are those of its syntax: then it is left as it is. ``problem`` says why a result is
    not used that would change more than the layout, which is a mistake of bunraku.
    """

    source: Source
    text: str
    errors: list[Diagnostic] = field(default_factory=list)
    problem: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether the text changes."""
        return self.text != self.source.text


def format_source(source: Source, style: Style, chosen: Sequence[range] | None = None) -> Formatted:
    """Return the formatted text of a manifest; with ``chosen``, only the code around some lines."""
    tokens, parsed = parse(source)
    if parsed.errors:
        return Formatted(source, source.text, parsed.errors)
    text = laid_out(source, tokens, parsed, style, chosen)
    if text == source.text:
        return Formatted(source, text)
    new = Source(text, source.path, is_template=source.is_template)
    after = parse(new)
    problem = change_of_code(source, (tokens, parsed), new, after)
    if not problem and chosen is None and laid_out(new, *after, style) != text:
        problem = "formatting the result again changes it"
    return Formatted(source, source.text if problem else text, problem=problem)


def parse(source: Source) -> tuple[Tokens, ParseResult]:
    """Return the tokens and the tree of a manifest or a template."""
    dialect = PUPPET_8
    if source.is_template:
        tokens = tokenize_template(source, dialect.syntax)
        return tokens, run(source, tokens, dialect.syntax, template)
    if is_plan(source):
        dialect = dialect.with_syntax(tasks=True)
    tokens = tokenize(source, dialect.syntax)
    return tokens, run(source, tokens, dialect.syntax, program)


def laid_out(
    source: Source,
    tokens: Tokens,
    parsed: ParseResult,
    style: Style,
    chosen: Sequence[range] | None = None,
) -> str:
    """Return the text of a manifest or a template in the right layout."""
    text = source.text
    if source.is_template:
        return spaced_template(source, tokens, parsed.program, chosen)
    lines = read_lines(text, tokens, parsed.program, style.step if style.tabs else TAB)
    keep_marked(lines, text)
    if chosen is not None:
        keep_others(lines, source, chosen)
    lines = structured(lines)
    add_commas(lines)
    for line in lines:
        if not line.kept:
            set_gaps(line)
    set_indents(lines, style.step)
    set_columns(lines)
    return written_manifest(text, lines, style)


def change_of_code(
    source: Source,
    before: tuple[Tokens, ParseResult],
    new: Source,
    after: tuple[Tokens, ParseResult],
) -> str:
    """Return what a formatted text changes apart from the layout; an empty text if nothing."""
    if after[1].errors:
        return "the result has syntax errors"
    if not same_tokens(before[0], after[0]):
        return "the result has other tokens"
    if comments_of(source.text, before[0]) != comments_of(new.text, after[0]):
        return "the result has other comments or heredocs"
    if not same_tree(before[1].program, after[1].program):
        return "the result has another syntax tree"
    return ""
