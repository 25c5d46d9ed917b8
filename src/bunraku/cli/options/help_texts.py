"""The end of the help of a command, from ``help_texts.toml``; imported only when help is printed."""

from __future__ import annotations

import tomllib
from pathlib import Path

TEXTS = Path(__file__).with_suffix(".toml")


def epilog(name: str, general: str) -> str:
    """Return examples and exit codes; ``general`` are the exit codes of most commands."""
    texts = tomllib.loads(TEXTS.read_text("utf-8")).get(name, {})
    codes = f"exit codes:\n{texts['exit_codes']}" if "exit_codes" in texts else general
    return f"examples:\n{texts['examples']}\n{codes}" if "examples" in texts else codes
