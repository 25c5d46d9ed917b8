"""Whether Ruby code of a template or function computes only from its arguments, and from what it asks Puppet for.

Such code has the same result for the same arguments and answers, so a recorded compile can be used again although Ruby ran
it. What it asks Puppet for, such as variables and other functions, is recorded by the answering code, as are the files that it
reads. Everything that is not known is refused: nodes by type, constants by path, methods by name
(:mod:`bunraku.ruby.syntax.pure_names`).

Code may keep values as long as the compile. Files of functions run again in each compile, and what they and templates leave
in Ruby is forgotten before. A file that they require runs once, so what it keeps is listed (``state``), to be set back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from bunraku.base.records import record
from bunraku.ruby.syntax.code_nodes import (
    CLASSES,
    bound_by,
    called_around,
    content,
    full_name,
    is_frozen,
    is_literal,
    is_named_by,
    is_of_object,
    is_raised,
    method_around,
    method_of,
    names_a_method,
    nodes_below,
    owner_of,
    owners,
    runs_at_load,
    symbols_in,
)
from bunraku.ruby.syntax.erb import PUT, TEXT, Unsupported, ruby_text
from bunraku.ruby.syntax.kept_values import State
from bunraku.ruby.syntax.paths import static_path
from bunraku.ruby.syntax.pure_names import (
    ATTRIBUTES,
    BY_NAME,
    CALLS,
    CLASS_METHODS,
    CONSTANTS,
    DECLARATIONS,
    FRAMES,
    IN_CLASSES,
    KERNEL,
    KERNEL_FUNCTIONS,
    KEYED,
    LIBRARIES,
    METHODS,
    NAMED,
    OF_TEMPLATES,
    PUPPET,
    REFLECTION,
    REFUSED_NODES,
    RUBY_CONSTANTS,
    SCOPE_METHODS,
    SCOPES,
    SENDERS,
)
from bunraku.ruby.syntax.tree import parse_ruby

if TYPE_CHECKING:
    from tree_sitter import Node

FROZEN = re.compile(rb"^# *frozen_string_literal: *true", re.MULTILINE)
OLD_CALL = "function_"
"""How calls of functions of the old kind begin: their files are checked when a compile loads them."""
LAST_MATCH = re.compile(r"\$[0-9~&_!@]")
OWN_GLOBAL = re.compile(r"\$(?!(?:stdin|stdout|stderr)\b)[a-z]\w+")
"""Global variables that Ruby does not have by itself."""


@record(frozen=True)
class Impurity:
    """What code does besides computing, and in which line of which file; no path for the main file."""

    what: str
    line: int
    path: str = ""


class Definitions:
    """What files of code define: methods by the class or module, constants; and which required files exist."""

    def __init__(self) -> None:
        self.modules: dict[str, set[str]] = {"": set()}
        self.constants: set[str] = set()
        self.files: set[str] = set()

    def has_method(self, name: str) -> bool:
        """Return whether a class or module has a method that can be called on any object."""
        return name not in REFLECTION and any(name in one for one in self.modules.values())

    def resolved(self, path: str, node: Node) -> str | None:
        """Return the full name of a constant that the files define, as code at a node finds it."""
        for owner in owners(node):
            full = f"{owner}::{path}" if owner else path
            if full in self.modules or full in self.constants:
                return full
        return None


class FunctionCode:
    """The nodes of a function's file.

    ``bound`` has where a variable gets its first value, by the method around it and its name. ``names`` are those of
    all files that the code consists of; ``path`` is where the file is.
    """

    calls: ClassVar[frozenset[str]] = CALLS | DECLARATIONS | IN_CLASSES
    refused: ClassVar[Mapping[str, str]] = REFUSED_NODES

    def __init__(self, text: str, path: str = "") -> None:
        self.path = path
        self.root = root = parse_ruby(text)
        self.nodes = nodes = list(nodes_below(root))
        self.literals = FROZEN.search(root.text[:500] if root.text else b"") is not None
        self.names = Definitions()
        self.state: dict[State, None] = {}
        self.environment: dict[str, None] = {}
        """The variables of the environment that the code reads."""
        self.bound: dict[tuple[int, str], int] = {}
        self.blocks: set[str] = set()
        for node in nodes:
            for one in bound_by(node):
                key = method_around(one), content(one)
                self.bound[key] = min(one.start_byte, self.bound.get(key, one.start_byte))
                if node.type == "block_parameter":
                    self.blocks.add(content(one))

    def required(self) -> list[str]:
        """Return the files that the code requires, other than Ruby's own: names, or absolute paths."""
        found: dict[str, None] = {}
        for node in self.nodes:
            if node.type == "call" and node.child_by_field_name("receiver") is None:
                name = self.required_by(node)
                if name is not None and name not in LIBRARIES:
                    found[name] = None
        return list(found)

    def required_by(self, node: Node) -> str | None:
        """Return the file that a call requires; None for another call, or if that is computed."""
        method = content(node.child_by_field_name("method"))
        arguments = node.child_by_field_name("arguments")
        given = [] if arguments is None else arguments.named_children
        if method not in ("require", "require_relative") or len(given) != 1:
            return None
        return static_path(given[0], self.path, method == "require_relative")

    def define(self, names: Definitions) -> None:
        """Add what the code defines to the names of all files that the code consists of."""
        self.names = names
        for node in self.nodes:
            kind = node.type
            if kind in CLASSES and node.is_named:
                names.modules.setdefault(full_name(node), set())
            elif kind in ("method", "singleton_method"):
                self.add_methods(node, [content(node.child_by_field_name("name"))])
            elif kind == "alias" and node.named_children:
                self.add_methods(node, [content(node.named_children[0]).removeprefix(":")])
            elif kind == "call":
                self.define_by_call(node)
            elif kind == "assignment":
                left = node.child_by_field_name("left")
                if left is not None and left.type == "constant":
                    owner = owner_of(node)
                    names.constants.add(f"{owner}::{content(left)}" if owner else content(left))

    def define_by_call(self, node: Node) -> None:
        """Add the methods that a call defines by their names."""
        method = content(node.child_by_field_name("method"))
        receiver = node.child_by_field_name("receiver")
        if receiver is None and method == "alias_method":
            self.add_methods(node, symbols_in(node)[:1])
        elif (receiver is None and method in ATTRIBUTES) or (
            content(receiver) == "Struct" and method == "new"
        ):
            self.add_methods(node, [f"{one}{end}" for one in symbols_in(node) for end in ("", "=")])

    def add_methods(self, node: Node, found: list[str]) -> None:
        """Add methods of the class or module around a node."""
        self.names.modules.setdefault(owner_of(node), set()).update(found)

    def impurity(self) -> Impurity | None:
        """Return the first thing that the code does besides computing; None if there is none."""
        if self.root.has_error:
            return Impurity("is no Ruby that can be read", 1, self.path)
        for node in self.nodes:
            what = self.impurity_of(node)
            if what is not None:
                return Impurity(what, node.start_point[0] + 1, self.path)
        return None

    def impurity_of(self, node: Node) -> str | None:
        """Return what a node does besides computing, apart from the nodes in it."""
        kind = node.type
        if not node.is_named:
            return None
        if kind in self.refused:
            return self.refused[kind]
        check = CHECKS.get(kind)
        return None if check is None else check(self, node)

    # -- constants and calls -----------------------------------------------------------------------

    def constant(self, node: Node) -> str | None:
        """Check a constant that stands alone."""
        if node.parent is not None and node.parent.type == "scope_resolution":
            return None  # the path is checked, or its beginning is an expression
        return self.constant_path(node)

    def constant_path(self, node: Node) -> str | None:
        """Check a constant by its path."""
        parent, name = node.parent, content(node).removeprefix("::")
        if parent is not None:
            if parent.type == "scope_resolution":
                return None  # checked with the whole
            if parent.type in CLASSES and is_named_by(node, "name"):
                return None
            if parent.type == "call":
                if is_named_by(node, "receiver") or is_named_by(node, "method"):
                    return None  # the call is checked
            if parent.type == "assignment" and is_named_by(node, "left"):
                return None
        if parent is not None and parent.type == "exceptions" and name != "Exception":
            return None  # read when an error is raised
        if name == "Exception":
            return None if is_raised(node) else "catches Exception"
        if parent is not None and parent.type == "element_reference":
            if name == "Puppet":
                return None  # settings: the recorded compile answers
            if name in CLASS_METHODS and "[]" in CLASS_METHODS[name]:
                return self.variable_read(parent, name, parent.named_children[1:])
        known = name in CONSTANTS or self.names.resolved(name, node) is not None
        return None if known else f"uses {name}"

    def call(self, node: Node) -> str | None:
        """Check the method that is called, and a constant that is its receiver."""
        receiver, method = (node.child_by_field_name(name) for name in ("receiver", "method"))
        name = content(method) or "call"
        if method is not None and method.type == "super":
            return None  # checked by itself
        if is_assigned(node):
            name = f"{name}="
        if receiver is None:
            return self.own_call(node, name)
        if name in SENDERS:
            return self.sent(node, name)
        if receiver.type in ("constant", "scope_resolution"):
            return self.constant_call(node, content(receiver).removeprefix("::"), name)
        if receiver.type == "self" or content(receiver) in SCOPES:
            return self.scope_call(node, receiver, name)
        if name in BY_NAME and not names_a_method(node, NAMED):
            return f"calls {name} with a method that is computed"
        if name == "read" and self.uses_addresses():
            return "may read an address"
        return None if name in METHODS or self.names.has_method(name) else f"calls {name}"

    def uses_addresses(self) -> bool:
        """Return whether the code mentions URI, whose values read from servers once a library is loaded."""
        return self.root.text is not None and b"URI" in self.root.text

    def scope_call(self, node: Node, receiver: Node, name: str) -> str | None:
        """Check a method of a scope, or of the object itself."""
        known = (
            name in SCOPE_METHODS
            or name.startswith(OLD_CALL)
            or self.names.has_method(name)
            or (name == "to_hash" and receiver.type != "self" and self.is_keyed_hash(node))
            or (receiver.type == "self" and name in ("class", "instance_variables"))
        )
        return None if known else f"calls {content(receiver)}.{name}"

    def is_keyed_hash(self, node: Node) -> bool:
        """Return whether code only reads keys of the hash of all variables."""
        arguments = content(node.child_by_field_name("arguments"))
        return arguments in ("", "()") and self.is_keyed(node)

    def is_keyed(self, node: Node) -> bool:
        """Return whether code only reads keys of a hash, by itself or from a variable."""
        parent = node.parent
        if parent is None or parent.type != "assignment" or not is_named_by(node, "right"):
            return reads_key(node)
        left = parent.child_by_field_name("left")
        if left is None or left.type != "identifier":
            return False
        name = content(left)
        others = [one for one in self.nodes if one.type == "identifier" and content(one) == name]
        return all(one == left or is_named_by(one, "method") or reads_key(one) for one in others)

    def sent(self, node: Node, name: str) -> str | None:
        """Check a call of a method by its name: a symbol."""
        arguments = node.child_by_field_name("arguments")
        first = next(iter([] if arguments is None else arguments.named_children), None)
        method = literal_name(first)
        return None if self.is_sendable(method) else f"calls {name}"

    def is_sendable(self, name: str) -> bool:
        """Return whether a method that is called by a symbol only computes: such a call can reach functions of Ruby."""
        return (
            name in NAMED
            or name.startswith(OLD_CALL)
            or (name not in KERNEL_FUNCTIONS and self.names.has_method(name))
        )

    def constant_call(self, node: Node, path: str, name: str) -> str | None:
        """Check a method of a constant."""
        if path == "ENV" and name in CLASS_METHODS[path]:
            arguments = node.child_by_field_name("arguments")
            return self.variable_read(
                node, path, [] if arguments is None else arguments.named_children
            )
        if name in CLASS_METHODS.get(path, ()) or (path in CONSTANTS and name in ("name", "to_s")):
            return None
        full = self.names.resolved(path, node)
        if full is not None:
            own = name in self.names.modules.get(full, ())
            if full in self.names.modules and is_of_ruby(full):
                return None if own else f"calls {path}.{name}"
            known = own or name in METHODS or name == "new" or self.names.has_method(name)
            return None if known else f"calls {path}.{name}"
        if path == "Random" and name == "new" and node.child_by_field_name("arguments") is not None:
            return None
        return f"calls {path}.{name}" if path in CLASS_METHODS else f"uses {path}"

    def variable_read(self, node: Node, path: str, keys: list[Node]) -> str | None:
        """Check a read of a variable of the environment, which is recorded; its name must be known."""
        if path != "ENV":
            return None
        if is_assigned(node):
            return "uses ENV"
        name = content(keys[0]) if keys and keys[0].type == "string" else "#{"
        if "#{" in name:
            return "uses ENV"
        self.environment[name[1:-1]] = None
        return None

    def own_call(self, node: Node, name: str) -> str | None:
        """Check a call without a receiver."""
        if name in ("require", "require_relative"):
            return self.library(node)
        if name in SENDERS:
            return self.sent(node, name)
        if self.is_method(node):
            return None
        return None if self.is_own(node, name) else f"calls {name}"

    def is_own(self, node: Node, name: str) -> bool:
        """Return whether a name alone calls a method that only computes."""
        if name.startswith(OLD_CALL) or name in self.calls:
            return True
        if name in KERNEL_FUNCTIONS:
            return name in self.names.modules.get(owner_of(node), ())
        is_inherited = name in METHODS and owner_of(node) not in FRAMES | {""}
        return is_inherited or self.names.has_method(name)

    def library(self, node: Node) -> str | None:
        """Check a library that is loaded."""
        name = self.required_by(node)
        if name in LIBRARIES or name in self.names.files or (name or "").startswith(PUPPET):
            return None
        return f"loads {content(node.child_by_field_name('arguments')) or 'a file'}"

    def block_argument(self, node: Node) -> str | None:
        """Check ``&:name``, ``&block`` and ``&method(:name)``."""
        inner = node.named_children
        if len(inner) != 1:
            return "passes a block on"
        if inner[0].type == "simple_symbol":
            name = content(inner[0])[1:]
            return None if self.is_sendable(name) else f"calls {name}"
        return (
            None
            if content(inner[0]) in self.blocks or self.is_method(inner[0])
            else ("passes a block on")
        )

    def is_method(self, node: Node) -> bool:
        """Return whether an expression is ``method(:name)`` of a method of the code's own."""
        if node.type != "call" or content(node.child_by_field_name("method")) != "method":
            return False
        found = symbols_in(node)
        return len(found) == 1 and self.is_own(node, found[0])

    def identifier(self, node: Node) -> str | None:
        """Check a variable, or a method that is called by its name alone."""
        parent, name = node.parent, content(node)
        if parent is not None:
            if parent.type in ("setter", "alias"):
                return None
            if parent.type == "call" and is_named_by(node, "method"):
                return None  # the call is checked
            if parent.type in ("method", "singleton_method") and is_named_by(node, "name"):
                return None
        known = name in SCOPES or self.is_variable(node, name) or self.is_own(node, name)
        return None if known else f"calls {name}"

    def is_variable(self, node: Node, name: str) -> bool:
        """Return whether a name has got a value before, in the same method."""
        first = self.bound.get((method_around(node), name))
        return first is not None and first <= node.start_byte

    # -- definitions -------------------------------------------------------------------------------

    def assignment(self, node: Node) -> str | None:
        """Check an assignment: what a function's file sets is forgotten at the end of the compile."""
        return None

    def method(self, node: Node) -> str | None:
        """Check a method that is defined: outside of a function it would be one of every object."""
        name = content(node.child_by_field_name("name"))
        owner = owner_of(node)
        if owner and owner not in FRAMES:
            taken = is_of_ruby(owner) and name in METHODS | KERNEL | SCOPES | CALLS
            return f"changes {name} of {owner}" if taken else None
        if called_around(node, "create_function"):
            return f"defines {name}" if name in SCOPES | self.calls else None
        known = METHODS | KERNEL | KERNEL_FUNCTIONS | REFLECTION | SCOPES | self.calls
        return f"defines {name} for every object" if name in known else None

    def singleton_method(self, node: Node) -> str | None:
        """Check a method of one object: a scope, which lives as long as the compile, or a module."""
        receiver = node.child_by_field_name("object")
        if content(receiver) in SCOPES:
            return None
        if content(receiver) == "self" and self.is_in_class(node):
            return self.method(node) if owner_of(node) else None
        return "changes an object"

    def singleton_class(self, node: Node) -> str | None:
        """Check ``class << self``: the methods are those of a class or module."""
        value = node.child_by_field_name("value")
        return None if content(value) == "self" and self.is_in_class(node) else "changes an object"

    def is_in_class(self, node: Node) -> bool:
        """Return whether ``self`` is a class or module that files of modules define."""
        return owner_of(node) not in FRAMES | {""} or called_around(node, "create_function")

    def module(self, node: Node) -> str | None:
        """Check a class or module: those in a function's file end with the compile."""
        return None

    def super_(self, node: Node) -> str | None:
        """Check a call of the method that a method replaces."""
        around = method_of(node)
        name = "" if around is None else content(around.child_by_field_name("name"))
        return "uses super" if name in KERNEL_FUNCTIONS | REFLECTION | {""} else None

    def alias(self, node: Node) -> str | None:
        """Check another name for a method."""
        return "changes methods" if is_of_ruby(owner_of(node) or "Object") else None

    def pair(self, node: Node) -> str | None:
        """Check an entry of a hash: without a value, it has that of a variable or method."""
        return (
            None if node.child_by_field_name("value") is not None else "has a hash without values"
        )

    def global_variable(self, node: Node) -> str | None:
        """Check a global variable: those that code sets are forgotten at the end of the compile."""
        name = content(node)
        known = LAST_MATCH.fullmatch(name) or OWN_GLOBAL.fullmatch(name)
        return None if known else f"uses {name}"

    def variable(self, node: Node) -> str | None:
        """Check a variable of an object or class."""
        return None


