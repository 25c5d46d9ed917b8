"""Functions of modules in Ruby, of the present kind, as Python code: the subset of ERB's compiler,
in methods.

A statement that may have another meaning in Python gives up when it is reached: the statements
before it had no side effects, so Ruby can run the whole call instead. A file that does anything
else than define one function goes to Ruby as it is.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import TYPE_CHECKING

from bunraku.ruby.run.names import (
    BLOCK_METHODS,
    CLASS_METHODS,
    LEVELS,
    METHODS,
    PARSERS,
    PERMITTED,
)
from bunraku.ruby.syntax.erb import RubyText, Unsupported
from bunraku.ruby.syntax.tree import parse_for_python
from bunraku.ruby.translate import expressions
from bunraku.ruby.translate.block_functions import ONCE, block_function
from bunraku.ruby.translate.compile import TEMPLATE_RULES, kinds
from bunraku.ruby.translate.declarations import (
    REQUIRED,
    FunctionClass,
    created,
    implicit,
    literal,
    only_argument,
    read_class,
    refused,
)
from bunraku.ruby.translate.expressions import arguments_of, arity, class_test
from bunraku.ruby.translate.literals import plain_values
from bunraku.ruby.translate.names import Frame, Names
from bunraku.ruby.translate.nodes import Block, Lambda, named, operator_of, part, sides, source
from bunraku.ruby.translate.translator import Rules, Sink, Translator

if TYPE_CHECKING:
    from tree_sitter import Node


DIGESTS = {
    "Digest::MD5": "md5",
    "Digest::SHA1": "sha1",
    "Digest::SHA256": "sha256",
    "Digest::SHA384": "sha384",
    "Digest::SHA512": "sha512",
}


def methods_module(text: RubyText, root: Node, found: FunctionClass) -> ast.Module:
    """Return the module that defines ``methods``: by name, functions that share their namespace."""
    groups = "$" in text.code and "global_variable" in kinds(root)
    ruby = Translator(text, METHOD_RULES, old=False, groups=groups)
    ruby.in_method = True
    ruby.methods, ruby.constants = found.methods, found.constants
    for name, node in ruby.constants.items():
        ruby.set(f"constant {name}", ruby.call(":frozen", ruby.value(node)))
    constants, ruby.body = ruby.body, []
    made = [method_of(ruby, name, node) for name, node in ruby.methods.items()]
    ruby.line = 1
    names: list[ast.expr | None] = [ruby.constant(name) for name in ruby.methods]
    functions: list[ast.expr] = [ruby.name(f"method {name}") for name in ruby.methods]
    statements = [*constants, *made, ruby.return_(ruby.dict_of(names, functions))]
    ruby.body = [ruby.function("unit", ruby.parameters([]), statements, [])]
    ruby.set("methods", ruby.call("unit"))
    ruby.set("acts", ruby.constant(ruby.acts))
    return ast.Module(ruby.body, [])


def method_of(ruby: Translator, name: str, node: Node) -> ast.stmt:
    """Return the Python function of a method; an unsupported form gives up when called."""
    try:
        return whole_method(ruby, name, node)
    except Unsupported as reason:
        ruby.body, ruby.names = [], Names(Frame())
        give_up = ruby.run(ruby.call(":give_up", ruby.constant(reason.what)))
        return ruby.function(f"method {name}", ruby.parameters([], rest="_"), [give_up], [])


def whole_method(ruby: Translator, name: str, node: Node) -> ast.stmt:
    """Return the Python function of a method."""
    ruby.line = ruby.line_of(node)
    ruby.method_frame = Frame()
    ruby.names = Names(ruby.method_frame)
    ruby.body = []
    if ruby.groups:
        ruby.set(":context", ruby.call(":Captures"))
    arguments = method_parameters(ruby, node)
    ruby.do_all(method_statements(node), ruby.give)
    statements, ruby.body = ruby.body, []
    ruby.forget(ruby.names)
    statements = [*ruby.body, *statements]
    return ruby.function(f"method {name}", arguments, statements, [])


def method_statements(node: Node) -> list[Node]:
    """Return the statements of a method; of ``def a = b`` the expression."""
    body = node.child_by_field_name("body")
    if body is None:
        return []
    return named(body) if body.type == "body_statement" else [body]


def method_parameters(ruby: Translator, node: Node) -> ast.arguments:
    """Return the parameters of a method; optional ones get their defaults at its head."""
    given = node.child_by_field_name("parameters")
    found = ruby.parameters([])
    for child in [] if given is None else named(given):
        if child.type == "identifier" and not found.defaults and found.vararg is None:
            found.args.append(ruby.stamp(ast.arg(ruby.parameter(source(child)))))
        elif child.type == "optional_parameter" and found.vararg is None:
            identifier = ruby.parameter(source(part(child, "name")))
            found.args.append(ruby.stamp(ast.arg(identifier)))
            found.defaults.append(ruby.name(":missing"))
            missing = ruby.compare(ruby.name(identifier), "is", ruby.name(":missing"))
            default = ruby.value(part(child, "value"))
            ruby.set(identifier, ruby.if_else(missing, default, ruby.name(identifier)))
        elif child.type == "splat_parameter" and found.vararg is None:
            identifier = ruby.parameter(source(part(child, "name")))
            found.vararg = ruby.stamp(ast.arg(identifier))
            ruby.set(identifier, ruby.call(":Array", ruby.name(identifier)))
        else:
            raise ruby.refuse(child, "parameters of this form")
    return found


# -- statements ------------------------------------------------------------------------------


def return_statement(ruby: Translator, node: Node, _sink: Sink | None) -> None:
    """``return x``: out of the method, also from within a loop over items."""
    if ruby.names.frame is not ruby.method_frame:
        raise ruby.refuse(node, "'return' in this kind of block")
    given = named(node)
    values = named(given[0]) if given else []
    if len(values) > 1:
        ruby.give(ruby.array(plain_values(ruby, values)))
    else:
        ruby.give(ruby.value(values[0]) if values else ruby.constant(None))


# -- expressions -----------------------------------------------------------------------------


def identifier_value(ruby: Translator, node: Node) -> ast.expr:
    """Return a local variable, or a method without arguments."""
    name = source(node)
    if name in ruby.methods and ruby.find(name) is None:
        return ruby.call(f"method {name}")
    if is_closure_scope(ruby, node):
        ruby.acts = True
        return ruby.name(":closure_scope")
    return expressions.identifier_value(ruby, node)


def constant_value(ruby: Translator, node: Node) -> ast.expr:
    """Return a constant of the function."""
    if source(node) in ruby.constants:
        return ruby.name(f"constant {source(node)}")
    raise ruby.refuse(node, f"'{source(node)}'")


def binary_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``Hash === x``; other operators as in templates."""
    left, right = sides(node)
    if operator_of(node) == "===" and left.type in ("constant", "scope_resolution"):
        return class_test(ruby, node, ruby.value(right), left)
    return expressions.binary_value(ruby, node)


