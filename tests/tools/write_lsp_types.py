"""Write ``lsp/protocol.py``: the structures of the protocol as dictionaries with types.

Run with lsprotocol installed (``pip install lsprotocol``), which follows the metamodel of the
specification: ``python tests/tools/write_lsp_types.py``. The result is committed; bunraku needs no
package for the protocol.
"""

from __future__ import annotations

import collections.abc
import enum
import functools
import keyword
import operator
import types
import typing
from pathlib import Path

if typing.TYPE_CHECKING or __name__ == "__main__":
    import attrs
    from lsprotocol import types as protocol

TARGET = Path(__file__).parents[2] / "src" / "bunraku" / "lsp" / "protocol.py"
HEAD = '''"""The structures of the Language Server Protocol %s; ``tests/tools/write_lsp_types.py`` writes them.

Only the type checker imports this file. Values of enumerations are numbers or texts.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict
'''
VERSION = "3.18"
SKIPPED = ("Request", "Response", "Notification")
"""Ends of the names of whole messages, which are built in one place."""


def structures() -> list[type]:
    """Return the classes of structures, sorted by name."""
    return [
        one
        for name, one in sorted(vars(protocol).items())
        if isinstance(one, type) and attrs.has(one) and not name.endswith(SKIPPED)
    ]


def wire_name(name: str) -> str:
    """Return the name of a member in JSON.

    >>> wire_name("text_document"), wire_name("from_")
    ('textDocument', 'from')
    """
    first, *others = name.removesuffix("_").split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in others)


def type_text(hint: typing.Any) -> str:
    """Return a type as it stands in the file."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(type_text, arguments)))
    if origin is collections.abc.Sequence:
        return f"list[{type_text(arguments[0])}]"
    if origin is collections.abc.Mapping:
        return f"dict[str, {type_text(arguments[1])}]"
    if origin is tuple:
        return f"list[{' | '.join(dict.fromkeys(map(type_text, arguments)))}]"
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, arguments))}]"
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return "int" if issubclass(hint, int) else "str"
    if hint is type(None):
        return "None"
    if isinstance(hint, type) and hint in (str, int, float, bool):
        return hint.__name__
    if isinstance(hint, type) and attrs.has(hint):
        return hint.__name__
    return "Any"


def members(structure: type) -> dict[str, str]:
    """Return the members of a structure by their names in JSON."""
    hints = typing.get_type_hints(structure, vars(protocol))
    found = {}
    for one in attrs.fields(structure):
        hint = hints[one.name]
        optional = one.default is None
        if optional:
            rest = [part for part in typing.get_args(hint) if part is not type(None)]
            hint = functools.reduce(operator.or_, rest) if rest else hint
        text = type_text(hint)
        text = "Any" if "Any" in text.split(" | ") else text
        found[wire_name(one.name)] = f"NotRequired[{text}]" if optional else text
    return found


def structure_text(structure: type) -> str:
    """Return the definition of a structure."""
    name, found = structure.__name__, members(structure)
    if any(keyword.iskeyword(member) for member in found):
        entries = "".join(f'    "{member}": "{text}",\n' for member, text in found.items())
        return f'{name} = TypedDict(\n    "{name}",\n    {{\n{entries}}},\n)\n'
    lines = [f"    {member}: {text}" for member, text in found.items()] or ["    pass"]
    return "\n".join([f"class {name}(TypedDict):", *lines, ""])


def main() -> None:
    """Write the file."""
    pieces = [structure_text(one) for one in structures()]
    TARGET.write_text("\n\n".join([HEAD % VERSION, *pieces]), "utf-8")


if __name__ == "__main__":
    main()
