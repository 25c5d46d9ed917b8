"""From the text of a file to its record in the index."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.workbench.editor.index.records import FileRecord, IndexedDefinition
from bunraku.workbench.editor.mentions import Kind, canonical
from bunraku.workbench.editor.places import TextRange

WORD = lazy_pattern(r"\w+(?:::\w+)*")
NAME = lazy_pattern(r"(?:::)?\w+(?:::\w+)*")
KINDS: dict[type[Node], Kind] = {
    nodes.ClassDefinition: "class",
    nodes.DefineDefinition: "resource_type",
    nodes.FunctionDefinition: "function",
    nodes.PlanDefinition: "plan",
    nodes.TypeAlias: "data_type",
}


def scan(source: Source, dialect: Dialect) -> FileRecord:
    """Return the record of a file; of a text that is no Puppet code, only its words."""
    found: tuple[IndexedDefinition, ...] = ()
    if source.is_template or source.path.endswith(".pp"):
        found = tuple(definitions_in(dialect.parse(source).program))
    return FileRecord(source.path, found, indexed_words(source.text))


def indexed_words(text: str) -> str:
    """Return the words of a text, each once between line ends.

    >>> indexed_words("include Ntp::Server, ntp::server")
    '\\ninclude\\nntp::server\\n'
    """
    found = dict.fromkeys(WORD.findall(text.lower()))
    return "\n".join(["", *found, ""])


def definitions_in(program: nodes.Program) -> Iterator[IndexedDefinition]:
    """Yield the definitions of a program in their order."""
    source = program.source
    for one in sorted(program.definitions, key=lambda node: node.start):
        if isinstance(one, nodes.NodeDefinition):
            yield from node_definitions(one, source)
        elif one.__class__ in KINDS:
            yield indexed_definition(one, source)


def indexed_definition(node: Node, source: Source) -> IndexedDefinition:
    """Return the record of a definition with a name."""
    start: int = getattr(node, "name_start", node.start)
    name: str = getattr(node, "name", "")
    match = NAME.match(source.text, start)
    end = match.end() if match else start
    return IndexedDefinition(
        KINDS[node.__class__],
        canonical(name),
        name,
        source.path,
        TextRange(start, end),
        TextRange(node.start, node.end),
        getattr(node, "parent", None),
    )


def node_definitions(node: nodes.NodeDefinition, source: Source) -> Iterator[IndexedDefinition]:
    """Yield a record for each name or pattern of a node definition."""
    for one in node.matches:
        written = source.text[one.start : one.end]
        yield IndexedDefinition(
            "node",
            canonical(str(getattr(one, "value", written))),
            written,
            source.path,
            TextRange(one.start, one.end),
            TextRange(node.start, node.end),
        )