def element_reference(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``closure_scope['x']``; other references as in templates."""
    target, *arguments = named(node)
    if is_closure_scope(ruby, target):
        if len(arguments) != 1:
            raise ruby.refuse(node, "closure_scope[] of this form")
        return act(ruby, ":closure_variable", ruby.value(arguments[0]))
    return expressions.element_reference(ruby, node)


def is_closure_scope(ruby: Translator, node: Node) -> bool:
    """Return whether a node is the function's ``closure_scope``."""
    if node.type != "identifier" or source(node) != "closure_scope":
        return False
    return "closure_scope" not in ruby.methods and ruby.find("closure_scope") is None


def act(ruby: Translator, helper: str, *arguments: ast.expr) -> ast.expr:
    """Return a call of a helper that reads or changes the compile."""
    ruby.acts = True
    return ruby.call(helper, *arguments)


# -- calls -----------------------------------------------------------------------------------


def call_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate methods of classes and of ``closure_scope``; other calls as in templates."""
    receiver, method = (node.child_by_field_name(name) for name in ("receiver", "method"))
    if receiver is not None and method is None:
        return ruby.call(":call_proc", ruby.value(receiver), *arguments_of(ruby, node, 0, None))
    if receiver is None or method is None:
        return expressions.call_value(ruby, node)
    name = source(method)
    if is_closure_scope(ruby, receiver):
        return closure_method(ruby, node, name)
    if receiver.type in ("constant", "scope_resolution"):
        if source(receiver) not in ruby.constants:
            found = class_method(ruby, node, source(receiver).removeprefix("::"), name)
            return expressions.call_value(ruby, node) if found is None else found
        return ruby.rules.method(ruby, node, name, ruby.value(receiver))
    return expressions.call_value(ruby, node)


def closure_method(ruby: Translator, node: Node, name: str) -> ast.expr:
    """Return a method of ``closure_scope``."""
    helper = {
        "lookupvar": ":closure_variable",
        "[]": ":closure_variable",
        "exist?": ":closure_exists",
    }.get(name)
    if helper is None or node.child_by_field_name("block") is not None:
        raise ruby.refuse(node, f"'closure_scope.{name}'")
    return act(ruby, helper, *arguments_of(ruby, node, 1))


def class_method(ruby: Translator, node: Node, class_name: str, name: str) -> ast.expr | None:
    """``File.join(x)``, ``YAML.safe_load(x)``, ``Puppet.warning(x)``, ``Proc.new { }``."""
    block = node.child_by_field_name("block")
    if class_name == "Puppet" and name in LEVELS:
        return log_call(ruby, node, name, block)
    if class_name == "Proc" and name == "new" and block is not None:
        return proc_of(ruby, block, "proc")
    if block is not None:
        return None
    if class_name in DIGESTS and name in ("hexdigest", "digest"):
        kind = ruby.constant(DIGESTS[class_name])
        return ruby.call(f":{name}", kind, *arguments_of(ruby, node, 1))
    if (class_name, name) in PARSERS:
        return parser_call(ruby, node, *PARSERS[class_name, name])
    found = CLASS_METHODS.get((class_name, name))
    if found is None:
        return None
    return act(ruby, f"{class_name}.{name}", *arguments_of(ruby, node, *arity(found, 0)))


def parser_call(ruby: Translator, node: Node, helper: str, aliases: bool) -> ast.expr:
    """Translate calls such as ``YAML.safe_load(x, permitted_classes: [Symbol], aliases: true)``."""
    given = node.child_by_field_name("arguments")
    text, *options = [] if given is None else named(given)
    for option in options:
        key, value = (option.child_by_field_name(field) for field in ("key", "value"))
        name = "" if key is None else source(key)
        if value is None:
            raise ruby.refuse(option, "a parser with such options")
        if name == "aliases" and value.type in ("true", "false"):
            aliases = value.type == "true"
        elif name == "permitted_classes" and value.type == "array":
            if not PERMITTED.issuperset(map(source, named(value))):
                raise ruby.refuse(option, "such permitted classes")
        elif name != "filename":
            raise ruby.refuse(option, "a parser with such options")
    return act(ruby, helper, ruby.value(text), ruby.constant(aliases))


def log_call(ruby: Translator, node: Node, level: str, block: Node | None) -> ast.expr:
    """Translate ``Puppet.warning``."""
    if block is None:
        return act(ruby, ":log", ruby.constant(level), *arguments_of(ruby, node, 1))
    function, count = block_function(ruby, block, level)
    if count or arguments_of(ruby, node, 0):
        raise ruby.refuse(node, "a log message of this form")
    return act(ruby, ":log", ruby.constant(level), ruby.call(function))


def own_call(ruby: Translator, node: Node, name: str) -> ast.expr:
    """Return a method of the function itruby."""
    block = node.child_by_field_name("block")
    if name in ruby.methods and block is None:
        return ruby.call(f"method {name}", *arguments_of(ruby, node, 0, None))
    if name in ("proc", "lambda") and block is not None and name not in ruby.methods:
        return proc_of(ruby, block, name)
    if block is not None:
        return expressions.own_call(ruby, node, name)
    if name == "require" and literal(only_argument(node)) in REQUIRED:
        return ruby.constant(True)
    if name == "_":
        return ruby.value(only_argument(node))
    if name == "call_function":
        return act(ruby, ":call_function", *arguments_of(ruby, node, 1, None))
    if name in ("format", "sprintf"):
        pattern, *values = arguments_of(ruby, node, 2, None)
        return ruby.call(":formatted", pattern, ruby.array(values))
    return expressions.own_call(ruby, node, name)


def method(ruby: Translator, node: Node, name: str, receiver: ast.expr) -> ast.expr:
    """Return a method of a value: of a backend's context, of a proc, else as in templates."""
    if node.child_by_field_name("block") is None and not has_block_argument(node):
        if name in METHODS:
            found = arity(METHODS[name], 1)
            return act(ruby, f"!{name}", receiver, *arguments_of(ruby, node, *found))
        if name in ("call", "()"):
            return ruby.call(":call_proc", receiver, *arguments_of(ruby, node, 0, None))
        if name == "freeze":
            return ruby.call(":frozen", receiver, *arguments_of(ruby, node, 0))
    return expressions.method(ruby, node, name, receiver)


def block_call(
    ruby: Translator,
    node: Node,
    name: str,
    receiver: ast.expr,
    block: Node | None,
    last: Node | None,
) -> ast.expr:
    """Return a method with a block, also with that of a context."""
    if name not in BLOCK_METHODS or block is None:
        return expressions.block_call(ruby, node, name, receiver, block, last)
    function, count = block_function(ruby, block, name)
    arguments = arguments_of(ruby, node, *arity(BLOCK_METHODS[name], 3))
    return act(ruby, f"!&{name}", receiver, function, ruby.constant(count), *arguments)


def symbol_block(ruby: Translator, node: Node) -> tuple[ast.expr, int | ast.expr]:
    """Translate ``&:name``, and ``&merger`` of a proc."""
    inner = named(node)
    name = source(inner[0]) if len(inner) == 1 and inner[0].type == "identifier" else ""
    is_value = len(inner) == 1 and inner[0].type in ("call", "lambda")
    if not is_value and name not in ruby.methods and ruby.find(name) is None:
        return expressions.symbol_block(ruby, node)
    call = node.parent and node.parent.parent
    outer = call and call.child_by_field_name("method")
    if outer is None or source(outer) in ONCE or source(outer) in BLOCK_METHODS:
        raise ruby.refuse(node, f"'{source(node)}'")
    value, again = ruby.twice(ruby.value(inner[0]))
    return ruby.call(":block_function", value), ruby.call(":block_count", again)


def lambda_value(ruby: Translator, node: Node) -> ast.expr:
    """Translate ``->(x) { }``."""
    return proc_of(ruby, Lambda(node), "lambda")


def proc_of(ruby: Translator, block: Block, what: str) -> ast.expr:
    """Return a block as a value."""
    function, count = block_function(ruby, block, what)
    return ruby.call(":Proc", function, ruby.constant(count))


METHOD_RULES = Rules(
    {
        **TEMPLATE_RULES.expressions,
        "binary": binary_value,
        "call": call_value,
        "constant": constant_value,
        "element_reference": element_reference,
        "identifier": identifier_value,
        "lambda": lambda_value,
    },
    {**TEMPLATE_RULES.statements, "return": return_statement},
    own_call,
    method,
    block_call,
    symbol_block,
)


def has_block_argument(node: Node) -> bool:
    """Return whether the last argument of a call is ``&x``."""
    given = node.child_by_field_name("arguments")
    nodes = [] if given is None else named(given)
    return bool(nodes) and nodes[-1].type == "block_argument"


def compile_function(text: str, file: str, name: str) -> CodeType:
    """Return the code for ``signatures`` and ``methods``; raise Unsupported if Ruby must run it."""
    root = parse_for_python(text)
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
        module = methods_module(RubyText([text], lines=lines), root, found)
        data = ast.parse(f"signatures = {signatures!r}\ntypes = {found.types!r}").body
        module.body.extend(data)
        return compile(module, file, "exec", dont_inherit=True, optimize=0)
    except RecursionError:
        raise Unsupported("code that nests too deeply", 1) from None
