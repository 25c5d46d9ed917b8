"""The origins of what is in a compiled catalog: why a resource is in it, and where its parameters come from.

The compile is not observed. The syntax trees at the recorded places say what was written there, and the scopes of the
compile say what names meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.base.records import replace
from bunraku.base.source import Place, Span
from bunraku.catalog.schema.model import EVERYWHERE
from bunraku.hiera.binding import engine_of, invocation_of
from bunraku.hiera.origin import value_sources
from bunraku.runtime.definitions import Definition
from bunraku.runtime.parameters import data_of_classes
from bunraku.runtime.python_frames import instruction_span
from bunraku.runtime.relate import all_keys, arrows_of
from bunraku.runtime.state import Compilation, DeclaredResource, Scope
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.workbench.origins.origin import (
    HIDDEN,
    CodePlace,
    Origin,
    OriginKind,
    Step,
    shown_value,
    with_reads,
    with_value,
)
from bunraku.workbench.origins.reads import Reads
from bunraku.workbench.origins.trees import (
    CALLS,
    Call,
    Holder,
    ManifestTree,
    Trees,
    attribute_of,
    call_arguments,
    name_of_call,
)

Value = Any
INCLUDES = frozenset(["include", "contain", "require", "hiera_include"])
FURNITURE = frozenset({"Class[main]", "Stage[main]"})


class Origins:
    """Answers for one compile, which must not be closed yet."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self.trees = Trees(compilation.loader)
        self.reads = Reads(self)
        self.known: dict[tuple[str, str], Origin] = {}
        """The origins of parameters that were asked for, by reference and name."""

    # -- why a resource is in the catalog --------------------------------------------------------

    def way(self, resource: DeclaredResource) -> Iterator[Step]:
        """Yield the steps by which a resource got into the catalog, the last one first."""
        seen = set()
        while resource.reference not in FURNITURE and resource.reference not in seen:
            seen.add(resource.reference)
            container = resource.scope.resource
            yield Step(resource.reference, *self.how(resource, container))
            if container is None:
                return
            resource = container

    def how(
        self, resource: DeclaredResource, container: DeclaredResource | None
    ) -> tuple[str, CodePlace | None]:
        """Return how a container brought a resource into the catalog, and where."""
        definition = resource.definition
        by = self.shown_container(container)
        if resource.imported is not None:
            return f"exported by {resource.imported}, collected{by}", None
        if resource.type == "Node" and definition is not None:
            return "the node definition of this node", CodePlace(definition.file, definition.line)
        if resource.line is not None and resource.file:
            return f"declared{by}", CodePlace(resource.file, resource.line)
        if resource.type != "Class" or definition is None:
            return f"declared{by}", None
        included = self.compilation.included_at.get(definition.name)
        if included is not None:
            return f"included{by}", place_in_code(self.span_of(included))
        child = self.child_of(definition)
        if child is not None:
            return f"inherited by {child.reference}", None
        if definition.name in self.compilation.node_classes:
            return "assigned by the node classifier", None
        return f"included{by}", None

    def presence(self, resource: DeclaredResource) -> Origin:
        """Return the origin of a resource itself: where its container brings it in, and what decides that."""
        container = resource.scope.resource
        text, place = self.how(resource, container)
        tree = None if place is None else self.trees.of(place.path)
        if tree is None or place is None:
            return Origin("call", text, place)
        read: list[Node] = []
        conditions: tuple[CodePlace, ...] = ()
        for one in (*tree.holders(place.line), *tree.calls(place.line)):
            read = tree.controls(one)
            conditions = tuple(map(tree.place, read))
            if isinstance(one, nodes.ResourceBody):
                if not self.is_body_of(tree, one, resource):
                    continue
                read.append(one.title)
            elif isinstance(one, CALLS):
                read += one.arguments
            break
        reads = self.reads.of_nodes(tree, read, resource.scope)
        return with_reads(Origin("call", text, place, conditions=conditions), reads)

    def shown_container(self, container: DeclaredResource | None) -> str:
        """Return the phrase for the code that declares something."""
        if container is None or container.reference in FURNITURE:
            return " at top scope"
        return (
            " by the node definition" if container.type == "Node" else f" by {container.reference}"
        )

    def span_of(self, instruction: Any) -> Span | None:
        """Return the piece of source of an instruction."""
        return instruction_span(self.compilation.loader.sources, instruction)

    def child_of(self, definition: Definition) -> DeclaredResource | None:
        """Return a class of the catalog that inherits from a class."""
        for one in self.compilation.catalog.resources:
            parent = None if one.definition is None else one.definition.parent
            if parent is not None and parent.removeprefix("::") == definition.name:
                return one
        return None

    # -- where a parameter comes from ------------------------------------------------------------

    def parameter(self, resource: DeclaredResource, name: str) -> Origin:
        """Return where a parameter of a resource comes from."""
        key = (resource.reference, name)
        if key in self.known:
            return self.known[key]
        self.known[key] = Origin("unknown", "see above")  # for code in circles
        origin = self.origin_of(resource, name)
        value = HIDDEN if name in resource.sensitive else shown_value(resource.parameters.get(name))
        secret = origin.is_secret or value == HIDDEN
        self.known[key] = with_value(origin, HIDDEN if secret else value, is_secret=secret)
        return self.known[key]

    def origin_of(self, resource: DeclaredResource, name: str) -> Origin:
        """Return where a parameter comes from, without its value."""
        for find in (
            self.set_later,
            self.declared,
            self.from_data,
            self.classified,
            self.resource_default,
            self.defaulted,
            self.passed_on,
            self.ordered,
        ):
            origin = find(resource, name)
            if origin is not None:
                return origin
        if resource.imported is not None:
            return Origin("exported", f"exported by {resource.imported}")
        if name in ("name", "title"):
            return Origin("title", f"the title of {resource.reference}")
        call = self.call_of(resource)
        if call is not None and name in resource.parameters:
            return self.of_call(*call, resource)
        return Origin("unknown", "set by code that leaves no trace")

    def set_later(self, resource: DeclaredResource, name: str) -> Origin | None:
        """Return the override or collector that set a parameter."""
        if not resource.places or name not in resource.places:
            return None
        scope, path, line = resource.places[name]
        if line is None and name == "require":
            found = self.required(resource)
            if found is not None:
                return found
        tree = self.trees.of(path)
        place = None if not path or line is None else CodePlace(path, line)
        for holder in tree.holders(line) if tree is not None and line is not None else ():
            if isinstance(holder, nodes.Collector | nodes.ResourceOverride):
                is_collector = isinstance(holder, nodes.Collector)
                text = "a collector" if is_collector else "an override"
                found = self.of_attribute(tree, holder, name, scope, text)
                if found is not None:
                    return of_kind("collector" if is_collector else "override", found)
        return Origin("override", "an override", place)

    def required(self, resource: DeclaredResource) -> Origin | None:
        """Return the first call of ``require`` in the body of a class or a defined type, which its resource requires."""
        definition = resource.definition
        found = definition and self.trees.definition(
            definition.kind, definition.name, definition.file
        )
        if definition is None or not found:
            return None
        tree, owner = found
        for call in tree.nodes:
            if (
                isinstance(call, Call)
                and name_of_call(call) == "require"
                and tree.owner(call) is owner
            ):
                scope = self.class_scope(definition) or resource.scope
                reads = self.reads.of_nodes(tree, call_arguments(call), scope)
                return with_reads(Origin("call", "the call of require", tree.place(call)), reads)
        return None

    def declared(self, resource: DeclaredResource, name: str) -> Origin | None:
        """Return the attribute where the resource is declared."""
        tree = self.trees.of(resource.file)
        lines = dict(resource.lines or ())
        line = lines.get(name, lines.get("*", resource.line))
        if tree is None or line is None:
            return None
        for at in dict.fromkeys((line, resource.line)):
            for holder in tree.holders(at) if at is not None else ():
                if isinstance(holder, nodes.ResourceBody) and self.is_body_of(
                    tree, holder, resource
                ):
                    if resource.definition is not None and leaves_out(holder, name, resource.scope):
                        return None
                    found = self.of_attribute(tree, holder, name, resource.scope, "the declaration")
                    if found is not None:
                        return found
        return self.called(resource, name)

    def is_body_of(
        self, tree: ManifestTree, body: nodes.ResourceBody, resource: DeclaredResource
    ) -> bool:
        """Return whether a resource can be declared by a body."""
        statement = tree.parents.get(id(body))
        if not isinstance(statement, nodes.Resource):
            return False
        type_name = statement.type_name
        if isinstance(type_name, nodes.Name | nodes.Reference):
            written = type_name.value.lower().removeprefix("::")
            if written != resource.type.lower():
                return False
        title = body.title
        if isinstance(title, nodes.String | nodes.Name) and resource.type != "Class":
            return title.value == resource.title
        return True

    def called(self, resource: DeclaredResource, name: str) -> Origin | None:
        """Return the call that declared a resource, if a parameter can be in its arguments."""
        call = self.call_of(resource)
        if call is None or name not in resource.parameters or self.ordered(resource, name):
            return None
        gives = self.reads.may_have_key(name, call_arguments(call[1]), resource.scope)
        return self.of_call(*call, resource) if gives else None

    def call_of(self, resource: DeclaredResource) -> tuple[ManifestTree, Call] | None:
        """Return the call of a function, such as ``create_resources``, that declared a resource."""
        tree = self.trees.of(resource.file)
        if tree is None or resource.line is None or tree.holders(resource.line):
            return None
        calls = tree.calls(resource.line)
        is_include = calls and name_of_call(calls[0]) in INCLUDES
        return (tree, calls[0]) if calls and not is_include else None

    def of_call(self, tree: ManifestTree, call: Call, resource: DeclaredResource) -> Origin:
        """Return the origin of what a call gave a resource."""
        reads = self.reads.of_nodes(tree, call_arguments(call), resource.scope)
        return with_reads(
            Origin("call", f"the call of {name_of_call(call)}", tree.place(call)), reads
        )

    def of_attribute(
        self, tree: ManifestTree | None, holder: Holder, name: str, scope: Scope, where: str
    ) -> Origin | None:
        """Return the origin of an attribute of a declaration, an override or defaults."""
        attribute = attribute_of(holder, name)
        if attribute is None or tree is None:
            return None
        text = where
        if isinstance(attribute, nodes.AttributeSplat):
            text = f"the hash of '*' in {where}"
        return with_reads(
            Origin("attribute", text, tree.place(attribute)),
            self.reads.of_nodes(tree, [attribute.value], scope),
        )

    def from_data(self, resource: DeclaredResource, name: str) -> Origin | None:
        """Return the data that a parameter of a class has its value from."""
        definition = resource.definition
        if resource.type != "Class" or definition is None:
            return None
        found = self.compilation.extension(data_of_classes).get(definition.name, {})
        if name not in found:
            return None
        return self.data(
            f"{definition.name}::{name}", self.class_scope(definition) or resource.scope
        )

    def class_scope(self, definition: Definition) -> Scope | None:
        """Return the scope of a class that was evaluated."""
        return self.compilation.class_scopes.get(definition.name)

    def data(self, key: str, scope: Scope) -> Origin | None:
        """Return where Hiera has the value of a key; the origin of each source of a merged one is read."""
        engine = engine_of(self.compilation)
        sources = value_sources(engine, invocation_of(scope), key)
        found = [
            Origin(
                "data",
                f"Hiera: {key} (level '{one.level}')",
                None if one.path is None else CodePlace(one.path, one.line or 1),
                reads=self.reads.of_interpolations(one.interpolated, scope),
                is_secret=one.is_encrypted,
                name=key,
            )
            for one in sources
        ]
        if len(found) < 2:
            return found[0] if found else None
        secret = any(one.is_secret for one in found)
        return Origin("data", f"Hiera: {key}, merged", reads=tuple(found), is_secret=secret)

    def classified(self, resource: DeclaredResource, name: str) -> Origin | None:
        """Return the node classifier, if it gave a class a parameter."""
        definition = resource.definition
        if resource.type != "Class" or definition is None:
            return None
        given = self.compilation.node_classes.get(definition.name) or {}
        return Origin("classifier", "the node classifier") if name in given else None

    def defaulted(self, resource: DeclaredResource, name: str) -> Origin | None:
        """Return the default in the definition of a class or defined type."""
        definition = resource.definition
        if definition is None or definition.kind == "node":
            return None
        if name not in definition.parameter_names or name not in resource.parameters:
            return None
        found = self.trees.definition(definition.kind, definition.name, definition.file)
        if found is None:
            return None
        tree, owner = found
        assert not isinstance(owner, nodes.NodeDefinition)
        for parameter in owner.parameters:
            if parameter.name == name and parameter.value is not None:
                scope = self.class_scope(definition) or resource.scope
                reads = self.reads.of_nodes(tree, [parameter.value], scope, resource)
                place = tree.place(parameter)
                return with_reads(
                    Origin("default", f"the default of {definition.name}'s parameter", place),
                    reads,
                )
        return None

    def resource_default(self, resource: DeclaredResource, name: str) -> Origin | None:
        """Return the resource default that gave a parameter its value."""
        scope: Scope | None = resource.scope
        while scope is not None:
            if scope.defaults and name in scope.defaults.get(resource.type, ()):
                return self.of_defaults(scope, resource.type, name)
            scope = scope.caller
        return None

    def of_defaults(self, scope: Scope, type_: str, name: str) -> Origin:
        """Return the statement of resource defaults of a scope."""
        owner = scope.definition
        text = f"the resource defaults of {type_}"
        trees = [self.trees.of(owner.file)] if owner is not None else list(self.trees.all())
        for tree in trees:
            for one in tree.nodes if tree is not None else ():
                if not isinstance(one, nodes.ResourceDefaults) or tree is None:
                    continue
                reference = one.type_reference
                if not isinstance(reference, nodes.Reference) or attribute_of(one, name) is None:
                    continue
                is_of_scope = (tree.owner(one) is None) == (owner is None)
                if is_of_scope and reference.value.lower().removeprefix("::") == type_.lower():
                    found = self.of_attribute(tree, one, name, scope, text)
                    if found is not None:
                        return of_kind("resource default", found)
        return Origin("resource default", text)

    def ordered(self, resource: DeclaredResource, name: str) -> Origin | None:
        """Return the arrows that gave a resource a relationship."""
        key = (resource.type, resource.title)
        found = [
            Origin("arrow", "an arrow", place_in_code(self.span_of(one.instruction)))
            for one in self.compilation.extension(arrows_of)
            if one.parameter == name and key in all_keys(one.sources)
        ]
        if len(found) > 1:
            return Origin("arrow", f"{len(found)} arrows", reads=tuple(found))
        return found[0] if found else None

    def passed_on(self, resource: DeclaredResource, name: str) -> Origin | None:
        """Return the container that passed a metaparameter on."""
        if name not in EVERYWHERE:
            return None
        container = resource.scope.resource
        if container is None or container is resource or name not in container.parameters:
            return None
        origin = self.parameter(container, name)
        return with_reads(Origin("container", f"passed on by {container.reference}"), [origin])


def leaves_out(holder: Holder, name: str, scope: Scope) -> bool:
    """Return whether an attribute is undef, which leaves it to data or the default."""
    attribute = attribute_of(holder, name)
    if attribute is None or isinstance(attribute, nodes.AttributeSplat):
        return False
    value = attribute.value
    if isinstance(value, nodes.Variable):
        return scope.lookup(value.name.removeprefix("::")) is None
    return isinstance(value, nodes.Undef)


def of_kind(kind: OriginKind, origin: Origin) -> Origin:
    """Return an origin as one of another kind."""
    return replace(origin, kind=kind)


def place_in_code(span: Span | Place | None) -> CodePlace | None:
    """Return the place of a piece of source."""
    place = span.place if isinstance(span, Span) else span
    if place is None or not place.file or place.line is None:
        return None
    return CodePlace(place.file, place.line)
