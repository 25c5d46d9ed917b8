"""Emitting definitions, templates and whole programs.

The emitted module assigns one name, ``definitions``: a tuple of tuples, each a kind, a name and
what that kind needs, as :mod:`bunraku.runtime.definitions` reads them.
"""

from __future__ import annotations

import ast

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.compiler import issues
from bunraku.compiler.control import caught, function_frame, parameter_count
from bunraku.compiler.emitter import (
    Emitter,
    Place,
    Sink,
    arguments_of,
    expression_of,
    function_definition,
    statement_of,
)
from bunraku.compiler.frames import Frame, reads_captures
from bunraku.compiler.parameters import fill_function, types_function
from bunraku.compiler.rules import CompilerRules
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node

HOISTED = (
    nodes.ClassDefinition,
    nodes.DefineDefinition,
    nodes.FunctionDefinition,
    nodes.Import,
    nodes.TypeAlias,
    nodes.TypeMapping,
    nodes.TypeDefinition,
    nodes.NodeDefinition,
    nodes.PlanDefinition,
)


@expression_of(*HOISTED)
def hoisted(emitter: Emitter, node: Node) -> ast.expr:
    """A definition where it stands does nothing: the module has it."""
    return emitter.constant(None, emitter.place(node))


@statement_of(*HOISTED)
def hoisted_statement(emitter: Emitter, node: Node, sink: Sink) -> None:
    """A definition as a statement."""
    emitter.finish_empty(sink, node)


@expression_of(nodes.ReservedWord)
def reserved_word(emitter: Emitter, node: nodes.ReservedWord) -> ast.expr:
    """A word that a later version keeps for itself is a text so far."""
    if not node.future:
        return refused(emitter, node)
    return emitter.constant(node.word, emitter.place(node))


@expression_of(nodes.Apply, nodes.NamedAccess)
def refused(emitter: Emitter, node: Node) -> ast.expr:
    """What only other programs than a catalog compiler can run."""
    raise unsupported(emitter, node, f"The form {node.__class__.__name__}")


def unsupported(emitter: Emitter, node: Node, what: str) -> PuppetError:
    """Return the error for a node that the compiler has no code for."""
    place = emitter.source.span(node.start, node.end).place
    found = issues.UNSUPPORTED_EXPRESSION.diagnostic(place, what=what)
    return PuppetError(found, phase="parse")


def emit_module(
    source: Source, program: nodes.Program, unit: str, rules: CompilerRules
) -> ast.Module:
    """The Python module of a manifest or template: its definitions and its main body."""
    emitter = Emitter(source, unit, rules)
    place = emitter.between(0, 0)
    for definition in program.definitions:
        emit_definition(emitter, definition)
    if isinstance(program.body, nodes.Lambda):
        emit_epp(emitter, program.body)
    else:
        main = body_function(emitter, "main", "main", program.body, program.body)
        name = emitter.name(main, place)
        emitter.definitions.append(emitter.tuple([emitter.constant("main", place), name], place))
    definitions: ast.expr = emitter.tuple(emitter.definitions, place)
    if not emitter.constants:
        return ast.Module([*emitter.module, emitter.store("definitions", definitions, place)], [])
    names: list[ast.expr] = [ast.Name(name, ast.Store(), **place) for name in emitter.constants]
    unknown = ast.Assign(names, emitter.constant(None, place), **place)
    body = [unknown, *emitter.module, ast.Return(definitions, **place)]
    unit_ = function_definition("unit", arguments_of([], place), body, emitter.frame, place)
    made = ast.Call(emitter.name("unit", place), [], [], **place)
    return ast.Module([unit_, emitter.store("definitions", made, place)], [])


