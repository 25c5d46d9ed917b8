"""Data from text and from files in notations that people write: YAML and HOCON."""

from __future__ import annotations

from typing import Any

import yaml

from bunraku.formats.hocon import HoconError, parse_hocon
from bunraku.formats.yaml import YamlError, load
from bunraku.functions.api_3 import Api3Table, need_string
from bunraku.functions.stdlib import issues
from bunraku.functions.stdlib.data import NONE_GIVEN, load_file, or_default
from bunraku.runtime.state import Scope
from bunraku.values.keys import make_hash, pairs

Value = Any
function = Api3Table()
newer = Api3Table()


def read_yaml(name: str, text: str, *, aliases: bool = False) -> Value:
    """Return the value of a YAML text; undef if it is empty or false."""
    try:
        if not aliases and "*" in text:
            loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
            if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, loader)):
                raise YamlError("aliases are not allowed here")
        return with_strings(load(text))
    except (YamlError, yaml.YAMLError) as error:
        raise issues.NOT_PARSED(name=name, format="YAML", reason=error) from None


def with_strings(value: Value) -> Value:
    """Return a value whose Ruby symbols are strings."""
    kind = value.__class__
    if kind is list:
        return [with_strings(item) for item in value]
    if kind is dict:
        return make_hash((with_strings(key), with_strings(item)) for key, item in pairs(value))
    return str(value) if isinstance(value, str) else value


@function.api_3("parseyaml", since="2.2.0")
def parseyaml(text: Value, default: Value = None, *_: Value) -> Value:
    """Return the value of a YAML text, or a default when it is wrong.

    ```puppet
    parseyaml('a: [1, yes]') == {'a' => [1, true]}
    ```
    """
    return or_default(lambda: read_yaml("parseyaml", need_string(text, "parseyaml")), default)


@function("parsehocon(String $text, Any $default = undef)", since="6.5.0", until="8.6.0")
@function("stdlib::parsehocon(String $text, Any $default = undef)", since="9.0.0")
def parsehocon(text: str, default: Value = NONE_GIVEN) -> Value:
    """Return the value of a HOCON text, or a default when it is wrong.

    ```puppet
    parsehocon('a.b = 1') == {'a' => {'b' => 1}}
    ```
    """
    try:
        return parse_hocon(text)
    except HoconError as error:
        if default is not NONE_GIVEN:
            return default
        raise issues.NOT_PARSED(name="parsehocon", format="HOCON", reason=error) from None


@function.api_3("loadyaml", 1, scope=True, since="1.0.0")
def loadyaml(scope: Scope, path: Value, default: Value = None, *_: Value) -> Value:
    """Return the data in a YAML file, or a default when it is absent or wrong.

    ```puppet
    loadyaml('/no/such/file', {'a' => 1}) == {'a' => 1}
    ```
    """
    return load_file(scope, "loadyaml", path, default, lambda text: read_yaml("loadyaml", text))


@newer.api_3("loadyaml", 1, scope=True, since="9.1.0")
def newer_loadyaml(scope: Scope, path: Value, default: Value = None, *_: Value) -> Value:
    """Return the data in a YAML file, which may hold aliases, or a default."""

    def read(text: str) -> Value:
        return read_yaml("loadyaml", text, aliases=True)

    return load_file(scope, "loadyaml", path, default, read)
