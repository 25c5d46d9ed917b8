"""Types that no environment can change, from the constants that compiled code has for them."""

from __future__ import annotations

from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.types.names import builtin_type
from bunraku.types.parameters.parameters import access_type


@remembered(4096)
def constant_type(key: tuple[Any, ...]) -> Any:
    """Return a type that no environment can change, made once.

    ``key`` has its name, then its parameters; types among these are tuples of the same form.

    >>> constant_type(("optional", ("string", 1)))
    OptionalType(type=StringType(low=1, high=None, value=None))
    """
    name, *parameters = key
    found = builtin_type(name)
    assert found is not None  # the compiler emits no other names
    if not parameters:
        return found
    keys = [constant_type(one) if one.__class__ is tuple else one for one in parameters]
    return access_type(found, keys)
