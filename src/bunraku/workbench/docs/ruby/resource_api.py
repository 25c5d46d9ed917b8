"""Resource types of the Resource API: ``Puppet::ResourceApi.register_type(name: …)``."""

from __future__ import annotations

import re

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any
from bunraku.workbench.docs.comments import read_comment
from bunraku.workbench.docs.model import Attribute, ModuleDocs
from bunraku.workbench.docs.ruby.file import (
    Node,
    RubyFile,
    call_arguments,
    code_nodes,
    node_line,
    pairs_of,
    receiver,
    text_of,
)
from bunraku.workbench.docs.texts import scrubbed

CONSTANTS = {"true": True, "false": False, "nil": None}
INTEGER = lazy_pattern(r"[-+]?\d[\d_]*", re.ASCII)


class UnknownValue(Exception):
    """The definition of a type has code that must run."""


def registered_type(docs: ModuleDocs, file: RubyFile, node: Node) -> None:
    """Add the resource type that a call registers; one with code in its definition is not documented."""
    owner = receiver(node)
    given = call_arguments(node, with_last=True)
    if owner is None or text_of(owner) != "Puppet::ResourceApi" or len(given) != 1:
        return
    if not isinstance(given[0], list):
        return
    try:
        schema = hash_value(file, given[0])
    except UnknownValue:
        return
    name = schema.get("name")
    if not isinstance(name, str):
        return
    made = docs.resource_type(name, file.path, node_line(node))
    text, line = file.comment(node)
    described = schema.get("docs")
    if described:
        text, line = scrubbed(str(described)), node_line(node)
    made.comment = read_comment(text or "", line)
    attributes = schema.get("attributes")
    for key, definition in attributes.items() if isinstance(attributes, dict) else ():
        if isinstance(definition, dict):
            behaviour = definition.get("behaviour")
            own = made.attributes if behaviour in {"parameter", "namevar"} else made.properties
            own.append(schema_attribute(key, definition))


def schema_attribute(name: str, definition: dict[str, Any]) -> Attribute:
    """Return an attribute of a type."""
    return Attribute(
        name,
        definition.get("desc") or "",
        data_type=definition.get("type"),
        is_namevar=definition.get("behaviour") == "namevar",
        default=definition.get("default"),
    )


def hash_value(file: RubyFile, pairs: list[tuple[Node, Node | None]]) -> dict[Any, Any]:
    """Return keys and values."""
    return {literal_value(file, key): literal_value(file, value) for key, value in pairs}


def literal_value(file: RubyFile, node: Node | None) -> Any:
    """Return the value of a literal. Of a list, Puppet Strings reads the first item only.

    Raises UnknownValue for other code.
    """
    if node is None:
        return None
    if node.type in CONSTANTS:
        return CONSTANTS[node.type]
    if node.type == "hash":
        return hash_value(file, pairs_of(node))
    if node.type == "array" and text_of(node).startswith("["):
        return [literal_value(file, one) for one in code_nodes(node)[:1]]
    if node.type in {"integer", "unary"} and INTEGER.fullmatch(text_of(node)):
        return int(text_of(node).replace("_", ""))
    word = file.word(node)
    if word is None:
        raise UnknownValue
    return word
