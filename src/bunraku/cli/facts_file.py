"""Reading a file of facts: JSON or YAML, plain or as Puppet stores them."""

from __future__ import annotations

import json
from typing import Any

from bunraku.cli.excerpt import excerpt
from bunraku.cli.exits import UsageError
from bunraku.cli.options import read_text
from bunraku.facts.external import parse_yaml
from bunraku.source import Source


def read_facts(path: str) -> dict[str, Any]:
    """The facts in a file by name; ``{"name": …, "values": {…}}`` is understood too."""
    text = read_text(path)
    try:
        data = json.loads(text) if path.endswith(".json") else parse_yaml(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(broken(path, text, error)) from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        got = "an Array" if isinstance(data, list) else f"the single value {data!r}"
        raise UsageError(f"{path}: expected a hash of facts, got {got}")
    values = data.get("values")
    if isinstance(values, dict) and "name" in data:
        data = values
    return {str(name): value for name, value in data.items()}


def broken(path: str, text: str, error: Exception) -> str:
    """Return the message for a text that cannot be parsed: the place, the problem and the line."""
    line, column, problem = details(error)
    place = f"{path}:{line}:{column}" if line else path
    message = f"{place}: not valid {kind(path)}: {problem}"
    found = excerpt(Source(text, path).line_span(line, column)) if line else None
    if found is None:
        return message
    number, shown, carets = found
    return f"{message}\n  {number} | {shown}\n  {' ' * len(str(number))} | {carets}"


def details(error: Exception) -> tuple[int | None, int | None, str]:
    """Return line and column (from 1) and the problem of an error of a JSON or YAML parser."""
    if isinstance(error, json.JSONDecodeError):
        return error.lineno, error.colno, error.msg
    cause = error.__cause__
    mark = getattr(cause, "problem_mark", None) or getattr(cause, "context_mark", None)
    if mark is None:
        if isinstance(error, RecursionError):
            return None, None, "nested too deeply"
        return None, None, " ".join(str(error).split())
    parts = (getattr(cause, "problem", None), getattr(cause, "context", None))
    return mark.line + 1, mark.column + 1, " ".join(filter(None, parts))


def kind(path: str) -> str:
    """Return the format that a facts file is expected to have, for messages."""
    return "JSON" if path.endswith(".json") else "YAML"
