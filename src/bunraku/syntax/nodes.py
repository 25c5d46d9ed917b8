"""The syntax tree: one small class a form of the language, each showing its syntax.

Names are those of the Puppet specification less ``Expression``. ``start`` and ``end`` are
character offsets into the source (the end not included).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter

from bunraku.base.lazy_typing import Any, ClassVar, Literal, TypeVar, dataclass_transform
from bunraku.base.records import field, record, rules_of, with_fields
from bunraku.base.source import Source
from bunraku.syntax.tokens import comments_in

C = TypeVar("C")
FIELDS: dict[type, tuple[str, ...]] = {}
"""The fields of each node class, its own after those of :class:`Node`."""
CHILD_VALUES: dict[type, Callable[[Any], tuple[Any, ...]]] = {}
"""For each node class what returns the values of the fields that hold nodes: a node, a list of nodes, or None."""
LEAVES: set[type] = set()
"""The node classes that have no such fields."""
VALUES = frozenset(
    [
        *("bool", "float", "int", "str", "str | None", "ResourceForm"),
        *("ArithmeticOperator", "AssignmentOperator", "AttributeOperator"),
        *("ComparisonOperator", "MatchOperator", "RelationshipOperator"),
    ]
)
"""The annotations of other fields."""


@dataclass_transform(frozen_default=True)
def node(cls: type[C]) -> type[C]:
    """Return a slotted class with an ``__init__`` that takes the fields in order.

    The type checker treats it as frozen; run time pays nothing for that.
    """
    made = with_fields(cls)
    FIELDS[made] = tuple(rules_of(made))
    annotations = {name: one for kind in made.__mro__ for name, one in annotations_of(kind)}
    names = [name for name in FIELDS[made] if annotations[name] not in VALUES]
    CHILD_VALUES[made] = values_of(names)
    if not names:
        LEAVES.add(made)
    return made


def values_of(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what returns the values of some fields of a node.

    >>> values_of(["real", "imag"])(1), values_of(["real"])(1), values_of([])(1)
    ((1, 0), (1,), ())
    """
    if len(names) != 1:
        return attrgetter(*names) if names else lambda _node: ()
    (only,) = map(attrgetter, names)
    return lambda node: (only(node),)


def annotations_of(kind: type) -> Iterable[tuple[str, str]]:
    """Return the names of the fields that a class adds, with their annotations."""
    found: dict[str, str] = vars(kind).get("__annotations__", {})
    return found.items()


@node
class Node:
    """Anything that the parser makes; every node has its position."""

    start: int
    end: int

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in FIELDS[self.__class__])
        return f"{self.__class__.__name__}({values})"

    def __eq__(self, other: object) -> bool:
        if self.__class__ is not other.__class__:
            return NotImplemented
        names = FIELDS[self.__class__]
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__: ClassVar[Any] = None


Expression = Node

ArithmeticOperator = Literal["+", "-", "*", "/", "%", "<<", ">>"]
ComparisonOperator = Literal["==", "!=", "<", "<=", ">", ">="]
MatchOperator = Literal["=~", "!~"]
AssignmentOperator = Literal["=", "+=", "-="]
RelationshipOperator = Literal["->", "~>", "<-", "<~"]
AttributeOperator = Literal["=>", "+>"]
ResourceForm = Literal["regular", "virtual", "exported"]


# -- literals ------------------------------------------------------------------------------------


@node
class Nop(Node):
    """Nothing: an empty program or block."""


@node
class Integer(Node):
    """``42``, ``0x2A``, ``052``; ``radix`` is 10, 16 or 8."""

    value: int
    radix: int


@node
class Float(Node):
    """``1.5``, ``1e3``; ``text`` is the number as written."""

    value: float
    text: str


@node
class Boolean(Node):
    """``true``, ``false``."""

    value: bool


@node
class Undef(Node):
    """``undef``."""


@node
class Default(Node):
    """``default``."""


@node
class String(Node):
    """``'text'``, or ``"text"`` without interpolation; ``value`` has its escapes resolved."""

    value: str


@node
class Regexp(Node):
    """``/pattern/``; ``\\/`` is already replaced by ``/``."""

    pattern: str


@node
class List(Node):
    """``[1, 2]``."""

    values: list[Expression]


@node
class Entry(Node):
    """``key => value`` in a hash or an unbraced trailing hash."""

    key: Expression
    value: Expression


@node
class Hash(Node):
    """``{ key => value }``; ``braces`` is false for entries gathered from an argument list or array."""

    entries: list[Entry]
    braces: bool = True


@node
class Name(Node):
    """A bare word or lower-case qualified name: ``running``, ``a::b``."""

    value: str


@node
class Reference(Node):
    """A capitalised name, that is a type: ``Integer``, ``My::Type``; ``value`` as written."""

    value: str


