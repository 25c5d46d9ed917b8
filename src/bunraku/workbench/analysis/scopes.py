"""The variables of each scope in a program: where they are set, and where they are read.

Classes, defined types, nodes and functions have scopes of their own; lambdas see the variables around
them. The walk goes through code in the order in which it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bunraku.base.records import field, record
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, Program

Branches = tuple[tuple[int, int], ...]
"""The branches around code, outer ones first: the conditional, and the number of its branch."""
IMPLICIT = ("title", "name")
"""Variables that each class and resource of a defined type has."""
ALWAYS_SET = frozenset({*IMPLICIT, "module_name", "caller_module_name"})
RENDERING = frozenset({"template", "epp", "inline_template", "inline_epp"})
BY_NAME = frozenset({"getvar", "defined"})
"""Functions that read variables whose names are in strings."""


@record(slots=False)
class Variable:
    """A parameter or variable of a scope, by the place that sets it."""

    node: Node
    name: str
    branches: Branches
    parameter: nodes.Parameter | None = None
    used: bool = False


@record(slots=False)
class Read:
    """A use of a variable that nothing before it sets in the same scope."""

    node: nodes.Variable
    name: str
    program: Program


@record(slots=False)
class Scope:
    """A scope: ``node`` is the definition, lambda, node, or the body of a program.

    ``hidden`` has variables that hide one of an outer scope, ``again`` those that are set twice.
    ``words`` are names in strings that functions evaluate; ``templates`` the ERB templates that code in
    it names; ``asked`` the variables of which code asks whether they are set. ``is_open`` is whether code reads variables by names that only a run can give.
    """

    node: Node
    program: Program
    outer: Scope | None = None
    variables: dict[str, Variable] = field(default_factory=dict)
    unknown: list[Read] = field(default_factory=list)
    qualified: list[nodes.Variable] = field(default_factory=list)
    hidden: list[Variable] = field(default_factory=list)
    again: list[Variable] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    templates: list[tuple[str, Node]] = field(default_factory=list)
    is_open: bool = False

    @property
    def base(self) -> Scope:
        """The scope of the definition around a lambda."""
        found = self
        while found.outer is not None:
            found = found.outer
        return found

    def chain(self) -> Iterator[Scope]:
        """Yield this scope and those around it whose variables code here sees."""
        found: Scope | None = self
        while found is not None:
            yield found
            found = found.outer

    def set(self, variable: Variable) -> None:
        """Note a variable that code sets here."""
        known = self.variables.get(variable.name)
        if known is None:
            for one in self.chain():
                if one is not self and variable.name in one.variables:
                    if variable.name not in IMPLICIT:
                        self.hidden.append(variable)
                        break
            self.variables[variable.name] = variable
        elif variable.branches[: len(known.branches)] == known.branches:
            self.again.append(variable)

    def read(self, node: nodes.Variable) -> None:
        """Note a use of a variable."""
        name = node.name
        if "::" in name:
            self.base.qualified.append(node)
            return
        for one in self.chain():
            known = one.variables.get(name)
            if known is not None:
                known.used = True
                return
        if not name.isdigit():
            self.base.unknown.append(Read(node, name, self.program))


Item = tuple[Any, Scope, Branches]


class ScopeWalk:
    """One walk through a program; ``scopes`` are those that it found, lambdas before their definitions."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.scopes: list[Scope] = []
        self.stack: list[Item] = [(program.body, self.scope(program.body), ())]
        while self.stack:
            node, scope, branches = self.stack.pop()
            if isinstance(node, Variable):
                scope.set(node)
                continue
            visit = VISITS.get(node.__class__)
            if visit is None:
                self.push(nodes.children(node), scope, branches)
            else:
                visit(self, node, scope, branches)

    def scope(self, node: Node, outer: Scope | None = None) -> Scope:
        """Return a new scope."""
        found = Scope(node, self.program, outer)
        self.scopes.append(found)
        return found

    def push(self, some: Iterable[Node], scope: Scope, branches: Branches) -> None:
        """Visit nodes next, in their order."""
        self.stack += [(one, scope, branches) for one in reversed(list(some))]

    def branch(self, node: Node, ways: Iterable[Node], scope: Scope, branches: Branches) -> None:
        """Visit branches of which only one runs."""
        items: list[Item] = [
            (one, scope, (*branches, (id(node), number))) for number, one in enumerate(ways)
        ]
        self.stack += reversed(items)

    def parameters(self, node: Any, scope: Scope) -> None:
        """Visit the parameters and the body of a definition or lambda."""
        self.push([node.body], scope, ())
        for one in reversed(node.parameters):
            self.stack.append((Variable(one, one.name, (), one), scope, ()))
            parts = [part for part in (one.type, one.value) if part is not None]
            self.push(parts, scope, ())


