"""The definitions in a file as a tree, and those of the workspace that a query names."""

from __future__ import annotations

from collections.abc import Iterable

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import field, record
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, children
from bunraku.workbench.editor.index.records import IndexedDefinition
from bunraku.workbench.editor.index.scan import KINDS, indexed_definition
from bunraku.workbench.editor.mentions import Kind
from bunraku.workbench.editor.parsed import ParsedFile
from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.snapshot import Snapshot

OutlineKind = Literal[Kind, "parameter"]
MOST_FOUND = 2_000
"""Clients show a few dozen; a query without letters would find all."""


@record(frozen=True)
class OutlineEntry:
    """An entry of the outline: ``range`` is the place of its name, ``whole`` that of all its code."""

    kind: OutlineKind
    name: str
    detail: str
    range: TextRange
    whole: TextRange
    entries: list[OutlineEntry] = field(default_factory=list)


def document_symbols(snapshot: Snapshot, path: str) -> list[OutlineEntry]:
    """Return the outline of a manifest or a template."""
    parsed = snapshot.parsed(path)
    if parsed is None:
        return []
    found: list[OutlineEntry] = []
    for root in parsed.roots:
        found += entries_of(root, parsed)
    return found


def entries_of(node: Node, parsed: ParsedFile) -> list[OutlineEntry]:
    """Return the entries for a node, or for those below it."""
    source = parsed.source
    match node:
        case nodes.Resource():
            return resource_entries(node, parsed)
        case nodes.ResourceDefaults() | nodes.ResourceOverride():
            return [changing_entry(node, parsed)]
        case nodes.Collector() if node.operations:
            return [changing_entry(node, parsed)]
        case nodes.Assignment(left=nodes.Variable()):
            piece = TextRange(node.left.start, node.left.end)
            whole = TextRange(node.start, node.end)
            name = source.text[piece.start : piece.end]
            return [
                OutlineEntry("variable", name, "", piece, whole, entries_below(node.right, parsed))
            ]
        case nodes.NodeDefinition():
            names = ", ".join(source.text[one.start : one.end] for one in node.matches)
            first = node.matches[0]
            piece = TextRange(first.start, node.matches[-1].end)
            whole = TextRange(node.start, node.end)
            return [OutlineEntry("node", names, "", piece, whole, entries_below(node.body, parsed))]
        case _ if node.__class__ in KINDS:
            return [definition_entry(node, parsed)]
        case _:
            return entries_below(node, parsed)


def entries_below(node: Node, parsed: ParsedFile) -> list[OutlineEntry]:
    """Return the entries for the nodes below one."""
    found: list[OutlineEntry] = []
    for child in children(node):
        found += entries_of(child, parsed)
    return found


def definition_entry(node: Node, parsed: ParsedFile) -> OutlineEntry:
    """Return the entry for a class, defined type, function, plan or type alias."""
    one = indexed_definition(node, parsed.source)
    inner = [parameter_entry(item, parsed) for item in getattr(node, "parameters", ())]
    body = getattr(node, "body", None)
    if body is not None:
        inner += entries_of(body, parsed)
    return OutlineEntry(one.kind, one.written, detail_of(one), one.place, one.whole, inner)


def detail_of(one: IndexedDefinition) -> str:
    """Return what the outline says beside a name."""
    return f"inherits {one.parent}" if one.parent else ""


def parameter_entry(node: nodes.Parameter, parsed: ParsedFile) -> OutlineEntry:
    """Return the entry for a parameter; its type stands beside it."""
    text = parsed.source.text
    begin = node.start if node.type is None else node.type.end
    start = max(text.find(f"${node.name}", begin, node.end), node.start)
    detail = "" if node.type is None else text[node.type.start : node.type.end]
    piece = TextRange(start, min(start + len(node.name) + 1, node.end))
    whole = TextRange(node.start, node.end)
    return OutlineEntry("parameter", f"${node.name}", " ".join(detail.split()), piece, whole)


def resource_entries(node: nodes.Resource, parsed: ParsedFile) -> list[OutlineEntry]:
    """Return the entry for a declaration; that of several resources has them below it."""
    inner = [resource_entry(node, body, parsed) for body in node.bodies]
    if len(inner) == 1:
        return inner
    piece = TextRange(node.type_name.start, node.type_name.end)
    name = parsed.source.text[piece.start : piece.end]
    return [OutlineEntry("resource", name, "", piece, TextRange(node.start, node.end), inner)]


def resource_entry(
    node: nodes.Resource, body: nodes.ResourceBody, parsed: ParsedFile
) -> OutlineEntry:
    """Return the entry for one resource of a declaration."""
    text = parsed.source.text
    type_name = text[node.type_name.start : node.type_name.end]
    title = text[body.title.start : body.title.end]
    piece = TextRange(body.title.start, body.title.end)
    whole = TextRange(body.start, body.end)
    if len(node.bodies) == 1:
        whole = TextRange(node.start, node.end)
    inner = attribute_entries(body.operations, parsed)
    return OutlineEntry("resource", f"{type_name} {title}", "", piece, whole, inner)


def changing_entry(
    node: nodes.ResourceDefaults | nodes.ResourceOverride | nodes.Collector, parsed: ParsedFile
) -> OutlineEntry:
    """Return the entry for defaults, an override or a collector, by the types or resources that it names."""
    match node:
        case nodes.ResourceDefaults():
            named = node.type_reference
        case nodes.ResourceOverride():
            named = node.resources
        case nodes.Collector():
            named = node.type
    piece = TextRange(node.start, named.end)
    name = " ".join(parsed.source.text[piece.start : piece.end].split())
    whole = TextRange(node.start, node.end)
    return OutlineEntry(
        "resource", name, "", piece, whole, attribute_entries(node.operations, parsed)
    )


def attribute_entries(operations: Iterable[Node], parsed: ParsedFile) -> list[OutlineEntry]:
    """Return the entries for the attributes of a resource."""
    return [
        OutlineEntry(
            "attribute",
            one.name,
            "",
            TextRange(one.start, one.start + len(one.name)),
            TextRange(one.start, one.end),
        )
        for one in operations
        if isinstance(one, nodes.Attribute) and parsed.source.text.startswith(one.name, one.start)
    ]


def workspace_symbols(snapshot: Snapshot, query: str) -> list[IndexedDefinition]:
    """Return the definitions whose names have the letters of a query in their order.

    Those that begin with it come first, then those that contain it.
    """
    wanted = query.lower().removeprefix("::")
    found = [
        (rank(one.name, wanted), one.name, one)
        for one in snapshot.index.all_definitions()
        if has_letters(one.name, wanted)
    ]
    found.sort(key=lambda item: (item[0], item[1], item[2].path))
    return [one for _, _, one in found[:MOST_FOUND]]


def rank(name: str, wanted: str) -> int:
    """Return how far a name is from a query.

    >>> [rank(one, "ser") for one in ("server", "ntp::server", "observer", "sxexr")]
    [0, 1, 2, 3]
    """
    if name.startswith(wanted):
        return 0
    if f"::{wanted}" in name:
        return 1
    return 2 if wanted in name else 3


def has_letters(name: str, wanted: str) -> bool:
    """Return whether a name has the letters of a query in their order.

    >>> has_letters("ntp::server", "nsr"), has_letters("ntp::server", "rs")
    (True, False)
    """
    letters = iter(name)
    return all(letter in letters for letter in wanted)
