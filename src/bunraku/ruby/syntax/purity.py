"""Whether Ruby code of a template or function computes only from its arguments, and from what it asks Puppet for.

Such code has the same result for the same arguments and answers, so a recorded compile can be used again although Ruby ran
it. What it asks Puppet for, such as variables and other functions, is recorded by the answering code. Everything that is not
known is refused: nodes by type, constants by path, methods by name (:mod:`bunraku.ruby.syntax.pure_names`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from bunraku.base.records import record
from bunraku.ruby.syntax.erb import PUT, TEXT, Unsupported, ruby_text
from bunraku.ruby.syntax.grammar import has_reader
from bunraku.ruby.syntax.pure_names import (
    BY_NAME,
    CALLS,
    CLASS_METHODS,
    CONSTANTS,
    DECLARATIONS,
    FRAMES,
    KERNEL,
    LIBRARIES,
    METHODS,
    REFUSED_NODES,
    SCOPE_METHODS,
    SCOPES,
    listed_words,
)
from bunraku.ruby.syntax.tree import parse_ruby

if TYPE_CHECKING:
    from tree_sitter import Node

FROZEN = re.compile(rb"^# *frozen_string_literal: *true", re.MULTILINE)
OLD_CALL = "function_"
"""How calls of functions of the old kind begin: their files are checked when a compile loads them."""
LAST_MATCH = re.compile(r"\$[0-9~&]")


@record(frozen=True)
class Impurity:
    """What code does besides computing, and in which line."""

    what: str
    line: int


UNREAD = Impurity("has Ruby code, which cannot be read without the package tree-sitter", 1)


def impurity_of_function(text: str) -> Impurity | None:
    """Return the first thing that the code of a function does besides computing; None if there is none.

    >>> code = "Puppet::Functions.create_function(:f) do def g(a) a end; def f(a) CODE end; end"
    >>> impurity_of_function(code.replace("CODE", "IPAddr.new(a).ipv6? ? g(a) : lookupvar('x')"))
    >>> codes = ("Time.now", "rand", "`id`", "File.read(a)", "a.send(:x)", "@a = 1")
    >>> [impurity_of_function(code.replace("CODE", one)).what for one in codes]
    ['uses Time', 'calls rand', 'runs a program', 'calls File.read', 'calls send', 'keeps a value between calls']
    """
    return FunctionCode(text).impurity() if has_reader() else UNREAD


def impurity_of_template(text: str) -> Impurity | None:
    """Return the first thing that the code of a template does besides computing; None if there is none.

    >>> impurity_of_template(
    ...     "<% def f(v) v.to_s.strip end %><%= f(@a) %> <%= scope.lookupvar('b') %>"
    ... )
    >>> codes = ("Time.now", "rand", "`id`", "scope.x", "@a.send(:x)")
    >>> [impurity_of_template(f"<%= {one} %>").what for one in codes]
    ['uses Time', 'calls rand', 'runs a program', 'calls scope.x', 'calls send']
    """
    try:
        code = ruby_text(text).code
    except Unsupported as unsupported:
        return Impurity("is no Ruby that can be read", unsupported.line)
    return TemplateCode(code).impurity() if has_reader() else UNREAD


class FunctionCode:
    """The nodes of a function's file, with the names that it defines.

    ``bound`` has where a variable gets its first value, by the method around it and its name.
    """

    calls: ClassVar[frozenset[str]] = CALLS | DECLARATIONS
    refused: ClassVar[Mapping[str, str]] = REFUSED_NODES

    def __init__(self, text: str) -> None:
        self.root = root = parse_ruby(text)
        self.nodes = nodes = list(nodes_below(root))
        self.methods = {
            content(one.child_by_field_name("name")) for one in nodes if one.type == "method"
        }
        literals = FROZEN.search(root.text[:500] if root.text else b"") is not None
        self.constants = {
            content(left)
            for one in nodes
            if one.type == "assignment"
            and (left := one.child_by_field_name("left")) is not None
            and left.type == "constant"
            and is_frozen(one.child_by_field_name("right"), literals)
        }
        self.bound: dict[tuple[int, str], int] = {}
        self.blocks: set[str] = set()
        for node in nodes:
            for one in bound_by(node):
                key = method_around(one), content(one)
                self.bound[key] = min(one.start_byte, self.bound.get(key, one.start_byte))
                if node.type == "block_parameter":
                    self.blocks.add(content(one))

    def impurity(self) -> Impurity | None:
        """Return the first thing that the code does besides computing; None if there is none."""
        if self.root.has_error:
            return Impurity("is no Ruby that can be read", 1)
        for node in self.nodes:
            what = self.impurity_of(node)
            if what is not None:
                return Impurity(what, node.start_point[0] + 1)
        return None

    def impurity_of(self, node: Node) -> str | None:
        """Return what a node does besides computing, apart from the nodes in it."""
        kind = node.type
        if not node.is_named:
            return None
        if kind in self.refused:
            return self.refused[kind]
        if kind == "global_variable":
            return None if LAST_MATCH.fullmatch(content(node)) else f"uses {content(node)}"
        if kind == "module":
            name = content(node.child_by_field_name("name"))
            return None if name in FRAMES else f"defines the module {name}"
        check = CHECKS.get(kind)
        return None if check is None else check(self, node)

    def constant(self, node: Node) -> str | None:
        """Check a constant that stands alone."""
        parent = node.parent
        if parent is not None and parent.type == "scope_resolution":
            return None  # the path is checked, or its beginning is an expression
        return self.path(node)

    def path(self, node: Node) -> str | None:
        """Check a constant by its path."""
        parent, name = node.parent, content(node).removeprefix("::")
        if parent is not None:
            if parent.type in {"scope_resolution", "module"}:
                return None  # checked with the whole
            if parent.type == "call" and parent.child_by_field_name("receiver") == node:
                return None  # the call is checked
            if parent.type == "call" and parent.child_by_field_name("method") == node:
                return None
            if parent.type == "assignment" and parent.child_by_field_name("left") == node:
                return None
        if name == "Exception":
            return None if is_raised(node) else "catches Exception"
        if name == "Puppet" and parent is not None and parent.type == "element_reference":
            return None  # settings: the recorded compile answers
        known = name in CONSTANTS or name in self.constants
        return None if known else f"uses {name}"

    def call(self, node: Node) -> str | None:
        """Check the method that is called, and a constant that is its receiver."""
        receiver, method = (node.child_by_field_name(name) for name in ("receiver", "method"))
        name = content(method) or "call"
        if receiver is None:
            return self.own_call(node, name)
        if receiver.type in ("constant", "scope_resolution"):
            return self.constant_call(content(receiver).removeprefix("::"), name)
        if receiver.type == "self" or content(receiver) in SCOPES:
            known = (
                name in SCOPE_METHODS
                or name.startswith(OLD_CALL)
                or (receiver.type == "self" and name in self.methods)
            )
            return None if known else f"calls {content(receiver)}.{name}"
        if name in BY_NAME and not names_a_method(node, METHODS):
            return f"calls {name} with a method that is computed"
        return None if name in METHODS else f"calls {name}"

    def constant_call(self, path: str, name: str) -> str | None:
        """Check a method of a constant."""
        if path in self.constants:
            return None if name in METHODS else f"calls {name}"
        if name in CLASS_METHODS.get(path, ()) or (path in CONSTANTS and name in ("name", "to_s")):
            return None
        return f"calls {path}.{name}" if path in CLASS_METHODS else f"uses {path}"

    def own_call(self, node: Node, name: str) -> str | None:
        """Check a call without a receiver."""
        if name == "require":
            return self.library(node)
        known = name.startswith(OLD_CALL) or name in self.calls or name in self.methods
        return None if known else f"calls {name}"

    def library(self, node: Node) -> str | None:
        """Check a library that is loaded."""
        arguments = node.child_by_field_name("arguments")
        given = [] if arguments is None else arguments.named_children
        if len(given) == 1 and given[0].type == "string" and content(given[0])[1:-1] in LIBRARIES:
            return None
        return f"loads {content(arguments) or 'a file'}"

    def block_argument(self, node: Node) -> str | None:
        """Check ``&:name`` and ``&block``."""
        inner = node.named_children
        if len(inner) == 1 and inner[0].type == "simple_symbol":
            return None if content(inner[0])[1:] in METHODS else f"calls {content(inner[0])[1:]}"
        return None if len(inner) == 1 and content(inner[0]) in self.blocks else "passes a block on"

    def identifier(self, node: Node) -> str | None:
        """Check a variable, or a method that is called by its name alone."""
        parent, name = node.parent, content(node)
        if parent is not None and parent.type in ("call", "method"):
            named_by = "method" if parent.type == "call" else "name"
            if parent.child_by_field_name(named_by) == node:
                return None  # the call is checked
        known = name in self.methods or name in SCOPES or name in self.calls
        return None if known or self.is_variable(node, name) else f"calls {name}"

    def is_variable(self, node: Node, name: str) -> bool:
        """Return whether a name has got a value before, in the same method."""
        first = self.bound.get((method_around(node), name))
        return first is not None and first <= node.start_byte

    def assignment(self, node: Node) -> str | None:
        """Check an assignment: outside of the function, its variable would live as long as Ruby."""
        left = node.child_by_field_name("left")
        if left is not None and left.type == "constant":
            return None if content(left) in self.constants else "has a constant that may change"
        inside = method_around(node) >= 0 or called_around(node, "newfunction")
        return None if inside else "keeps a value between calls"

    def method(self, node: Node) -> str | None:
        """Check a method that is defined: outside of a function it would be one of every object."""
        name = content(node.child_by_field_name("name"))
        if called_around(node, "create_function"):
            return f"defines {name}" if name in SCOPES | self.calls else None
        known = METHODS | KERNEL | SCOPES | self.calls
        return f"defines {name} for every object" if name in known else None

    def self_(self, node: Node) -> str | None:
        """Check a use of the function itself: as the receiver of a call only."""
        parent = node.parent
        if parent is not None and parent.type in ("call", "element_reference"):
            if parent.children[0] == node:
                return None
        return "passes itself on"

    def pair(self, node: Node) -> str | None:
        """Check an entry of a hash: without a value, it has that of a variable or method."""
        return (
            None if node.child_by_field_name("value") is not None else "has a hash without values"
        )


class TemplateCode(FunctionCode):
    """The code of a template: each rendering has its own variables."""

    calls: ClassVar[frozenset[str]] = CALLS | {TEXT, PUT, "has_variable?"}
    refused: ClassVar[Mapping[str, str]] = {
        name: what for name, what in REFUSED_NODES.items() if name != "instance_variable"
    }

    def assignment(self, node: Node) -> str | None:
        """See FunctionCode."""
        left = node.child_by_field_name("left")
        is_constant = left is not None and left.type == "constant"
        return "has a constant that may change" if is_constant else None


PARAMETERS = listed_words(
    """
    method_parameters block_parameters lambda_parameters destructured_parameter optional_parameter
    keyword_parameter splat_parameter hash_splat_parameter block_parameter
    """
)
"""Nodes whose names become variables."""
CHECKS: Mapping[str, Callable[[FunctionCode, Node], str | None]] = {
    "constant": FunctionCode.constant,
    "scope_resolution": FunctionCode.path,
    "call": FunctionCode.call,
    "block_argument": FunctionCode.block_argument,
    "assignment": lambda code, node: code.assignment(node),
    "operator_assignment": lambda code, node: code.assignment(node),
    "method": FunctionCode.method,
    "identifier": FunctionCode.identifier,
    "self": FunctionCode.self_,
    "pair": FunctionCode.pair,
}


def is_frozen(node: Node | None, literals: bool) -> bool:
    """Return whether a constant keeps its value: ``literals`` is whether texts cannot be changed."""
    if node is None:
        return False
    if node.type == "call" and content(node.child_by_field_name("method")) == "freeze":
        inner = node.child_by_field_name("receiver")
        return inner is not None and (is_literal(inner, literals) or inner.type in TEXTS)
    return is_literal(node, literals) and node.type not in ("array", "hash", *WORDS)


def is_literal(node: Node, literals: bool) -> bool:
    """Return whether an expression is made of constants that cannot be changed."""
    if node.type in TEXTS:
        return literals and all(one.type != "interpolation" for one in node.named_children)
    if node.type in WORDS:
        return literals or node.type == "symbol_array"
    if node.type in ("array", "hash", "pair", "range", "unary"):
        return all(
            is_literal(one, literals) for one in node.named_children if one.type != "comment"
        )
    return node.type in LITERALS


TEXTS = frozenset({"string", "heredoc_beginning"})
WORDS = frozenset({"string_array", "symbol_array"})
LITERALS = listed_words(
    """
    integer float rational regex simple_symbol hash_key_symbol true false nil
    """
)


def bound_by(node: Node) -> Iterator[Node]:
    """Yield the names of variables that a node gives a value."""
    kind = node.type
    if kind in ("assignment", "operator_assignment"):
        left = node.child_by_field_name("left")
        found = [] if left is None else [left] if left.type == "identifier" else left_names(left)
    elif kind in PARAMETERS:
        found = [one for one in node.children if one.type == "identifier"]
    elif kind == "exception_variable":
        found = list(node.named_children)
    elif kind == "for":
        pattern = node.child_by_field_name("pattern")
        found = [] if pattern is None else list(nodes_below(pattern))
    else:
        found = []
    yield from [one for one in found if one.type == "identifier"]


def left_names(left: Node) -> list[Node]:
    """Return the names in the left side of an assignment of several values."""
    if left.type not in ("left_assignment_list", "rest_assignment", "destructured_left_assignment"):
        return []
    return [
        name
        for one in left.named_children
        for name in ([one] if one.type == "identifier" else left_names(one))
    ]


def method_around(node: Node) -> int:
    """Return where the method begins that a node is in; -1 outside of methods."""
    around = node.parent
    while around is not None and around.type != "method":
        around = around.parent
    return -1 if around is None else around.start_byte


def is_raised(node: Node) -> bool:
    """Return whether a class of errors is the argument of ``raise``."""
    arguments = node.parent
    call = None if arguments is None or arguments.type != "argument_list" else arguments.parent
    return call is not None and content(call.child_by_field_name("method")) in ("raise", "fail")


def called_around(node: Node, name: str) -> bool:
    """Return whether a node is in a call of a method."""
    around: Node | None = node
    while around is not None:
        if around.type == "call" and content(around.child_by_field_name("method")) == name:
            return True
        around = around.parent
    return False


def nodes_below(root: Node) -> Iterator[Node]:
    """Yield the nodes of a tree."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


def content(node: Node | None) -> str:
    """Return the text of a node."""
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def names_a_method(node: Node, methods: frozenset[str]) -> bool:
    """Return whether ``inject`` or ``reduce`` gets a block, or the name of a known method."""
    if node.child_by_field_name("block") is not None:
        return True
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not arguments.named_children:
        return False
    last = arguments.named_children[-1]
    known = last.type == "simple_symbol" and content(last)[1:].strip("'\"") in methods
    return known or last.type == "block_argument"
