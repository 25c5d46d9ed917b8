"""The definitions of one compiled file, and functions written in the Puppet language."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.source import Place
from bunraku.runtime import issues
from bunraku.runtime.callables import Closure
from bunraku.runtime.control import ReturnFromFunction
from bunraku.runtime.definitions import (
    Body,
    Definition,
    Template,
    declared_at,
    read_definition,
    read_parameters,
)
from bunraku.runtime.named_types import reference
from bunraku.runtime.state import Compilation, Scope
from bunraku.syntax.nodes import FunctionDefinition, Node, Reference, children
from bunraku.types.mismatch import describe_mismatch, wrong_count
from bunraku.types.model import Type
from bunraku.types.relations.instance import checker

Value = Any


@record()
class PuppetFunction:
    """A function written in the Puppet language."""

    name: str
    function: Body
    low: int
    high: int | None
    names: tuple[str, ...]
    returns: Body | None
    file: str
    line: int
    module_name: str = ""
    inner: Scope | None = None
    return_type: Type | None = None
    return_check: Callable[[Value], bool] | None = None
    most: int = field(init=False)

    def __post_init__(self) -> None:
        self.most = sys.maxsize if self.high is None else self.high

    def call(self, scope: Scope, arguments: Sequence[Value], block: Closure | None = None) -> Value:
        """Run the function in the top scope, whatever the scope of the call is."""
        if not self.low <= len(arguments) <= self.most:
            self.check_types(scope.compilation)
            raise issues.WRONG_ARGUMENT_COUNT(
                name=self.name, problem=wrong_count(self.low, self.high, len(arguments))
            )
        if block is not None:
            self.check_types(scope.compilation)
            raise issues.UNEXPECTED_BLOCK(name=self.name)
        # One scope serves all calls, as long as none of them has left a variable in it.
        inner = self.inner
        if inner is None or len(inner):
            inner = self.inner = scope.compilation.top_scope.without_captures()
        check = self.return_check
        if check is None and self.returns is not None:
            self.return_type = self.returns(inner)
            check = self.return_check = checker(self.return_type)
        result = self.function(inner, *arguments)
        if check is None:
            return result
        if result.__class__ is ReturnFromFunction:
            return result.value
        if check(result):
            return result
        assert self.return_type is not None  # set together with its check
        subject = f"value returned from function '{self.name}'"
        puppet = f"value returned from {self.name} has wrong type,"
        raise issues.WRONG_RESULT(
            mismatch=describe_mismatch(subject, self.return_type, result),
            words=describe_mismatch(puppet, self.return_type, result),
        )

    def check_types(self, compilation: Compilation) -> None:
        """Raise the error for an unknown type in the signature: Puppet finds it before wrong arguments."""
        loader = compilation.loader
        source = next((one for one in loader.sources.values() if one.path == self.file), None)
        if source is None:
            return
        for definition in loader.parse(source).program.definitions:
            if isinstance(definition, FunctionDefinition) and definition.name == self.name:
                for name in type_names(definition):
                    try:
                        reference(compilation.top_scope, name.value)
                    except PuppetError as error:
                        raise error.at(source.span(name.start, name.end).place) from None


def type_names(definition: FunctionDefinition) -> Iterator[Reference]:
    """Yield the names of types in the signature of a function."""
    types = [one.type for one in definition.parameters] + [definition.return_type]
    waiting: list[Node] = [one for one in reversed(types) if one is not None]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Reference):
            yield found
        waiting += reversed(children(found))


@record()
class Unit:
    """All that one compiled file defines.

    ``order`` has the kind of each definition, function and alias in the order of the file.
    """

    definitions: list[Definition]
    functions: list[PuppetFunction]
    aliases: list[tuple[str, Body, str, int]]
    imports: list[tuple[tuple[str, ...], str, int]]
    main: Body | None
    template: Template | None
    order: list[str] = field(default_factory=list)


def read_unit(
    definitions: Sequence[tuple[Any, ...]],
    module_name: str,
    known: Unit | None = None,
) -> Unit:
    """Return the definitions of a compiled module (``emit_definitions.emit_module``) as objects.

    ``known`` is what a compile before has read: its classes, defined types and nodes are taken over,
    functions are made again, because they contain the state of one compile.
    """
    unit = Unit([] if known is None else known.definitions, [], [], [], None, None)
    for kind, *rest in definitions:
        unit.order.append(kind)
        match kind:
            case "class" | "define" | "node":
                if known is None:
                    unit.definitions.append(read_definition(kind, rest, module_name))
            case "function":
                name, function, low, high, names, returns, file, line = rest
                unit.functions.append(
                    PuppetFunction(
                        name, function, low, high, names, returns, file, line, module_name
                    )
                )
            case "type":
                name, body, file, line = rest
                unit.aliases.append((name, body, file, line))
            case "import":
                patterns, file, line = rest
                unit.imports.append((patterns, file, line))
            case "main":
                (unit.main,) = rest
            case "epp":
                given, parameters, body, file, _line = rest
                unit.template = Template(given, read_parameters(parameters), body, file)
    return unit


DEFINITIONS = frozenset({"class", "define", "node"})


def register(compilation: Compilation, unit: Unit) -> None:
    """Add the definitions of a file to a compile, in the order of the file."""
    definitions, functions = iter(unit.definitions), iter(unit.functions)
    aliases = iter(unit.aliases)
    for kind in unit.order:
        if kind in DEFINITIONS:
            definition = next(definitions)
            if definition.types is not None:
                definition.types(compilation.top_scope)
            compilation.definitions.add(definition)
        elif kind == "function":
            function = next(functions)
            check_new_function(compilation, function)
            compilation.functions[function.name.removeprefix("::")] = function
        elif kind == "type":
            name, body, file, line = next(aliases)
            compilation.types.add(name, body, Place(file or None, line))


def check_new_function(compilation: Compilation, function: PuppetFunction) -> None:
    """Refuse a second function of a name in the main manifests, or in a module."""
    known = compilation.functions.get(function.name.removeprefix("::"))
    if isinstance(known, PuppetFunction) and known.module_name == function.module_name:
        place = declared_at(known.file, known.line)
        error = issues.DUPLICATE_ENTITY(kind="Function", name=function.name, place=place)
        raise error.at(Place(function.file or None, function.line))
