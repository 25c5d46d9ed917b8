"""YAML as the commands print it."""

from __future__ import annotations

import base64
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.formats.encoding import to_bytes

# What Ruby's YAML puts in quotes, so that no other reader takes it for something else than text.
DOUBLE_QUOTED = lazy_pattern(r"[ynN]|\n|[^\n]*\n{2,}|[^\w\n][^\"\n]*")
SINGLE_QUOTED = lazy_pattern(r"[-+]?[0-9][0-9,]*")


def plain_dumper() -> Any:
    """Return a safe dumper class, in C if available, that writes no anchors and aliases.

    Text that is not UTF-8 is written as Ruby writes bytes: ``!binary`` and Base64.
    """
    import yaml  # a heavy one

    safe: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    dumper: Any = type("Dumper", (safe,), {"ignore_aliases": lambda _self, _data: True})
    dumper.add_representer(str, lambda self, text: text_node(self, text, None))
    return dumper


def text_node(dumper: Any, text: str, style: str | None) -> Any:
    """Return the node of a text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        encoded = base64.b64encode(to_bytes(text)).decode("ascii")
        return dumper.represent_scalar("!binary", encoded, "|")
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


def yaml_text(data: Any) -> str:
    """Return YAML in the order of the data, without anchors.

    >>> yaml_text({"b": [1], "a": "true"})
    "b:\\n- 1\\na: 'true'\\n"
    """
    import yaml  # a heavy one

    text: str = yaml.dump(data, Dumper=plain_dumper(), sort_keys=False, allow_unicode=True)
    return text


def ruby_yaml_text(data: Any) -> str:
    r"""Return YAML as Ruby writes it, for example for ``puppet lookup``.

    >>> ruby_yaml_text({"a": None, "y": "x\ny\n"})
    '---\na:\n"y": |\n  x\n  y\n'
    """
    import yaml  # a heavy one

    dumper_class = plain_dumper()

    def ruby_node(dumper: Any, text: str) -> Any:
        style = None
        if "\n" in text.rstrip("\n"):
            style = "|"
        elif DOUBLE_QUOTED.fullmatch(text):
            style = '"'
        elif SINGLE_QUOTED.fullmatch(text):
            style = "'"
        return text_node(dumper, text, style)

    def null_node(dumper: Any, _: None) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:null", "")

    dumper_class.add_representer(str, ruby_node)
    dumper_class.add_representer(type(None), null_node)
    text: str = yaml.dump(
        data, Dumper=dumper_class, sort_keys=False, allow_unicode=True, explicit_start=True
    )
    return "---\n" if data is None else text.removesuffix("...\n")
