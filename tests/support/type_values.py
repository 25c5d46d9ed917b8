"""Values and types for the tests of types, read from Puppet literals and constructor calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.base.source import Source
from bunraku.syntax import nodes
from bunraku.syntax.parser.parser import parse
from bunraku.types.builtin import make_deferred, make_error
from bunraku.types.model import ResourceType, Type
from bunraku.types.parse import parse_type
from bunraku.types.type_reader import TypeReader, begin_alias, finish_alias
from bunraku.values.binary import Binary
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer, SemVerRange

RESOURCE_TYPES = ("file", "user", "notify", "package")


class Loader:
    """Knows a few resource types, and the aliases given to it."""

    def __init__(self) -> None:
        self.types: dict[str, Type] = {name: ResourceType(name) for name in RESOURCE_TYPES}

    def load_type(self, name: str) -> Type | None:
        """The type of a name."""
        return self.types.get(name.lower())


def time_of(cls: Any) -> Callable[[Any], Any]:
    """Makes a time of text or of seconds."""
    return lambda value: cls.parse(value) if isinstance(value, str) else cls.from_seconds(value)


CONSTRUCTORS: dict[str, Callable[..., Any]] = {
    "binary": Binary.from_base64,
    "deferred": make_deferred,
    "error": make_error,
    "semver": SemVer.parse,
    "semverrange": SemVerRange.parse,
    "sensitive": lambda value: value if isinstance(value, Sensitive) else Sensitive(value),
    "timespan": time_of(Timespan),
    "timestamp": time_of(Timestamp),
    "type": parse_type,
    "uri": URI.parse,
}


class ValueReader(TypeReader):
    """Reads literals, types, and calls that make values."""

    def value(self, node: nodes.Node) -> Any:
        """The value of a node."""
        if isinstance(node, nodes.Call):
            name = getattr(node.callee, "value", "")
            return CONSTRUCTORS[name.lower()](*map(self.value, node.arguments))
        return super().value(node)


def evaluate(text: str, loader: Loader | None = None) -> Any:
    """The value of a piece of Puppet code without variables."""
    source = Source(text)
    result = parse(source)
    assert not result.errors, (text, result.errors[0].message)
    body = result.program.body
    if isinstance(body, nodes.Block):
        body = body.statements[0]
    return ValueReader(loader or Loader(), source).value(body)


def define(text: str) -> Loader:
    """A loader that knows the aliases which a manifest defines."""
    source = Source(text)
    result = parse(source)
    assert not result.errors, result.errors[0].message
    loader = Loader()
    found = [item for item in result.program.definitions if isinstance(item, nodes.TypeAlias)]
    for item in found:
        loader.types[item.name.lower()] = begin_alias(item)
    for item in found:
        finish_alias(loader.types[item.name.lower()], item, loader, source)
    return loader
