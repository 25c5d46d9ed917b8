"""The values of the variables in one body, where the code alone shows them.

A variable is assigned once in its scope. If an assignment is in the same branch as a use, or around
it, and before it, then the use has that value. Nothing is said of other variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bunraku.base.records import record
from bunraku.compiler.frames import target_names
from bunraku.syntax import nodes

Region = tuple[int, int]
"""The offsets of the code in which an assignment holds."""
Assigned = dict[str, list[nodes.Node]]
"""The variables that code assigns in any case, with the values that they may have."""
SEPARATE = (
    nodes.ClassDefinition,
    nodes.DefineDefinition,
    nodes.FunctionDefinition,
    nodes.NodeDefinition,
    nodes.PlanDefinition,
)
"""Nodes whose bodies have scopes of their own."""


@record(frozen=True)
class Binding:
    """The possible values of a variable behind an offset of a region.

    ``parameter`` is set for a parameter; without values and parameter the value is not known.
    """

    region: Region
    after: int
    values: tuple[nodes.Node, ...] = ()
    parameter: nodes.Parameter | None = None


class Bindings:
    """The assignments of the variables in one body, and its parameters."""

    def __init__(self, body: nodes.Node, parameters: Iterable[nodes.Parameter] = ()) -> None:
        self.by_name: dict[str, list[Binding]] = {}
        self.whole = (0, body.end)
        for parameter in parameters:
            self.note(parameter.name, Binding(self.whole, 0, parameter=parameter))
        self.collect(body, self.whole)

    def note(self, name: str, binding: Binding) -> None:
        """Add a binding of a variable."""
        self.by_name.setdefault(name, []).append(binding)

    def of(self, variable: nodes.Variable) -> Binding | None:
        """Return the binding that a use of a variable has, if it is certain."""
        found = None
        at = variable.start
        for one in self.by_name.get(variable.name, ()):
            start, end = one.region
            if start <= at < end and one.after <= at:
                if found is None or (one.region[0], one.after) >= (found.region[0], found.after):
                    found = one
        return found

    def at_end(self, name: str) -> Binding | None:
        """Return the binding of a variable at the end of the body, if it is certain."""
        found = [one for one in self.by_name.get(name, ()) if one.region == self.whole]
        return found[-1] if found else None

    # -- collecting ------------------------------------------------------------------------------

    def collect(self, node: nodes.Node, region: Region) -> Assigned:
        """Note the assignments in a node; return those that it makes in any case."""
        match node:
            case nodes.Assignment():
                return self.collect_assignment(node, region)
            case nodes.If() | nodes.Unless():
                found = self.collect(node.test, region)
                ways = [self.branch(one) for one in (node.then, node.otherwise)]
                return {**found, **self.merged(node, region, ways)}
            case nodes.Case():
                return self.collect_case(node, region)
            case nodes.And() | nodes.Or():
                found = self.collect(node.left, region)
                self.branch(node.right)
                return found
            case nodes.Selector():
                found = self.collect(node.left, region)
                for entry in node.entries:
                    self.branch(entry)
                return found
            case nodes.Lambda():
                self.collect_lambda(node)
                return {}
        if isinstance(node, SEPARATE):
            return {}
        found = {}
        for child in nodes.children(node):
            found.update(self.collect(child, region))
        return found

    def branch(self, node: nodes.Node) -> Assigned:
        """Note the assignments in code that runs only in some cases."""
        return {} if isinstance(node, nodes.Nop) else self.collect(node, (node.start, node.end))

    def collect_assignment(self, node: nodes.Assignment, region: Region) -> Assigned:
        """Note one assignment; the parts of a value for several variables are not known."""
        found = self.collect(node.right, region)
        if isinstance(node.left, nodes.Variable) and node.operator == "=":
            self.note(node.left.name, Binding(region, node.end, (node.right,)))
            found[node.left.name] = [node.right]
        else:
            for name in target_names(node.left):
                self.note(name, Binding(region, node.end))
        return found

    def collect_case(self, node: nodes.Case, region: Region) -> Assigned:
        """Note the assignments in the branches of a case."""
        found = self.collect(node.test, region)
        ways = [self.branch(one.then) for one in node.options]
        if not any(map(is_default, node.options)):
            ways.append({})
        return {**found, **self.merged(node, region, ways)}

    def merged(self, node: nodes.Node, region: Region, ways: list[Assigned]) -> Assigned:
        """Note the variables that all branches assign: they have a value behind the branches."""
        common = set(ways[0]).intersection(*ways[1:]) if ways else set()
        found = {name: [value for way in ways for value in way[name]] for name in sorted(common)}
        for name, values in found.items():
            self.note(name, Binding(region, node.end, tuple(values)))
        return found

    def collect_lambda(self, node: nodes.Lambda) -> None:
        """Note the parameters and the assignments of a lambda, which end with it."""
        region = (node.start, node.end)
        for parameter in node.parameters:
            self.note(parameter.name, Binding(region, node.start, parameter=parameter))
        self.collect(node.body, region)


def is_default(option: nodes.CaseOption) -> bool:
    """Return whether an option of a case is for all other values."""
    return any(isinstance(one, nodes.Default) for one in option.values)


def leaves(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the expressions whose values an expression can have: the branches of conditionals."""
    match node:
        case nodes.If() | nodes.Unless():
            yield from leaves(node.then)
            yield from leaves(node.otherwise)
        case nodes.Case():
            for option in node.options:
                yield from leaves(option.then)
        case nodes.Selector():
            for entry in node.entries:
                yield from leaves(entry.value)
        case nodes.Block(statements=[*_, last]):
            yield from leaves(last)
        case nodes.Nop() | nodes.Block():
            return
        case _:
            yield node
