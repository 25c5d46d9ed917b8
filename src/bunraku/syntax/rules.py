"""What differs between the dialects of the language, as data that lexer, parser and checker read."""

from __future__ import annotations

from bunraku.base.records import field, record, replace

WORD_CHARACTER = "[0-9A-Za-z_]"

MODERN_KEYWORDS = frozenset(
    [
        "and",
        "attr",
        "case",
        "class",
        "default",
        "define",
        "else",
        "elsif",
        "false",
        "function",
        "if",
        "in",
        "inherits",
        "node",
        "or",
        "private",
        "true",
        "type",
        "undef",
        "unless",
    ]
)
TASK_KEYWORDS = frozenset({"apply", "plan"})
FUTURE_WORDS = frozenset({"application", "consumes", "produces"})

TYPE_NAMES = frozenset(
    [
        "type",
        "any",
        "unit",
        "scalar",
        "boolean",
        "numeric",
        "integer",
        "float",
        "collection",
        "array",
        "hash",
        "tuple",
        "struct",
        "variant",
        "optional",
        "enum",
        "regexp",
        "pattern",
        "runtime",
    ]
)
"""The types whose names no definition may have in any version."""
LATER_TYPE_NAMES = frozenset(
    [
        "init",
        "object",
        "sensitive",
        "semver",
        "semverrange",
        "string",
        "timestamp",
        "timespan",
        "typeset",
    ]
)

STATEMENT_FUNCTIONS = frozenset(
    [
        "require",
        "realize",
        "include",
        "contain",
        "tag",
        "debug",
        "info",
        "notice",
        "warning",
        "err",
        "fail",
        "import",
        "break",
        "next",
        "return",
    ]
)


@record(frozen=True)
class LexicalRules:
    """How the words of a dialect look: pieces of the lexer's master pattern (no groups in them).

    ``name`` must match a whole qualified name, ``word`` a bare word that may hold dashes.
    """

    name: str = rf"(?:::)?[a-z]{WORD_CHARACTER}*+(?:::[a-z]{WORD_CHARACTER}*+)*"
    word: str = (
        r"(?:::)?[a-z_](?:[0-9A-Za-z_-]*[0-9A-Za-z_])?"
        r"(?:::[a-z_](?:[0-9A-Za-z_-]*[0-9A-Za-z_])?)*"
    )
    class_reference: str = rf"(?:::)?[A-Z]{WORD_CHARACTER}*+(?:::[A-Z]{WORD_CHARACTER}*+)*+(?!::)"
    variable: str = rf"(?:::)?(?:{WORD_CHARACTER}++::)*{WORD_CHARACTER}+"
    number: str = r"\b(?:0[xX][0-9A-Fa-f]+|[0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?)\b"
    keywords: frozenset[str] = MODERN_KEYWORDS
    reserved: frozenset[str] = frozenset({"attr", "private"})
    """Keywords that mean nothing yet."""
    future: frozenset[str] = frozenset()
    """Keywords that will mean something in a later version, and are texts with a warning so far."""
    heredocs: bool = True
    regexps_in_one_line: bool = False
    """A regular expression ends before the line does; only the ``/`` of its end may be escaped."""
    keywords_name_variables: bool = False
    """``${true}`` and ``${undef}`` read variables."""
    nested_interpolations: bool = True
    """A string with interpolations may stand in an interpolation."""


