"""Statements of Puppet 3 without a keyword: assignments, calls, resources, relations."""

from __future__ import annotations

from typing import Final

from bunraku.base.records import replace
from bunraku.dialects.puppet_3.lexer import KEYWORDS
from bunraku.dialects.puppet_3.parser.expressions import (
    POWER,
    QUOTED,
    SELECTED_ONLY,
    VALUES,
    accesses,
    array,
    call,
    expression,
    is_deep,
    operation,
    selector,
    simple,
    type_named,
    value,
)
from bunraku.syntax.check import issues as checks
from bunraku.syntax.nodes import (
    Access,
    And,
    Assignment,
    AssignmentOperator,
    Attribute,
    AttributeOperation,
    AttributeOperator,
    Call,
    Collector,
    Comparison,
    ComparisonOperator,
    Expression,
    List,
    Name,
    Nop,
    Or,
    Query,
    Relationship,
    RelationshipOperator,
    Resource,
    ResourceBody,
    ResourceDefaults,
    ResourceForm,
    ResourceOverride,
    Selector,
    Variable,
)
from bunraku.syntax.parser.blocks import as_statement
from bunraku.syntax.parser.state import Parser, Rule, begins

EDGES: Final[dict[str, RelationshipOperator]] = {"->": "->", "~>": "~>", "<-": "<-", "<~": "<~"}
COLLECTORS: Final = {"<|": "|>", "<<|": "|>>"}
ATTRIBUTE_NAMES: Final = frozenset({"NAME", "BOOLEAN"}) | KEYWORDS
COMPARISONS: Final[dict[str, ComparisonOperator]] = {"==": "==", "!=": "!="}
JOIN: Final = POWER["and"]
PLAIN_VALUES: Final = ("STRING", "DQPRE", "BOOLEAN", "undef", "default", "REGEX")

STATEMENTS: dict[str, Rule] = {}
"""The parser of a statement by its first token."""
SIDES: dict[str, Rule] = {}
"""The parser of a statement beside an arrow by its first token."""


def statement(parser: Parser, found: list[Expression]) -> None:
    """Parse one statement and add it."""
    begin = STATEMENTS.get(parser.kinds[parser.at])
    if begin is None:
        raise parser.unexpected()
    found.append(begin(parser))


# -- assignments ---------------------------------------------------------------------------------


@begins(STATEMENTS, "VARIABLE")
def variable_statement(parser: Parser) -> Expression:
    """Parse ``$name = value``, ``$name[key] = value``, or a side of a relationship."""
    target = accesses(parser)
    kind = parser.kinds[parser.at]
    if kind == "=" or (kind == "+=" and target.__class__ is Variable):
        if is_deep(target):
            raise parser.unexpected()
        return assigned(parser, target)
    if kind == "?" and not is_deep(target):
        target = selector(parser, target)
    return relationship(parser, target)


def assigned(parser: Parser, target: Expression) -> Assignment:
    """Parse ``= value`` or ``+= value`` after the target of the assignment."""
    at = parser.at
    appends = parser.kinds[at] == "+="
    parser.at = at + 1
    found = expression(parser)
    if not appends and target.__class__ is Variable and "::" in target.name:
        issue = checks.CROSS_SCOPE_ASSIGNMENT
        parser.report(issue, target.start, target.end, name=target.name)
    operator: AssignmentOperator = "+=" if appends else "="
    return Assignment(target.start, found.end, operator, target, found, parser.starts[at])


# -- calls ---------------------------------------------------------------------------------------


@begins(STATEMENTS, "NAME")
def name_statement(parser: Parser) -> Expression:
    """Return a resource, a call with or without parentheses, or a side of a relationship."""
    at = parser.at
    kinds = parser.kinds
    following = kinds[at + 1]
    if following == "{":
        return resource_or_relationship(parser)
    name = Name(parser.starts[at], parser.ends[at], parser.values[at])
    parser.at = at + 1
    if following == "(":
        found = call(parser, name, ")")
        if kinds[parser.at] == "?":
            return relationship(parser, selector(parser, found))
        return as_statement(found)
    if following == "?":
        return relationship(parser, selector(parser, name))
    if following not in VALUES:
        raise parser.unexpected()
    return words_call(parser, at, name)


def words_call(parser: Parser, at: int, name: Name) -> Expression:
    """Parse ``name value, value``; ``type[titles]`` may look like it at first."""
    first = value(parser)
    kind = parser.kinds[parser.at]
    if first.__class__ is List and first.values and (kind in EDGES or kind == "{"):
        reference = Access(name.start, first.end, type_named(parser, at), first.values)
        return after_reference(parser, reference)
    arguments = [first]
    while parser.accept(","):
        arguments.append(value(parser))
    return Call(name.start, arguments[-1].end, name, arguments, None, False, True)


