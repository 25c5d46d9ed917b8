"""Variables and facts to complete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bunraku.base.lazy_typing import Any
from bunraku.base.source import Source
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.workbench.editor.built_in_variables import BUILT_IN_VARIABLES, OF_RESOURCES
from bunraku.workbench.editor.completion.before import Before
from bunraku.workbench.editor.completion.items import CompletionItem
from bunraku.workbench.editor.mentions import assigned_in, canonical
from bunraku.workbench.editor.nodes import definition_node
from bunraku.workbench.editor.parsed import ParsedFile, parse_file
from bunraku.workbench.editor.resolution import parents
from bunraku.workbench.editor.sample_facts import sample_facts
from bunraku.workbench.editor.snapshot import Snapshot

WITH_PARAMETERS = (
    nodes.ClassDefinition,
    nodes.DefineDefinition,
    nodes.FunctionDefinition,
    nodes.PlanDefinition,
    nodes.Lambda,
)


def variables(
    snapshot: Snapshot, path: str, before: Before, wanted_group: int = 0
) -> Iterator[CompletionItem]:
    """Yield the variables that code at a cursor can read."""
    around = scopes_around(snapshot, path, before)
    for node in reversed(around):
        yield from variables_of(snapshot, path, node, wanted_group)
    if any(isinstance(one, nodes.DefineDefinition) for one in around):
        for name in OF_RESOURCES:
            yield item(name, BUILT_IN_VARIABLES[name], wanted_group + 1)
    for name, about in BUILT_IN_VARIABLES.items():
        if name not in OF_RESOURCES:
            yield item(name, about, wanted_group + 2)


def item(name: str, detail: str = "", group: int = 0) -> CompletionItem:
    """Return the item for a variable."""
    return CompletionItem(f"${name}", "variable", f"${name}", detail, group=group)


def scopes_around(snapshot: Snapshot, path: str, before: Before) -> list[Node]:
    """Return the definitions and lambdas around a cursor, the outermost first.

    Where a mistake hides the code around the cursor, the code before it is read alone.
    """
    parsed = snapshot.parsed(path)
    if parsed is None:
        return []
    found = scopes_in(parsed, before.range.start)
    if len(found) == 1 and parsed.has_errors:
        source = Source(parsed.source.text[: before.code_end], path)
        source.is_template = parsed.source.is_template
        parsed = parse_file(source, parsed.dialect)
        found = scopes_in(parsed, before.code_end)
    return found


def scopes_in(parsed: ParsedFile, offset: int) -> list[Node]:
    """Return the top scope, and the definitions and lambdas around an offset."""
    kinds = (*WITH_PARAMETERS, nodes.NodeDefinition)
    return [parsed.program.body, *(one for one in parsed.path_to(offset) if isinstance(one, kinds))]


def variables_of(snapshot: Snapshot, path: str, node: Node, group: int) -> Iterator[CompletionItem]:
    """Yield the variables that a definition or lambda sets, and those that a class inherits."""
    parsed = snapshot.parsed(path)
    text = "" if parsed is None else parsed.source.text
    for one in getattr(node, "parameters", ()):
        kind = "" if one.type is None else " ".join(text[one.type.start : one.type.end].split())
        yield item(one.name, kind, group)
    body = getattr(node, "body", node)
    for name in sorted(assigned_in(body)):
        yield item(name, group=group)
    if isinstance(node, nodes.ClassDefinition):
        for parent in parents(snapshot.index, canonical(node.name)):
            yield from (
                item(name, f"of {parent}", group + 1) for name in names_set_by(snapshot, parent)
            )


def names_set_by(snapshot: Snapshot, name: str) -> Iterator[str]:
    """Yield the names of the variables of a class."""
    for one in snapshot.index.definitions("class", name):
        node = definition_node(snapshot, one)
        if isinstance(node, nodes.ClassDefinition):
            yield from (each.name for each in node.parameters)
            yield from sorted(assigned_in(node.body))


def variables_of_classes(snapshot: Snapshot, word: str) -> Iterator[CompletionItem]:
    """Yield the variables of a class by a word such as ``$ntp::ser``."""
    name = canonical(word.removeprefix("$")).rpartition("::")[0]
    for each in dict.fromkeys(names_set_by(snapshot, name)):
        yield item(f"{name}::{each}")
    for known in snapshot.index.names("class"):
        if known.startswith(f"{name}::"):
            yield item(f"{known}::", "class", group=1)


def fact_keys(
    path: tuple[str, ...], known: Mapping[str, Any] | None = None
) -> Iterator[CompletionItem]:
    """Yield the keys of a fact."""
    found: Any = sample_facts() if known is None else known
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    for name, value in sorted(found.items()) if isinstance(found, Mapping) else ():
        detail = "" if isinstance(value, Mapping | list) else str(value)
        yield CompletionItem(name, "fact", name, detail)
