"""Functions of modules in Ruby, of the present kind, as Python code: what ERB's compiler knows of Ruby,
in methods.

A statement that is not known to mean the same in Python gives up when it is reached: what came
before it did nothing but compute, so Ruby can run the whole call instead. A file that does anything
else than define one function goes to Ruby as it is.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

from bunraku.ruby.erb_compile import Compiler, Sink, body_of
from bunraku.ruby.erb_literals import named, source
from bunraku.ruby.erb_names import Frame, Names
from bunraku.ruby.erb_text import RubyText, Unsupported
from bunraku.ruby.schema_reader import parse_ruby

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
"""Ruby's own libraries, whose loading does nothing that a function could see."""
PARAMETER_KINDS = {
    "param": "required",
    "required_param": "required",
    "optional_param": "optional",
    "repeated_param": "repeated",
    "optional_repeated_param": "repeated",
    "required_repeated_param": "required_repeated",
}
ORDER = {"required": 0, "optional": 1, "repeated": 2, "required_repeated": 2}
DIGESTS = {
    "Digest::MD5": "md5",
    "Digest::SHA1": "sha1",
    "Digest::SHA256": "sha256",
    "Digest::SHA384": "sha384",
    "Digest::SHA512": "sha512",
}


class FunctionCompiler(Compiler):
    """Makes the Python functions of a Ruby function's methods."""

    def __init__(self, text: RubyText, root: Node, methods: dict[str, Node]) -> None:
        super().__init__(text, root, old=False)
        self.methods = methods
        self.statements["return"] = self.do_return
        self.method_frame = Frame()

    def module(self) -> ast.Module:
        """The module that defines ``methods``: by name, functions that share their namespace."""
        made = [self.method_of(name, node) for name, node in self.methods.items()]
        self.line = 1
        names: list[ast.expr | None] = [self.constant(name) for name in self.methods]
        functions = [self.name(f"method {name}") for name in self.methods]
        table = self.stamp(ast.Dict(names, functions))
        unit = self.function_of("unit", [], [*made, self.stamp(ast.Return(table))])
        self.body = [unit]
        self.set("methods", self.call("unit"))
        return ast.Module(self.body, [])

    def method_of(self, name: str, node: Node) -> ast.stmt:
        """The Python function of a method."""
        self.line = self.place(node)
        self.method_frame = Frame()
        self.names = Names(self.method_frame)
        self.body = []
        if self.groups:
            self.set(":context", self.call(":Captures"))
        arguments = self.arguments_of(node)
        body = node.child_by_field_name("body")
        self.do_all([] if body is None else named(body), self.give)
        statements, self.body = self.body, []
        self.forget(self.names)
        statements = [*self.body, *statements]
        made: ast.stmt = self.stamp(
            ast.FunctionDef(f"method {name}", arguments, statements, [], None)
        )
        return made

    def arguments_of(self, node: Node) -> ast.arguments:
        """The parameters of a method; optional ones get their defaults at its head."""
        given = node.child_by_field_name("parameters")
        found = ast.arguments([], [], None, [], [], None, [])
        for child in [] if given is None else named(given):
            if child.type == "identifier" and not found.defaults and found.vararg is None:
                found.args.append(self.stamp(ast.arg(self.parameter(source(child)))))
            elif child.type == "optional_parameter" and found.vararg is None:
                identifier = self.parameter(source(child.child_by_field_name("name")))
                found.args.append(self.stamp(ast.arg(identifier)))
                found.defaults.append(self.name(":missing"))
                missing = self.comparison(self.name(identifier), ast.Is(), self.name(":missing"))
                default = self.value(child.child_by_field_name("value"))
                self.set(identifier, self.choice(missing, default, self.name(identifier)))
            elif child.type == "splat_parameter" and found.vararg is None:
                identifier = self.parameter(source(child.child_by_field_name("name")))
                found.vararg = self.stamp(ast.arg(identifier))
                self.set(identifier, self.call(":Array", self.name(identifier)))
            else:
                raise self.refuse(child, "parameters of such a form")
        return found

    def give(self, value: ast.expr) -> None:
        """Return a value from the method."""
        self.body.append(self.stamp(ast.Return(value)))

    # -- statements ------------------------------------------------------------------------------

    def do_one(self, node: Node, sink: Sink | None) -> None:
        """One statement; where it is not understood, giving up in its place."""
        names, line, length = self.names, self.line, len(self.body)
        loops, spreads, body = list(self.loops), self.spreads, self.body
        try:
            super().do_one(node, sink)
        except Unsupported as reason:
            self.names, self.line, self.loops = names, line, loops
            self.spreads, self.body = spreads, body
            del self.body[length:]
            self.line = self.place(node)
            self.do(self.call(":give_up", self.constant(reason.what)))
            self.line = line
            if sink is not None:
                sink(self.constant(None))

    def do_return(self, node: Node, _sink: Sink | None) -> None:
        """``return x``: out of the method, also from within a loop over items."""
        if self.names.frame is not self.method_frame:
            raise self.refuse(node, "'return' in such a block")
        given = named(node)
        values = named(given[0]) if given else []
        if len(values) > 1:
            self.give(self.array(self.plain_values(values)))
        else:
            self.give(self.value(values[0]) if values else self.constant(None))

    # -- expressions -----------------------------------------------------------------------------

    def is_scope(self, node: Node) -> bool:
        """Never: a function that asks for the scope goes to Ruby."""
        return False

    def instance_name(self, node: Node) -> str:
        """Refused: a function's object outlives the call."""
        raise self.refuse(node, f"the variable {source(node)}")

    def on_identifier(self, node: Node) -> ast.expr:
        """A local variable, or a method without arguments."""
        name = source(node)
        if name in self.methods and self.find(name) is None:
            return self.call(f"method {name}")
        return super().on_identifier(node)

    def on_call(self, node: Node) -> ast.expr:
        """``Digest::MD5.hexdigest(x)``; else what templates have."""
        receiver, method = (node.child_by_field_name(name) for name in ("receiver", "method"))
        if receiver is not None and method is not None and source(receiver) in DIGESTS:
            helper = {"hexdigest": ":hexdigest", "digest": ":digest"}.get(source(method))
            if helper is not None:
                kind = self.constant(DIGESTS[source(receiver)])
                return self.call(helper, kind, *self.arguments(node, 1))
        return super().on_call(node)

    def function(self, node: Node, name: str) -> ast.expr:
        """A method of the function itself."""
        if name in self.methods and node.child_by_field_name("block") is None:
            arguments = self.arguments(node, 0, None)
            return self.call(f"method {name}", *arguments)
        if name == "require" and literal(only_argument(node)) in REQUIRED:
            return self.constant(True)
        return super().function(node, name)


