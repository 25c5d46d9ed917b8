"""Types that code names: ``Integer``, ``My::Type``, ``File['/a']``."""

from __future__ import annotations

from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.errors import PuppetError
from bunraku.runtime import element_access, issues
from bunraku.runtime.python_frames import Extent, run_at
from bunraku.runtime.state import Scope
from bunraku.runtime.suggest import type_hint
from bunraku.types.model import Type, TypeReferenceType
from bunraku.types.names import builtin_type
from bunraku.types.parameters.constants import constant_type
from bunraku.types.parameters.parameters import access_type
from bunraku.values.regexp.regexp import Regexp


def reference(scope: Scope, name: str) -> Type:
    """``Integer``, ``My::Type``, ``::My::Type``: a type by its name."""
    name = name.removeprefix("::")
    found = builtin_type(name) or scope.compilation.types.load_type(name)
    if found is None or isinstance(found, TypeReferenceType):
        text = name if found is None else found.text  # ``TypeReference`` itself stands for no type
        error = issues.UNKNOWN_RESOURCE_TYPE(name=text)
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


def type_table(scope: Scope, key: tuple[Any, ...]) -> Any:
    """Return the right side of an alias (``tabled_type`` of ``compiler/tables.py``)."""
    name, *parameters = key
    if name[0].isupper():
        return reference_in_alias(scope, name)
    found = builtin_type(name)
    assert found is not None  # the compiler emits no other names
    if not parameters:
        return found
    keys: list[Any] = parameters
    if name == "struct":
        keys = [{struct_key(*item): type_table(scope, type_) for *item, type_ in parameters}]
    elif name == "pattern":
        keys = [pattern_at(scope, *item) for item in parameters]
    else:
        keys = [type_table(scope, one) if one.__class__ is tuple else one for one in parameters]
    return access_type(found, keys)


def struct_key(name: str, around: str | None) -> Any:
    """Return the key of a Struct: its name, or ``Optional[name]``."""
    return name if around is None else constant_type((around, name))


def pattern_at(scope: Scope, pattern: str, place: Extent | None) -> Regexp:
    """Return a pattern; one that is written as a text has a place, for it may be in error."""
    found: Regexp = kept_regexp(pattern)
    if place is not None:
        try:
            found.compile()
        except PuppetError:
            run_at(place, lambda _scope: found.compile(), scope)
    return found


@remembered(4096)
def kept_regexp(pattern: str) -> Regexp:
    """Return a ``/pattern/``, made once, because its code may run many times."""
    return Regexp(pattern)
