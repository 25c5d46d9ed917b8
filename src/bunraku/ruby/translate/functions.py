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

from bunraku.ruby.erb.text import RubyText, Unsupported
from bunraku.ruby.native.declarations import (
    REQUIRED,
    FunctionClass,
    created,
    implicit,
    literal,
    only_argument,
    read_class,
    refused,
)
from bunraku.ruby.native.names import (
    BLOCK_METHODS,
    CLASS_METHODS,
    LEVELS,
    METHODS,
    PARSERS,
    PERMITTED,
)
from bunraku.ruby.schema.reader import parse_ruby
from bunraku.ruby.translate.compile import ONCE, Compiler, Sink
from bunraku.ruby.translate.expressions import arity, operator_of, sides
from bunraku.ruby.translate.literals import named, source
from bunraku.ruby.translate.names import Frame, Names

Node = Any
DIGESTS = {
    "Digest::MD5": "md5",
    "Digest::SHA1": "sha1",
    "Digest::SHA256": "sha256",
    "Digest::SHA384": "sha384",
    "Digest::SHA512": "sha512",
}


class FunctionCompiler(Compiler):
    """Makes the Python functions of a Ruby function's methods.

    ``acts`` is whether one of them does more than compute with its arguments.
    """

    def __init__(self, text: RubyText, root: Node, found: FunctionClass) -> None:
        super().__init__(text, root, old=False)
        self.methods = found.methods
        self.constants = found.constants
        self.acts = False
        self.statements["return"] = self.do_return
        self.handlers["lambda"] = self.on_lambda
        self.handlers["constant"] = self.on_constant
        self.method_frame = Frame()

    def module(self) -> ast.Module:
        """The module that defines ``methods``: by name, functions that share their namespace."""
        for name, node in self.constants.items():
            self.set(f"constant {name}", self.call(":frozen", self.value(node)))
        constants, self.body = self.body, []
        made = [self.method_of(name, node) for name, node in self.methods.items()]
        self.line = 1
        names: list[ast.expr | None] = [self.constant(name) for name in self.methods]
        functions = [self.name(f"method {name}") for name in self.methods]
        table = self.stamp(ast.Dict(names, functions))
        unit = self.function_of("unit", [], [*constants, *made, self.stamp(ast.Return(table))])
        self.body = [unit]
        self.set("methods", self.call("unit"))
        self.set("acts", self.constant(self.acts))
        return ast.Module(self.body, [])

    def method_of(self, name: str, node: Node) -> ast.stmt:
        """The Python function of a method; one whose form is not known gives up when it is called."""
        try:
            return self.whole_method(name, node)
        except Unsupported as reason:
            self.body, self.names = [], Names(Frame())
            give_up = self.stamp(ast.Expr(self.call(":give_up", self.constant(reason.what))))
            made = self.function_of(f"method {name}", [], [give_up])
            assert isinstance(made, ast.FunctionDef)
            made.args.vararg = self.stamp(ast.arg("_"))
            return made

    def whole_method(self, name: str, node: Node) -> ast.stmt:
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
        if self.is_closure_scope(node):
            self.acts = True
            return self.name(":closure_scope")
        return super().on_identifier(node)

    def on_constant(self, node: Node) -> ast.expr:
        """A constant of the function."""
        if source(node) in self.constants:
            return self.name(f"constant {source(node)}")
        raise self.refuse(node, f"'{source(node)}'")

    def on_binary(self, node: Node) -> ast.expr:
        """``Hash === x``; else what templates have."""
        left, right = sides(node)
        if operator_of(node) == "===" and left.type in ("constant", "scope_resolution"):
            return self.class_test(node, self.value(right), left)
        return super().on_binary(node)

    def on_element_reference(self, node: Node) -> ast.expr:
        """``closure_scope['x']``; else what templates have."""
        target, *arguments = named(node)
        if self.is_closure_scope(target):
            if len(arguments) != 1:
                raise self.refuse(node, "closure_scope[] of such a form")
            return self.act(":closure_variable", self.value(arguments[0]))
        return super().on_element_reference(node)

    def is_closure_scope(self, node: Node) -> bool:
        """Whether a node is the function's ``closure_scope``."""
        if node.type != "identifier" or source(node) != "closure_scope":
            return False
        return "closure_scope" not in self.methods and self.find("closure_scope") is None

    def act(self, helper: str, *arguments: ast.expr) -> ast.expr:
        """A call of a helper that looks at the compile, or does something there."""
        self.acts = True
        return self.call(helper, *arguments)

    # -- calls -----------------------------------------------------------------------------------

    def on_call(self, node: Node) -> ast.expr:
        """Methods of classes and of ``closure_scope``; else what templates have."""
        receiver, method = (node.child_by_field_name(name) for name in ("receiver", "method"))
        if receiver is not None and method is None:
            return self.call(":call_proc", self.value(receiver), *self.arguments(node, 0, None))
        if receiver is None or method is None:
            return super().on_call(node)
        name = source(method)
        if self.is_closure_scope(receiver):
            return self.closure_method(node, name)
        if receiver.type in ("constant", "scope_resolution"):
            if source(receiver) not in self.constants:
                found = self.class_method(node, source(receiver).removeprefix("::"), name)
                return super().on_call(node) if found is None else found
            return self.method(node, name, self.value(receiver))
        return super().on_call(node)

    def closure_method(self, node: Node, name: str) -> ast.expr:
        """A method of ``closure_scope``."""
        helper = {
            "lookupvar": ":closure_variable",
            "[]": ":closure_variable",
            "exist?": ":closure_exists",
        }.get(name)
        if helper is None or node.child_by_field_name("block") is not None:
            raise self.refuse(node, f"'closure_scope.{name}'")
        return self.act(helper, *self.arguments(node, 1))

    def class_method(self, node: Node, class_name: str, name: str) -> ast.expr | None:
        """``File.join(x)``, ``YAML.safe_load(x)``, ``Puppet.warning(x)``, ``Proc.new { }``."""
        block = node.child_by_field_name("block")
        if class_name == "Puppet" and name in LEVELS:
            return self.log(node, name, block)
        if class_name == "Proc" and name == "new" and block is not None:
            return self.proc(block, "proc")
        if block is not None:
            return None
        if class_name in DIGESTS and name in ("hexdigest", "digest"):
            kind = self.constant(DIGESTS[class_name])
            return self.call(f":{name}", kind, *self.arguments(node, 1))
        if (class_name, name) in PARSERS:
            return self.parser(node, *PARSERS[class_name, name])
        found = CLASS_METHODS.get((class_name, name))
        if found is None:
            return None
        return self.act(f"{class_name}.{name}", *self.arguments(node, *arity(found, 0)))

    def parser(self, node: Node, helper: str, aliases: bool) -> ast.expr:
        """``YAML.safe_load(x, permitted_classes: [Symbol], aliases: true)`` and the like."""
        given = node.child_by_field_name("arguments")
        text, *options = [] if given is None else named(given)
        for option in options:
            key, value = (option.child_by_field_name(part) for part in ("key", "value"))
            name = "" if key is None else source(key)
            if name == "aliases" and value.type in ("true", "false"):
                aliases = value.type == "true"
            elif name == "permitted_classes" and value.type == "array":
                if not PERMITTED.issuperset(map(source, named(value))):
                    raise self.refuse(option, "such permitted classes")
            elif name != "filename":
                raise self.refuse(option, "a parser with such options")
        return self.act(helper, self.value(text), self.constant(aliases))

    def log(self, node: Node, level: str, block: Node | None) -> ast.expr:
        """``Puppet.warning``."""
        if block is None:
            return self.act(":log", self.constant(level), *self.arguments(node, 1))
        function, count = self.block(block, level)
        if count or self.arguments(node, 0):
            raise self.refuse(node, "a log message of such a form")
        return self.act(":log", self.constant(level), self.call(function))

    def function(self, node: Node, name: str) -> ast.expr:
        """A method of the function itself."""
        block = node.child_by_field_name("block")
        if name in self.methods and block is None:
            return self.call(f"method {name}", *self.arguments(node, 0, None))
        if name in ("proc", "lambda") and block is not None and name not in self.methods:
            return self.proc(block, name)
        if block is not None:
            return super().function(node, name)
        if name == "require" and literal(only_argument(node)) in REQUIRED:
            return self.constant(True)
        if name == "_":
            return self.value(only_argument(node))
        if name == "call_function":
            return self.act(":call_function", *self.arguments(node, 1, None))
        if name in ("format", "sprintf"):
            pattern, *values = self.arguments(node, 2, None)
            return self.call(":formatted", pattern, self.array(values))
        return super().function(node, name)

    def method(self, node: Node, name: str, receiver: ast.expr) -> ast.expr:
        """A method of a value: of the context of a backend, of a proc; else what templates have."""
        if node.child_by_field_name("block") is None and not has_block_argument(node):
            if name in METHODS:
                found = arity(METHODS[name], 1)
                return self.act(f"!{name}", receiver, *self.arguments(node, *found))
            if name in ("call", "()"):
                return self.call(":call_proc", receiver, *self.arguments(node, 0, None))
            if name == "freeze":
                return self.call(":frozen", receiver, *self.arguments(node, 0))
        return super().method(node, name, receiver)

    def method_with_block(
        self, node: Node, name: str, receiver: ast.expr, block: Node | None, last: Node | None
    ) -> ast.expr:
        """A method with a block, also with that of a context."""
        if name not in BLOCK_METHODS or block is None:
            return super().method_with_block(node, name, receiver, block, last)
        function, count = self.block(block, name)
        arguments = self.arguments(node, *arity(BLOCK_METHODS[name], 3))
        return self.act(f"!&{name}", receiver, function, self.constant(count), *arguments)

    def method_as_block(self, node: Node) -> tuple[ast.expr, int | ast.expr]:
        """``&:name``, and ``&merger`` of a proc."""
        inner = named(node)
        name = source(inner[0]) if len(inner) == 1 and inner[0].type == "identifier" else ""
        is_value = len(inner) == 1 and inner[0].type in ("call", "lambda")
        if not is_value and name not in self.methods and self.find(name) is None:
            return super().method_as_block(node)
        outer = node.parent.parent.child_by_field_name("method")
        if outer is None or source(outer) in ONCE or source(outer) in BLOCK_METHODS:
            raise self.refuse(node, f"'{source(node)}'")
        value, again = self.twice(self.value(inner[0]))
        return self.call(":block_function", value), self.call(":block_count", again)

    def on_lambda(self, node: Node) -> ast.expr:
        """``->(x) { }``."""
        return self.proc(Lambda(node), "lambda")

    def proc(self, block: Node, what: str) -> ast.expr:
        """A block as a value."""
        function, count = self.block(block, what)
        return self.call(":Proc", function, self.constant(count))

    def is_rescued(self, names: list[str]) -> bool:
        """Any class: only errors that are known for sure are raised here, and they know theirs."""
        return all(name.removeprefix("::")[:1].isupper() for name in names)


