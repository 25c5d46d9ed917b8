"""The syntax tree in Puppet's own notation, letter for letter as ``puppet parser dump`` prints it.

A loop writes the pieces of a node, which are texts and nodes: trees may be deep, as ``1 + 2 + …`` is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Expression, Node, Nop, Parameter, Program

Pieces: TypeAlias = "tuple[str | Node, ...]"
Form = Callable[[Any], Pieces]
"""Returns what stands for a node."""

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
    out: list[str] = []
    pending: list[str | Node] = [program.body]
    while pending:
        piece = pending.pop()
        if isinstance(piece, str):
            out.append(piece)
        else:
            pending += reversed(FORMS[piece.__class__](piece))
    return "".join(out)


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


# -- parts of forms --------------------------------------------------------------------------------


def joined(parts: Iterable[Pieces]) -> Pieces:
    """Return the pieces of several parts with a space between two of them."""
    found: list[str | Node] = []
    for part in parts:
        found += (" ", *part) if found else part
    return tuple(found)


def call(word: str, items: Iterable[Node]) -> Pieces:
    """Return ``(word item item)``."""
    return (*joined([(f"({word}",), *[(item,) for item in items]]), ")")


def listed(items: Iterable[Node]) -> Pieces:
    """Return ``[a b]``."""
    return "[", *joined((item,) for item in items), "]"


def statements(content: Expression) -> Pieces:
    """Return ``[statement statement]``."""
    return listed(content.statements if isinstance(content, nodes.Block) else [content])


def entry(key: str, *value: str | Node | None) -> Pieces:
    """Return ``:key value``; nothing for None."""
    pieces = tuple([piece for piece in value if piece is not None])
    return (f":{key} ", *pieces) if pieces else ()


def body(key: str, content: Expression) -> Pieces:
    """Return ``:key [statements]``; nothing for an empty body."""
    return () if content.__class__ is Nop else entry(key, *statements(content))


def entries(*parts: Pieces) -> Pieces:
    """Return ``{:key value :key value}``; parts without pieces are left out."""
    return "{", *joined(filter(None, parts)), "}"


def mapped(word: str, *parts: Pieces) -> Pieces:
    """Return ``(word {:key value})``."""
    return f"({word} ", *entries(*parts), ")"


def parameters(items: list[Parameter]) -> Pieces:
    """Return ``:params {:name {:type … :value …}}``; nothing without parameters."""
    parts = [
        (
            f":{one.name} ",
            *entries(
                entry("type", one.type),
                entry("splat", "true" if one.captures_rest else None),
                entry("value", one.value),
            ),
        )
        for one in items
    ]
    return entry("params", *entries(*parts)) if parts else ()


def resource_form(node: nodes.Resource | nodes.ResourceDefaults | nodes.ResourceOverride) -> Pieces:
    """Return ``:form "virtual"`` for ``@``, likewise for ``@@``."""
    return () if node.form == "regular" else entry("form", quoted(node.form))


# -- makers of forms -------------------------------------------------------------------------------


def constant(text: str) -> Form:
    """Return a form that is the same text for each node."""
    return lambda _node: (text,)


def calls(word: str, *names: str) -> Form:
    """Return a form ``(word field field)``."""
    return lambda node: call(word, [getattr(node, name) for name in names])


def quotes(word: str, name: str) -> Form:
    """Return a form ``(word "text")``."""
    return lambda node: (f"({word} {quoted(getattr(node, name))})",)


def lists(word: str, name: str) -> Form:
    """Return a form ``(word item item)``."""
    return lambda node: call(word, getattr(node, name))


def conditions(word: str) -> Form:
    """Return the form of ``if`` and ``unless``."""
    return lambda node: mapped(
        word, entry("test", node.test), body("then", node.then), body("else", node.otherwise)
    )


def definitions(word: str) -> Form:
    """Return the form of classes, defines, functions and plans."""

    def form(node: Any) -> Pieces:
        parent = getattr(node, "parent", None)
        return mapped(
            word,
            entry("name", quoted(node.name)),
            entry("parent", None if parent is None else quoted(parent)),
            parameters(node.parameters),
            body("body", node.body),
            entry("returns", getattr(node, "return_type", None)),
        )

    return form


# -- forms -----------------------------------------------------------------------------------------


Signed = nodes.Arithmetic | nodes.Assignment | nodes.Comparison | nodes.Match | nodes.Relationship
"""Nodes with one of several operators."""


def operator_form(node: Signed) -> Pieces:
    """Return ``(operator left right)``."""
    return f"({node.operator} ", node.left, " ", node.right, ")"


def selector_form(node: nodes.Selector) -> Pieces:
    """Return ``(? left [entries])``."""
    return "(? ", node.left, " ", *listed(node.entries), ")"


def call_form(node: nodes.Call) -> Pieces:
    """Return the form of ``callee(arguments)``."""
    word = "call" if node.value_needed else "invoke"
    return mapped(word, entry("functor", node.callee), *arguments(node))


def method_call_form(node: nodes.MethodCall) -> Pieces:
    """Return the form of ``receiver.name(arguments)``."""
    word = "call-method" if node.value_needed else "invoke-method"
    return mapped(
        word, entry("functor", "(. ", node.receiver, " ", node.name, ")"), *arguments(node)
    )


def arguments(node: nodes.Call | nodes.MethodCall) -> tuple[Pieces, Pieces]:
    """Return the arguments and the lambda of a call."""
    return entry("args", *listed(node.arguments)), entry("block", node.block)


def import_form(node: nodes.Import) -> Pieces:
    """Return ``import 'file'`` as a call."""
    name, files = entry("functor", '(qn "import")'), entry("args", *listed(node.files))
    return mapped("invoke", name, files)


def collector_form(node: nodes.Collector) -> Pieces:
    """Return the form of ``type <| query |>``."""
    query = node.query
    word = f"({'exported' if query.exported else 'virtual'}-query"
    condition = () if query.expression.__class__ is Nop else (" ", query.expression)
    return mapped(
        "collect",
        entry("type", node.type),
        entry("query", word, *condition, ")"),
        entry("ops", *listed(node.operations)) if node.operations else (),
    )


def resource_definition_form(node: nodes.Resource) -> Pieces:
    """Return the form of ``type { bodies }``."""
    bodies = [
        entries(entry("title", one.title), entry("ops", *listed(one.operations)))
        for one in node.bodies
    ]
    return mapped(
        "resource",
        entry("type", node.type_name),
        entry("bodies", "[", *joined(bodies), "]"),
        resource_form(node),
    )


def defaults_form(node: nodes.ResourceDefaults) -> Pieces:
    """Return the form of ``Type { operations }``."""
    operations = entry("ops", *listed(node.operations))
    return mapped(
        "resource-defaults", entry("type", node.type_reference), operations, resource_form(node)
    )


def override_form(node: nodes.ResourceOverride) -> Pieces:
    """Return the form of ``Type[title] { operations }``."""
    operations = entry("ops", *listed(node.operations))
    return mapped(
        "resource-override", entry("resources", node.resources), operations, resource_form(node)
    )


def integer_form(node: nodes.Integer) -> Pieces:
    """Return ``42``, ``(int {:radix 16 :value 42})``."""
    if node.radix == 10:
        return (str(node.value),)
    return (f"(int {{:radix {node.radix} :value {node.value}}})",)


def minus_form(node: nodes.UnaryMinus) -> Pieces:
    """Return ``(- expression)``; a number takes the sign."""
    inner = node.expression
    if isinstance(inner, nodes.Integer):
        return (str(-inner.value),)
    if isinstance(inner, nodes.Float):
        return (ruby_float(-inner.value),)
    return "(- ", inner, ")"


def heredoc_form(node: nodes.Heredoc) -> Pieces:
    """Return the form of ``@(tag)``."""
    syntax = None if node.syntax is None else quoted(node.syntax)
    return mapped("heredoc", entry("syntax", syntax), entry("text", node.text))


def case_form(node: nodes.Case) -> Pieces:
    """Return ``(case test [options])``."""
    return "(case ", node.test, " ", *listed(node.options), ")"


def option_form(node: nodes.CaseOption) -> Pieces:
    """Return ``{:when [values] :then [statements]}``."""
    return entries(entry("when", *listed(node.values)), entry("then", *statements(node.then)))


def lambda_form(node: nodes.Lambda) -> Pieces:
    """Return the form of ``|parameters| >> Type { body }``."""
    returns = entry("returns", node.return_type)
    return mapped("lambda", parameters(node.parameters), returns, body("body", node.body))


def node_form(node: nodes.NodeDefinition) -> Pieces:
    """Return the form of ``node matches { body }``."""
    matches = entry("matches", *listed(node.matches))
    return mapped("node", matches, entry("parent", node.parent), body("body", node.body))


def type_definition_form(node: nodes.TypeDefinition) -> Pieces:
    """Return ``(type-definition "Name" "Parent" body)``."""
    parent = "nil" if node.parent is None else quoted(node.parent)
    return f"(type-definition {quoted(node.name)} {parent} ", node.body, ")"


def epp_form(node: nodes.Epp) -> Pieces:
    """Return the body of a template."""
    return call("epp", node.body.statements if isinstance(node.body, nodes.Block) else [])


def apply_form(node: nodes.Apply) -> Pieces:
    """Return ``apply(arguments) { body }`` in our own notation, since Puppet has none."""
    return mapped("apply", entry("args", *listed(node.arguments)), body("body", node.body))


FORMS: Final[dict[type, Form]] = {
    **dict.fromkeys(Signed.__args__, operator_form),
    nodes.In: calls("in", "left", "right"),
    nodes.And: calls("and", "left", "right"),
    nodes.Or: calls("or", "left", "right"),
    nodes.NamedAccess: calls(".", "left", "right"),
    nodes.Access: lambda node: call("access", [node.left, *node.keys]),
    nodes.Selector: selector_form,
    nodes.MethodCall: method_call_form,
    nodes.Call: call_form,
    nodes.Collector: collector_form,
    nodes.Resource: resource_definition_form,
    nodes.ResourceDefaults: defaults_form,
    nodes.ResourceOverride: override_form,
    nodes.Nop: constant("(nop)"),
    nodes.Integer: integer_form,
    nodes.Float: lambda node: (ruby_float(node.value),),
    nodes.Boolean: lambda node: ("true" if node.value else "false",),
    nodes.Undef: constant("nil"),
    nodes.Default: constant("(default)"),
    nodes.String: lambda node: (quoted(node.value),),
    nodes.Regexp: quotes("regexp", "pattern"),
    nodes.List: lists("array", "values"),
    nodes.Hash: lists("hash", "entries"),
    nodes.Entry: calls("=>", "key", "value"),
    nodes.Name: quotes("qn", "value"),
    nodes.Reference: quotes("qr", "value"),
    nodes.ReservedWord: quotes("reserved", "word"),
    nodes.Concatenation: lists("concat", "segments"),
    nodes.Interpolation: calls("str", "expression"),
    nodes.Heredoc: heredoc_form,
    nodes.Variable: quotes("var", "name"),
    nodes.Parenthesized: calls("paren", "expression"),
    nodes.Not: calls("!", "expression"),
    nodes.UnaryMinus: minus_form,
    nodes.Unfold: calls("unfold", "expression"),
    nodes.Block: lists("block", "statements"),
    nodes.If: conditions("if"),
    nodes.Unless: conditions("unless"),
    nodes.Case: case_form,
    nodes.CaseOption: option_form,
    nodes.SelectorEntry: calls("=>", "match", "value"),
    nodes.Lambda: lambda_form,
    nodes.FunctionDefinition: definitions("function"),
    nodes.Import: import_form,
    nodes.ClassDefinition: definitions("class"),
    nodes.DefineDefinition: definitions("define"),
    nodes.PlanDefinition: definitions("plan"),
    nodes.NodeDefinition: node_form,
    nodes.Apply: apply_form,
    nodes.TypeAlias: lambda node: (f"(type-alias {quoted(node.name)} ", node.type, ")"),
    nodes.TypeMapping: calls("type-mapping", "left", "type"),
    nodes.TypeDefinition: type_definition_form,
    nodes.Attribute: lambda node: (f"({node.operator} {quoted(node.name)} ", node.value, ")"),
    nodes.AttributeSplat: calls("splat-hash", "value"),
    nodes.RenderString: quotes("render-s", "value"),
    nodes.Render: calls("render", "expression"),
    nodes.Epp: epp_form,
}
