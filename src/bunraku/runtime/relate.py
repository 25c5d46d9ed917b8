"""Relationships: arrows between resources, their targets, and cycles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.catalog.model import Resource
from bunraku.records import record
from bunraku.runtime import issues
from bunraku.runtime.access import capitalize_name, is_reference
from bunraku.runtime.collect import Collector
from bunraku.runtime.compilation import Compilation, flat, located
from bunraku.runtime.operators import kind_name
from bunraku.runtime.scope import Scope
from bunraku.types.model import ClassType, ResourceType
from bunraku.types.text import to_text

Value = Any
PARAMETER = {"->": "before", "~>": "notify", "<-": "before", "<~": "notify"}
RELATIONSHIP_PARAMETERS = ("before", "notify", "require", "subscribe")
RELATIONSHIP_NAMES = frozenset(RELATIONSHIP_PARAMETERS)


@record()
class Arrow:
    """``sources -> targets``, worked out when all is declared."""

    sources: list[Value]
    targets: list[Value]
    parameter: str


@record()
class Link:
    """A side of a chain with collectors in it: where they find nothing, the side before counts."""

    sides: list[Value]
    fallback: list[Value]
    found: list[tuple[str, str]] | None = None


def relate(scope: Scope, left: Value, operator: str, right: Value) -> Value:
    """``left -> right``: remember the arrow; the value is what the next arrow in a chain starts from.

    Where the right side is empty that is the left one, so that ``X -> [] -> Y`` means ``X -> Y``.
    """
    before, after = operands(left), operands(right)
    if not after:
        onward = before
    elif any(isinstance(side, Collector) for side in after):
        onward = [Link(after, before)]
    else:
        onward = after
    if operator in ("<-", "<~"):
        before, after = after, before
    scope.compilation.relationships.append(Arrow(before, after, PARAMETER[operator]))
    return onward


def operands(value: Value) -> list[Value]:
    """One side of an arrow: references and collectors."""
    if value.__class__ is ResourceType and value.title is not None:
        return [value]
    found = flat(value)
    for index, item in enumerate(found):
        if item.__class__ is str:
            item = found[index] = reference_from_text(item)
        good = (
            isinstance(item, Collector | Link)
            or (isinstance(item, ResourceType) and item.title is not None)
            or (isinstance(item, ClassType) and item.name is not None)
        )
        if not good:
            raise issues.ILLEGAL_RELATION(value=kind_name(item))
    return found


def reference_from_text(text: str) -> Value:
    """``'File[/a]'`` as a reference."""
    key = text_key(text)
    if key is None:
        return text
    type_, title = key
    return ClassType(title.lower()) if type_ == "Class" else ResourceType(type_.lower(), title)


def text_key(text: str) -> tuple[str, str] | None:
    """Type and title in ``File[/a]``."""
    name, bracket, rest = text.partition("[")
    if not bracket or not rest.endswith("]"):
        return None
    return capitalize_name(name.strip().lower()), rest[:-1].strip().strip("'\"")


def evaluate_relationships(compilation: Compilation) -> None:
    """Turn the arrows into ``before`` and ``notify`` of the resources they come from."""
    for arrow in compilation.relationships:
        targets_found = all_keys(arrow.targets)
        for source in all_keys(arrow.sources):
            for target in targets_found:
                add_relationship(compilation, source, target, arrow.parameter)


def all_keys(sides: list[Value]) -> list[tuple[str, str]]:
    """The same as a list, each once."""
    if len(sides) == 1 and sides[0].__class__ is ResourceType:
        return [reference_key(sides[0])]
    return list(dict.fromkeys(expand(sides)))


def expand(sides: list[Value]) -> Iterator[tuple[str, str]]:
    """Type and title of each resource on one side; a collector means all it collected."""
    for side in sides:
        if isinstance(side, Collector):
            for resource in side.collected.values():
                yield resource.type, resource.title
        elif isinstance(side, Link):
            # Kept, for the links of a long chain all go back to its beginning.
            if side.found is None:
                side.found = list(expand(side.sides)) or list(expand(side.fallback))
            yield from side.found
        else:
            yield reference_key(side)


def reference_key(reference: Value) -> tuple[str, str]:
    """The key of a reference in the catalog's index."""
    if reference.__class__ is ResourceType and reference.type_name:
        return capitalize_name(reference.type_name), reference.title or ""
    if isinstance(reference, ClassType):
        name = reference.name or ""
        return "Class", "main" if name == "main" else capitalize_name(name)
    return capitalize_name(reference.type_name or ""), reference.title or ""


