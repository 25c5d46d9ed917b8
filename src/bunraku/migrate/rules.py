"""The differences between an old version and a new one: one rule for each, with its id."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.records import record


@record(frozen=True)
class Rule:
    """A difference: its stable id, a title, the change, and the replacement."""

    id: str
    title: str
    change: str
    instead: str

    def __reduce__(self) -> tuple[Callable[[str], Rule], tuple[str]]:
        """Let a copy from another process be the rule of this one."""
        return rule_named, (self.id,)

    @property
    def manual(self) -> str | None:
        """The page of Puppet 3's manual that documents the old behaviour, if there is one."""
        return MANUAL.get(self.id)


def rule(name: str, title: str, change: str, instead: str) -> Rule:
    """Return the rule with an id."""
    made = RULES[name] = Rule(name, title, change, instead)
    return made


RULES: dict[str, Rule] = {}
"""All rules by their id, in the order of the documentation."""


def rule_named(name: str) -> Rule:
    """Return the rule with an id; KeyError if there is none.

    >>> from pickle import dumps, loads
    >>> loads(dumps(LEGACY_FACTS)) is LEGACY_FACTS
    True
    """
    return RULES[name]


DATA_TYPES = "Puppet 3.8 manual, Data types"
VARIABLES = "Puppet 3.4 manual, Variables"

MANUAL = {
    "truth-of-empty-string": DATA_TYPES,
    "empty-string-is-undef": DATA_TYPES,
    "number-strings-compare": DATA_TYPES,
    "numeric-strings-arithmetic": DATA_TYPES,
    "number-literals": DATA_TYPES,
    "coerced-strings": DATA_TYPES,
    "title-kinds": DATA_TYPES,
    "match-not-text": DATA_TYPES,
    "text-index": DATA_TYPES,
    "facts-change-type": DATA_TYPES,
    "unknown-variable": DATA_TYPES,
    "interpolated-words": DATA_TYPES,
    "legacy-facts": VARIABLES,
    "append": VARIABLES,
    "escapes-single-quotes": DATA_TYPES,
    "escapes-double-quotes": DATA_TYPES,
    "capitalised-words": DATA_TYPES,
    "words-with-digits": DATA_TYPES,
    "reserved-words": DATA_TYPES,
    "lower-case-references": DATA_TYPES,
    "space-before-bracket": DATA_TYPES,
}
"""Rule → the page of Puppet 3's manual that documents the old behaviour; other rules are in no manual."""

# -- values ----------------------------------------------------------------------------------------

