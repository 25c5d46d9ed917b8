"""Whole catalogs: ``tests/catalogs/NAME`` as a request, and the compared form of an answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "catalogs"
SETTINGS = {"strict": "error", "strict_variables": True}
PARTS = ("classes", "resources", "virtual", "edges", "relationships", "notices")


def names() -> list[str]:
    """The cases."""
    return sorted(path.parent.name for path in FOLDER.glob("*/site.pp"))


def request(name: str) -> dict[str, Any]:
    """The batch request of a case."""
    folder = FOLDER / name
    asked: dict[str, Any] = {
        "id": name,
        "code": (folder / "site.pp").read_text(encoding="utf-8"),
        "as_file": True,
        "settings": dict(SETTINGS),
        "modulepath": [str(folder / "modules")] if (folder / "modules").exists() else [],
    }
    if (folder / "hiera.yaml").exists():
        asked["settings"]["hiera_config"] = str(folder / "hiera.yaml")
    if (folder / "facts.json").exists():
        asked["facts"] = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    return asked


def compared(name: str, answer: Any) -> dict[str, Any]:
    """The compared parts of an answer; paths of files are relative to the case's folder."""
    assert answer["status"] == "ok", answer["error"]
    text = json.dumps({part: answer[part] for part in PARTS}, ensure_ascii=False)
    found: dict[str, Any] = json.loads(text.replace(f"{FOLDER / name}/", ""))
    return found