# -- relationships -------------------------------------------------------------------------------


def relationship(parser: Parser, left: Expression) -> Expression:
    """Parse ``left -> right ~> …`` where a relationship must follow."""
    if parser.kinds[parser.at] not in EDGES:
        raise parser.unexpected()
    return related(parser, left)


def related(parser: Parser, left: Expression) -> Expression:
    """Parse ``left -> right ~> …`` where a relationship may follow."""
    kinds = parser.kinds
    while kinds[parser.at] in EDGES:
        at = parser.at
        parser.at = at + 1
        right = side(parser)
        operator = EDGES[kinds[at]]
        left = Relationship(left.start, right.end, operator, left, right, parser.starts[at])
    return left


def side(parser: Parser) -> Expression:
    """Return an operand of an arrow."""
    begin = SIDES.get(parser.kinds[parser.at])
    if begin is None:
        raise parser.unexpected()
    return begin(parser)


@begins(SIDES, "VARIABLE", *PLAIN_VALUES)
def value_side(parser: Parser) -> Expression:
    """Return a string or a variable, or another value with a selector."""
    kind = parser.kinds[parser.at]
    found = simple(parser)
    if kind not in QUOTED and kind != "VARIABLE" and parser.kinds[parser.at - 1] != "}":
        need_selector(parser, found)
    return found


def need_selector(parser: Parser, found: Expression) -> None:
    """Raise a mistake for a value that is only allowed here with a selector."""
    if found.__class__ is not Selector:
        raise parser.unexpected()


@begins(SIDES, "NAME")
def name_side(parser: Parser) -> Expression:
    """Return a resource, a reference to one, or a selector."""
    following = parser.kinds[parser.at + 1]
    if following == "{":
        return resource(parser)
    found = simple(parser)
    if following != "[":
        need_selector(parser, found)
    return found


@begins(SIDES, "CLASSREF")
def reference_side(parser: Parser) -> Expression:
    """Return a reference, a collector, defaults, or a selector."""
    following = parser.kinds[parser.at + 1]
    if following == "{":
        return resource(parser)
    if following in COLLECTORS:
        return collector(parser)
    return name_side(parser)


@begins(STATEMENTS, *PLAIN_VALUES)
def value_statement(parser: Parser) -> Expression:
    """Return a value that begins a relationship."""
    return relationship(parser, value_side(parser))


# -- resources -----------------------------------------------------------------------------------


def resource_or_relationship(parser: Parser) -> Expression:
    """Return a resource, which may begin a relationship."""
    return related(parser, resource(parser))


@begins(STATEMENTS, "CLASSREF")
def reference_statement(parser: Parser) -> Expression:
    """Defaults, a collector, an override, or a relationship of references."""
    following = parser.kinds[parser.at + 1]
    if following == "{" or following in COLLECTORS:
        return related(parser, reference_side(parser))
    found = reference_side(parser)
    if following == "[":
        return after_reference(parser, found)
    return relationship(parser, found)


def after_reference(parser: Parser, reference: Expression) -> Expression:
    """Parse ``{ attributes }`` after a reference makes an override of it."""
    if parser.kinds[parser.at] != "{":
        return relationship(parser, reference)
    parser.at += 1
    operations = attributes(parser, appending=True)
    end = parser.expect("}")
    return ResourceOverride(reference.start, end, "regular", reference, operations)


@begins(STATEMENTS, "@")
def virtual_statement(parser: Parser) -> Expression:
    """Parse ``@resource``, ``@@resource``."""
    at = parser.at
    parser.at = at + 1
    form: ResourceForm = "exported" if parser.accept("@") else "virtual"
    if parser.kinds[parser.at] not in ("NAME", "class", "CLASSREF"):
        raise parser.unexpected()
    found = resource(parser)
    if isinstance(found, ResourceDefaults):
        parser.report(checks.NOT_VIRTUALIZABLE, found.start, found.end, what="A resource default")
    return replace(found, form=form, start=parser.starts[at])


@begins(SIDES, "class")
def resource(parser: Parser) -> Resource | ResourceDefaults:
    """Parse ``type { title: attributes; … }``, ``Type { attributes }``."""
    at = parser.at
    kinds = parser.kinds
    start = parser.starts[at]
    parser.at = at + 1
    parser.expect("{")
    if kinds[at] == "CLASSREF":
        operations = attributes(parser)
        end = parser.expect("}")
        return ResourceDefaults(start, end, "regular", type_named(parser, at), operations)
    name = Name(start, parser.ends[at], parser.values[at])
    if without_title(parser):
        attributes(parser)
        if kinds[parser.at] == "}":
            here, end = parser.starts[parser.at], parser.ends[parser.at]
            parser.report(checks.RESOURCE_WITHOUT_TITLE, here, end, name=name.value)
        return Resource(start, parser.expect("}"), "regular", name, [])
    bodies = [resource_body(parser)]
    while parser.accept(";"):
        if kinds[parser.at] == "}":
            break
        bodies.append(resource_body(parser))
    return Resource(start, parser.expect("}"), "regular", name, bodies)


