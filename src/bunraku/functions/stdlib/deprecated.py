"""Deprecations: the warning itself, and the names that now warn before they do their work.

Since 4.13 the old questions and validations exist a second time as functions of the new kind,
which are found first. Their effect depends on the setting ``strict``: an error, a warning, or
nothing.
"""

from __future__ import annotations

from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.functions.api_3 import Api3Table
from bunraku.functions.declaration import FunctionTable
from bunraku.functions.stdlib import checks, issues, validation
from bunraku.runtime.once import is_first
from bunraku.runtime.state import Scope
from bunraku.types.mismatch import describe_mismatch
from bunraku.types.model import Type
from bunraku.types.parse import parse_type
from bunraku.types.relations.instance import is_instance
from bunraku.types.text.display import display

Value = Any
function = Api3Table()
old_function = Api3Table()
new_function = FunctionTable()

SWITCH = "STDLIB_LOG_DEPRECATIONS"


def deprecate(scope: Scope, key: str, message: str, *, by_strictness: bool = True) -> None:
    """Report a deprecation once, as the setting ``strict`` requires."""
    compilation = scope.compilation
    strict = str(compilation.settings.get("strict", "error")) if by_strictness else "warning"
    if strict == "off":
        return
    if strict == "error":
        raise issues.DEPRECATED(key=key, message=message)
    if compilation.world.environment_variable(SWITCH) == "false":
        return
    if is_first(compilation, "stdlib deprecation", key):
        compilation.messages.warn(issues.DEPRECATED.code, message)


@function("deprecation(String $key, String $message)", scope=True, since="4.13.0", until="9.1.0")
def deprecation(scope: Scope, key: str, message: str) -> None:
    """Warn once about something deprecated; an error where ``strict`` is set to that.

    ```puppet
    deprecation('key', 'message') == undef
    ```
    """
    deprecate(scope, key, message)


@new_function(
    "deprecation(String $key, String $message, Boolean $use_strict_setting = true)",
    scope=True,
    since="9.2.0",
)
def new_deprecation(scope: Scope, key: str, message: str, use_strict: Value = True) -> None:
    """Warn once about something deprecated; the setting ``strict`` can be left out of account."""
    deprecate(scope, key, message, by_strictness=use_strict)


@old_function.api_3("deprecation", 2, 2, scope=True, since="4.13.0", until="9.3.0")
def old_deprecation(scope: Scope, key: Value, message: Value) -> None:
    """Warn about a deprecation if the environment variable is set."""
    compilation = scope.compilation
    if compilation.world.environment_variable(SWITCH) == "true":
        compilation.messages.log("warning", f"deprecation. {key}. {message}", scope)


def warn_before(name: str, table: Api3Table, advice: str, since: str) -> None:
    """Register a function that warns and then works like the old one."""
    old = table.direct[name]

    def called(scope: Scope, *arguments: Value) -> Value:
        deprecate(scope, name, f"{name}() is deprecated, {advice}")
        return old(scope, *arguments)

    called.__doc__ = table[name].documentation
    function(f"{name}(Any *$arguments)", scope=True, since=since, until="8.6.0")(called)


TYPES = {
    "absolute_path": "Stdlib::Compat::Absolute_path",
    "array": "Stdlib::Compat::Array",
    "bool": "Stdlib::Compat::Bool",
    "float": "Stdlib::Compat::Float",
    "hash": "Stdlib::Compat::Hash",
    "integer": "Stdlib::Compat::Integer",
    "ip_address": "Stdlib::Compat::Ip_address",
    "ipv4_address": "Stdlib::Compat::Ipv4",
    "ipv6_address": "Stdlib::Compat::Ipv6",
    "numeric": "Stdlib::Compat::Numeric",
    "re": "Pattern[]",
    "slength": "String[]",
    "string": "Stdlib::Compat::String",
}
QUESTIONS = ("absolute_path", "array", "bool", "float", "ip_address", "ipv4_address", "ipv6_address", "numeric", "string")  # fmt: skip
VALIDATIONS = tuple(name for name in TYPES if name != "float")

for question in QUESTIONS:
    warn_before(
        f"is_{question}",
        checks.function,
        f"match against {TYPES[question]} instead",
        since="4.13.1",
    )
for subject in VALIDATIONS:
    warn_before(
        f"validate_{subject}",
        validation.function,
        f"use a parameter's type or validate_legacy with {TYPES[subject]}",
        since="4.13.0",
    )


def passes(scope: Scope, function_name: str, arguments: tuple[Value, ...]) -> bool:
    """Return whether an old validation accepts the arguments."""
    old = validation.function.direct.get(function_name)
    if old is None and scope.compilation.functions[function_name] is None:
        raise issues.UNKNOWN_VALIDATION(function=function_name)
    try:
        if old is not None:
            old(scope, *arguments)
        else:
            scope.compilation.call_function(scope, function_name, arguments)
    except PuppetError:
        return False
    return True


@function(
    "validate_legacy(Type $type, String $function, Any $value, Any *$arguments)",
    scope=True,
    since="4.13.0",
    until="8.6.0",
)
def validate_legacy(
    scope: Scope, type_: Type, function_name: str, value: Value, *arguments: Value
) -> None:
    """Check a value against a type and an old validation, and report if they disagree.

    ```puppet
    validate_legacy(Array, 'validate_array', [1]) == undef
    ```
    """
    passed = passes(scope, function_name, (value, *arguments))
    if is_instance(value, type_):
        if not passed:
            text = f"Accepting previously invalid value for target type '{display(type_)}'"
            scope.compilation.messages.log("notice", text, scope)
        return
    mismatch = describe_mismatch(f"validate_legacy({function_name})", type_, value)
    if not passed:
        raise issues.VALIDATION_MISMATCH(mismatch=mismatch)
    deprecate(scope, "validate_legacy", mismatch)


@new_function(
    "validate_legacy(Type $type, String $function, Any $value, Any *$arguments)",
    scope=True,
    since="9.0.0",
)
def new_validate_legacy(scope: Scope, type_: Type, _: str, value: Value, *_rest: Value) -> None:
    """Check a value against a type; deprecated in favour of parameters with types."""
    deprecate(scope, "validate_legacy", "validate_legacy() is deprecated, use parameters' types")
    if not is_instance(value, type_):
        subject = f"validate_legacy({display(type_)}, ...)"
        raise issues.VALIDATION_MISMATCH(mismatch=describe_mismatch(subject, type_, value))


@function(
    "validate_legacy(String $type, String $function, Any $value, Any *$arguments)", scope=True
)
def validate_legacy_by_name(
    scope: Scope, type_name: str, function_name: str, value: Value, *arguments: Value
) -> None:
    """Check a value against a type given as text."""
    type_ = parse_type(type_name, scope.compilation.types)
    validate_legacy(scope, type_, function_name, value, *arguments)


@new_function(
    "validate_legacy(String $type, String $function, Any $value, Any *$arguments)", scope=True
)
def new_validate_legacy_by_name(
    scope: Scope, name: str, _: str, value: Value, *_rest: Value
) -> None:
    """Check a value against a type given as text; deprecated."""
    new_validate_legacy(scope, parse_type(name, scope.compilation.types), "", value)
