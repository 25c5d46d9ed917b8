"""The text of the JSON document."""

from __future__ import annotations

# The C function behind ``json.encoder``: the package takes as long to import as a small module to document.
from _json import encode_basestring

from bunraku.base.lazy_typing import Any

Data = dict[str, Any]


def document_text(data: Data) -> str:
    """Return the document as text; an empty list takes three lines, as the library of Ruby 3.1 writes it.

    >>> print(document_text({"providers": []}), end="")
    {
      "providers": [
    <BLANKLINE>
      ]
    }
    """
    return f"{json_of(data, '')}\n"


def json_of(value: Any, indent: str) -> str:
    """Return a value as indented JSON; the library of Python does this in Python, and three times slower."""
    kind = value.__class__
    if kind is str:
        return encode_basestring(value)
    inner = f"{indent}  "
    if kind is dict:
        if not value:
            return "{}"
        items = [
            f"{inner}{encode_basestring(key)}: "
            + (encode_basestring(one) if one.__class__ is str else json_of(one, inner))
            for key, one in value.items()
        ]
        return "{\n" + ",\n".join(items) + f"\n{indent}}}"
    if kind is list:
        items = [f"{inner}{json_of(one, inner)}" for one in value]
        return "[\n" + ",\n".join(items) + f"\n{indent}]"
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return str(value)
    if value is None:
        return "null"
    import json

    return json.dumps(value, ensure_ascii=False)