class Lambda:
    """A lambda with the fields that a block has."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.start_point = node.start_point

    def child_by_field_name(self, name: str) -> Node:
        """A part of it."""
        if name == "parameters":
            return self.node.child_by_field_name("parameters")
        body = self.node.child_by_field_name("body")
        return None if body is None else body.child_by_field_name("body")


def has_block_argument(node: Node) -> bool:
    """Whether the last argument of a call is ``&x``."""
    given = node.child_by_field_name("arguments")
    nodes = [] if given is None else named(given)
    return bool(nodes) and nodes[-1].type == "block_argument"


def compile_function(text: str, file: str, name: str) -> CodeType:
    """The code that defines ``signatures`` and ``methods``; Unsupported when Ruby must have the file."""
    root = parse_ruby(text)
    if root.has_error:
        raise Unsupported("code that is not understood", 1)
    found = read_class(created(root, name))
    signatures, methods = found.signatures, found.methods
    if "call" in methods:
        raise refused(root, "a function that chooses its dispatch itself")
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
        module = FunctionCompiler(RubyText([text], lines=lines), root, found).module()
        data = ast.parse(f"signatures = {signatures!r}\ntypes = {found.types!r}").body
        module.body.extend(data)
        return compile(module, file, "exec", dont_inherit=True, optimize=0)
    except RecursionError:
        raise Unsupported("code that nests too deeply", 1) from None
