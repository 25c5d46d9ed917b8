"""Calls: functions by name, methods, types as functions, and the checks of parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from bunraku.base.errors import PuppetError
from bunraku.runtime import issues
from bunraku.runtime.callables import Closure
from bunraku.runtime.control import raise_break, raise_next, raise_return
from bunraku.runtime.operators import kind_name
from bunraku.runtime.python_frames import puppet_frame
from bunraku.runtime.references import quoted_reference, reference_text
from bunraku.runtime.state import Scope
from bunraku.runtime.suggest import function_hint
from bunraku.types import issues as type_issues
from bunraku.types.builtin import LOOKUP_CONTEXT
from bunraku.types.convert import convert
from bunraku.types.mismatch import describe_mismatch, wrong_count
from bunraku.types.model import MISSING, ArrayType, ClassType, Type
from bunraku.types.relations.instance import checker
from bunraku.types.value_text import to_text
from bunraku.values.keys import as_key
from bunraku.values.pcore import PcoreObject
from bunraku.values.uri import URI

Value = Any


def call(scope: Scope, name: str, *arguments: Value, block: Closure | None = None) -> Value:
    """Evaluate ``name(arguments)``."""
    compilation = scope.compilation
    function = compilation.functions[name]
    if function is None:
        raise issues.UNKNOWN_FUNCTION(name=name).hinted(function_hint(compilation, name))
    return function.call(scope, arguments, block)


def call_method(scope: Scope, name: str, *arguments: Value, block: Closure | None = None) -> Value:
    """``receiver.name(arguments)``: an attribute or method of an object, else a function."""
    receiver: Value = arguments[0] if arguments else None
    if receiver.__class__ not in PLAIN:
        if name in getattr(receiver, "METHODS", ()):
            return receiver.call(name, list(arguments[1:]), block)
        attribute = object_attribute(receiver, name, arguments[1:])
        if attribute is not None:
            return attribute()
    return call(scope, name, *arguments, block=block)


def control_method(kind: str, name: str, *arguments: Value) -> Value:
    """``receiver.next``, ``.return``, ``.break``: an attribute of an object, else the statement."""
    attribute = object_attribute(arguments[0], name, arguments[1:]) if arguments else None
    return CONTROL[name](kind, *arguments) if attribute is None else attribute()


CONTROL = {"next": raise_next, "return": raise_return, "break": raise_break}
URI_PARTS = frozenset({"scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"})
PLAIN = frozenset({str, int, float, bool, list, dict, type(None)})


def object_attribute(
    receiver: Value, name: str, arguments: tuple[Value, ...]
) -> Callable[[], Value] | None:
    """Return the reader of an attribute of an object or of a URI; None without such an attribute."""
    if isinstance(receiver, PcoreObject):
        if arguments and name in receiver.type.all_attributes():
            raise type_issues.ATTRIBUTE_ARGUMENTS(
                type=receiver.type.name, name=name, count=len(arguments)
            )
        if name in receiver.attributes:
            return lambda: receiver.attributes[name]
        attribute = receiver.type.all_attributes().get(name)
        if attribute is not None and attribute.value is not MISSING:
            return lambda: attribute.value
        if receiver.type.name == "Error" and name == "message":
            return lambda: receiver.attributes["msg"]
        if attribute is not None or name in receiver.type.all_functions():
            kind = "function" if attribute is None else f"{attribute.kind} attribute"
            raise type_issues.NO_METHOD(kind=kind, type=receiver.type.name, name=name)
    if receiver.__class__ is URI and name in URI_PARTS and not arguments:
        return lambda: getattr(receiver, name)
    return None


def new(scope: Scope, type_: Value, *arguments: Value, block: Closure | None = None) -> Value:
    """Evaluate ``Type(arguments)``."""
    if type_.__class__ is str:
        return call(scope, type_, *arguments, block=block)
    if not isinstance(type_, Type):
        raise issues.UNKNOWN_FUNCTION(name=kind_name(type_))
    if block is None and type_ is not LOOKUP_CONTEXT:  # the result of the function ``new``
        return convert.new(type_, list(arguments), now=scope.compilation.world.now)
    return call(scope, "new", type_, *arguments, block=block)


# -- parameters ------------------------------------------------------------------------------------


def check_parameter(kind: str, name: str, type_: Value, value: Value) -> None:
    """Check a value for a typed parameter of a function or lambda."""
    if isinstance(type_, Type):
        try:
            check = type_.checker
        except AttributeError:
            check = checker(type_)
        if check(value):
            return
        subject = f"block parameter '{name}'"
        if kind == "function":
            subject = f"'{running_function()}' parameter '{name}'"
        mismatch = describe_mismatch(subject, type_, value)
        raise issues.ILLEGAL_ARGUMENT(mismatch=mismatch).in_part("caller")


def running_function() -> str:
    """Return the name of the Puppet function that checks its parameters now."""
    frame = puppet_frame(2)
    name = frame.f_code.co_name if frame is not None else ""
    return name.removeprefix("function ").rpartition(".")[0]


def check_rest(kind: str, name: str, type_: Value, values: list[Value]) -> None:
    """Check the values for ``*$name``: each must fit; an Array is the type of all of them."""
    if type_.__class__ is ArrayType:
        low, high = type_.low or 0, type_.high
        if not low <= len(values) or (high is not None and len(values) > high):
            raise wrong_rest_count(kind, low, high, len(values))
        type_ = type_.element
    for value in values:
        check_parameter(kind, name, type_, value)


def wrong_rest_count(kind: str, low: int, high: int | None, count: int) -> PuppetError:
    """Return the error for a wrong number of values for ``*$name``, as one of all arguments."""
    frame = puppet_frame(2)
    before = 0 if frame is None else frame.f_code.co_argcount - (kind == "function")
    most = None if high is None else before + high
    problem = wrong_count(before + low, most, before + count)
    if kind == "function":
        error = issues.WRONG_ARGUMENT_COUNT(name=running_function(), problem=problem)
    else:
        error = issues.WRONG_COUNT_OF_LAMBDA(name="lambda", problem=problem)
    return error.in_part("caller")


def required_after_optional(name: str) -> NoReturn:
    """Raise the error for a required parameter after an optional one."""
    raise issues.REQUIRED_AFTER_OPTIONAL(name=name)


def invalid_type(text: str) -> NoReturn:
    """Raise the error for a part of a type's definition that is not a constant."""
    raise issues.INVALID_TYPE(text=text)


