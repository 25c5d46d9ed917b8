"""``case`` statements and selectors that miss values of a parameter with few values."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.errors import Issue
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.workbench.analysis.constants import UNKNOWN, Value, constant
from bunraku.workbench.analysis.definitions import Definitions
from bunraku.workbench.analysis.flow import helpers_of
from bunraku.workbench.analysis.issues import MISSING_OPTION, SELECTOR_WITHOUT_DEFAULT
from bunraku.workbench.analysis.state import Analysis

DEFINED = (nodes.ClassDefinition, nodes.DefineDefinition, nodes.FunctionDefinition)
"""Definitions with parameters."""


def check_case(analysis: Analysis, node: nodes.Case) -> None:
    """Report values of a parameter for which a ``case`` has no option."""
    options = [value for option in node.options for value in option.values]
    check_choice(analysis, node.test, options, None)


def check_selector(analysis: Analysis, node: nodes.Selector) -> None:
    """Report values for which a selector has no option: it fails."""
    options = [entry.match for entry in node.entries]
    check_choice(analysis, node.left, options, SELECTOR_WITHOUT_DEFAULT)


def check_choice(
    analysis: Analysis,
    test: Node,
    options: Sequence[Node],
    otherwise: Issue | None,
) -> None:
    """Report values without an option; ``otherwise`` is reported if the values are not known."""
    if any(isinstance(one, nodes.Default) for one in options):
        return
    helpers = helpers_of(analysis)
    matched = [option_value(analysis, one) for one in options]
    if UNKNOWN in matched:
        return
    values = values_of_parameter(analysis, test)
    if values is None:
        if otherwise is not None and options and not (True in matched and False in matched):
            analysis.warnings.append(analysis.report(otherwise, test))
        return
    matches = helpers["option_matches"]
    missed = [one for one in values if not any(matches(one, option) for option in matched)]
    if missed:
        shown = ", ".join("undef" if one is None else str(one).lower() for one in missed)
        analysis.warnings.append(analysis.report(MISSING_OPTION, test, values=shown))


def values_of_parameter(analysis: Analysis, node: Node) -> list[Value] | None:
    """Return all values of a variable that is a parameter of the definition around it."""
    if isinstance(node, nodes.Variable) and isinstance(analysis.body, DEFINED):
        for one in analysis.body.parameters:
            if one.name == node.name and one.type is not None:
                return values_of(analysis.definitions, one.type)
    return None


def option_value(analysis: Analysis, node: Node) -> Value:
    """Return a literal option, with a pattern as a regular expression; UNKNOWN for other code."""
    helpers = helpers_of(analysis)
    if isinstance(node, nodes.Regexp):
        return helpers["regexp"](node.pattern)
    return constant(helpers, node)


def values_of(definitions: Definitions, node: Node) -> list[Value] | None:
    """Return all values of an ``Enum``, ``Boolean``, or a type made of these; None for other types."""
    name = node.left if isinstance(node, nodes.Access) else node
    keys = node.keys if isinstance(node, nodes.Access) else []
    if not isinstance(name, nodes.Reference):
        return None
    plain = name.value.lower().removeprefix("::")
    if plain == "boolean" and not keys:
        return [True, False]
    if plain == "enum" and keys:
        texts = [one.value for one in keys if isinstance(one, nodes.String | nodes.Name)]
        return texts if len(texts) == len(keys) else None
    if plain in {"optional", "variant"} and keys:
        parts = [values_of(definitions, one) for one in keys]
        if any(one is None for one in parts):
            return None
        found = [value for one in parts for value in one or ()]
        return [*found, None] if plain == "optional" else found
    if plain == "undef":
        return [None]
    alias = None if keys else definitions.alias(plain)
    return None if alias is None else values_of(definitions, alias.type)
