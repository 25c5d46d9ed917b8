"""Evaluating code in a frame, and changing variables there."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping
from types import FrameType, MappingProxyType
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.compiler.code import to_code
from bunraku.compiler.frames import everywhere
from bunraku.engine.loader import Loader
from bunraku.engine.manifests import definitions_of
from bunraku.limits.limits import Limited, Limits, TimeLimitReached
from bunraku.runtime.control import ControlSignal, StoppedByError
from bunraku.runtime.error_places import locate
from bunraku.runtime.markers import UNSET
from bunraku.runtime.reserved_variables import NEVER_UNKNOWN, RESERVED
from bunraku.runtime.state import Compilation, Scope
from bunraku.runtime.units import read_unit
from bunraku.runtime.variables import visible
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, Program, children
from bunraku.types.mismatch import describe_mismatch
from bunraku.types.model import Type
from bunraku.types.relations.instance import checker
from bunraku.workbench.debugging.frames import WITH_LOCALS, CodeFrame
from bunraku.workbench.debugging.variables import local_variables

Value = Any
EVALUATION_SECONDS = 20.0
RESULT = "value_for_the_debugger"
NAME = "debugger"
"""The file that errors in evaluated code name."""
DECLARING = (
    nodes.Resource
    | nodes.ResourceOverride
    | nodes.ResourceDefaults
    | nodes.Collector
    | nodes.Relationship
)
WITH_PARAMETERS = (
    nodes.ClassDefinition | nodes.DefineDefinition | nodes.FunctionDefinition | nodes.Lambda
)
CHANGING = frozenset(
    {
        *("include", "require", "contain", "tag", "realize", "create_resources"),
        *("ensure_resource", "ensure_resources", "ensure_packages", "hiera_include", "fail"),
    }
)
"""Functions that change the catalog or end the compile."""
NO_VARIABLES: Mapping[str, Value] = MappingProxyType({})
GIVEN = NEVER_UNKNOWN | {variable[1:] for variable in RESERVED} | {"title", "name"}


class Refused(Exception):
    """What the debugger does not do, with the reason."""


@record()
class Expression:
    """Compiled code that is evaluated in frames; ``result`` is the variable that it sets to its value."""

    text: str
    body: Callable[[Scope], Value]
    source: Source
    result: str | None = None

    def value(
        self, frame: CodeFrame, compilation: Compilation, more: Mapping[str, Value] = NO_VARIABLES
    ) -> Value:
        """Return the value of the code in a frame, with more variables by ``$name``. Raises PuppetError."""
        scope = frame.scope or compilation.top_scope
        variables = {**local_variables(frame), **more}
        try:
            with Limited(Limits(EVALUATION_SECONDS, 0)):
                view = visible(scope, variables, captures_of(frame))
                value = self.body(view)
                return value if self.result is None else view[self.result]
        except PuppetError as error:
            loader = compilation.loader
            sources = {**loader.sources, self.body.__code__.co_filename: self.source}
            raise locate(error, sources, loader.parse) from None
        except StoppedByError as stop:
            raise stop.error from None
        except ControlSignal as signal:
            raise Refused(f"{signal.name} has nothing to leave here") from None
        except (RecursionError, TimeLimitReached):
            raise Refused("the evaluation takes too long or too much memory") from None


def compiled_expression(
    text: str, compilation: Compilation, *, only_reads: bool = False
) -> Expression:
    """Return compiled code. Raises PuppetError and Refused.

    Code that only reads may not declare resources or classes, or assign variables.
    """
    loader = compilation.loader
    assert isinstance(loader, Loader)  # the one of compiles
    source, result = Source(text, NAME), None
    try:
        program, _findings = loader.manifests.checked(source)
    except PuppetError as error:  # in Puppet 3, a statement cannot be any expression
        source, result = Source(f"${RESULT} = {text}", NAME), f"${RESULT}"
        try:
            program, _findings = loader.manifests.checked(source)
        except PuppetError:
            raise error from None
    check_expression(program, only_reads=only_reads)
    code = to_code(source, program, loader.resolved.dialect.compiler)
    unit = read_unit(definitions_of(code, loader.resolved.helpers), "")
    assert unit.main is not None  # every manifest has one
    return Expression(text, unit.main, source, result)


def check_expression(program: Program, *, only_reads: bool) -> None:
    """Refuse code that shows a secret, that defines something, or that changes something where it must not."""
    if program.definitions:
        raise Refused("definitions cannot be evaluated: they belong to files")
    for node in (program.body, *everywhere(program.body)):
        name = called_name(node)
        if name == "unwrap":
            raise Refused("the debugger does not show what a Sensitive holds")
        if not only_reads:
            continue
        if isinstance(node, DECLARING) or name in CHANGING:
            raise Refused("this code would change the catalog: evaluate it in the console")
        if isinstance(node, nodes.Assignment) and not is_result(node):
            raise Refused("this code would set a variable")


def is_result(node: nodes.Assignment) -> bool:
    """Return whether an assignment is the one around an expression."""
    return isinstance(node.left, nodes.Variable) and node.left.name == RESULT


def called_name(node: Node) -> str | None:
    """Return the name of the function that a node calls."""
    name = None
    if isinstance(node, nodes.Call):
        name = node.callee
    elif isinstance(node, nodes.MethodCall):
        name = node.name
    return name.value if isinstance(name, nodes.Name) else None


def captures_of(frame: CodeFrame) -> list[Any] | None:
    """Return the cell with the captures of the last match in a frame."""
    values = {} if frame.frame is None else frame.frame.f_locals
    cells = [values[name] for name in values if name.startswith("match.")]
    return cells[-1] if cells and isinstance(cells[-1], list) else None


# -- changing variables -----------------------------------------------------------------------------


def set_variable(frame: CodeFrame, name: str, value: Value, compilation: Compilation) -> None:
    """Give a variable of a frame another value. Raises Refused where code would not see it."""
    plain = name.removeprefix("$")
    if plain in GIVEN:
        raise Refused(f"${plain} is a variable of the language, which never changes")
    if frame.frame is None:
        raise Refused("this code has ended")
    if frame.kind in WITH_LOCALS:
        local = local_name(frame.frame, f"${plain}")
        check_type(frame, plain, value, compilation)
        set_local(frame.frame, local, value)
        return
    scope = frame.scope
    if scope is None or f"${plain}" not in scope:
        raise Refused(f"${plain} is not set in the running code; only its own variables can change")
    if scope is compilation.top_scope and plain in compilation.facts:
        raise Refused(f"${plain} is a fact: give other facts to the next run")
    check_type(frame, plain, value, compilation)
    scope.set(plain, value)


def check_type(frame: CodeFrame, name: str, value: Value, compilation: Compilation) -> None:
    """Refuse a value that the declared type of a parameter excludes."""
    text = declared_type(frame, name, compilation)
    if text is None:
        return
    type_ = compiled_expression(text, compilation).value(frame, compilation)
    if isinstance(type_, Type) and not checker(type_)(value):
        raise Refused(describe_mismatch(f"parameter '{name}'", type_, value))


def declared_type(frame: CodeFrame, name: str, compilation: Compilation) -> str | None:
    """Return the type of a parameter of the code that runs, as it is written; None without one."""
    if frame.span is None:
        return None
    source, place = frame.span.source, frame.span.start
    program = compilation.loader.parse(source).program
    waiting: list[Node] = [program.body, *program.definitions]
    found = None
    for node in waiting:  # which grows meanwhile, so the innermost code comes last
        if isinstance(node, WITH_PARAMETERS) and node.start <= place < node.end:
            types = {one.name: one.type for one in node.parameters}
            if name in types:
                type_ = types[name]
                found = None if type_ is None else source.text[type_.start : type_.end]
        waiting += children(node)
    return found


def local_name(running: FrameType, key: str) -> str:
    """Return the local variable of Python that is a variable of a function or lambda. Raises Refused."""
    code = running.f_code
    own = (*code.co_varnames, *code.co_cellvars)
    names = [name for name in own if name.partition("'")[0] == key]
    if not names or running.f_locals.get(names[-1], UNSET) is UNSET:
        raise Refused(f"{key} is not a local variable that is set here")
    return names[-1]


def set_local(running: FrameType, local: str, value: Value) -> None:
    """Set a local variable of Python."""
    running.f_locals[local] = value
    if sys.version_info < (3, 13):
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(running), ctypes.c_int(0))
