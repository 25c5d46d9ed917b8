"""Variables that nothing sets, that nothing reads, that hide others, and that are set twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import cached_property

from bunraku.base.errors import Diagnostic, Severity
from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.base.paths import relative
from bunraku.base.records import replace
from bunraku.base.suggestions import closest
from bunraku.facts.legacy import is_legacy
from bunraku.runtime.issues import ILLEGAL_REASSIGNMENT, UNKNOWN_VARIABLE
from bunraku.syntax import nodes
from bunraku.syntax.nodes import ClassDefinition, Node, Program
from bunraku.workbench.analysis import legacy_facts
from bunraku.workbench.analysis.issues import SHADOWED_VARIABLE, UNUSED_PARAMETER, UNUSED_VARIABLE
from bunraku.workbench.analysis.outside import Outside
from bunraku.workbench.analysis.scopes import (
    ALWAYS_SET,
    Read,
    Scope,
    Variable,
    scopes_of,
    targets,
)
from bunraku.workbench.analysis.state import Analysis
from bunraku.workbench.analysis.templates import ErbReads

NEAR = 0.85
"""How similar a name must be to a fact's for that fact to be meant."""
NAMED = (nodes.ClassDefinition, nodes.DefineDefinition)


class Variables:
    """The variables of all programs of an analysis."""

    def __init__(self, analysis: Analysis, programs: Iterable[Program]) -> None:
        self.analysis = analysis
        self.definitions = analysis.definitions
        self.outside = Outside(self.definitions.environment)
        self.scopes = [scope for one in programs for scope in scopes_of(one)]
        self.top = self.top_names()
        self.of_classes: dict[int, frozenset[str]] = {}
        self.read_outside = self.qualified_reads()
        self.read_by_children = self.reads_of_children()
        settings = self.definitions.resolved.settings
        strict = settings.get("strict_variables", True) or settings.get("strict") == "error"
        self.severity: Severity = "error" if strict else "warning"

    def top_names(self) -> dict[str, list[Scope]]:
        """Return the variables of top scope and of nodes, which classes see, with their scopes."""
        found: dict[str, list[Scope]] = {}
        for one in self.scopes:
            if one.outer is None and not isinstance(one.node, (*NAMED, nodes.FunctionDefinition)):
                for name in one.variables:
                    found.setdefault(name, []).append(one)
        return found

    def qualified_reads(self) -> set[str]:
        """Return the qualified names that the programs read, in lower case up to the last part."""
        return {
            node.name.removeprefix("::")
            for scope in self.scopes
            for one in scope.chain()
            for node in one.qualified
        }

    def reads_of_children(self) -> dict[str, set[str]]:
        """Return, by class, the names that the classes inheriting from it read."""
        found: dict[str, set[str]] = {}
        for one in self.scopes:
            if isinstance(one.node, ClassDefinition) and one.node.parent is not None:
                names = {read.name for read in one.unknown} | one.words | self.template_names(one)
                for parent in self.parents(one.node):
                    if parent is not None:
                        found.setdefault(class_name(parent), set()).update(names)
        return found

    def parents(self, node: ClassDefinition) -> Iterator[ClassDefinition | None]:
        """Yield the classes from which one inherits, the nearest first; None for an unknown one."""
        seen = {id(node)}
        while node.parent is not None:
            around = node.name.lower().removeprefix("::")
            found = self.definitions.class_near(node.parent, around)
            if found is None:
                yield None
                return
            if id(found) in seen:
                return
            seen.add(id(found))
            yield found
            node = found

    def names_of(self, node: ClassDefinition) -> frozenset[str]:
        """Return the parameters and variables of a class."""
        known = self.of_classes.get(id(node))
        if known is None:
            names = {one.name for one in node.parameters} | set(assigned_in(node.body))
            known = self.of_classes[id(node)] = frozenset(names)
        return known

    def template_names(self, scope: Scope) -> set[str]:
        """Return the names that templates of the module of a scope, and those that it names, read."""
        environment = self.definitions.environment
        names = {name.partition("/")[0] for name, _ in scope.templates}
        modules = [environment.find_module(name) for name in sorted(names)]
        modules.append(environment.module_of_path(scope.program.source.path))
        if isinstance(scope.node, NAMED):
            modules.append(environment.find_module(class_name(scope.node).partition("::")[0]))
        found: set[str] = set()
        for one in modules:
            if one is not None:
                found |= self.outside.of_module(one)
        return found

    def report(self) -> None:
        """Add all findings to the analysis."""
        for scope in self.scopes:
            self.analysis.program = scope.program
            self.report_set_twice(scope)
            self.report_unknown(scope)
            self.report_unused(scope)
            for one in scope.qualified:
                self.report_qualified(one)
        self.report_templates()

    # -- set twice, hidden -----------------------------------------------------------------------

    def report_set_twice(self, scope: Scope) -> None:
        """Report variables that have a value already, and those that hide another one."""
        analysis = self.analysis
        for one in scope.again:
            found = analysis.report(ILLEGAL_REASSIGNMENT, one.node, name=one.name)
            analysis.findings.append(found)
        for one in scope.hidden:
            if not one.name.startswith("_"):
                found = analysis.report(SHADOWED_VARIABLE, one.node, name=one.name)
                analysis.warnings.append(found)

    # -- unknown ---------------------------------------------------------------------------------

    def report_unknown(self, scope: Scope) -> None:
        """Report variables that neither the scope nor anything around it sets."""
        if not scope.unknown or not self.is_complete(scope):
            return
        inherited = self.inherited(scope)
        if inherited is None:
            return
        asked = {name for one in scope.chain() for name in one.asked}
        for one in scope.unknown:
            if one.name in asked:
                continue
            if one.name not in inherited and one.name not in self.top:
                legacy_facts.check_name(self.analysis, one.node, one.name)
            if (
                one.name in inherited
                or self.is_of_top(one.name, scope)
                or one.name in METAPARAMETER_NAMES
            ):
                continue
            known = {*scope.variables, *inherited, *self.top, *self.outside.facts}
            self.analysis.warnings.append(self.unknown(one, known))

    def is_complete(self, scope: Scope) -> bool:
        """Return whether all variables of a scope are in the code: not in a template without parameters."""
        body = scope.node.body if isinstance(scope.node, nodes.Lambda) else None
        return not isinstance(body, nodes.Epp) or body.parameters_given

    def inherited(self, scope: Scope) -> set[str] | None:
        """Return the variables of the classes from which a scope inherits; None if one is unknown."""
        if not isinstance(scope.node, ClassDefinition):
            return set()
        parents = list(self.parents(scope.node))
        if None in parents:
            return None
        return {name for one in parents if one is not None for name in self.names_of(one)}

    def is_of_top(self, name: str, scope: Scope | None = None) -> bool:
        """Return whether a variable can be a fact, or one that top scope has besides a scope."""
        if name in ALWAYS_SET or any(one is not scope for one in self.top.get(name, ())):
            return True
        return is_legacy(name) or name in self.outside.facts

    def unknown(self, read: Read, known: Iterable[str]) -> Diagnostic:
        """Return the finding of a variable that nothing sets."""
        finding = self.analysis.report(UNKNOWN_VARIABLE, read.node, name=read.name)
        meant = closest(read.name, known)
        return replace(finding, hint=f"did you mean '${meant[0]}'?" if meant else None)

    def report_qualified(self, node: nodes.Variable) -> None:
        """Report ``$a::b`` if the class has no such variable, and ``$::b`` if a fact is meant."""
        namespace, _, name = node.name.removeprefix("::").rpartition("::")
        if not namespace:
            self.report_top(node, name)
            return
        rules = self.definitions.resolved.rules
        if rules.relative_names or namespace == "settings" or name in ALWAYS_SET:
            return
        definition = self.definitions.definition(namespace)
        if not isinstance(definition, ClassDefinition):
            if self.definitions.can_be_checked(namespace):
                self.add_qualified(node, self.classes_near(namespace, name))
            else:
                self.analysis.note_absent(namespace, node)
            return
        chain = [definition, *self.parents(definition)]
        names = {one for found in chain if found is not None for one in self.names_of(found)}
        is_broken = self.definitions.is_broken(namespace) or None in chain
        if name not in names and not is_broken and name not in METAPARAMETER_NAMES:
            meant = closest(name, names)
            self.add_qualified(node, f"${namespace}::{meant[0]}" if meant else None)

    def classes_near(self, namespace: str, name: str) -> str | None:
        """Return the variable of a class with a similar name."""
        names = closest(namespace, self.definitions.candidates("class", namespace))
        return f"${names[0]}::{name}" if names else None

    def add_qualified(self, node: nodes.Variable, meant: str | None) -> None:
        """Report a qualified variable; Ruby code of the module may set it."""
        name = node.name.removeprefix("::")
        severity = self.severity
        module = self.definitions.environment.find_module(name.partition("::")[0])
        if module is not None and name.rpartition("::")[2] in self.outside.of_module(module):
            severity = "warning"
        found = self.analysis.report(UNKNOWN_VARIABLE, node, severity, name=name)
        hint = f"did you mean '{meant}'?" if meant else None
        self.analysis.findings.append(replace(found, hint=hint))

    def report_top(self, node: nodes.Variable, name: str) -> None:
        """Report ``$::name`` if it is nearly the name of a fact: others may come from a classifier."""
        if name not in self.top:
            legacy_facts.check_name(self.analysis, node, name)
        if self.is_of_top(name):
            return
        meant = closest(name, {*self.top, *self.outside.facts})
        if meant and SequenceMatcher(None, name, meant[0]).ratio() >= NEAR:
            found = self.analysis.report(UNKNOWN_VARIABLE, node, name=node.name)
            hint = f"did you mean '$::{meant[0]}'?"
            self.analysis.warnings.append(replace(found, hint=hint))

    # -- ERB templates ---------------------------------------------------------------------------

    def report_templates(self) -> None:
        """Report variables that ERB templates read and that no caller of them has."""
        callers: dict[str, list[Scope]] = {}
        for scope in self.scopes:
            for name, _ in scope.templates:
                path = self.template_path(name)
                if path is not None:
                    callers.setdefault(path, []).append(scope)
        for path in sorted(callers):
            known = self.known_to(callers[path])
            if known is not None:
                self.report_template(ErbReads(relative(path), self.outside.text(path)), known)

    def template_path(self, name: str) -> str | None:
        """Return the file of a template of a module, if it is there."""
        module_name, _, file = name.partition("/")
        module = self.definitions.environment.find_module(module_name) if file else None
        return None if module is None or not module_name else module.file("templates", file)

    def known_to(self, callers: Iterable[Scope]) -> set[str] | None:
        """Return the variables that some scopes have; None if one inherits from an unknown class."""
        found: set[str] = set()
        for scope in callers:
            inherited = self.inherited(scope.base)
            if inherited is None:
                return None
            found |= inherited
            for one in self.within(scope.base):
                found.update(one.variables)
        return found

    def report_template(self, template: ErbReads, known: set[str]) -> None:
        """Report the variables of a template that are neither known nor facts."""
        for name in sorted(template.names - known - METAPARAMETER_NAMES):
            if name.startswith("_"):
                continue  # templates set it with scope.setvar
            if self.is_of_top(name):
                self.report_legacy_read(template, name)
                continue
            meant = closest(name, known)
            found = template.finding(name, f"did you mean '@{meant[0]}'?" if meant else None)
            if found is not None:
                self.analysis.warnings.append(found)

    def report_legacy_read(self, template: ErbReads, name: str) -> None:
        """Report a legacy fact that a template reads."""
        if legacy_facts.are_absent(self.analysis) and is_legacy(name) and name not in self.top:
            found = template.finding(name, None)
            if found is not None:
                self.analysis.warnings.append(legacy_facts.finding(found.place, name, "@"))

    # -- unused ----------------------------------------------------------------------------------

    def report_unused(self, scope: Scope) -> None:
        """Report the variables of a scope that nothing reads."""
        candidates = [one for one in scope.variables.values() if self.may_be_unused(scope, one)]
        if not candidates or is_backend(scope.node):
            return
        outside = self.used_outside(scope)
        for one in candidates:
            if one.name not in outside and not self.is_read_elsewhere(scope, one.name):
                issue = UNUSED_VARIABLE if one.parameter is None else UNUSED_PARAMETER
                found = self.analysis.report(issue, one.node, name=one.name)
                self.analysis.warnings.append(found)

    def may_be_unused(self, scope: Scope, one: Variable) -> bool:
        """Return whether the code of a scope itself does not read a variable."""
        if one.used or one.name.startswith("_") or scope.is_open or scope.base.is_open:
            return False
        if one.parameter is None:
            return True
        # Some functions require lambdas with two parameters.
        return not isinstance(scope.node, nodes.Lambda) or is_only(scope.node)

    def used_outside(self, scope: Scope) -> set[str]:
        """Return the names that strings and templates evaluate with the variables of a scope."""
        found = {word for one in self.within(scope) for word in one.words}
        if not isinstance(scope.base.node, nodes.FunctionDefinition):
            found |= self.template_names(scope.base)
        for one in self.within(scope):
            if one.templates:
                found |= self.template_names(one)
        return found | self.outside.interpolated

    def within(self, scope: Scope) -> list[Scope]:
        """Return the scopes whose code sees the variables of one."""
        if scope.outer is None:
            return self.by_base[id(scope)]
        return [one for one in self.by_base[id(scope.base)] if scope in one.chain()]

    @cached_property
    def by_base(self) -> dict[int, list[Scope]]:
        """The scopes by that of the definition around them."""
        found: dict[int, list[Scope]] = {}
        for one in self.scopes:
            found.setdefault(id(one.base), []).append(one)
        return found

    def is_read_elsewhere(self, scope: Scope, name: str) -> bool:
        """Return whether code outside of a class or of top scope may read a variable of it."""
        node = scope.node
        if scope.outer is not None or isinstance(
            node, nodes.DefineDefinition | nodes.FunctionDefinition
        ):
            return False
        if isinstance(node, ClassDefinition):
            full = f"{class_name(node)}::{name}"
            if full in self.read_outside or name in self.read_by_children.get(class_name(node), ()):
                return True
            return full in self.outside.qualified
        if isinstance(node, nodes.Lambda):
            return False
        return any(one.name == name for other in self.scopes for one in other.unknown) or name in {
            full.rpartition("::")[2] for full in self.read_outside
        }


def class_name(node: nodes.ClassDefinition | nodes.DefineDefinition) -> str:
    """Return the name of a definition as it is looked up."""
    return node.name.lower().removeprefix("::")


def assigned_in(node: Node) -> Iterator[str]:
    """Yield the variables that code sets in its own scope: not in lambdas and definitions."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, nodes.Assignment):
            yield from (target.name for target in targets(one.left))
        if not isinstance(one, nodes.Lambda | nodes.Definition):
            waiting += nodes.children(one)


def is_only(node: nodes.Lambda) -> bool:
    """Return whether a template has parameters, or a lambda has one."""
    return isinstance(node.body, nodes.Epp) or len(node.parameters) == 1


def is_backend(node: Node) -> bool:
    """Return whether a function is one that Hiera calls: its parameters are given."""
    return isinstance(node, nodes.FunctionDefinition) and any(
        isinstance(one.type, nodes.Reference) and one.type.value == "Puppet::LookupContext"
        for one in node.parameters
    )
