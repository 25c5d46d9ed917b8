"""Functions about types and conversions."""

from __future__ import annotations

from bunraku.functions.api_3 import Api3Table
from bunraku.functions.core import issues
from bunraku.functions.core.iterables import call_loosely
from bunraku.runtime.callables import Closure, Value
from bunraku.runtime.once import warn_once
from bunraku.runtime.operators import no_conversion
from bunraku.runtime.state import Scope
from bunraku.types.builtin import LOOKUP_CONTEXT
from bunraku.types.convert.convert import new
from bunraku.types.convert.sprintf import sprintf
from bunraku.types.mismatch import describe_mismatch
from bunraku.types.model import ClassType, ResourceType, Type
from bunraku.types.parse import parse_type
from bunraku.types.relations.infer import infer, infer_detailed, infer_generalized
from bunraku.types.relations.instance import is_instance
from bunraku.types.ruby_semantics.values import to_s
from bunraku.types.text.display import capitalize, display
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp

function = Api3Table()


# -- type, assert_type -----------------------------------------------------------------------------
@function("type(Any $value, Enum['detailed'] $inference_method = 'detailed')", since="4.4.0")
def type_detailed(value: Value, _method: str = "detailed") -> Type:
    """Return the type of a value, as narrow as can be.

    ```puppet
    String(type([1, 'a'])) == 'Tuple[Integer[1, 1], String]'
    ```
    """
    return infer_detailed(value)


@function("type(Any $value, Enum['reduced'] $inference_method)")
def type_reduced(value: Value, _method: str) -> Type:
    """Return the type of a value with one type for all elements.

    ```puppet
    type([1, 'a'], 'reduced') == Array[ScalarData, 2, 2]
    ```
    """
    return infer(value)


@function("type(Any $value, Enum['generalized'] $inference_method)")
def type_generalized(value: Value, _method: str) -> Type:
    """Return the type of a value without limits.

    ```puppet
    type([1, 2], 'generalized') == Array[Integer]
    ```
    """
    return infer_generalized(value)


@function(
    "assert_type(Type $type, Any $value, Optional[Callable[Type, Type]] &$block)", since="3.6.0"
)
def assert_type(type_: Type, value: Value, block: Closure | None) -> Value:
    """Return the value if it matches a type; otherwise raise an error or return a lambda's result.

    The lambda gets the expected and the actual type.

    ```puppet
    assert_type(Integer, 5) == 5
    assert_type(Integer, 'x') |$expected, $actual| { "${actual}" } == 'String'
    ```
    """
    if is_instance(value, type_):
        return value
    if block is not None:
        return block(type_, infer_detailed(value))
    raise issues.ASSERTION(mismatch=describe_mismatch("assert_type():", type_, value))


@function(
    "assert_type(String $type_string, Any $value, Optional[Callable[Type, Type]] &$block)",
    scope=True,
)
def assert_type_text(scope: Scope, text: str, value: Value, block: Closure | None) -> Value:
    """Return the value, if it is of the type that a string names.

    ```puppet
    assert_type('Integer[1, 9]', 5) == 5
    ```
    """
    return assert_type(parse_type(text, scope.compilation.types), value, block)


# -- new, convert_to -------------------------------------------------------------------------------
def made(scope: Scope, type_: Type, arguments: list[Value], block: Closure | None) -> Value:
    """Return a new value of a type, handed to a lambda if there is one."""
    # No loader: of an alias, real Puppet too makes Type.new('My::Alias') a TypeReference.
    value = new(type_, arguments, now=scope.compilation.world.now)
    if type_ is LOOKUP_CONTEXT:
        module_name = value.attributes["module_name"]
        value = scope.compilation.loader.lookup_context(scope, module_name)
    return value if block is None else call_loosely(block, value)


