"""Write the index of a repository for code hosts: ``bunraku lsp --index FILE``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from bunraku.jobs.editor import Projects
from bunraku.lsp.positions import lines_of
from bunraku.lsp.uris import path_uri
from bunraku.workbench.editor.host import EditorHost
from bunraku.workbench.editor.lsif import LsifWriter
from bunraku.workbench.editor.places import TextRange


def index_lines(root: str, note: Callable[[str], None]) -> Iterator[str]:
    """Yield the lines of the index of a directory; ``note`` gets what is wrong with its configuration."""
    host = EditorHost(Projects(note))
    host.set_folders([root])
    snapshot = host.snapshot()

    def position(path: str, piece: TextRange) -> dict[str, object]:
        source = snapshot.source(path)
        text = "" if source is None else source.text
        return {**lines_of(text).range(piece.start, piece.end, "utf-16")}

    for one in LsifWriter(snapshot, root, position, path_uri).elements():
        text = json.dumps(one, ensure_ascii=False, separators=(",", ":"))
        yield text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") + "\n"
