"""What differs between the old language and today's: one rule for each difference, with its id."""

from __future__ import annotations

from bunraku.records import record


@record(frozen=True)
class Rule:
    """A difference: its stable id, a title, what changes, and what to write instead."""

    id: str
    title: str
    change: str
    instead: str

    @property
    def statement(self) -> str | None:
        """The statement of Puppet 3's reference texts that held, where one is about it: ``S1-6``."""
        return STATEMENTS.get(self.id)


def rule(name: str, title: str, change: str, instead: str) -> Rule:
    """A rule, known by its id."""
    made = RULES[name] = Rule(name, title, change, instead)
    return made


RULES: dict[str, Rule] = {}
"""All rules by their id, in the order of the page that tells of them."""

STATEMENTS = {
    "truth-of-empty-string": "S1-6",
    "empty-string-is-undef": "S1-17",
    "number-strings-compare": "S1-68",
    "numeric-strings-arithmetic": "S1-68",
    "number-literals": "S1-68",
    "coerced-strings": "S1-68",
    "title-kinds": "S1-68",
    "match-not-text": "S1-89",
    "text-index": "S1-78",
    "facts-change-type": "S1-8",
    "unknown-variable": "S1-17",
    "interpolated-words": "S1-41",
    "legacy-facts": "S3-31",
    "append": "S3-9",
    "escapes-single-quotes": "S1-30",
    "escapes-double-quotes": "S1-35",
    "capitalised-words": "S1-25",
    "words-with-digits": "S1-25",
    "reserved-words": "S1-24",
    "lower-case-references": "S1-59",
    "space-before-bracket": "S1-78",
}
"""Rule → the statement of the reference texts (S1: data types of 3.8, S3: variables of 3.4) that it
goes back to; the others are about what those texts do not tell."""

# -- values ----------------------------------------------------------------------------------------

TRUTH = rule(
    "truth-of-empty-string",
    "The empty string is true",
    "'' was false, and is true.",
    "compare it with ''",
)
EMPTY = rule(
    "empty-string-is-undef",
    "The empty string is not undef",
    "'' == undef was true, and is false.",
    "compare with both",
)
COMPARE = rule(
    "number-strings-compare",
    "Text that looks like a number is text",
    "Text was compared as a number where it looks like one; it is compared as text, and not at all "
    "with numbers.",
    "compare text with text, or numbers with numbers",
)
COLLECTIONS = rule(
    "case-in-collections",
    "Letter case in arrays and hashes",
    "Text in arrays and hashes was compared with letter case, and is compared without.",
    "compare the elements one by one",
)
ORDER = rule(
    "letter-case-in-order",
    "Letter case in the order of texts",
    "Text was ordered by its bytes, capitals first; letter case does not count any more.",
    "use compare() with letter case",
)
CONTAINS = rule(
    "in-letter-case",
    "'in' takes no notice of letter case",
    "'in' told capitals from small letters, and does not.",
    "use a pattern, or compare() with letter case",
)
ARITHMETIC = rule(
    "numeric-strings-arithmetic",
    "Arithmetic wants numbers",
    "Text that looks like a number was one in arithmetic; it is an error.",
    "convert it: Numeric($x)",
)
LITERALS = rule(
    "number-literals",
    "Numbers are numbers",
    "A number in code was the text that was written (0644); it is a number, and shown as such (420).",
    "quote it where its digits matter",
)
TITLES = rule(
    "title-kinds",
    "Titles are text",
    "A title could be a number; it has to be text.",
    "quote it",
)
MATCH = rule(
    "match-not-text",
    "Only text matches a pattern",
    "Anything could stand to the left of =~; it has to be text.",
    'make it text: "${x}"',
)
INDEX = rule(
    "text-index",
    "Indexes are numbers, keys have a type",
    "$a['0'] and $a[0] were the same; text is no index, and the keys 1 and '1' are two keys.",
    "write indexes as numbers, and keys as the hash has them",
)
ARRAY_TEXT = rule(
    "array-to-string",
    "Arrays in text",
    "An array in a string was its elements without gaps; it is shown as it is written.",
    "join() it",
)
HASH_TEXT = rule(
    "hash-to-string",
    "Hashes in text",
    "A hash in a string was shown as Ruby does; it is shown as Puppet writes it.",
    "choose a format with String()",
)
OTHER_TEXT = rule(
    "value-to-string",
    "Other values in text",
    "A value of another kind in a string is shown otherwise.",
    "choose a format with String()",
)
FACTS = rule(
    "facts-change-type",
    "Facts have types",
    "Every fact was text; facts are numbers, true and false, arrays and hashes as well.",
    'use the fact as what it is, or make it text: "${::fact}"',
)
SINGLE = rule(
    "single-element-arrays",
    "Arrays of one",
    "An array of one became its element in the catalog; it stays an array.",
    "leave out the brackets",
)
UNDEF_INSIDE = rule(
    "undef-in-collections",
    "undef in arrays and hashes",
    "undef in an array or hash was the word undef in the catalog; it is null.",
    "write what is meant",
)
UNKNOWN = rule(
    "unknown-variable",
    "Variables that do not exist",
    "A variable that nobody sets was undef; it is an error.",
    "set it, or ask with getvar()",
)

