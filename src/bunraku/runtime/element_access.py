"""``left[keys]``: elements, slices, pieces of text, types with parameters, resource parameters."""

from __future__ import annotations

from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.runtime import issues
from bunraku.runtime.markers import MISSING, UNSET
from bunraku.runtime.missing_elements import NO_FACTS
from bunraku.runtime.operators import kind_name, number
from bunraku.runtime.references import quoted_reference, reference_text
from bunraku.runtime.state import Scope, current_scope
from bunraku.runtime.suggest import attribute_hint, has_facts, reference_hint
from bunraku.types.model import ClassType, ObjectType, ResourceType, Type
from bunraku.types.parameters.objects import check_parent
from bunraku.types.parameters.parameters import access_type, flat
from bunraku.values.binary import Binary
from bunraku.values.keys import PLAIN, as_key
from bunraku.values.numbers import parse_number

Value = Any


def access(left: Value, key: Value) -> Value:
    """Evaluate ``left[key]``."""
    kind = left.__class__
    if kind is dict:
        return left.get(key if key.__class__ in PLAIN else as_key(key))
    if kind is list:
        if key.__class__ is not int:
            if key.__class__ is list:
                return array_slice(left, key)
            key = array_index(key)
        try:
            return left[key]
        except IndexError:
            return None
    if kind is str:
        return text_slice(left, [key])
    scope = current_scope()
    if scope is not None:
        return access_many(scope, left, key)
    raise no_access(left)


def access_many(scope: Scope, left: Value, *keys: Value) -> Value:
    """Evaluate ``left[key, key]``, and access to values other than arrays, hashes and strings."""
    kind = left.__class__
    if kind is list:
        return array_slice(left, list(keys))
    if kind is dict:
        return hash_slice(left, list(keys))
    if kind is str:
        return text_slice(left, list(keys))
    if isinstance(left, Type):
        return parameterize(scope, left, *keys)
    if kind is Binary:
        return Binary(left.data[slice(*text_bounds(len(left.data), list(keys)))])
    raise no_access(left, scope)


def no_access(left: Value, scope: Scope | None = None) -> PuppetError:
    """Return the error of brackets behind a value without elements."""
    error = issues.OPERATOR_NOT_APPLICABLE(operator="[]", left=kind_name(left)).in_part("left")
    lacks_facts = left is None and scope is not None and not has_facts(scope.compilation)
    return error.hinted(NO_FACTS if lacks_facts else None)


def array_index(key: Value, position: int = 0) -> int:
    """Return an index of an array, the key at a position."""
    index = number(key, "key", position)
    if index.__class__ is not int:
        raise issues.BAD_SLICE_KEY_TYPE(kind=kind_name(key)).in_part("key", position)
    return int(index)


def array_slice(left: list[Value], keys: list[Value]) -> Value:
    """``array[index]`` or ``array[start, count]``; a negative count is a position from the end.

    Arrays among the keys are opened.
    """
    keys = flat(keys)
    if not 1 <= len(keys) <= 2:
        raise issues.BAD_ARRAY_SLICE_ARITY(count=len(keys))
    indexes = [array_index(key, position) for position, key in enumerate(keys)]
    if len(indexes) == 1:
        return access(left, indexes[0])
    start, stop = slice_bounds(len(left), *indexes)
    return left[start:stop]


def slice_bounds(size: int, start: int, count: int) -> tuple[int, int]:
    """Return first and end index of ``[start, count]``; indexes out of range give an empty slice."""
    first = start + size if start < 0 else start
    end = first + count if count >= 0 else size + count + 1
    start = max(first, 0)
    return start, max(min(end, size), start)


def text_slice(left: str, keys: list[Value]) -> str:
    """Evaluate ``text[index]`` or ``text[start, count]`` (Puppet manual, Accessing substrings)."""
    first, end = text_bounds(len(left), keys)
    return left[first:end]


def text_bounds(size: int, keys: list[Value]) -> tuple[int, int]:
    """Return first and end index of the piece of a text, or of bytes, for one or two indexes."""
    keys = flat(keys)
    if not 1 <= len(keys) <= 2:
        raise issues.BAD_STRING_SLICE_ARITY(count=len(keys))
    indexes = []
    for position, key in enumerate(keys):
        index = key if key.__class__ is int else number_index(key, position)
        indexes.append(index)
    start = indexes[0]
    return slice_bounds(size, start, indexes[1] if len(indexes) == 2 else 1)


def number_index(key: Value, position: int) -> int:
    """Return an index of a string, the key at a position."""
    if key.__class__ is str and parse_number(key) is not None:
        index = number(key, "key", position)
        if index.__class__ is int:
            return int(index)
    raise issues.BAD_STRING_SLICE_TYPE(kind=kind_name(key)).in_part("key", position)


def hash_slice(left: dict[Any, Value], keys: list[Value]) -> Value:
    """Evaluate ``hash[key]``, or the values there are of several keys."""
    if not keys:
        raise issues.EMPTY_SLICE()
    if len(keys) == 1:
        return left.get(as_key(keys[0]))
    found = (left.get(as_key(key)) for key in keys)
    return [value for value in found if value is not None]


def parameterize(scope: Scope, left: Type, *keys: Value) -> Value:
    """Evaluate ``Type[keys]``: a narrower type, or a parameter of a resource or class."""
    if isinstance(left, ResourceType):
        if left.title is not None:
            return resource_parameters(scope, left, list(keys))
        if left.type_name is not None and len(keys) == 1 and keys[0].__class__ is str:
            return ResourceType(left.type_name, keys[0])
    if isinstance(left, ClassType) and left.name is not None:
        return resource_parameters(scope, left, list(keys))
    try:
        found = access_type(left, list(keys), scope.compilation.types)
        if (
            found.__class__ is ObjectType and not scope.compilation.types.named
        ):  # within an alias, the alias checks it
            check_parent(found)
        return found
    except PuppetError as error:
        raise with_key_index(error, keys) from error.__cause__


def with_key_index(error: PuppetError, keys: tuple[Value, ...]) -> PuppetError:
    """Return an error of a type's parameters with the index of the key that it is about."""
    if error.part is None:
        return error.in_part("left")
    for position, key in enumerate(keys):
        if error.culprit and key is error.culprit[0]:
            return error.in_part("key", position)
    return error


def resource_parameters(
    scope: Scope, reference: ResourceType | ClassType, keys: list[Value]
) -> Value:
    """Evaluate ``File['/a']['mode']``: the value of a parameter, of several as an array."""
    resource = scope.compilation.catalog.find_reference(reference)
    if resource is None:
        error = issues.UNKNOWN_RESOURCE(
            reference=reference_text(reference), quoted=quoted_reference(reference)
        )
        raise error.hinted(reference_hint(scope.compilation, reference))
    values = []
    for key in keys:
        found = scope.compilation.catalog.parameter(resource, str(key))
        if found is MISSING or found is UNSET:
            error = issues.UNKNOWN_RESOURCE_PARAMETER(
                reference=resource.reference, quoted=quoted_reference(reference), name=key
            )
            raise error.hinted(attribute_hint(resource, str(key))).in_part("left")
        values.append(found)
    return values[0] if len(values) == 1 else values
