"""The end of the help of a command, from ``help_texts.toml``; imported only when help is printed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

HELP_TEXTS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)
"""Command → its examples, and its exit codes where they differ from those of the others."""


def epilog(name: str, general: str) -> str:
    """Return the end of a command's help; ``general`` are the exit codes of most commands."""
    texts = HELP_TEXTS.get(name, {})
    codes = f"exit codes:\n{texts['exit_codes']}" if "exit_codes" in texts else general
    return f"examples:\n{texts['examples']}\n{codes}" if "examples" in texts else codes
