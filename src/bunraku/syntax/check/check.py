"""What can be found wrong in a syntax tree without running it.

One walk over the tree in the order in which Puppet walks it, with a list as the stack, so that
neither deep nor long code meets Python's limits; a table gives each class of node its rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_typing import Any
from bunraku.syntax import nodes
from bunraku.syntax.check.autoload import namespace_of
from bunraku.syntax.check.plans import TaskChecker
from bunraku.syntax.check.programs import Checker
from bunraku.syntax.check.walk import NO_SETTINGS, RegexpCompiler
from bunraku.syntax.rules import Dialect

__all__ = ["check"]


def check(
    program: nodes.Program,
    dialect: Dialect,
    settings: Mapping[str, Any] = NO_SETTINGS,
    modulepath: Iterable[str | tuple[str, str]] = (),
    compile_regexp: RegexpCompiler | None = None,
) -> list[Diagnostic]:
    """All that is wrong with a program, in the order in which Puppet finds it.

    ``settings`` are Puppet's: ``strict`` decides how bad some findings are. A file that lies below
    a folder of ``modulepath`` may hold definitions only, and those that Puppet looks for there.
    ``compile_regexp`` raises a PuppetError for a pattern that is no regular expression; without it
    patterns are not looked at.

    >>> from bunraku.base.source import Source
    >>> from bunraku.syntax.rules import MODERN
    >>> from bunraku.syntax.parser.parser import parse
    >>> [item.code for item in check(parse(Source("$a::b = 1 1 2")).program, MODERN)]
    ['IDEM_EXPRESSION_NOT_LAST', 'CROSS_SCOPE_ASSIGNMENT']
    """
    namespace = namespace_of(program.source.path, modulepath)
    checker = TaskChecker if dialect.tasks else Checker
    return checker(program, dialect, settings, namespace, compile_regexp).run()
