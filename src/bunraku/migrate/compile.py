"""Compiling under the old language while watching."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.catalog.model import Catalog
from bunraku.compiler.code import to_code, unit_name
from bunraku.engine.compile import Engine, Request, compile_regexp
from bunraku.migrate.findings import Findings
from bunraku.migrate.marked import marked_facts
from bunraku.migrate.old_facts import modern_facts
from bunraku.migrate.static import Static
from bunraku.migrate.templates import Templates
from bunraku.migrate.trees import Tree, mark_literals
from bunraku.migrate.watch import Watcher, numbers, operators, truth_and_text
from bunraku.migrate.watch_names import names_and_calls
from bunraku.modules.node import Node
from bunraku.runtime.definitions import Unit, read_unit
from bunraku.runtime.log import LogEntry
from bunraku.runtime.state import Compilation
from bunraku.runtime.variables import Scope
from bunraku.syntax import nodes
from bunraku.syntax.grammars import check, parse

Value = Any


class WatchedEngine(Engine):
    """The engine of the old language with helpers that are watched."""

    def __init__(
        self, request: Request, log: Callable[[LogEntry], None], findings: Findings
    ) -> None:
        super().__init__(request, log)
        self.watcher = Watcher(findings)
        self.templates = Templates(findings, modern_facts(request.facts))
        old = self.runtime.HELPERS
        helpers = {**old, **numbers(self.watcher, old)}
        for family in (operators, truth_and_text, names_and_calls):
            helpers.update(family(self.watcher, helpers))
        self.runtime = SimpleNamespace(HELPERS=helpers, RULES=self.runtime.RULES)  # type: ignore[assignment]

    def compile(self, then: Callable[[Scope], Value] | None = None) -> Catalog:
        """See :meth:`Engine.compile`."""

        def look(scope: Scope) -> Value:
            self.look_at_parents(scope.compilation)
            return None if then is None else then(scope)

        return super().compile(look)

    def top_variables(self, node: Node) -> dict[str, Value]:
        """The variables of top scope; facts remember what they are today."""
        return marked_facts(super().top_variables(node), modern_facts(node.clean_facts()))

    def load_source(self, compilation: Compilation, source: Source, module_name: str) -> Unit:
        """The definitions in a source, compiled to be watched; none of it is kept."""
        source.language = self.dialect.name
        name = unit_name(source)
        self.source_table[name] = source
        result = parse(source, self.dialect)
        found = list(result.diagnostics)
        if not any(one.severity == "error" for one in found):
            found += check(
                result.program,
                self.dialect,
                self.settings,
                self.environment.module_places,
                compile_regexp,
            )
        errors = [one for one in found if one.severity == "error"]
        if errors:
            raise PuppetError(errors[0], errors[1:], phase="evaluate")
        tree = Tree(source, result.program)
        facts = modern_facts(self.request.facts)
        Static(tree, self.watcher.findings, self.request.node, facts, self.imported).look()
        self.watcher.add_tree(name, tree)
        program = parse(source, self.dialect).program
        mark_literals(Tree(source, program))
        self.watch_variables(compilation)
        compilation.watch_template = self.templates.look
        namespace: dict[str, Any] = {}
        exec(to_code(source, program), self.runtime.HELPERS, namespace)
        return read_unit(namespace["definitions"], module_name)

    def imported(self, pattern: str, importing: str) -> tuple[str, str] | None:
        """Return path and text of the one file that an ``import`` names."""
        try:
            paths = [path for path, _ in self.autoloader.imports(pattern, importing)]
        except PuppetError:
            return None
        return (paths[0], self.read_source(paths[0]).text) if len(paths) == 1 else None

    def look_at_parents(self, compilation: Compilation) -> None:
        """Classes whose parent was found in the namespaces around them."""
        for editor in self.watcher.editors.values():
            for node in editor.tree.program.definitions:
                if not isinstance(node, nodes.ClassDefinition) or node.parent is None:
                    continue
                inside = compilation.class_scopes.get(node.name.lower())
                outer = None if inside is None else inside.outer
                found = None if outer is None else outer.definition
                if found is not None and found.kind == "class":
                    self.watcher.relative_parent(editor, node, found.name)

    def watch_variables(self, compilation: Compilation) -> None:
        """See what nobody sets being read."""
        state: Any = compilation
        if "unknown_variable" in vars(state):
            return
        unknown = compilation.unknown_variable

        def watched(name: str, *more: Any) -> Value:
            self.watcher.unknown(name)
            return unknown(name, *more)

        state.unknown_variable = watched
