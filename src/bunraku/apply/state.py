"""What a run remembers for the next one: when resources were checked, and the values that are audited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Value = Any


class State:
    """The state file as data: resource → name → value.

    ``checked`` and ``synced`` are times in seconds since the epoch; other names are audited
    properties.
    """

    def __init__(self, data: Mapping[str, Mapping[str, Value]] | None = None) -> None:
        self.data: dict[str, dict[str, Value]] = {
            reference: dict(values) for reference, values in (data or {}).items()
        }

    def of(self, reference: str) -> dict[str, Value]:
        """Return what is kept for a resource."""
        return self.data.setdefault(reference, {})