def read_variable(
    _walk: ScopeWalk, node: nodes.Variable, scope: Scope, _branches: Branches
) -> None:
    """Note a use."""
    scope.read(node)


def visit_assignment(
    walk: ScopeWalk, node: nodes.Assignment, scope: Scope, branches: Branches
) -> None:
    """Visit the value, then set the variables."""
    for one in targets(node.left):
        if "::" not in one.name:
            walk.stack.append((Variable(one, one.name, branches), scope, branches))
    others = [] if isinstance(node.left, nodes.Variable | nodes.List) else [node.left]
    walk.push([node.right, *others], scope, branches)


def targets(node: Node) -> Iterator[nodes.Variable]:
    """Yield the variables that an assignment sets."""
    if isinstance(node, nodes.Variable):
        yield node
    elif isinstance(node, nodes.List):
        for one in node.values:
            yield from targets(one)


def visit_if(
    walk: ScopeWalk, node: nodes.If | nodes.Unless, scope: Scope, branches: Branches
) -> None:
    """Visit the condition, then both branches."""
    walk.branch(node, [node.then, node.otherwise], scope, branches)
    walk.push([node.test], scope, branches)


def visit_case(walk: ScopeWalk, node: nodes.Case, scope: Scope, branches: Branches) -> None:
    """Visit the value and all options, then the branches."""
    walk.branch(node, [one.then for one in node.options], scope, branches)
    walk.push(
        [node.test, *(value for one in node.options for value in one.values)], scope, branches
    )


def visit_selector(walk: ScopeWalk, node: nodes.Selector, scope: Scope, branches: Branches) -> None:
    """Visit the value, then the entries."""
    walk.branch(node, [one.value for one in node.entries], scope, branches)
    walk.push([node.left, *(one.match for one in node.entries)], scope, branches)


def visit_and(
    walk: ScopeWalk, node: nodes.And | nodes.Or, scope: Scope, branches: Branches
) -> None:
    """Visit the left operand, then the right one, which may not run."""
    walk.branch(node, [node.right], scope, branches)
    walk.push([node.left], scope, branches)


def visit_lambda(walk: ScopeWalk, node: nodes.Lambda, scope: Scope, _branches: Branches) -> None:
    """Visit a lambda, or a template: its parameters are those of a scope within this one."""
    is_template = isinstance(node.body, nodes.Epp) and scope.node is node
    walk.parameters(node, scope if is_template else walk.scope(node, scope))


def visit_definition(walk: ScopeWalk, node: Any, _scope: Scope, _branches: Branches) -> None:
    """Visit a definition, which has a scope of its own."""
    scope = walk.scope(node)
    if not isinstance(node, nodes.FunctionDefinition):
        for name in IMPLICIT:
            if all(one.name != name for one in node.parameters):
                scope.set(Variable(node, name, (), used=True))
    walk.parameters(node, scope)


