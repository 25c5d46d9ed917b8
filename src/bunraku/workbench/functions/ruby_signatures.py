"""The signatures of functions in Ruby, as their files declare them. No Ruby runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.ruby.syntax.erb import Unsupported
from bunraku.ruby.syntax.tree import parse_ruby
from bunraku.ruby.translate.block_functions import body_of
from bunraku.ruby.translate.declarations import PARAMETER_KINDS, literal
from bunraku.ruby.translate.nodes import named, source

Node = Any
FORMS = {
    "required": "{type} ${name}",
    "optional": "{type} ${name} = ?",
    "repeated": "{type} *${name}",
    "required_repeated": "{type} *${name}",
}
METHOD_FORMS = {
    "identifier": "required",
    "optional_parameter": "optional",
    "splat_parameter": "repeated",
}
BLOCKS = {
    "block_param": "Callable",
    "required_block_param": "Callable",
    "optional_block_param": "Optional[Callable]",
}


def ruby_signatures(name: str, text: str) -> list[str]:
    """Return the signatures in a file of ``lib/puppet/functions``; none if they are not written out."""
    root = parse_ruby(text)
    found = [block for call in calls_named(root, "dispatch") if (block := part_of(call, "block"))]
    if found:
        lists = [dispatch_parameters(block) for block in found]
    else:
        methods = (node for node in inside(root) if node.type == "method")
        own = name.rpartition("::")[2]
        lists = [method_parameters(one) for one in methods if text_of(one, "name") == own][:1]
    return list(dict.fromkeys(f"{name}({', '.join(parameters)})" for parameters in lists))


def old_signature(name: str, text: str) -> str | None:
    """Return the signature in a file of ``lib/puppet/parser/functions``: it has an arity only."""
    for call in calls_named(parse_ruby(text), "newfunction"):
        if argument_texts(call)[:1] == [name]:
            return f"{name}({', '.join(old_parameters(arity_of(call)))})"
    return None


def old_parameters(arity: int) -> list[str]:
    """Return the parameters of an arity: -2 stands for one or more."""
    least = arity if arity >= 0 else -arity - 1
    more = [] if arity >= 0 else ["Any *$args"]
    return [f"Any $arg{number}" for number in range(1, least + 1)] + more


def arity_of(call: Node) -> int:
    """Return the option ``arity`` of ``newfunction``; -1 without one."""
    for node in inside(call):
        if node.type == "pair" and text_of(node, "key").strip(":") == "arity":
            value = text_of(node, "value")
            return int(value) if value.lstrip("-").isdigit() else -1
    return -1


def dispatch_parameters(block: Node) -> list[str]:
    """Return the parameters that a dispatch block declares."""
    found = []
    for node in body_of(block):
        method = source(node) if node.type == "identifier" else text_of(node, "method")
        given = argument_texts(node)
        if method in PARAMETER_KINDS and len(given) == 2:
            found.append(FORMS[PARAMETER_KINDS[method]].format(type=given[0], name=given[1]))
        elif method in BLOCKS:
            found.append(block_parameter(method, given))
    return found


def block_parameter(method: str, given: list[str]) -> str:
    """Return the parameter for the lambda: its type and its name may be absent."""
    type_ = next((one for one in given if one[:1].isupper()), None)
    name = next((one for one in given if not one[:1].isupper()), "block")
    if type_ is not None and method == "optional_block_param":
        type_ = f"Optional[{type_}]"
    return f"{type_ or BLOCKS[method]} &${name}"


def method_parameters(method: Node) -> list[str]:
    """Return the parameters of the method that a function without a dispatch calls: of any type."""
    parameters = part_of(method, "parameters")
    found = []
    for node in [] if parameters is None else named(parameters):
        name = source(node) if node.type == "identifier" else text_of(node, "name") or "args"
        if node.type in METHOD_FORMS:
            found.append(FORMS[METHOD_FORMS[node.type]].format(type="Any", name=name))
        elif node.type == "block_parameter":
            found.append(f"Optional[Callable] &${name}")
    return found


def calls_named(root: Node, name: str) -> Iterator[Node]:
    """Yield the calls of a method, in the order of the text."""
    for node in inside(root):
        if node.type == "call" and text_of(node, "method") == name:
            yield node


def inside(node: Node) -> Iterator[Node]:
    """Yield all nodes in a node, in the order of the text."""
    waiting = named(node)[::-1]
    while waiting:
        child = waiting.pop()
        yield child
        waiting += reversed(named(child))


def argument_texts(call: Node) -> list[str]:
    """Return the arguments of a call as texts."""
    arguments = part_of(call, "arguments")
    return [] if arguments is None else [plain(one) for one in named(arguments)]


def part_of(node: Node, name: str) -> Node | None:
    """Return a part of a node, if it has it."""
    return node.child_by_field_name(name)


def text_of(node: Node, name: str) -> str:
    """Return the text of a part of a node, empty without it."""
    found = part_of(node, name)
    return "" if found is None else source(found)


def plain(node: Node) -> str:
    """Return the text of a string or symbol; the code of a value that a run computes."""
    try:
        return literal(node)
    except Unsupported:
        return source(node)
