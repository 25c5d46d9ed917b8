"""Emitting definitions, templates and whole programs.

The emitted module assigns one name, ``definitions``: a tuple of tuples, each with a kind, a name
and the data of that kind, as :mod:`bunraku.runtime.definitions` reads them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeVar

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.compiler import issues
from bunraku.compiler.builder import START, STORE
from bunraku.compiler.constant_types import variable_part
from bunraku.compiler.control import caught, function_frame, parameter_count
from bunraku.compiler.emitter import (
    Emitter,
    Sink,
    expression_of,
    statement_of,
)
from bunraku.compiler.frames import Frame
from bunraku.compiler.in_place import TypeKey
from bunraku.compiler.parameters import fill_function, function_of, types_function
from bunraku.compiler.rules import CompilerRules
from bunraku.compiler.tables import tabled_type
from bunraku.compiler.timed import emitter_for
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
def hoisted(emitter: Emitter, _node: Node) -> ast.expr:
    """Return nothing for a definition in place: the module holds it."""
    return emitter.constant(None)


@statement_of(*HOISTED)
def hoisted_statement(emitter: Emitter, _node: Node, sink: Sink) -> None:
    """Emit a definition as a statement."""
    emitter.finish_empty(sink)


@expression_of(nodes.ReservedWord)
def reserved_word(emitter: Emitter, node: nodes.ReservedWord) -> ast.expr:
    """Return a word that only a later version reserves as a text."""
    if not node.future:
        return refused(emitter, node)
    return emitter.constant(node.word)


@expression_of(nodes.Apply, nodes.NamedAccess)
def refused(emitter: Emitter, node: Node) -> ast.expr:
    """Return the error for an expression that a catalog compiler cannot run."""
    raise unsupported(emitter, node, f"The form {node.__class__.__name__}")


def unsupported(emitter: Emitter, node: Node, what: str) -> PuppetError:
    """Return the error for a node that the compiler has no code for."""
    place = emitter.source.span(node.start, node.end).place
    found = issues.UNSUPPORTED_EXPRESSION.diagnostic(place, what=what)
    return PuppetError(found, phase="parse")


D = TypeVar("D", bound=Node)
DEFINITIONS: dict[type[Node], Callable[[Emitter, Any], list[ast.expr]]] = {}
"""Node class → the function that gives the parts of its definition."""


def definition_of(
    kind: type[D],
) -> Callable[[Callable[[Emitter, D], list[ast.expr]]], Callable[[Emitter, D], list[ast.expr]]]:
    """Register the function that emits a class of definitions."""

    def register(
        function: Callable[[Emitter, D], list[ast.expr]],
    ) -> Callable[[Emitter, D], list[ast.expr]]:
        DEFINITIONS[kind] = function
        return function

    return register


def emit_module(
    source: Source, program: nodes.Program, unit: str, rules: CompilerRules
) -> ast.Module:
    """Return the Python module of a manifest or template: its definitions and its main body."""
    emitter = emitter_for(source, program, unit, rules)
    for definition in program.definitions:
        with emitter.at(definition):
            emit_definition(emitter, definition)
    if isinstance(program.body, nodes.Lambda):
        with emitter.at(program.body):
            emit_epp(emitter, program.body)
    else:
        with emitter.at(program.body):
            main = body_function(emitter, "main", "main", program.body)
        parts = [emitter.constant("main"), emitter.name(main)]
        emitter.definitions.append(emitter.tuple_of(parts))
    definitions: ast.expr = emitter.tuple_of(emitter.definitions)
    if not emitter.constants:
        return ast.Module([*emitter.module, emitter.assign("definitions", definitions)], [])
    names: list[ast.expr] = [emitter.stamp(ast.Name(name, STORE)) for name in emitter.constants]
    unknown = emitter.stamp(ast.Assign(names, emitter.constant(None)))
    body = [unknown, *emitter.module, emitter.return_(definitions)]
    unit_ = emitter.function("unit", emitter.parameters([]), body, emitter.frame.constants)
    return ast.Module([unit_, emitter.assign("definitions", emitter.call("unit"))], [])


def body_function(
    emitter: Emitter,
    kind: str,
    name: str,
    body: Node,
    *extra: str,
    given: frozenset[str] = frozenset(),
) -> str:
    """Return the name of a Python function of a scope and further parameters, for a body.

    ``given`` are the Puppet variables that have a value when it starts.
    """
    function_name = emitter.fresh(name)
    outer = emitter.frame
    frame = Frame(None, scope_kept=True, kind=kind, given=given)
    emitter.frame = frame
    try:
        if emitter.readers.are_below(body) or isinstance(body, nodes.Variable):
            frame.match = emitter.fresh("match")
            captures = emitter.attribute(emitter.scope(), "captures")
            frame.statements.append(emitter.assign(frame.match, emitter.list_of([captures])))
        emitter.statement(body, "return")
        statements = frame.statements
        if frame.raises_return:
            statements = caught(emitter, statements, "ReturnFromFunction")
        parameters = emitter.parameters(["scope", *extra])
        made = emitter.function(function_name, parameters, statements, frame.constants)
        emitter.module.append(made)
        return function_name
    finally:
        emitter.frame = outer


def value_function(emitter: Emitter, name: str, node: Node) -> ast.expr:
    """Return a function of a scope that gives the value of a type or default."""
    with emitter.at(node):
        function = body_function(emitter, "parameter", name, node)
    return emitter.name(function)


def table_function(emitter: Emitter, name: str, node: Node, key: TypeKey) -> ast.expr:
    """Return a function of a scope that gives the type of a table."""
    with emitter.at(node):
        function = emitter.fresh(name)
        type_ = emitter.call("type_table", emitter.scope(), emitter.constant(key))
        signature = emitter.parameters(["scope"])
        made = emitter.function(function, signature, [emitter.return_(type_)], [])
        emitter.module.append(made)
        return emitter.name(function)


def parameters_data(emitter: Emitter, parameters: list[nodes.Parameter]) -> ast.expr:
    """Parameters as a tuple of (name, type function, default function, line)."""
    items: list[ast.expr] = []
    for item in parameters:
        with emitter.at(item):
            type_: ast.expr = emitter.constant(None)
            default: ast.expr = type_
            if item.type is not None:
                type_ = value_function(emitter, "type", item.type)
            if item.value is not None:
                default = value_function(emitter, "default", item.value)
            line = emitter.constant(emitter.line(item))
            items.append(emitter.tuple_of([emitter.constant(item.name), type_, default, line]))
    with emitter.placed(START):
        return emitter.tuple_of(items)


def own_parameters(
    emitter: Emitter, parameters: list[nodes.Parameter], kind: str = "parameter"
) -> list[ast.expr]:
    """Return the parameters of a class or define: their data, and the functions that fill them.

    ``kind`` is that of the frames of their defaults.
    """
    if emitter.works_in_place:
        with emitter.placed(START):
            data = emitter.constant(
                tuple((item.name, None, None, emitter.line(item)) for item in parameters)
            )
        return [data, fill_function(emitter, parameters, kind), types_function(emitter, parameters)]
    with emitter.placed(START):
        none = emitter.constant(None)
    return [parameters_data(emitter, parameters), none, none]


def emit_definition(emitter: Emitter, node: Node) -> None:
    """Add a definition to the module. A type mapping has none: it is about Ruby classes."""
    if isinstance(node, nodes.TypeMapping):
        return
    emit = DEFINITIONS.get(node.__class__)
    if emit is None:
        raise unsupported(emitter, node, f"A {node.__class__.__name__}")
    parts = emit(emitter, node)
    emitter.names_types = emitter.in_alias = False
    emitter.type_names = {}
    add_definition(emitter, node, parts)


def add_definition(emitter: Emitter, node: Node, parts: list[ast.expr]) -> None:
    """Add the parts of a definition, with its file and line."""
    path = emitter.constant(emitter.source.path)
    line = emitter.constant(emitter.line(node))
    emitter.definitions.append(emitter.tuple_of([*parts, path, line]))


def given_variables(parameters: list[nodes.Parameter]) -> frozenset[str]:
    """Return the variables that are always set when the body of a definition starts."""
    return frozenset({"title", "name", *(item.name for item in parameters)})


@definition_of(nodes.ClassDefinition)
def class_definition(emitter: Emitter, node: nodes.ClassDefinition) -> list[ast.expr]:
    """Emit a class."""
    given = given_variables(node.parameters)
    function = body_function(emitter, "class", f"class {node.name}", node.body, given=given)
    return [
        emitter.constant("class"),
        emitter.constant(node.name),
        emitter.constant(node.parent),
        *own_parameters(emitter, node.parameters, "class_parameter"),
        emitter.name(function),
    ]


@definition_of(nodes.DefineDefinition)
def defined_type(emitter: Emitter, node: nodes.DefineDefinition) -> list[ast.expr]:
    """Emit a defined type."""
    given = given_variables(node.parameters)
    function = body_function(emitter, "define", f"define {node.name}", node.body, given=given)
    return [
        emitter.constant("define"),
        emitter.constant(node.name),
        emitter.constant(None),
        *own_parameters(emitter, node.parameters),
        emitter.name(function),
    ]


@definition_of(nodes.Import)
def import_(emitter: Emitter, node: nodes.Import) -> list[ast.expr]:
    """Emit the ``import`` of Puppet 3: patterns of files."""
    patterns = tuple(file.value for file in node.files if isinstance(file, nodes.String))
    return [emitter.constant("import"), emitter.constant(patterns)]


@definition_of(nodes.FunctionDefinition)
def function(emitter: Emitter, node: nodes.FunctionDefinition) -> list[ast.expr]:
    """Emit a function of the Puppet language: its Python function, argument counts and types."""
    name = emitter.fresh(f"function {node.name}")
    made, _ = function_frame(emitter, node, name)
    emitter.module.append(made)
    low, high = parameter_count(node.parameters)
    returns: ast.expr = emitter.constant(None)
    if node.return_type is not None:
        returns = value_function(emitter, "returns", node.return_type)
    return [
        emitter.constant("function"),
        emitter.constant(node.name),
        emitter.name(name),
        emitter.constant(low),
        emitter.constant(high),
        emitter.constant(tuple(item.name for item in node.parameters)),
        returns,
    ]


@definition_of(nodes.TypeAlias)
def type_alias(emitter: Emitter, node: nodes.TypeAlias) -> list[ast.expr]:
    """Emit a type alias; those in a TypeSet become aliases of their own."""
    emitter.in_alias = True
    type_ = node.type
    wrong = variable_part(type_)
    if wrong is not None:
        refused = refused_type(emitter, wrong)
        return [emitter.constant("type"), emitter.constant(node.name), refused]
    if is_type_set(type_):
        type_ = emit_members(emitter, node.name, type_)
        emitter.names_types = True
    return type_parts(emitter, node.name, type_)


def type_parts(emitter: Emitter, name: str, type_: Node) -> list[ast.expr]:
    """Return the parts of the definition of a type."""
    key = tabled_type(emitter, type_)
    if key is None:
        function = value_function(emitter, f"type {name}", type_)
    else:
        function = table_function(emitter, f"type {name}", type_, key)
    return [emitter.constant("type"), emitter.constant(name), function]


def refused_type(emitter: Emitter, wrong: Node) -> ast.expr:
    """Return the function of a type that cannot be read: using the type is an error."""
    text = emitter.source.text[wrong.start : wrong.end]

    def emit() -> None:
        error = emitter.call("invalid_type", emitter.constant(text))
        emitter.frame.statements.append(emitter.run(error))

    with emitter.at(wrong):
        return function_of(emitter, "type", ["scope"], emit)


@definition_of(nodes.NodeDefinition)
def node_definition(emitter: Emitter, node: nodes.NodeDefinition) -> list[ast.expr]:
    """Emit a node definition."""
    function = body_function(emitter, "node", "node", node.body, given=given_variables([]))
    matches = [node_match(emitter, item) for item in node.matches]
    return [
        emitter.constant("node"),
        emitter.tuple_of(matches),
        emitter.constant(None) if node.parent is None else node_match(emitter, node.parent),
        emitter.name(function),
    ]


def emit_members(emitter: Emitter, name: str, type_set: Node) -> Node:
    """Make an alias of each type in a TypeSet; the rest of the set refers to them by full name.

    Within the set its types are named by their short names, and other sets by the names of its references.
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
    """Return a hash within a TypeSet whose capitalised keys name existing types."""
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
    """Emit the alias of a type in a TypeSet; a hash represents an Object type."""
    if isinstance(value, nodes.ResourceDefaults):
        value = with_parent(value)
    if isinstance(value, nodes.Hash):
        whole = nodes.Reference(value.start, value.start, "Object")
        value = nodes.Access(value.start, value.end, whole, [value])
    outer = emitter.type_names
    if is_type_set(value):
        value = emit_members(emitter, name, value)
        emitter.names_types = True
    with emitter.at(value):
        parts = type_parts(emitter, name, value)
        add_definition(emitter, value, parts)
    emitter.names_types, emitter.type_names = False, outer


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
    """Return whether a key is this word."""
    return isinstance(node, nodes.Name | nodes.String) and node.value == name


