"""The type of a value that is looked up without one, derived from its use in a manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bunraku.syntax import nodes

LOOKUPS = {
    "lookup": None,
    "hiera": None,
    "hiera_array": "Array",
    "hiera_hash": "Hash",
    "hiera_include": "Array",
}
OVER_ITEMS = {
    "include",
    "contain",
    "require",
    "each",
    "map",
    "filter",
    "reduce",
    "join",
    "flatten",
    "unique",
    "sort",
    "any",
    "all",
}
OF_HASHES = {"keys", "values", "create_resources", "dig"}
Kind = nodes.Expression | str | None


def plain(name: str) -> str:
    """A name without leading colons, in small letters."""
    return name.lower().removeprefix("::")


def key_of(tree: nodes.Node) -> str | None:
    """The key that an expression looks up; None for any other expression."""
    if isinstance(tree, nodes.Call) and isinstance(tree.callee, nodes.Name):
        if plain(tree.callee.value) in LOOKUPS and tree.arguments:
            first = tree.arguments[0]
            if isinstance(first, nodes.Hash):
                first = option(first, "name") or first
            if isinstance(first, nodes.String):
                return first.value.removeprefix("::")
    return None


def option(options: nodes.Hash, name: str) -> nodes.Expression | None:
    """The value of an option, where a function gets all of them as a hash."""
    for entry in options.entries:
        if isinstance(entry.key, nodes.String | nodes.Name) and entry.key.value == name:
            return entry.value
    return None


def walk(tree: nodes.Node) -> Iterator[nodes.Node]:
    """A node and all below it."""
    yield tree
    for child in nodes.children(tree):
        yield from walk(child)


def uses(
    tree: nodes.Node, declared: Mapping[str, Mapping[str, nodes.Expression]]
) -> Iterator[tuple[str, Kind]]:
    """Key → the type that its value must have, for the values of one definition.

    ``declared`` has the types of the parameters of classes and defined types.
    """
    held = dict(variables(tree))
    for node in walk(tree):
        match node:
            case nodes.Resource():
                yield from of_resource(node, held, declared)
            case nodes.MethodCall() if isinstance(node.name, nodes.Name):
                key = looked_up(node.receiver, held)
                if key:
                    yield key, by_function(node.name.value, node.block)
            case nodes.Call() if isinstance(node.callee, nodes.Name) and node.arguments:
                places = node.arguments[:2]
                for key in filter(None, (looked_up(one, held) for one in places)):
                    yield key, by_function(node.callee.value, node.block)
            case nodes.Access() if node.keys and isinstance(node.keys[0], nodes.String):
                key = looked_up(node.left, held)
                if key:
                    yield key, "Hash"


def variables(tree: nodes.Node) -> Iterator[tuple[str, str]]:
    """Variable → the key whose value it holds."""
    for node in walk(tree):
        if isinstance(node, nodes.Assignment) and isinstance(node.left, nodes.Variable):
            key = key_of(node.right)
            if key:
                yield node.left.name, key
        if isinstance(node, nodes.Parameter) and node.value is not None and node.type is None:
            key = key_of(node.value)
            if key:
                yield node.name, key


def looked_up(tree: nodes.Node, held: Mapping[str, str]) -> str | None:
    """The key whose value an expression is, directly or through a variable."""
    if isinstance(tree, nodes.Variable):
        return held.get(tree.name)
    return key_of(tree)


def by_function(name: str, block: nodes.Lambda | None) -> str | None:
    """The type of the receiver of a function."""
    if name in OF_HASHES:
        return "Hash"
    if name in OVER_ITEMS:
        return "Hash" if block and len(block.parameters) == 2 and name != "reduce" else "Array"
    return None


def of_resource(
    resource: nodes.Resource,
    held: Mapping[str, str],
    declared: Mapping[str, Mapping[str, nodes.Expression]],
) -> Iterator[tuple[str, Kind]]:
    """The types of the attributes of a resource that are looked up."""
    if not isinstance(resource.type_name, nodes.Name):
        return
    kind = plain(resource.type_name.value)
    for body in resource.bodies:
        name = kind
        if kind == "class" and isinstance(body.title, nodes.String | nodes.Name):
            name = plain(body.title.value)
        types = declared.get(name, {})
        for operation in body.operations:
            if isinstance(operation, nodes.Attribute) and operation.name in types:
                key = looked_up(operation.value, held)
                if key:
                    yield key, types[operation.name]
