"""Texts that are compared with a fact and are nearly a value that the fact can have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from bunraku.base.records import replace
from bunraku.facts.known_values import is_part, misspelt_value, values_of_fact
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.workbench.analysis.issues import UNKNOWN_FACT_VALUE
from bunraku.workbench.analysis.names import written_name
from bunraku.workbench.analysis.state import Analysis

READERS = frozenset({"fact", "get", "dig", "getvar"})
"""Functions that return a fact by its path."""
UNCHANGED = frozenset({"downcase", "upcase", "capitalize"})
"""Functions whose result differs from a fact in case only."""
WORDS = re.compile(r"\^?(?:\(\??:?)?([\w!|-]+)\)?\$?")
"""A pattern of words: ``^(Debian|Ubuntu)$``."""


def check_case(analysis: Analysis, node: nodes.Case) -> None:
    """Check the options of a ``case`` on a fact."""
    check(analysis, node.test, [one for option in node.options for one in option.values])


def check_selector(analysis: Analysis, node: nodes.Selector) -> None:
    """Check the options of a selector on a fact."""
    check(analysis, node.left, [entry.match for entry in node.entries])


def check_comparison(analysis: Analysis, node: nodes.Comparison) -> None:
    """Check ``==`` and ``!=`` with a fact on either side."""
    if node.operator in {"==", "!="}:
        check(analysis, node.left, [node.right])
        check(analysis, node.right, [node.left])


def check_match(analysis: Analysis, node: nodes.Match) -> None:
    """Check ``=~`` and ``!~`` with a fact on the left."""
    check(analysis, node.left, [node.right])


def check_in(analysis: Analysis, node: nodes.In) -> None:
    """Check ``in`` with a fact on the left and an array on the right."""
    if isinstance(node.right, nodes.List):
        check(analysis, node.left, node.right.values)


def check_access(analysis: Analysis, node: nodes.Access) -> None:
    """Check the keys of a hash of which a fact selects one."""
    if isinstance(node.left, nodes.Hash) and len(node.keys) == 1:
        check(analysis, node.keys[0], [one.key for one in node.left.entries])


def check(analysis: Analysis, fact: Node, options: Iterable[Node]) -> None:
    """Report the options that no system has as the value of a fact, if one is meant that some have."""
    path = fact_of(analysis, fact)
    if path is None or not values_of_fact(path):
        return
    for one in options:
        for text in option_texts(one):
            meant = misspelt_value(path, text)
            is_pattern = isinstance(one, nodes.Regexp)
            if meant is not None and not (is_pattern and is_part(path, text)):
                finding = analysis.report(UNKNOWN_FACT_VALUE, one, "warning", name=path, value=text)
                analysis.warnings.append(replace(finding, hint=f"did you mean '{meant}'?"))


def option_texts(option: Node) -> Iterator[str]:
    """Yield the texts that an option names: a string, an array of strings, a pattern of words."""
    if isinstance(option, nodes.List):
        for one in option.values:
            yield from option_texts(one)
    elif isinstance(option, nodes.Regexp):
        words = WORDS.fullmatch(option.pattern.removeprefix("(?i)"))
        yield from words[1].split("|") if words else ()
    elif (text := written_name(option)) is not None:
        yield text


def fact_of(analysis: Analysis, node: Node) -> str | None:
    """Return the path of the fact that an expression reads, such as ``os.family``; None for others."""
    if isinstance(node, nodes.Variable):
        return fact_of_variable(analysis, node)
    if isinstance(node, nodes.Access):
        return member_of(analysis, node)
    if isinstance(node, nodes.Parenthesized | nodes.Interpolation):
        return fact_of(analysis, node.expression)
    if isinstance(node, nodes.Concatenation) and len(node.segments) == 1:
        return fact_of(analysis, node.segments[0])
    if isinstance(node, nodes.MethodCall):
        return fact_of_call(analysis, node.name, [node.receiver, *node.arguments])
    if isinstance(node, nodes.Call):
        return fact_of_call(analysis, node.callee, node.arguments)
    return None


def fact_of_variable(analysis: Analysis, node: nodes.Variable) -> str | None:
    """Return the fact that a variable is, or the one that it was assigned; ``""`` for ``$facts``."""
    name = node.name.removeprefix("::")
    bindings = analysis.inference.bindings
    if name == node.name and name in bindings.by_name:
        binding = bindings.of(node)
        if binding is None or len(binding.values) != 1:
            return None
        return fact_of(analysis, binding.values[0])
    return "" if name == "facts" else None if "::" in name else name


def member_of(analysis: Analysis, node: nodes.Access) -> str | None:
    """Return the fact that ``$facts['os']['family']`` and ``$os['family']`` read."""
    name = written_name(node.keys[0]) if len(node.keys) == 1 else None
    return None if name is None else joined(fact_of(analysis, node.left), [name])


def fact_of_call(analysis: Analysis, function: Node, arguments: Sequence[Node]) -> str | None:
    """Return the fact that a call returns: ``fact('os.family')``, ``$facts.dig('os', 'family')``."""
    name = written_name(function)
    if name in UNCHANGED and len(arguments) == 1:
        return fact_of(analysis, arguments[0])
    if name not in READERS or not arguments:
        return None
    keys = [written_name(one) for one in arguments]
    start: str | None = ""
    if name in {"fact", "getvar"}:
        keys = keys[:1]
    else:
        start, keys = fact_of(analysis, arguments[0]), keys[1 : 2 if name == "get" else None]
    given = [one.removeprefix("facts.") for one in keys if one is not None]
    return joined(start, given) if given and len(given) == len(keys) else None


def joined(start: str | None, names: Sequence[str]) -> str | None:
    """Return a path with more names at its end."""
    return None if start is None else ".".join(filter(None, [start, *names]))