def rest_or_default(values: list[Value], default: Value) -> list[Value]:
    """Return the default of ``*$name = default`` if no value was passed."""
    if values:
        return values
    return default if default.__class__ is list else [default]


def returning_closure(
    function: Callable[..., Value],
    low: int,
    high: int | None,
    names: tuple[str, ...],
    types: tuple[Type | None, ...],
    return_type: Type,
) -> Closure:
    """Return a lambda with a return type: its value is checked."""
    check = checker(return_type)

    def checked(*arguments: Value) -> Value:
        result = function(*arguments)
        if not check(result):
            puppet = "value returned from lambda has wrong type,"
            raise issues.WRONG_RESULT(
                mismatch=describe_mismatch("value returned from block", return_type, result),
                words=describe_mismatch(puppet, return_type, result),
            )
        return result

    return Closure(checked, low, high, names, types, return_type)


# -- several variables at once ---------------------------------------------------------------------

Shape = Any


def destructure(scope: Scope, value: Value, shape: Shape) -> tuple[Value, ...]:
    """Evaluate ``[$a, [$b]] = value``: the values for the variables, in order."""
    found: list[Value] = []
    fill(scope, value, shape, found)
    return tuple(found)


def fill(scope: Scope, value: Value, shape: Shape, found: list[Value]) -> None:
    """Collect the values for one level of variables; anything but an array is one value."""
    if value.__class__ is dict:
        parts = [entry_for(value, item) for item in shape]
    elif isinstance(value, ClassType) and value.name is not None:
        parts = class_variables(scope, value, shape)
    else:
        parts = value if value.__class__ is list else [value]
        if len(parts) != len(shape):
            raise issues.MULTI_ASSIGNMENT_SIZE(expected=len(shape), actual=len(parts))
    for part, inner in zip(parts, shape, strict=True):
        if inner.__class__ is tuple:
            fill(scope, part, inner, found)
        else:
            found.append(part)


def entry_for(value: dict[Any, Value], item: Shape) -> Value:
    """Return the value of a hash for a variable, or for an array of them whose names are the key."""
    key = as_key(names_in(item))
    if key not in value:
        raise issues.MISSING_MULTI_ASSIGNMENT_KEY(key=to_text(names_in(item)))
    return value[key]


def names_in(item: Shape) -> Value:
    """Return a variable's name, or an array of names for several."""
    return [names_in(inner) for inner in item] if item.__class__ is tuple else item


def class_variables(scope: Scope, reference: ClassType, shape: Shape) -> list[Value]:
    """Evaluate ``[$a, $b] = Class['k']``: variables of an evaluated class."""
    inside = scope.compilation.class_scopes.get(reference.name or "")
    if inside is None:
        raise issues.UNKNOWN_RESOURCE(
            reference=reference_text(reference), quoted=quoted_reference(reference)
        ).in_part("right")
    found = []
    for position, item in enumerate(shape):
        key = f"${item}"
        if key not in inside:
            name = f"{reference.name}::{to_text(names_in(item))}"
            raise issues.MISSING_MULTI_ASSIGNMENT_VARIABLE(name=name).in_part("key", position)
        found.append(inside[key])
    return found
