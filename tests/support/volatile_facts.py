"""Facts that change by themselves: what a node reports half an hour later."""

from __future__ import annotations

import re
from typing import Any

VOLATILE = re.compile(
    r"uptime|system_uptime|load_averages|loadavg|memory|memoryfree|swapfree|mountpoints|disk_usage|processes|df"
)
"""How names of facts begin that change by themselves, or have parts that do."""
USUAL = {
    "system_uptime": {"seconds": 1000, "uptime": "1 hour"},
    "uptime_seconds": 1000,
    "memory": {"system": {"available_bytes": 1000}},
    "load_averages": {"1m": 0.5},
}
"""Facts that each node has."""
CHANGING = re.compile(r"free|available|used|capacity|uptime|seconds|hours|days|[0-9]+m\Z|count")
"""Names of such parts."""


def changed(name: str, value: Any) -> Any:
    """Return a fact in which the parts that change by themselves have other numbers and texts."""
    if isinstance(value, dict):
        return {key: changed(key, one) for key, one in value.items()}
    if isinstance(value, list):
        return [changed(name, one) for one in value]
    if isinstance(value, bool) or not CHANGING.search(name):
        return value
    if isinstance(value, int | float):
        return value + 1
    return f"{value} and 1" if isinstance(value, str) else value


def with_volatile(facts: dict[str, Any]) -> dict[str, Any]:
    """Return facts as they are half an hour later."""
    return {
        name: changed(name, value) if VOLATILE.match(name) else value
        for name, value in facts.items()
    }
