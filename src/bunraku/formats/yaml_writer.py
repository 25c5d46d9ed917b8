"""Writing YAML: events for libyaml's emitter, in the style of Ruby or in that of the commands.

Documents that consist of plain data are written by :mod:`bunraku.formats.yaml_block`, many times as fast.

Ruby's style (:data:`PSYCH`, :data:`LOOKUP`) is that of its library Psych: the styles of strings that it
chooses, an empty null, a document start. The commands write plain data (:data:`PLAIN`): strings in
quotes only where they must be, ``null``, no document start.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.formats.yaml_block import NESTED, BlockWriter
from bunraku.formats.yaml_styles import (
    LOOKUP,
    PLAIN,
    PSYCH,
    RubyObject,
    plain_scalar,
    untagged_style,
)

Value = Any


def psych_text(value: Value, options: Mapping[str, Value]) -> str:
    """Return a YAML document; raise Unwritable for a value that YAML cannot express.

    Options are indentation, line_width, canonical, header and version.
    """
    from bunraku.formats.yaml_events import Writer, written

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
    kind = value.__class__
    data = value.attributes if kind is RubyObject else value
    if data.__class__ not in NESTED:
        return emitted(value)
    if not data:
        return emitted(value) if kind is RubyObject else f"--- {NESTED[kind]}\n"
    blocks = BlockWriter(
        untagged_style, plain_scalar, lambda part: emitted(part)[:-1].split("\n")[1:]
    )
    blocks.lines.append(f"--- !ruby/object:{value.kind}" if kind is RubyObject else "---")
    blocks.block(data, "")
    return "\n".join([*blocks.lines, ""])


def emitted(value: Value) -> str:
    """Return a document in the style of ``puppet lookup`` that libyaml's emitter writes."""
    from bunraku.formats.yaml_events import Writer, written

    return written(Writer(LOOKUP), value)


def yaml_text(value: Value) -> str:
    """Return YAML as the commands print it, in the order of the data.

    >>> yaml_text({"b": [1], "a": "true", "c": None})
    "b:\\n- 1\\na: 'true'\\nc: null\\n"
    """
    from bunraku.formats.yaml_events import Writer, written

    return written(Writer(PLAIN), value)
