"""Rules for definitions: classes, defined types, functions, nodes, type aliases."""

from __future__ import annotations

import re

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any, Final
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.descriptions import capital, noun
from bunraku.syntax.check.effects import idle
from bunraku.syntax.check.resources import ResourceRules

MAPPED: Final = frozenset({nodes.List, nodes.Name, nodes.Regexp, nodes.String})
RESERVED_PARAMETERS: Final = frozenset({"name", "title"})


DEFINITION_NAME = lazy_pattern(r"(?:::)?[a-z]\w*(?:::[a-z]\w*)*", re.ASCII)
HOST_NAME = lazy_pattern(r"[0-9A-Za-z_.-]+")


LITERALS: Final = frozenset(
    {
        nodes.Boolean,
        nodes.Default,
        nodes.Float,
        nodes.Integer,
        nodes.Name,
        nodes.Reference,
        nodes.Regexp,
        nodes.String,
        nodes.Undef,
    }
)


def is_literal(node: Any) -> bool:
    """Whether an expression is a type or value that is known without evaluating anything.

    The only key of a type is no array: ``Optional[[String]]`` is not literal.
    """
    kind = node.__class__
    if kind in LITERALS:
        return True
    if kind is nodes.Access:
        keys = node.keys
        only_array = len(keys) == 1 and keys[0].__class__ is nodes.List
        return not only_array and all(map(is_literal, keys))
    if kind is nodes.List:
        return all(map(is_literal, node.values))
    if kind is nodes.Hash:
        return all(is_literal(item.key) and is_literal(item.value) for item in node.entries)
    return kind is nodes.UnaryMinus and is_literal(node.expression)