TRUTH = rule(
    "truth-of-empty-string",
    "The empty string is true",
    "The empty string was false; it is true.",
    "compare it with ''",
)
EMPTY = rule(
    "empty-string-is-undef",
    "The empty string is not undef",
    "'' == undef was true; it is false.",
    "compare with both",
)
COMPARE = rule(
    "number-strings-compare",
    "Numeric strings compare as strings",
    "Puppet 3 compared strings that look like numbers as numbers; Puppet 8 compares them as "
    "strings, and refuses to order strings and numbers.",
    "compare strings with strings, or numbers with numbers",
)
COLLECTIONS = rule(
    "case-in-collections",
    "Letter case in arrays and hashes",
    "Strings in arrays and hashes were compared case-sensitively; they are compared "
    "case-insensitively.",
    "compare the elements one by one",
)
ORDER = rule(
    "letter-case-in-order",
    "Letter case in the order of strings",
    "Strings were ordered by their bytes, capitals first; the order ignores letter case.",
    "use compare() with letter case",
)
CONTAINS = rule(
    "in-letter-case",
    "'in' ignores letter case",
    "'in' was case-sensitive; it is case-insensitive.",
    "use a regular expression, or compare() with letter case",
)
ARITHMETIC = rule(
    "numeric-strings-arithmetic",
    "Arithmetic requires numbers",
    "Puppet 3 converted numeric strings in arithmetic; Puppet 8 raises an error.",
    "convert the string: Numeric($x)",
)
LITERALS = rule(
    "number-literals",
    "Number literals are numbers",
    "Puppet 3 kept number literals as text (0644); Puppet 8 treats them as numbers (0644 "
    "becomes 420).",
    "quote the number where its digits matter",
)
TITLES = rule(
    "title-kinds",
    "Titles must be strings",
    "A title could be a number; it must be a string.",
    "quote it",
)
MATCH = rule(
    "match-not-text",
    "Only strings match a regular expression",
    "The left side of =~ could be any value; it must be a string.",
    'convert it to a string: "${x}"',
)
INDEX = rule(
    "text-index",
    "Types of indexes and keys",
    "$a['0'] and $a[0] were the same; a string is not a valid index, and 1 and '1' are "
    "different keys.",
    "write indexes as numbers, and keys with the type that the hash has",
)
ARRAY_TEXT = rule(
    "array-to-string",
    "Arrays in strings",
    "An array in a string became its elements without separators; it is formatted as Puppet code.",
    "join() it",
)
HASH_TEXT = rule(
    "hash-to-string",
    "Hashes in strings",
    "A hash in a string was formatted as in Ruby; it is formatted as Puppet code.",
    "choose a format with String()",
)
OTHER_TEXT = rule(
    "value-to-string",
    "Other values in strings",
    "The value is formatted differently in a string.",
    "choose a format with String()",
)
FACTS = rule(
    "facts-change-type",
    "Facts have types",
    "All facts were strings; facts are also numbers, booleans, arrays and hashes.",
    'use the value of the fact, or convert it to a string: "${::fact}"',
)
SINGLE = rule(
    "single-element-arrays",
    "Arrays with one element",
    "An array with one element became that element in the catalog; it stays an array.",
    "remove the brackets",
)
UNDEF_INSIDE = rule(
    "undef-in-collections",
    "undef in arrays and hashes",
    "undef in an array or hash became the word undef in the catalog; it becomes null.",
    "write the value that is meant",
)
UNKNOWN = rule(
    "unknown-variable",
    "Unknown variables",
    "Reading a variable that is never set returned undef; it is an error.",
    "set it, or read it with getvar()",
)

# -- names and order -------------------------------------------------------------------------------

RELATIVE = rule(
    "relative-names",
    "Names are absolute",
    "Classes and defined types were looked up in the enclosing namespaces first; names are "
    "absolute.",
    "write the whole name",
)
DEFAULTS = rule(
    "parameter-defaults-order",
    "Defaults of parameters see each other",
    "The default of a parameter did not see other parameters that use their default.",
    "write the old value: nothing",
)
INTERPOLATED = rule(
    "interpolated-words",
    "Expressions in strings",
    "A bare word or number anywhere in ${} read the variable of that name.",
    "write it with a dollar sign",
)
LATE = rule(
    "late-defaults",
    "Resource defaults apply from their position",
    "Resource defaults also applied to resources above them; they apply to resources below.",
    "move them up",
)
NODE_NAMES = rule(
    "node-names-by-segment",
    "Node names match as a whole",
    "The node definition 'web' also matched web.example.com; names match as a whole.",
    "write the whole name",
)
LEGACY_FACTS = rule(
    "legacy-facts",
    "Legacy facts are not sent",
    "Agents no longer send legacy facts such as osfamily and ipaddress.",
    "use the structured facts: $facts['os']['family']",
)

TEMPLATE_NAMES = rule(
    "template-names",
    "Variables in templates need an @",
    "A bare name in an ERB template read the variable of that name; Puppet 8 raises an error.",
    "write the variable with an @",
)

# -- functions -------------------------------------------------------------------------------------

REMOVED = rule(
    "removed-function",
    "Removed functions",
    "The function was removed.",
    "use another function",
)
DIGEST = rule(
    "digest-algorithm",
    "digest() uses SHA-256",
    "digest() returned an MD5 checksum; it returns a SHA-256 checksum.",
    "use md5()",
)
MESSAGES = rule(
    "log-messages",
    "Arrays and hashes in log messages",
    "Log functions printed the elements of an array separated by spaces; they print the array.",
    "join() it",
)
RANDOM = rule(
    "random-numbers",
    "fqdn_rand() returns other numbers",
    "fqdn_rand() uses another seed, so every node gets a different number than before.",
    "accept the new number, or write the old one where it must stay",
)
FUNCTION = rule(
    "function-result",
    "Functions with other results",
    "The function returns another value for these arguments, or rejects them.",
    "see the documentation of the function",
)

