"""From text to tokens: one regular expression, and functions for tokens that it cannot match completely.

Words, numbers, operators, comments and plain strings are matched by the master pattern in one
step. Strings with escapes or interpolations, heredocs, regular expressions and the text of
templates are taken up where the pattern stops, and the pattern goes on after them. Nesting
(``"${ "${ … }" }"``) is a list of open strings, not recursion.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from bunraku.base.errors import Issue
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record, replace
from bunraku.base.source import Source
from bunraku.syntax import issues
from bunraku.syntax.epp import Template, TemplateError
from bunraku.syntax.escapes import (
    Escapes,
    ImpossibleCharacter,
    double_quote_escapes,
    unescape,
    unescape_single,
)
from bunraku.syntax.following import followed_by, unclosed
from bunraku.syntax.heredoc import HeredocText, TagError, heredoc_tag, heredoc_text
from bunraku.syntax.rules import SyntaxRules
from bunraku.syntax.tokens import Finding, Tokens

BLANKS = " \t\r\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
SPACES = frozenset(" \t\r\n\u00a0\u1680\u202f\u205f\u3000").union(map(chr, range(0x2000, 0x200B)))

PUNCTUATION = [
    "<<|",
    "|>>",
    "<|",
    "|>",
    "<<",
    "<=",
    "<-",
    "<~",
    ">>",
    ">=",
    "==",
    "=>",
    "=~",
    "!=",
    "!~",
    "+=",
    "+>",
    "-=",
    "->",
    "~>",
    "@@",
    ".",
    ",",
    ";",
    "?",
    "*",
    "%",
    ")",
    "]",
    "<",
    ">",
    "=",
    "!",
    "+",
    "-",
    "|",
    ":",
    "@",
]
INTERNED = {text: text for text in PUNCTUATION}

(NAME, PLAIN, STRING, TEXT, VARIABLE, COMMENT, BRACE, CLOSING, BRACKET, PARENTHESIS, REFERENCE,
 NUMBER, WORD, SLASH, NEWLINE, END, OTHER) = range(1, 18)  # fmt: skip

NO_REGEXP_AFTER = frozenset(
    [
        ")",
        "]",
        "|>",
        "|>>",
        "NAME",
        "CLASSREF",
        "NUMBER",
        "STRING",
        "BOOLEAN",
        "DQPOST",
        "HEREDOC",
        "REGEX",
        "VARIABLE",
        "WORD",
    ]
)
NEVER = -(1 << 62)
"""A depth of braces that no text has: nothing is open that a ``}`` could end."""


REGEXP = lazy_pattern(r"/([^/\\]*+(?:\\.[^/\\]*+)*+)/", re.DOTALL)
# The end is the first slash on the line; if a backslash precedes it, the first without one.
LINE_REGEXP = lazy_pattern(r"/([^/\n]*)/")
LATER_SLASH = lazy_pattern(r"(?<!\\)/")
# An empty string right before another quote takes that quote in, in Puppet: ''' is '\''.
SINGLE_QUOTED = lazy_pattern(r"'((?:'(?=(?:\\\\)*'))?[^'\\]*+(?:\\.[^'\\]*+)*+)'", re.DOTALL)
DIGITS_AND_WORD = lazy_pattern(r"[0-9A-Za-z_]+")
REFERENCE_LIKE = lazy_pattern("(?:[0-9A-Za-z_]|::)+")
GOOD_REFERENCE = lazy_pattern("(?:::)?[A-Z][0-9A-Za-z_]*(?:::[A-Z][0-9A-Za-z_]*)*")
DECIMAL = lazy_pattern(r"[0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?")
DOUBLE_QUOTED = lazy_pattern(
    r'((?:"(?=(?:\\\\)*["$]))?[^"\\$]*+(?:\\.[^"\\$]*+)*+)("|\$\{?)', re.DOTALL
)
ESCAPED = lazy_pattern(r"([^\\$]*+(?:\\.[^\\$]*+)*+\\?)(\$\{?|\Z)", re.DOTALL)
UNESCAPED = lazy_pattern(r"([^$]*+)(\$\{?|\Z)", re.DOTALL)
WHOLE = lazy_pattern(r"(.*)()\Z", re.DOTALL)


@lru_cache(maxsize=32)
def master_pattern(dialect: SyntaxRules, within_line: bool, template: bool) -> re.Pattern[str]:
    """Return the master pattern; ``within_line`` stops at a line end, ``template`` adds ``%>``.

    Exactly one group takes part in a match; its number identifies the token.
    """
    words = dialect.words
    spaces = BLANKS if within_line else BLANKS + "\n"
    # One match for lines of comments in succession: a fifth of the matches otherwise.
    # Python 3.11.2 loses the capture of a group with a possessive group in it.
    more_comments = "" if within_line else r"(?:\n[ \t]*+\#[^\n]*+)*"
    alternatives = [
        rf"({words.name})(?![0-9A-Za-z_-]|::)",
        f"({operators(dialect, template)})",
        r"'((?!'(?:\\\\)*')[^'\\]*+)'",
        r'"((?!"(?:\\\\)*["$])[^"\\$]*+)"',
        rf"\$({words.variable})",
        rf"(\#[^\n]*+{more_comments}|/\*.*?\*/)",
        r"(\{)",
        r"(\})",
        r"(\[)",
        r"(\()",
        f"({words.class_reference})",
        f"({words.number})",
        f"({words.word})",
        "(/)",
        r"(\n)",
        r"(\Z)",
        "(.)",
    ]
    return re.compile(f"[{spaces}]*+(?:{'|'.join(alternatives)})", re.DOTALL)


def operators(dialect: SyntaxRules, template: bool) -> str:
    """Return the pattern of the ``PUNCTUATION`` operators, grouped by first character for speed.

    A ``@(`` begins a heredoc, ``%>`` and ``-%>`` end a tag, ``::`` is part of a name.
    """
    remainder, minus = ("%(?!>)", "-(?!%>)[=>]?") if template else ("%", "-[=>]?")
    at = r"@@|@(?!\()" if dialect.words.heredocs else "@@?"
    return (
        rf"=[>=~]?|[,;)\].?*]|:(?!:)|{minus}|\|(?:>>?)?|<(?:<\|?|[|=~-])?|>[>=]?|![=~]?|\+[=>]?"
        rf"|~>|{at}|{remainder}"
    )


@record(eq=False)
class OpenString:
    """A string whose interpolation is being lexed."""

    part: re.Pattern[str]
    escapes: Escapes
    warns: bool
    closing: int
    first: int
    token: int


def tokenize(source: Source, dialect: SyntaxRules) -> Tokens:
    """Return the tokens of a manifest; mistakes become ERROR tokens."""
    lexer = Lexer(source.text, dialect)
    if source.text.startswith(("\ufeff", "\udcff\udcfe", "\udcfe\udcff")):
        lexer.stop(issues.ILLEGAL_BOM, 0, 1)
    else:
        lexer.scan(0)
    return lexer.tokens


def tokenize_template(source: Source, dialect: SyntaxRules) -> Tokens:
    """Return the tokens of an EPP template."""
    lexer = Lexer(source.text, dialect)
    lexer.template = Template(source.text)
    lexer.pattern = master_pattern(dialect, within_line=False, template=True)
    lexer.tokens.add("EPP_START", None, 0, 0)
    if source.text.startswith("\ufeff"):
        lexer.stop(issues.ILLEGAL_BOM, 0, 1)
    else:
        lexer.scan(lexer.template_text(0, False))
    return lexer.tokens


class LexicalTables:
    """The lexer's tables for a dialect, made once; rarely used ones are made when needed."""

    def __init__(self, dialect: SyntaxRules) -> None:
        self.words = dialect.words
        self.pattern = master_pattern(dialect, within_line=False, template=False)
        self.keywords = {
            word: "BOOLEAN" if word in {"true", "false"} else word for word in dialect.keywords
        }
        self.escapes = double_quote_escapes(dialect)

    @cached_property
    def name(self) -> re.Pattern[str]:
        """A whole name."""
        return re.compile(self.words.name)

    @cached_property
    def variable(self) -> re.Pattern[str]:
        """The name of a variable."""
        return re.compile(self.words.variable)


lexical_tables = lru_cache(maxsize=32)(LexicalTables)


class Lexer:
    """The state of lexing one text (a manifest, a template, or the text of a heredoc)."""

    def __init__(self, text: str, dialect: SyntaxRules) -> None:
        self.text = text
        self.dialect = dialect
        self.tokens = Tokens()
        self.open_strings: list[OpenString] = []
        self.depth = 0
        self.closing = NEVER
        self.line_start = 0
        self.jump: int | None = None
        self.template: Template | None = None
        self.tables = tables = lexical_tables(dialect)
        self.pattern = tables.pattern
        self.keywords = tables.keywords
        self.escapes = tables.escapes
        self.nests = dialect.words.nested_interpolations

    # The loop is long because a call a token would cost half of the speed.
    def scan(self, at: int) -> None:  # noqa: PLR0915
        """Lex from an offset to the end, adding to ``tokens``."""
        text = self.text
        tokens = self.tokens
        kinds, values, starts, ends = tokens.kinds, tokens.values, tokens.starts, tokens.ends
        add_kind, add_value = kinds.append, values.append
        add_start, add_end = starts.append, ends.append
        keyword = self.keywords.get
        while at >= 0:
            pattern = self.pattern
            if self.jump is not None:
                pattern = master_pattern(self.dialect, True, self.template is not None)
            for match in pattern.finditer(text, at):
                found: int = match.lastindex  # type: ignore[assignment]
                value = match[found]
                start, end = match.span(found)
                if found <= PLAIN:
                    add_kind(INTERNED[value] if found == PLAIN else keyword(value, "NAME"))
                elif found == VARIABLE:
                    add_kind("VARIABLE")
                    start -= 1
                elif found <= TEXT:
                    add_kind("STRING")
                    start -= 1
                    end += 1
                elif found == BRACE:
                    self.depth += 1
                    add_kind("SELBRACE" if kinds and kinds[-1] == "?" else "{")
                elif found == CLOSING:
                    self.depth -= 1
                    if self.depth == self.closing:
                        at = self.resume_string(start)
                        break
                    add_kind("}")
                elif found == BRACKET:
                    spaced = start == 0 or text[start - 1] in SPACES
                    add_kind("LISTSTART" if spaced else "[")
                elif found == PARENTHESIS:
                    gap = match.start()
                    first = gap == self.line_start or text.find("\n", gap, start) >= 0
                    add_kind("WSLPAREN" if first else "(")
                elif found == REFERENCE:
                    add_kind("CLASSREF")
                elif found == COMMENT:
                    tokens.comment_runs.append((start, end))
                    continue
                elif found == NUMBER:
                    if not value.isdecimal() or value[0] == "0":
                        issue = number_issue(value)
                        if issue is not None:
                            self.fail(issue, start, end, value=value)
                            continue
                    add_kind("NUMBER")
                elif found == WORD:
                    at = self.word(value, start, end)
                    if at == end:
                        continue
                    break
                elif found == NEWLINE:
                    assert self.jump is not None
                    at = self.line_start = self.jump
                    self.jump = None
                    break
                elif found == SLASH:
                    at = self.slash(start)
                    if at == end:
                        continue
                    break
                elif found == END:
                    at = self.finish()
                    break
                else:
                    at = self.other(value, start)
                    if at == end and self.jump is None:
                        continue
                    break
                add_value(value)
                add_start(start)
                add_end(end)

    # -- mistakes --------------------------------------------------------------------------------

    def fail(self, issue: Issue, start: int, end: int, **arguments: object) -> None:
        """Put a mistake among the tokens."""
        self.tokens.add("ERROR", Finding(issue, arguments, start, end), start, end)

    def stop(self, issue: Issue, start: int, end: int, **arguments: object) -> int:
        """Put a mistake among the tokens after which nothing can be understood.

        Within a string it covers the whole string, which cannot be parsed either.
        """
        earlier = None
        if self.open_strings:
            index = self.open_strings[0].token
            if "ERROR" in self.tokens.kinds[index:]:
                earlier = self.tokens.values[self.tokens.kinds.index("ERROR", index)]
            self.tokens.drop_from(index)
        if earlier is not None:
            self.tokens.add("ERROR", earlier, earlier.start, earlier.end)
        else:
            self.fail(issue, start, end, **arguments)
        self.tokens.add("END", None, len(self.text), len(self.text))
        return -1

    def finish(self) -> int:
        """Handle the end of the text, where no string or bracket may be open."""
        end = len(self.text)
        while self.open_strings:
            string = self.open_strings[-1]
            if string.part is DOUBLE_QUOTED:
                return self.unclosed(end, '"')
            # The end of a heredoc ends an interpolation that is still open in it, in Puppet.
            self.resume_string(end - 1)
        if self.template is not None and self.template.opened is not None:
            return self.stop(issues.EPP_UNBALANCED_TAG, end, end)
        self.tokens.add("END", None, end, end)
        return -1

    # -- words, and tokens that the pattern finds only in part ------------------------------------

    def word(self, value: str, start: int, end: int) -> int:
        """Read a bare word, or a name before an unrelated dash or ``::``; return its end."""
        if self.tables.name.fullmatch(value):
            self.tokens.add(self.keywords.get(value, "NAME"), value, start, end)
        elif value.startswith("_") and not self.dialect.words_start_with_underscore:
            self.fail(issues.ILLEGAL_BARE_WORD, start, end, value=value)
        else:
            self.tokens.add("WORD", value, start, end)
        return end

    def slash(self, start: int) -> int:
        """Read a regular expression where one is allowed, otherwise a division; return its end."""
        text, kinds = self.text, self.tokens.kinds
        if text.startswith("/*", start):
            return self.stop(issues.UNCLOSED_COMMENT, start, start + 2)
        if not kinds or kinds[-1] not in NO_REGEXP_AFTER:
            if self.dialect.words.regexps_in_one_line:
                return self.line_regexp(start)
            match = REGEXP.match(text, start)
            if match:
                self.tokens.add("REGEX", match[1].replace("\\/", "/"), start, match.end())
                return match.end()
        self.tokens.add("/", "/", start, start + 1)
        return start + 1

    def line_regexp(self, start: int) -> int:
        """Read a regular expression that ends on its line, otherwise a division; return its end."""
        match = LINE_REGEXP.match(self.text, start)
        if match is None:
            self.tokens.add("/", "/", start, start + 1)
            return start + 1
        end = match.end()
        if self.text[end - 2] == "\\":
            later = LATER_SLASH.search(self.text, end)
            if later is None:
                return self.stop(issues.UNCLOSED_REGEXP, start, end)
            end = later.end()
        pattern = self.text[start + 1 : end - 1].replace("\\/", "/")
        self.tokens.add("REGEX", pattern, start, end)
        return end

    def other(self, character: str, start: int) -> int:
        """Read a token whose first character does not determine its kind; return its end."""
        text = self.text
        if character == '"':
            return self.string_part(
                OpenString(DOUBLE_QUOTED, self.escapes, True, NEVER, 0, len(self.tokens)),
                start, start + 1, True,
            )  # fmt: skip
        if character == "'":
            return self.single_quoted(start)
        if character == "@":
            return self.heredoc(start)
        if character == "$":
            self.tokens.add("VARIABLE", "", start, start + 1)
        elif character == ":":
            return self.qualified(start)
        elif "A" <= character <= "Z":
            return self.bad_reference(start)
        elif "0" <= character <= "9":
            return self.bad_number(start)
        elif self.template is not None and text.startswith(("%>", "-%>"), start):
            return self.close_tag(start)
        elif "\udc80" <= character <= "\udcff":
            byte = f"0x{ord(character) - 0xDC00:02X}"
            end = start + 1
            while text[end : end + 1] >= "\udc80" and text[end] <= "\udcff":
                end += 1
            self.fail(issues.INVALID_UTF8, start, end, byte=byte)
            return end
        else:
            self.tokens.add("OTHER", character, start, start + 1)
        return start + 1

    def bad_reference(self, start: int) -> int:
        """Report a type name with an invalid segment after ``::``; return its end."""
        end = self.reference_end(start)
        value = self.text[start:end]
        good = GOOD_REFERENCE.match(value)
        place = min(start + (good.end() if good else 0) + 1, len(self.text))
        self.fail(issues.ILLEGAL_REFERENCE, place, max(end, place), value=value)
        return end

    def reference_end(self, start: int) -> int:
        """Return the end of the run of word characters and ``::`` at an offset."""
        match = REFERENCE_LIKE.match(self.text, start)
        return match.end() if match else start + 1

    def qualified(self, start: int) -> int:
        """Read a ``::`` without a name after it; return its end."""
        end = self.reference_end(start)
        value = self.text[start:end]
        if value[2:3].isupper():
            good = GOOD_REFERENCE.match(value)
            place = min(start + (good.end() if good else 0) + 3, len(self.text))
            self.fail(issues.ILLEGAL_QUALIFIED_REFERENCE, place, max(end, place), value=value)
        else:
            self.fail(issues.ILLEGAL_QUALIFIED_NAME, start + 2, max(end, start + 2))
        return end

    def bad_number(self, start: int) -> int:
        """Report digits that run into other characters; return their end."""
        text = self.text
        match = DIGITS_AND_WORD.match(text, start)
        assert match is not None
        end, begin = match.end(), start
        if start > 1 and text[start - 1] == "." and text[start - 2].isdecimal():
            begin = start - 2
            while begin > 0 and text[begin - 1].isdecimal():
                begin -= 1
        value = text[begin:end]
        issue = None if self.dialect.puppet_3_codes else number_issue(value)
        place = begin if issue else start + 1
        self.fail(issue or issues.ILLEGAL_NUMBER, place, max(end, place), value=value)
        return end

    # -- strings ---------------------------------------------------------------------------------

    def single_quoted(self, start: int) -> int:
        """Read a single-quoted string with a backslash or without an end; return its end."""
        match = SINGLE_QUOTED.match(self.text, start)
        if not match:
            return self.unclosed(start + 1, "'")
        self.tokens.add("STRING", unescape_single(match[1]), start, match.end())
        return match.end()

    def unclosed(self, at: int, opener: str) -> int:
        """Stop at a string that has no end."""
        return self.stop(issues.UNCLOSED_QUOTE, at, at, **unclosed(self.text, at, opener))

    def string_part(self, string: OpenString, start: int, at: int, first: bool) -> int:
        """Read text and ``$name`` of a string up to its end or ``${``; return where it stopped.

        ``start`` is where the token of the text begins (at the quote), ``at`` the text itself.
        """
        text, tokens = self.text, self.tokens
        pieces: list[str] = []
        while True:
            match = string.part.match(text, at)
            if not match:
                self.open_strings.append(string)
                return self.unclosed(at, '"')
            value, mark = match.groups()
            if "\\" in value:
                try:
                    value = self.unescaped(value + mark, string, at)
                except ImpossibleCharacter:
                    self.fail(issues.IMPOSSIBLE_UNICODE_ESCAPE, at, match.end())
                    value = ""
                value = value[: len(value) - len(mark)]
            pieces.append(value)
            at = match.end()
            if mark == "${":
                kind = "DQPRE" if first else "DQMID"
                tokens.add(kind, "".join(pieces), start, at)
                closing = self.depth
                self.depth += 1
                string.closing, string.first = self.closing, len(tokens.kinds)
                self.open_strings.append(string)
                self.closing = closing
                return at
            if mark != "$":
                kind = "DQPOST" if not first else "STRING"
                tokens.add(kind, "".join(pieces), start, at)
                if not first and self.open_strings and not self.nests:
                    tokens.rotate(self.open_strings[0].token)
                return at if string.part is DOUBLE_QUOTED else -1
            name = self.tables.variable.match(text, at)
            if name:
                tokens.add("DQPRE" if first else "DQMID", "".join(pieces), start, at - 1)
                tokens.add("VARIABLE", name[0], at - 1, name.end())
                first = False
                pieces = []
                start = at = name.end()
            else:
                pieces.append("$")

    def resume_string(self, brace: int) -> int:
        """Read the ``}`` of an interpolation and more of the string; return where it stopped."""
        string = self.open_strings.pop()
        self.closing = string.closing
        self.name_to_variable(string.first)
        return self.string_part(string, brace + 1, brace + 1, False)

    def name_to_variable(self, first: int) -> None:
        """Turn the word of ``${name}``, ``${name[…`` or ``${name.…`` into a variable.

        ``${true}``, ``${false}`` and ``${undef}`` are left as the values that they are.
        """
        kinds, values = self.tokens.kinds, self.tokens.values
        count = len(kinds) - first
        if count < 1 or (count > 1 and kinds[first + 1] not in (".", "[")):
            return
        kind = kinds[first]
        if self.dialect.words.keywords_name_variables and (
            kind in self.keywords or kind == "BOOLEAN"
        ):
            pass
        elif kind in self.keywords:
            if (kind == "undef" and count == 1) or (count > 1 and not self.dialect.keyword_chains):
                return
        elif kind not in ("NAME", "NUMBER", "WORD"):
            return
        kinds[first] = "VARIABLE"
        values[first] = self.text[self.tokens.starts[first] : self.tokens.ends[first]]

    def unescaped(self, text: str, string: OpenString, offset: int) -> str:
        """Return the text with escapes resolved; warn of unknown ones if the string does so."""

        def unknown(character: str, at: int) -> None:
            issue = issues.UNRECOGNIZED_ESCAPE
            if character == "u" and "u" in string.escapes:
                issue = issues.ILLEGAL_UNICODE_ESCAPE
            place = offset + at
            finding = Finding(issue, {"character": character}, place, place + 2)
            self.tokens.warnings.append(finding)

        return unescape(text, string.escapes, unknown if string.warns else None)

    # -- heredocs and templates ------------------------------------------------------------------

    def heredoc(self, start: int) -> int:
        """Read ``@(tag)``, whose text begins on the next free line; return the tag's end."""
        text = self.text
        close = text.find(")", start)
        if close < 0:
            issue = issues.HEREDOC_UNCLOSED_PARENTHESIS
            return self.stop(issue, start, start + 2, followed=followed_by(self.text, start))
        end = close + 1
        try:
            tag = heredoc_tag(text[start:end])
            body = heredoc_text(text, tag, end, self.jump, self.dialect)
        except TagError as error:
            # The text of the heredoc, or possibly so: it cannot be lexed as code.
            place = error.place or end
            return self.stop(error.issue, place, place, **error.arguments)
        self.tokens.add("HEREDOC", tag.syntax, start, end)
        self.tokens.heredocs.append((self.jump or text.find("\n", end) + 1, body.next_line))
        self.jump = body.next_line
        inner = Lexer(body.text, self.dialect)
        if not tag.interpolates:
            part = WHOLE
        elif "$" in tag.escapes:
            part = ESCAPED
        else:
            part = UNESCAPED
        at = inner.string_part(OpenString(part, tag.escapes, False, NEVER, 0, 0), 0, 0, True)
        if at >= 0:
            inner.scan(at)
        self.take(inner.tokens, body)
        return end

    def take(self, tokens: Tokens, body: HeredocText) -> None:
        """Add the tokens of a heredoc's text, with their places in the whole text."""
        mine = self.tokens
        place = body.place
        if tokens.kinds[-1] == "END":
            for column in (tokens.kinds, tokens.values, tokens.starts, tokens.ends):
                column.pop()
        mine.kinds += tokens.kinds
        mine.values += [
            replace(value, start=place(value.start), end=place(value.end))
            if isinstance(value, Finding)
            else value
            for value in tokens.values
        ]
        mine.starts += map(place, tokens.starts)
        mine.ends += map(place, tokens.ends)
        mine.comment_runs += [(place(start), place(end)) for start, end in tokens.comment_runs]
        for finding in tokens.warnings:
            mine.warnings.append(
                replace(finding, start=place(finding.start), end=place(finding.end))
            )

    def close_tag(self, start: int) -> int:
        """Read ``%>`` or ``-%>`` and the text up to the next tag; return where it stopped."""
        template = self.template
        assert template is not None
        trims = self.text[start] == "-"
        end = start + (3 if trims else 2)
        if self.open_strings:
            return self.unclosed(start, '"')
        if template.renders:
            self.tokens.add("EPP_END", self.text[start:end], start, end)
        return self.template_text(end, trims)

    def template_text(self, start: int, trims: bool) -> int:
        """Read the text of a template up to the next code; return its end."""
        template = self.template
        assert template is not None
        try:
            value, at = template.text(start, trims)
        except TemplateError as error:
            return self.stop(error.issue, error.start, len(self.text))
        if value or (value is not None and template.opened is None):
            self.tokens.add("RENDER_STRING", value, start, at)
        if template.opened is not None and template.renders:
            # Puppet places a stray tag at the beginning of the text before it.
            self.tokens.add("RENDER", template.opened, start, at)
        return at


def number_issue(value: str) -> Issue | None:
    """Return the syntax problem of a number, if any.

    >>> number_issue("0x1F"), number_issue("017"), number_issue("1.5e-3")
    (None, None, None)
    >>> number_issue("08").code
    'INVALID_OCTAL_NUMBER'
    """
    if value[:2] in ("0x", "0X"):
        return None if re.fullmatch("[0-9A-Fa-f]+", value[2:]) else issues.INVALID_HEX_NUMBER
    if len(value) > 1 and value[0] == "0" and value[1] != ".":
        return None if re.fullmatch("[0-7]+", value) else issues.INVALID_OCTAL_NUMBER
    if re.match("[0-9]+[eE.]", value):
        if not DECIMAL.fullmatch(value):
            return issues.INVALID_DECIMAL_NUMBER
        return issues.NUMBER_TOO_BIG if float(value) == float("inf") else None
    return None if value.isdecimal() else issues.ILLEGAL_NUMBER
