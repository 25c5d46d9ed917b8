"""Hints for syntax errors: the probable intention, derived from the tokens around the error."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record, replace
from bunraku.base.source import Source
from bunraku.syntax.issues import MISSING_COMMA, SYNTAX_ERROR, UNCLOSED_QUOTE, UNEXPECTED_END
from bunraku.syntax.tokens import Finding, Tokens

TYPOGRAPHIC = {
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "´": "'",
    "`": "'",
}  # fmt: skip
"""Characters that look like quotes → the quote of the language."""
BLANKS = {"\u00a0": "no-break space", "\u200b": "zero-width space", "\u3000": "wide space"}
FOREIGN = {"&&": "and", "||": "or", "===": "=="}
"""Operators of other languages → Puppet's."""
CLOSERS = {
    "{": "}", "SELBRACE": "}", "(": ")", "WSLPAREN": ")", "[": "]", "LISTSTART": "]",
    "DQPRE": "DQPOST",
}  # fmt: skip
CONDITIONS = frozenset({"if", "elsif", "unless", "case"})
OPERATORS = frozenset(
    ["and", "or", "in", "==", "!=", "=~", "!~", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "!"]
)
"""Operators that take a value behind them."""
QUERIES = {"<|": "|>", "<<|": "|>>"}
STRINGS = frozenset({"STRING", "DQPRE", "DQMID", "DQPOST"})
MOST_TOKENS = 200  # before the error, that a rule looks at


@record(frozen=True)
class Advice:
    """A hint, and the range (start and end) of the real mistake if it is elsewhere."""

    hint: str
    unexpected: tuple[int, int] | None = None


class Mistake:
    """The error: its source, the tokens, and the index of the token that it is about."""

    def __init__(self, source: Source, tokens: Tokens, finding: Finding, at: int) -> None:
        self.source = source
        self.tokens = tokens
        self.finding = finding
        self.at = at
        self.kind = tokens.kinds[at]

    def before(self) -> range:
        """Return the indexes of the tokens before the error, the nearest first."""
        return range(self.at - 1, max(self.at - MOST_TOKENS, -1), -1)

    def text(self, at: int) -> str:
        """Return the text of a token."""
        return self.source.text[self.tokens.starts[at] : self.tokens.ends[at]]

    def indent(self, line: int) -> int:
        """Return the number of blanks at the begin of a line."""
        text = self.source.line_text(line)
        return len(text) - len(text.lstrip())


def advised(found: Diagnostic, source: Source, tokens: Tokens, finding: Finding) -> Diagnostic:
    """Return a syntax error with a hint, if a rule has one, at the token that the rule blames."""
    given = advice(source, tokens, finding)
    if given is None:
        return found
    if given.unexpected is None:
        return replace(found, hint=given.hint)
    start, end = given.unexpected
    place = source.span(start, end).place
    text = source.text[start:end]
    moved = SYNTAX_ERROR.diagnostic(place, found=f"'{text}'", wanted="", text=text)
    return replace(moved, hint=given.hint, in_puppet=replace(found.in_puppet, place=found.place))


def advice(source: Source, tokens: Tokens, finding: Finding) -> Advice | None:
    """Return the advice of the first rule that applies."""
    at = next(
        (index for index, start in enumerate(tokens.starts) if start >= finding.start),
        len(tokens.starts) - 1,
    )
    if at < 0:
        return None
    mistake = Mistake(source, tokens, finding, at)
    for rule in RULES:
        found = rule(mistake)
        if found:
            return found if isinstance(found, Advice) else Advice(found)
    return None


def odd_character(mistake: Mistake) -> str | None:
    """Return advice about a quote or blank of a word processor."""
    character = mistake.source.text[mistake.finding.start : mistake.finding.start + 1]
    if character in TYPOGRAPHIC:
        return f"write {TYPOGRAPHIC[character]} instead of the typographic quote {character}"
    if character in BLANKS:
        code = f"U+{ord(character):04X}"
        return f"replace the {BLANKS[character]} ({code}) with an ordinary space"
    return None


