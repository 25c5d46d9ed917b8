"""Functions that look data up: ``lookup``, the old ``hiera*``, and the readers behind hiera.yaml."""

from __future__ import annotations

from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.functions.declaration import FunctionTable
from bunraku.hiera import issues
from bunraku.hiera.binding import engine_of, invocation_of
from bunraku.hiera.context import LookupContext
from bunraku.hiera.data import DataFiles
from bunraku.hiera.eyaml import decrypt
from bunraku.hiera.lookup import names_of
from bunraku.runtime.callables import Closure, Value
from bunraku.runtime.once import warn_once
from bunraku.runtime.state import Scope
from bunraku.values.missing import MISSING

function = FunctionTable()
NAME = "Variant[String, Array[String]]"
MERGE = "Variant[String[1], Hash[String, Scalar]]"
BLOCK = f"Callable[{NAME}]"
OPTIONS = (
    "value_type => Optional[Type], default_value => Optional[Any], "
    "override => Optional[Hash[String, Any]], default_values_hash => Optional[Hash[String, Any]], "
    f"merge => Optional[{MERGE}]"
)


def find(
    scope: Scope,
    name: Value,
    options: dict[str, Value],
    block: Closure | None = None,
) -> Value:
    """Look up one or more names with the given options."""
    invocation = invocation_of(
        scope,
        overrides=options.get("override") or {},
        defaults=options.get("default_values_hash") or {},
    )
    return engine_of(scope.compilation).find(
        invocation,
        names_of(name),
        value_type=options.get("value_type"),
        merge=options.get("merge"),
        default=options.get("default_value", MISSING),
        block=None if block is None else lambda _: block(name),
    )


@function(
    f"lookup({NAME} $name, Type $value_type = Any, {MERGE} $merge = undef)",
    scope=True,
    since="3.3.0",
)
def lookup(scope: Scope, name: Value, value_type: Value = None, merge: Value = None) -> Value:
    """Look a key up in the data of Hiera, with lookup_options and merging.

    ```puppet
    lookup('no::such::key', Any, 'first', 'default') == 'default'
    lookup('no::such::key', { 'default_value' => [1] }) == [1]
    lookup({ 'name' => 'a', 'override' => { 'a' => 5 } }) == 5
    lookup(['x', 'y']) |$names| { $names.join('+') } == 'x+y'
    ```
    """
    return find(scope, name, {"value_type": value_type, "merge": merge})


@function(
    f"lookup({NAME} $name, Optional[Type] $value_type, Optional[{MERGE}] $merge, Any $default)",
    scope=True,
)
def lookup_with_default(
    scope: Scope, name: Value, value_type: Value, merge: Value, default: Value
) -> Value:
    """Look a key up with a default."""
    options = {"value_type": value_type, "merge": merge, "default_value": default}
    return find(scope, name, options)


@function(
    f"lookup({NAME} $name, Type $value_type = Any, {MERGE} $merge = undef, {BLOCK} &$block)",
    scope=True,
)
def lookup_with_block(
    scope: Scope,
    name: Value,
    value_type: Value = None,
    merge: Value = None,
    *,
    block: Closure | None = None,
) -> Value:
    """Look a key up; the block makes the default."""
    return find(scope, name, {"value_type": value_type, "merge": merge}, block)


@function(
    f"lookup(Struct[{{name => {NAME}, {OPTIONS}}}] $options, Optional[{BLOCK}] &$block)", scope=True
)
def lookup_by_options(
    scope: Scope, options: dict[str, Value], *, block: Closure | None = None
) -> Value:
    """Look a key up; all options are in a hash."""
    return find(scope, options["name"], options, block)


@function(
    f"lookup({NAME} $name, Struct[{{{OPTIONS}}}] $options, Optional[{BLOCK}] &$block)", scope=True
)
def lookup_with_options(
    scope: Scope, name: Value, options: dict[str, Value], *, block: Closure | None = None
) -> Value:
    """Look a key up with options in a hash."""
    return find(scope, name, options, block)


# -- the functions of Hiera 3 ----------------------------------------------------------------------

NO_DEFAULT: Any = MISSING


def find_old(
    scope: Scope,
    function_name: str,
    merge: str,
    key: str,
    default: Value = NO_DEFAULT,
    override: Value = None,
    block: Closure | None = None,
) -> Value:
    """Look a key up as the ``hiera*`` functions do: globally, unless the environment has data."""
    compilation = scope.compilation
    engine = engine_of(compilation)
    if engine.strict != "off":
        found = issues.HIERA_DEPRECATED.diagnostic(name=function_name)
        warn_once(compilation, found.code, found.message)
    paths = override if override.__class__ is list else [] if override is None else [override]
    invocation = invocation_of(
        scope,
        old_call=True,
        old_paths=[str(path) for path in paths],
        global_only=not engine.has_environment_data(),
    )
    try:
        return engine.find(
            invocation,
            [key],
            merge=merge,
            default=default,
            block=None if block is None else lambda _: block(key),
            function=function_name,
        )
    except PuppetError as error:
        if compilation.rules.blames_declaration:
            raise
        raise error.having_in_puppet(form="evaluated") from None  # Puppet 3 names the place