class DefinitionRules(ResourceRules):
    """The rules for definitions."""

    def at_top(self, node: Any, kind: str) -> None:
        """A class, define or node stands outside of everything, or in a class."""
        if id(node) not in self.places:
            self.report(issues.NOT_TOP_LEVEL, node, what=kind)

    def at_absolute_top(self, node: Any, kind: str) -> None:
        """A function or type stands outside of everything."""
        if self.places.get(id(node)) != "top":
            nested = id(node) in self.places or self.is_statement(node)
            issue = issues.NOT_ABSOLUTE_TOP_LEVEL if nested else issues.NOT_TOP_LEVEL
            self.report(issue, node, what=kind)

    def is_statement(self, wanted: Any) -> bool:
        """Whether a definition stands in a block, as one of its statements."""
        waiting: list[Any] = [self.program.body]
        while waiting:
            node = waiting.pop()
            if node.__class__ is nodes.Block and any(item is wanted for item in node.statements):
                return True
            waiting += nodes.children(node)
        return False

    def named(self, node: Any, kind: str) -> None:
        """What all definitions with a name have in common."""
        name = node.name
        dialect = self.dialect
        is_global = not dialect.global_names and self.text.startswith("::", node.name_start)
        if not DEFINITION_NAME.fullmatch(name) or is_global:
            issue = issues.ILLEGAL_DEFINITION_NAME
            if dialect.early_codes:
                issue = issues.ILLEGAL_DEFINTION_NAME
            self.report(issue, node, kind=kind, name=name)
        elif name in dialect.type_names:
            self.report(issues.RESERVED_TYPE_NAME, node, kind=kind, name=name)
        elif self.namespace is not None and not name.lower().startswith(self.namespace):
            file = self.source.path
            self.report(issues.ILLEGAL_DEFINITION_LOCATION, node, name=name, file=file)
        if name == "plan" and not dialect.early_codes:
            self.report(issues.FUTURE_RESERVED_WORD, node, word=name)

    def future_type(self, expression: Any, node: Any) -> None:
        """The type Plan means something else in a later Puppet."""
        kind = expression.__class__
        reference = expression.left if kind is nodes.Access else expression
        if reference.__class__ is nodes.Reference and reference.value == "Plan":
            place = node if kind is nodes.Access else expression
            self.report(issues.FUTURE_RESERVED_WORD, place, word="Plan")

    def distinct(self, parameters: list[Any]) -> None:
        """No parameter twice."""
        seen = set()
        for parameter in parameters:
            if parameter.name in seen:
                self.report(issues.DUPLICATE_PARAMETER, parameter, name=parameter.name)
            seen.add(parameter.name)

    def no_rest(self, parameters: list[Any], kind: str) -> None:
        """No parameter takes all that is left."""
        for parameter in parameters:
            if parameter.captures_rest:
                self.report(
                    issues.CAPTURES_REST_NOT_SUPPORTED,
                    parameter,
                    container=kind,
                    name=parameter.name,
                )

    def resource_like(self, node: Any, kind: str) -> None:
        """Rules of classes and defines for parameters and bodies."""
        parameters = node.parameters
        if parameters:
            self.no_rest(parameters, kind)
            self.distinct(parameters)
            for parameter in parameters:
                name = parameter.name
                if name in RESERVED_PARAMETERS:
                    self.report(issues.RESERVED_PARAMETER, parameter, container=kind, name=name)
        self.ends_in_effect(node, kind)
        self.stack.append(node.body)
        self.stack += parameters[::-1]

    def ends_in_effect(self, node: Any, kind: str) -> None:
        """Even the last statement does something."""
        body = node.body
        last = body.statements[-1] if body.__class__ is nodes.Block else body
        if last.__class__ is nodes.Nop or self.without_title(last):
            return
        if idle(last):
            self.report(issues.IDLE_LAST, last, what=capital(noun(last)), container=kind.lower())

    def class_definition(self, node: Any) -> None:
        """``class name { … }``."""
        self.at_top(node, "A class")
        self.named(node, "A class")
        self.place_definitions(node.body, "class")
        if self.dialect.literal_types:
            for parameter in node.parameters:
                if parameter.type is not None and not is_literal(parameter.type):
                    self.report(issues.NONLITERAL_TYPE, parameter, name=parameter.name)
        self.resource_like(node, "A class")

    def define_definition(self, node: Any) -> None:
        """``define name { … }``."""
        self.at_top(node, "A defined type")
        self.named(node, "A defined type")
        self.resource_like(node, "A defined type")

    def function_definition(self, node: Any) -> None:
        """``function name { … }``."""
        self.at_absolute_top(node, "A function")
        self.named(node, "A function")
        self.distinct(node.parameters)
        if node.return_type is not None:
            self.future_type(node.return_type, node)
        self.callable_children(node)

    def plan_definition(self, node: Any) -> None:
        """``plan name { … }``."""
        self.at_absolute_top(node, "A plan")
        self.named(node, "A plan")
        self.distinct(node.parameters)
        self.stack.append(node.body)
        self.stack += node.parameters[::-1]

    def node_definition(self, node: Any) -> None:
        """``node name { … }``."""
        for match in node.matches:
            self.host_name(match)
        self.at_top(node, "A node")
        self.ends_in_effect(node, "a node")
        if node.parent is not None:
            self.report(issues.ILLEGAL_NODE_INHERITANCE, node.parent)
        self.stack.append(node.body)
        self.stack += node.matches[::-1]
        if node.parent is not None:
            self.stack.append(node.parent)

    def host_name(self, match: Any) -> None:
        """A host name has letters, digits and little more."""
        kind = match.__class__
        if kind is nodes.String:
            if not HOST_NAME.fullmatch(match.value):
                self.report(issues.ILLEGAL_HOST_NAME, match, name=match.value)
        elif kind is nodes.Concatenation:
            inner = [item for item in match.segments if item.__class__ is nodes.Interpolation]
            self.report(issues.INTERPOLATED_HOST_NAME, inner[0].expression)
        elif kind is nodes.Heredoc:
            self.report(
                issues.ILLEGAL_EXPRESSION,
                match,
                what=capital(noun(match)),
                role="name",
                container="a node",
            )

    def type_alias(self, node: Any) -> None:
        """``type Name = Type``."""
        self.at_absolute_top(node, "A type alias")
        name = node.name.lower().removeprefix("::")
        if node.name.startswith("::"):
            kind = "A type alias"
            self.report(issues.ILLEGAL_DEFINITION_NAME, node, kind=kind, name=node.name)
        elif name in self.dialect.type_names:
            self.report(issues.RESERVED_TYPE_NAME, node, kind="A type alias", name=node.name)
        if is_type(node.type):
            self.future_type(node.type, node)
        else:
            self.report(
                issues.ILLEGAL_EXPRESSION,
                node.type,
                what=capital(noun(node.type)),
                role="right side",
                container="a type alias",
            )
        self.stack.append(node.type)

    def type_mapping(self, node: Any) -> None:
        """``type Runtime[…] = Type``."""
        self.at_top(node, "A type mapping")
        left, right = node.left, node.type
        keys = left.keys
        literal = all(key.__class__ in MAPPED for key in keys)
        if left.left.value != "Runtime" or len(keys) != 2 or not literal:
            self.report(issues.UNSUPPORTED_EXPRESSION, node, what="Such a type mapping")
        elif keys[1].__class__ is nodes.List:
            if not is_replacement(right):
                wanted = "[/pattern/, 'name']"
                self.report(issues.ILLEGAL_TYPE_MAPPING, node, wanted=wanted)
        elif not is_type(right) or right.start == getattr(right, "left", left).end:
            # A hash has been made a type by the parser, as it is one on the right of an alias.
            self.report(issues.ILLEGAL_TYPE_MAPPING, node, wanted="a type")
        self.stack.append(right)
        self.stack.append(left)

    def type_definition(self, node: Any) -> None:
        """``type Name { … }``."""
        self.at_absolute_top(node, "A type definition")
        self.report(issues.UNSUPPORTED_EXPRESSION, node, what="A type definition")
        self.stack.append(node.body)

    def epp(self, node: Any) -> None:
        """A template: its parameters are those of the lambda that the program is."""
        program = self.program.body
        if isinstance(program, nodes.Lambda):
            self.no_rest(program.parameters, "A template")
            self.distinct(program.parameters)
        self.stack.append(node.body)


def is_type(node: Any) -> bool:
    """Whether an expression is a type: ``Name`` or ``Name[…]``."""
    kind = node.__class__
    return kind is nodes.Reference or (
        kind is nodes.Access and node.left.__class__ is nodes.Reference
    )


def is_replacement(node: Any) -> bool:
    """Whether an expression is ``[/pattern/, 'name']``."""
    return node.__class__ is nodes.List and [item.__class__ for item in node.values] == [
        nodes.Regexp,
        nodes.String,
    ]
