"""Probes: emitted code that records which statements and branches ran, for coverage.

A probe is a read of ``hits[number]``, where ``hits`` is a ``defaultdict(bool)`` among the globals of
the code of one file: a read adds the key. The value is always False, so ``hits[7] or value`` is
an expression with a probe. Reading a key twice changes nothing, so code that the emitter duplicates is
recorded correctly. Code without probes is not affected in any way: this module is imported only
when code is covered.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.compiler.emitter import Emitter, Sink, expression_of, statement_of
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, Program, children

HITS = "hits"
"""The name of the recorder among the globals of compiled code."""
FORMAT = 1
"""Increase when probes get other numbers or meanings: records of hits are read with the same format."""

DecisionKind = Literal["if", "elsif", "unless", "case", "selector", "default value", "lambda"]
ItemKind = Literal["class", "define", "function", "node", "template", "plan", "resource"]

DEFINITIONS: dict[type[Node], ItemKind] = {
    nodes.ClassDefinition: "class",
    nodes.DefineDefinition: "define",
    nodes.FunctionDefinition: "function",
    nodes.NodeDefinition: "node",
    nodes.PlanDefinition: "plan",
}
NOT_RUN = (
    *DEFINITIONS,
    nodes.Import,
    nodes.Nop,
    nodes.TypeAlias,
    nodes.TypeDefinition,
    nodes.TypeMapping,
)
"""Nodes that do nothing where they stand among statements."""
LONGEST_LABEL = 40


@nodes.node
class Probed(Node):
    """A node whose runs are recorded under a number."""

    number: int
    inner: Node


@record(frozen=True)
class Branch:
    """One way out of a decision: its label, and the probe of its code."""

    label: str
    probe: int


@record(frozen=True)
class Decision:
    """A place where code can go several ways, or runs or does not, with its line."""

    kind: DecisionKind
    line: int
    branches: tuple[Branch, ...]


@record(frozen=True)
class Item:
    """A class, defined type, function, node definition, template or resource: kind, name, line, probe."""

    kind: ItemKind
    name: str
    line: int
    probe: int


@record(frozen=True)
class Extent:
    """The lines of a statement or branch, from its first to its last, and its probe."""

    first: int
    last: int
    probe: int


@record()
class Plan:
    """All that can be recorded of a file.

    ``lines`` maps each executable line to the probes that run it. ``extents`` has the outer pieces of
    code before the inner ones.
    """

    lines: dict[int, list[int]] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    extents: list[Extent] = field(default_factory=list)
    probes: int = 0


# -- emitting --------------------------------------------------------------------------------------


def hit(emitter: Emitter, number: int) -> ast.expr:
    """Return the expression that records a probe; its value is False."""
    return emitter.subscript(emitter.name(HITS), emitter.constant(number))


@expression_of(Probed)
def probed(emitter: Emitter, node: Probed) -> ast.expr:
    """Emit a value after its probe."""
    return emitter.any_of(hit(emitter, node.number), emitter.expression(node.inner))


@statement_of(Probed)
def probed_statement(emitter: Emitter, node: Probed, sink: Sink) -> None:
    """Emit a statement after its probe."""
    emitter.frame.statements.append(emitter.run(hit(emitter, node.number)))
    emitter.statement(node.inner, sink)


# -- placing ---------------------------------------------------------------------------------------


def add_probes(program: Program) -> Plan:
    """Put probes into a program, which is changed, and return what they record.

    The numbers depend on the text of the program alone.

    >>> from bunraku.syntax.parser.parser import parse
    >>> plan = add_probes(parse(Source("if $x {\\n  notice(1)\\n}")).program)
    >>> sorted(plan.lines), [one.label for one in plan.decisions[0].branches]
    ([1, 2], ['true', 'false'])
    """
    placing = Placing(program.source)
    placing.place(program)
    return placing.plan()


class Placing:
    """Puts probes into one program.

    Nodes wait in a list, for code may nest deeper than Python can call. Each waits with the probe of
    the code around it.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.made: list[Probed] = []
        self.lines: list[tuple[int, Probed]] = []
        self.spans: list[Probed] = []
        self.decisions: list[tuple[DecisionKind, int, list[tuple[str, Probed]]]] = []
        self.items: list[tuple[ItemKind, str, int, Probed]] = []
        self.waiting: list[tuple[Node, Probed | None]] = []
        self.seen: set[int] = set()

    def place(self, program: Program) -> None:
        """Put the probes in place."""
        body = program.body
        if isinstance(body, nodes.Lambda):
            self.template(body)
        else:
            program.body = self.code(body)
            self.waiting.append((program.body, None))
        self.waiting += [(one, None) for one in program.definitions]
        while self.waiting:
            node, around = self.waiting.pop()
            if id(node) not in self.seen:
                self.seen.add(id(node))
                self.visit(node, around)

    def visit(self, node: Node, around: Probed | None) -> None:
        """Put probes into a node, and let the nodes below it wait."""
        if isinstance(node, nodes.If | nodes.Unless):
            self.conditional(node)
        elif isinstance(node, nodes.Case):
            self.case(node)
        elif isinstance(node, nodes.Selector):
            self.selector(node)
        elif isinstance(node, nodes.Lambda):
            self.lambda_(node)
        elif isinstance(node, nodes.Resource):
            self.resource(node, around)
        elif node.__class__ in DEFINITIONS:
            self.definition(node)
        elif isinstance(node, nodes.Block):
            self.statements(node)
        inner = node if isinstance(node, Probed) else around
        self.waiting += [(one, inner) for one in children(node)]

    # -- pieces ------------------------------------------------------------------------------------

    def probe(self, inner: Node, at: Node | None = None) -> Probed:
        """Return a node with a probe; its place is that of ``at``."""
        at = at or inner
        made = Probed(at.start, max(at.start, at.end), -1, inner)
        self.made.append(made)
        return made

    def line(self, node: Node) -> int:
        """Return the line where a node begins."""
        return self.source.line(node.start)

    def text(self, node: Node, end: int | None = None) -> str:
        """Return the text of a node on one line, shortened where it is long."""
        words = " ".join(self.source.text[node.start : end or node.end].split())
        return words if len(words) <= LONGEST_LABEL else f"{words[: LONGEST_LABEL - 1]}…"

    def branch(self, inner: Node, at: Node | None = None, *, own_line: bool) -> Probed:
        """Return the code of a branch with its probe; its line counts where it is its own."""
        if not isinstance(inner, nodes.Block):
            inner = self.code(inner)
        made = self.probe(inner, at)
        if own_line:
            self.lines.append((self.line(made), made))
            self.spans.append(made)
        return made

    def code(self, node: Node) -> Node:
        """Return a body with probes: a block, or a lone statement."""
        if isinstance(node, (nodes.Block, Probed, *NOT_RUN)):
            return node
        return self.statement(node)

    def statement(self, node: Node) -> Node:
        """Return a statement with its probe."""
        if isinstance(node, nodes.RenderString):
            return self.text_statement(node)
        made = self.probe(node)
        self.spans.append(made)
        self.lines.append((self.line(node), made))
        return made

    def text_statement(self, node: nodes.RenderString) -> Node:
        """Return text of a template with its probe, which is where the first visible text is."""
        text = node.value
        start = self.source.text.find(text, node.start, node.end)
        if start < 0:  # it has ``<%%``, which stands for ``<%``
            start, text = node.start, self.source.text[node.start : node.end]
        blanks = len(text) - len(text.lstrip())
        made = self.probe(node, nodes.Nop(min(start + blanks, node.end), node.end))
        self.spans.append(made)
        self.lines += [(line, made) for line in self.lines_of_text(text, start)]
        return made

    def lines_of_text(self, text: str, start: int) -> Iterator[int]:
        """Yield the lines on which a text of a template has more than blanks."""
        first = self.source.line(start)
        for number, line in enumerate(text.split("\n")):
            if line.strip():
                yield first + number

    def statements(self, block: nodes.Block) -> None:
        """Put probes before the statements of a block."""
        block.statements[:] = [
            one if isinstance(one, (*NOT_RUN, Probed)) or is_blank(one) else self.statement(one)
            for one in block.statements
        ]

    # -- constructs --------------------------------------------------------------------------------

    def conditional(self, node: nodes.If | nodes.Unless) -> None:
        """Put probes into the branches of ``if`` and ``unless``."""
        words: tuple[str, str] = ("true", "false")
        kind: DecisionKind = "if"
        if isinstance(node, nodes.Unless):
            kind, words = "unless", ("false", "true")
        elif self.source.text.startswith("elsif", node.start):
            kind = "elsif"
        then = self.branch(node.then, own_line=False)
        otherwise = self.branch(node.otherwise, own_line=False)
        node.then, node.otherwise = then, otherwise  # type: ignore[misc]
        ways = list(zip(words, (then, otherwise), strict=True))
        self.decisions.append((kind, self.line(node), ways))

    def case(self, node: nodes.Case) -> None:
        """Put probes into the options of ``case``, and into the way past all of them."""
        ways = []
        for option in node.options:
            made = self.branch(option.then, option, own_line=True)
            option.then = made  # type: ignore[misc]
            label = self.text(option.values[0], option.values[-1].end)
            ways.append((label, made))
        values = [value for option in node.options for value in option.values]
        if not any(isinstance(value, nodes.Default) for value in values):
            none = self.probe(nodes.Nop(node.end, node.end))
            default = nodes.Default(node.end, node.end)
            node.options.append(nodes.CaseOption(node.end, node.end, [default], none))
            ways.append(("no option", none))
        self.decisions.append(("case", self.line(node), ways))

    def selector(self, node: nodes.Selector) -> None:
        """Put probes into the values of a selector; without a match there is an error."""
        ways = []
        for entry in node.entries:
            made = self.probe(entry.value, entry)
            entry.value = made  # type: ignore[misc]
            self.lines.append((self.line(entry), made))
            self.spans.append(made)
            ways.append((self.text(entry.match), made))
        self.decisions.append(("selector", self.line(node), ways))

    def lambda_(self, node: nodes.Lambda) -> None:
        """Put a probe before the body of a lambda."""
        made = self.branch(node.body, own_line=False)
        node.body = made  # type: ignore[misc]
        self.decisions.append(("lambda", self.line(node), [("run", made)]))
        self.parameters(node.parameters, made)

    def template(self, node: nodes.Lambda) -> None:
        """Put probes into a template."""
        epp = node.body
        assert isinstance(epp, nodes.Epp)  # the parser makes nothing else
        self.seen.add(id(node))
        made = self.probe(self.code(epp.body), epp)
        epp.body = made  # type: ignore[misc]
        self.items.append(("template", self.source.path.rpartition("/")[2], 1, made))
        self.parameters(node.parameters, made)
        self.waiting += [(one, None) for one in (*node.parameters, epp)]

    def definition(self, node: Node) -> None:
        """Put a probe before the body of a definition."""
        assert isinstance(
            node,
            nodes.ClassDefinition
            | nodes.DefineDefinition
            | nodes.FunctionDefinition
            | nodes.NodeDefinition
            | nodes.PlanDefinition,
        )
        made = self.probe(self.code(node.body), node)
        node.body = made  # type: ignore[misc]
        self.lines.append((self.line(node), made))
        self.spans.append(made)
        if isinstance(node, nodes.NodeDefinition):
            name = self.text(node.matches[0], node.matches[-1].end)
        else:
            name = node.name.removeprefix("::")
            self.parameters(node.parameters, made)
        self.items.append((DEFINITIONS[node.__class__], name, self.line(node), made))

    def parameters(self, parameters: list[nodes.Parameter], body: Probed) -> None:
        """Put probes into the defaults of parameters; ``undef`` is no code that can be wrong."""
        for item in parameters:
            if item.value is None or isinstance(item.value, nodes.Undef):
                continue
            made = self.probe(item.value)
            item.value = made  # type: ignore[misc]
            line = self.line(item)
            self.lines += [(line, body), (line, made)]
            self.spans.append(made)
            self.decisions.append(("default value", line, [(f"${item.name}", made)]))

    def resource(self, node: nodes.Resource, around: Probed | None) -> None:
        """Note the resources that a resource expression declares."""
        type_ = self.text(node.type_name)
        if around is None or type_ == "class":
            return
        for body in node.bodies:
            if not isinstance(body.title, nodes.Default):
                line = self.line(body)
                self.items.append(("resource", f"{type_} {self.text(body.title)}", line, around))
                self.lines.append((line, around))

    # -- the result --------------------------------------------------------------------------------

    def plan(self) -> Plan:
        """Number the probes by their places, and return the plan."""
        self.made.sort(key=lambda one: (one.start, -one.end))
        for number, one in enumerate(self.made):
            one.number = number  # type: ignore[misc]
        lines: dict[int, list[int]] = {}
        for line, one in sorted(self.lines, key=lambda pair: (pair[0], pair[1].number)):
            known = lines.setdefault(line, [])
            if one.number not in known:
                known.append(one.number)
        decisions = [
            Decision(kind, line, tuple([Branch(label, one.number) for label, one in ways]))
            for kind, line, ways in self.decisions
        ]
        decisions.sort(key=lambda one: (one.line, min(way.probe for way in one.branches)))
        items = [Item(kind, name, line, one.number) for kind, name, line, one in self.items]
        items.sort(key=lambda one: (one.line, one.probe, one.kind, one.name))
        extents = [
            Extent(self.line(one), self.source.line(max(one.start, one.end - 1)), one.number)
            for one in sorted(self.spans, key=lambda one: one.number)
        ]
        return Plan(lines, decisions, items, extents, len(self.made))


def is_blank(node: Node) -> bool:
    """Return whether a part of a template is text of blanks alone."""
    return isinstance(node, nodes.RenderString) and not node.value.strip()
