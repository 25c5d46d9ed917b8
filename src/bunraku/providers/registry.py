"""The resource types that bunraku can apply."""

from __future__ import annotations

import os
from importlib import import_module

from bunraku.providers.base import ResourceType, Run

HERE = os.path.dirname(__file__)


def type_names() -> list[str]:
    """Return the names of all types that can be applied.

    >>> "exec" in type_names()
    True
    """
    return sorted(
        name for name in os.listdir(HERE) if os.path.isfile(os.path.join(HERE, name, "type.py"))
    )


def resource_type(name: str, run: Run) -> ResourceType | None:
    """Return the type of a name (lower case) for a run, None if bunraku cannot apply it."""
    key = (ResourceType, name)
    if key not in run.shared:
        if name not in type_names():
            return None
        made: type[ResourceType] = import_module(f"bunraku.providers.{name}.type").resource_type
        run.shared[key] = made(run)
    found: ResourceType = run.shared[key]
    return found
