"""Names in a text that stand for files: templates, and files of modules."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.records import record
from bunraku.workbench.editor.module_files import FOLDERS, files_named
from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.snapshot import Snapshot


@record(frozen=True)
class FileLink:
    """A piece of a text, and the path of the file that it names."""

    range: TextRange
    target: str


def file_links(snapshot: Snapshot, path: str) -> Iterator[FileLink]:
    """Yield the links in a file; a name without a file is none."""
    for one in snapshot.mentions(path):
        if one.symbol.kind in FOLDERS and "*" not in one.symbol.name:
            for target in files_named(snapshot, one.symbol, path)[:1]:
                yield FileLink(one.range, target)
