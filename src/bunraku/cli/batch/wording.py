"""Errors in Puppet's own words, for programs that compare messages, such as specs.

bunraku's messages follow those of Puppet, except where they can say more. The texts here are those
of Puppet 7.23.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from bunraku.base.errors import PuppetError
from bunraku.engine.request import ResolvedRequest
from bunraku.server.compiling.labels import puppet_text

ALIAS = re.compile(
    r"expects (?P<match>a match for )?(?P<type>.+), got (?P<actual>.+)"
    r" \((?P<alias>(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*) = (?P<definition>.+)\)$"
)
LITERAL = re.compile(r"value, got (?:(?P<number>-?\d+(?:\.\d+)?)|'.*')$")
OTHER_KIND = re.compile(
    r"(?P<article>expects an?) (?P<kind>Integer|Float|String|Array|Hash)\[.*\] value,"
    r" got (?P<actual>[A-Z]\w*)$"
)
UNLABELLED = (
    (r"(?=[A-Z]\w*(?:::[A-Z]\w*)*\[.*\]:\s+(?:parameter|expects|has no) )", "a Resource Statement"),
    (r"(?='[\w:]+' (?:parameter|expects) )", "a Function Call"),
)
"""Beginnings of messages about arguments, and the words for the expression that passed them."""


def printed(error: PuppetError, resolved: ResolvedRequest | None) -> str:
    """Return the text that Puppet prints for an error; without a resolved request, its message."""
    if resolved is None:
        return error.message
    text = puppet_text(
        error, resolved.environment.name, resolved.request.node, resolved.dialect.parse
    )
    for own, other in WORDINGS.get(error.code, ()):
        text = re.sub(own, other, text, count=1)
    for start, label in UNLABELLED:
        text = re.sub(
            f"Evaluation Error: {start}",
            f"Evaluation Error: Error while evaluating {label}, ",
            text,
        )
    return "\n".join(with_alias(line) for line in text.split("\n"))


def with_alias(line: str) -> str:
    """Return a line about a type mismatch with the alias in the place of the type.

    >>> with_alias(
    ...     "parameter 'port' expects an Integer[1] value, got String (Port = Integer[1]) (line: 2)"
    ... )
    "parameter 'port' expects a Port = Integer[1] value, got String (line: 2)"
    """
    line, place = split_place(line)
    if ALIAS.search(line) is None:
        line = OTHER_KIND.sub(without_parameters, line)
    return LITERAL.sub(type_of_literal, ALIAS.sub(alias_first, line)) + place


def split_place(line: str) -> tuple[str, str]:
    """Return a line without the place and the node at its end, and both of these."""
    found = re.search(r"(?: \((?:file: |line: )[^()]*\))?(?: on node \S+)?$", line)
    at = len(line) if found is None else found.start()
    return line[:at], line[at:]


def alias_first(found: re.Match[str]) -> str:
    """Return the words of a mismatch that names an alias with its definition."""
    expected = f"{found['alias']} = {found['definition']}"
    if found["match"] or found["definition"].startswith(("Enum[", "Pattern[")):
        return f"expects a match for {expected}, got {found['actual']}"
    if found["type"].startswith("size to be "):
        return found[0]
    article = "an" if expected[0] in "AEIOU" else "a"
    return f"expects {article} {expected} value, got {found['actual']}"


def without_parameters(found: re.Match[str]) -> str:
    """Return the words of a mismatch of kinds, where Puppet leaves out the parameters of the type.

    >>> OTHER_KIND.sub(without_parameters, "expects an Integer[0] value, got String")
    'expects an Integer value, got String'
    >>> OTHER_KIND.sub(without_parameters, "expects an Integer[1] value, got Integer[0, 0]")
    'expects an Integer[1] value, got Integer[0, 0]'
    """
    if found["kind"] == found["actual"]:
        return found[0]
    return f"{found['article']} {found['kind']} value, got {found['actual']}"


def type_of_literal(found: re.Match[str]) -> str:
    """Return the type of a value that bunraku shows and Puppet does not.

    >>> LITERAL.sub(type_of_literal, "expects an Integer[1] value, got 0")
    'expects an Integer[1] value, got Integer[0, 0]'
    """
    number = found["number"]
    if number is None:
        return "value, got String"
    kind = "Float" if "." in number else "Integer"
    return f"value, got {kind}[{number}, {number}]"


def lookup_failed(found: re.Match[str]) -> str:
    """Return the words of a lookup without a value: one name, or an array of names.

    >>> re.sub(
    ...     LOOKUP,
    ...     lookup_failed,
    ...     "Evaluation Error: lookup() did not find a value for 'a' or 'b' on node n",
    ... )
    "Function lookup() did not find a value for any of the names ['a', 'b'] on node n"
    """
    names = found[1].split(" or ")
    what = f"the name {names[0]}" if len(names) == 1 else f"any of the names [{', '.join(names)}]"
    return f"Function lookup() did not find a value for {what}"


Wording = tuple[str, str | Callable[[re.Match[str]], str]]
FILE = r"(?:file: .*?, )?"
MISSING = (
    r"Evaluation Error: (Could not find resource .* in parameter '\w+') of .*?"
    rf"( \({FILE}line: \d+)(?:, column: \d+)?\)(?= on node)"
)
UNKNOWN = (
    r"Evaluation Error: (?:Error while evaluating .*?, )?(no parameter named '\w+')"
    rf"( on .*?)( \({FILE}line: \d+\))(?= on node)"
)

ALIAS_TAKEN = (
    r"(Cannot alias \w+\[.*?\] to) (.*?): (\w+)\[.*?\] is already declared at"
    rf" (\({FILE}line: \d+\))(?= (\({FILE}line: \d+))"
)
LOOKUP = r"Evaluation Error: \w+\(\) did not find a value for ('.*?')(?: \([^()]*\))?(?= on node)"
ORDERED = "Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable"
COMPARISON = r"Comparison of: an? (\w+) (\S+) an? (\w+), is not possible"

WORDINGS: dict[str | None, tuple[Wording, ...]] = {
    "SYNTAX_ERROR": (
        (r"Syntax error: unexpected end of input.* (?=on node )", "Syntax error at end of input "),
        (
            r"Syntax error: unexpected ('.*?'|\S+)(?:, expected [^(]*)?(?= \(| on node)",
            r"Syntax error at \1",
        ),
    ),
    "UNKNOWN_FUNCTION": ((r"(Unknown function: '[^']*')", r"\1."),),
    "DUPLICATE_DECLARATION": (
        (rf"; cannot redeclare(?= (\({FILE}line: \d+))", r"; cannot redeclare \1)"),
    ),
    "MISSING_DEPENDENCY": ((MISSING, r"\1\2)"),),
    "UNKNOWN_PARAMETER": ((UNKNOWN, r"\1\3\2\3"),),
    "EMPTY_STRING_TITLE_AT": (
        (
            "; a title has at least one character",
            ". Title strings must have a length greater than zero.",
        ),
    ),
    "ILLEGAL_TITLE_TYPE_AT": ((r"(Expected String, got) an? (\w+)", r"\1 \2"),),
    "NOT_NUMERIC": (("(cannot be converted to Numeric)", r"\1."),),
    "MATCH_NOT_STRING": ((r"(String value\. Got an? \w+)", r"\1."),),
    "OPERATOR_NOT_APPLICABLE": ((r"(is not applicable to an? \w+(?: Value)?)", r"\1."),),
    "COMPARISON_NOT_POSSIBLE": (
        (
            COMPARISON.replace(r"(\w+)", "(String)", 1),
            r"Comparison of: \1 \2 \3, is not possible. Caused by 'A String is not comparable to a non String'.",
        ),
        (COMPARISON, rf"Comparison of: \1 \2 \3, is not possible. Caused by '{ORDERED}'."),
    ),
    "LOOKUP_NOT_FOUND": ((LOOKUP, lookup_failed),),
    "UNKNOWN_RESOURCE": ((r"(Resource not found: \w+(?:::\w+)*)\[(.*?)\](?= \()", r"\1['\2']"),),
    "EMPTY_CLASS_NAME": (
        (
            "'include': a class name cannot be empty",
            "Error while evaluating a Function Call, Cannot use empty string as a class name",
        ),
    ),
    "ILLEGAL_ARGUMENT_COUNT": (
        (r"expects 1 arguments", "expects 1 argument"),
        (r", got 0(?= \()", ", got none"),
    ),
    "ALIAS_TAKEN": (
        (
            ALIAS_TAKEN,
            r'\1 ["\2"] at \4; resource ["\3", "\2"] already declared \5)',
        ),
    ),
    "NODE_NOT_FOUND": (
        (
            r"Evaluation Error: No node definition matches (.*), and there is no default node",
            r"Could not find node statement with name 'default' or \1",
        ),
    ),
    "FILE_NOT_FOUND": (
        (r"file\(\): could not find any of the files", "Could not find any files from"),
    ),
    "RUBY_ERROR": (("The inline template failed:", "Failed to parse inline template:"),),
}
"""Code of an issue → patterns in its text, and Puppet's words for them."""
