"""The resource types that bunraku can apply."""

from __future__ import annotations

import os
from importlib import import_module

from bunraku.providers.resource_api import module_type, module_type_names
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.run import Run

HERE = os.path.dirname(__file__)


def type_names() -> list[str]:
    """Return the names of all types that can be applied.

    >>> "exec" in type_names()
    True
    """
    return sorted(
        name for name in os.listdir(HERE) if os.path.isfile(os.path.join(HERE, name, "type.py"))
    )


def all_type_names(run: Run) -> list[str]:
    """Return the names of the types that a run can apply, those of its modules included."""
    return sorted({*type_names(), *module_type_names(run)})


def resource_type(name: str, run: Run) -> ResourceType | None:
    """Return the type with a name (lower case) for a run; None if bunraku cannot apply it."""
    key = (ResourceType, name)
    if key not in run.shared:
        made: type[ResourceType] | None
        if name in type_names():
            made = import_module(f"bunraku.providers.{name}.type").resource_type
        else:
            made = module_type(name, run)
        if made is None:
            return None
        run.shared[key] = made(run)
    found: ResourceType = run.shared[key]
    return found
