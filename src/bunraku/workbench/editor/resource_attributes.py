"""The attributes of resource types, with their documentation and the values that they take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bunraku.base.metaparameters import METAPARAMETERS
from bunraku.base.records import record
from bunraku.providers.metaparameter_texts import ABOUT_METAPARAMETERS
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.workbench.editor.described_types import described_type
from bunraku.workbench.editor.hover import documented, parameter_code
from bunraku.workbench.editor.index.records import IndexedDefinition
from bunraku.workbench.editor.mentions import canonical
from bunraku.workbench.editor.nodes import definition_node
from bunraku.workbench.editor.snapshot import Snapshot

RELATIONS = frozenset({"require", "subscribe", "before", "notify"})
ENSURE = ("present", "absent")
MOST_ALIASES = 20
"""An alias that leads to more others refers to itself."""


@record(frozen=True)
class AttributeEntry:
    """An attribute of a resource type or a parameter of a class.

    ``declaration`` is its code where it has one, ``words`` the values that it takes, ``required`` whether it
    has no default.
    """

    name: str
    declaration: str = ""
    documentation: str = ""
    words: tuple[str, ...] = ()
    required: bool = False


def attribute_entries(snapshot: Snapshot, owner: str) -> list[AttributeEntry]:
    """Return the attributes of a resource type, or the parameters of a class (``class NAME``)."""
    if owner.startswith("class "):
        found = snapshot.index.definitions("class", owner.removeprefix("class "))
    else:
        found = snapshot.index.definitions("resource_type", owner)
    for one in found:
        if definition_node(snapshot, one) is not None:
            return list(parameter_entries(snapshot, one))
    return [] if owner.startswith("class ") else list(entries_of_type(snapshot, owner))


def parameter_entries(snapshot: Snapshot, one: IndexedDefinition) -> Iterator[AttributeEntry]:
    """Yield the parameters of a class or a defined type."""
    thing = documented(snapshot, one)
    node = definition_node(snapshot, one)
    types = {item.name: item.type for item in getattr(node, "parameters", ())}
    for item in thing.parameters if thing else ():
        tags = thing.comment.named("param") if thing else ()
        text = next((tag.text for tag in tags if tag.subject == item.name), None)
        yield AttributeEntry(
            item.name,
            parameter_code(item.type, item.name, item.value or None),
            text or "",
            tuple(dict.fromkeys(words_of_type(snapshot, types.get(item.name)))),
            required=not item.value,
        )


def words_of_type(snapshot: Snapshot, node: Node | None, depth: int = 0) -> Iterator[str]:
    """Yield the values that a data type lists, as code."""
    match node:
        case nodes.Reference(value="Boolean"):
            yield from ("true", "false")
        case nodes.Reference(value=value):
            for one in snapshot.index.definitions("data_type", canonical(value)):
                alias = definition_node(snapshot, one)
                if isinstance(alias, nodes.TypeAlias) and depth < MOST_ALIASES:
                    yield from words_of_type(snapshot, alias.type, depth + 1)
        case nodes.Access(left=nodes.Reference(value="Enum"), keys=keys):
            yield from (
                f"'{one.value}'" for one in keys if isinstance(one, nodes.String | nodes.Name)
            )
        case nodes.Access(left=nodes.Reference(value="Boolean"), keys=[nodes.Boolean(value=value)]):
            yield str(value).lower()
        case nodes.Access(left=nodes.Reference(value="Optional"), keys=keys):
            yield from words_of_types(snapshot, keys, depth)
            yield "undef"
        case nodes.Access(
            left=nodes.Reference(value="Variant" | "Sensitive" | "NotUndef"), keys=keys
        ):
            yield from words_of_types(snapshot, keys, depth)
        case _:
            return


def words_of_types(snapshot: Snapshot, some: Iterable[Node], depth: int) -> Iterator[str]:
    """Yield the values that some data types list."""
    for one in some:
        if isinstance(one, nodes.String):
            yield f"'{one.value}'"
        else:
            yield from words_of_type(snapshot, one, depth)


def entries_of_type(snapshot: Snapshot, name: str) -> Iterator[AttributeEntry]:
    """Yield the attributes of a type that is not written in Puppet."""
    found = described_type(snapshot, name)
    for one in found.attributes.values() if found else ():
        words = ENSURE if one.name == "ensure" and not one.words else one.words
        code = tuple(word if word in {"true", "false"} else f"'{word}'" for word in words)
        yield AttributeEntry(one.name, "", one.about, code)


def metaparameter_entries() -> list[AttributeEntry]:
    """Return the attributes that every resource has."""
    return [
        AttributeEntry(name, documentation=ABOUT_METAPARAMETERS.get(name, ""))
        for name in METAPARAMETERS
    ]