class TemplateCode(FunctionCode):
    """The code of a template: each rendering has its own variables."""

    calls: ClassVar[frozenset[str]] = CALLS | {TEXT, PUT, "has_variable?"}

    def assignment(self, node: Node) -> str | None:
        """See FunctionCode."""
        left = node.child_by_field_name("left")
        is_constant = left is not None and left.type == "constant"
        return "has a constant that may change" if is_constant else None

    def module(self, node: Node) -> str | None:
        """See FunctionCode."""
        return "defines a class"

    def is_own(self, node: Node, name: str) -> bool:
        """See FunctionCode; a method that is not known is one that another template of the compile defines, if any."""
        return super().is_own(node, name) or name not in OF_TEMPLATES


class LibraryCode(FunctionCode):
    """The code of a file that functions and templates require: it runs once in a Ruby process."""

    def assignment(self, node: Node) -> str | None:
        """Check an assignment of what lives longer than a compile: it must be set back."""
        left, right = (node.child_by_field_name(name) for name in ("left", "right"))
        if left is None or left.type == "identifier":
            return None
        if left.type != "constant":
            return None  # variables are checked by themselves
        if is_frozen(right, self.literals) or is_fixed(right):
            return None
        if right is not None and is_literal(right, True) and runs_at_load(node):
            self.state["constant", owner_of(node), content(left), content(right)] = None
            return None
        return "has a constant that may change"

    def module(self, node: Node) -> str | None:
        """See FunctionCode."""
        return None

    def global_variable(self, node: Node) -> str | None:
        """See FunctionCode."""
        found = super().global_variable(node)
        if found is None and OWN_GLOBAL.fullmatch(content(node)):
            return self.keeps("global", node)
        return found

    def variable(self, node: Node) -> str | None:
        """See FunctionCode; an object of a class is gone when the code has run."""
        if node.type == "class_variable":
            return self.keeps("class", node)
        return None if is_of_object(node) else self.keeps("instance", node)

    def keeps(self, kind: str, node: Node) -> str | None:
        """List a variable with its first value; return what is wrong with it."""
        assigned = node.parent if is_named_by(node, "left") else None
        text: str | None = None
        if assigned is not None and runs_at_load(assigned):
            right = assigned.child_by_field_name("right")
            operator = content(assigned.child_by_field_name("operator")) or "||="
            if right is None or not is_literal(right, True) or operator != "||=":
                return "keeps a value between compiles"
            text = content(right)
        owner, name = "" if kind == "global" else owner_of(node), content(node)
        earlier = {one for one in self.state if one[:3] == (kind, owner, name) and one[3]}
        if text is not None and earlier:
            return "keeps a value between compiles"
        if not earlier:
            self.state.pop((kind, owner, name, None), None)
            self.state[kind, owner, name, text] = None
        return None