# -- names and order -------------------------------------------------------------------------------

RELATIVE = rule(
    "relative-names",
    "Names are whole",
    "Classes and defined types were looked for in the namespaces around the code first; a name is "
    "the whole name.",
    "write the whole name",
)
DEFAULTS = rule(
    "parameter-defaults-order",
    "Defaults of parameters see each other",
    "The default of a parameter did not see parameters that have their default themselves.",
    "write what it was: nothing",
)
INTERPOLATED = rule(
    "interpolated-words",
    "Expressions in strings",
    "A bare word or number in ${} read the variable of that name, wherever it stood.",
    "write it with a dollar",
)
LATE = rule(
    "late-defaults",
    "Resource defaults count from where they stand",
    "Resource defaults held for resources above them too; they hold for those below.",
    "put them first",
)
NODE_NAMES = rule(
    "node-names-by-segment",
    "Node names are whole",
    "A node definition for 'web' was for web.example.com too; it has to be named.",
    "write the whole name",
)
LEGACY_FACTS = rule(
    "legacy-facts",
    "The flat facts of old are gone",
    "Agents do not send osfamily, ipaddress and their like any more.",
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
    "Functions that are gone",
    "The function does not exist any more.",
    "use another one",
)
DIGEST = rule(
    "digest-algorithm",
    "digest() makes SHA-256",
    "digest() made an MD5 sum; it makes a SHA-256 sum.",
    "use md5()",
)
MESSAGES = rule(
    "log-messages",
    "Arrays and hashes in messages",
    "A log function printed the elements of an array with blanks between; it prints the array.",
    "join() it",
)
RANDOM = rule(
    "random-numbers",
    "fqdn_rand() draws other numbers",
    "fqdn_rand() has another seed, so that each node has another number than before.",
    "nothing, or write the number where it must stay",
)
FUNCTION = rule(
    "function-result",
    "Functions that answer otherwise",
    "The function gives another value, or refuses what it took, for the values seen.",
    "see the function's page",
)

# -- syntax ----------------------------------------------------------------------------------------

IMPORT = rule(
    "import",
    "No import",
    "import 'file.pp' is no statement any more.",
    "put the code into modules, or in a folder that is the main manifest",
)
INHERITANCE = rule(
    "node-inheritance",
    "Nodes do not inherit",
    "A node could inherit from another.",
    "put what they share in a class, or in both",
)
APPEND = rule(
    "append",
    "No +=",
    "$x += value made a new variable from the one outside.",
    "write $x = $x + value",
)
ELEMENT = rule(
    "element-assignment",
    "Hashes do not change",
    "$h[key] = value changed a hash.",
    "build the hash as a whole, or a new one with +",
)
SINGLE_QUOTES = rule(
    "escapes-single-quotes",
    "Backslashes in single quotes",
    r"'\\' was two backslashes, and is one.",
    "write two for each",
)
DOUBLE_QUOTES = rule(
    "escapes-double-quotes",
    "Characters by number in double quotes",
    r'"\u0041" was those six characters, and is an A.',
    "write two backslashes",
)
CAPITALS = rule(
    "capitalised-words",
    "Words with capitals are types",
    "A bare word that begins with a capital was text; it is a type.",
    "quote it",
)
RESERVED = rule(
    "reserved-words",
    "Words that are reserved now",
    "The word is reserved, and no text without quotes.",
    "quote it",
)
DIGITS = rule(
    "words-with-digits",
    "Words that begin with a digit",
    "A bare word could begin with a digit; it is no word any more.",
    "quote it",
)
LOWER_REFERENCE = rule(
    "lower-case-references",
    "References begin with a capital",
    "file['x'] was a reference; it is written File['x'].",
    "write it with a capital",
)
SPACE = rule(
    "space-before-bracket",
    "No blank before a bracket",
    "File ['x'] was a reference; with the blank between it is none.",
    "leave the blank out",
)
DUPLICATE_KEYS = rule(
    "duplicate-keys",
    "Keys occur once",
    "A key could stand twice in a hash, the last one won; it is an error.",
    "leave the others out",
)
COERCED = rule(
    "coerced-strings",
    "Text is no number",
    "Text was made a number with a warning; it is an error.",
    "convert it: Numeric($x)",
)
STRICT = rule(
    "strict-mode",
    "Warnings that are errors",
    "What was a warning is an error: the setting strict is 'error'.",
    "mend it",
)
REFUSED = rule(
    "refused",
    "Code that is refused",
    "The code is an error.",
    "see the message",
)
