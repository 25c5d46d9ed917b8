"""An index of a repository in the Language Server Index Format, for code hosts and browsers of repositories.

See https://microsoft.github.io/language-server-protocol/specifications/lsif/0.6.0/specification/: a graph as JSON
lines. Documents have ranges; all ranges of one symbol share a result set, which has the definitions, the references
and the hover.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bunraku.base.lazy_typing import Any
from bunraku.base.records import field, record
from bunraku.workbench.editor.hover import described
from bunraku.workbench.editor.mentions import Mention, PuppetSymbol
from bunraku.workbench.editor.places import FilePlace, TextRange
from bunraku.workbench.editor.snapshot import Snapshot

Element = dict[str, Any]
VERSION = "0.6.0"
Position = Callable[[str, TextRange], Element]
"""Returns a piece of a file in lines and columns."""
Uri = Callable[[str], str]


@record(eq=False)
class SymbolUses:
    """The places of a symbol: by file, the numbers of the ranges."""

    symbol: PuppetSymbol
    path: str
    definitions: dict[str, list[int]] = field(default_factory=dict)
    uses: dict[str, list[int]] = field(default_factory=dict)


class LsifWriter:
    """Yields the graph of the files of a workspace below a root."""

    def __init__(self, snapshot: Snapshot, root: str, position: Position, uri: Uri) -> None:
        self.snapshot = snapshot
        self.root = root
        self.position = position
        self.uri = uri
        self.number = 0
        self.symbols: dict[PuppetSymbol, SymbolUses] = {}
        self.documents: dict[str, int] = {}
        self.ranges: dict[FilePlace, int] = {}

    def elements(self) -> Iterator[Element]:
        """Yield the vertices and edges, each after those that it names."""
        yield self.vertex(
            "metaData",
            version=VERSION,
            positionEncoding="utf-16",
            projectRoot=self.uri(self.root),
            toolInfo={"name": "bunraku"},
        )
        project = self.vertex("project", kind="puppet")
        yield project
        for path in sorted(one.path for one in self.snapshot.index.records()):
            if path.startswith(f"{self.root}/"):
                yield from self.document(path)
        for one in self.symbols.values():
            yield from self.results(one)
        if self.documents:
            yield self.edge("contains", project["id"], inVs=list(self.documents.values()))

    def vertex(self, label: str, **values: Any) -> Element:
        """Return a vertex with the next number."""
        self.number += 1
        return {"id": self.number, "type": "vertex", "label": label, **values}

    def edge(self, label: str, source: int, **values: Any) -> Element:
        """Return an edge with the next number."""
        self.number += 1
        return {"id": self.number, "type": "edge", "label": label, "outV": source, **values}

    def document(self, path: str) -> Iterator[Element]:
        """Yield a document with the ranges of the names in it."""
        mentions = self.snapshot.mentions(path)
        if not mentions:
            return
        language = "puppet" if path.endswith((".pp", ".epp")) else path.rpartition(".")[2]
        made = self.vertex("document", uri=self.uri(path), languageId=language)
        self.documents[path] = made["id"]
        yield made
        ranges: list[int] = []
        for one in mentions:
            place = FilePlace(path, one.range)
            if place not in self.ranges:
                vertex = self.vertex("range", **self.position(path, one.range))
                self.ranges[place] = vertex["id"]
                ranges.append(vertex["id"])
                yield vertex
                self.note(one, path, vertex["id"])
        yield self.edge("contains", made["id"], inVs=ranges)

    def note(self, mention: Mention, path: str, number: int) -> None:
        """Note a range of a symbol."""
        symbol = self.snapshot.symbol(mention)
        uses = self.symbols.setdefault(symbol, SymbolUses(symbol, path))
        kind = uses.uses if mention.role == "use" else uses.definitions
        kind.setdefault(path, []).append(number)

    def results(self, one: SymbolUses) -> Iterator[Element]:
        """Yield the result set of a symbol with what editors ask for."""
        made = self.vertex("resultSet")
        yield made
        for some in (one.definitions, one.uses):
            for numbers in some.values():
                for number in numbers:
                    yield self.edge("next", number, inV=made["id"])
        if one.definitions:
            yield from self.items(made["id"], "definition", {"": one.definitions})
        groups = {"definitions": one.definitions, "references": one.uses}
        yield from self.items(made["id"], "references", groups)
        text = described(self.snapshot, one.symbol, one.path)
        if text is not None:
            contents = {"kind": "markdown", "value": text}
            hover = self.vertex("hoverResult", result={"contents": contents})
            yield hover
            yield self.edge("textDocument/hover", made["id"], inV=hover["id"])

    def items(
        self, result_set: int, method: str, groups: dict[str, dict[str, list[int]]]
    ) -> Iterator[Element]:
        """Yield a result with its ranges by document."""
        label = "definitionResult" if method == "definition" else "referenceResult"
        made = self.vertex(label)
        yield made
        yield self.edge(f"textDocument/{method}", result_set, inV=made["id"])
        for name, by_path in groups.items():
            for path, numbers in by_path.items():
                extra = {"property": name} if name else {}
                shard = self.documents[path]
                yield self.edge("item", made["id"], inVs=numbers, document=shard, **extra)
