"""Actions that a compile performs only once: most warnings."""

from __future__ import annotations

from bunraku.runtime.state import Compilation


def known_keys(_compilation: Compilation) -> set[tuple[str, ...]]:
    """Return a set for the keys of the actions that a compile does only once."""
    return set()


def is_first(compilation: Compilation, *key: str) -> bool:
    """Return whether a key occurs for the first time in a compile."""
    known = compilation.extension(known_keys)
    if key in known:
        return False
    known.add(key)
    return True


def warn_once(compilation: Compilation, code: str, message: str) -> None:
    """Log a warning about the code that runs, unless the compile has logged it before."""
    if is_first(compilation, code, message):
        compilation.messages.warn(code, message)
