"""Compile with the old language and watch the actions of the code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.compiler.code_names import unit_name
from bunraku.engine.compile import compile_resolved
from bunraku.engine.hooks import Hooks, Instrumentation
from bunraku.engine.manifests import read_text
from bunraku.engine.request import Request, ResolvedRequest, resolve
from bunraku.migrate.findings import Findings
from bunraku.migrate.marked import marked_facts
from bunraku.migrate.old_facts import modern_facts
from bunraku.migrate.static import Static
from bunraku.migrate.templates import Templates
from bunraku.migrate.trees import Tree, mark_literals
from bunraku.migrate.watch import Watcher, numbers, operators, truth_and_text
from bunraku.migrate.watch_names import names_and_calls
from bunraku.modules.node import Node
from bunraku.runtime.log import LogEntry
from bunraku.runtime.state import Compilation, Scope
from bunraku.syntax import nodes

Value = Any


def compile_watched(
    request: Request,
    log: Callable[[LogEntry], None],
    findings: Findings,
    sources: dict[str, Source],
) -> CompiledCatalog:
    """Compile a catalog under the old language; add the findings, and the sources by path."""
    watched = WatchedCompile(resolve(request, log), findings, sources)
    try:
        return watched.compile()
    finally:
        sources.update(watched.templates.sources)


class WatchedCompile:
    """One compile whose helpers, variables and templates are watched."""

    def __init__(
        self, resolved: ResolvedRequest, findings: Findings, sources: dict[str, Source]
    ) -> None:
        self.resolved = resolved
        self.sources = sources
        self.facts = modern_facts(resolved.request.facts)
        self.watcher = Watcher(findings)
        self.templates = Templates(findings, self.facts)

    def compile(self) -> CompiledCatalog:
        """Compile the catalog."""
        hooks = Hooks(
            source_loaded=self.add_source,
            top_variables=mark_facts,
            unknown_variable=self.watcher.unknown,
            template_rendered=self.templates.look,
            instrumentation=Instrumentation(self.helpers(), self.look_at_program),
        )
        catalog, _value = compile_resolved(self.resolved, then=self.look_at_parents, hooks=hooks)
        return catalog

    def helpers(self) -> dict[str, Any]:
        """Return the helpers of compiled code, watched."""
        old = self.resolved.helpers
        helpers = {**old, **numbers(self.watcher, old)}
        for family in (operators, truth_and_text, names_and_calls):
            helpers.update(family(self.watcher, helpers))
        return helpers

    def add_source(self, source: Source) -> None:
        """Keep a source by its path."""
        self.sources[source.path] = source

    def look_at_program(self, source: Source, program: nodes.Program) -> nodes.Program:
        """Look at a program before it runs; return one whose literals are marked."""
        tree = Tree(source, program)
        node = self.resolved.request.node
        Static(tree, self.watcher.findings, node, self.facts, self.imported).look()
        self.watcher.add_tree(unit_name(source), tree)
        marked = self.resolved.dialect.parse(source).program
        mark_literals(Tree(source, marked))
        return marked

    def imported(self, pattern: str, importing: str) -> tuple[str, str] | None:
        """Return path and text of the one file that an ``import`` names."""
        try:
            paths = [path for path, _ in self.resolved.autoloader.imports(pattern, importing)]
        except PuppetError:
            return None
        return (paths[0], read_text(self.resolved.world, paths[0])) if len(paths) == 1 else None

    def look_at_parents(self, scope: Scope) -> None:
        """Report classes whose parent was found in the namespaces around them."""
        compilation: Compilation = scope.compilation
        for editor in self.watcher.editors.values():
            for node in editor.tree.program.definitions:
                if not isinstance(node, nodes.ClassDefinition) or node.parent is None:
                    continue
                inside = compilation.class_scopes.get(node.name.lower())
                outer = None if inside is None else inside.outer
                found = None if outer is None else outer.definition
                if found is not None and found.kind == "class":
                    self.watcher.relative_parent(editor, node, found.name)


def mark_facts(node: Node, variables: dict[str, Value]) -> dict[str, Value]:
    """Let the facts among variables carry the values that they have today."""
    return marked_facts(variables, modern_facts(node.clean_facts()))