def visit_node(
    walk: ScopeWalk, node: nodes.NodeDefinition, scope: Scope, branches: Branches
) -> None:
    """Visit a node definition, which has a scope of its own."""
    walk.push([node.body], walk.scope(node), ())
    walk.push(node.matches, scope, branches)


def visit_call(walk: ScopeWalk, node: nodes.Call, scope: Scope, branches: Branches) -> None:
    """Visit a call; note the variables that functions read by name."""
    if isinstance(node.callee, nodes.Name):
        note_names(scope, node.callee.value, node.arguments)
    walk.push(nodes.children(node), scope, branches)


def visit_method(walk: ScopeWalk, node: nodes.MethodCall, scope: Scope, branches: Branches) -> None:
    """Visit a call on a value, as ``'x'.getvar``."""
    if isinstance(node.name, nodes.Name):
        note_names(scope, node.name.value, [node.receiver, *node.arguments])
    walk.push(nodes.children(node), scope, branches)


def note_names(scope: Scope, function: str, arguments: list[Node]) -> None:
    """Note the names in the arguments of a function that reads variables by name."""
    function = function.removeprefix("::")
    if function == "template":
        for one in arguments:
            if isinstance(one, nodes.String):
                scope.templates.append((one.value, one))
    if function == "defined":
        strings = (one.value for one in arguments if isinstance(one, nodes.String))
        scope.asked.update(name[1:].removeprefix("::") for name in strings if name.startswith("$"))
    if function not in RENDERING and function not in BY_NAME:
        return
    for one in arguments if function in RENDERING else arguments[:1]:
        texts = list(strings_in(one))
        for text in texts:
            scope.words.update(names_in(text))
        if not texts and function == "getvar":
            scope.is_open = True


def strings_in(node: Node) -> Iterator[str]:
    """Yield the texts of the strings in code."""
    if isinstance(node, nodes.String):
        yield node.value
    for child in nodes.children(node):
        yield from strings_in(child)


def names_in(text: str) -> Iterator[str]:
    """Yield the words of a text that can be names of variables, also parts of qualified ones.

    >>> list(names_in("<%= @port %> $a::b"))
    ['port', 'a', 'b', 'a::b']
    """
    word = ""
    for letter in f"{text} ":
        if letter.isalnum() or letter in "_:":
            word += letter
        elif word:
            name = word.strip(":")
            parts = [part for part in name.split("::") if part]
            yield from parts
            if len(parts) > 1:
                yield name
            word = ""


def skip(_walk: ScopeWalk, _node: Node, _scope: Scope, _branches: Branches) -> None:
    """Pass over plans, which have other rules."""


VISITS: dict[type, Callable[[ScopeWalk, Any, Scope, Branches], None]] = {
    nodes.Variable: read_variable,
    nodes.Assignment: visit_assignment,
    nodes.If: visit_if,
    nodes.Unless: visit_if,
    nodes.Case: visit_case,
    nodes.Selector: visit_selector,
    nodes.And: visit_and,
    nodes.Or: visit_and,
    nodes.Lambda: visit_lambda,
    nodes.ClassDefinition: visit_definition,
    nodes.DefineDefinition: visit_definition,
    nodes.FunctionDefinition: visit_definition,
    nodes.NodeDefinition: visit_node,
    nodes.PlanDefinition: skip,
    nodes.Call: visit_call,
    nodes.MethodCall: visit_method,
}


def scopes_of(program: Program) -> list[Scope]:
    """Return the scopes of a program, the outermost first.

    >>> from bunraku.base.source import Source
    >>> from bunraku.dialects.languages import dialect_named
    >>> program = dialect_named("8").parse(Source("class a($b) { $c = $b notice($d) }")).program
    >>> inner = scopes_of(program)[1]
    >>> (
    ...     {name: one.used for name, one in inner.variables.items()},
    ...     [one.name for one in inner.unknown],
    ... )
    ({'title': True, 'name': True, 'b': True, 'c': False}, ['d'])
    """
    return ScopeWalk(program).scopes
