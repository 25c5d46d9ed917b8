"""The syntax trees of the package, for the tests that hold rules of the source tree."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "bunraku"


@cache
def source_trees() -> dict[Path, ast.Module]:
    """Path → syntax tree of each module; parsed once for all tests of a process."""
    return {
        path: ast.parse(path.read_text(encoding="utf-8"), str(path))
        for path in sorted(PACKAGE.rglob("*.py"))
    }
