"""Reading a file of facts: JSON or YAML, plain or as Puppet stores them."""

from __future__ import annotations

import json
from typing import Any

from bunraku.cli.options import UsageError, read_text
from bunraku.facts.external import parse_yaml


def read_facts(path: str) -> dict[str, Any]:
    """The facts in a file by name; ``{"name": …, "values": {…}}`` is understood too."""
    text = read_text(path)
    try:
        data = json.loads(text) if path.endswith(".json") else parse_yaml(text)
    except (ValueError, RecursionError) as error:
        problem = " ".join(str(error).split())
        raise UsageError(f"{path} holds no {kind(path)}: {problem}") from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise UsageError(f"{path} holds no hash of facts")
    values = data.get("values")
    if isinstance(values, dict) and "name" in data:
        data = values
    return {str(name): value for name, value in data.items()}


def kind(path: str) -> str:
    """What a facts file is expected to hold, for messages."""
    return "JSON" if path.endswith(".json") else "YAML"
