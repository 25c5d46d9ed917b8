"""What an expression reads: variables, facts, Hiera keys and templates, each with its own origin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.runtime.markers import MISSING
from bunraku.runtime.state import Compilation, DeclaredResource, Scope
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, children
from bunraku.values.sensitive import Sensitive
from bunraku.workbench.origins.origin import (
    HIDDEN,
    CodePlace,
    Origin,
    shown_value,
    with_reads,
    with_value,
)
from bunraku.workbench.origins.templates import RubyRead, ruby_reads, template_reads
from bunraku.workbench.origins.trees import (
    CALLS,
    ManifestTree,
    Trees,
    call_arguments,
    name_of_call,
)

LOOKUPS = frozenset({"lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"})
TEMPLATES = frozenset({"template", "epp", "file"})
INTERPOLATED_KEY = lazy_pattern(r"""(?:lookup|hiera|alias)\s*\(\s*["'](?P<key>[^"']+)["']\s*\)""")
NAME = lazy_pattern(r"[a-z_]\w*(?:::\w+)*")
DEEPEST = 12
"""Steps from a parameter to what it comes from in the end."""
OF_NODE = frozenset({"trusted", "server_facts", "environment", "clientcert", "servername"})


@record(frozen=True)
class CallSite:
    """A node that reads something, its tree, the scope that runs it, and the resource whose defaults have it."""

    tree: ManifestTree
    node: Any
    scope: Scope
    subject: DeclaredResource | None = None


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
        self.functions: dict[str, str | None] = {}
        """The paths of functions of modules, by name; None for those that are built in."""

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
                site = CallSite(tree, node, scope, subject)
                origin = self.variable(site, node.name, expression)
                if origin is not None:
                    yield origin
                continue
            if isinstance(node, CALLS):
                yield from self.call(CallSite(tree, node, scope, subject))
                if name_of_call(node) == "epp":  # the template reads the other arguments
                    waiting += call_arguments(node)[:1]
                    continue
            waiting += reversed(children(node))

    # -- facts, data, templates ------------------------------------------------------------------

    def fact(self, path: Sequence[str]) -> Origin:
        """Return the origin of a fact."""
        value: Any = self.origins.compilation.facts
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return Origin("fact", f"the fact {'.'.join(path)}", value=shown_value(value))

    def call(self, site: CallSite) -> Iterator[Origin]:
        """Yield the data, the templates or the function that a call reads, if their names stand there."""
        name, arguments = name_of_call(site.node), call_arguments(site.node)
        if name in LOOKUPS:
            key = text_in(arguments[0], site.scope) if arguments else None
            found = None if key is None else self.origins.data(key, site.scope)
            if found is not None:
                yield found
        elif name in TEMPLATES:
            for argument in arguments[: 1 if name == "epp" else None]:
                written = text_in(argument, site.scope)
                if written is not None:
                    yield self.template(name, written, site)
        elif name == "inline_template":
            place = site.tree.place(site.node)
            for argument in arguments:
                code = text_in(argument, site.scope)
                reads = template_reads(code or "")
                yield from self.of_ruby([(one, place) for one in reads], site)
        elif name:
            yield from self.function(name, site)

    def template(self, function: str, name: str, site: CallSite) -> Origin:
        """Return the origin of a template or file, with what it reads by itself."""
        path = self.template_path(function, name)
        place = None if path is None else CodePlace(path, 1)
        kind = "file" if function == "file" else "template"
        origin = Origin("template", f"the {kind} {name}", place)
        if path is None or function == "file":
            return origin
        if function == "epp":
            return with_reads(origin, self.of_epp(path, site))
        reads = template_reads(self.text_of_file(path))
        return with_reads(
            origin, self.of_ruby([(one, CodePlace(path, one.line)) for one in reads], site)
        )

    def function(self, name: str, site: CallSite) -> Iterator[Origin]:
        """Yield the origin of a function of a module, if its code reads variables or data by itself."""
        path = self.function_path(name)
        if path is None:
            return
        if path.endswith(".pp"):
            tree = self.origins.trees.of(path)
            reads = [] if tree is None else self.of_outside(tree)
        else:
            found = ruby_reads(self.text_of_file(path))
            reads = self.of_ruby(
                [(one, CodePlace(path, one.line)) for one in found if one.text[0] != "@"], site
            )
        if reads:
            yield with_reads(Origin("call", f"the function {name}", reads[0].place), reads)

    def function_path(self, name: str) -> str | None:
        """Return the path of a function of a module; None of one that is built in."""
        if name in self.functions:
            return self.functions[name]
        names = name.split("::")
        environment = self.origins.compilation.environment
        modules = [environment.find_module(names[0])] if names[1:] else environment.modules.values()
        places = [("lib/puppet/functions", f"{'/'.join(names)}.rb")]
        if names[1:]:
            places.append(("functions", f"{'/'.join(names[1:])}.pp"))
        else:
            places.append(("lib/puppet/parser/functions", f"{name}.rb"))
        paths = (one.file(*place) for one in modules if one is not None for place in places)
        self.functions[name] = next((path for path in paths if path is not None), None)
        return self.functions[name]

    def text_of_file(self, path: str) -> str:
        """Return the text of a file of the environment; empty if it cannot be read."""
        try:
            content: bytes = self.origins.compilation.world.read(path)
        except OSError:
            return ""
        return content.decode("utf-8", "surrogateescape")

    def of_ruby(self, reads: Sequence[tuple[RubyRead, CodePlace]], site: CallSite) -> list[Origin]:
        """Return the origins of what Ruby code reads in the scope of a call, each with the line that reads it."""
        found = []
        for one, place in reads:
            if one.is_key:
                origin = self.origins.data(one.name, site.scope)
            else:
                origin = self.variable(site, one.name, site.node)
            if origin is not None and origin.kind != "unknown":
                found.append(
                    with_reads(Origin("template", f"{one.text}, read there", place), [origin])
                )
        return found

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

    def of_epp(self, path: str, site: CallSite) -> list[Origin]:
        """Return the origins of what an EPP template reads: its parameters, facts, data and global variables."""
        tree = self.origins.trees.of(path, template=True)
        if tree is None:
            return []
        declared = {one.name: one for one in tree.nodes if isinstance(one, nodes.Parameter)}
        used: dict[str, Origin] = {}
        for node in tree.nodes:
            if isinstance(node, nodes.Variable) and node.name in declared:
                reads = self.of_epp_parameter(tree, declared[node.name], site)
                origin = Origin("template", f"${node.name}, read there", tree.place(node))
                used.setdefault(node.name, with_reads(origin, reads))
        return [*used.values(), *self.of_outside(tree)]

    def of_epp_parameter(
        self, tree: ManifestTree, parameter: nodes.Parameter, site: CallSite
    ) -> list[Origin]:
        """Return the origins of the value that a call of ``epp`` gives a parameter, or its default."""
        given = call_arguments(site.node)[1:2]
        if given and isinstance(given[0], nodes.Hash):
            given = [
                one.value for one in given[0].entries if is_literal_text(one.key, parameter.name)
            ]
        if given:
            return self.of_nodes(site.tree, given, site.scope, site.subject)
        place = tree.place(parameter)
        return [Origin("default", "the default of the template's parameter", place)]

    def of_outside(self, tree: ManifestTree) -> list[Origin]:
        """Return the origins of facts, data and global variables that a template or function reads by itself."""
        own = {one.name for one in tree.nodes if isinstance(one, nodes.Parameter)}
        own |= tree.assignments.keys()
        found: dict[str, Origin] = {}
        top = self.origins.compilation.top_scope
        for node in tree.nodes:
            path_of_fact = fact_path(node)
            parent = tree.parents.get(id(node))
            origin: Origin | None = None
            if path_of_fact is not None and fact_path(parent or node) in (None, path_of_fact):
                origin = self.fact(path_of_fact)
            elif isinstance(node, nodes.Variable) and node.name not in own | {"facts"}:
                origin = self.qualified(node.name.removeprefix("::"), top)
            elif isinstance(node, CALLS) and name_of_call(node) in LOOKUPS:
                origin = next(self.call(CallSite(tree, node, top)), None)
            if origin is not None and origin.text not in found:
                text = tree.source.text[node.start : node.end]
                read = Origin("template", f"{text}, read there", tree.place(node))
                found[origin.text] = with_reads(read, [origin])
        return list(found.values())

    def template_path(self, function: str, name: str) -> str | None:
        """Return the path of a template or file of a module."""
        module_name, _, below = name.partition("/")
        module = self.origins.compilation.environment.find_module(module_name)
        directory = "files" if function == "file" else "templates"
        found: str | None = None if module is None else module.file(directory, below)
        return found

    def may_have_key(self, key: str, expressions: Sequence[Node], scope: Scope) -> bool:
        """Return whether a hash in the values of expressions can have a key; what is not known can."""
        waiting = list(expressions)
        while waiting:
            node = waiting.pop()
            if isinstance(node, nodes.Variable):
                value = scope.lookup(node.name.removeprefix("::"))
                if value is MISSING or has_key(value, key):
                    return True
            elif isinstance(node, CALLS) or is_literal_text(node, key):
                return True
            waiting += children(node)
        return False

    # -- variables -------------------------------------------------------------------------------

    def variable(self, site: CallSite, name: str, expression: Node) -> Origin | None:
        """Return the origin of a variable that is read at a node; None for one that the expression itself sets."""
        tree, node, scope, subject = site.tree, site.node, site.scope, site.subject
        name = name.removeprefix("::")
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


def text_in(node: Node, scope: Scope) -> str | None:
    """Return a text that stands in code, with the values of variables in it; None for other code.

    A text with interpolated code other than variables is None.
    """
    if isinstance(node, nodes.String | nodes.Name):
        return node.value
    if isinstance(node, nodes.Heredoc):
        return text_in(node.text, scope)
    if isinstance(node, nodes.Interpolation) and isinstance(node.expression, nodes.Variable):
        value = scope.lookup(node.expression.name.removeprefix("::"))
        return value if isinstance(value, str) else None
    if not isinstance(node, nodes.Concatenation):
        return None
    parts = [text_in(one, scope) for one in node.segments]
    return None if None in parts else "".join(one for one in parts if one is not None)


def is_literal_text(node: Node, text: str) -> bool:
    """Return whether a node is a certain text."""
    return isinstance(node, nodes.String | nodes.Name) and node.value == text


def has_key(value: Any, key: str) -> bool:
    """Return whether a value is, or holds, a hash with a key."""
    if isinstance(value, Sensitive):
        return has_key(value.value, key)
    if isinstance(value, dict):
        return key in value or any(has_key(one, key) for one in value.values())
    return isinstance(value, list) and any(has_key(one, key) for one in value)


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
