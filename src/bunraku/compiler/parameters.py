"""Emitting how a class or defined type gets its parameters.

All parameters of a definition become one Python function, in order: the declared value, else the
default; the test of the type; the variable. Neighbours whose defaults are literals or variables, and
whose types no environment can change, become one table, for a table is a single constant: otherwise
half of the nodes that Python compiles would be those of parameters. The steps before and after, and
data, are in :mod:`bunraku.runtime.parameters`. Templates, and older dialects, have a function for each
type and default instead (:func:`parameters_data` in :mod:`definitions`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import groupby
from typing import Any

from bunraku.compiler.builder import START, STORE
from bunraku.compiler.emitter import Emitter
from bunraku.compiler.frames import Frame
from bunraku.compiler.in_place import (
    is_constant,
    is_constant_type,
    is_static,
    is_type,
    simple_test,
    type_key,
)
from bunraku.compiler.tables import tabled
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node

LITERALS = (ast.Constant, ast.Name)


def fill_function(emitter: Emitter, parameters: list[nodes.Parameter], kind: str) -> ast.expr:
    """Return a function of scope, attributes, data and problems; None without parameters."""
    if not parameters:
        return no_function(emitter)

    def emit() -> None:
        rows = [(table_row(emitter, item), item) for item in parameters]
        for is_row, group in groupby(rows, lambda pair: pair[0] is not None):
            if is_row:
                fill_table(emitter, list(group))
                continue
            for _, item in group:
                with emitter.at(item):
                    fill_one(emitter, item)

    with emitter.at(parameters[0]):
        return function_of(
            emitter, "default", ["scope", "given", "looked_up", "problems"], emit, kind
        )


def types_function(emitter: Emitter, parameters: list[nodes.Parameter]) -> ast.expr:
    """Emit a function of a scope that makes the types of parameters; None where nothing can fail.

    It runs when the definition is registered, as in Puppet: an unknown type is an error even where
    the class is never declared.
    """
    types = [item.type for item in parameters if item.type is not None]
    types = [
        item
        for item in types
        if not (is_constant_type(emitter, item) and type_key(emitter, item) is not None)
    ]
    if not types:
        return no_function(emitter)

    def emit() -> None:
        for item in types:
            with emitter.at(item):
                emitter.frame.statements.append(emitter.run(emitter.value(item)))

    with emitter.at(types[0]):
        return function_of(emitter, "types", ["scope"], emit)


def no_function(emitter: Emitter) -> ast.expr:
    """Return the placeholder for a function that would do nothing."""
    with emitter.placed(START):
        return emitter.constant(None)


def function_of(
    emitter: Emitter,
    prefix: str,
    parameters: list[str],
    emit: Callable[[], None],
    kind: str = "parameter",
) -> ast.expr:
    """Return a function of the module whose statements ``emit`` adds to its frame."""
    name = emitter.fresh(prefix)
    outer = emitter.frame
    frame = emitter.frame = Frame(None, scope_kept=True, kind=kind)
    try:
        emit()
    finally:
        emitter.frame = outer
    signature = emitter.parameters(parameters)
    emitter.module.append(emitter.function(name, signature, frame.statements, frame.constants))
    return emitter.name(name)


def table_row(emitter: Emitter, item: nodes.Parameter) -> tuple[Any, ...] | None:
    """Return the row of a parameter in the table of its neighbours; None if it needs code of its own.

    A row has the name, the variable, the type as :func:`type_key` gives it, and the pair of the default
    if there is one (:mod:`bunraku.base.tabled_values`).
    """
    key: tuple[Any, ...] | None = None
    if item.type is not None:
        if is_constant_type(emitter, item.type):
            key = type_key(emitter, item.type)
        if key is None:
            return None
    row = (*names_of(item), key)
    if item.value is None:
        return row
    default = tabled(emitter, item.value)
    return None if default is None else (*row, *default)


def fill_table(
    emitter: Emitter, rows: list[tuple[tuple[Any, ...] | None, nodes.Parameter]]
) -> None:
    """Emit the call that fills the parameters of a table."""
    with emitter.at(rows[0][1]):
        names = [emitter.name(local) for local in ("given", "looked_up", "problems")]
        table = emitter.constant(tuple(row for row, _ in rows))
        filled = emitter.call("fill_table", emitter.scope(), *names, table)
        emitter.frame.statements.append(emitter.run(filled))


def names_of(item: nodes.Parameter) -> tuple[str, str]:
    """Return the name of a parameter and that of its variable in a scope."""
    return item.name, f"${item.name}"


def fill_one(emitter: Emitter, item: nodes.Parameter) -> None:
    """Emit the statements for one parameter."""
    frame = emitter.frame
    value = emitter.fresh("value")
    given = emitter.method(emitter.name("given"), "get", emitter.constant(item.name))
    frame.statements.append(emitter.assign(value, given))
    if not isinstance(item.value, nodes.Undef):
        missing = emitter.is_none(emitter.name(value))
        frame.statements.append(emitter.if_(missing, without_value(emitter, item, value)))
    accepted = accept(emitter, item, value)
    if item.value is None:
        known = emitter.compare(emitter.name(value), "is not", emitter.name("MISSING"))
        accepted = [emitter.if_(known, accepted)]
    frame.statements.extend(accepted)


def without_value(emitter: Emitter, item: nodes.Parameter, value: str) -> list[ast.stmt]:
    """Return the value of a parameter that is not given, or given as undef."""
    name = emitter.constant(item.name)
    if item.value is None:
        rest = [emitter.name(local) for local in ("given", "looked_up", "problems")]
        return [emitter.assign(value, emitter.call("absent_parameter", name, *rest))]
    frame = emitter.frame
    before, frame.statements = frame.statements, []
    try:
        with emitter.at(item.value):
            default_value(emitter, item.value, value, name)
        return frame.statements
    finally:
        frame.statements = before


def default_value(emitter: Emitter, default: Node, value: str, name: ast.expr) -> None:
    """Emit the statements that compute a default."""
    frame = emitter.frame
    if emitter.readers.are_below(default):
        # Each default starts with the captures of the surroundings.
        frame.match = emitter.fresh("match")
        captures = emitter.attribute(emitter.scope(), "captures")
        frame.statements.append(emitter.assign(frame.match, emitter.list_of([captures])))
    before = len(frame.statements)
    found = emitter.value(default)
    frame.match = None
    if not isinstance(found, LITERALS):
        # So that an error can name the definition of the default.
        filling = emitter.stamp(ast.Attribute(emitter.scope(), "filling", STORE))
        frame.statements.insert(before, emitter.assign_to(filling, name))
    frame.statements.append(emitter.assign(value, found))


def accept(emitter: Emitter, item: nodes.Parameter, value: str) -> list[ast.stmt]:
    """Return the statements that check a value and set it."""
    local = emitter.name(value)
    statements: list[ast.stmt] = []
    if item.type is not None:
        fits, type_ = test_of(emitter, local, item.type, statements)
        name = emitter.constant(item.name)
        checked: ast.expr = emitter.call(
            "check_declared", name, type_, local, emitter.name("problems")
        )
        if fits is not None:
            checked = emitter.any_of(fits, checked)
        statements.append(emitter.run(checked))
    names = emitter.constant(names_of(item))
    arguments = [emitter.scope(), emitter.name("given"), names, local]
    statements.append(emitter.run(emitter.call("set_parameter", *arguments)))
    return statements


def test_of(
    emitter: Emitter, value: ast.expr, type_: Node, statements: list[ast.stmt]
) -> tuple[ast.expr | None, ast.expr]:
    """The test of a type in place, if it can be made, and the type for the case that it fails.

    Both use one type, which is had before; a test that Python has words for needs none.
    """
    with emitter.at(type_):
        if not is_type(type_) or not is_static(type_):
            return None, emitter.value(type_)
        if is_constant(emitter, type_):
            simple = simple_test(emitter, (value, value), type_)
            if simple is not None:
                return simple, emitter.not_kept(type_)
        local = emitter.fresh("type")
        statements.append(emitter.assign(local, emitter.value(type_)))
        known = emitter.name(local)
        return emitter.call(emitter.call("checker", known), value), known
