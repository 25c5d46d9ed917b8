"""Warnings that are given once in a compile."""

from __future__ import annotations

from bunraku.runtime.state import Scope


def warn_once(scope: Scope, message: str) -> None:
    """Log a deprecation unless this compile has done so already."""
    compilation = scope.compilation
    said = compilation.cache.setdefault("deprecations", set())
    if message not in said:
        said.add(message)
        compilation.warn("deprecations", message)
