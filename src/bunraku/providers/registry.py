"""The resource types that bunraku can apply."""

from __future__ import annotations

from bunraku.providers.index import TYPES, provider_class, type_class
from bunraku.providers.resource_api import module_type, module_type_names
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.run import Run, Types


def type_names() -> list[str]:
    """Return the names of all types that can be applied.

    >>> "exec" in type_names()
    True
    """
    return list(TYPES)


def all_type_names(run: Run) -> list[str]:
    """Return the names of the types that a run can apply, those of its modules included."""
    return sorted({*type_names(), *module_type_names(run)})


def resource_type(name: str, run: Run) -> ResourceType | None:
    """Return the type with a name (lower case) for a run; None if bunraku cannot apply it."""
    key = (ResourceType, name)
    if key not in run.shared:
        made = type_class(name) if name in TYPES else module_type(name, run)
        if made is None:
            return None
        run.shared[key] = made(run)
    found: ResourceType = run.shared[key]
    return found


BUILTIN_TYPES = Types(resource_type, provider_class)
"""What a run needs of this file, which it cannot import."""
