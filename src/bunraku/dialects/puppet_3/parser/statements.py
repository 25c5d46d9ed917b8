"""Statements of Puppet 3, except what a keyword begins: assignments, calls, resources, relations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bunraku.dialects.puppet_3.lexer import KEYWORDS
from bunraku.dialects.puppet_3.parser.expressions import (
    POWER,
    QUOTED,
    SELECTED_ONLY,
    VALUES,
    Expressions,
    is_deep,
)
from bunraku.syntax.check import issues as checks
from bunraku.syntax.nodes import (
    Access,
    And,
    Assignment,
    Attribute,
    AttributeOperation,
    Call,
    Collector,
    Comparison,
    Expression,
    List,
    Name,
    Nop,
    Or,
    Query,
    Relationship,
    Resource,
    ResourceBody,
    ResourceDefaults,
    ResourceForm,
    ResourceOverride,
    Variable,
)
from bunraku.syntax.tokens import Finding

EDGES: Final = frozenset({"->", "~>", "<-", "<~"})
COLLECTORS: Final = {"<|": "|>", "<<|": "|>>"}
ATTRIBUTE_NAMES: Final = frozenset({"NAME", "BOOLEAN"}) | KEYWORDS
JOIN: Final = POWER["and"]

Rule = Callable[[Any], Expression]
"""What a token begins; its argument is the parser."""


class Statements(Expressions):
    """The rules for statements, resources and relationships."""

    rules: Mapping[str, Rule]
    sides: Mapping[str, Rule]

    def statement(self, found: list[Expression]) -> None:
        """Parse one statement and add it."""
        rule = self.rules.get(self.kinds[self.at])
        if rule is None:
            raise self.unexpected()
        found.append(rule(self))

    # -- assignments -----------------------------------------------------------------------------

    def variable_statement(self) -> Expression:
        """``$name = value``, ``$name[key] = value``, or a side of a relationship."""
        target = self.accesses()
        kind = self.kinds[self.at]
        is_variable = target.__class__ is Variable
        if kind == "=" or (kind == "+=" and is_variable):
            if is_deep(target):
                raise self.unexpected()
            return self.assigned(target)
        if kind == "?" and not is_deep(target):
            target = self.selector(target)
        return self.relationship(target)

    def assigned(self, target: Expression) -> Expression:
        """``= value`` after what it is assigned to."""
        at = self.at
        operator: Any = self.kinds[at]
        self.at = at + 1
        value = self.expression()
        if operator == "=" and isinstance(target, Variable) and "::" in target.name:
            self.note(checks.CROSS_SCOPE_ASSIGNMENT, target, name=target.name)
        return Assignment(target.start, value.end, operator, target, value, self.starts[at])

    def assignment(self) -> Expression:
        """``$name = value``."""
        return self.assigned(self.accesses())

    def note(self, issue: Any, node: Any, **arguments: object) -> None:
        """A mistake that does not keep the parser from going on."""
        self.findings.append(Finding(issue, arguments, node.start, node.end))

    # -- calls -----------------------------------------------------------------------------------

    def name_statement(self) -> Expression:
        """A resource, a call with or without parentheses, or a side of a relationship."""
        at = self.at
        kinds = self.kinds
        following = kinds[at + 1]
        if following == "{":
            return self.resource_or_relationship()
        name = Name(self.starts[at], self.ends[at], self.values[at])
        self.at = at + 1
        if following == "(":
            call = self.call(name, ")")
            if kinds[self.at] == "?":
                return self.relationship(self.selector(call))
            call.value_needed = False  # type: ignore[misc]
            return call
        if following == "?":
            return self.relationship(self.selector(name))
        if following not in VALUES:
            raise self.unexpected()
        return self.words_call(at, name)

    def words_call(self, at: int, name: Name) -> Expression:
        """``name value, value``; ``type[titles]`` may look like it at first."""
        first = self.value()
        kind = self.kinds[self.at]
        if first.__class__ is List and first.values and (kind in EDGES or kind == "{"):
            reference = Access(name.start, first.end, self.type_named(at), first.values)
            return self.after_reference(reference)
        arguments = [first]
        while self.accept(","):
            arguments.append(self.value())
        return Call(name.start, arguments[-1].end, name, arguments, None, False, True)

    # -- relationships ---------------------------------------------------------------------------

    def relationship(self, left: Expression) -> Expression:
        """``left -> right ~> …`` where a relationship must follow."""
        if self.kinds[self.at] not in EDGES:
            raise self.unexpected()
        return self.related(left)

    def related(self, left: Expression) -> Expression:
        """``left -> right ~> …`` where a relationship may follow."""
        kinds = self.kinds
        while kinds[self.at] in EDGES:
            at = self.at
            self.at = at + 1
            right = self.side()
            operator: Any = kinds[at]
            left = Relationship(left.start, right.end, operator, left, right, self.starts[at])
        return left

    def side(self) -> Expression:
        """What can stand beside an arrow."""
        rule = self.sides.get(self.kinds[self.at])
        if rule is None:
            raise self.unexpected()
        return rule(self)

    def value_side(self) -> Expression:
        """A string or a variable, or another value with a selector."""
        kind = self.kinds[self.at]
        found = self.simple()
        if kind not in QUOTED and kind != "VARIABLE" and self.kinds[self.at - 1] != "}":
            self.need_selector(found)
        return found

    def need_selector(self, found: Expression) -> None:
        """A value that stands here with a selector only."""
        if found.__class__.__name__ != "Selector":
            raise self.unexpected()

    def name_side(self) -> Expression:
        """A resource, a reference to one, or a selector."""
        following = self.kinds[self.at + 1]
        if following == "{":
            return self.resource()
        found = self.simple()
        if following != "[":
            self.need_selector(found)
        return found

    def reference_side(self) -> Expression:
        """A reference, a collector, defaults, or a selector."""
        following = self.kinds[self.at + 1]
        if following == "{":
            return self.resource()
        if following in COLLECTORS:
            return self.collector()
        return self.name_side()

    def value_statement(self) -> Expression:
        """A value that begins a relationship."""
        return self.relationship(self.value_side())

    # -- resources -------------------------------------------------------------------------------

    def resource_or_relationship(self) -> Expression:
        """A resource, which may begin a relationship."""
        return self.related(self.resource())

    def reference_statement(self) -> Expression:
        """Defaults, a collector, an override, or a relationship of references."""
        following = self.kinds[self.at + 1]
        if following == "{" or following in COLLECTORS:
            return self.related(self.reference_side())
        found = self.reference_side()
        return self.after_reference(found) if following == "[" else self.relationship(found)

    def after_reference(self, reference: Expression) -> Expression:
        """``{ attributes }`` after a reference makes an override of it."""
        if self.kinds[self.at] != "{":
            return self.relationship(reference)
        self.at += 1
        operations = self.attributes(appending=True)
        end = self.expect("}")
        return ResourceOverride(reference.start, end, "regular", reference, operations)

    def virtual_statement(self) -> Expression:
        """``@resource``, ``@@resource``."""
        at = self.at
        self.at = at + 1
        form: ResourceForm = "exported" if self.accept("@") else "virtual"
        if self.kinds[self.at] not in ("NAME", "class", "CLASSREF"):
            raise self.unexpected()
        found = self.resource()
        if isinstance(found, ResourceDefaults):
            self.note(checks.NOT_VIRTUALIZABLE, found, what="A resource default")
        found.form = form  # type: ignore[misc]
        found.start = self.starts[at]  # type: ignore[misc]
        return found

    def resource(self) -> Resource | ResourceDefaults:
        """``type { title: attributes; … }``, ``Type { attributes }``."""
        at = self.at
        kinds = self.kinds
        start = self.starts[at]
        self.at = at + 1
        self.expect("{")
        if kinds[at] == "CLASSREF":
            operations = self.attributes()
            end = self.expect("}")
            return ResourceDefaults(start, end, "regular", self.type_named(at), operations)
        name = Name(start, self.ends[at], self.values[at])
        if self.without_title():
            self.attributes()
            if kinds[self.at] == "}":
                finding = {"name": name.value}
                self.note_at(checks.RESOURCE_WITHOUT_TITLE, self.at, **finding)
            return Resource(start, self.expect("}"), "regular", name, [])
        bodies = [self.resource_body()]
        while self.accept(";"):
            if kinds[self.at] == "}":
                break
            bodies.append(self.resource_body())
        return Resource(start, self.expect("}"), "regular", name, bodies)

    def note_at(self, issue: Any, at: int, **arguments: object) -> None:
        """A mistake at a token that does not keep the parser from going on."""
        self.findings.append(Finding(issue, arguments, self.starts[at], self.ends[at]))

    def without_title(self) -> bool:
        """Whether what follows the brace of a resource are attributes at once."""
        kind, following = self.kinds[self.at], self.kinds[self.at + 1 : self.at + 2]
        if kind in ("}", ","):
            return True
        if kind not in ATTRIBUTE_NAMES:
            return False
        return following == ["=>"] or (kind not in VALUES and kind != "NAME")

    def resource_body(self) -> ResourceBody:
        """``title: attributes``."""
        title = self.title()
        self.expect(":")
        operations = self.attributes()
        return ResourceBody(title.start, self.ends[self.at - 1], title, operations)

    def title(self) -> Expression:
        """A name, a type, a string, a variable, an array or a selector."""
        at = self.at
        kind = self.kinds[at]
        if kind == "[":
            return self.array()
        if kind not in VALUES:
            raise self.unexpected()
        if self.kinds[at + 1] == "[" and kind in ("NAME", "CLASSREF"):
            self.at = at + 1
            raise self.unexpected()
        found = self.simple()
        if kind in SELECTED_ONLY or kind in ("BOOLEAN", "undef") or found.__class__ is Call:
            self.need_selector(found)
        return found

    def attribute_operations(self) -> list[AttributeOperation]:
        """``name => value, …`` in braces."""
        return self.attributes()

    def attributes(self, appending: bool = False) -> list[AttributeOperation]:
        """``name => value, …`` in braces; ``name +> value`` too where ``appending``."""
        kinds = self.kinds
        found: list[AttributeOperation] = []
        if kinds[self.at] in ATTRIBUTE_NAMES:
            found.append(self.attribute(appending))
        while self.accept(","):
            if kinds[self.at] not in ATTRIBUTE_NAMES:
                break
            found.append(self.attribute(appending))
        return found

    def attribute(self, appending: bool) -> Attribute:
        """``name => value``."""
        at = self.at
        operator: Any = self.kinds[at + 1]
        if operator != "=>" and not (appending and operator == "+>" and self.kinds[at] == "NAME"):
            self.at = at + 1
            raise self.unexpected(", expected '=>'")
        self.at = at + 2
        value = self.expression()
        return Attribute(self.starts[at], value.end, self.values[at], operator, value)

    # -- collectors ------------------------------------------------------------------------------

    def collector(self) -> Expression:
        """``Type <| query |> { attributes }``."""
        at = self.at
        kind = self.kinds[at + 1]
        self.at = at + 2
        closer = COLLECTORS[kind]
        start = self.starts[at + 1]
        if self.kinds[self.at] == closer:
            place = self.starts[self.at]
            inner: Expression = Nop(place, place)
        else:
            inner = self.query_terms()
        end = self.expect(closer)
        query = Query(start, end, kind == "<<|", inner)
        operations: list[AttributeOperation] = []
        if self.accept("{"):
            operations = self.attributes(appending=True)
            end = self.expect("}")
        return Collector(self.starts[at], end, self.type_named(at), query, operations)

    def query_terms(self) -> Expression:
        """Comparisons with ``and`` and ``or``, which bind alike and group to the left."""
        found = self.query_term()
        while self.kinds[self.at] in ("and", "or"):
            at = self.at
            self.at = at + 1
            right = self.query_term()
            node: Any = And if self.kinds[at] == "and" else Or
            found = node(found.start, right.end, found, right, self.starts[at])
        return found

    def query_term(self) -> Expression:
        """``name == value``, or terms in parentheses; a value has all operators but those."""
        at = self.at
        kind = self.kinds[at]
        if kind == "(":
            self.at = at + 1
            self.deeper()
            found = self.query_terms()
            self.depth -= 1
            self.expect(")")
            return found
        if kind not in ("VARIABLE", "NAME"):
            raise self.unexpected()
        self.at = at + 1
        node: Any = Variable if kind == "VARIABLE" else Name
        left = node(self.starts[at], self.ends[at], self.values[at])
        operator: Any = self.kinds[self.at]
        if operator not in ("==", "!="):
            raise self.unexpected()
        place = self.starts[self.at]
        self.at += 1
        self.deeper()
        right = self.operation(JOIN)
        self.depth -= 1
        return Comparison(left.start, right.end, operator, left, right, place)
