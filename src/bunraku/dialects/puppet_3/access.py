"""``$a[0]['k']`` and references, as Puppet 3 has them."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

from bunraku.dialects.puppet_3 import issues
from bunraku.dialects.puppet_3.values import inspect, number, plain_text
from bunraku.runtime import issues as runtime_issues
from bunraku.runtime.name_resolution import find_class, find_define
from bunraku.runtime.operators import kind_name
from bunraku.runtime.references import flat
from bunraku.runtime.state import Scope
from bunraku.types.model import ClassType, ResourceType, Type
from bunraku.values.keys import as_key

Value = Any


def access(left: Value, key: Value) -> Value:
    """Evaluate ``left[key]`` of an array or hash; undef for a missing key."""
    if left.__class__ is dict:
        return left.get(as_key(key))
    if left.__class__ is not list:
        raise issues.NOT_A_CONTAINER(key=plain_text(key), value=kind_name(left))
    try:
        return left[index_of(key)]
    except IndexError:
        return None


def index_of(key: Value) -> int:
    """Return an index of an array; the fraction of a float is cut off."""
    found = number(key)
    if found is None or not isfinite(found):
        raise issues.NOT_AN_INDEX(key=plain_text(key))
    return int(found)


def assign_element(scope: Scope, container: Value, key: Value, value: Value) -> Value:
    """Evaluate ``$hash[key] = value``: the hash or array itself changes, for all that hold it."""
    if any(container is fixed for fixed in unchangeable(scope)):
        raise issues.FROZEN(key=plain_text(key))
    scope.compilation.messages.warn(issues.MUTATION.code, issues.MUTATION.text, "warning")
    if container.__class__ is dict:
        name = as_key(key)
        if name in container:
            raise issues.KEY_TAKEN(key=plain_text(key))
        container[name] = value
        return value
    if container.__class__ is not list:
        raise issues.NOT_A_CONTAINER(key=plain_text(key), value=kind_name(container))
    index = index_of(key)
    if index < -len(container):
        raise issues.NOT_AN_INDEX(key=plain_text(key))
    if index >= len(container):
        container.extend([None] * (index + 1 - len(container)))
    container[index] = value
    return value


def unchangeable(scope: Scope) -> Iterator[Value]:
    """Yield the arrays and hashes of ``$trusted`` and ``$facts``, which code cannot change."""
    top = scope.compilation.top_scope
    waiting = [dict.get(top, "$trusted"), dict.get(top, "$facts")]
    while waiting:
        value = waiting.pop()
        if value.__class__ is dict:
            yield value
            waiting.extend(value.values())
        elif value.__class__ is list:
            yield value
            waiting.extend(value)


def reference(_scope: Scope, name: str) -> Type:
    """Evaluate ``File``, ``My::Type``: the type of a resource, whether it is known or not."""
    plain = name.removeprefix("::").lower()
    return ClassType(None) if plain == "class" else ResourceType(plain)


def parameterize(scope: Scope, left: Value, *keys: Value) -> Value:
    """Evaluate ``File['a', 'b']``: a reference, or an array of them."""
    titles = flat(list(keys))
    if isinstance(left, ClassType):
        found: list[Value] = [ClassType(class_title(scope, title)) for title in titles]
    elif isinstance(left, ResourceType):
        name = left.type_name or ""
        definition = None if scope.compilation.resource_types[name] else find_define(scope, name)
        if definition is not None:
            name = definition.name
        found = [ResourceType(name, reference_title(name, title)) for title in titles]
    else:
        raise runtime_issues.OPERATOR_NOT_APPLICABLE(operator="[]", left=kind_name(left))
    return found[0] if len(found) == 1 else found


def class_title(scope: Scope, title: Value) -> str:
    """Return the name of the class in ``Class[…]``: one in the namespace, or as written."""
    name = reference_title("class", title)
    definition = find_class(scope, name)
    return definition.name if definition is not None else name.removeprefix("::").lower()


def reference_title(type_name: str, title: Value) -> str:
    """Return a title as text, for a reference."""
    if title is False:
        raise issues.NO_REFERENCE_TITLE(type=type_name)
    return inspect(title) if title.__class__ is dict else plain_text(title)
