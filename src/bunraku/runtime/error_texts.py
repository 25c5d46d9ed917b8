"""Errors in Puppet's own words, for agents and for programs that compare messages, such as specs.

bunraku's messages follow those of Puppet, except where they can say more. The texts here are those
of Puppet 7.23.
"""

from __future__ import annotations

from bunraku.base.errors import GENERAL_CODE, Diagnostic, Issue, PuppetError
from bunraku.base.source import Place
from bunraku.syntax import issues as syntax
from bunraku.syntax.check import issues as checks
from bunraku.syntax.expression_names import RESOURCE


def puppet_text(error: PuppetError, environment: str, node: str) -> str:
    """Return the text of an error as Puppet prints it."""
    finding = error.diagnostic
    text = whole_text(finding)
    mistakes = [item for item in error if item.severity == "error"]
    if error.phase == "parse" and len(mistakes) > 1 and not of_parser(finding):
        several = f"Language validation logged {len(mistakes)} errors. Giving up"
        text = located(several, Place(finding.file))
    if error.phase == "parse" and finding.in_puppet.form in ("parsed", "filed"):
        text = f"Could not parse for environment {environment}: {text}"
    return f"{text} on node {node}"


def of_parser(finding: Diagnostic) -> bool:
    """Return whether a mistake is one that Puppet's parser raises at once; it goes no further."""
    return any(
        isinstance(issue, Issue) and issue.code == finding.code and not hasattr(checks, name)
        for name, issue in vars(syntax).items()
    )


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
    return words


def located(text: str, place: Place) -> str:
    """Return a text with a place, as Puppet writes it.

    >>> located("Unknown class", Place("/site.pp", 3, 1))
    'Unknown class (file: /site.pp, line: 3, column: 1)'
    """
    names = ("file", "line", "column")
    where = [f"{name}: {value}" for name, value in zip(names, place.where, strict=True) if value]
    return f"{text} ({', '.join(where)})" if where else text
