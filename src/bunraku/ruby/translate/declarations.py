"""Reading a file that defines a function in Ruby: signatures, types, constants, methods.

A file that does anything else than define one function is refused: Ruby runs it.
"""

from __future__ import annotations

from typing import Any

from bunraku.base.records import field, record
from bunraku.ruby.syntax.erb import Unsupported
from bunraku.ruby.translate.block_functions import body_of
from bunraku.ruby.translate.nodes import named, part, source

Node = Any
Signature = dict[str, Any]
REQUIRED = frozenset(
    [
        "base64",
        "date",
        "digest",
        "digest/md5",
        "digest/sha1",
        "digest/sha2",
        "English",
        "erb",
        "ipaddr",
        "json",
        "openssl",
        "resolv",
        "securerandom",
        "set",
        "shellwords",
        "socket",
        "time",
        "uri",
        "yaml",
    ]
)
"""Ruby's own libraries, whose loading has no effect on functions."""
PARAMETER_KINDS = {
    "param": "required",
    "required_param": "required",
    "optional_param": "optional",
    "repeated_param": "repeated",
    "optional_repeated_param": "repeated",
    "required_repeated_param": "required_repeated",
}
SPECIAL = frozenset({"call", "initialize", "method_missing", "respond_to_missing?"})
"""Methods that a function does not define without consequences."""
ORDER = {"required": 0, "optional": 1, "repeated": 2, "required_repeated": 2}
WRITTEN_OUT = frozenset(
    [
        *("string", "string_content", "integer", "float", "true", "false", "nil", "regex"),
        *("array", "hash", "pair", "simple_symbol", "hash_key_symbol", "string_array"),
        *("bare_string", "escape_sequence"),
    ]
)
"""The kinds of nodes that the value of a constant may have."""


CREATION = "Puppet::Functions.create_function"
"""Puppet looks for this text before it runs the file of a function."""


def refused(node: Node, what: str) -> Unsupported:
    """Return the exception for a file that Ruby must run."""
    return Unsupported(what, int(node.start_point[0]) + 1)


def created(root: Node, name: str) -> list[Node]:
    """Return the content of the block of ``create_function``, which the rest only surrounds."""
    found: Node | None = None
    if CREATION not in source(root):
        raise refused(root, f"a file without {CREATION}")
    for node in named(root):
        receiver, method, block = (
            node.child_by_field_name(part) for part in ("receiver", "method", "block")
        )
        called = "" if method is None else source(method)
        if node.type == "call" and receiver is None and called == "require":
            if literal(only_argument(node)) not in REQUIRED:
                raise refused(node, "a file that it requires")
        elif receiver is not None and source(receiver) == "Puppet::Functions" and found is None:
            if called != "create_function" or block is None:
                raise refused(node, f"'{called}'")
            if literal(only_argument(node)) != name:
                raise refused(node, "a function of another name")
            found = block
        else:
            raise refused(node, "code around the function")
    if found is None or found.child_by_field_name("parameters") is not None:
        raise refused(root, "a file that creates no function")
    return body_of(found)


def only_argument(node: Node) -> Node:
    """Return the one argument of a call."""
    given = node.child_by_field_name("arguments")
    arguments = [] if given is None else named(given)
    if len(arguments) != 1:
        raise refused(node, "a call with these arguments")
    return arguments[0]


def literal(node: Node) -> str:
    """Return the text of a string or symbol without interpolation."""
    if node.type == "simple_symbol":
        return source(node)[1:]
    if node.type not in ("string", "delimited_symbol"):
        raise refused(node, "something else than a string")
    if any(child.type != "string_content" for child in named(node)):
        raise refused(node, "a string of this form")
    return "".join(source(child) for child in named(node))


@record()
class FunctionClass:
    """Return the content of the block of ``create_function``, which the rest only surrounds."""

    signatures: list[Signature] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    methods: dict[str, Node] = field(default_factory=dict)
    constants: dict[str, Node] = field(default_factory=dict)


