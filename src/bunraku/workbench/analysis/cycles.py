"""Cycles: of classes that inherit, require, contain or include each other, and of relationships in one body."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from bunraku.base.records import record
from bunraku.runtime.issues import DEPENDENCY_CYCLE, INHERITANCE_CYCLE
from bunraku.runtime.suggest import as_reference
from bunraku.syntax import nodes
from bunraku.syntax.nodes import ClassDefinition, Node, Program
from bunraku.workbench.analysis.bindings import SEPARATE
from bunraku.workbench.analysis.issues import CLASS_CYCLE, INCLUDE_CYCLE
from bunraku.workbench.analysis.names import written_name, written_names
from bunraku.workbench.analysis.scopes import Branches
from bunraku.workbench.analysis.state import Analysis

Key = tuple[str, str]
"""A resource: its type in lower case, and its title."""
ORDERING = frozenset({"require", "contain"})
"""Functions that put a class before or into another one."""
INCLUDING = frozenset({"include", *ORDERING})
"""Functions that evaluate another class."""
FORWARD = frozenset({"before", "notify"})
BACKWARD = frozenset({"require", "subscribe"})
Edges = Mapping[str, Mapping[str, tuple[Node, Program]]]


def check_classes(analysis: Analysis, programs: Iterable[Program]) -> None:
    """Report classes that inherit from themselves, and that require, contain or include each other."""
    inherits: dict[str, dict[str, tuple[Node, Program]]] = {}
    ordered: dict[str, dict[str, tuple[Node, Program]]] = {}
    included: dict[str, dict[str, tuple[Node, Program]]] = {}
    for program in programs:
        for one in program.definitions:
            if isinstance(one, ClassDefinition):
                name = class_key(one.name)
                if one.parent is not None:
                    inherits.setdefault(name, {})[class_key(one.parent)] = one, program
                for function, node, other in included_classes(one.body):
                    included.setdefault(name, {})[class_key(other)] = node, program
                    if function in ORDERING:
                        ordered.setdefault(name, {})[class_key(other)] = node, program
    for cycle in cycles_in(inherits):
        node, analysis.program = inherits[cycle[0]][cycle[1]]
        path = " -> ".join(cycle)
        analysis.findings.append(analysis.report(INHERITANCE_CYCLE, node, name=cycle[0], path=path))
    for cycle in cycles_in(ordered):
        node, analysis.program = ordered[cycle[0]][cycle[1]]
        analysis.warnings.append(analysis.report(CLASS_CYCLE, node, path=" -> ".join(cycle)))
    for cycle in cycles_in(included):
        if not all(after in ordered.get(name, ()) for name, after in pairwise(cycle)):
            node, analysis.program = included[cycle[0]][cycle[1]]
            analysis.warnings.append(analysis.report(INCLUDE_CYCLE, node, path=" -> ".join(cycle)))


def class_key(name: str) -> str:
    """Return the name of a class as it is compared."""
    return name.lower().removeprefix("::")


def included_classes(body: Node) -> Iterator[tuple[str, Node, str]]:
    """Yield the function, the place and the name of each class that a body includes, requires or contains."""
    waiting = [body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, nodes.Call) and isinstance(node.callee, nodes.Name):
            if node.callee.value in INCLUDING:
                for one in node.arguments:
                    for place, name in written_names(one):
                        yield node.callee.value, place, name
        if not isinstance(node, SEPARATE):
            waiting += nodes.children(node)


def cycles_in(edges: Edges) -> Iterator[list[str]]:
    """Yield the cycles, each once and from its first name on, which is also the last of it."""
    found: set[frozenset[str]] = set()
    for start in sorted(edges):
        path = shortest(edges, start)
        if path is not None and frozenset(path) not in found:
            found.add(frozenset(path))
            yield path


def shortest(edges: Mapping[str, Iterable[str]], start: str) -> list[str] | None:
    """Return the shortest way from a name to itself; None without one.

    >>> shortest({"a": ["b"], "b": ["c", "a"]}, "a"), shortest({"a": ["b"]}, "a")
    (['a', 'b', 'a'], None)
    """
    paths = [[start]]
    seen: set[str] = set()
    for path in paths:
        for name in edges.get(path[-1], ()):
            if name == start:
                return [*path, name]
            if name not in seen:
                seen.add(name)
                paths.append([*path, name])
    return None


# -- relationships -----------------------------------------------------------------------------


@record(frozen=True)
class Edge:
    """A relationship between two resources, and the branches around it."""

    before: Key
    after: Key
    node: Node
    branches: Branches


class Body:
    """The resources and relationships with literal titles in one body."""

    def __init__(self, body: Node) -> None:
        self.declared: set[Key] = set()
        self.edges: list[Edge] = []
        waiting: list[tuple[Node, Branches]] = [(body, ())]
        while waiting:
            node, branches = waiting.pop()
            if isinstance(node, nodes.Resource):
                self.add_resource(node, branches)
            elif isinstance(node, nodes.Relationship):
                self.add_relationship(node, branches)
            for number, child in enumerate(nodes.children(node)):
                if not isinstance(child, SEPARATE):
                    inner = branches
                    if isinstance(node, BRANCHING):
                        inner = (*branches, (id(node), number))
                    waiting.append((child, inner))

    def add_resource(self, node: nodes.Resource, branches: Branches) -> None:
        """Note resources, and the relationships of their attributes."""
        for body in node.bodies:
            own = list(keys_of_body(node, body))
            self.declared.update(own)
            for one in body.operations:
                if isinstance(one, nodes.Attribute) and one.name in FORWARD | BACKWARD:
                    others = references_in(one.value)
                    sides = (own, others) if one.name in FORWARD else (others, own)
                    self.add(*sides, one, branches)

    def add_relationship(self, node: nodes.Relationship, branches: Branches) -> None:
        """Note the relationship of a chain's last two parts; the others are nodes below it."""
        left = node.left.right if isinstance(node.left, nodes.Relationship) else node.left
        sides = references_in(left), references_in(node.right)
        if node.operator in {"<-", "<~"}:
            sides = sides[1], sides[0]
        self.add(*sides, node, branches)

    def add(
        self,
        before: Sequence[Key],
        after: Sequence[Key],
        node: Node,
        branches: Branches,
    ) -> None:
        """Note relationships between all resources of two sides."""
        self.edges += [Edge(one, other, node, branches) for one in before for other in after]


