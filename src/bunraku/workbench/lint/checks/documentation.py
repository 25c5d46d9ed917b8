"""Checks of the comments above definitions."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.workbench.lint.declaration import Problem, check
from bunraku.workbench.lint.manifest import COMMENT, Manifest


@check("A comment is directly above each class and defined type.")
def documentation(manifest: Manifest) -> Iterator[Problem]:
    """Report classes and defined types without a comment above them."""
    for definition in manifest.definitions:
        first = definition.first
        if manifest.kind(first - 1) == COMMENT and manifest.gap(first).count("\n") <= 1:
            continue
        start, end = manifest.starts[first], manifest.ends[first]
        yield Problem(start, end, f"{definition.kind} not documented")