def read_class(nodes: list[Node]) -> FunctionClass:
    """Return the dispatches, methods and constants of a function."""
    found = FunctionClass()
    for node in nodes:
        if node.type == "method":
            if source(node.child_by_field_name("name")) in SPECIAL:
                raise refused(node, "a method that Ruby itself calls")
            found.methods[source(node.child_by_field_name("name"))] = node
        elif node.type == "assignment" and is_constant(node):
            left, right = (node.child_by_field_name(part) for part in ("left", "right"))
            found.constants[source(left)] = right
        elif node.type == "call":
            read_declaration(node, found)
        elif node.type == "identifier" and source(node) == "private":
            continue  # Puppet calls private methods as well
        elif node.type != "begin" or not is_require(node):
            raise refused(node, "code beside methods and dispatches")
    return found


def read_declaration(node: Node, found: FunctionClass) -> None:
    """``dispatch``, ``argument_mismatch``, ``local_types`` or ``require``."""
    method, block = (node.child_by_field_name(part) for part in ("method", "block"))
    name = "" if method is None else source(method)
    if name in ("dispatch", "argument_mismatch") and block is not None:
        signature = read_dispatch_block(literal(only_argument(node)), block)
        signature["mismatch"] = name == "argument_mismatch"
        found.signatures.append(signature)
    elif name == "local_types" and block is not None:
        for child in body_of(block):
            if child.type != "call" or source(part(child, "method")) != "type":
                raise refused(child, "code among local types")
            found.types.append(literal(only_argument(child)))
    elif name != "require" or literal(only_argument(node)) not in REQUIRED:
        raise refused(node, "code beside methods and dispatches")


def is_constant(node: Node) -> bool:
    """Return whether an assignment gives a constant a value that is written out."""
    left, right = (node.child_by_field_name(part) for part in ("left", "right"))
    while right.type == "call" and source(right.child_by_field_name("method")) == "freeze":
        right = right.child_by_field_name("receiver")
    waiting, kinds = [right], set()
    while waiting:
        inner = waiting.pop()
        kinds.add(inner.type)
        waiting += named(inner)
    return left.type == "constant" and kinds <= WRITTEN_OUT


def is_require(node: Node) -> bool:
    """Return whether ``begin`` only has ``require`` of parts of Ruby and handles their absence."""
    inner = named(node)
    loads = [child for child in inner if child.type != "rescue"]
    return all(
        child.type == "call"
        and source(part(child, "method")) == "require"
        and literal(only_argument(child)) in REQUIRED
        for child in loads
    )


def read_dispatch_block(method: str, block: Node) -> Signature:
    """Return one signature."""
    found = signature_of(method)
    for node in body_of(block):
        name_node = node.child_by_field_name("method")
        name = "" if name_node is None else source(name_node)
        given = node.child_by_field_name("arguments")
        arguments = [] if given is None else [literal(child) for child in named(given)]
        if name == "return_type" and len(arguments) == 1:
            found["returns"] = arguments[0]
        elif name in PARAMETER_KINDS and len(arguments) == 2:
            found["parameters"].append([*arguments, PARAMETER_KINDS[name]])
        else:
            raise refused(node, f"'{name}' in a dispatch")
    order = [ORDER[kind] for _, _, kind in found["parameters"]]
    if order != sorted(order) or order.count(ORDER["repeated"]) > 1:
        raise refused(block, "parameters in this order")
    return found


def signature_of(method: str) -> Signature:
    """Return a signature without parameters, in the form that Ruby sends."""
    return {
        "method_name": method,
        "parameters": [],
        "block": None,
        "returns": None,
        "injected": [],
        "mismatch": False,
    }


def implicit(name: str, method: Node) -> Signature:
    """Without a dispatch the method of the function's own name takes anything."""
    found = signature_of(name)
    parameters = method.child_by_field_name("parameters")
    listed = {
        "identifier": "required",
        "optional_parameter": "optional",
        "splat_parameter": "repeated",
    }
    for child in [] if parameters is None else named(parameters):
        if child.type not in listed:
            raise refused(child, "parameters of this form")
        inner = child if child.type == "identifier" else child.child_by_field_name("name")
        if inner is None:
            raise refused(child, "parameters without a name")
        found["parameters"].append(["Any", source(inner), listed[child.type]])
    return found