def add_relationship(
    compilation: Compilation,
    source: tuple[str, str],
    target: tuple[str, str],
    parameter: str,
) -> None:
    """One arrow between two resources."""
    first, then = compilation.index.get(source), compilation.index.get(target)
    if first is None:
        raise issues.RELATION_END_MISSING(missing=ref(source), other=ref(target))
    if then is None:
        raise issues.RELATION_END_MISSING(missing=ref(target), other=ref(source))
    current = first.parameters.get(parameter)
    known = [] if current is None else current if current.__class__ is list else [current]
    first.parameters[parameter] = [*known, key_reference(target)]


def key_reference(key: tuple[str, str]) -> ResourceType | ClassType:
    """The reference that an index key stands for."""
    type_, title = key
    return ClassType(title.lower()) if type_ == "Class" else ResourceType(type_.lower(), title)


def ref(key: tuple[str, str]) -> str:
    """``File[/a]``."""
    return f"{key[0]}[{key[1]}]"


def targets(resource: Resource, parameter: str) -> Iterator[tuple[str, str]]:
    """The resources that a relationship parameter names."""
    for item in flat(resource.parameters.get(parameter)):
        if isinstance(item, ResourceType | ClassType):
            yield reference_key(item)
        elif item.__class__ is str:
            key = text_key(item)
            if key is not None:
                yield key


def checked_targets(resource: Resource, parameter: str) -> Iterator[tuple[str, str]]:
    """The same, refusing what is no reference."""
    for item in flat(resource.parameters.get(parameter)):
        if item is None or is_reference(item):
            continue
        if item.__class__ is not str or text_key(item) is None:
            error = issues.NOT_A_REFERENCE(
                text=to_text(item), name=parameter, reference=resource.reference
            )
            raise located(error, *resource.place_of(parameter))
    yield from targets(resource, parameter)


def check_targets(compilation: Compilation) -> None:
    """Every relationship must name a resource that is there."""
    index = compilation.index
    for resource in compilation.catalog.resources:
        parameters = resource.parameters
        if RELATIONSHIP_NAMES.isdisjoint(parameters) or resource.virtual:
            continue
        for parameter, value in parameters.items():
            if parameter not in RELATIONSHIP_NAMES:
                continue
            if value.__class__ is ResourceType and value.title and reference_key(value) in index:
                continue
            for key in checked_targets(resource, parameter):
                if key not in index:
                    error = issues.RELATION_TARGET_MISSING(
                        target=ref(key), name=parameter, reference=resource.reference
                    )
                    raise located(error, *resource.place_of(parameter))


def check_cycles(compilation: Compilation) -> None:
    """Refuse relationships that go in a circle; the error shows the way round."""
    graph = dependency_graph(compilation)
    cycle = find_cycle(graph)
    if cycle is None:
        return
    names = [name for kind, name in cycle if kind == "start"] or [name for _, name in cycle]
    path = " -> ".join([*names, names[0]])
    resource = compilation.index.get(text_key(names[0]) or ("", ""))
    error = issues.DEPENDENCY_CYCLE(path=path)
    if resource is not None:
        raise located(error, resource.file, resource.line)
    raise error


Point = tuple[str, str]


def dependency_graph(compilation: Compilation) -> dict[Point, list[Point]]:
    """What must come before what: a container begins before its members and ends after them."""
    graph: dict[Point, list[Point]] = {}
    containers = {container for container, _ in compilation.catalog.edges}
    for container, member in compilation.catalog.edges:
        graph.setdefault(("start", container), []).append(("start", member))
        end = ("end", member) if member in containers else ("start", member)
        graph.setdefault(end, []).append(("end", container))

    def ending(name: str) -> Point:
        return ("end", name) if name in containers else ("start", name)

    for resource in compilation.catalog.resources:
        if resource.virtual:
            continue
        name = resource.reference
        for parameter in RELATIONSHIP_PARAMETERS:
            if resource.parameters.get(parameter) is None:
                continue
            for key in targets(resource, parameter):
                found = compilation.index.get(key)
                if found is None:
                    continue
                first, then = name, found.reference
                if parameter in ("require", "subscribe"):
                    first, then = then, first
                graph.setdefault(ending(first), []).append(("start", then))
    return graph


def find_cycle(graph: dict[Point, list[Point]]) -> list[Point] | None:
    """A cycle in a graph, as the points on it in order; None without one."""
    done: set[Point] = set()
    for root in graph:
        if root in done:
            continue
        path: list[Point] = [root]
        on_path = {root: 0}
        ways = [iter(graph.get(root, ()))]
        while ways:
            following = next(ways[-1], None)
            if following is None:
                ways.pop()
                left = path.pop()
                del on_path[left]
                done.add(left)
            elif following in on_path:
                return path[on_path[following] :]
            elif following not in done:
                on_path[following] = len(path)
                path.append(following)
                ways.append(iter(graph.get(following, ())))
    return None