@node
class ReservedWord(Node):
    """A word kept for the future, used as a value: ``plan`` with tasks, ``attr``, ``private``."""

    word: str
    future: bool = False


@node
class Concatenation(Node):
    """``"text ${expression} text"``: String and Interpolation nodes in turn."""

    segments: list[Expression]


@node
class Interpolation(Node):
    """``${expression}`` or ``$name`` in a string (PN ``str``)."""

    expression: Expression


@node
class Heredoc(Node):
    """``@(TAG:syntax)`` with its text; ``text`` is a String or Concatenation node."""

    syntax: str | None
    text: Expression


# -- variables, operators ------------------------------------------------------------------------


@node
class Variable(Node):
    """``$name``; ``name`` is without the dollar, as written (a leading ``::`` is kept)."""

    name: str


@node
class Parenthesized(Node):
    """``( expression )``."""

    expression: Expression


@node
class Not(Node):
    """``! expression``."""

    expression: Expression


@node
class UnaryMinus(Node):
    """``- expression``."""

    expression: Expression


@node
class Unfold(Node):
    """``* expression``."""

    expression: Expression


@node
class Arithmetic(Node):
    """Binary expressions such as ``left + right``; ``operator_start`` is the offset of the operator."""

    operator: ArithmeticOperator
    left: Expression
    right: Expression
    operator_start: int


@node
class Comparison(Node):
    """``left == right``, ``left < right``."""

    operator: ComparisonOperator
    left: Expression
    right: Expression
    operator_start: int


@node
class Match(Node):
    """``left =~ right``, ``left !~ right``."""

    operator: MatchOperator
    left: Expression
    right: Expression
    operator_start: int


@node
class In(Node):
    """``left in right``."""

    left: Expression
    right: Expression
    operator_start: int


@node
class And(Node):
    """``left and right``."""

    left: Expression
    right: Expression
    operator_start: int


@node
class Or(Node):
    """``left or right``."""

    left: Expression
    right: Expression
    operator_start: int


@node
class Assignment(Node):
    """``$x = value``, ``[$a, $b] = value``; ``+=`` and ``-=`` parse in every dialect."""

    operator: AssignmentOperator
    left: Expression
    right: Expression
    operator_start: int


@node
class Relationship(Node):
    """``left -> right`` (and ``~> <- <~``); chains nest to the left."""

    operator: RelationshipOperator
    left: Expression
    right: Expression
    operator_start: int


@node
class Access(Node):
    """``left[keys]``."""

    left: Expression
    keys: list[Expression]


@node
class NamedAccess(Node):
    """``left.name`` before it is known to be a call; only inside the parser and in dumps."""

    left: Expression
    right: Expression


# -- conditionals --------------------------------------------------------------------------------


@node
class Block(Node):
    """Statements in sequence; the value is that of the last."""

    statements: list[Expression]


@node
class If(Node):
    """``if test { then } else { otherwise }``; ``elsif`` is an If as ``otherwise``; absent is Nop."""

    test: Expression
    then: Expression
    otherwise: Expression


@node
class Unless(Node):
    """``unless test { then } else { otherwise }``."""

    test: Expression
    then: Expression
    otherwise: Expression


@node
class CaseOption(Node):
    """``value, value: { then }``."""

    values: list[Expression]
    then: Expression


@node
class Case(Node):
    """``case test { options }``."""

    test: Expression
    options: list[CaseOption]


@node
class SelectorEntry(Node):
    """``match => value``."""

    match: Expression
    value: Expression


@node
class Selector(Node):
    """``left ? { entries }``."""

    left: Expression
    entries: list[SelectorEntry]


# -- functions -----------------------------------------------------------------------------------


@node
class Parameter(Node):
    """``Type *$name = value``; ``name`` without the dollar."""

    name: str
    type: Expression | None
    value: Expression | None
    captures_rest: bool = False


@node
class Lambda(Node):
    """``|parameters| >> Type { body }``; the body is a Block, Nop, or (for EPP) an Epp."""

    parameters: list[Parameter]
    return_type: Expression | None
    body: Expression


@node
class Call(Node):
    """``name(arguments) |lambda|``; ``is_statement`` when written without parentheses.

    ``callee`` is a Name, or a Reference or Access for a type call such as ``Integer('3')``.
    ``value_needed`` is false if the call is a statement (PN ``invoke``).
    """

    callee: Expression
    arguments: list[Expression]
    block: Lambda | None
    value_needed: bool
    is_statement: bool = False


@node
class MethodCall(Node):
    """``receiver.name(arguments) |lambda|``; ``name`` is a Name node."""

    receiver: Expression
    name: Expression
    arguments: list[Expression]
    block: Lambda | None
    value_needed: bool = True


# -- definitions ---------------------------------------------------------------------------------


