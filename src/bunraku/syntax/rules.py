"""Rules of a dialect for reading text: data that lexer, parser and checker use.

The defaults are those of Puppet 8; :mod:`bunraku.dialects` has the rules of other versions.
"""

from __future__ import annotations

from bunraku.base.records import field, record

WORD_CHARACTER = "[0-9A-Za-z_]"

KEYWORDS = frozenset(
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

TYPE_NAMES = frozenset(
    [
        "any",
        "array",
        "boolean",
        "collection",
        "enum",
        "float",
        "hash",
        "init",
        "integer",
        "numeric",
        "object",
        "optional",
        "pattern",
        "regexp",
        "runtime",
        "scalar",
        "semver",
        "semverrange",
        "sensitive",
        "string",
        "struct",
        "timespan",
        "timestamp",
        "tuple",
        "type",
        "typeset",
        "unit",
        "variant",
    ]
)
"""The types whose names no definition may have."""

ALIAS_NAMES = (TYPE_NAMES - {"unit"}) | {
    *("annotation", "binary", "callable", "catalogentry", "class", "data", "default", "deferred"),
    *("iterable", "iterator", "notundef", "pcore", "puppet::lookupcontext", "puppet::lookupkey"),
    *("puppet::lookupvalue", "puppet::resource::param", "puppet::resource::resourcetype3"),
    *("resource", "richdata", "richdatakey", "scalardata", "typealias", "typereference", "undef"),
    *("uri", "component", "exec", "file", "filebucket", "group", "node", "notify", "package"),
    *("resources", "schedule", "service", "stage", "tidy", "user", "whit"),
}
"""The built-in types and resource types whose names no type alias may have."""

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
    """Patterns of the words of a dialect: pieces of the lexer's master pattern, without groups.

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
    keywords: frozenset[str] = KEYWORDS
    reserved: frozenset[str] = frozenset({"attr", "private"})
    """Keywords that mean nothing yet."""
    future: frozenset[str] = frozenset()
    """Keywords of a later version, which are still texts and cause a warning."""
    heredocs: bool = True
    regexps_in_one_line: bool = False
    """A regular expression ends before the line does; only the ``/`` of its end may be escaped."""
    keywords_name_variables: bool = False
    """``${true}`` and ``${undef}`` read variables."""
    nested_interpolations: bool = True
    """A string with interpolations is allowed in an interpolation."""


@record(frozen=True)
class SyntaxRules:
    """The words of a dialect, and the switches of its lexer, parser and checker.

    The switches below ``tasks`` are the places where the reference text and the program of the
    same version differ; their defaults are the program's way (``follow = puppet``).
    """

    words: LexicalRules = field(default_factory=LexicalRules)
    statement_functions: frozenset[str] = STATEMENT_FUNCTIONS
    tasks: bool = False
    margin_all_or_nothing: bool = True
    """A heredoc line with less indentation than the margin keeps its blanks."""
    end_text_after_text: bool = True
    """A heredoc also ends at a line that has other text before the end text."""
    joins_lines_in_double_quotes: bool = True
    """A backslash before a line break in double quotes removes both."""
    words_start_with_underscore: bool = True
    """``_word`` is a bare word."""
    keyword_chains: bool = True
    """``${keyword.call}`` names a variable."""
    trailing_comma_in_types: bool = True
    """``Integer[1, 2,]`` is a type."""
    words_start_with_digit: bool = True
    """``2nd``, ``1e3`` and ``0x1F`` are bare words, the last two numbers too (the grammar of Puppet 3)."""
    dashes_in_variables: bool = False
    """``$a-b`` is a variable (the grammar of Puppet 3, with ``allow_variables_with_dashes``)."""
    single_quote_escapes: str = "'"
    r"""The characters that a backslash escapes in single quotes (the grammar of Puppet 3)."""
    puppet_3_codes: bool = False
    """Mistakes have the codes that Puppet 3 has for them."""
    limited_integers: bool = True
    """Integers have 64 bits."""
    loose_entries: bool = True
    """Entries of a hash are allowed in an array, or among arguments, without braces."""
    selectors_first: bool = False
    """``?`` binds more strongly than any operator between two values."""
    one_default: bool = True
    """A second ``default`` in a case or selector is a mistake; else the last one counts."""
    virtual_classes: bool = False
    """A virtual class is a warning when it is checked, and an error when it is collected."""
    callable_types: bool = True
    """``Type(…)`` is a call."""
    return_types: bool = True
    """``>> Type`` may follow parameters."""
    global_names: bool = False
    """``class ::a`` defines a class that cannot be found, instead of being a mistake."""
    type_names: frozenset[str] = TYPE_NAMES
    """The names that no definition may have."""
    alias_names: frozenset[str] = ALIAS_NAMES
    """The names that no type alias may have."""
    literal_types: bool = True
    """Types of class parameters that must be evaluated are deprecated."""
    modules_only_define: bool = True
    """Files of modules contain only definitions, and only those that Puppet searches there."""

    @property
    def keywords(self) -> frozenset[str]:
        """The words that cannot be names."""
        return self.words.keywords | TASK_KEYWORDS if self.tasks else self.words.keywords


DEFAULTS = SyntaxRules()
"""The rules of Puppet 8."""