@record(frozen=True)
class Dialect:
    """A dialect of the language: its name, its words, and which of two ways it goes.

    The flags below ``tasks`` are the places where the reference text and the program of the
    same version differ; their defaults are the program's way (``follow = puppet``).
    """

    name: str
    grammar: str = "modern"
    """Which lexer, parser and checker read it: see :mod:`bunraku.syntax.grammars`."""
    words: LexicalRules = field(default_factory=LexicalRules)
    statement_functions: frozenset[str] = STATEMENT_FUNCTIONS
    tasks: bool = False
    margin_all_or_nothing: bool = True
    """A heredoc line with less indentation than the margin keeps what it has."""
    end_text_after_text: bool = True
    """A heredoc ends at a line that merely ends in the end text."""
    joins_lines_in_double_quotes: bool = True
    """A backslash before a line break in double quotes removes both."""
    words_start_with_underscore: bool = True
    """``_word`` is a bare word."""
    keyword_chains: bool = True
    """``${keyword.call}`` names a variable."""
    trailing_comma_in_types: bool = True
    """``Integer[1, 2,]`` is a type."""
    words_start_with_digit: bool = True
    """``2nd``, ``1e3`` and ``0x1F`` are bare words, the last two numbers too (the legacy grammar)."""
    dashes_in_variables: bool = False
    """``$a-b`` is a variable (the legacy grammar, with ``allow_variables_with_dashes``)."""
    single_quote_escapes: str = "'"
    r"""What a backslash in single quotes takes its meaning from (the legacy grammar)."""
    early_codes: bool = False
    """Mistakes have the codes that Puppet 3 has for them."""
    limited_integers: bool = True
    """Integers have 64 bits."""
    loose_entries: bool = True
    """Entries of a hash may stand in an array, or among arguments, without its braces."""
    selectors_first: bool = False
    """``?`` binds more strongly than any operator between two values."""
    one_default: bool = True
    """A second ``default`` in a case or selector is a mistake; else the last one counts."""
    virtual_classes: bool = False
    """A virtual class is a warning when it is checked, and an error when it is collected."""
    callable_types: bool = True
    """``Type(…)`` is a call."""
    late_lines: bool = False
    """Resources and selectors are told by the line where they end."""
    node_captures: bool = True
    """What the pattern of a node definition captures can be read in it."""
    return_types: bool = True
    """``>> Type`` may follow parameters."""
    global_names: bool = False
    """``class ::a`` defines what nobody finds, instead of being a mistake."""
    type_names: frozenset[str] = TYPE_NAMES | LATER_TYPE_NAMES
    """The names that no definition may have."""
    literal_types: bool = True
    """Types of class parameters that must be evaluated are deprecated."""
    modules_only_define: bool = True
    """Files of modules hold definitions only, of what Puppet looks for there."""
    works_in_place: bool = True
    """Compiled code works out in place what operators and types do with common values; in older
    languages values behave otherwise, and a migration watches the helpers."""

    @property
    def keywords(self) -> frozenset[str]:
        """The words that are no names."""
        return self.words.keywords | TASK_KEYWORDS if self.tasks else self.words.keywords


MODERN = Dialect("8")
MODERN_WITH_TASKS = replace(MODERN, tasks=True)
MODERN_AS_DOCUMENTED = replace(
    MODERN,
    margin_all_or_nothing=False,
    end_text_after_text=False,
    joins_lines_in_double_quotes=False,
    words_start_with_underscore=False,
    keyword_chains=False,
    trailing_comma_in_types=False,
)

FUTURE = replace(
    MODERN,
    name="3.8-future",
    words=LexicalRules(
        class_reference=rf"(?:::)?[A-Z]{WORD_CHARACTER}*+(?:::[A-Z]{WORD_CHARACTER}*+)*+",
        keywords=MODERN_KEYWORDS | FUTURE_WORDS,
        reserved=frozenset({"attr", "private", "function", "type"}),
        future=FUTURE_WORDS,
        regexps_in_one_line=True,
        keywords_name_variables=True,
        nested_interpolations=False,
    ),
    early_codes=True,
    limited_integers=False,
    loose_entries=False,
    selectors_first=True,
    one_default=False,
    virtual_classes=True,
    callable_types=False,
    return_types=False,
    global_names=True,
    type_names=TYPE_NAMES,
    literal_types=False,
    modules_only_define=False,
    works_in_place=False,
)
FUTURE_AS_DOCUMENTED = FUTURE
LEGACY = Dialect("3.8", grammar="legacy", late_lines=True, works_in_place=False)
LEGACY_AS_DOCUMENTED = replace(
    LEGACY,
    joins_lines_in_double_quotes=False,
    node_captures=False,
    words_start_with_digit=False,
)
EARLY = replace(LEGACY, name="3.0", single_quote_escapes="'\\")
EARLY_AS_DOCUMENTED = replace(
    EARLY,
    joins_lines_in_double_quotes=False,
    node_captures=False,
    words_start_with_digit=False,
)

DIALECTS = {
    ("8", "puppet"): MODERN,
    ("8", "documents"): MODERN_AS_DOCUMENTED,
    ("3.8-future", "puppet"): FUTURE,
    ("3.8-future", "documents"): FUTURE_AS_DOCUMENTED,
    ("3.8", "puppet"): LEGACY,
    ("3.8", "documents"): LEGACY_AS_DOCUMENTED,
    ("3.0", "puppet"): EARLY,
    ("3.0", "documents"): EARLY_AS_DOCUMENTED,
}
"""The dialects by ``--language`` and ``--follow``."""
