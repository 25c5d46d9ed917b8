"""Relationships: arrows between resources, their targets, and cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.base.records import record
from bunraku.base.source import Place
from bunraku.limits.limits import TimeLimitReached, reached
from bunraku.runtime import issues
from bunraku.runtime.collect import Collector
from bunraku.runtime.declare import RELATIONSHIP_PARAMETERS
from bunraku.runtime.error_places import place_at, place_relationship
from bunraku.runtime.operators import kind_name
from bunraku.runtime.python_frames import Instruction, current_instruction
from bunraku.runtime.references import flat, is_reference
from bunraku.runtime.state import Compilation, DeclaredResource, Scope
from bunraku.runtime.suggest import resource_hint
from bunraku.types.model import ClassType, ResourceType
from bunraku.types.parse import parse_type
from bunraku.types.text.display import capitalize
from bunraku.types.value_text import to_text

Value = Any
PARAMETER = {"->": "before", "~>": "notify", "<-": "before", "<~": "notify"}
RELATIONSHIP_NAMES = frozenset(RELATIONSHIP_PARAMETERS)

Grown = dict[int, tuple[Value, list[Value]]]
"""Identity of a list → the list itself, which keeps the identity taken, and the one that arrows grow."""


@record()
class Arrow:
    """``sources -> targets``, evaluated when everything is declared."""

    sources: list[Value]
    targets: list[Value]
    parameter: str
    instruction: Instruction | None = None


@record()
class Link:
    """A side of a chain with collectors in it: where they find nothing, the side before counts."""

    sides: list[Value]
    fallback: list[Value]
    found: list[tuple[str, str]] | None = None

    def __str__(self) -> str:
        """Return the text that Puppet shows for the side as a value."""
        return ", ".join(map(to_text, self.sides))


def arrows_of(_compilation: Compilation) -> list[Arrow]:
    """Return a list for the arrows of a compile."""
    return []


def relate(scope: Scope, left: Value, operator: str, right: Value) -> Value:
    """Record the arrow in ``left -> right``; return the side where the next arrow in a chain starts.

    Where the right side is empty that is the left one, so ``X -> [] -> Y`` means ``X -> Y``.
    """
    before, after = operands(scope, left), operands(scope, right)
    if not after:
        onward = before
    elif any(isinstance(side, Collector) for side in after):
        onward = [Link(after, before)]
    else:
        onward = after
    if operator in ("<-", "<~"):
        before, after = after, before
    arrow = Arrow(before, after, PARAMETER[operator], current_instruction())
    scope.compilation.extension(arrows_of).append(arrow)
    return onward


def operands(scope: Scope, value: Value) -> list[Value]:
    """Return one side of an arrow: references, their texts, and collectors."""
    if value.__class__ is ResourceType and value.title is not None:
        return [value]
    found = flat(value)
    for index, item in enumerate(found):
        if item.__class__ is str:
            item = found[index] = parse_type(item, scope.compilation.types)
        good = (
            isinstance(item, Collector | Link)
            or (isinstance(item, ResourceType) and item.title is not None)
            or (isinstance(item, ClassType) and item.name is not None)
        )
        if not good:
            raise issues.ILLEGAL_RELATION(value=kind_name(item))
    return found


def text_key(text: str) -> tuple[str, str] | None:
    """Return type and title in ``File[/a]``; the title is literal text, without quotes."""
    name, _, rest = text.partition("[")
    if not name or len(rest) < 2 or rest[-1] != "]":
        return None
    type_, title = capitalize(name.lower()), rest[:-1]
    return type_, capitalize(title.lower()) if type_ == "Class" else title


def evaluate_relationships(compilation: Compilation) -> None:
    """Turn the arrows into ``before`` and ``notify`` of the resources they come from."""
    grown: Grown = {}
    for arrow in compilation.extension(arrows_of):
        try:
            targets_found = all_keys(arrow.targets)
            if targets_found:
                # One reference for all sources: an arrow can have many more edges than targets.
                references = list(map(key_reference, targets_found))
                for source in all_keys(arrow.sources):
                    add_relationships(compilation, source, targets_found, references, arrow, grown)
        except (MemoryError, TimeLimitReached) as limit:
            raise place_at(compilation, reached(limit), arrow.instruction) from None
    for before, after in grown.values():
        if before is not after:
            share_targets(compilation, grown)
            break


def share_targets(compilation: Compilation, grown: Grown) -> None:
    """Give the grown list to all resources that got the same list from one statement.

    Puppet appends the target of an arrow to the array in place, and the titles of a statement share it.
    """
    for resource in compilation.catalog.resources:
        parameters = resource.parameters
        for name in ("before", "notify"):
            if name in parameters:
                found = grown.get(id(parameters[name]))
                if found is not None:
                    parameters[name] = found[1]


def all_keys(sides: list[Value]) -> list[tuple[str, str]]:
    """Return one side of an arrow as a list without duplicates."""
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
    """Return the key of a reference in the catalog's index."""
    if reference.__class__ is ResourceType and reference.type_name:
        return capitalize(reference.type_name), reference.title or ""
    if isinstance(reference, ClassType):
        name = reference.name or ""
        return "Class", capitalize(name)
    return capitalize(reference.type_name or ""), reference.title or ""


