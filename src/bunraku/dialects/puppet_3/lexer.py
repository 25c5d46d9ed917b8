"""From text to tokens, by the words of Puppet 3.

A master pattern finds most tokens; the meaning of a ``/``, a ``}`` or a word depends on the
token before it and on whether a string is open around it. Nothing raises: a mistake is an ERROR
token, which the parser meets when it gets there.
"""

from __future__ import annotations

import re
from typing import Final

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.source import Source
from bunraku.dialects.puppet_3.issues import DASH_IN_VARIABLE, NO_TEMPLATES
from bunraku.dialects.puppet_3.strings import (
    DOUBLE_QUOTE_END,
    SINGLE_QUOTE_END,
    double_quoted,
    single_quoted,
)
from bunraku.syntax import issues
from bunraku.syntax.following import unclosed
from bunraku.syntax.rules import SyntaxRules
from bunraku.syntax.tokens import Finding, Tokens

WORD: Final = "[0-9A-Za-z_]"
SEGMENT: Final = "[-0-9A-Za-z_]"
NAME: Final = rf"(?:::)?[a-z0-9]{SEGMENT}*(?:::[a-z0-9]{SEGMENT}*)*"
CLASS_REFERENCE: Final = rf"(?:(?:::)?[A-Z]{SEGMENT}*)+"
VARIABLE_NAME: Final = rf"(?:::)?(?:{WORD}+::)*{WORD}+"
DASHED_VARIABLE_NAME: Final = rf"(?:::)?(?:{SEGMENT}+::)*{SEGMENT}+"

MASTER: Final = (
    rf"[ \t\r\n]*+(?:(?P<name>{NAME})"
    r"|\$(?P<variable>VARIABLE)"
    rf"|(?P<reference>{CLASS_REFERENCE})"
    r"|(?P<single>')|(?P<double>\")"
    r"|(?P<comment>\#[^\n]*|/\*(?s:.*?)\*/)"
    r"|(?P<operator><<\||\|>>|\+=|==|>=|<=|!=|->|<-|~>|<~|<\||\|>|=>|\+>|<<|>>|=~|!~"
    r"|[][{}()=<>!,.:@;?\\+\-/*%])"
    r"|(?P<end>\Z)|(?P<other>))"
)
FIRST: Final = r"[ \t\r\n]*+(?P<variable>VARIABLE)"
"""The name after ``${``, which is tried first: any word there is a variable."""
PATTERNS: Final = {
    dashes: tuple(
        re.compile(text.replace("VARIABLE", name)) for text in (MASTER, FIRST, "VARIABLE")
    )
    for dashes, name in ((False, VARIABLE_NAME), (True, DASHED_VARIABLE_NAME))
}
"""The patterns by whether variables may have dashes; the third is a variable within a string."""
NUMBER: Final = lazy_pattern(
    rf"(?:0[xX][0-9A-Fa-f]+|[0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?)(?!{WORD})"
)
REGEXP: Final = lazy_pattern(r"/[^/\n]*/")
REST_OF_WORD: Final = lazy_pattern(r"\S+")
PLAIN_NUMBER: Final = lazy_pattern(r"[0-9]+(?:\.[0-9]+)?")

KEYWORDS: Final = frozenset(
    [
        "and",
        "case",
        "class",
        "default",
        "define",
        "else",
        "elsif",
        "if",
        "import",
        "in",
        "inherits",
        "node",
        "or",
        "undef",
        "unless",
    ]
)
BOOLEANS: Final = frozenset({"true", "false"})
BEFORE_REGEXP: Final = frozenset({"node", "{", "}", "=~", "!~", ","})
OPEN_STRING: Final = frozenset({"DQPRE", "DQMID"})


def tokenize(source: Source, dialect: SyntaxRules) -> Tokens:
    """Return the tokens of a manifest.

    >>> from bunraku.dialects.puppet_3_8 import PUPPET_3_8
    >>> tokenize(Source("$a = 1.5 # text"), PUPPET_3_8.syntax).kinds
    ['VARIABLE', '=', 'NAME', 'END']
    """
    return Lexer(source, dialect).run()


def tokenize_template(source: Source, _dialect: SyntaxRules) -> Tokens:
    """Return the error for an EPP template: this language has none.

    >>> from bunraku.dialects.puppet_3_8 import PUPPET_3_8
    >>> tokenize_template(Source("<%= 1 %>"), PUPPET_3_8.syntax).kinds
    ['ERROR', 'END']
    """
    end = len(source.text)
    tokens = Tokens()
    finding = Finding(NO_TEMPLATES, {}, 0, min(1, end))
    tokens.add("ERROR", finding, 0, end)
    tokens.add("END", None, end, end)
    return tokens