def foreign_operator(mistake: Mistake) -> str | None:
    """Return advice about an operator of another language."""
    start = mistake.finding.start
    for operator, ours in FOREIGN.items():
        for begin in range(max(0, start - len(operator) + 1), start + 1):
            if mistake.source.text.startswith(operator, begin):
                return f"write '{ours}' instead of '{operator}'"
    return None


def other_elsif(mistake: Mistake) -> str | Advice | None:
    """Return advice about ``elseif``, ``elif`` or ``else if``; the error is in the next block."""
    kinds, tokens = mistake.tokens.kinds, mistake.tokens
    if mistake.kind == "if" and mistake.at and kinds[mistake.at - 1] == "else":
        return "write 'elsif' instead of 'else if'"
    if mistake.kind == "elsif":
        return "'unless' cannot have 'elsif': use 'if'"
    if mistake.finding.issue not in (SYNTAX_ERROR, UNEXPECTED_END):
        return None
    for at in mistake.before():
        if kinds[at] == "}":
            return None
        if kinds[at] == "NAME" and mistake.text(at) in ("elseif", "elif"):
            hint = f"write 'elsif' instead of '{mistake.text(at)}'"
            return Advice(hint, (tokens.starts[at], tokens.ends[at]))
    return None


def single_equals(mistake: Mistake) -> str | None:
    """Return advice about ``=`` where values are compared, or where an attribute is given."""
    if mistake.kind not in ("=", "=="):
        return None
    if "expected '=>'" in str(mistake.finding.arguments.get("wanted")):
        return f"write => instead of {mistake.kind}"
    for at in mistake.before():
        kind = mistake.tokens.kinds[at]
        if kind in ("{", "}", "SELBRACE"):
            return None
        if kind in CONDITIONS or kind in ("<|", "<<|"):
            return "compare with =="
    return None


def open_string(mistake: Mistake) -> str | None:
    """Return advice about a multi-line string that ends at the error: a quote may be missing."""
    tokens, source = mistake.tokens, mistake.source
    for at in range(max(mistake.at - 2, 0), min(mistake.at + 1, len(tokens.kinds))):
        start, end = tokens.starts[at], tokens.ends[at]
        first, last = source.line(start), source.line(max(end - 1, start))
        if tokens.kinds[at] in STRINGS and first != last:
            return (
                f"the string that begins on line {first} ends on line {last}:"
                " is its closing quote missing?"
            )
    return None


def open_bracket(mistake: Mistake) -> str | None:
    """Return advice about a bracket that is open when another or an interpolation closes."""
    kinds = mistake.tokens.kinds
    if mistake.kind not in ("}", ")", "]", "DQMID", "DQPOST"):
        return None
    opened: list[int] = []
    for at in range(mistake.at):
        if kinds[at] in CLOSERS:
            opened.append(at)
        elif opened and CLOSERS[kinds[opened[-1]]] == kinds[at]:
            opened.pop()
    if not opened:
        return f"no '{mistake.text(mistake.at)}' is open here" if mistake.kind in "})]" else None
    last = opened[-1]
    wanted = CLOSERS[kinds[last]]
    if wanted == mistake.kind or kinds[last] == "DQPRE":
        return None
    line = mistake.source.line(mistake.tokens.starts[last])
    return f"the '{mistake.text(last)}' on line {line} is never closed"


def missing_colon(mistake: Mistake) -> str | None:
    """Return advice about an attribute directly after a resource title."""
    if "expected ':'" in str(mistake.finding.arguments.get("wanted")) and mistake.kind == "NAME":
        following = mistake.tokens.kinds[mistake.at + 1 : mistake.at + 2]
        if following in (["=>"], ["+>"]):
            return "put a colon after the title of the resource"
    return None


def missing_operand(mistake: Mistake) -> Advice | None:
    """Return advice about a condition that ends with an operator: its block is read as a hash."""
    tokens = mistake.tokens
    block = None
    for at in (mistake.at, *mistake.before()):
        kind = tokens.kinds[at]
        if kind in CONDITIONS and block is not None:
            operator = mistake.text(block - 1)
            hint = f"the value behind '{operator}' is missing"
            return Advice(hint, (tokens.starts[block], tokens.ends[block]))
        if kind in CONDITIONS:
            return None
        if mistake.text(at) == "{" and at and tokens.kinds[at - 1] in OPERATORS:
            block = at
    return None


