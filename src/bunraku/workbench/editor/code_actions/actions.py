"""All that can be done about a piece of code."""

from __future__ import annotations

from collections.abc import Iterable

from bunraku.workbench.editor.code_actions import corrections, refactorings
from bunraku.workbench.editor.code_actions.action import CodeAction, EditedRange
from bunraku.workbench.editor.snapshot import Snapshot

ACTIONS = {
    "quickfix": (
        corrections.similar_names,
        corrections.missing_things,
        corrections.lint_corrections,
    ),
    "refactor.extract": (refactorings.extracted_variable, refactorings.extracted_class),
    "refactor.rewrite": (refactorings.documentation,),
    "source.fixAll": (corrections.all_corrections,),
}
"""The functions that find actions, by the kind that they have."""


def code_actions(
    snapshot: Snapshot, wanted: EditedRange, only: Iterable[str] = ()
) -> list[CodeAction]:
    """Return the actions for a piece of code; ``only`` are the kinds that are asked for, or their beginnings.

    An editor that asks by itself, after each keystroke, shows no actions for the whole file.
    """
    kinds = tuple(only)
    found: list[CodeAction] = []
    for kind, functions in ACTIONS.items():
        if kinds and not any(kind == one or kind.startswith(f"{one}.") for one in kinds):
            continue
        if wanted.is_automatic and not kinds and kind.startswith("source."):
            continue
        for function in functions:
            snapshot.guard.check()
            found += function(snapshot, wanted)
    return found
