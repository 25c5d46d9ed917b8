"""Corrections of findings: those of the lint, names that are similar, and what is missing."""

from __future__ import annotations

import os
from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.suggestions import closest
from bunraku.base.text_edits import Edit
from bunraku.workbench.editor.code_actions.action import CodeAction, EditedRange
from bunraku.workbench.editor.formatting import line_edits
from bunraku.workbench.editor.rename import definition_file
from bunraku.workbench.editor.snapshot import Snapshot
from bunraku.workbench.lint.fixes import is_safe, tree_of, units
from bunraku.workbench.lint.manifest import Manifest
from bunraku.workbench.lint.registry import checks
from bunraku.workbench.lint.run import lint_once, lint_source

MEANT = lazy_pattern(r"did you mean '([^']+)'")
CLASS = lazy_pattern(r"class '?((?:::)?[a-z]\w*(?:::\w+)*)")
FILE = lazy_pattern(r"'([a-z]\w*)/([^']+)' in the (\w+) of")
PARAMETER = lazy_pattern(r"Class\[([\w:]+)\] needs a value for parameter '(\w+)'")
WORD = lazy_pattern(r"(?:::)?\w+(?:::\w+)*")
COMMON_DATA = ("data/common.yaml", "hieradata/common.yaml")


def lint_corrections(snapshot: Snapshot, wanted: EditedRange) -> Iterator[CodeAction]:
    """Yield the corrections of the lint in a piece of a manifest.

    An editor that asks by itself knows the findings, so without one of the lint there is nothing to correct.
    """
    source, known = snapshot.source(wanted.path), checks()
    if source is None or not wanted.path.endswith(".pp"):
        return
    if wanted.is_automatic and not any(code in known for _, code, _ in wanted.findings):
        return
    settings = snapshot.project_of(wanted.path).lint
    outcome = lint_once(source, settings.chosen(), settings, fix=False)
    manifest = Manifest(source, source.path)
    before = tree_of(source)
    for some in units(outcome.findings):
        edits = tuple(edit for one in some for edit in one.problem.edits)
        touched = any(
            one.problem.start <= wanted.range.end
            and max(one.problem.end, one.problem.start) >= wanted.range.start
            for one in some
        )
        rules = known[some[0].check]
        if not touched or not edits or not rules.fixes or some[0].reason is not None:
            continue
        if is_safe(manifest, before, edits, rules):
            number = finding_at(wanted, some[0].check, some[0].problem.start)
            yield CodeAction(
                f"Correct: {some[0].problem.message}",
                "quickfix",
                {wanted.path: list(edits)},
                finding=number,
            )


def all_corrections(snapshot: Snapshot, wanted: EditedRange) -> Iterator[CodeAction]:
    """Yield all corrections of the lint in a manifest together."""
    source = snapshot.source(wanted.path)
    if source is None or not wanted.path.endswith(".pp"):
        return
    settings = snapshot.project_of(wanted.path).lint
    fixed = lint_source(source, settings.chosen(), settings, fix=True).fixed
    if fixed is not None and fixed != source.text:
        edits = list(line_edits(source.text, fixed))
        yield CodeAction(
            "Correct all findings of the lint in this file", "source.fixAll", {wanted.path: edits}
        )


def finding_at(wanted: EditedRange, code: str, start: int) -> int | None:
    """Return the number of the finding with a code at a place."""
    for number, (place, known, _) in enumerate(wanted.findings):
        if known == code and place.start <= start <= place.end:
            return number
    return None


def similar_names(snapshot: Snapshot, wanted: EditedRange) -> Iterator[CodeAction]:
    """Yield the replacements of names by those that the hints of findings name."""
    source = snapshot.source(wanted.path)
    for number, (place, _, message) in enumerate(wanted.findings):
        match = MEANT.search(message)
        if match is None or source is None:
            continue
        words = {one[0]: one.start() for one in WORD.finditer(source.text, place.start, place.end)}
        for word in closest(match[1], words):
            edit = Edit(words[word], words[word] + len(word), match[1])
            yield CodeAction(
                f"Change '{word}' to '{match[1]}'",
                "quickfix",
                {wanted.path: [edit]},
                finding=number,
            )


def missing_things(snapshot: Snapshot, wanted: EditedRange) -> Iterator[CodeAction]:
    """Yield the classes, templates, files and keys of data that findings miss, to be created."""
    for number, (_, code, message) in enumerate(wanted.findings):
        match code:
            case "UNKNOWN_CLASS":
                found = new_class(snapshot, wanted.path, message)
            case "FILE_NOT_FOUND":
                found = new_file(snapshot, wanted.path, message)
            case "MISSING_PARAMETER":
                found = new_key(snapshot, wanted.path, message)
            case _:
                found = None
        if found is not None:
            found.finding = number
            yield found


def new_class(snapshot: Snapshot, path: str, message: str) -> CodeAction | None:
    """Return the creation of a class that a message names, if its module is there."""
    match = CLASS.search(message)
    name = "" if match is None else match[1].removeprefix("::")
    root = snapshot.project_of(path).modules.get(name.partition("::")[0])
    if root is None:
        return None
    target = f"{root}{definition_file(name, 'manifests')}"
    if os.path.exists(target):
        return None
    text = f"# @summary What the class manages\nclass {name} {{\n}}\n"
    return CodeAction(f"Create the class {name}", "quickfix", created={target: text})


def new_file(snapshot: Snapshot, path: str, message: str) -> CodeAction | None:
    """Return the creation of a template or a file of a module."""
    match = FILE.search(message)
    root = None if match is None else snapshot.project_of(path).modules.get(match[1])
    if match is None or root is None:
        return None
    target = os.path.normpath(f"{root}/{match[3]}/{match[2]}")
    if os.path.exists(target) or not target.startswith(f"{root}/"):
        return None
    return CodeAction(f"Create {match[3]}/{match[2]}", "quickfix", created={target: ""})


def new_key(snapshot: Snapshot, path: str, message: str) -> CodeAction | None:
    """Return the addition of a key to the common data of the project."""
    match = PARAMETER.search(message)
    root = snapshot.project_of(path).root
    for name in COMMON_DATA if match is not None else ():
        source = snapshot.source(f"{root}/{name}")
        if source is not None and match is not None:
            end = len(source.text)
            line = "" if not source.text or source.text.endswith("\n") else "\n"
            edit = Edit(end, end, f"{line}{match[1].lower()}::{match[2]}: ~\n")
            return CodeAction(f"Add the key to {name}", "quickfix", {source.path: [edit]})
    return None