def without_title(parser: Parser) -> bool:
    """Return whether attributes follow the brace of a resource at once."""
    kind = parser.kinds[parser.at]
    if kind in ("}", ","):
        return True
    if kind not in ATTRIBUTE_NAMES:
        return False
    return parser.kinds[parser.at + 1] == "=>" or (kind not in VALUES and kind != "NAME")


def resource_body(parser: Parser) -> ResourceBody:
    """Parse ``title: attributes``."""
    found = title(parser)
    parser.expect(":")
    operations = attributes(parser)
    return ResourceBody(found.start, parser.ends[parser.at - 1], found, operations)


def title(parser: Parser) -> Expression:
    """Return a name, a type, a string, a variable, an array or a selector."""
    at = parser.at
    kind = parser.kinds[at]
    if kind == "[":
        return array(parser)
    if kind not in VALUES:
        raise parser.unexpected()
    if parser.kinds[at + 1] == "[" and kind in ("NAME", "CLASSREF"):
        parser.at = at + 1
        raise parser.unexpected()
    found = simple(parser)
    if kind in SELECTED_ONLY or kind in ("BOOLEAN", "undef") or found.__class__ is Call:
        need_selector(parser, found)
    return found


def attributes(parser: Parser, *, appending: bool = False) -> list[AttributeOperation]:
    """Parse ``name => value, …`` in braces; ``name +> value`` too where ``appending``."""
    kinds = parser.kinds
    found: list[AttributeOperation] = []
    if kinds[parser.at] in ATTRIBUTE_NAMES:
        found.append(attribute(parser, appending))
    while parser.accept(","):
        if kinds[parser.at] not in ATTRIBUTE_NAMES:
            break
        found.append(attribute(parser, appending))
    return found


def attribute(parser: Parser, appending: bool) -> Attribute:
    """Parse ``name => value``."""
    at = parser.at
    kinds = parser.kinds
    operator: AttributeOperator = "=>"
    if kinds[at + 1] != "=>":
        if not (appending and kinds[at + 1] == "+>" and kinds[at] == "NAME"):
            parser.at = at + 1
            raise parser.unexpected(", expected '=>'")
        operator = "+>"
    parser.at = at + 2
    found = expression(parser)
    return Attribute(parser.starts[at], found.end, parser.values[at], operator, found)


# -- collectors ----------------------------------------------------------------------------------


def collector(parser: Parser) -> Collector:
    """Parse ``Type <| query |> { attributes }``."""
    at = parser.at
    kind = parser.kinds[at + 1]
    parser.at = at + 2
    closer = COLLECTORS[kind]
    start = parser.starts[at + 1]
    if parser.kinds[parser.at] == closer:
        place = parser.starts[parser.at]
        inner: Expression = Nop(place, place)
    else:
        inner = query_terms(parser)
    end = parser.expect(closer)
    query = Query(start, end, kind == "<<|", inner)
    operations: list[AttributeOperation] = []
    if parser.accept("{"):
        operations = attributes(parser, appending=True)
        end = parser.expect("}")
    return Collector(parser.starts[at], end, type_named(parser, at), query, operations)


def query_terms(parser: Parser) -> Expression:
    """Comparisons with ``and`` and ``or``, which bind alike and group to the left."""
    found = query_term(parser)
    while parser.kinds[parser.at] in ("and", "or"):
        at = parser.at
        parser.at = at + 1
        right = query_term(parser)
        node = And if parser.kinds[at] == "and" else Or
        found = node(found.start, right.end, found, right, parser.starts[at])
    return found


def query_term(parser: Parser) -> Expression:
    """Parse ``name == value``, or terms in parentheses; a value has all operators but those."""
    at = parser.at
    kind = parser.kinds[at]
    if kind == "(":
        parser.at = at + 1
        parser.deeper()
        found = query_terms(parser)
        parser.depth -= 1
        parser.expect(")")
        return found
    if kind not in ("VARIABLE", "NAME"):
        raise parser.unexpected()
    parser.at = at + 1
    node = Variable if kind == "VARIABLE" else Name
    left = node(parser.starts[at], parser.ends[at], parser.values[at])
    operator = COMPARISONS.get(parser.kinds[parser.at])
    if operator is None:
        raise parser.unexpected()
    place = parser.starts[parser.at]
    parser.at += 1
    parser.deeper()
    right = operation(parser, JOIN)
    parser.depth -= 1
    return Comparison(left.start, right.end, operator, left, right, place)
