"""Warnings that are given once in a compile."""

from __future__ import annotations

from bunraku.runtime.state import Compilation, Scope


def deprecations(_compilation: Compilation) -> set[str]:
    """Return a set for the deprecations that a compile has logged."""
    return set()


def warn_once(scope: Scope, message: str) -> None:
    """Log a deprecation unless this compile has done so already."""
    compilation = scope.compilation
    said = compilation.extension(deprecations)
    if message not in said:
        said.add(message)
        compilation.messages.warn("deprecations", message)