# -- syntax ----------------------------------------------------------------------------------------

IMPORT = rule(
    "import",
    "No import",
    "The import statement was removed.",
    "move the code into modules, or into a directory that is the main manifest",
)
INHERITANCE = rule(
    "node-inheritance",
    "No node inheritance",
    "A node could inherit from another node.",
    "move the common code into a class, or into both nodes",
)
APPEND = rule(
    "append",
    "No += operator",
    "$x += value made a new variable from the one of the outer scope.",
    "write $x = $x + value",
)
ELEMENT = rule(
    "element-assignment",
    "Hashes cannot be changed",
    "$h[key] = value changed a hash.",
    "build the whole hash at once, or a new one with +",
)
SINGLE_QUOTES = rule(
    "escapes-single-quotes",
    "Backslashes in single quotes",
    r"'\\' was two backslashes; it is one.",
    "write two for each",
)
DOUBLE_QUOTES = rule(
    "escapes-double-quotes",
    "Unicode escapes in double quotes",
    r'"\u0041" was those six characters; it is an A.',
    "write two backslashes",
)
CAPITALS = rule(
    "capitalised-words",
    "Capitalised words are types",
    "A bare word with a capital was a string; it is a type.",
    "quote it",
)
RESERVED = rule(
    "reserved-words",
    "Reserved words",
    "The word is reserved and cannot be a string without quotes.",
    "quote it",
)
DIGITS = rule(
    "words-with-digits",
    "Words that begin with a digit",
    "A bare word could begin with a digit; this is no longer allowed.",
    "quote it",
)
LOWER_REFERENCE = rule(
    "lower-case-references",
    "References are capitalised",
    "file['x'] was a reference; it must be File['x'].",
    "capitalise it",
)
SPACE = rule(
    "space-before-bracket",
    "No space before the bracket of a reference",
    "File ['x'] was a reference; with the space it is not.",
    "remove the space",
)
DUPLICATE_KEYS = rule(
    "duplicate-keys",
    "Duplicate keys",
    "A key could occur twice in a hash, and the last one won; it is an error.",
    "remove the others",
)
COERCED = rule(
    "coerced-strings",
    "Strings are not converted to numbers",
    "The string was converted to a number with a warning; it is an error.",
    "convert it: Numeric($x)",
)
STRICT = rule(
    "strict-mode",
    "Warnings that are errors",
    "The warning is an error, because the setting strict is 'error'.",
    "correct the code",
)
REFUSED = rule(
    "refused",
    "Rejected code",
    "The new version rejects the code.",
    "see the message",
)

# -- from Puppet 8 to OpenVox 9 --------------------------------------------------------------------

ENCODING = rule(
    "regsubst-encoding",
    "regsubst() takes no encoding",
    "The last of five arguments of regsubst() was an encoding, which was ignored; it is an error.",
    "remove the encoding",
)
CHECKSUM = rule(
    "checksum-content",
    "Content that looks like a checksum",
    "The agent replaced a checksum in 'content' with a file of its filebucket; it writes the text.",
    "use 'source', or static catalogs",
)
TYPE = rule(
    "removed-type",
    "Types that are in no agent package",
    "The agent package contained the type; a module must bring it.",
    "add the module zone_core to the modulepath",
)
DEFERRED = rule(
    "deferred-order",
    "Deferred functions are called first",
    "A deferred function was called when its resource was applied; it is called before the catalog is "
    "applied, so it cannot use what the catalog installs.",
    "check what the function needs, or set preprocess_deferred = false on the agent",
)
CHANGED_DEFAULT = rule(
    "changed-default",
    "Settings with another default",
    "reports was store and is none; preprocess_deferred was false and is true.",
    "set the value that is meant",
)
SETTING = rule(
    "removed-setting",
    "Removed settings",
    "configprint, data_binding_terminus, environment_data_provider and pluginsync were removed.",
    "remove it; use a hiera.yaml of version 5 for data, and 'puppet config print' for configprint",
)
SERVER_FACT = rule(
    "removed-server-fact",
    "No pe_serverversion",
    "Servers no longer set pe_serverversion.",
    "use $serverversion",
)
