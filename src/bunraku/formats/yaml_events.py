"""The events of libyaml's emitter for values, and the documents that it writes of them."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import yaml

from bunraku.formats.encoding import to_bytes
from bunraku.formats.failure import Unwritable
from bunraku.formats.yaml_styles import (
    SCALARS,
    Plain,
    RubyObject,
    Style,
    is_utf_8,
    ruby_style,
    scalar_text,
)
from bunraku.values.binary import Binary
from bunraku.values.default import DEFAULT
from bunraku.values.keys import pairs
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.version import SemVer

Value = Any
NULL, BOOL, STRING = (f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "str"))
tag_of: Callable[[type[yaml.Node], str, tuple[bool, bool]], str] = yaml.resolver.Resolver().resolve
"""Returns the tag that other readers give to plain text."""
OBJECT = "!ruby/object:"


class Writer:
    """Makes the events for a value in a style; strings longer than ``line_width`` are folded."""

    def __init__(self, style: Style, line_width: int | None = None) -> None:
        self.style = style
        self.line_width = line_width
        self.anchors: dict[int, str] = {}

    def find_anchors(self, value: Value, seen: set[int]) -> None:
        """Number the objects that occur again, in the order of their second occurrence."""
        if value.__class__ in SCALARS or value is DEFAULT:
            return
        if id(value) in seen:
            self.anchors.setdefault(id(value), str(len(self.anchors) + 1))
            return
        seen.add(id(value))
        if value.__class__ is list:
            for item in value:
                self.find_anchors(item, seen)
        elif value.__class__ is dict:
            for key, item in pairs(value):
                self.find_anchors(key, seen)
                self.find_anchors(item, seen)
        elif value.__class__ is Sensitive:
            self.find_anchors(value.value, seen)

    def events(self, value: Value, written: set[int]) -> Iterator[yaml.Event]:
        """Yield the events for a value."""
        kind = value.__class__
        if kind is str:
            yield self.string(value)
        elif value is None:
            yield yaml.ScalarEvent(None, NULL, (True, False), "" if self.style.ruby else "null")
        elif kind is bool:
            yield yaml.ScalarEvent(None, BOOL, (True, False), "true" if value else "false")
        elif kind is int or kind is float:
            yield yaml.ScalarEvent(None, None, (True, False), scalar_text(value))
        elif value is DEFAULT:
            yield yaml.ScalarEvent(None, None, (True, False), ":default")
        elif kind is Plain:
            yield yaml.ScalarEvent(None, None, (True, False), value.text)
        elif id(value) in written and id(value) in self.anchors:
            yield yaml.AliasEvent(self.anchors[id(value)])
        else:
            written.add(id(value))
            yield from self.compound(value, self.anchors.get(id(value)), written)

    def compound(self, value: Value, anchor: str | None, written: set[int]) -> Iterator[yaml.Event]:
        """Yield the events for values that can have an anchor."""
        kind = value.__class__
        if kind is list or kind is tuple:
            yield yaml.SequenceStartEvent(anchor, None, True, flow_style=False)
            for item in value:
                yield from self.events(item, written)
            yield yaml.SequenceEndEvent()
        elif kind is dict:
            yield yaml.MappingStartEvent(anchor, None, True, flow_style=False)
            for key, item in pairs(value):
                yield from self.events(key, written)
                yield from self.events(item, written)
            yield yaml.MappingEndEvent()
        elif kind is Regexp:
            yield yaml.ScalarEvent(anchor, "!ruby/regexp", (False, False), str(value))
        else:
            tag, attributes = self.attributes(value)
            yield yaml.MappingStartEvent(anchor, OBJECT + tag, False, flow_style=False)
            for name, item in attributes.items():
                yield from self.events(name, written)
                yield from self.events(item, written)
            yield yaml.MappingEndEvent()

    def attributes(self, value: Value) -> tuple[str, Mapping[str, Value]]:
        """Return the Ruby class and the parts of a value that Psych writes as an object."""
        kind = value.__class__
        if kind is RubyObject:
            return value.kind, value.attributes
        if kind is Sensitive:
            return "Puppet::Pops::Types::PSensitiveType::Sensitive", {"value": value.value}
        if kind is Timestamp or kind is Timespan:
            return f"Puppet::Pops::Time::{kind.__name__}", {"nsecs": value.total}
        if kind is Binary:
            data = value.data.decode("utf-8", "surrogateescape")
            return "Puppet::Pops::Types::PBinaryType::Binary", {"binary_buffer": data}
        if kind is SemVer:
            parts = ("major", "minor", "patch")
            numbers: dict[str, Value] = {part: getattr(value, part) for part in parts}
            if not value.prerelease and not value.build:
                return "SemanticPuppet::Version", numbers | {"prerelease": None, "build": None}
        raise Unwritable(kind.__name__)

    def string(self, text: str) -> yaml.ScalarEvent:
        """Return the event for a string."""
        if not is_utf_8(text):
            if self.style.only_utf_8:
                raise Unwritable("a string that is not UTF-8")
            encoded = base64.b64encode(to_bytes(text)).decode("ascii")
            return yaml.ScalarEvent(None, "!binary", (False, False), encoded, style="|")
        if not self.style.ruby:
            plain_text = tag_of(yaml.ScalarNode, text, (True, False)) == STRING
            return yaml.ScalarEvent(None, None, (plain_text, True), text)
        if text == "<<":
            return yaml.ScalarEvent(None, STRING, (False, False), text, style="'")
        style = ruby_style(text, self.line_width)
        return yaml.ScalarEvent(None, None, (True, True), text, style=style)


def written(
    writer: Writer, value: Value, version: tuple[int, int] | None = None, **options: Any
) -> str:
    """Return a document; ``options`` are those of the emitter."""
    if writer.style.anchors:
        writer.find_anchors(value, set())
    events = [
        yaml.StreamStartEvent(encoding=None),
        yaml.DocumentStartEvent(explicit=writer.style.ruby, version=version),
        *writer.events(value, set()),
        yaml.DocumentEndEvent(explicit=False),
        yaml.StreamEndEvent(),
    ]
    dumper = getattr(yaml, "CDumper", yaml.Dumper)
    return str(yaml.emit(events, Dumper=dumper, allow_unicode=True, **options))
