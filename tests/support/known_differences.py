"""Known differences between bunraku and Puppet, with reasons: ``tests/known_differences.toml``.

The tests check both ways: listed cases must differ, and all others must agree.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).parents[1] / "known_differences.toml"


@cache
def sections() -> dict[str, Any]:
    """Return the whole file: section → its entries."""
    return tomllib.loads(PATH.read_text(encoding="utf-8"))


def known_differences(section: str) -> dict[str, str]:
    """Return the entries of a section: case → reason.

    Raise KeyError for a section that the file does not have.
    """
    entries: dict[str, str] = sections()[section]
    return entries


def replace_section(section: str, entries: Mapping[str, str]) -> None:
    """Rewrite the entries of a section; the text around it stays unchanged."""
    text = PATH.read_text(encoding="utf-8")
    head = re.search(rf"(?m)^\[{re.escape(section)}\]\n", text)
    if head is None:
        raise KeyError(section)
    following = re.compile(r"(?m)^(#|\[)").search(text, head.end())
    end = len(text) if following is None else following.start()
    lines = "".join(f"{quoted(name)} = {quoted(why)}\n" for name, why in entries.items())
    rest = text[end:]
    PATH.write_text(text[: head.end()] + lines + ("\n" if rest else "") + rest, encoding="utf-8")
    sections.cache_clear()


def quoted(text: str) -> str:
    """Return a basic string of TOML: JSON's escapes are among its own."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
