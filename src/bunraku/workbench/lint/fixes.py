"""Correct what the checks report, as far as the code stays the same code."""

from __future__ import annotations

from collections.abc import Iterable

from bunraku.base.source import Source
from bunraku.base.text_edits import Edit, edited
from bunraku.syntax.pn import to_pn
from bunraku.workbench.lint.declaration import Check
from bunraku.workbench.lint.findings import Finding, Outcome
from bunraku.workbench.lint.manifest import Manifest
from bunraku.workbench.lint.registry import checks
from bunraku.world.whole_files import edit_whole


def write_fixed(outcomes: Iterable[Outcome]) -> None:
    """Write the corrected files: all of them, or none; raise OSError if one cannot be written."""
    edit_whole(
        {
            one.source.path: one.fixed.encode("utf-8", "surrogateescape")
            for one in outcomes
            if one.fixed is not None and one.source.on_disk
        }
    )


def correct(manifest: Manifest, outcome: Outcome) -> None:
    """Apply the edits of the findings, check by check, as far as the code stays the same code."""
    text = manifest.text
    known = checks()
    taken: list[Edit] = []
    may_change = False
    before = tree_of(Source(text, manifest.path))
    for findings in units(outcome.findings):
        edits = tuple(edit for one in findings for edit in one.problem.edits)
        rules = known[findings[0].check]
        if not edits or not rules.fixes or any(one.reason is not None for one in findings):
            continue
        if any(overlap(edit, other) for edit in edits for other in taken):
            continue
        if any(are_beside(edit, other) for edit in edits for other in taken):
            both = (*taken, *edits)
            if may_change or rules.changes_tree or not is_safe(manifest, before, both, rules):
                continue
        if is_safe(manifest, before, edits, rules):
            may_change = may_change or rules.changes_tree
            taken += edits
            outcome.corrected += findings
    if not taken:
        return
    outcome.fixed = edited(text, taken)
    after = tree_of(Source(outcome.fixed, manifest.path))
    if before is not None and (after is None or (after != before and not may_change)):
        outcome.fixed, outcome.corrected = None, []


def units(findings: Iterable[Finding]) -> Iterable[list[Finding]]:
    """Return the findings that are corrected together or not at all; most are alone."""
    found: dict[object, list[Finding]] = {}
    for number, one in enumerate(findings):
        group = one.problem.group
        found.setdefault((one.check, group) if group else number, []).append(one)
    return found.values()


def is_safe(manifest: Manifest, before: str | None, edits: tuple[Edit, ...], check: Check) -> bool:
    """Return whether a manifest parses with some edits; to the same tree, unless the check says so."""
    after = tree_of(Source(edited(manifest.text, edits), manifest.path))
    if before is None:
        return check.changes_tree or after is not None
    return after is not None and (check.changes_tree or after == before)


def tree_of(source: Source) -> str | None:
    """Return the syntax tree as text, without places; None for code with errors."""
    result = Manifest(source, source.path).result
    if any(one.severity == "error" for one in result.diagnostics):
        return None
    return to_pn(result.program)


def overlap(edit: Edit, other: Edit) -> bool:
    """Return whether two edits overlap, or one inserts text beside the other."""
    if edit.start == edit.end or other.start == other.end:
        return are_beside(edit, other)
    return edit.start < other.end and other.start < edit.end


def are_beside(edit: Edit, other: Edit) -> bool:
    """Return whether two edits overlap or are side by side: checks of lint also look at neighbours."""
    return edit.start <= other.end and other.start <= edit.end
