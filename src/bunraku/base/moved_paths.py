"""Findings with other paths: those of another state of a repository, or relative to the working directory."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import partial

from bunraku.base.errors import Diagnostic
from bunraku.base.records import replace
from bunraku.base.source import Place

Moved = Callable[[str], str]
"""A text → the text with other paths."""


def with_paths(finding: Diagnostic, moved: Moved, seen: set[int]) -> Diagnostic:
    """Return a finding with other paths; ``seen`` holds the sources that were renamed already."""

    def moved_place(place: Place) -> Place:
        return replace(place, file=place.file and moved(place.file))

    for span in (finding.span, finding.place.shown, *(span for _, span in finding.stack)):
        if span is not None and id(span.source) not in seen:
            seen.add(id(span.source))
            span.source.path = moved(span.source.path)
    return replace(
        finding,
        message=moved(finding.message),
        hint=finding.hint and moved(finding.hint),
        place=moved_place(finding.place),
        in_puppet=replace(
            finding.in_puppet,
            words=finding.in_puppet.words and moved(finding.in_puppet.words),
            place=finding.in_puppet.place and moved_place(finding.in_puppet.place),
            declared=finding.in_puppet.declared and moved_place(finding.in_puppet.declared),
        ),
        declarations=tuple(
            [replace(one, file=one.file and moved(one.file)) for one in finding.declarations]
        ),
    )


def relative_paths() -> Moved:
    """Return a function for texts with paths in the working directory, or in the repository around it."""
    patterns = [
        (re.compile(rf"(?<![\w./-]){re.escape(directory)}(/|(?![\w.-]))"), prefix)
        for directory, prefix in bases(os.getcwd())
    ]

    def moved(text: str) -> str:
        if "/" in text:
            for pattern, prefix in patterns:
                text = pattern.sub(partial(relative_text, prefix), text)
        return text

    return moved


def relative_text(prefix: str, found: re.Match[str]) -> str:
    """Return what stands for a directory in a text; a slash after it belongs to the prefix."""
    return prefix if found[1] else prefix or "."


def bases(directory: str) -> list[tuple[str, str]]:
    """Return a directory and those above it in its repository, with the prefixes of relative paths."""
    found, prefix = [(directory, "")], ""
    while directory != "/" and not os.path.lexists(f"{directory}/.git"):
        directory, prefix = os.path.dirname(directory), f"{prefix}../"
        found.append((directory, prefix))
    return found[:1] if directory == "/" else found


def portable(findings: Iterable[Diagnostic], moved: Moved | None = None) -> list[Diagnostic]:
    """Return findings with relative paths."""
    seen: set[int] = set()
    change = moved or relative_paths()
    return [with_paths(one, change, seen) for one in findings]


def with_portable_hints(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return findings with relative paths in their sentences; their places stay as they were named."""
    moved = relative_paths()
    return [
        replace(one, message=moved(one.message), hint=one.hint and moved(one.hint))
        for one in findings
    ]


def as_reported(
    findings: Iterable[Diagnostic], form: str, *, fail_on_warnings: bool
) -> list[Diagnostic]:
    """Return findings with relative paths; for other programs, an error is what fails the run."""
    if form == "text":
        return with_portable_hints(findings)
    found = portable(findings)
    if form == "json" or not fail_on_warnings:
        return found
    return [replace(one, severity="error") if one.severity == "warning" else one for one in found]