BRANCHING = (
    *(nodes.If, nodes.Unless, nodes.Case, nodes.CaseOption, nodes.Selector, nodes.SelectorEntry),
    *(nodes.And, nodes.Or),
)


def keys_of_body(node: nodes.Resource, body: nodes.ResourceBody) -> Iterator[Key]:
    """Yield the resources that a body of a resource statement declares."""
    type_name = written_name(node.type_name)
    if type_name is not None:
        for _, title in written_names(body.title):
            yield key_of(type_name, title)


def key_of(type_name: str, title: str) -> Key:
    """Return the key of a resource; names of classes have no letter case."""
    plain = type_name.lower().removeprefix("::")
    return plain, class_key(title) if plain == "class" else title


def references_in(node: Node) -> list[Key]:
    """Return the resources that a side of a relationship names, or declares."""
    if isinstance(node, nodes.Access) and isinstance(node.left, nodes.Reference):
        titles = [written_name(key) for key in nodes_in(node.keys)]
        return [key_of(node.left.value, one) for one in titles if one is not None]
    if isinstance(node, nodes.List):
        return [key for one in node.values for key in references_in(one)]
    if isinstance(node, nodes.Resource) and node.form == "regular":
        return [key for body in node.bodies for key in keys_of_body(node, body)]
    return []


def nodes_in(some: Iterable[Node]) -> Iterator[Node]:
    """Yield nodes, and those in arrays."""
    for one in some:
        if isinstance(one, nodes.List):
            yield from nodes_in(one.values)
        else:
            yield one


def check_relationships(analysis: Analysis, body: Node, definition: Node | None) -> None:
    """Report cycles of relationships in one body, and with the class that contains the resources."""
    found = Body(body)
    reported: set[int] = set()
    if isinstance(definition, ClassDefinition):
        around = ("class", class_key(definition.name))
        for one in found.edges:
            if around in (one.before, one.after) and {one.before, one.after} & (
                found.declared - {around}
            ):
                reported.add(id(one.node))
                add_cycle(analysis, one.node, [one.before, one.after, one.before])
    for one in found.edges:
        if id(one.node) in reported:
            continue
        path = way_back(found.edges, one)
        if path is not None:
            reported.update(id(edge.node) for edge in path)
            add_cycle(analysis, path[0].node, [*(edge.before for edge in path), path[0].before])


def way_back(edges: Sequence[Edge], first: Edge) -> list[Edge] | None:
    """Return the relationships that lead from the end of one to its beginning, after that one."""
    paths = [[first]]
    seen: set[Key] = set()
    for path in paths:
        end = path[-1].after
        if end == first.before:
            return path
        if end in seen:
            continue
        seen.add(end)
        paths += [
            [*path, one]
            for one in edges
            if one.before == end and all(are_together(one, other) for other in path)
        ]
    return None


def are_together(one: Edge, other: Edge) -> bool:
    """Return whether two relationships can exist in one run: they are not in different branches."""
    mine = dict(one.branches)
    return all(mine.get(node, branch) == branch for node, branch in other.branches)


def add_cycle(analysis: Analysis, node: Node, path: Sequence[Key]) -> None:
    """Report a cycle: Puppet compiles it, but the agent refuses the catalog."""
    shown = " -> ".join(f"{as_reference(kind)}[{title}]" for kind, title in path)
    analysis.warnings.append(analysis.report(DEPENDENCY_CYCLE, node, path=shown))


def check_program(analysis: Analysis, program: Program) -> None:
    """Check the relationships of each body in a program."""
    if "->" not in program.source.text and "~>" not in program.source.text:
        if not any(word in program.source.text for word in (*FORWARD, *BACKWARD, "<-", "<~")):
            return
    analysis.program = program
    if not isinstance(program.body, SEPARATE):
        check_relationships(analysis, program.body, None)
    waiting: list[Node] = [program.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, nodes.ClassDefinition | nodes.DefineDefinition | nodes.NodeDefinition):
            check_relationships(analysis, node.body, node)
            waiting.append(node.body)
        elif isinstance(node, nodes.Block):
            waiting += node.statements
