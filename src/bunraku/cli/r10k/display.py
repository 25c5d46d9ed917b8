"""The sources of a deployment as ``r10k deploy display`` prints them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.formats.yaml import Symbol
from bunraku.formats.yaml_writer import ruby_yaml_text

Data = Mapping[str, Any]


def json_form(sources: Sequence[Data]) -> str:
    """Return the sources as JSON; symbols are strings."""
    return json.dumps({"sources": list(sources)}, indent=2, ensure_ascii=False) + "\n"


def yaml_form(sources: Sequence[Data]) -> str:
    """Return the sources as YAML of Ruby, whose keys are symbols."""
    lines = ["---", ":sources:" if sources else ":sources: []"]
    for source in sources:
        lines += hash_lines(source, "")
    return "\n".join(lines) + "\n"


def hash_lines(data: Data, indent: str) -> Iterator[str]:
    """Yield the lines of a hash in a list."""
    start = "- "
    for key, value in data.items():
        if isinstance(value, list) and value:
            yield f"{indent}{start}:{key}:"
            yield from list_lines(value, f"{indent}  ")
        else:
            yield f"{indent}{start}:{key}:{scalar(value)}"
        start = "  "


def list_lines(values: Sequence[Any], indent: str) -> Iterator[str]:
    """Yield the lines of a list."""
    for value in values:
        if isinstance(value, Mapping):
            yield from hash_lines(value, indent)
        else:
            yield f"{indent}-{scalar(value)}"


def scalar(value: Any) -> str:
    """Return a value behind its key, with a space before it; nil is empty."""
    if value is None:
        return ""
    if isinstance(value, Symbol):
        return f" :{value}"
    return f" {ruby_yaml_text(value).removeprefix('---').strip()}"
