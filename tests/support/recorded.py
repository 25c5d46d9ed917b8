"""Cases recorded from real Ruby and Puppet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"


def cases(name: str) -> list[Any]:
    """The rows of ``tests/data/NAME_cases.json``."""
    rows: list[Any] = json.loads((DATA / f"{name}_cases.json").read_text())
    return rows