def entries_named(node: Node, name: str) -> list[Node]:
    """Return the value of a key in a written hash, in a list; an empty one where it is absent."""
    if not isinstance(node, nodes.Hash):
        return []
    return [entry.value for entry in node.entries if is_name(entry.key, name)]


def set_entries(type_set: nodes.Hash, name: str) -> list[tuple[nodes.Reference, Node]]:
    """Return the capitalised keys of ``types`` or ``references`` with their values."""
    return [
        (entry.key, entry.value)
        for found in entries_named(type_set, name)
        if isinstance(found, nodes.Hash)
        for entry in found.entries
        if isinstance(entry.key, nodes.Reference)
    ]


def is_type_set(node: Node) -> bool:
    """Return whether a type is a ``TypeSet[{…}]``, in which capitalised keys name new types."""
    return (
        isinstance(node, nodes.Access)
        and isinstance(node.left, nodes.Reference)
        and node.left.value.lower() == "typeset"
    )


def node_match(emitter: Emitter, node: Node) -> ast.expr:
    """Return the matcher of a node definition: ("name", text), ("regexp", pattern) or ("default",)."""
    match node:
        case nodes.Default():
            found = ("default", "")
        case nodes.Regexp(pattern=pattern):
            found = ("regexp", pattern)
        case nodes.String(value=value) | nodes.Name(value=value):
            found = ("default" if value.lower() == "default" else "name", value)
        case _:
            found = ("name", emitter.source.text[node.start : node.end])
    with emitter.at(node):
        return emitter.constant(found)


