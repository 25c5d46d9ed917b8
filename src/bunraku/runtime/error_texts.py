"""Errors in Puppet's own words, for agents and for programs that compare messages, such as specs.

bunraku's messages follow those of Puppet, except where they can say more. The texts here are those
of Puppet 7.23.
"""

from __future__ import annotations

import re

from bunraku.base.errors import GENERAL_CODE, Diagnostic, PuppetError
from bunraku.base.source import Place
from bunraku.runtime.expression_names import RESOURCE
from bunraku.types.mismatch import wrong_count

ALIAS = re.compile(
    r"expects (?P<match>a match for )?(?P<type>.+), got (?P<actual>.+)"
    r" \((?P<alias>(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*) = (?P<definition>.+)\)$"
)
SIGNATURE = re.compile(r"^  \((?=.*\$\w)")
PARAMETER = re.compile(r"\$(?P<name>\w+)(?P<optional> = …)?")
BLOCK = re.compile(
    r"block expects (?P<count>[\w ]+) arguments?, but is called with (?P<low>\d+)(?: or (?P<high>\d+))?$"
)
LITERAL = re.compile(r"value, got (?:(?P<number>-?\d+(?:\.\d+)?)|'.*')$")
OTHER_KIND = re.compile(
    r"(?P<article>expects an?) (?P<kind>Integer|Float|String|Array|Hash)\[.*\] value,"
    r" got (?P<actual>[A-Z]\w*)$"
)


def puppet_text(error: PuppetError, environment: str, node: str) -> str:
    """Return the text of an error as Puppet prints it."""
    finding = error.diagnostic
    text = whole_text(finding)
    if error.phase == "parse" and finding.in_puppet.form in ("parsed", "filed"):
        text = f"Could not parse for environment {environment}: {text}"
    return f"{text} on node {node}"


def whole_text(finding: Diagnostic) -> str:
    """Return the message of an error in Puppet with its place."""
    return located(nested_message(finding), finding.in_puppet.declared or printed_place(finding))


def printed_place(finding: Diagnostic) -> Place:
    """Return the place in the text of the innermost error; the end of a file has no line there."""
    place = finding.own_place
    return Place(place.file) if finding.in_puppet.form == "filed" else place


def nested_message(finding: Diagnostic) -> str:
    """Return the message of an error in Puppet, without its place."""
    if finding.in_puppet.declared is None:
        return message_of(finding)
    return f"Evaluation Error: Error while evaluating {RESOURCE}, {detail(finding)}"


def detail(finding: Diagnostic) -> str:
    """Return bunraku's message; for an error in a defined type the whole inner error in Puppet's words.

    Puppet's evaluator puts that text into the error at the declaration.
    """
    if finding.in_puppet.declared is None:
        return finding.message
    return located(message_of(finding), printed_place(finding))


def message_of(finding: Diagnostic) -> str:
    """Return the message of the innermost error, with the words that Puppet puts before it."""
    words = words_of(finding)
    if finding.in_puppet.form != "evaluated":
        return words
    if finding.own_code == GENERAL_CODE and finding.in_puppet.expression is not None:
        words = f"Error while evaluating {finding.in_puppet.expression}, {words}"
    return f"Evaluation Error: {words}"


def words_of(finding: Diagnostic) -> str:
    """Return the message of a finding in Puppet's words."""
    words = finding.in_puppet.words
    if words is None:
        words = finding.message
    elif "{here}" in words:
        line = Place(finding.own_place.file, finding.own_place.line)
        words = words.replace("{here}", located("", line))
    return "\n".join(with_alias(line) for line in words.split("\n"))


def located(text: str, place: Place) -> str:
    """Return a text with a place, as Puppet writes it.

    >>> located("Unknown class", Place("/site.pp", 3, 1))
    'Unknown class (file: /site.pp, line: 3, column: 1)'
    """
    names = ("file", "line", "column")
    where = [f"{name}: {value}" for name, value in zip(names, place.where, strict=True) if value]
    return f"{text} ({', '.join(where)})" if where else text


def with_alias(line: str) -> str:
    """Return a line about a type mismatch with the alias in the place of the type.

    >>> with_alias("parameter 'port' expects an Integer[1] value, got String (Port = Integer[1])")
    "parameter 'port' expects a Port = Integer[1] value, got String"
    """
    if SIGNATURE.match(line):
        return PARAMETER.sub(lambda found: found["name"] + ("?" if found["optional"] else ""), line)
    line = BLOCK.sub(block_count, line)
    if ALIAS.search(line) is None:
        line = OTHER_KIND.sub(without_parameters, line)
    return LITERAL.sub(type_of_literal, ALIAS.sub(alias_first, line))


def block_count(found: re.Match[str]) -> str:
    """Return the words for a lambda with a wrong number of parameters, seen from the function.

    >>> BLOCK.sub(block_count, "'each' block expects 3 arguments, but is called with 1 or 2")
    "'each' block expects between 1 and 2 arguments, got 3"
    """
    low = int(found["low"])
    problem = wrong_count(low, int(found["high"] or low), 0).removesuffix("none")
    return f"block {problem}{'none' if found['count'] == 'no' else found['count']}"


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
