"""The modules that hold the catalogue of issues."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import bunraku
from bunraku.base.errors import Issue

SRC = Path(bunraku.__file__).parent


def issue_modules() -> list[ModuleType]:
    """Every module of the package that defines issues, in the order of their names."""
    found = []
    for path in sorted(SRC.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if path.name != "errors.py" and " = Issue" in text:
            name = ".".join(("bunraku", *path.relative_to(SRC).with_suffix("").parts))
            found.append(import_module(name))
    return found


@cache
def issues() -> dict[str, list[tuple[str, Issue]]]:
    """Code → the issues with that code, each with the file (below ``src/bunraku``) that has its text."""
    found: dict[str, list[tuple[str, Issue]]] = {}
    for module in issue_modules():
        file = Path(module.__file__ or "").relative_to(SRC).as_posix()
        for value in vars(module).values():
            if isinstance(value, Issue) and value not in [
                one for _, one in found.get(value.code, [])
            ]:
                found.setdefault(value.code, []).append((file, value))
    return dict(sorted(found.items()))
