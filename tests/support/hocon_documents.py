"""Changes of HOCON documents, and what the gem hocon makes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bunraku.formats.hocon import HoconError
from bunraku.formats.hocon_document import hocon_text, read_document

RECORDED = Path(__file__).parents[1] / "data/hocon_documents.json"
Change = tuple[str, bool, str, str, Any]
"""A text, whether it is JSON, the action, a path and a value."""


def recorded() -> list[tuple[Change, str | None]]:
    """Return changes with the new texts; None for those that the gem refuses."""
    rows: list[tuple[Change, str | None]] = json.loads(RECORDED.read_text("utf-8"))
    return rows


def changed(text: str, is_json: bool, action: str, path: str, value: Any) -> str | None:
    """Return the text that bunraku makes of a change, or what it says of a setting; None for a refusal."""
    try:
        document = read_document(text, json=is_json)
        match action:
            case "value":
                return document.with_value(path, hocon_text(value)).text
            case "text":
                return document.with_value(path, value).text
            case "remove":
                return document.without(path).text
        return str(document.has(path)).lower()
    except HoconError:
        return None
