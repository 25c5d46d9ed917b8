"""The edits that lay a document out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from bunraku.base.text_edits import Edit
from bunraku.workbench.editor.parsed import PUPPET_CODE
from bunraku.workbench.editor.snapshot import Snapshot
from bunraku.workbench.format.format import format_source


def layout_edits(snapshot: Snapshot, path: str, lines: Sequence[range] | None = None) -> list[Edit]:
    """Return the edits that ``bunraku fmt`` makes in a manifest or template; with ``lines``, around these.

    A text with syntax errors gets none.
    """
    source = snapshot.source(path)
    if source is None or not path.endswith(PUPPET_CODE):
        return []
    result = format_source(source, snapshot.project_of(path).parts.style_of(source), lines)
    return list(line_edits(source.text, result.text)) if result.is_changed else []


def line_edits(before: str, after: str) -> Iterator[Edit]:
    """Yield the edits of whole lines that make one text of another.

    >>> list(line_edits("a\\nb\\nc\\n", "a\\nB\\nc\\n"))
    [Edit(start=2, end=4, text='B\\n')]
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    for tag, first, last, new_first, new_last in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            yield Edit(starts[first], starts[last], "".join(new[new_first:new_last]))
