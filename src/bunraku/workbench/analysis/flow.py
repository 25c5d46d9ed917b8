"""Code that cannot be reached, conditions that decide nothing, and options that are missing."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.errors import PuppetError
from bunraku.compiler.expressions import ARITHMETIC
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Definition, Node
from bunraku.workbench.analysis.constants import (
    OPERATORS,
    UNKNOWN,
    Helpers,
    constant,
    constant_truth,
    is_pure,
    same_code,
)
from bunraku.workbench.analysis.issues import (
    CONSTANT_CONDITION,
    UNREACHABLE_CODE,
    UNREACHABLE_OPTION,
)
from bunraku.workbench.analysis.state import Analysis

ENDING = frozenset({"fail", "return", "break", "next"})
"""Functions after which the code of a block does not go on."""
ORDERED = frozenset({"<", "<=", ">", ">="})
DIVISIONS = frozenset({"/", "%"})
ZEROS = (0, "0")


def helpers_of(analysis: Analysis) -> Helpers:
    """Return the helpers of compiled code, which are the rules of the dialect."""
    return analysis.definitions.resolved.helpers


# -- code after its end ------------------------------------------------------------------------


def check_block(analysis: Analysis, node: nodes.Block) -> None:
    """Report the first statement after one that ends the block; definitions can be anywhere."""
    ending: str | None = None
    for one in node.statements:
        if ending is not None and not isinstance(one, Definition):
            analysis.warnings.append(analysis.report(UNREACHABLE_CODE, one, ending=ending))
            return
        ending = ending or end_of(one)


def end_of(node: Node) -> str | None:
    """Return the name of the function by which a statement always ends; None if it can go on."""
    if isinstance(node, nodes.Call):
        is_ending = isinstance(node.callee, nodes.Name) and node.callee.value in ENDING
        return node.callee.value if is_ending and isinstance(node.callee, nodes.Name) else None
    if isinstance(node, nodes.Block):
        return next(filter(None, map(end_of, node.statements)), None)
    if isinstance(node, nodes.If | nodes.Unless):
        ends = [end_of(node.then), end_of(node.otherwise)]
        return ends[0] if all(ends) else None
    if isinstance(node, nodes.Case):
        ends = [end_of(one.then) for one in node.options]
        return ends[0] if ends and all(ends) and has_default(node) else None
    return None


def has_default(node: nodes.Case) -> bool:
    """Return whether a ``case`` has an option for all other values."""
    return any(isinstance(value, nodes.Default) for one in node.options for value in one.values)


# -- conditions --------------------------------------------------------------------------------


def check_if(analysis: Analysis, node: nodes.If) -> None:
    """Check the condition, and that no later one of the same chain repeats it."""
    check_condition(analysis, node.test)
    later = node.otherwise
    while isinstance(later, nodes.If):
        if id(later) not in analysis.seen and is_pure(node.test):
            if same_code(node.test, later.test):
                analysis.seen.add(id(later))
                report_option(analysis, later.test, "the same condition is above")
        later = later.otherwise


def check_unless(analysis: Analysis, node: nodes.Unless) -> None:
    """Check the condition."""
    check_condition(analysis, node.test)


def check_condition(analysis: Analysis, node: Node) -> None:
    """Report a condition, or an operand of ``and`` and ``or`` in it, that is always the same."""
    value = constant_truth(helpers_of(analysis), node)
    if value is not None:
        text = "true" if value else "false"
        analysis.warnings.append(analysis.report(CONSTANT_CONDITION, node, value=text))
        return
    if isinstance(node, nodes.And | nodes.Or):
        check_condition(analysis, node.left)
        check_condition(analysis, node.right)
    elif isinstance(node, nodes.Not | nodes.Parenthesized):
        check_condition(analysis, node.expression)


def check_comparison(analysis: Analysis, node: nodes.Comparison) -> None:
    """Report a comparison of literals that fails, such as ``'a' < 1``."""
    if node.operator not in ORDERED:
        return
    helpers = helpers_of(analysis)
    try:
        left, right = constant(helpers, node.left), constant(helpers, node.right)
        if left is not UNKNOWN and right is not UNKNOWN:
            helpers[OPERATORS[node.operator]](left, right)
    except PuppetError as error:
        analysis.findings.append(error.diagnostic.at(analysis.place(node)))


def check_arithmetic(analysis: Analysis, node: nodes.Arithmetic) -> None:
    """Report arithmetic with literals that fails, such as ``1 + 'a'``, and division by a literal zero."""
    helpers = helpers_of(analysis)
    try:
        left, right = constant(helpers, node.left), constant(helpers, node.right)
        if left is UNKNOWN and node.operator in DIVISIONS and right in ZEROS:
            left = 1
        if left is not UNKNOWN and right is not UNKNOWN:
            helpers[ARITHMETIC[node.operator]](left, right)
    except PuppetError as error:
        analysis.findings.append(error.diagnostic.at(analysis.place(node)))


# -- options -----------------------------------------------------------------------------------


def check_case(analysis: Analysis, node: nodes.Case) -> None:
    """Check that each option of a ``case`` can be chosen."""
    check_case_options(analysis, [value for option in node.options for value in option.values])


def check_selector(analysis: Analysis, node: nodes.Selector) -> None:
    """Check that each option of a selector can be chosen."""
    check_case_options(analysis, [entry.match for entry in node.entries])


def check_case_options(analysis: Analysis, options: Sequence[Node]) -> None:
    """Report options for which one above is always chosen."""
    helpers = helpers_of(analysis)
    above: list[Node] = []
    for one in options:
        if isinstance(one, nodes.Default):
            continue
        earlier = next((other for other in above if covers(helpers, other, one)), None)
        if earlier is not None:
            source = analysis.program.source
            text = source.text[earlier.start : earlier.end]
            line = source.line(earlier.start)
            report_option(analysis, one, f"{text} in line {line} is chosen first")
        above.append(one)


def covers(helpers: Helpers, option: Node, other: Node) -> bool:
    """Return whether an option matches each value that another one matches."""
    if isinstance(option, nodes.Reference) and option.value == "Any":
        return True
    value = constant(helpers, other)
    if isinstance(option, nodes.Regexp) and isinstance(value, str):
        return bool(helpers["option_matches"](value, helpers["regexp"](option.pattern)))
    if isinstance(option, nodes.String | nodes.Name) and isinstance(value, str):
        return bool(helpers["equal"](option.value, value))
    return is_pure(option) and same_code(option, other)


def report_option(analysis: Analysis, node: Node, reason: str) -> None:
    """Report an option or condition that is never chosen."""
    analysis.warnings.append(analysis.report(UNREACHABLE_OPTION, node, reason=reason))
