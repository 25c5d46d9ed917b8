"""Types that code names: ``Integer``, ``My::Type``, ``File['/a']``."""

from __future__ import annotations

from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.runtime import element_access, issues
from bunraku.runtime.state import Scope
from bunraku.runtime.suggest import type_hint
from bunraku.types.model import Type, TypeReferenceType
from bunraku.types.names import builtin_type


def reference(scope: Scope, name: str) -> Type:
    """``Integer``, ``My::Type``, ``::My::Type``: a type by its name."""
    name = name.removeprefix("::")
    found = builtin_type(name) or scope.compilation.types.load_type(name)
    if found is None:
        error = issues.UNKNOWN_RESOURCE_TYPE(name=name)
        raise error.hinted(type_hint(scope.compilation, name))
    return found


def reference_to(scope: Scope, key: tuple[str, ...]) -> Any:
    """Return ``My::Type`` or ``File['/a']``, made once a compile; ``key`` is its name and its titles."""
    found = scope.statics.get(key)
    if found is None:
        name, *titles = key
        try:
            found = reference(scope, name)
        except PuppetError as error:
            raise error.in_part("type") from None
        if titles:
            found = element_access.parameterize(scope, found, *titles)
        scope.statics[key] = found
    return found


def reference_in_alias(scope: Scope, name: str) -> Type:
    """Return a type by its name within a type alias, where an unknown name is not an error yet."""
    name = name.removeprefix("::")
    return builtin_type(name) or scope.compilation.types.load_type(name) or TypeReferenceType(name)