def old_headers(name: str) -> tuple[str, ...]:
    """Return the ways in which a ``hiera*`` function without block is called."""
    return (
        f"{name}(Tuple[String, Any, Any, 1, 3] $arguments)",
        f"{name}(String $key)",
        f"{name}(String $key, Any $default, Any $override = undef)",
    )


def old_block_headers(name: str) -> tuple[str, ...]:
    """Return the ways in which a ``hiera*`` function with a block is called."""
    return (
        f"{name}(String $key, Callable[1, 1] &$block)",
        f"{name}(String $key, Any $override, Callable[1, 1] &$block)",
    )


def define_old(name: str, merge: str, text: str) -> None:
    """Register a ``hiera*`` function."""

    def plain(scope: Scope, key: Value, *rest: Value) -> Value:
        arguments = key if key.__class__ is list else (key, *rest)
        return find_old(scope, name, merge, *arguments)

    def with_block(
        scope: Scope, key: Value, override: Value = None, *, block: Closure | None = None
    ) -> Value:
        return find_old(scope, name, merge, key, override=override, block=block)

    plain.__doc__ = with_block.__doc__ = text
    function(*old_headers(name), scope=True, since="3.0.0")(plain)
    function(*old_block_headers(name), scope=True)(with_block)


define_old("hiera", "first", "Look a key up as Hiera 3 did; ``lookup`` has taken its place.")
define_old("hiera_array", "unique", "All values of a key as one array; use ``lookup``.")
define_old("hiera_hash", "hash", "All hashes of a key as one; use ``lookup``.")


def include_found(scope: Scope, key: Value, found: Value) -> Value:
    """Include the classes that were found for a key; their references."""
    if found is None:
        raise issues.DATA_ITEM_NOT_FOUND(key=key)
    if found in ([], {}, ""):
        return None
    return scope.compilation.call_function(scope, "include", [found])


@function(*old_headers("hiera_include"), scope=True, since="3.0.0")
def hiera_include(scope: Scope, key: Value, *rest: Value) -> Value:
    """Include the classes that data names; use ``lookup('classes', …).include``."""
    arguments = key if key.__class__ is list else (key, *rest)
    found = find_old(scope, "hiera_include", "unique", *arguments)
    return include_found(scope, arguments[0], found)


@function(*old_block_headers("hiera_include"), scope=True)
def hiera_include_with_block(
    scope: Scope, key: str, override: Value = None, *, block: Closure | None = None
) -> Value:
    """Include the classes that a key lists; the block makes the default."""
    found = find_old(scope, "hiera_include", "unique", key, override=override, block=block)
    return include_found(scope, key, found)


# -- readers that hiera.yaml names, called here from Puppet code -------------------------------------


def files_of(scope: Scope) -> DataFiles:
    """Return the data files of the compile."""
    return engine_of(scope.compilation).files


def path_of(name: str, options: dict[str, Value]) -> str:
    """Return the file that the options name."""
    path = options.get("path")
    if path.__class__ is not str or not path:
        raise issues.PATH_MISSING(function=name)
    return str(path)


@function("yaml_data(Hash $options, Any $context)", scope=True, since="4.9.0")
def yaml_data(scope: Scope, options: dict[str, Value], _context: LookupContext) -> Value:
    """Return the hash in a YAML file."""
    return files_of(scope).copy("yaml_data", path_of("yaml_data", options))


@function("json_data(Hash $options, Any $context)", scope=True, since="4.9.0")
def json_data(scope: Scope, options: dict[str, Value], _context: LookupContext) -> Value:
    """Return the hash in a JSON file."""
    return files_of(scope).copy("json_data", path_of("json_data", options))


@function("hocon_data(Hash $options, Any $context)", scope=True, since="4.9.0")
def hocon_data(scope: Scope, options: dict[str, Value], _context: LookupContext) -> Value:
    """Return the hash in a HOCON file."""
    return files_of(scope).copy("hocon_data", path_of("hocon_data", options))


@function(
    "eyaml_lookup_key(String[1] $key, Hash[String[1], Any] $options, Any $context)",
    scope=True,
    since="4.9.3",
)
def eyaml_lookup_key(
    scope: Scope, key: str, options: dict[str, Value], context: LookupContext
) -> Value:
    """Return a value of a YAML file with its encrypted texts decrypted."""
    path = path_of("eyaml_lookup_key", options)
    value = files_of(scope).raw_value("yaml_data", path, key)
    if value is MISSING:
        return context.not_found()
    opened = decrypt(value, options, scope.compilation.world, key=key, path=path)
    return context.interpolate(opened)