class Lexer:
    """The text, its tokens, and the number of strings open at the current place."""

    def __init__(self, source: Source, dialect: SyntaxRules) -> None:
        self.text = source.text
        self.dialect = dialect
        self.tokens = Tokens()
        self.depth = 0
        self.master, self.first, self.interpolated = PATTERNS[dialect.dashes_in_variables]

    def run(self) -> Tokens:
        """Read the whole text."""
        text, tokens = self.text, self.tokens
        kinds, add, match = tokens.kinds, tokens.add, self.master.match
        at = 0
        while True:
            first = self.first.match(text, at) if kinds and kinds[-1] in OPEN_STRING else None
            if first is not None:
                at = first.end()
                add("VARIABLE", first["variable"], first.start("variable"), at)
                continue
            found = match(text, at)
            assert found is not None
            group = found.lastgroup
            at = found.end()
            start = found.start(group) if group else at
            if group == "operator":
                at = self.operator(found["operator"], start, at)
            elif group == "name":
                at = self.word(start, at)
            elif group == "variable":
                add("VARIABLE", found["variable"], start - 1, at)
            elif group == "reference":
                add("CLASSREF", found["reference"], start, at)
            elif group == "single":
                at = self.single(start)
            elif group == "double":
                at = self.double(start, at, ("DQPRE", "STRING"))
            elif group == "comment":
                tokens.comment_runs.append((start, at))
            elif group == "end":
                add("END", None, at, at)
                if self.dialect.dashes_in_variables:
                    self.warn_of_dashes()
                return tokens
            else:
                at = self.no_token(start)

    def word(self, start: int, end: int) -> int:
        """Return a keyword, a name, or a number; a number may hold a dot, a name may hold dashes."""
        text = self.text
        value = text[start:end]
        if value in KEYWORDS:
            kind = value
        elif value in BOOLEANS:
            kind = "BOOLEAN"
        else:
            kind = "NAME"
            if value[0] <= "9":
                number = NUMBER.match(text, start)
                if number is not None and number.end() > end:
                    end = number.end()
                    value = number[0]
                if not self.dialect.words_start_with_digit and not is_number(value):
                    return self.error(Finding(issues.ILLEGAL_NUMBER, {"value": value}, start, end))
        self.tokens.add(kind, value, start, end)
        return end

    def operator(self, operator: str, start: int, end: int) -> int:
        """Return an operator; a ``}`` may continue a string, a ``/`` may begin a regexp."""
        if operator == "}" and self.depth:
            return self.double(start, end, ("DQMID", "DQPOST"))
        kinds = self.tokens.kinds
        if operator == "/" and kinds and kinds[-1] in BEFORE_REGEXP:
            found = REGEXP.match(self.text, start)
            if found is not None:
                return self.regexp(start, found.end())
        if operator == "/" and self.text.startswith("/*", start):
            finding = Finding(issues.UNCLOSED_COMMENT, {}, start, start + 2)
            return self.error(finding, len(self.text))
        self.tokens.add(operator, operator, start, end)
        return end

    def regexp(self, start: int, end: int) -> int:
        """Read ``/pattern/``; a slash after a backslash does not end it."""
        text = self.text
        while text[end - 2] == "\\":
            end = text.find("/", end) + 1
            if not end:
                finding = Finding(
                    issues.UNCLOSED_QUOTE, unclosed(text, start + 1, "/"), start, start + 1
                )
                return self.error(finding, len(text))
        pattern = text[start + 1 : end - 1].replace("\\/", "/")
        self.tokens.add("REGEX", pattern, start, end)
        return end

    def single(self, start: int) -> int:
        """Read ``'text'``."""
        found = SINGLE_QUOTE_END.match(self.text, start + 1)
        if found is None:
            return self.unclosed(start)
        end = found.end()
        value = single_quoted(self.text[start + 1 : end - 1], self.dialect)
        self.tokens.add("STRING", value, start, end)
        return end

    def double(self, start: int, at: int, kinds: tuple[str, str]) -> int:
        """Return text in double quotes, up to its end or to the next interpolation in braces.

        ``kinds`` are those of the text when an interpolation follows it and when none does; which
        pair it is decides whether the text goes on after an interpolation.
        """
        text, tokens = self.text, self.tokens
        value = ""
        while True:
            found = DOUBLE_QUOTE_END.match(text, at)
            if found is None:
                return self.unclosed(start)
            value += double_quoted(text, at, found.end() - 1, self.dialect, tokens.warnings)
            at = found.end()
            if text[at - 1] == '"':
                tokens.add(kinds[1], value, start, at)
                if kinds[1] == "DQPOST":
                    self.depth -= 1
                return at
            variable = None if text[at : at + 1] == "{" else self.interpolated.match(text, at)
            if variable is None and text[at : at + 1] != "{":
                value += "$"
                continue
            tokens.add(kinds[0], value, start, at)
            if kinds[0] == "DQPRE":
                self.depth += 1
            if variable is None:
                return at + 1
            tokens.add("VARIABLE", variable[0], at - 1, variable.end())
            start = at = variable.end()
            kinds, value = ("DQMID", "DQPOST"), ""

    def warn_of_dashes(self) -> None:
        """Note the first variable that has a dash in its name."""
        tokens = self.tokens
        for token in tokens:
            if token.kind == "VARIABLE" and "-" in token.value:
                finding = Finding(DASH_IN_VARIABLE, {"name": token.value}, token.start, token.end)
                tokens.warnings.append(finding)
                return

    # -- mistakes --------------------------------------------------------------------------------

    def error(self, finding: Finding, resume: int | None = None) -> int:
        """Note a mistake as a token; where to go on."""
        self.tokens.add("ERROR", finding, finding.start, finding.end)
        return finding.end if resume is None else resume

    def unclosed(self, start: int) -> int:
        """Return a string that goes on to the end of the text."""
        opener = "'" if self.text.startswith("'", start) else '"'
        arguments = unclosed(self.text, start + 1, opener)
        finding = Finding(issues.UNCLOSED_QUOTE, arguments, start, start + 1)
        return self.error(finding, len(self.text))

    def no_token(self, start: int) -> int:
        """Return the token of a character that cannot begin one."""
        word = REST_OF_WORD.match(self.text, start)
        end = word.end() if word is not None else start + 1
        text = self.text[start:end]
        arguments: dict[str, object] = {"found": f"'{text}'", "wanted": "", "text": text}
        return self.error(Finding(issues.SYNTAX_ERROR, arguments, start, end))


def is_number(word: str) -> bool:
    """Return whether a word is a number of digits and a point only (Puppet 3 manual, Numbers).

    >>> [is_number(word) for word in ("12.5", "0x1f", "1e3", "2nd")]
    [True, False, False, False]
    """
    return PLAIN_NUMBER.fullmatch(word) is not None
