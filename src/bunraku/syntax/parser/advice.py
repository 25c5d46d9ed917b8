"""Hints for syntax errors: the probable intention, derived from the tokens around the error."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.errors import Diagnostic
from bunraku.base.records import record, replace
from bunraku.base.source import Source
from bunraku.syntax.issues import SYNTAX_ERROR, UNEXPECTED_END
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


Rule = Callable[[Mistake], str | Advice | None]
RULES: tuple[Rule, ...] = (
    odd_character,
    foreign_operator,
    other_elsif,
    single_equals,
    open_string,
    open_bracket,
    missing_colon,
)
"""Tried in this order; the first hint counts."""