def body_function(
    emitter: Emitter, kind: str, name: str, node: Node, body: Node, extra: tuple[str, ...] = ()
) -> str:
    """A Python function of a scope for a body; its name in the module."""
    at = emitter.place(node)
    function_name = emitter.fresh(name)
    outer = emitter.frame
    frame = Frame(None, scope_kept=True, kind=kind)
    emitter.frame = frame
    try:
        if reads_captures(body) or isinstance(body, nodes.Variable):
            frame.match = emitter.fresh("match")
            captures = ast.Attribute(emitter.scope(at), "captures", ast.Load(), **at)
            frame.statements.append(
                emitter.store(frame.match, ast.List([captures], ast.Load(), **at), at)
            )
        emitter.statement(body, "return")
        statements = frame.statements
        if frame.raises_return:
            statements = caught(emitter, statements, "ReturnFromFunction", at)
        signature = arguments_of(["scope", *extra], at)
        emitter.module.append(function_definition(function_name, signature, statements, frame, at))
        return function_name
    finally:
        emitter.frame = outer


def parameters_data(emitter: Emitter, parameters: list[nodes.Parameter]) -> ast.expr:
    """Parameters as a tuple of (name, type function, default function, line)."""
    items: list[ast.expr] = []
    for item in parameters:
        at = emitter.place(item)
        none = emitter.constant(None, at)
        type_: ast.expr = none
        if item.type is not None:
            name = body_function(emitter, "parameter", "type", item.type, item.type)
            type_ = emitter.name(name, at)
        default: ast.expr = none
        if item.value is not None:
            name = body_function(emitter, "parameter", "default", item.value, item.value)
            default = emitter.name(name, at)
        line = emitter.constant(emitter.line(item), at)
        items.append(emitter.tuple([emitter.constant(item.name, at), type_, default, line], at))
    return emitter.tuple(items, emitter.between(0, 0))


def own_parameters(emitter: Emitter, parameters: list[nodes.Parameter]) -> list[ast.expr]:
    """The parameters of a class or defined type: their data, and the functions that fill and check them."""
    if not emitter.works_in_place:
        none = emitter.constant(None, emitter.between(0, 0))
        return [parameters_data(emitter, parameters), none, none]
    items: list[ast.expr] = []
    for item in parameters:
        at = emitter.place(item)
        none = emitter.constant(None, at)
        line = emitter.constant(emitter.line(item), at)
        items.append(emitter.tuple([emitter.constant(item.name, at), none, none, line], at))
    data = emitter.tuple(items, emitter.between(0, 0))
    return [data, fill_function(emitter, parameters), types_function(emitter, parameters)]


def emit_definition(emitter: Emitter, node: Node) -> None:
    """Add a definition to the module."""
    at = emitter.place(node)
    line = emitter.constant(emitter.line(node), at)
    path = emitter.constant(emitter.source.path, at)
    match node:
        case nodes.ClassDefinition(name=name, parameters=parameters, parent=parent, body=body):
            function = body_function(emitter, "class", f"class {name}", node, body)
            parts: list[ast.expr] = [
                emitter.constant("class", at),
                emitter.constant(name, at),
                emitter.constant(parent, at),
                *own_parameters(emitter, parameters),
                emitter.name(function, at),
            ]
        case nodes.DefineDefinition(name=name, parameters=parameters, body=body):
            function = body_function(emitter, "define", f"define {name}", node, body)
            parts = [
                emitter.constant("define", at),
                emitter.constant(name, at),
                emitter.constant(None, at),
                *own_parameters(emitter, parameters),
                emitter.name(function, at),
            ]
        case nodes.Import(files=files):
            patterns = tuple(file.value for file in files if isinstance(file, nodes.String))
            parts = [emitter.constant("import", at), emitter.constant(patterns, at)]
        case nodes.FunctionDefinition():
            parts = function_data(emitter, node, at)
        case nodes.TypeAlias(name=name, type=type_):
            emitter.in_alias = True
            if is_type_set(type_):
                type_ = emit_members(emitter, name, type_)
                emitter.names_types = True
            function = body_function(emitter, "parameter", f"type {name}", type_, type_)
            parts = [
                emitter.constant("type", at),
                emitter.constant(name, at),
                emitter.name(function, at),
            ]
        case nodes.NodeDefinition(matches=matches, parent=parent_node, body=body):
            function = body_function(emitter, "node", "node", node, body)
            parts = [
                emitter.constant("node", at),
                emitter.tuple([node_match(emitter, item) for item in matches], at),
                emitter.constant(None, at)
                if parent_node is None
                else node_match(emitter, parent_node),
                emitter.name(function, at),
            ]
        case _:
            raise unsupported(emitter, node, f"A {node.__class__.__name__}")
    emitter.names_types = emitter.in_alias = False
    emitter.type_names = {}
    emitter.definitions.append(emitter.tuple([*parts, path, line], at))