def path_as_title(mistake: Mistake) -> str | None:
    """Return advice about a path without quotes in brackets: it is read as a regular expression."""
    tokens, text = mistake.tokens, mistake.source.text
    for at in (mistake.at - 1, mistake.at):
        if at < 1 or tokens.kinds[at - 1] not in ("[", "LISTSTART"):
            continue
        if mistake.text(at).startswith("/"):
            title = UNQUOTED_PATH.match(text, tokens.starts[at])
            return f"put the path in quotes: ['{title[0]}']" if title else None
    return None


def pattern_of_nodes(mistake: Mistake) -> str | None:
    """Return advice about the name of a node with a wildcard."""
    source, start = mistake.source, mistake.tokens.starts[mistake.at]
    name = WILDCARD_NODE.search(source.text, source.text.rfind("\n", 0, start) + 1)
    if name is None or not name.start(1) <= start <= name.end(1):
        return None
    pattern = name[1].replace(".", r"\.").replace("*", ".*").replace("?", ".")
    return f"a node has no wildcards: use a regular expression, node /^{pattern}$/"


def split_collector(mistake: Mistake) -> str | None:
    """Return advice about blanks in the brackets of a collector."""
    text, start = mistake.source.text, mistake.tokens.starts[mistake.at]
    if mistake.kind == "|" and (closing := SPLIT_CLOSING.match(text, start)):
        for at in mistake.before():
            if mistake.tokens.kinds[at] in QUERIES:
                return f"write {QUERIES[mistake.tokens.kinds[at]]} instead of '{closing[0]}'"
    if mistake.kind == "|" and (opening := SPLIT_OPENING.search(text, 0, start + 1)):
        return f"write {'<<|' if opening[0].startswith('<<') else '<|'} instead of '{opening[0]}'"
    return None


def open_interpolation(mistake: Mistake) -> str | None:
    """Return advice about a string in an interpolation that has no end."""
    if mistake.finding.issue is not UNCLOSED_QUOTE:
        return None
    text, start = mistake.source.text, mistake.finding.start
    opening = text.rfind("${", 0, start)
    if opening < 0 or "}" in text[opening:start]:
        return None
    line = mistake.source.line(opening)
    return f"the '${{' in the string on line {line} is never closed: write '}}'"


def open_list(mistake: Mistake) -> str | None:
    """Return advice about a bracket whose list ends without it: code less indented follows."""
    tokens, source = mistake.tokens, mistake.source
    if mistake.finding.issue not in (MISSING_COMMA, SYNTAX_ERROR) or not mistake.at:
        return None
    opened: list[int] = []
    for at in range(mistake.at):
        if tokens.kinds[at] in CLOSERS:
            opened.append(at)
        elif opened and CLOSERS[tokens.kinds[opened[-1]]] == tokens.kinds[at]:
            opened.pop()
    line = source.line(tokens.starts[mistake.at])
    if not opened or line == source.line(tokens.ends[mistake.at - 1]):
        return None
    first = source.line(tokens.starts[opened[-1]])
    closing = repr(CLOSERS[tokens.kinds[opened[-1]]])
    if mistake.finding.issue is SYNTAX_ERROR and closing not in str(mistake.finding.arguments):
        return None
    if mistake.indent(line) > mistake.indent(first):
        return None
    return f"the '{mistake.text(opened[-1])}' on line {first} is never closed"


UNQUOTED_PATH = lazy_pattern(r"/[^\s\]'\"]*")
WILDCARD_NODE = lazy_pattern(r"\bnode\s+['\"]?([\w.*?-]*[*?][\w.*?-]*)")
SPLIT_OPENING = lazy_pattern(r"<<?\s+\|\Z")
SPLIT_CLOSING = lazy_pattern(r"\|\s+>>?")
Rule = Callable[[Mistake], str | Advice | None]
RULES: tuple[Rule, ...] = (
    odd_character,
    foreign_operator,
    other_elsif,
    single_equals,
    missing_operand,
    path_as_title,
    pattern_of_nodes,
    split_collector,
    open_interpolation,
    open_list,
    open_string,
    open_bracket,
    missing_colon,
)
"""Tried in this order; the first hint counts."""
