"""The resource types that bunraku can apply."""

from __future__ import annotations

from bunraku.providers.index import TYPES, provider_class, type_class
from bunraku.providers.resource_api import has_ruby_type, module_type, module_type_names
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
        made = type_class(name) if name in TYPES else type_of_modules(name, run)
        run.shared[key] = None if made is None else made(run)
    found: ResourceType | None = run.shared[key]
    return found


def type_of_modules(name: str, run: Run) -> type[ResourceType] | None:
    """Return the type that a module of the run has, in Python or in Ruby of a known form."""
    found = module_type(name, run)
    if found is not None or not has_ruby_type(name, run):
        return found
    from bunraku.providers.ini_children.types import child_type

    return child_type(name, run)


BUILTIN_TYPES = Types(resource_type, provider_class)
"""What a run needs of this file, which it cannot import."""
