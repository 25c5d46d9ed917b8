"""A version of Puppet as one object.

The file of a version (``puppet_8.py``, ``puppet_3_8.py``, …) holds all that differs in it. Such a file is
data: functions and tables are :class:`Imported`, because even the smallest command imports a dialect.
Lower layers receive their part of the object and never read the name of a dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_imports import Imported
from bunraku.base.lazy_typing import Any
from bunraku.base.records import record, replace
from bunraku.base.source import Source
from bunraku.compiler.rules import CompilerRules
from bunraku.runtime.rules import RuntimeRules
from bunraku.syntax.nodes import Program
from bunraku.syntax.parser.result import ParseResult
from bunraku.syntax.rules import SyntaxRules
from bunraku.syntax.tokens import Tokens


@record(frozen=True)
class Grammar:
    """The modules that read a dialect.

    ``lexer`` has ``tokenize`` and ``tokenize_template``, ``parser`` has ``parse`` and ``parse_epp``,
    ``checker`` has ``check``.
    """

    lexer: str
    parser: str
    checker: str


@record(frozen=True, eq=False)
class Dialect:
    """A version of Puppet: everything that differs between versions, a part for each layer.

    ``name`` is the value of ``--language``, ``version`` the version that agents and servers report.
    ``helpers`` names functions that compiled code calls instead of those in
    :mod:`bunraku.runtime.helpers`: pairs of a module and its functions, separated by blanks;
    ``function=helper`` where the names differ. ``settings`` is a table of settings and their
    defaults, without ``removed_settings`` and with other defaults in ``changed_settings``;
    ``given_settings`` holds values that a compile uses where the user gives none. ``functions`` is
    a :class:`bunraku.functions.registry.Library`. ``top_variables`` makes the variables of top
    scope, of a node, settings, and a function for warnings; ``outer_variables`` those below top
    scope, of a node's name, the version and the world.
    """

    name: str
    version: str
    grammar: Grammar
    syntax: SyntaxRules
    compiler: CompilerRules
    runtime: RuntimeRules
    helpers: tuple[tuple[str, str], ...]
    settings: Imported
    given_settings: Mapping[str, Any]
    removed_settings: frozenset[str]
    changed_settings: Mapping[str, Any]
    functions: Imported
    top_variables: Imported
    outer_variables: Imported | None

    def with_syntax(self, **changes: Any) -> Dialect:
        """Return this dialect with other values for switches of its syntax."""
        return replace(self, syntax=replace(self.syntax, **changes))

    def tokenize(self, source: Source) -> Tokens:
        """Return the tokens of a manifest or, if the source is one, a template.

        >>> from bunraku.dialects.languages import dialect_named
        >>> dialect_named("3.8").tokenize(Source("notice 1.5")).kinds
        ['NAME', 'NAME', 'END']
        """
        module = import_module(self.grammar.lexer)
        read = module.tokenize_template if source.is_template else module.tokenize
        found: Tokens = read(source, self.syntax)
        return found

    def parse(self, source: Source, tokens: Tokens | None = None) -> ParseResult:
        """Parse a manifest or, if the source is one, a template; the result holds the mistakes.

        ``tokens`` are those of a manifest, if they are known; the parser adds its warnings to them.

        >>> from bunraku.dialects.languages import dialect_named
        >>> dialect_named("3.8-future").parse(Source("notice('hello')")).diagnostics
        []
        """
        module = import_module(self.grammar.parser)
        result: ParseResult
        if source.is_template:
            result = module.parse_epp(source, self.syntax)
        else:
            result = module.parse(source, self.syntax, tokens)
        return result

    def check(
        self,
        program: Program,
        settings: Mapping[str, Any],
        modulepath: Iterable[str | tuple[str, str]] = (),
        compile_regexp: Callable[[str], object] | None = None,
    ) -> list[Diagnostic]:
        """Return the mistakes in a program that parses: see :func:`bunraku.syntax.check.check.check`."""
        module = import_module(self.grammar.checker)
        found: list[Diagnostic] = module.check(
            program, self.syntax, settings, modulepath, compile_regexp
        )
        return found

    def default_settings(self) -> dict[str, Any]:
        """Return the settings and their defaults.

        >>> from bunraku.dialects.languages import dialect_named
        >>> "pluginsync" in dialect_named("9").default_settings()
        False
        """
        table: Mapping[str, Any] = self.settings.get()
        kept = {name: value for name, value in table.items() if name not in self.removed_settings}
        return {**kept, **self.changed_settings}

    def runtime_rules(self) -> RuntimeRules:
        """Return the rules of the runtime, with every function imported."""
        return loaded_rules(self.runtime)

    def helper_table(self) -> dict[str, Any]:
        """Return the helpers by the names that compiled code calls."""
        return loaded_helpers(self.helpers)


@cache
def loaded_rules(rules: RuntimeRules) -> RuntimeRules:
    """Return rules with every function imported, once for each version."""
    return rules.loaded()


@cache
def loaded_helpers(replaced: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """Return the table of helpers with some replaced: see :class:`Dialect`."""
    from bunraku.runtime.helpers import HELPERS

    if not replaced:
        return HELPERS
    table = dict(HELPERS)
    for module_name, functions in replaced:
        module = import_module(module_name)
        for entry in functions.split():
            function, _, helper = entry.partition("=")
            table[helper or function] = getattr(module, function)
    return table