def add_relationships(
    compilation: Compilation,
    source: tuple[str, str],
    targets_found: list[tuple[str, str]],
    references: list[ResourceType | ClassType],
    arrow: Arrow,
    grown: Grown,
) -> None:
    """Add the targets of an arrow to the parameter of one of its sources."""
    index = compilation.catalog.index
    first = index.get(source) or compilation.catalog.at(source)
    for target in targets_found:
        is_there = target in index or compilation.catalog.at(target) is not None
        if first is None or not is_there:
            missing, other = (source, target) if first is None else (target, source)
            error = issues.RELATION_END_MISSING(
                missing=ref(missing),
                other=ref(other),
                preposition="on" if first is None else "from",
            )
            error = error.hinted(resource_hint(compilation, *missing))
            raise place_at(compilation, error, arrow.instruction)
    assert first is not None  # there is a target
    parameters, name = first.parameters, arrow.parameter
    current = parameters.get(name)
    found = grown.get(id(current))
    if found is None:
        own = [] if current is None else current[:] if current.__class__ is list else [current]
        found = (current, own)
        grown[id(own)] = (own, own)
        if current.__class__ is list:
            grown[id(current)] = found
    found[1].extend(references)
    parameters[name] = found[1]


def key_reference(key: tuple[str, str]) -> ResourceType | ClassType:
    """Return the reference of an index key."""
    type_, title = key
    return ClassType(title.lower()) if type_ == "Class" else ResourceType(type_.lower(), title)


def ref(key: tuple[str, str]) -> str:
    """Evaluate ``File[/a]``."""
    return f"{key[0]}[{key[1]}]"


def targets(resource: DeclaredResource, parameter: str) -> Iterator[tuple[str, str]]:
    """Yield the resources that a relationship parameter names."""
    for item in flat(resource.parameters.get(parameter)):
        if isinstance(item, ResourceType | ClassType):
            yield reference_key(item)
        elif item.__class__ is str:
            key = text_key(item)
            if key is not None:
                yield key


def checked_targets(
    compilation: Compilation, resource: DeclaredResource, parameter: str
) -> Iterator[tuple[str, str]]:
    """Yield the resources of a relationship parameter; raise for values other than references."""
    for item in flat(resource.parameters.get(parameter)):
        if item is None or is_reference(item):
            continue
        if item.__class__ is not str or text_key(item) is None:
            error = issues.NOT_A_REFERENCE(
                text=to_text(item), name=parameter, reference=resource.reference
            )
            raise place_relationship(compilation, error, resource, parameter)
    yield from targets(resource, parameter)


def check_targets(compilation: Compilation) -> None:
    """Flatten arrays in relationship attributes, without undef; check that the targets exist."""
    for resource in compilation.catalog.resources:
        if RELATIONSHIP_NAMES.isdisjoint(resource.parameters):
            continue
        try:
            check_targets_of(compilation, resource)
        except (MemoryError, TimeLimitReached) as limit:
            raise reached(limit).at(Place.of(resource)) from None


def check_targets_of(compilation: Compilation, resource: DeclaredResource) -> None:
    """Check the relationship attributes of one resource; a virtual one can name absent targets."""
    parameters = resource.parameters
    for parameter, value in parameters.items():
        if parameter not in RELATIONSHIP_NAMES or all_there(compilation.catalog.index, value):
            continue
        if value.__class__ is list:
            parameters[parameter] = [item for item in flat(value) if item is not None]
        if resource.virtual:
            continue
        for key in checked_targets(compilation, resource, parameter):
            if not key[1] or compilation.catalog.at(key) is None:
                error = issues.RELATION_TARGET_MISSING(
                    target=ref(key), name=parameter, reference=resource.reference
                ).hinted(resource_hint(compilation, *key))
                raise place_relationship(compilation, error, resource, parameter)


def all_there(index: Mapping[tuple[str, Any], DeclaredResource], value: Value) -> bool:
    """Return whether a value holds only references, all to resources in the catalog."""
    for item in value if value.__class__ is list else (value,):
        if item.__class__ is ResourceType:
            if not item.title or reference_key(item) not in index:
                return False
        elif item.__class__ is not ClassType or reference_key(item) not in index:
            return False
    return True