# -- the file --------------------------------------------------------------------------------------


def refused(node: Node, what: str) -> Unsupported:
    """The exception for a file that goes to Ruby."""
    return Unsupported(what, int(node.start_point[0]) + 1)


def compile_function(text: str, file: str, name: str) -> CodeType:
    """The code that defines ``signatures`` and ``methods``; Unsupported when Ruby must have the file."""
    root = parse_ruby(text)
    if root.has_error:
        raise Unsupported("code that is not understood", 1)
    signatures, methods = read_class(created(root, name))
    last = name.rpartition("::")[2]
    if not signatures:
        if last not in methods:
            raise refused(root, f"a function without a method '{last}'")
        signatures = [implicit(last, methods[last])]
    for signature in signatures:
        if signature["method_name"] not in methods:
            raise refused(root, f"a dispatch to '{signature['method_name']}', which is not here")
    lines = list(range(1, text.count("\n") + 2))
    try:
        module = FunctionCompiler(RubyText([text], lines=lines), root, methods).module()
        data = ast.parse(f"signatures = {signatures!r}").body
        module.body.extend(data)
        return compile(module, file, "exec", dont_inherit=True, optimize=0)
    except RecursionError:
        raise Unsupported("code that nests too deeply", 1) from None


def created(root: Node, name: str) -> list[Node]:
    """What stands in the block of ``create_function``, which all else in the file only surrounds."""
    found: Node | None = None
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
            if literal(only_argument(node)).lower() != name:
                raise refused(node, "a function of another name")
            found = block
        else:
            raise refused(node, "code around the function")
    if found is None or found.child_by_field_name("parameters") is not None:
        raise refused(root, "a file that creates no function")
    return body_of(found)


def only_argument(node: Node) -> Node:
    """The one argument of a call."""
    given = node.child_by_field_name("arguments")
    arguments = [] if given is None else named(given)
    if len(arguments) != 1:
        raise refused(node, "a call with such arguments")
    return arguments[0]


def literal(node: Node) -> str:
    """The text of a string or symbol without interpolation."""
    if node.type == "simple_symbol":
        return source(node)[1:]
    if node.type not in ("string", "delimited_symbol"):
        raise refused(node, "something else than a string")
    if any(child.type != "string_content" for child in named(node)):
        raise refused(node, "a string of such a form")
    return "".join(source(child) for child in named(node))


def read_class(nodes: list[Node]) -> tuple[list[Signature], dict[str, Node]]:
    """The dispatches and methods of a function."""
    signatures = []
    methods: dict[str, Node] = {}
    for node in nodes:
        if node.type == "method":
            methods[source(node.child_by_field_name("name"))] = node
            continue
        method, block = (node.child_by_field_name(part) for part in ("method", "block"))
        if node.type != "call" or method is None or source(method) != "dispatch" or block is None:
            raise refused(node, "code beside methods and dispatches")
        signatures.append(read_dispatch_block(literal(only_argument(node)), block))
    return signatures, methods


def read_dispatch_block(method: str, block: Node) -> Signature:
    """One signature."""
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
        raise refused(block, "parameters in such an order")
    return found


def signature_of(method: str) -> Signature:
    """A signature without parameters, in the form in which Ruby tells one."""
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
            raise refused(child, "parameters of such a form")
        inner = child if child.type == "identifier" else child.child_by_field_name("name")
        found["parameters"].append(["Any", source(inner), listed[child.type]])
    return found
