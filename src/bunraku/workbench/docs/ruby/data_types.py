"""Data types in Ruby: ``Puppet::DataTypes.create_type`` with an interface in the Puppet language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.dialects.puppet_8 import PUPPET_8
from bunraku.syntax import nodes
from bunraku.types.model import CallableType
from bunraku.types.parse import parse_type
from bunraku.types.text.display import display
from bunraku.workbench.docs.comments import Comment, read_comment
from bunraku.workbench.docs.model import DataType, ModuleDocs, TypeFunction
from bunraku.workbench.docs.ruby.file import (
    Node,
    RubyFile,
    block_of_call,
    call_arguments,
    inside,
    method_name,
    node_line,
    receiver,
    text_of,
)
from bunraku.workbench.docs.ruby.types import first_name
from bunraku.workbench.docs.tags import Tag
from bunraku.workbench.docs.texts import stripped

OWNERS = frozenset(["Puppet::DataTypes", "DataTypes"])


def add_data_type(docs: ModuleDocs, file: RubyFile, node: Node) -> None:
    """Add the data type that a call defines."""
    owner = receiver(node)
    name = first_name(file, node)
    if owner is None or text_of(owner) not in OWNERS or not name:
        return
    text, line = file.comment(node)
    made = DataType("data_types", name, file.path, node_line(node), read_comment(text or "", line))
    made.functions = list(written_functions(made.comment))
    interface = interface_of(file, node)
    add_attributes(made, part_of(interface, "attributes"))
    add_functions(made, part_of(interface, "functions"))
    docs.add(made)


def part_of(interface: Any, name: str) -> Mapping[str, Any]:
    """Return a part of an interface; empty without it."""
    found = interface.get(name) if isinstance(interface, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def interface_of(file: RubyFile, node: Node) -> Any:
    """Return the value of the first readable ``interface`` in the block of a call."""
    block = block_of_call(node)
    for child in () if block is None else inside(block):
        given = call_arguments(child) if child.type == "call" else []
        if not given or method_name(child) != "interface" or isinstance(given[0], list):
            continue
        text = file.word(given[0])
        if text is None:
            continue
        source = Source(f"{{ {text} }}")
        result = PUPPET_8.parse(source)
        if not result.diagnostics:
            return literal_of(result.program.body, source.text)
    return None


def literal_of(node: nodes.Node, text: str) -> Any:
    """Return the value of a literal; types are texts, other code is None."""
    match node:
        case nodes.Access() | nodes.Reference():
            return text[node.start : node.end]
        case nodes.String() | nodes.Name() | nodes.Integer() | nodes.Float() | nodes.Boolean():
            return node.value
        case nodes.UnaryMinus():
            value = literal_of(node.expression, text)
            return -value if isinstance(value, int | float) else None
        case nodes.Default():
            return "default"
        case nodes.List():
            return [literal_of(one, text) for one in node.values]
        case nodes.Hash():
            return {literal_of(one.key, text): literal_of(one.value, text) for one in node.entries}
        case nodes.Block() if len(node.statements) == 1:
            return literal_of(node.statements[0], text)
    return None


def add_attributes(made: DataType, attributes: Mapping[str, Any]) -> None:
    """Give the tags of attributes the declared types, and add tags for the other attributes."""
    types: dict[str, Any] = {}
    for name, value in attributes.items():
        declared = value.get("type") if isinstance(value, Mapping) else value
        types[name] = declared if isinstance(declared, str) else None
        default = value.get("value") if isinstance(value, Mapping) else None
        if default is not None:
            made.defaults[name] = default
    comment = made.comment
    tagged = {tag.subject for tag in comment.named("param")}
    comment.all_tags = [
        tag for tag in comment.all_tags if tag.name != "param" or tag.subject in types
    ]
    comment.all_tags += [Tag("param", "", None, name) for name in types if name not in tagged]
    for tag in comment.named("param"):
        tag.types = [types[tag.subject or ""] or "Any"]


def written_functions(comment: Comment) -> Iterator[TypeFunction]:
    """Yield the functions that directives ``@!method`` describe."""
    for tag in comment.directives:
        if tag.name == "method":
            head, _, body = (tag.text or "").partition("\n")
            found = re.match(r"(?:self\s*\.\s*)?([a-zA-Z_]\w*[!?=]?)", stripped(head), re.ASCII)
            if found:
                yield TypeFunction(found[1], "", read_comment(body))


def add_functions(made: DataType, declared: Mapping[str, Any]) -> None:
    """Give functions the declared types, and add those without a directive."""
    callables = {name: declared_callable(value) for name, value in declared.items()}
    found = [one for one in made.functions if one.name in callables]
    known = {one.name for one in found}
    found += [TypeFunction(name, "", Comment()) for name in callables if name not in known]
    made.functions = found
    for one in found:
        parameters, result = callables[one.name]
        add_types_of(one.comment, parameters, result)
        names = [tag.subject or "" for tag in one.comment.named("param")]
        written = f"({', '.join(names)})" if names else ""
        one.signature = f"{made.name}.{one.name}{written}"


def declared_callable(value: Any) -> tuple[list[str], str | None]:
    """Return the types of the parameters and of the result of a Callable; nothing for other types."""
    try:
        type_ = parse_type(str(value))
    except PuppetError:
        return [], None
    if not isinstance(type_, CallableType):
        return [], None
    result = "" if type_.return_type is None else display(type_.return_type)
    return [display(one) for one in type_.parameters or ()], result


def add_types_of(comment: Comment, parameters: list[str], result: str | None) -> None:
    """Give the tags of a function the declared types; there is one tag for each parameter."""
    tag = comment.first("return")
    if tag is None:
        comment.all_tags.append(Tag("return", "", None if result is None else [result]))
    else:
        tag.types = [result]
    tags = comment.named("param")
    surplus = tags[len(parameters) :]
    comment.all_tags = [one for one in comment.all_tags if one not in surplus]
    for number in range(len(tags) + 1, len(parameters) + 1):
        comment.all_tags.append(Tag("param", "", None, f"param{number}"))
    for one, declared in zip(comment.named("param"), parameters, strict=True):
        one.types = [declared]
