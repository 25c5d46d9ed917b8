"""Values as text in other notations: JSON, YAML, TOML, Ruby, Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.formats.failure import Unwritable
from bunraku.formats.json import COMPACT, PRETTY, JsonWriter, Layout
from bunraku.functions.api_3 import Api3Table
from bunraku.functions.stdlib import issues
from bunraku.functions.stdlib.rich import DataWriter
from bunraku.functions.stdlib.toml_text import write_toml
from bunraku.runtime.callables import Closure
from bunraku.types.ruby_semantics.values import inspect, new_s
from bunraku.values.keys import make_hash, pairs
from bunraku.values.sensitive import Sensitive

Value = Any
function = Api3Table()


def write_json(function_name: str, value: Value, layout: Layout) -> str:
    """Return a value as JSON in a layout; raise NOT_WRITTEN for values without a JSON form."""
    try:
        return JsonWriter(layout, new_s).text(value)
    except Unwritable as error:
        raise issues.NOT_WRITTEN(name=function_name, actual=str(error), format="JSON") from None


@function("to_json(Any $data)", since="4.20.0", until="8.6.0")
@function("stdlib::to_json(Any $data)", since="9.0.0")
def to_json(data: Value) -> str:
    """Write a value as JSON.

    ```puppet
    to_json({'a' => [1, undef]}) == '{"a":[1,null]}'
    ```
    """
    return write_json("to_json", data, COMPACT)


OPTIONS = (
    "Struct[{Optional[indent] => Optional[String], Optional[space] => Optional[String], "
    "Optional[space_before] => Optional[String], Optional[object_nl] => Optional[String], "
    "Optional[array_nl] => Optional[String], Optional[allow_nan] => Optional[Boolean], "
    "Optional[max_nesting] => Optional[Integer[-1, default]]}] $options = {}"
)
PRETTY_HEADER = (
    f"to_json_pretty(Variant[Hash, Array] $data, Optional[Boolean] $skip_undef = false, {OPTIONS})"
)


@function(PRETTY_HEADER, since="4.20.0", until="8.6.0")
@function(f"stdlib::{PRETTY_HEADER}", since="9.0.0")
def to_json_pretty(data: Value, skip_undef: Value = None, options: Value = None) -> str:
    r"""Write an array or a hash as JSON in lines, optionally without undef at the top level.

    ```puppet
    to_json_pretty({'a' => 1, 'b' => undef}, true) == "{\n  \"a\": 1\n}\n"
    ```
    """
    if skip_undef and data.__class__ is list:
        data = [item for item in data if item is not None]
    elif skip_undef:
        data = {key: item for key, item in data.items() if item is not None}
    chosen = {key: value for key, value in (options or {}).items() if value is not None}
    if chosen.get("max_nesting") == -1:
        chosen["max_nesting"] = 0
    names = ("indent", "space", "space_before", "object_nl", "array_nl", "allow_nan", "max_nesting")
    layout = Layout(**{name: chosen.get(name, getattr(PRETTY, name)) for name in names})
    return write_json("to_json_pretty", data, layout) + "\n"


@function("to_toml(Hash $data)", since="8.1.0", until="8.6.0")
@function("stdlib::to_toml(Hash $data)", since="9.0.0")
def to_toml(data: dict[Any, Value]) -> str:
    r"""Write a hash as TOML.

    ```puppet
    to_toml({'a' => 1, 'b' => {'c' => 'x'}}) == "a = 1\n[b]\nc = \"x\"\n"
    ```
    """
    return write_toml("to_toml", data)


def code_text(data: Value, arrow: str, scalar: Callable[[Value], str]) -> str:
    """Return data as code: arrays in brackets, hashes in braces with ``arrow`` after their keys."""
    if data.__class__ is list:
        return f"[{', '.join(code_text(item, arrow, scalar) for item in data)}]"
    if data.__class__ is dict:
        inside = [
            f"{code_text(key, arrow, scalar)}{arrow}{code_text(item, arrow, scalar)}"
            for key, item in pairs(data)
        ]
        return f"{{{', '.join(inside)}}}"
    return scalar(data)


@function("to_ruby(Any $value)", since="8.0.0", until="8.6.0")
@function("stdlib::to_ruby(Any $value)", since="9.0.0")
def to_ruby(value: Value) -> str:
    """Write a value as Ruby code; other than plain data becomes a hash that names its type.

    ```puppet
    to_ruby({'a' => [1, undef]}) == '{"a" => [1, nil]}'
    ```
    """
    return code_text(DataWriter("to_ruby").write(value), " => ", inspect)


def python_scalar(data: Value) -> str:
    """Return a value other than an array or hash as Python code; strings are quoted as in Ruby."""
    return str(data) if data is None or data.__class__ is bool else inspect(data)


@function("to_python(Any $value)", since="8.0.0", until="8.6.0")
@function("stdlib::to_python(Any $value)", since="9.0.0")
def to_python(value: Value) -> str:
    """Write a value as Python code; other than plain data becomes a dict that names its type.

    ```puppet
    to_python({'a' => [true, undef]}) == '{"a": [True, None]}'
    ```
    """
    return code_text(DataWriter("to_python").write(value), ": ", python_scalar)


class Opener:
    """Takes Sensitive wrappers away, and remembers whether there was one."""

    def __init__(self) -> None:
        self.found = False

    def open(self, value: Value) -> Value:
        """Return the value with nothing in it wrapped."""
        kind = value.__class__
        if kind is list:
            return [self.open(item) for item in value]
        if kind is dict:
            return make_hash((self.open_key(key), self.open(item)) for key, item in pairs(value))
        if kind is Sensitive:
            self.found = True
            return self.open(value.value)
        return value

    def open_key(self, key: Value) -> Value:
        """Return a key of a hash, opened once."""
        if key.__class__ is Sensitive:
            self.found = True
            return key.value
        return key


def rewrapped(data: Value, change: Callable[[Value], Value] | None) -> Value:
    """Return the result of a change to opened data, Sensitive again when anything in them was."""
    opener = Opener()
    opened = opener.open(data)
    result = change(opened) if change is not None else opened
    return Sensitive(result) if opener.found else result


@function(
    "stdlib::rewrap_sensitive_data(Any $data, Optional[Callable[Any]] &$block)", since="9.8.0"
)
def rewrap_sensitive_data(data: Value, block: Closure | None) -> Value:
    """Unwrap Sensitive values in data, pass the data to a block, and wrap the result if necessary.

    ```puppet
    stdlib::rewrap_sensitive_data([Sensitive('a')]).unwrap == ['a']
    ```
    """
    return rewrapped(data, block)


# Since 9.8 a Sensitive value inside makes the whole text Sensitive.
careful = Api3Table()


@careful("stdlib::to_json(Any $data)", since="9.8.0")
def careful_to_json(data: Value) -> Value:
    """Write a value as JSON; Sensitive when anything in it is."""
    return rewrapped(data, to_json)


@careful(f"stdlib::{PRETTY_HEADER}", since="9.8.0")
def careful_to_json_pretty(data: Value, skip_undef: Value = None, options: Value = None) -> Value:
    """Write an array or a hash as JSON in lines; Sensitive when anything in it is."""
    return rewrapped(data, lambda opened: to_json_pretty(opened, skip_undef, options))


@careful("stdlib::to_toml(Hash $data)", since="9.8.0")
def careful_to_toml(data: Value) -> Value:
    """Write a hash as TOML; Sensitive when anything in it is."""
    return rewrapped(data, to_toml)
