"""The syntax tree in Puppet's own notation, letter for letter as ``puppet parser dump`` prints it.

Chains that nest to the left (``1 + 2 + …``, ``$a.b.c``) are written by a loop, as they may be long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Expression, Node, Nop, Parameter, Program

Out = list[str]
Writer = Callable[[Any, Out], None]
Opening = Callable[[Any, Out], Expression]

WITHIN: Final[dict[str, str]] = {
    "\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\",
}  # fmt: skip
SPECIAL: Final = lazy_pattern(r'[\x00-\x1f"\\]')


def to_pn(program: Program) -> str:
    """Return a whole program in PN.

    >>> from bunraku.base.source import Source
    >>> from bunraku.syntax.parser.parser import parse
    >>> to_pn(parse(Source("$a = 1 + 2")).program)
    '(= (var "a") (+ 1 2))'
    """
    return node_to_pn(program.body)


def node_to_pn(node: Node) -> str:
    """Return one node in PN."""
    out: Out = []
    write(node, out)
    return "".join(out)


def write(node: Node, out: Out) -> None:
    """Write a node; a loop writes the chain of nodes on its left."""
    chain = []
    while opening := OPENINGS.get(node.__class__):
        chain.append(node)
        node = opening(node, out)
    WRITERS[node.__class__](node, out)
    while chain:
        node = chain.pop()
        CLOSINGS[node.__class__](node, out)


def quoted(text: str) -> str:
    """Return a string as PN writes it."""
    if SPECIAL.search(text):
        text = SPECIAL.sub(escaped, text)
    return f'"{text}"'


def escaped(match: re.Match[str]) -> str:
    """Return the escape of a character that is not allowed in a PN string."""
    character = match[0]
    return WITHIN.get(character) or f"\\o{ord(character):03o}"


def ruby_float(value: float) -> str:
    """Return a Float as Ruby prints it: with an exponent from 1e15 on.

    >>> ruby_float(1e20), ruby_float(1234567890123456.0), ruby_float(0.0001), ruby_float(1.5e-05)
    ('1.0e+20', '1.234567890123456e+15', '0.0001', '1.5e-05')
    """
    text = repr(value)
    if "e" not in text:
        if abs(value) < 1e15:
            return text
        digits = text.removesuffix(".0").removeprefix("-")
        text = f"{text[: -len(digits) - 2]}{digits[0]}.{digits[1:].rstrip('0') or '0'}e15"
    mantissa, exponent = text.split("e")
    power = int(exponent)
    if "." not in mantissa:
        mantissa += ".0"
    sign = "-" if power < 0 else "+"
    return f"{mantissa}e{sign}{abs(power):02d}"


def write_all(items: Iterable[Node], out: Out) -> None:
    """Write the nodes, each after a space."""
    for item in items:
        out.append(" ")
        write(item, out)


def write_list(items: Iterable[Node], out: Out) -> None:
    """Write ``[a b]``."""
    out.append("[")
    separator = ""
    for item in items:
        out.append(separator)
        write(item, out)
        separator = " "
    out.append("]")


def is_nothing(node: Expression) -> bool:
    """Return whether a place in the tree is empty."""
    return node.__class__ is Nop


def write_body(key: str, body: Expression, out: Out) -> None:
    """Write ``:key [statements]``."""
    out.append(f":{key} ")
    write_list(body.statements if isinstance(body, nodes.Block) else [body], out)


# -- expressions with a left operand -------------------------------------------------------------


Signed = nodes.Arithmetic | nodes.Assignment | nodes.Comparison | nodes.Match | nodes.Relationship
"""Nodes with one of several operators."""
Worded = nodes.In | nodes.And | nodes.Or | nodes.NamedAccess
Formed = nodes.Resource | nodes.ResourceDefaults | nodes.ResourceOverride


def open_operator(node: Signed, out: Out) -> Expression:
    """Write the opening of ``left operator right``; return the left side."""
    out.append(f"({node.operator} ")
    return node.left


def opens(word: str) -> Opening:
    """Return a function that opens ``left word right``."""

    def opening(node: Worded | nodes.Access | nodes.Selector, out: Out) -> Expression:
        out.append(f"({word} ")
        return node.left

    return opening


def close_binary(node: Signed | Worded, out: Out) -> None:
    """Write the right side of an operator."""
    out.append(" ")
    write(node.right, out)
    out.append(")")


def close_access(node: nodes.Access, out: Out) -> None:
    """Write the keys in brackets."""
    write_all(node.keys, out)
    out.append(")")


def close_selector(node: nodes.Selector, out: Out) -> None:
    """Write the entries of a selector."""
    out.append(" ")
    write_list(node.entries, out)
    out.append(")")


def open_method_call(node: nodes.MethodCall, out: Out) -> Expression:
    """Write ``receiver.name(arguments)``."""
    word = "call-method" if node.value_needed else "invoke-method"
    out.append(f"({word} {{:functor (. ")
    return node.receiver


def close_method_call(node: nodes.MethodCall, out: Out) -> None:
    """Write the name and the arguments."""
    out.append(" ")
    write(node.name, out)
    out.append(")")
    close_arguments(node, out)


def open_call(node: nodes.Call, out: Out) -> Expression:
    """Write ``callee(arguments)``."""
    out.append(f"({'call' if node.value_needed else 'invoke'} {{:functor ")
    return node.callee


def close_arguments(node: nodes.Call | nodes.MethodCall, out: Out) -> None:
    """Write the arguments and the lambda of a call."""
    out.append(" :args ")
    write_list(node.arguments, out)
    if node.block is not None:
        out.append(" :block ")
        write(node.block, out)
    out.append("})")


def write_import(node: nodes.Import, out: Out) -> None:
    """Write ``import 'file'`` as a call."""
    out.append('(invoke {:functor (qn "import") :args ')
    write_list(node.files, out)
    out.append("})")


def open_collector(node: nodes.Collector, out: Out) -> Expression:
    """Write ``type <| query |>``."""
    out.append("(collect {:type ")
    return node.type


def close_collector(node: nodes.Collector, out: Out) -> None:
    """Write the query and the operations."""
    query = node.query
    out.append(f" :query ({'exported' if query.exported else 'virtual'}-query")
    if not is_nothing(query.expression):
        write_all([query.expression], out)
    out.append(")")
    if node.operations:
        out.append(" :ops ")
        write_list(node.operations, out)
    out.append("})")


def open_resource(node: nodes.Resource, out: Out) -> Expression:
    """Write ``type { bodies }``."""
    out.append("(resource {:type ")
    return node.type_name


def close_resource(node: nodes.Resource, out: Out) -> None:
    """Write the bodies of a resource."""
    out.append(" :bodies [")
    separator = ""
    for body in node.bodies:
        out.append(f"{separator}{{:title ")
        write(body.title, out)
        out.append(" :ops ")
        write_list(body.operations, out)
        out.append("}")
        separator = " "
    out.append("]")
    close_form(node, out)


def open_defaults(node: nodes.ResourceDefaults, out: Out) -> Expression:
    """Write ``Type { operations }``."""
    out.append("(resource-defaults {:type ")
    return node.type_reference


def open_override(node: nodes.ResourceOverride, out: Out) -> Expression:
    """Write ``Type[title] { operations }``."""
    out.append("(resource-override {:resources ")
    return node.resources


def close_operations(node: nodes.ResourceDefaults | nodes.ResourceOverride, out: Out) -> None:
    """Write the operations of defaults or an override."""
    out.append(" :ops ")
    write_list(node.operations, out)
    close_form(node, out)


def close_form(node: Formed, out: Out) -> None:
    """Write ``@`` or ``@@``, if present."""
    out.append("})" if node.form == "regular" else f" :form {quoted(node.form)}}})")


BINARY: Final = (
    nodes.Arithmetic, nodes.Comparison, nodes.Match, nodes.Relationship, nodes.Assignment,
)  # fmt: skip
OPENINGS: Final[dict[type, Opening]] = {
    **dict.fromkeys(BINARY, open_operator),
    nodes.In: opens("in"),
    nodes.And: opens("and"),
    nodes.Or: opens("or"),
    nodes.Access: opens("access"),
    nodes.NamedAccess: opens("."),
    nodes.Selector: opens("?"),
    nodes.MethodCall: open_method_call,
    nodes.Call: open_call,
    nodes.Collector: open_collector,
    nodes.Resource: open_resource,
    nodes.ResourceDefaults: open_defaults,
    nodes.ResourceOverride: open_override,
}
CLOSINGS: Final[dict[type, Writer]] = {
    **dict.fromkeys((*BINARY, nodes.In, nodes.And, nodes.Or, nodes.NamedAccess), close_binary),
    nodes.Access: close_access,
    nodes.Selector: close_selector,
    nodes.MethodCall: close_method_call,
    nodes.Call: close_arguments,
    nodes.Collector: close_collector,
    nodes.Resource: close_resource,
    nodes.ResourceDefaults: close_operations,
    nodes.ResourceOverride: close_operations,
}

# -- the others ----------------------------------------------------------------------------------


def write_integer(node: nodes.Integer, out: Out) -> None:
    """Write ``42``, ``0x2A``."""
    if node.radix == 10:
        out.append(str(node.value))
    else:
        out.append(f"(int {{:radix {node.radix} :value {node.value}}})")


def write_float(node: nodes.Float, out: Out) -> None:
    """Write ``1.5``."""
    out.append(ruby_float(node.value))


def write_boolean(node: nodes.Boolean, out: Out) -> None:
    """Write ``true``, ``false``."""
    out.append("true" if node.value else "false")


def write_string(node: nodes.String, out: Out) -> None:
    """Write ``"text"``."""
    out.append(quoted(node.value))


def write_unary_minus(node: nodes.UnaryMinus, out: Out) -> None:
    """Write ``- expression``; a number takes the sign."""
    inner = node.expression
    if isinstance(inner, nodes.Integer):
        out.append(str(-inner.value))
    elif isinstance(inner, nodes.Float):
        out.append(ruby_float(-inner.value))
    else:
        out.append("(- ")
        write(inner, out)
        out.append(")")


def constant(text: str) -> Writer:
    """Return a writer that writes the same text for each node."""

    def writer(_node: Node, out: Out) -> None:
        out.append(text)

    return writer


def calls(word: str, *names: str) -> Writer:
    """Return a writer of ``(word field field)``."""

    def writer(node: Node, out: Out) -> None:
        out.append(f"({word}")
        for name in names:
            out.append(" ")
            write(getattr(node, name), out)
        out.append(")")

    return writer


def quotes(word: str, name: str) -> Writer:
    """Return a writer of ``(word "text")``."""
    opening = f"({word} "

    def writer(node: Node, out: Out) -> None:
        out.append(f"{opening}{quoted(getattr(node, name))})")

    return writer


def lists(word: str, name: str) -> Writer:
    """Return a writer of ``(word item item)``."""
    opening = f"({word}"

    def writer(node: Node, out: Out) -> None:
        out.append(opening)
        write_all(getattr(node, name), out)
        out.append(")")

    return writer


def write_heredoc(node: nodes.Heredoc, out: Out) -> None:
    """Write ``@(tag)``."""
    out.append("(heredoc {")
    if node.syntax is not None:
        out.append(f":syntax {quoted(node.syntax)} ")
    out.append(":text ")
    write(node.text, out)
    out.append("})")


def write_condition(word: str) -> Writer:
    """Return a writer of ``if`` and ``unless``."""

    def writer(node: nodes.If | nodes.Unless, out: Out) -> None:
        out.append(f"({word} {{:test ")
        write(node.test, out)
        for key, branch in (("then", node.then), ("else", node.otherwise)):
            if not is_nothing(branch):
                out.append(" ")
                write_body(key, branch, out)
        out.append("})")

    return writer


def write_case(node: nodes.Case, out: Out) -> None:
    """Write ``case test { options }``."""
    out.append("(case ")
    write(node.test, out)
    out.append(" ")
    write_list(node.options, out)
    out.append(")")


def write_option(node: nodes.CaseOption, out: Out) -> None:
    """Write ``values: { then }``."""
    out.append("{:when ")
    write_list(node.values, out)
    out.append(" ")
    write_body("then", node.then, out)
    out.append("}")


def write_parameters(parameters: list[Parameter], out: Out) -> None:
    """Write ``:params {:name {:type … :value …}}``."""
    out.append(":params {")
    separator = ""
    for parameter in parameters:
        out.append(f"{separator}:{parameter.name} {{")
        entries = []
        if parameter.type is not None:
            entries.append(":type " + node_to_pn(parameter.type))
        if parameter.captures_rest:
            entries.append(":splat true")
        if parameter.value is not None:
            entries.append(":value " + node_to_pn(parameter.value))
        out.append(" ".join(entries) + "}")
        separator = " "
    out.append("}")


def write_entries(word: str, writers: list[Callable[[Out], None]], out: Out) -> None:
    """Write ``(word {entries})``."""
    out.append(f"({word} {{")
    for index, entry in enumerate(writers):
        if index:
            out.append(" ")
        entry(out)
    out.append("})")


def write_lambda(node: nodes.Lambda, out: Out) -> None:
    """Write ``|parameters| >> Type { body }``."""
    entries: list[Callable[[Out], None]] = []
    if node.parameters:
        entries.append(lambda out: write_parameters(node.parameters, out))
    if node.return_type is not None:
        entries.append(returns_writer(node.return_type))
    if not is_nothing(node.body):
        entries.append(lambda out: write_body("body", node.body, out))
    write_entries("lambda", entries, out)


def returns_writer(kind: Expression) -> Callable[[Out], None]:
    """Return a writer of ``:returns Type``."""

    def writer(out: Out) -> None:
        out.append(":returns ")
        write(kind, out)

    return writer


Defined = (
    nodes.ClassDefinition | nodes.DefineDefinition | nodes.FunctionDefinition | nodes.PlanDefinition
)


def write_definition(word: str) -> Writer:
    """Return a writer of classes, defines, functions and plans."""

    def writer(node: Defined, out: Out) -> None:
        entries: list[Callable[[Out], None]] = [
            lambda out: out.append(f":name {quoted(node.name)}")
        ]
        if isinstance(node, nodes.ClassDefinition) and node.parent is not None:
            parent = quoted(node.parent)
            entries.append(lambda out: out.append(f":parent {parent}"))
        if node.parameters:
            entries.append(lambda out: write_parameters(node.parameters, out))
        if not is_nothing(node.body):
            entries.append(lambda out: write_body("body", node.body, out))
        if isinstance(node, nodes.FunctionDefinition) and node.return_type is not None:
            entries.append(returns_writer(node.return_type))
        write_entries(word, entries, out)

    return writer


def write_node(node: nodes.NodeDefinition, out: Out) -> None:
    """Write ``node matches { body }``."""
    out.append("(node {:matches ")
    write_list(node.matches, out)
    if node.parent is not None:
        out.append(" :parent ")
        write(node.parent, out)
    if not is_nothing(node.body):
        out.append(" ")
        write_body("body", node.body, out)
    out.append("})")


def write_alias(node: nodes.TypeAlias, out: Out) -> None:
    """Write ``type Name = Type``."""
    out.append(f"(type-alias {quoted(node.name)} ")
    write(node.type, out)
    out.append(")")


def write_type_definition(node: nodes.TypeDefinition, out: Out) -> None:
    """Write ``type Name inherits Parent { body }``."""
    parent = "nil" if node.parent is None else quoted(node.parent)
    out.append(f"(type-definition {quoted(node.name)} {parent} ")
    write(node.body, out)
    out.append(")")


def write_attribute(node: nodes.Attribute, out: Out) -> None:
    """Write ``name => value``."""
    out.append(f"({node.operator} {quoted(node.name)} ")
    write(node.value, out)
    out.append(")")


def write_epp(node: nodes.Epp, out: Out) -> None:
    """Write the body of a template."""
    out.append("(epp")
    if isinstance(node.body, nodes.Block):
        write_all(node.body.statements, out)
    out.append(")")


def write_apply(node: nodes.Apply, out: Out) -> None:
    """Write ``apply(arguments) { body }`` in our own notation, since Puppet has none."""
    out.append("(apply {:args ")
    write_list(node.arguments, out)
    if not is_nothing(node.body):
        out.append(" ")
        write_body("body", node.body, out)
    out.append("})")


WRITERS: Final[dict[type, Writer]] = {
    nodes.Nop: constant("(nop)"),
    nodes.Integer: write_integer,
    nodes.Float: write_float,
    nodes.Boolean: write_boolean,
    nodes.Undef: constant("nil"),
    nodes.Default: constant("(default)"),
    nodes.String: write_string,
    nodes.Regexp: quotes("regexp", "pattern"),
    nodes.List: lists("array", "values"),
    nodes.Hash: lists("hash", "entries"),
    nodes.Entry: calls("=>", "key", "value"),
    nodes.Name: quotes("qn", "value"),
    nodes.Reference: quotes("qr", "value"),
    nodes.ReservedWord: quotes("reserved", "word"),
    nodes.Concatenation: lists("concat", "segments"),
    nodes.Interpolation: calls("str", "expression"),
    nodes.Heredoc: write_heredoc,
    nodes.Variable: quotes("var", "name"),
    nodes.Parenthesized: calls("paren", "expression"),
    nodes.Not: calls("!", "expression"),
    nodes.UnaryMinus: write_unary_minus,
    nodes.Unfold: calls("unfold", "expression"),
    nodes.Block: lists("block", "statements"),
    nodes.If: write_condition("if"),
    nodes.Unless: write_condition("unless"),
    nodes.Case: write_case,
    nodes.CaseOption: write_option,
    nodes.SelectorEntry: calls("=>", "match", "value"),
    nodes.Lambda: write_lambda,
    nodes.FunctionDefinition: write_definition("function"),
    nodes.Import: write_import,
    nodes.ClassDefinition: write_definition("class"),
    nodes.DefineDefinition: write_definition("define"),
    nodes.PlanDefinition: write_definition("plan"),
    nodes.NodeDefinition: write_node,
    nodes.Apply: write_apply,
    nodes.TypeAlias: write_alias,
    nodes.TypeMapping: calls("type-mapping", "left", "type"),
    nodes.TypeDefinition: write_type_definition,
    nodes.Attribute: write_attribute,
    nodes.AttributeSplat: calls("splat-hash", "value"),
    nodes.RenderString: quotes("render-s", "value"),
    nodes.Render: calls("render", "expression"),
    nodes.Epp: write_epp,
}
