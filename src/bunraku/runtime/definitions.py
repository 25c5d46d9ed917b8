"""Definitions as the compiler hands them over: classes, defined types, nodes, functions, aliases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.source import Place
from bunraku.catalog.schema.model import EVERYWHERE
from bunraku.runtime import issues
from bunraku.runtime.node_names import node_name
from bunraku.runtime.reserved_variables import NEVER_UNKNOWN, RESERVED
from bunraku.runtime.rules import RuntimeRules
from bunraku.types.mismatch import parameter_mismatch
from bunraku.types.model import Type
from bunraku.types.relations.instance import checker

Value = Any
Variables = dict[str, Value]
"""A scope, to those that only pass it on."""
Body = Callable[..., Value]
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
        """Return the problem with a value; None when it fits."""
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

    ``module_name`` is the module it belongs to; ``matches`` decides for which nodes a node
    definition is: ("name", text), ("regexp", pattern) or ("default", ""). ``match_variable`` is a
    parameter that is called like one, which no language can set; ``variables`` are the parameters
    with their ``$``, ``accepted`` the names of all attributes that it takes. ``fill`` gives the
    parameters their values if the dialect's compiler made such a function (see
    ``compiler/parameters.py``); ``types`` makes the types of the parameters, to find errors in
    them.
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
    """Return the parameters of a definition from the module's tuples."""
    return [DefinedParameter(*item) for item in data]


def read_definition(kind: str, parts: Sequence[Any], module_name: str) -> Definition:
    """Return a class, defined type or node of a compiled module."""
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


class Definitions:
    """The classes, defined types and nodes of a compile.

    ``load`` reads the files that may define a class or defined type; ``sound_classes`` are those
    whose ancestry was checked.
    """

    def __init__(self, rules: RuntimeRules, load: Callable[[str], None]) -> None:
        self.rules = rules
        self.load = load
        self.by_name: dict[str, Definition] = {}
        self.nodes: list[Definition] = []
        self.node_index: dict[str, Definition] = {}
        self.searched: set[str] = set()
        self.sound_classes: set[str] = set()

    def names(self, kind: str) -> list[str]:
        """Return the names of the classes or defined types that were loaded."""
        return [one.name for one in self.by_name.values() if one.kind == kind]

    def add(self, definition: Definition) -> None:
        """Register a class, a defined type or a node definition."""
        if definition.kind == "node":
            self.add_node(definition)
            return
        known = self.by_name.get(definition.name)
        if (
            self.rules.classes_merge
            and known is not None
            and known.kind == definition.kind == "class"
        ):
            known.extend(definition)
            return
        self.check_new(definition)
        self.by_name[definition.name] = definition

    def add_node(self, definition: Definition) -> None:
        """Register a node definition; each of its names must be new."""
        for kind, text in definition.matches:
            name = self.rules.node_name(kind, text)
            known = self.node_index.get(name) or self.class_named(name)
            if known is not None:
                raise already_defined(known, name, definition)
            self.node_index[name] = definition
        self.nodes.append(definition)

    def class_named(self, name: str) -> Definition | None:
        """Return the class that keeps a node from having its name."""
        known = self.by_name.get(name)
        clashes = known is not None and known.kind == "class" and not self.rules.classes_merge
        return known if clashes else None

    def check_new(self, definition: Definition) -> None:
        """Refuse a second definition of a name."""
        known = self.by_name.get(definition.name)
        if definition.kind == "class" and not self.rules.classes_merge:
            known = self.node_index.get(definition.name) or known
        if known is not None:
            raise already_defined(known, definition.name, definition)

    def check_settings(self) -> None:
        """Refuse a defined type or node with the name of the class that every compile has."""
        node = None if self.rules.classes_merge else self.node_index.get("settings")
        known = node or self.by_name.get("settings")
        if known is not None and known.kind != "class":
            raise issues.SETTINGS_IS_A_CLASS(kind=KINDS[known.kind]).at(Place.of(known))

    def find(self, name: str, kind: str) -> Definition | None:
        """Return a class or defined type by name, loaded when needed."""
        name = name.removeprefix("::")
        found = self.by_name.get(name)
        if found is None and name not in self.searched:
            self.searched.add(name)
            self.load(name)
            found = self.by_name.get(name)
        return found if found is not None and found.kind == kind else None


KINDS = {"class": "class", "node": "node definition", "define": "defined type"}


def already_defined(known: Definition, name: str, definition: Definition) -> PuppetError:
    """Return the error for a definition whose name another one has."""
    kind = {"class": "Class", "node": "Node"}.get(known.kind, "Definition")
    place = declared_at(known.file, known.line)
    issue = issues.DUPLICATE_DEFINITION
    if known.kind != definition.kind:
        as_class = known.kind == "class" and definition.kind == "define"
        issue = issues.DEFINED_AS_CLASS if as_class else issues.OTHER_DEFINITION
    new_kind = {"define": "definition"}.get(definition.kind, definition.kind)
    first = place.removeprefix(" at")
    error = issue(kind=kind, name=name, place=place, first=first, new_kind=new_kind)
    return error.at(Place.of(definition))


def declared_at(file: str | None, line: int | None) -> str:
    """`` at (file: x, line: 3)``, or nothing."""
    if line is None:
        return ""
    return f" at (file: {file}, line: {line})" if file else f" at (line: {line})"
