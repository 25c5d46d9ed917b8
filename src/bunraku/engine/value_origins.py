"""The place of the data that a refused argument comes from, as a hint of the error.

It is found when the error leaves the compile: from the argument in the syntax tree, over variables and parameters, to the
key of Hiera.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bunraku.base.errors import Declaration, PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.base.source import Source, Span
from bunraku.hiera.binding import engine_of, invocation_of
from bunraku.runtime.error_places import attribute_span, node_at
from bunraku.runtime.parameters import data_of_classes
from bunraku.runtime.state import Compilation
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, children

REFUSING = frozenset({"INVALID_PARAMETERS", "TYPE_CONVERSION", "TYPE_MISMATCH"})
PARAMETER = lazy_pattern(r"\bparameter '(\w+)'")
LOOKUPS = frozenset({"lookup", "hiera", "hiera_array", "hiera_hash"})
CALLS = (nodes.Call, nodes.MethodCall)
WITH_PARAMETERS = (nodes.ClassDefinition, nodes.DefineDefinition)
Definition = nodes.ClassDefinition | nodes.DefineDefinition
CodeLine = tuple[str | None, int | None]
DEEPEST = 12
"""Variables between an argument and its data."""


def with_value_origin(error: PuppetError, compilation: Compilation) -> PuppetError:
    """Return an error with the places of the data that it refuses as its hint, if they are found."""
    if error.diagnostic.code not in REFUSING or error.diagnostic.hint is not None:
        return error
    search = DataSearch(compilation, error.diagnostic.declarations)
    keys = dict.fromkeys(key for key in map(search.key_of, search.refused(error)) if key)
    return error.hinted(search.hint(keys))


@record(frozen=True)
class Expression:
    """An expression, and the class, defined type or node definition that it stands in."""

    node: Node
    owner: Node | None


class DataSearch:
    """Finds the keys of data that expressions have their values from."""

    def __init__(self, compilation: Compilation, declarations: Sequence[Declaration]) -> None:
        self.compilation = compilation
        self.declarations = list(declarations)
        """The resources of defined types around the error, the innermost first."""
        self.scope = compilation.top_scope
        self.trees: dict[str, Sequence[Node]] = {}
        self.steps = 0

    def hint(self, keys: Iterable[str]) -> str | None:
        """Return where the values of keys come from; None without keys."""
        engine = engine_of(self.compilation)
        return engine.origin_hint(invocation_of(self.scope), *keys)

    # -- the refused expressions -----------------------------------------------------------------

    def refused(self, error: PuppetError) -> Iterator[Expression]:
        """Yield the expressions of an attribute or a call whose values are refused."""
        names = PARAMETER.findall(error.diagnostic.message)
        place = error.place
        if error.diagnostic.code == "INVALID_PARAMETERS":
            self.declarations[:1] = []  # the resource itself; the expressions are outside of it
            for name in names:
                yield from self.attribute(place.file, place.line, name)
        elif place.code is not None:
            node = node_at(place.code, self.compilation.loader.parse)
            if node is None or isinstance(node, nodes.Name):
                node = self.call_around(place.code)
            owner = self.owner(place.code.source, place.code.start)
            for one in [] if node is None else self.blamed(node, names):
                yield Expression(one, owner)

    def call_around(self, span: Span) -> Node | None:
        """Return the innermost call around a piece of code: errors of ``$x.f`` have the place of ``.f``."""
        calls = [
            one
            for one in every_node(self.roots(span.source))
            if isinstance(one, CALLS) and one.start <= span.start and span.end <= one.end
        ]
        return max(calls, key=lambda one: one.start, default=None)

    def blamed(self, node: Node, names: Sequence[str]) -> list[Node]:
        """Return the arguments of a call that parameters refuse; other code as it is."""
        if not isinstance(node, CALLS):
            return [node]
        before = [node.receiver] if isinstance(node, nodes.MethodCall) else []
        arguments = [*before, *node.arguments]
        if len(arguments) < 2:
            return arguments
        callee = node.name if isinstance(node, nodes.MethodCall) else node.callee
        places = [self.index(callee, name) for name in names]
        return [arguments[at] for at in places if at is not None and at < len(arguments)]

    def attribute(self, file: str | None, line: int | None, name: str) -> Iterator[Expression]:
        """Yield the value of an attribute in the resource expression that begins on a line."""
        loader = self.compilation.loader
        span = attribute_span(loader.sources, file, line, name, loader.parse)
        if span is None:
            return
        for node in every_node(self.roots(span.source)):
            if isinstance(node, nodes.Attribute) and node.start == span.start:
                yield Expression(node.value, self.owner(span.source, span.start))
                return

    def index(self, callee: Node, name: str) -> int | None:
        """Return which parameter of a function in the Puppet language has a name."""
        wanted = callee.value if isinstance(callee, nodes.Name | nodes.Reference) else ""
        for definition in self.definitions(wanted):
            if isinstance(definition, nodes.FunctionDefinition):
                names = [one.name for one in definition.parameters]
                return names.index(name) if name in names else None
        return None

    # -- from an expression to a key -------------------------------------------------------------

    def key_of(self, expression: Expression) -> str | None:
        """Return the key of data that an expression has its value from; None if that is not known."""
        node, owner = expression.node, expression.owner
        while isinstance(node, nodes.Access):
            node = node.left
        self.steps += 1
        if self.steps > DEEPEST:
            return None
        if isinstance(node, CALLS):
            return key_of_lookup(node)
        if not isinstance(node, nodes.Variable):
            return None
        namespace, _, name = node.name.removeprefix("::").rpartition("::")
        if namespace:
            classes = self.definitions(namespace)
            owner = next((one for one in classes if isinstance(one, nodes.ClassDefinition)), None)
        return None if owner is None else self.variable(owner, name)

    def variable(self, owner: Node, name: str) -> str | None:
        """Return the key of the data that a variable of a class or defined type has its value from."""
        if isinstance(owner, WITH_PARAMETERS):
            for parameter in owner.parameters:
                if parameter.name == name:
                    return self.parameter(owner, parameter)
        assigned = [
            one.right
            for one in every_node([owner])
            if isinstance(one, nodes.Assignment)
            and isinstance(one.left, nodes.Variable)
            and one.left.name == name
        ]
        return self.key_of(Expression(assigned[0], owner)) if len(assigned) == 1 else None

    def parameter(self, owner: Definition, parameter: nodes.Parameter) -> str | None:
        """Return the key of the data that a parameter has its value from: looked up, or that of an argument."""
        name = plain_name(owner.name)
        if isinstance(owner, nodes.ClassDefinition):
            self.scope = self.compilation.class_scopes.get(name, self.scope)
            if parameter.name in self.compilation.extension(data_of_classes).get(name, {}):
                return f"{name}::{parameter.name}"
            places = self.places_of_class(name)
        else:
            places = self.places_around(name)
        for file, line in places:
            for value in self.attribute(file, line, parameter.name):
                return self.key_of(value)
        return None if parameter.value is None else self.key_of(Expression(parameter.value, owner))

    def places_of_class(self, name: str) -> list[CodeLine]:
        """Return where a class is declared with arguments."""
        reference = f"class[{name}]"
        return [
            (one.file, one.line)
            for one in self.compilation.catalog.resources
            if one.reference.lower() == reference
        ]

    def places_around(self, name: str) -> list[CodeLine]:
        """Return where the innermost resource of a defined type around the error is declared; leave it."""
        while self.declarations:
            one = self.declarations.pop(0)
            if plain_name(one.reference.partition("[")[0]) == name:
                return [(one.file, one.line)]
        return []

    # -- syntax trees ----------------------------------------------------------------------------

    def roots(self, source: Source) -> Sequence[Node]:
        """Return the code of a source, and the definitions in it."""
        if source.path not in self.trees:
            program = self.compilation.loader.parse(source).program
            self.trees[source.path] = [program.body, *program.definitions]
        return self.trees[source.path]

    def owner(self, source: Source, at: int) -> Node | None:
        """Return the definition around a place in a source, the innermost."""
        around = [one for one in self.roots(source)[1:] if one.start <= at < one.end]
        return max(around, key=lambda one: one.start, default=None)

    def definitions(self, name: str) -> list[Node]:
        """Return the classes, defined types and functions of a name in the manifests of the compile."""
        wanted = plain_name(name)
        sources = [one for one in self.compilation.loader.sources.values() if not one.is_template]
        every = [one for source in sources for one in self.roots(source)[1:]]
        return [
            one
            for one in every
            if isinstance(one, (*WITH_PARAMETERS, nodes.FunctionDefinition))
            and plain_name(one.name) == wanted
        ]


def plain_name(name: str) -> str:
    """Return the name of a class or type as tables have it."""
    return name.removeprefix("::").lower()


def every_node(roots: Sequence[Node]) -> Iterator[Node]:
    """Yield all nodes of some trees."""
    waiting = [*roots]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += children(node)


def key_of_lookup(call: nodes.Call | nodes.MethodCall) -> str | None:
    """Return the key that a call of Hiera names; None for other calls."""
    callee = call.name if isinstance(call, nodes.MethodCall) else call.callee
    if not isinstance(callee, nodes.Name) or callee.value not in LOOKUPS:
        return None
    first = (
        call.receiver if isinstance(call, nodes.MethodCall) else next(iter(call.arguments), None)
    )
    return first.value if isinstance(first, nodes.String | nodes.Name) else None