@node
class FunctionDefinition(Node):
    """``function name(parameters) >> Type { body }``."""

    name: str
    parameters: list[Parameter]
    return_type: Expression | None
    body: Expression
    name_start: int


@node
class ClassDefinition(Node):
    """``class name(parameters) inherits parent { body }``; ``name`` is qualified by outer classes."""

    name: str
    parameters: list[Parameter]
    parent: str | None
    body: Expression
    name_start: int


@node
class DefineDefinition(Node):
    """``define name(parameters) { body }``: a defined resource type."""

    name: str
    parameters: list[Parameter]
    body: Expression
    name_start: int


@node
class NodeDefinition(Node):
    """``node matches inherits parent { body }``; matches are String, Name, Regexp, Default, …"""

    matches: list[Expression]
    parent: Expression | None
    body: Expression


@node
class PlanDefinition(Node):
    """``plan name(parameters) { body }``, with tasks only."""

    name: str
    parameters: list[Parameter]
    body: Expression
    name_start: int


@node
class Apply(Node):
    """``apply(arguments) { body }``, with tasks only."""

    arguments: list[Expression]
    body: Expression


@node
class TypeAlias(Node):
    """``type Name = Type``."""

    name: str
    type: Expression
    name_start: int


@node
class TypeMapping(Node):
    """``type Runtime[ruby, 'X'] = Type``."""

    left: Access
    type: Expression


@node
class TypeDefinition(Node):
    """``type Name inherits Parent { body }``: reserved."""

    name: str
    parent: str | None
    body: Expression


@node
class Import(Node):
    """``import 'files'`` of Puppet 3: files whose code comes before that of this one."""

    files: list[Expression]


# -- resources -----------------------------------------------------------------------------------


@node
class Attribute(Node):
    """``name => value``, ``name +> value``."""

    name: str
    operator: AttributeOperator
    value: Expression


@node
class AttributeSplat(Node):
    """``* => hash``."""

    value: Expression


AttributeOperation = Attribute | AttributeSplat


@node
class ResourceBody(Node):
    """``title: attributes``."""

    title: Expression
    operations: list[AttributeOperation]


@node
class Resource(Node):
    """``type { bodies }``, ``@type { … }``, ``@@type { … }``."""

    form: ResourceForm
    type_name: Expression
    bodies: list[ResourceBody]


@node
class ResourceDefaults(Node):
    """``Type { attributes }``."""

    form: ResourceForm
    type_reference: Expression
    operations: list[AttributeOperation]


@node
class ResourceOverride(Node):
    """``Type[title] { attributes }``."""

    form: ResourceForm
    resources: Expression
    operations: list[AttributeOperation]


@node
class Query(Node):
    """``<| expression |>``, or ``<<| expression |>>`` when exported; no expression is Nop."""

    exported: bool
    expression: Expression


@node
class Collector(Node):
    """``Type <| query |> { attributes }``."""

    type: Expression
    query: Query
    operations: list[AttributeOperation]


# -- EPP and programs ----------------------------------------------------------------------------


@node
class RenderString(Node):
    """Literal text of a template."""

    value: str


@node
class Render(Node):
    """``<%= expression %>``."""

    expression: Expression


@node
class Epp(Node):
    """The body of a template; ``parameters_given`` when it has a parameter tag, even an empty one."""

    parameters_given: bool
    body: Expression


Definition = (
    ClassDefinition
    | DefineDefinition
    | NodeDefinition
    | FunctionDefinition
    | PlanDefinition
    | TypeAlias
)


@record()
class Comment:
    """``# text`` or ``/* text */``, kept for tools; ``text`` as written, marks included."""

    start: int
    end: int
    text: str


@record()
class Program:
    """A whole manifest or template.

    ``body`` is a Block, a single expression, Nop, or a Lambda for EPP; ``definitions`` lists the
    definitions found anywhere in it, in order.
    """

    source: Source
    body: Expression
    definitions: list[Node] = field(default_factory=list)
    comment_runs: list[tuple[int, int]] = field(default_factory=list)

    @property
    def comments(self) -> list[Comment]:
        """The comments, in order."""
        text = self.source.text
        places = comments_in(self.comment_runs, text)
        return [Comment(start, end, text[start:end]) for start, end in places]


def children(parent: Node) -> list[Node]:
    """Return the nodes directly below one, in source order."""
    found: list[Node] = []
    for value in CHILD_VALUES[parent.__class__](parent):
        if value.__class__ is list:
            found += value
        elif value is not None:
            found.append(value)
    return found


def nodes_with_all_below(roots: Iterable[Node]) -> list[Node]:
    """Return some nodes with all below them, each one before those below it."""
    found: list[Node] = []
    waiting = [*roots]
    waiting.reverse()
    while waiting:
        one = waiting.pop()
        found.append(one)
        below = children(one)
        below.reverse()
        waiting += below
    return found
