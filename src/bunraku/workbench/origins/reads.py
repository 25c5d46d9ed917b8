"""What an expression reads: variables, facts, Hiera keys and templates, each with its own origin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.runtime.markers import MISSING
from bunraku.runtime.state import Compilation, DeclaredResource, Scope
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, children
from bunraku.workbench.origins.origin import (
    HIDDEN,
    CodePlace,
    Origin,
    shown_value,
    with_reads,
    with_value,
)
from bunraku.workbench.origins.trees import CALLS, ManifestTree, Trees

LOOKUPS = frozenset({"lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"})
TEMPLATES = frozenset({"template", "epp", "file"})
INTERPOLATED_KEY = lazy_pattern(r"""(?:lookup|hiera|alias)\s*\(\s*["'](?P<key>[^"']+)["']\s*\)""")
NAME = lazy_pattern(r"[a-z_]\w*(?:::\w+)*")
DEEPEST = 12
"""Steps from a parameter to what it comes from in the end."""
OF_NODE = frozenset({"trusted", "server_facts", "environment", "clientcert", "servername"})


class OriginsOfParameters(Protocol):
    """The part of :class:`bunraku.workbench.origins.origins.Origins` that is asked in turn."""

    compilation: Compilation
    trees: Trees

    def parameter(self, resource: DeclaredResource, name: str) -> Origin:
        """Return where a parameter of a resource comes from."""

    def data(self, key: str, scope: Scope) -> Origin | None:
        """Return where Hiera has the value of a key."""


class Reads:
    """Finds what expressions read, for the origins of one compile."""

    def __init__(self, origins: OriginsOfParameters) -> None:
        self.origins = origins
        self.depth = 0
        self.known: dict[tuple[int, int, int], list[Origin]] = {}
        """What expressions read, by the expression, the scope and the subject."""

    def of_nodes(
        self,
        tree: ManifestTree,
        expressions: Sequence[Node],
        scope: Scope,
        subject: DeclaredResource | None = None,
    ) -> list[Origin]:
        """Return the origins of what expressions in a scope read, each once.

        ``subject`` is the resource whose parameters the expressions may name: its own defaults.
        """
        if self.depth >= DEEPEST:
            return []
        self.depth += 1
        try:
            found: dict[tuple[Any, ...], Origin] = {}
            for expression in expressions:
                for origin in self.read_by(tree, expression, scope, subject):
                    found.setdefault((origin.kind, origin.text, origin.place), origin)
            return list(found.values())
        finally:
            self.depth -= 1

    def read_by(
        self, tree: ManifestTree, expression: Node, scope: Scope, subject: DeclaredResource | None
    ) -> list[Origin]:
        """Return the origins of what an expression reads, found once."""
        key = (id(expression), id(scope), id(subject))
        if key not in self.known:
            self.known[key] = []  # for code in circles
            self.known[key] = list(self.in_expression(tree, expression, scope, subject))
        return self.known[key]

    def in_expression(
        self, tree: ManifestTree, expression: Node, scope: Scope, subject: DeclaredResource | None
    ) -> Iterator[Origin]:
        """Yield the origins of what an expression reads."""
        waiting = [expression]
        while waiting:
            node = waiting.pop()
            path = fact_path(node)
            if path is not None:
                yield self.fact(path)
                continue
            if isinstance(node, nodes.Variable):
                origin = self.variable(tree, node, scope, subject, expression)
                if origin is not None:
                    yield origin
                continue
            if isinstance(node, CALLS):
                yield from self.call(node, scope)
            waiting += reversed(children(node))

    # -- facts, data, templates ------------------------------------------------------------------

    def fact(self, path: Sequence[str]) -> Origin:
        """Return the origin of a fact."""
        value: Any = self.origins.compilation.facts
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return Origin("fact", f"the fact {'.'.join(path)}", value=shown_value(value))

    def call(self, node: nodes.Call | nodes.MethodCall, scope: Scope) -> Iterator[Origin]:
        """Yield the data or the template that a call reads, if its name stands there."""
        callee = node.callee if isinstance(node, nodes.Call) else node.name
        name = callee.value if isinstance(callee, nodes.Name) else ""
        arguments = node.arguments
        if isinstance(node, nodes.MethodCall):
            arguments = [node.receiver, *arguments]
        for argument in arguments[:1]:
            if not isinstance(argument, nodes.String | nodes.Name):
                continue
            if name in LOOKUPS:
                found = self.origins.data(argument.value, scope)
                if found is not None:
                    yield found
            elif name in TEMPLATES:
                path = self.template_path(name, argument.value)
                place = None if path is None else CodePlace(path, 1)
                kind = "file" if name == "file" else "template"
                origin = Origin("template", f"the {kind} {argument.value}", place)
                yield with_reads(origin, self.of_template(path))

    def of_interpolations(self, expressions: Sequence[str], scope: Scope) -> list[Origin]:
        """Return the origins of what is interpolated into data: other keys, facts, and variables."""
        if self.depth >= DEEPEST:
            return []
        self.depth += 1
        try:
            found = [self.interpolated(one, scope) for one in expressions]
        finally:
            self.depth -= 1
        return [one for one in found if one is not None]

    def interpolated(self, expression: str, scope: Scope) -> Origin | None:
        """Return the origin of one interpolation; None of a literal, and of a name without a value."""
        function = INTERPOLATED_KEY.fullmatch(expression)
        if function is not None:
            return self.origins.data(function["key"], scope)
        name, *path = expression.removeprefix("::").split(".")
        if name == "facts" and path:
            return self.fact(path)
        return (
            self.qualified(name, self.origins.compilation.top_scope)
            if NAME.fullmatch(name)
            else None
        )

    def of_template(self, path: str | None) -> list[Origin]:
        """Return the origins of the facts and global variables that an EPP template reads by itself."""
        tree = self.origins.trees.of(path, template=True)
        if tree is None:
            return []
        own = {one.name for one in tree.nodes if isinstance(one, nodes.Parameter)}
        own |= tree.assignments.keys()
        found: dict[str, Origin] = {}
        top = self.origins.compilation.top_scope
        for node in tree.nodes:
            path_of_fact = fact_path(node)
            parent = tree.parents.get(id(node))
            if path_of_fact is not None and fact_path(parent or node) in (None, path_of_fact):
                origin: Origin | None = self.fact(path_of_fact)
            elif isinstance(node, nodes.Variable) and node.name not in own | {"facts"}:
                origin = self.qualified(node.name.removeprefix("::"), top)
            else:
                continue
            if origin is not None:
                found.setdefault(origin.text, origin)
        return list(found.values())

    def template_path(self, function: str, name: str) -> str | None:
        """Return the path of a template or file of a module."""
        module_name, _, below = name.partition("/")
        module = self.origins.compilation.environment.find_module(module_name)
        directory = "files" if function == "file" else "templates"
        found: str | None = None if module is None else module.file(directory, below)
        return found

    # -- variables -------------------------------------------------------------------------------

    def variable(
        self,
        tree: ManifestTree,
        node: nodes.Variable,
        scope: Scope,
        subject: DeclaredResource | None,
        expression: Node,
    ) -> Origin | None:
        """Return the origin of a variable; None for one that the expression itself sets."""
        name = node.name.removeprefix("::")
        for outer in tree.around(node):
            if isinstance(outer, nodes.Lambda):
                if any(one.name == name for one in outer.parameters):
                    return self.of_lambda(tree, outer, name, scope, subject, expression)
            elif isinstance(outer, nodes.ClassDefinition | nodes.DefineDefinition):
                break
        if "::" in name:
            return self.qualified(name, scope)
        if name in ("title", "name") and (subject or scope.resource) is not None:
            resource = subject or scope.resource
            if resource.reference != "Class[main]":
                return Origin("title", f"the title of {resource.reference}")
        if subject is not None and subject.definition is not None:
            if name in subject.definition.parameter_names:
                return self.named(name, self.origins.parameter(subject, name), subject)
        return self.in_scope(scope, name) or self.of_top(name, scope)

    def qualified(self, name: str, scope: Scope) -> Origin | None:
        """Return the origin of a variable of another class, such as ``$ntp::servers``, or of top scope."""
        namespace, _, plain = name.rpartition("::")
        there = self.origins.compilation.class_scopes.get(namespace.lower()) if namespace else None
        found = None if there is None else self.in_scope(there, plain)
        return found or self.of_top(name, scope)

    def of_lambda(
        self,
        tree: ManifestTree,
        block: nodes.Lambda,
        name: str,
        scope: Scope,
        subject: DeclaredResource | None,
        expression: Node,
    ) -> Origin | None:
        """Return the origin of a parameter of a lambda: what the function that calls it gets."""
        if expression.start <= block.start and block.end <= expression.end:
            return None
        call = tree.parents.get(id(block))
        given: list[Node] = []
        if isinstance(call, nodes.MethodCall):
            given = [call.receiver, *call.arguments]
        elif isinstance(call, nodes.Call):
            given = list(call.arguments)
        reads = self.of_nodes(tree, given, scope, subject)
        origin = Origin("lambda", f"${name}, a parameter of the lambda", tree.place(block))
        return with_reads(origin, reads)

    def named(self, name: str, origin: Origin, resource: DeclaredResource) -> Origin:
        """Return the origin of a variable that is a parameter of a class or defined type."""
        text = f"${name}, the parameter of {resource.reference}"
        return Origin(
            "parameter",
            text,
            None,
            origin.value,
            (origin,),
            origin.is_secret,
            resource.reference,
            name,
        )

    def in_scope(self, scope: Scope, name: str) -> Origin | None:
        """Return the origin of a variable of a class, a defined type or a node, or of what it inherits."""
        at: Scope | None = scope
        seen: set[int] = set()
        while at is not None and id(at) not in seen:
            seen.add(id(at))
            definition, resource = at.definition, at.resource
            if definition is not None and resource is not None and not at.is_view:
                if name in definition.parameter_names:
                    return self.named(name, self.origins.parameter(resource, name), resource)
                found = self.assigned(name, at)
                if found is not None:
                    return found
            at = at.caller if at.is_view else at.outer
        return None

    def assigned(self, name: str, scope: Scope) -> Origin | None:
        """Return where the code of a definition assigns a variable; every place if several do."""
        definition = scope.definition
        tree = None if definition is None else self.origins.trees.of(definition.file)
        if tree is None or definition is None:
            return None
        found = []
        for one in tree.assignments.get(name, ()):
            owner = tree.owner(one)
            if owner is None or not is_code_of(owner, definition.name, definition.line, tree):
                continue
            found.append(self.assignment(name, tree, one, scope))
        return self.one_of(name, found, scope)

    def assignment(
        self, name: str, tree: ManifestTree, node: nodes.Assignment, scope: Scope
    ) -> Origin:
        """Return the origin of a variable at one place that assigns it, with what decides whether that runs."""
        controls = tree.controls(node)
        reads = self.of_nodes(tree, [node.right, *controls], scope)
        conditions = tuple(map(tree.place, controls))
        origin = Origin("variable", f"${name}", tree.place(node), conditions=conditions)
        return with_reads(origin, reads)

    def one_of(self, name: str, found: list[Origin], scope: Scope) -> Origin | None:
        """Return the only place that assigns a variable, or one with all of them, with the value."""
        if not found:
            return None
        value = scope.get(f"${name}", MISSING)
        shown = "" if value is MISSING else shown_value(value)
        if len(found) > 1:
            text = f"${name}, assigned at one of {len(found)} places"
            return with_reads(Origin("variable", text, value=shown), found)
        (origin,) = found
        hidden = HIDDEN if shown and origin.is_secret else shown
        return with_value(origin, hidden, is_secret=origin.is_secret)

    def of_top(self, name: str, scope: Scope) -> Origin | None:
        """Return the origin of a variable of top scope: assigned there, of the classifier, or a fact."""
        compilation = self.origins.compilation
        found = []
        for tree in self.origins.trees.all():
            found += [
                self.assignment(name, tree, one, compilation.top_scope)
                for one in tree.assignments.get(name, ())
                if tree.owner(one) is None
            ]
        if found:
            return self.one_of(name, found, compilation.top_scope)
        if name in OF_NODE:
            return Origin("variable", f"${name}, what the server knows of the node")
        if name in compilation.facts:
            return self.fact([name])
        value = scope.lookup(name)
        if value is MISSING:
            return Origin("unknown", f"${name} is not set")
        return Origin("variable", f"${name} of top scope", value=shown_value(value))


def is_code_of(owner: Node, name: str, line: int, tree: ManifestTree) -> bool:
    """Return whether a node is the definition of a class, defined type or node."""
    if isinstance(owner, nodes.ClassDefinition | nodes.DefineDefinition):
        return owner.name.lower().removeprefix("::") == name
    return isinstance(owner, nodes.NodeDefinition) and tree.line(owner) == line


def fact_path(node: Node) -> list[str] | None:
    """Return the path of a fact that an expression such as ``$facts['os']['family']`` reads."""
    path: list[str] = []
    while isinstance(node, nodes.Access) and len(node.keys) == 1:
        key = node.keys[0]
        if not isinstance(key, nodes.String | nodes.Name):
            return None
        path.insert(0, key.value)
        node = node.left
    if isinstance(node, nodes.Variable) and node.name.removeprefix("::") == "facts" and path:
        return path
    return None
