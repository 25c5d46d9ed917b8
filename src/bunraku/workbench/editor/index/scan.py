"""From the text of a file to its record in the index."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.workbench.editor.index.outline import outline_of
from bunraku.workbench.editor.index.records import FileRecord, IndexedDefinition
from bunraku.workbench.editor.languages.readers import reader_of
from bunraku.workbench.editor.mentions import RENDERING, Kind, canonical, mentions_in
from bunraku.workbench.editor.parsed import ParsedFile
from bunraku.workbench.editor.places import TextRange

WORD = lazy_pattern(r"\w++(?:::\w++)*+")
NAME = lazy_pattern(r"(?:::)?\w[\w-]*(?:::\w[\w-]*)*")
RENDERS = lazy_pattern(r"\b(?:template|epp)\b")
GLOBAL = frozenset({"function", "resource_type", "data_type", "fact", "module", "provider"})
KINDS: dict[type[Node], Kind] = {
    nodes.ClassDefinition: "class",
    nodes.DefineDefinition: "resource_type",
    nodes.FunctionDefinition: "function",
    nodes.PlanDefinition: "plan",
    nodes.TypeAlias: "data_type",
}


def scan(
    source: Source,
    parse: Callable[[Source], ParsedFile],
    dialect: Dialect | None = None,
    *,
    with_words: bool = True,
) -> FileRecord:
    """Return the record of a file; ``parse`` parses code of Puppet.

    With its dialect, a manifest is parsed only if its tokens do not suffice.
    """
    words = indexed_words(source.text) if with_words else "\n"
    if dialect is not None and source.path.endswith(".pp"):
        outline = outline_of(dialect.tokenize(source), source.path)
        if outline is not None:
            return FileRecord(source.path, outline.definitions, words, outline.renders)
    if source.path.endswith((".pp", ".epp")):
        parsed = parse(source)
        may_render = any(one in source.text for one in RENDERING) and RENDERS.search(source.text)
        renders = rendered_templates(parsed) if may_render else ()
        return FileRecord(source.path, tuple(definitions_in(parsed.program)), words, renders)
    if source.path.endswith((".rb", ".json")):
        return FileRecord(source.path, tuple(mentioned_definitions(source)), words)
    return FileRecord(source.path, (), words)


def rendered_templates(parsed: ParsedFile) -> tuple[tuple[str, str], ...]:
    """Return the templates that code renders, each with the owner of the code."""
    found = parsed.remembered(mentions_in)
    return tuple((one.symbol.name, one.around) for one in found if one.symbol.kind == "template")


def mentioned_definitions(source: Source) -> Iterator[IndexedDefinition]:
    """Yield what a file defines that is not written in Puppet: functions, types, facts, modules."""
    reader = reader_of(source.path)
    for one in reader(source) if reader else ():
        symbol, piece = one.symbol, one.range
        if one.role == "definition" and symbol.kind in GLOBAL:
            written = source.text[piece.start : piece.end]
            yield IndexedDefinition(symbol.kind, symbol.name, written, source.path, piece, piece)


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