@function("new(Type $type, Any *$args, Optional[Callable] &$block)", scope=True, since="4.5.0")
def new_(scope: Scope, type_: Type, *arguments: Value, block: Closure | None) -> Value:
    """Return a new value of a type.

    ```puppet
    new(Integer, '5') == 5
    Integer.new('5') |$x| { $x + 1 } == 6
    ```
    """
    return made(scope, type_, list(arguments), block)


@function(
    "convert_to(Any $value, Type $type, Any *$args, Optional[Callable[1, 1]] &$block)",
    scope=True,
    since="5.4.0",
)
def convert_to(
    scope: Scope, value: Value, type_: Type, *arguments: Value, block: Closure | None
) -> Value:
    """Return a value made into one of another type.

    ```puppet
    '5'.convert_to(Integer) == 5
    255.convert_to(String, '%x') == 'ff'
    ```
    """
    return made(scope, type_, [value, *arguments], block)


# -- unwrap ----------------------------------------------------------------------------------------
@function("unwrap(Any $arg, Optional[Callable] &$block)", since="4.6.1")
def unwrap(value: Value, block: Closure | None) -> Value:
    """Return the value of a Sensitive, or the lambda's result for it; other values unchanged.

    ```puppet
    unwrap(Sensitive('a')) == 'a'
    Sensitive(5).unwrap |$x| { $x + 1 } == 6
    unwrap(5) == 5
    ```
    """
    inner = value.value if isinstance(value, Sensitive) else value
    return inner if block is None else call_loosely(block, inner)


# -- strftime, sprintf -----------------------------------------------------------------------------
@function("strftime(Timespan $time_object, String $format)", since="4.8.0")
def strftime_timespan(value: Timespan, pattern: str) -> str:
    """Return a duration as text.

    ```puppet
    strftime(Timespan(3660), '%H:%M') == '01:01'
    ```
    """
    return value.format(pattern)


@function("strftime(Timestamp $time_object, String $format, String $timezone = 'UTC')")
def strftime_timestamp(value: Timestamp, pattern: str, timezone: str | None = None) -> str:
    """Return a point in time as text.

    ```puppet
    strftime(Timestamp(0), '%F %H', '+02:00') == '1970-01-01 02'
    ```
    """
    return value.format(pattern, timezone or None)


@function("strftime(String $format, String $timezone = 'UTC')", scope=True)
def strftime_now(scope: Scope, pattern: str, timezone: str | None = None) -> str:
    """Return the present as text (deprecated)."""
    warn_once(
        scope.compilation,
        "deprecations",
        "strftime(String, …) is deprecated: give it a Timestamp, Timestamp() is now",
    )
    nanoseconds = round(scope.compilation.world.now() * 1_000_000_000)
    return Timestamp(nanoseconds).format(pattern, timezone or None)


@function.api_3("sprintf", 1, since="0.24.8")
def sprintf_(pattern: Value, *arguments: Value) -> str:
    """Return a format with the arguments filled in, as the C function of this name does.

    ```puppet
    sprintf('%s=%03d', 'a', 7) == 'a=007'
    sprintf('%<x>.1f', { 'x' => 1.25 }) == '1.2'
    ```
    """
    if pattern.__class__ is not str:
        actual, problem = display(infer(pattern)), no_conversion(pattern)
        raise issues.NOT_A_STRING(name="sprintf", actual=actual, problem=problem)
    return sprintf(pattern, [with_reference(value) for value in arguments])


def with_reference(value: Value) -> Value:
    """Return a reference as the text for functions of the old kind; other values unchanged.

    >>> (
    ...     with_reference(ResourceType("file", "/a")),
    ...     with_reference(ClassType("a::b")),
    ...     with_reference(1),
    ... )
    ('File[/a]', 'Class[A::B]', 1)
    """
    if isinstance(value, ResourceType) and value.title is not None:
        return to_s(value)
    if isinstance(value, ClassType) and value.name is not None:
        return f"Class[{capitalize(value.name)}]"
    return value
