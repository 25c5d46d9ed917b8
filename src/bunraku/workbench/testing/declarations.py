"""The declarations in sources: of which resource, where, in which class, under which conditions.

They explain why a resource is not in a catalog. Nothing is run; titles with variables are compared
as far as they are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.syntax import nodes
from bunraku.workbench.analysis.names import included_classes, titled_classes, written_name

DEFINITIONS = (
    nodes.ClassDefinition,
    nodes.DefineDefinition,
    nodes.NodeDefinition,
    nodes.FunctionDefinition,
)
Path = tuple[str, ...]
"""The name of a variable, and the keys of an element in it."""
SHORTEST = 3
"""Characters of a title that must be written for a title with unknown variables to count."""
UNKNOWN = ".+"
Known = Callable[["Owner", str], str | None]
"""Returns the text of a variable in an owner; None if it is unknown."""


@record(frozen=True)
class Owner:
    """The definition that a declaration is in.

    ``kind`` is ``class``, ``define``, ``node``, ``function`` or ``manifest``; ``name`` is in lower case.
    ``assigned`` are the variables that its body sets, and the parameters with defaults.
    """

    kind: str
    name: str
    assigned: dict[str, nodes.Node]

    def __str__(self) -> str:
        if self == CODE_OF_TEST:
            return "the code of the test"
        words = {"define": "defined type", "manifest": "top scope of"}
        return f"{words.get(self.kind, self.kind)} {self.name}"


CODE_OF_TEST = Owner("manifest", "the test", {})


@record(frozen=True)
class Condition:
    """A condition around a declaration: its text, its line, and the variables in it."""

    text: str
    line: int
    variables: tuple[Path, ...]


@record(frozen=True)
class Declaration:
    """A statement that declares resources of a type (in lower case), or classes.

    ``how`` is ``declares``, ``includes`` or ``inherits``. ``conditions`` are around it, the outermost
    first; ``form`` is ``regular``, ``virtual`` or ``exported``.
    """

    type: str
    title: nodes.Node | str
    owner: Owner
    source: Source
    line: int
    how: str = "declares"
    form: str = "regular"
    conditions: tuple[Condition, ...] = ()

    @property
    def place(self) -> str:
        """The file and the line; the line of code that is not in a file."""
        return f"{self.source.path}:{self.line}" if self.source.path else f"line {self.line}"

    def fits(self, title: str, known: Known) -> bool:
        """Return whether a title is that of the declaration, as far as its variables are known."""
        if isinstance(self.title, str):
            return self.title == title
        for pattern in patterns(self.title, self.owner, known):
            letters = pattern.replace(UNKNOWN, "").replace("\\", "")
            if re.fullmatch(pattern, title, re.DOTALL) and (
                UNKNOWN not in pattern or len(letters) >= SHORTEST
            ):
                return True
        return False


def patterns(node: nodes.Node, owner: Owner, known: Known, depth: int = 5) -> Iterator[str]:
    """Yield a pattern for each title that an expression gives.

    >>> from bunraku.syntax.nodes import String
    >>> list(patterns(String(0, 3, "a.b"), Owner("class", "a", {}), lambda owner, name: None))
    ['a\\\\.b']
    """
    if isinstance(node, nodes.List):
        for one in node.values:
            yield from patterns(one, owner, known, depth)
    elif isinstance(node, nodes.Parenthesized | nodes.Interpolation):
        yield from patterns(node.expression, owner, known, depth)
    elif isinstance(node, nodes.Concatenation):
        parts = [next(patterns(one, owner, known, depth), UNKNOWN) for one in node.segments]
        yield "".join(parts)
    elif isinstance(node, nodes.Variable):
        yield from variable_patterns(node.name, owner, known, depth)
    else:
        text = written_name(node)
        yield UNKNOWN if text is None else re.escape(text)


def variable_patterns(name: str, owner: Owner, known: Known, depth: int) -> Iterator[str]:
    """Yield the patterns for a variable: its value, or those of the expression that sets it."""
    text = known(owner, name)
    if text is not None:
        yield re.escape(text)
    elif depth and name in owner.assigned:
        yield from patterns(owner.assigned[name], owner, known, depth - 1)
    else:
        yield UNKNOWN


def declarations_of(programs: Iterable[nodes.Program]) -> list[Declaration]:
    """Return the declarations in parsed manifests, in their order."""
    found: list[Declaration] = []
    for program in programs:
        walk = Walk(program.source, found)
        path = program.source.path
        top = Owner("manifest", path, {}) if path else CODE_OF_TEST
        walk.body(program.body, top)
        for one in program.definitions:
            walk.definition(one)
    return found


class Walk:
    """Collects the declarations in one manifest."""

    def __init__(self, source: Source, found: list[Declaration]) -> None:
        self.source = source
        self.found = found

    def definition(self, node: nodes.Node) -> None:
        """Collect the declarations in a class, defined type, node or function."""
        if isinstance(
            node, nodes.ClassDefinition | nodes.DefineDefinition | nodes.FunctionDefinition
        ):
            kind = type(node).__name__.removesuffix("Definition").lower()
            name = node.name.removeprefix("::").lower()
            owner = Owner(kind, name, assigned_in(node))
            if isinstance(node, nodes.ClassDefinition) and node.parent:
                parent = node.parent.removeprefix("::").lower()
                self.add("class", parent, owner, node, (), how="inherits")
            self.body(node.body, owner)
        elif isinstance(node, nodes.NodeDefinition):
            name = ", ".join(self.text(one) for one in node.matches)
            self.body(node.body, Owner("node", name, assigned_in(node)))

    def body(self, node: nodes.Node, owner: Owner, around: tuple[Condition, ...] = ()) -> None:
        """Collect the declarations in code."""
        if isinstance(node, DEFINITIONS):
            return
        self.declared(node, owner, around)
        for child, condition in self.parts(node):
            self.body(child, owner, around if condition is None else (*around, condition))

    def parts(self, node: nodes.Node) -> Iterator[tuple[nodes.Node, Condition | None]]:
        """Yield the parts of a node with the condition under which each runs."""
        if isinstance(node, nodes.If | nodes.Unless):
            word = "if" if isinstance(node, nodes.If) else "unless"
            yield node.test, None
            yield node.then, self.condition(word, node.test)
            yield node.otherwise, self.condition(f"else of {word}", node.test)
        elif isinstance(node, nodes.Case):
            for option in node.options:
                values = ", ".join(self.text(one) for one in option.values)
                test = self.text(node.test)
                text = f"case {test} is {values}"
                yield option.then, Condition(text, self.line(option), variables_in(node.test))
        elif isinstance(node, nodes.Call | nodes.MethodCall) and node.block is not None:
            called = node.callee if isinstance(node, nodes.Call) else node.receiver
            text = f"the block of {self.text(called)}"
            yield node.block.body, Condition(text, self.line(node), variables_in(called))
        else:
            yield from (
                (one, None) for one in nodes.children(node) if not isinstance(one, nodes.Lambda)
            )

    def condition(self, word: str, test: nodes.Node) -> Condition:
        """Return the condition of a branch."""
        return Condition(f"{word} {self.text(test)}", self.line(test), variables_in(test))

    def declared(self, node: nodes.Node, owner: Owner, around: tuple[Condition, ...]) -> None:
        """Collect what one node declares."""
        if isinstance(node, nodes.Call | nodes.MethodCall):
            for one, name in included_classes(node):
                title = name.removeprefix("::").lower()
                self.add("class", title, owner, one, around, how="includes")
            if isinstance(node, nodes.Call):
                self.called(node, owner, around)
        elif isinstance(node, nodes.Resource):
            type_ = (written_name(node.type_name) or "").removeprefix("::").lower()
            for one, name in titled_classes(node):
                self.add("class", name.removeprefix("::").lower(), owner, one, around)
            for body in node.bodies if type_ != "class" else ():
                self.add(type_, body.title, owner, body, around, form=node.form)

    def called(self, node: nodes.Call, owner: Owner, around: tuple[Condition, ...]) -> None:
        """Collect the resources that functions of stdlib declare."""
        name = written_name(node.callee)
        if name in {"ensure_packages", "stdlib::ensure_packages"} and node.arguments:
            self.add("package", node.arguments[0], owner, node, around)
        elif name in {"ensure_resource", "ensure_resources"} and len(node.arguments) > 1:
            type_ = (written_name(node.arguments[0]) or "").lower()
            self.add(type_, node.arguments[1], owner, node, around)

    def add(
        self,
        type_: str,
        title: nodes.Node | str,
        owner: Owner,
        at: nodes.Node,
        around: tuple[Condition, ...],
        *,
        how: str = "declares",
        form: str = "regular",
    ) -> None:
        """Add a declaration."""
        line = self.line(at)
        self.found.append(Declaration(type_, title, owner, self.source, line, how, form, around))

    def line(self, node: nodes.Node) -> int:
        """Return the line of a node."""
        return self.source.position(node.start)[0]

    def text(self, node: nodes.Node) -> str:
        """Return the code of a node on one line."""
        return " ".join(self.source.text[node.start : node.end].split())


def variables_in(node: nodes.Node) -> tuple[Path, ...]:
    """Return the variables in code, and the written keys of their elements, each once."""
    found: dict[Path, None] = {}
    waiting = [node]
    while waiting:
        one = waiting.pop(0)
        path = path_of(one)
        if path is None:
            waiting += nodes.children(one)
        else:
            found[path] = None
    return tuple(found)


def path_of(node: nodes.Node) -> Path | None:
    """Return the name of a variable and the keys that follow it: ``$facts['os']``; None for others."""
    if isinstance(node, nodes.Variable):
        return (node.name,)
    if isinstance(node, nodes.Access) and len(node.keys) == 1:
        before, key = path_of(node.left), written_name(node.keys[0])
        if before is not None and key is not None:
            return (*before, key)
    return None


def assigned_in(node: nodes.Node) -> dict[str, nodes.Node]:
    """Return the expressions that set the variables of a definition, and the defaults of parameters."""
    found: dict[str, nodes.Node] = {}
    for parameter in getattr(node, "parameters", ()):
        if parameter.value is not None:
            found[parameter.name] = parameter.value
    waiting: list[nodes.Node] = [
        one for one in nodes.children(node) if isinstance(one, nodes.Block | nodes.Assignment)
    ]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, nodes.Assignment) and isinstance(one.left, nodes.Variable):
            found.setdefault(one.left.name, one.right)
        waiting += [inner for inner in nodes.children(one) if not isinstance(inner, DEFINITIONS)]
    return found