# -- templates -----------------------------------------------------------------------------------


def emit_epp(emitter: Emitter, node: nodes.Lambda) -> None:
    """A template: parameters, whether it declares any, and a function of scope and output."""
    assert isinstance(node.body, nodes.Epp)  # the parser makes nothing else
    function = body_function(emitter, "epp", "epp", node.body.body, "output")
    parts = [
        emitter.constant("epp"),
        emitter.constant(node.body.parameters_given),
        parameters_data(emitter, node.parameters),
        emitter.name(function),
        emitter.constant(emitter.source.path),
        emitter.constant(1),
    ]
    emitter.definitions.append(emitter.tuple_of(parts))


@expression_of(nodes.RenderString)
def render_string(emitter: Emitter, node: nodes.RenderString) -> ast.expr:
    """Literal text of a template."""
    return emitter.method(emitter.name("output"), "append", emitter.constant(node.value))


@expression_of(nodes.Render)
def render(emitter: Emitter, node: nodes.Render) -> ast.expr:
    """Emit ``<%= expression %>``."""
    value = emitter.call("rendered", emitter.expression(node.expression))
    return emitter.method(emitter.name("output"), "append", value)


@expression_of(nodes.Epp)
def epp(emitter: Emitter, node: nodes.Epp) -> ast.expr:
    """Return the body of a template."""
    return emitter.expression(node.body)