def emit_members(emitter: Emitter, name: str, type_set: Node) -> Node:
    """Make an alias of each type in a TypeSet; what is left of the set mentions them by full name.

    Within the set its types go by their short names, and other sets by the names of its references.
    """
    assert isinstance(type_set, nodes.Access)
    given = type_set.keys[0] if type_set.keys else None
    if not isinstance(given, nodes.Hash):
        return type_set
    members = set_entries(given, "types")
    own = {key.value.lower(): f"{name}::{key.value}" for key, _ in members}
    emitter.type_names = {**emitter.type_names, **own}
    for key, reference in set_entries(given, "references"):
        names = entries_named(reference, "name")
        if names and isinstance(names[0], nodes.String):
            emitter.type_names[key.value.lower()] = names[0].value
    for key, value in members:
        emit_member(emitter, f"{name}::{key.value}", value)
    mentions = [
        nodes.Entry(key.start, value.end, key, nodes.Reference(key.start, key.start, key.value))
        for key, value in members
    ]
    entries = []
    for entry in given.entries:
        if is_name(entry.key, "types") and isinstance(entry.value, nodes.Hash) and members:
            types = nodes.Hash(entry.value.start, entry.value.end, mentions)
            entry = nodes.Entry(entry.start, entry.end, entry.key, types)
        if is_name(entry.key, "annotations") and isinstance(entry.value, nodes.Hash):
            entry = nodes.Entry(entry.start, entry.end, entry.key, keys_as_types(entry.value))
        entries.append(entry)
    whole = nodes.Hash(given.start, given.end, entries)
    return nodes.Access(type_set.start, type_set.end, type_set.left, [whole])


def keys_as_types(hash_: nodes.Hash) -> nodes.Hash:
    """A hash within a TypeSet whose capitalised keys are no names of new types, but types."""
    entries = [
        nodes.Entry(
            item.start,
            item.end,
            nodes.Parenthesized(item.key.start, item.key.end, item.key),
            item.value,
        )
        for item in hash_.entries
    ]
    return nodes.Hash(hash_.start, hash_.end, entries)


def emit_member(emitter: Emitter, name: str, value: Node) -> None:
    """The alias of a type in a TypeSet; a hash stands for an Object type."""
    if isinstance(value, nodes.ResourceDefaults):
        value = with_parent(value)
    if isinstance(value, nodes.Hash):
        whole = nodes.Reference(value.start, value.start, "Object")
        value = nodes.Access(value.start, value.end, whole, [value])
    at = emitter.place(value)
    outer = emitter.type_names
    if is_type_set(value):
        value = emit_members(emitter, name, value)
        emitter.names_types = True
    function = body_function(emitter, "parameter", f"type {name}", value, value)
    emitter.names_types, emitter.type_names = False, outer
    emitter.definitions.append(
        emitter.tuple(
            [
                emitter.constant("type", at),
                emitter.constant(name, at),
                emitter.name(function, at),
                emitter.constant(emitter.source.path, at),
                emitter.constant(emitter.line(value), at),
            ],
            at,
        )
    )


def with_parent(node: nodes.ResourceDefaults) -> nodes.Hash:
    """``Parent { attributes => … }`` in a TypeSet: the hash of an Object type with a parent."""
    parent = node.type_reference
    entries = [
        nodes.Entry(
            parent.start, parent.end, nodes.Name(parent.start, parent.end, "parent"), parent
        )
    ]
    for item in node.operations:
        assert isinstance(item, nodes.Attribute)
        key = nodes.Name(item.start, item.start, item.name)
        entries.append(nodes.Entry(item.start, item.end, key, item.value))
    return nodes.Hash(node.start, node.end, entries)


def is_name(node: Node, name: str) -> bool:
    """Whether a key is this word."""
    return isinstance(node, nodes.Name | nodes.String) and node.value == name