CHECKS: Mapping[str, Callable[[FunctionCode, Node], str | None]] = {
    "constant": FunctionCode.constant,
    "scope_resolution": FunctionCode.constant_path,
    "call": FunctionCode.call,
    "block_argument": FunctionCode.block_argument,
    "assignment": lambda code, node: code.assignment(node),
    "operator_assignment": lambda code, node: code.assignment(node),
    "method": FunctionCode.method,
    "singleton_method": FunctionCode.singleton_method,
    "singleton_class": FunctionCode.singleton_class,
    "class": lambda code, node: code.module(node),
    "module": lambda code, node: code.module(node),
    "super": FunctionCode.super_,
    "alias": FunctionCode.alias,
    "identifier": FunctionCode.identifier,
    "pair": FunctionCode.pair,
    "global_variable": lambda code, node: code.global_variable(node),
    "class_variable": lambda code, node: code.variable(node),
    "instance_variable": lambda code, node: code.variable(node),
}


def is_of_ruby(path: str) -> bool:
    """Return whether a class or module may be one of Ruby or Puppet.

    >>> is_of_ruby("JSON"), is_of_ruby("Puppet::Util"), is_of_ruby("PuppetX::Own")
    (True, True, False)
    """
    return path.partition("::")[0] in RUBY_CONSTANTS


