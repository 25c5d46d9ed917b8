"""What an editor offers to do about a piece of code."""

from __future__ import annotations

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import field, record
from bunraku.base.text_edits import Edit
from bunraku.workbench.editor.places import TextRange

ActionKind = Literal["quickfix", "refactor.extract", "refactor.rewrite", "source.fixAll"]


@record(frozen=True)
class EditedRange:
    """A piece of a document that is selected, and the messages of the findings in it.

    ``is_automatic``: the editor asks without a command of the user, to mark that actions exist.
    """

    path: str
    range: TextRange
    findings: tuple[tuple[TextRange, str, str], ...] = ()
    """The place, the code and the message of each finding."""
    is_automatic: bool = False


@record()
class CodeAction:
    """A change with its title: edits by path, and new files with their texts.

    ``finding`` is the number of the finding that it corrects.
    """

    title: str
    kind: ActionKind
    edits: dict[str, list[Edit]] = field(default_factory=dict)
    created: dict[str, str] = field(default_factory=dict)
    finding: int | None = None
