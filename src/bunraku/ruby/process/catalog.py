"""Requests of Ruby code to read or change the catalog while it is compiled."""

from __future__ import annotations

from typing import Any

from bunraku.ruby.process.changes import Changes
from bunraku.ruby.process.wire import Changeable, Codec
from bunraku.runtime.declare import create
from bunraku.runtime.definitions import Definition
from bunraku.runtime.state import UNPLACED, Compilation, DeclaredResource
from bunraku.runtime.tags import add_further_tags

Value = Any


class CatalogAnswers:
    """Answers about resources, definitions and the node, by name; arguments and results are JSON."""

    changes: Changes
    codec: Codec
    compilation: Compilation

    def found(self, type_: str, title: str) -> DeclaredResource | None:
        """Return a declared resource."""
        return self.compilation.catalog.find(type_, title)

    def described(self, resource: DeclaredResource) -> dict[str, Value]:
        """Return a resource in the form for Ruby code, which may change its parameters in place."""
        self.changes.own_resource(resource)
        return describe(resource)

    def on_resources(self, number: int) -> list[Value]:
        """Return all resources declared until now."""
        return [self.described(item) for item in self.compilation.catalog.resources]

    def on_resource(self, number: int, type_: str, title: str) -> Value:
        """Return a declared resource, None when there is none."""
        found = self.found(type_, title)
        return None if found is None else self.described(found)

    def on_container(self, number: int, type_: str, title: str) -> Value:
        """Answer ``catalog.container_of``: the class or resource that contains a resource."""
        found = self.found(type_, title)
        owner = found.scope.resource if found is not None else None
        return None if owner is None or owner is found else self.described(owner)

    def on_set_parameter(self, number: int, type_: str, title: str, name: str, value: Any) -> None:
        """Answer ``resource[name] = value`` for a resource of the catalog."""
        found = self.found(type_, title)
        if found is not None:
            found.parameters[name] = self.codec.decode(value)
            self.changes.own[id(found.parameters[name])] = found.parameters[name]
            found.places = {**(found.places or {}), name: (found.scope, None, None)}

    def on_add_tags(self, number: int, type_: str, title: str, tags: list[str]) -> None:
        """Answer ``resource.tag``."""
        found = self.found(type_, title)
        if found is not None:
            add_further_tags(found, tags)

    def on_set_virtual(self, number: int, type_: str, title: str, virtual: bool) -> None:
        """Answer ``resource.virtual =``."""
        found = self.found(type_, title)
        if found is not None:
            found.virtual = virtual

    def on_add_resource(
        self,
        number: int | None,
        type_: str,
        title: str,
        parameters: Any,
        form: str,
        file: str | None,
        line: int | None,
    ) -> None:
        """Answer ``compiler.add_resource``; without a scope, ``catalog.add_resource``: in no class."""
        compilation = self.compilation
        scope = compilation.top_scope if number is None else self.codec.held_value(number)
        given = self.codec.decode(parameters)
        create(scope, type_.lower(), title, given, form, file or "", line, UNPLACED)
        found = self.found(type_, title)
        if number is None and found is not None:
            compilation.catalog.edges.remove((scope.resource.reference, found.reference))
            found.scope = scope.without_captures()
            found.scope.resource = found

    def on_remove_resource(self, number: int, type_: str, title: str) -> None:
        """Answer ``catalog.remove_resource``."""
        compilation = self.compilation
        found = self.found(type_, title)
        if found is None:
            return
        compilation.catalog.resources.remove(found)
        compilation.catalog.pending = [
            item for item in compilation.catalog.pending if item is not found
        ]
        for key in [key for key, item in compilation.catalog.index.items() if item is found]:
            del compilation.catalog.index[key]
        edges = compilation.catalog.edges
        edges[:] = [edge for edge in edges if found.reference not in edge]
        compilation.catalog.edge_set = {
            edge for edge in compilation.catalog.edge_set if found.reference not in edge
        }

    def on_catalog_version(self, number: int) -> Value:
        """Answer ``catalog.version``."""
        return self.compilation.catalog.version

    def on_definition(self, number: int, kind: str, name: str) -> Value:
        """Return the data of a class or defined type; None if it does not exist."""
        found = self.compilation.definitions.find(name, kind)
        return None if found is None else describe_definition(found)

    def on_node_parameters(self, number: int) -> dict[str, Value]:
        """Answer ``node.parameters``: the facts and the parameters of the classifier."""
        top = self.compilation.top_scope
        given = {key[1:]: value for key, value in top.items() if key.startswith("$")}
        return {**self.compilation.facts, **given}

    def on_node_classes(self, number: int) -> dict[str, Value]:
        """Answer ``node.classes``: those that the classifier gives."""
        return dict(self.compilation.node_classes)


def describe(resource: DeclaredResource) -> dict[str, Value]:
    """Return a resource in the form for Ruby code; its tags are its own and those of its containers."""
    tags = dict(resource.tags)
    owner = resource.scope.resource
    if owner is not None:
        tags.update(owner.tags)
    return {
        "type": resource.type,
        "title": resource.title,
        "parameters": {key: Changeable(item) for key, item in resource.parameters.items()},
        "tags": list(tags),
        "file": resource.file,
        "line": resource.line,
        "virtual": resource.virtual,
        "exported": resource.exported,
        "evaluated": resource.evaluated,
        "scope": resource.scope,
    }


def describe_definition(definition: Definition) -> dict[str, Value]:
    """Return a class or defined type in the form for Ruby code; defaults are not evaluated."""
    return {
        "name": definition.name,
        "module_name": definition.module_name,
        "arguments": dict.fromkeys(item.name for item in definition.parameters),
        "file": definition.file,
        "line": definition.line,
        "parent": definition.parent,
    }
