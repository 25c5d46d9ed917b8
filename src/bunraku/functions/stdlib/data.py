"""Data from text and from files: JSON, PSON, and modules' metadata."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.suggestions import did_you_mean
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_commented_json
from bunraku.functions.api_3 import Api3Table, need_string
from bunraku.functions.stdlib import issues
from bunraku.functions.stdlib.deprecated import deprecate
from bunraku.modules.known_names import module_paths
from bunraku.runtime.state import Scope
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.ruby_semantics.collections import truthy

Value = Any
function = Api3Table()
newer = Api3Table()


def read_json(name: str, text: str) -> Value:
    """Return the value of a JSON text."""
    try:
        return parse_commented_json(text)
    except (FormatError, RecursionError) as error:
        raise issues.NOT_PARSED(name=name, format="JSON", reason=error) from None


def or_default(read: Callable[[], Value], default: Value) -> Value:
    """Return the result of the reader; the default if it fails or returns undef or false."""
    try:
        value = read()
    except PuppetError:
        if truthy(default):
            return default
        raise
    return value if truthy(value) else default


@function.api_3("parsejson", since="2.2.0")
def parsejson(text: Value, default: Value = None, *_: Value) -> Value:
    """Return the value of a JSON text, or a default when it is wrong.

    ```puppet
    parsejson('{"a": [1]}') == {'a' => [1]}
    parsejson('{', 'oops') == 'oops'
    ```
    """
    return or_default(lambda: read_json("parsejson", need_string(text, "parsejson")), default)


NONE_GIVEN = object()


@function("parsepson(String[1] $text, Any $default = undef)", since="8.5.0")
def parsepson(text: str, default: Value = NONE_GIVEN) -> Value:
    """Return the value of a PSON text, or a default when it is wrong.

    ```puppet
    parsepson('[1]') == [1]
    ```
    """
    try:
        value = read_json("parsepson", text)
        if value.__class__ not in {list, dict}:
            reason = "it is neither an array nor a hash"
            raise issues.NOT_PARSED(name="parsepson", format="PSON", reason=reason)
    except PuppetError:
        if default is NONE_GIVEN:
            raise
        return default
    return value


@newer("parsepson(String[1] $text, Any $default = undef)", scope=True, since="9.0.0")
def newer_parsepson(scope: Scope, _: str, default: Value = NONE_GIVEN) -> Value:
    """Deprecated; since Puppet 8 there is no PSON, and the result is undef."""
    try:
        deprecate(scope, "parsepson", "parsepson() is deprecated, use parsejson()")
    except PuppetError:
        if default is NONE_GIVEN:
            raise
        return default
    return None


def read_file(scope: Scope, name: str, path: str) -> str:
    """Return the text of an existing file."""
    try:
        content: bytes = scope.compilation.world.read(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise issues.NOT_READ(name=name, path=path, reason=reason) from None
    return content.decode("utf-8", "surrogateescape")


def load_file(
    scope: Scope, name: str, path: Value, default: Value, read: Callable[[str], Value]
) -> Value:
    """Return the data in a file; the default, with a warning, when there is none."""
    if path.__class__ is str and path.startswith(("http://", "https://")):
        raise issues.NO_NETWORK(name=name, url=path)
    world = scope.compilation.world

    def content() -> Value:
        place = need_string(path, name)
        if not world.is_file(place) and not world.is_directory(place):
            message = f"Can't load '{place}' File does not exist!"
            scope.compilation.messages.log("warning", message, scope)
            return None
        return read(read_file(scope, name, place))

    return or_default(content, default)


@function.api_3("loadjson", 1, scope=True, since="4.13.0")
def loadjson(scope: Scope, path: Value, default: Value = None, *_: Value) -> Value:
    """Return the data in a JSON file, or a default when it is absent or wrong.

    ```puppet
    loadjson('/no/such/file', {'a' => 1}) == {'a' => 1}
    ```
    """
    return load_file(scope, "loadjson", path, default, lambda text: read_json("loadjson", text))


def module_of(scope: Scope, name: Value) -> Any:
    """Return a module of the environment."""
    environment = scope.compilation.environment
    found = environment.find_module(to_s(name))
    if found is None:
        error = issues.UNKNOWN_MODULE(module=to_s(name), environment=environment.name)
        raise error.hinted(did_you_mean(to_s(name), module_paths(environment)))
    return found


@function.api_3("get_module_path", 1, 1, scope=True, since="2.3.0")
def get_module_path(scope: Scope, name: Value) -> str:
    """Return the folder of a module."""
    return str(module_of(scope, name).path)


@function.api_3("load_module_metadata", 1, 2, scope=True, since="4.8.0")
def load_module_metadata(scope: Scope, name: Value, may_lack: Value = None) -> Value:
    """Return the metadata of a module as a hash; optionally an empty one for a module without."""
    path = f"{module_of(scope, name).path}/metadata.json"
    if scope.compilation.world.is_file(path):
        return read_json("load_module_metadata", read_file(scope, "load_module_metadata", path))
    if truthy(may_lack):
        return {}
    raise issues.NO_METADATA(module=to_s(name))