def is_fixed(node: Node | None) -> bool:
    """Return whether a value cannot change: a class of structures, or a pattern."""
    if node is None or node.type != "call":
        return False
    receiver = content(node.child_by_field_name("receiver"))
    return (receiver, content(node.child_by_field_name("method"))) in FIXED


FIXED = frozenset(
    [
        ("Struct", "new"),
        ("Class", "new"),
        *[("Regexp", name) for name in ("new", "union", "compile", "escape")],
        ("Gem::Version", "new"),
    ]
)


def literal_name(node: Node | None) -> str:
    """Return the name in a symbol or string; an empty one for other expressions."""
    if node is None or "#{" in content(node):
        return ""
    if node.type == "simple_symbol":
        return content(node)[1:]
    return content(node)[1:-1] if node.type == "string" else ""


def is_assigned(node: Node) -> bool:
    """Return whether an expression is on the left side of an assignment."""
    parent = node.parent
    if parent is None:
        return False
    return parent.type == "left_assignment_list" or (
        parent.type.endswith("assignment") and is_named_by(node, "left")
    )


def reads_key(node: Node) -> bool:
    """Return whether the code around reads one key of an expression that is a hash, or whether there is one."""
    parent = node.parent
    if parent is None or parent.children[0] != node:
        return False
    if parent.type == "element_reference":
        return not is_assigned(parent)
    if parent.type == "binary":  # such a hash is never false, so its value is not used
        return content(parent.child_by_field_name("operator")) in ("&&", "and")
    return parent.type == "call" and content(parent.child_by_field_name("method")) in KEYED


def template_code(text: str, path: str = "") -> TemplateCode | Impurity:
    """Return the code of a template, or why it cannot be read."""
    try:
        return TemplateCode(ruby_text(text).code, path)
    except Unsupported as unsupported:
        return Impurity("is no Ruby that can be read", unsupported.line)
