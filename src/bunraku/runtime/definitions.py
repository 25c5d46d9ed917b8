"""Definitions as the compiler hands them over: classes, defined types, nodes, functions, aliases."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from bunraku.base.records import field, record
from bunraku.catalog.schema.model import EVERYWHERE
from bunraku.runtime.reserved_variables import NEVER_UNKNOWN, RESERVED
from bunraku.types.mismatch import parameter_mismatch
from bunraku.types.model import Type
from bunraku.types.relations.instance import checker

Value = Any
Variables = dict[str, Value]
"""A scope, to those that only pass it on."""
Body = Callable[..., Value]
PATTERN_PREFIX = "__node_regexp__"
SPELLED_OUT = str.maketrans(
    {"(": "lp", "?": "qu", "<": "lt", ">": "gt", "!": "ex", "=": "eq", ")": "rp"}
)
NOT_FOR_PARAMETERS = NEVER_UNKNOWN | {variable[1:] for variable in RESERVED}
"""Names that may be variables of the language."""


@record()
class DefinedParameter:
    """A parameter of a class, define or template: its type and default are functions of a scope."""

    name: str
    type: Body | None
    default: Body | None
    line: int
    variable: str = field(init=False)

    def __post_init__(self) -> None:
        self.variable = f"${self.name}"

    def check(self, scope: Variables, value: Value) -> str | None:
        """What is wrong with a value; None when it fits."""
        if self.type is None:
            return None
        type_ = self.type(scope)
        if not isinstance(type_, Type):
            return None
        try:
            check = type_.checker
        except AttributeError:
            check = checker(type_)
        if check(value):
            return None
        return parameter_mismatch(f"parameter '{self.name}'", type_, value)


@record()
class Definition:
    """A class, a defined type or a node definition.

    ``module_name`` is the module it belongs to; ``matches`` says for which nodes a node definition
    is: ("name", text), ("regexp", pattern) or ("default", ""). ``match_variable`` is a parameter that
    is called like one, which no language can set; ``variables`` are the parameters with their ``$``,
    ``accepted`` the names of all attributes that it takes. ``fill`` gives the parameters their values
    where the dialect's compiler made such a function (see ``compiler/parameters.py``); ``types``
    makes the types of the parameters, for what is wrong with them.
    """

    kind: str
    name: str
    parameters: list[DefinedParameter]
    body: Body
    file: str
    line: int
    parent: str | None = None
    matches: tuple[tuple[str, str], ...] = ()
    module_name: str = ""
    fill: Body | None = None
    types: Body | None = None
    parameter_names: frozenset[str] = field(init=False)
    variables: frozenset[str] = field(init=False)
    accepted: frozenset[str] = field(init=False)
    match_variable: str | None = field(init=False)
    unfit_names: bool = field(init=False)

    def __post_init__(self) -> None:
        self.parameter_names = frozenset(item.name for item in self.parameters)
        self.unfit_names = not self.parameter_names.isdisjoint(NOT_FOR_PARAMETERS)
        self.variables = frozenset(item.variable for item in self.parameters)
        self.accepted = self.parameter_names | EVERYWHERE
        numbers = (item.name for item in self.parameters if item.name.isdigit())
        self.match_variable = next(numbers, None)

    def extend(self, other: Definition) -> None:
        """Add the code of another piece of the same class, for languages that allow several."""
        first, then = self.body, other.body

        def both(scope: Variables) -> Value:
            first(scope)
            return then(scope)

        self.body = both
        self.parent = self.parent or other.parent


@record()
class Template:
    """An EPP template: whether it declares parameters, which, and its function."""

    parameters_given: bool
    parameters: list[DefinedParameter]
    body: Body
    file: str


def read_parameters(
    data: Sequence[tuple[str, Body | None, Body | None, int]],
) -> list[DefinedParameter]:
    """The parameters of a definition from the module's tuples."""
    return [DefinedParameter(*item) for item in data]


def node_name(kind: str, text: str) -> str:
    """Return the name that a node definition has in the catalog.

    Groups that begin with ``(?`` are spelled out: patterns that differ only there are different nodes.

    >>> node_name("regexp", "^web\\\\d+"), node_name("name", "Web1.Example.com")
    ('__node_regexp__webd', 'web1.example.com')
    >>> node_name("regexp", "(?<!a)sync")
    '__node_regexp__lpqultexarpsync'
    """
    if kind == "default":
        return "default"
    if kind == "name":
        return text.lower()
    spelled = re.sub(r"\(\?[^)]*\)", lambda found: found[0].translate(SPELLED_OUT), text.lower())
    return PATTERN_PREFIX + plain_pattern(spelled)


def plain_pattern(text: str) -> str:
    """Return what a name keeps of a pattern: letters, digits, ``_``, ``-``, ``:`` and ``.``.

    >>> plain_pattern("^.(?:Web)\\\\d+")
    ':webd'
    """
    kept = "".join(c for c in text.lower() if (c.isalnum() and c.isascii()) or c in "_-:.")
    return kept.lstrip(".")


def read_definition(kind: str, parts: Sequence[Any], module_name: str) -> Definition:
    """A class, defined type or node of a compiled module."""
    if kind == "node":
        matches, parent, body, file, line = parts
        name = node_name(*matches[0])
        above = node_name(*parent) if parent else None
        return Definition(kind, name, [], body, file, line, parent=above, matches=matches)
    name, parent, parameters, fill, types, body, file, line = parts
    return Definition(
        kind,
        name.lower(),
        read_parameters(parameters),
        body,
        file,
        line,
        parent=parent.lower() if parent else None,
        module_name=module_name,
        fill=fill,
        types=types,
    )