def entries_named(node: Node, name: str) -> list[Node]:
    """The value of a key in a hash as it is written, in a list; an empty one where it is absent."""
    if not isinstance(node, nodes.Hash):
        return []
    return [entry.value for entry in node.entries if is_name(entry.key, name)]


def set_entries(type_set: nodes.Hash, name: str) -> list[tuple[nodes.Reference, Node]]:
    """The capitalised keys of ``types`` or ``references``, and what they stand for."""
    return [
        (entry.key, entry.value)
        for found in entries_named(type_set, name)
        if isinstance(found, nodes.Hash)
        for entry in found.entries
        if isinstance(entry.key, nodes.Reference)
    ]


def is_type_set(node: Node) -> bool:
    """Whether a type is written ``TypeSet[{…}]``, in which capitalised keys are names of new types."""
    return (
        isinstance(node, nodes.Access)
        and isinstance(node.left, nodes.Reference)
        and node.left.value.lower() == "typeset"
    )


def function_data(emitter: Emitter, node: nodes.FunctionDefinition, at: Place) -> list[ast.expr]:
    """A function of the Puppet language: its Python function, argument counts and types."""
    name = emitter.fresh(f"function {node.name}")
    function, _ = function_frame(emitter, node, name, "function", node.parameters, node.body)
    emitter.module.append(function)
    low, high = parameter_count(node.parameters)
    none = emitter.constant(None, at)
    returns: ast.expr = none
    if node.return_type is not None:
        type_function = body_function(
            emitter, "parameter", "returns", node.return_type, node.return_type
        )
        returns = emitter.name(type_function, at)
    return [
        emitter.constant("function", at),
        emitter.constant(node.name, at),
        emitter.name(name, at),
        emitter.constant(low, at),
        emitter.constant(high, at),
        emitter.constant(tuple(item.name for item in node.parameters), at),
        returns,
    ]


def node_match(emitter: Emitter, node: Node) -> ast.expr:
    """What a node definition is for: ("name", text), ("regexp", pattern) or ("default",)."""
    at = emitter.place(node)
    match node:
        case nodes.Default():
            return emitter.constant(("default", ""), at)
        case nodes.Regexp(pattern=pattern):
            return emitter.constant(("regexp", pattern), at)
        case nodes.String(value=value) | nodes.Name(value=value):
            kind = "default" if value.lower() == "default" else "name"
            return emitter.constant((kind, value), at)
    return emitter.constant(("name", emitter.source.text[node.start : node.end]), at)


# -- templates -----------------------------------------------------------------------------------


def emit_epp(emitter: Emitter, node: nodes.Lambda) -> None:
    """A template: parameters, whether it declares any, and a function of scope and output."""
    at = emitter.place(node)
    assert isinstance(node.body, nodes.Epp)  # the parser makes nothing else
    body = node.body
    function = body_function(emitter, "epp", "epp", node, body.body, extra=("output",))
    parts = [
        emitter.constant("epp", at),
        emitter.constant(body.parameters_given, at),
        parameters_data(emitter, node.parameters),
        emitter.name(function, at),
        emitter.constant(emitter.source.path, at),
        emitter.constant(1, at),
    ]
    emitter.definitions.append(emitter.tuple(parts, at))


@expression_of(nodes.RenderString)
def render_string(emitter: Emitter, node: nodes.RenderString) -> ast.expr:
    """Literal text of a template."""
    at = emitter.place(node)
    append = ast.Attribute(emitter.name("output", at), "append", ast.Load(), **at)
    return ast.Call(append, [emitter.constant(node.value, at)], [], **at)


@expression_of(nodes.Render)
def render(emitter: Emitter, node: nodes.Render) -> ast.expr:
    """``<%= expression %>``."""
    at = emitter.place(node)
    append = ast.Attribute(emitter.name("output", at), "append", ast.Load(), **at)
    value = emitter.call("rendered", emitter.expression(node.expression), at=at)
    return ast.Call(append, [value], [], **at)


@expression_of(nodes.Epp)
def epp(emitter: Emitter, node: nodes.Epp) -> ast.expr:
    """The body of a template."""
    return emitter.expression(node.body)
