"""Writing YAML: events for libyaml's emitter, in the style of Ruby or in that of the commands.

Documents that consist of plain data are written by :mod:`bunraku.formats.yaml_block`, many times as fast.

Ruby's style (:data:`PSYCH`, :data:`LOOKUP`) is that of its library Psych: the styles of strings that it
chooses, an empty null, a document start. The commands write plain data (:data:`PLAIN`): strings in
quotes only where they must be, ``null``, no document start.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import yaml

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.formats.encoding import to_bytes
from bunraku.formats.failure import Unwritable
from bunraku.formats.yaml import RefusedScalar, plain
from bunraku.formats.yaml_block import NESTED, PLAIN_TEXT, BlockWriter
from bunraku.values.binary import Binary
from bunraku.values.default import DEFAULT
from bunraku.values.keys import pairs
from bunraku.values.numbers import float_text
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.version import SemVer

Value = Any


@record(frozen=True)
class Style:
    """Options for writing a document.

    With ``anchors``, a value that occurs twice is written once. Text that is not UTF-8 is written
    as Base64, or refused where ``only_utf_8`` is set.
    """

    ruby: bool
    anchors: bool = False
    only_utf_8: bool = False


PSYCH = Style(ruby=True, anchors=True, only_utf_8=True)
"""The style of Ruby's ``to_yaml``."""
LOOKUP = Style(ruby=True)
"""The style of ``puppet lookup``, whose values share nothing."""
PLAIN = Style(ruby=False)
"""The style of catalogs and facts that commands print."""


@record(frozen=True)
class RubyObject:
    """An object of a Ruby class with its attributes, for example a report of Puppet."""

    kind: str
    attributes: Mapping[str, Value]


@record(frozen=True)
class Plain:
    """Text that is written without quotes: a Ruby symbol (``:checked``) or a time."""

    text: str


SCALARS = frozenset({str, int, float, bool, type(None), Plain})
NULL, BOOL, STRING = (f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "str"))
tag_of: Callable[[type[yaml.Node], str, tuple[bool, bool]], str] = yaml.resolver.Resolver().resolve
"""Returns the tag that other readers give to plain text."""
LEADING_SIGN = Regexp('^[^[:word:]][^"]*$')
INNER_LINE_END = lazy_pattern(r"\n(?!\n?\Z)")
NOT_OCTAL = lazy_pattern(r"\A0[0-7]*[89]")
OBJECT = "!ruby/object:"


def is_string(text: str) -> bool:
    """Return whether a plain scalar is read back as a string."""
    try:
        return plain(text).__class__ is str
    except RefusedScalar:
        return False


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
        if not text.isascii() and re.search("[\ud800-\udfff]", text):
            if self.style.only_utf_8:
                raise Unwritable("a string that is not UTF-8")
            encoded = base64.b64encode(to_bytes(text)).decode("ascii")
            return yaml.ScalarEvent(None, "!binary", (False, False), encoded, style="|")
        if not self.style.ruby:
            plain_text = tag_of(yaml.ScalarNode, text, (True, False)) == STRING
            return yaml.ScalarEvent(None, None, (plain_text, True), text)
        return self.ruby_string(text)

    def ruby_string(self, text: str) -> yaml.ScalarEvent:
        """Return the event for a string, in the style that Psych chooses."""
        style: str | None = None
        if INNER_LINE_END.search(text):
            style = "|"
        elif text == "<<":
            return yaml.ScalarEvent(None, STRING, (False, False), text, style="'")
        elif text in {"y", "n"}:
            style = '"'
        elif self.line_width is not None and len(text) > self.line_width:
            style = ">"
        elif LEADING_SIGN.search(text) is not None:
            style = '"'
        elif not is_string(text) or NOT_OCTAL.match(text):
            style = "'"
        return yaml.ScalarEvent(None, None, (True, True), text, style=style)

    def style_of(self, text: str) -> str | None:
        """Return the quotes of a string; LookupError for one with a tag."""
        event = self.string(text)
        if event.tag is not None:
            raise LookupError(text)
        style: str | None = event.style
        return style


def plain_scalar(value: Value) -> str | None:
    """Return the written form of null, a boolean, a number or plain text; None for other values."""
    kind = value.__class__
    if value is None:
        return ""
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is float:
        return scalar_text(value)
    return value.text if kind is Plain and PLAIN_TEXT.match(value.text) else None


def scalar_text(value: float) -> str:
    """Return a number; those without digits have names of their own."""
    if value.__class__ is float and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    return float_text(value) if value.__class__ is float else str(value)


def psych_text(value: Value, options: Mapping[str, Value]) -> str:
    """Return a YAML document; raise Unwritable for a value that YAML cannot express.

    Options are indentation, line_width, canonical, header and version.
    """
    width = options.get("line_width")
    writer = Writer(PSYCH, width if width is not None and width >= 0 else None)
    version = options.get("version") or ((1, 1) if options.get("header") else None)
    return written(
        writer,
        value,
        tuple(version) if version else None,
        canonical=bool(options.get("canonical")),
        indent=options.get("indentation", 2),
        width=0 if width is None else width,
    )


def ruby_yaml_text(value: Value) -> str:
    r"""Return a YAML document as ``puppet lookup`` prints it.

    >>> ruby_yaml_text({"a": None, "y": "x\ny\n"})
    '---\na:\n"y": |\n  x\n  y\n'
    """
    writer = Writer(LOOKUP)
    kind = value.__class__
    data = value.attributes if kind is RubyObject else value
    if data.__class__ not in NESTED or not data:
        return written(writer, value)

    def emit(part: Value) -> list[str]:
        return written(writer, part)[:-1].split("\n")[1:]

    blocks = BlockWriter(writer.style_of, plain_scalar, emit)
    blocks.lines.append(f"--- {OBJECT}{value.kind}" if kind is RubyObject else "---")
    blocks.block(data, "")
    return "\n".join([*blocks.lines, ""])


def yaml_text(value: Value) -> str:
    """Return YAML as the commands print it, in the order of the data.

    >>> yaml_text({"b": [1], "a": "true", "c": None})
    "b:\\n- 1\\na: 'true'\\nc: null\\n"
    """
    return written(Writer(PLAIN), value)


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
