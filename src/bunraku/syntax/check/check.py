"""Checks of a syntax tree without running it.

The rules are in the modules of :data:`RULE_MODULES`, one function for each class of node.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_typing import Any
from bunraku.syntax import nodes
from bunraku.syntax.check import definitions, expressions, heredocs, plans, resources
from bunraku.syntax.check.autoload import namespace_of
from bunraku.syntax.check.programs import check_program
from bunraku.syntax.check.walk import NO_SETTINGS, RULES, Check, RegexpCompiler
from bunraku.syntax.rules import SyntaxRules

__all__ = ["check"]

RULE_MODULES = (definitions, expressions, heredocs, plans, resources)
RULES_WITH_PLANS = plans.rules_with_plans()


def check(
    program: nodes.Program,
    dialect: SyntaxRules,
    settings: Mapping[str, Any] = NO_SETTINGS,
    modulepath: Iterable[str | tuple[str, str]] = (),
    compile_regexp: RegexpCompiler | None = None,
) -> list[Diagnostic]:
    """Return all that is wrong with a program, in the order in which Puppet finds it.

    ``settings`` are Puppet's: ``strict`` decides how bad some findings are. A file below
    a folder of ``modulepath`` may hold definitions only, and those that Puppet looks for there.
    ``compile_regexp`` raises a PuppetError for a pattern that is not a regular expression; without
    it patterns are not checked.

    >>> from bunraku.base.source import Source
    >>> from bunraku.syntax.rules import DEFAULTS
    >>> from bunraku.syntax.parser.parser import parse
    >>> [item.code for item in check(parse(Source("$a::b = 1 1 2")).program, DEFAULTS)]
    ['IDEM_EXPRESSION_NOT_LAST', 'CROSS_SCOPE_ASSIGNMENT']
    """
    namespace = namespace_of(program.source.path, modulepath)
    rules = RULES_WITH_PLANS if dialect.tasks else RULES
    return check_program(Check(program, dialect, settings, rules, namespace, compile_regexp))
