"""Rules for expressions: literals, operators, conditions, functions."""

from __future__ import annotations

import re

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any, Final
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.descriptions import capital, noun
from bunraku.syntax.check.effects import UNKNOWN, WITHOUT_VALUE, idle, literal, shown
from bunraku.syntax.check.walk import Walk

PLAIN: Final = frozenset(
    {nodes.Boolean, nodes.Default, nodes.Name, nodes.Reference, nodes.String, nodes.Undef}
)
SUSPECTS: Final = WITHOUT_VALUE | {nodes.Parenthesized}
LARGEST: Final = 2**63 - 1


VARIABLE_NAME = lazy_pattern(r"(?:::)?(?:[a-z]\w*::)*[a-z_]\w*|0|[1-9][0-9]*", re.ASCII)
PARAMETER_NAME = lazy_pattern(r"[a-z_]\w*", re.ASCII)
NUMERIC_PARAMETER = lazy_pattern(r"(?:0x)?[0-9]+", re.ASCII)
MATCH_NUMBER = lazy_pattern(r"0|[1-9][0-9]*")


class ExpressionRules(Walk):
    """The rules for expressions."""

    # -- literals and names ----------------------------------------------------------------------

    def integer(self, node: Any) -> None:
        """Integers have 64 bits."""
        if node.value > LARGEST and self.dialect.limited_integers:
            self.report(
                issues.NUMERIC_OVERFLOW, node, value=shown(node, self.text), relation="more than"
            )

    def variable(self, node: Any) -> None:
        """The name is one."""
        name = node.name
        if not VARIABLE_NAME.fullmatch(name):
            numeric = name[:1].isdecimal()
            issue = issues.ILLEGAL_NUMERIC_VAR_NAME if numeric else issues.ILLEGAL_VAR_NAME
            self.report(issue, node, name=name)

    def regexp(self, node: Any) -> None:
        """The pattern is one."""
        if self.compile_regexp is not None:
            try:
                self.compile_regexp(node.pattern)
            except PuppetError as error:
                span = self.source.span(node.start, node.end)
                self.findings.append(error.diagnostic.at(span.place))

    def reserved_word(self, node: Any) -> None:
        """Words that are kept for later mean nothing."""
        issue = issues.FUTURE_RESERVED_WORD if node.future else issues.RESERVED_WORD
        self.report(issue, node, word=node.word)

    def list_literal(self, node: Any) -> None:
        """``[…]``: all have values."""
        for value in node.values:
            if value.__class__ in SUSPECTS:
                self.need_value(value)
        self.stack += node.values[::-1]

    def hash_literal(self, node: Any) -> None:
        """``{…}``: no key twice."""
        entries = node.entries
        stack = self.stack
        if len(entries) > 1:
            seen = set()
            for entry in entries:
                key = literal(entry.key)
                if key is UNKNOWN:
                    continue
                if key in seen:
                    where = node if self.of_attributes(node) else entry
                    self.report(issues.DUPLICATE_KEY, where, key=shown(entry.key, self.text))
                seen.add(key)
        stack += entries[::-1]

    def of_attributes(self, node: Any) -> bool:
        """Whether a hash is what the parser made of the attributes in ``name { a => 1 }``."""
        return all(
            entry.key.__class__ is nodes.String and self.text[entry.key.start] not in "'\"@"
            for entry in node.entries
        )

    def entry(self, node: Any) -> None:
        """``key => value``: both have values."""
        self.need_value(node.key)
        self.need_value(node.value)
        stack = self.stack
        stack.append(node.value)
        if node.key.__class__ is not nodes.String:
            stack.append(node.key)

    def concatenation(self, node: Any) -> None:
        """``"…${…}…"``."""
        self.stack += [
            segment for segment in reversed(node.segments) if segment.__class__ is not nodes.String
        ]

    # -- operators -------------------------------------------------------------------------------

    def unary(self, node: Any) -> None:
        """An operator with a value."""
        self.need_value(node.expression)
        self.stack.append(node.expression)

    def binary(self, node: Any) -> None:
        """An operator between two values."""
        left, right = node.left, node.right
        if left.__class__ in SUSPECTS:
            self.need_value(left)
        if right.__class__ in SUSPECTS:
            self.need_value(right)
        stack = self.stack
        stack.append(right)
        stack.append(left)

    def relationship(self, node: Any) -> None:
        """``left -> right``: collectors are welcome."""
        for side in (node.left, node.right):
            if side.__class__ is not nodes.Collector:
                self.need_value(side)
        self.stack.append(node.right)
        self.stack.append(node.left)

    def access(self, node: Any) -> None:
        """``left[keys]``."""
        self.stack += node.keys[::-1]
        self.stack.append(node.left)

    def assignment(self, node: Any) -> None:
        """``left = right``."""
        if node.operator == "=":
            self.assignable(node.left)
        else:
            self.report(
                issues.APPENDS_NO_LONGER_SUPPORTED,
                node,
                operator=node.operator,
                sign=node.operator[0],
            )
        self.need_value(node.right)
        self.stack.append(node.right)
        self.stack.append(node.left)

    def assignable(self, target: Any) -> None:
        """The left side of an assignment."""
        kind = target.__class__
        if kind is nodes.Variable:
            name = target.name
            if MATCH_NUMBER.fullmatch(name):
                self.report(issues.ILLEGAL_NUMERIC_ASSIGNMENT, target, name=name)
            elif "::" in name:
                self.report(issues.CROSS_SCOPE_ASSIGNMENT, target, name=name)
        elif kind is nodes.Access:
            self.report(issues.ILLEGAL_INDEXED_ASSIGNMENT, target)
        elif kind is nodes.List:
            for value in target.values:
                self.assignable(value)
        else:
            self.report(issues.ILLEGAL_ASSIGNMENT, target, what=noun(target))

    # -- conditions ------------------------------------------------------------------------------

    def block(self, node: Any) -> None:
        """Statements: all but the last do something."""
        statements = node.statements
        if self.without_title(node):
            self.report(issues.RESOURCE_WITHOUT_TITLE, node, name=statements[0].value)
        else:
            for statement in statements[:-1]:
                if idle(statement):
                    self.report(issues.IDLE_NOT_LAST, statement, what=capital(noun(statement)))
                    break
        self.stack += statements[::-1]

    def without_title(self, node: Any) -> bool:
        """Whether a node is what the parser makes of ``name { … }``."""
        if self.dialect.early_codes:
            return False
        if node.__class__ is not nodes.Block or len(node.statements) != 2:
            return False
        name, attributes = node.statements
        return name.__class__ is nodes.Name and attributes.__class__ is nodes.Hash

    def condition(self, node: Any) -> None:
        """``if`` and ``unless``."""
        self.need_value(node.test)
        stack = self.stack
        stack.append(node.otherwise)
        stack.append(node.then)
        stack.append(node.test)

    def case(self, node: Any) -> None:
        """``case``: one default."""
        self.need_value(node.test)
        found = False
        for option in node.options:
            for value in option.values:
                if value.__class__ is nodes.Default:
                    if found and self.dialect.one_default:
                        self.report(issues.DUPLICATE_DEFAULT, value, container="case statement")
                    found = True
        self.stack += node.options[::-1]
        self.stack.append(node.test)

    def case_option(self, node: Any) -> None:
        """``value, value: { … }``."""
        for value in node.values:
            self.need_value(value)
        self.stack.append(node.then)
        self.stack += node.values[::-1]

    def selector(self, node: Any) -> None:
        """``left ? { … }``: one default."""
        self.need_value(node.left)
        found = False
        for entry in node.entries:
            if entry.match.__class__ is nodes.Default:
                if found and self.dialect.one_default:
                    self.report(issues.DUPLICATE_DEFAULT, entry.match, container="selector")
                    break
                found = True
        self.stack += node.entries[::-1]
        self.stack.append(node.left)

    def selector_entry(self, node: Any) -> None:
        """``match => value``."""
        self.need_value(node.match)
        self.stack.append(node.value)
        self.stack.append(node.match)

    # -- functions -------------------------------------------------------------------------------

    def call(self, node: Any) -> None:
        """``name(…)``, ``Type(…)``."""
        callee = node.callee
        kind = callee.__class__
        stack = self.stack
        if node.block is not None:
            stack.append(node.block)
        stack += node.arguments[::-1]
        if kind is nodes.Name:
            return
        if kind is nodes.Access:
            kind = callee.left.__class__
        if kind is not nodes.Reference or not self.dialect.callable_types:
            self.report(
                issues.ILLEGAL_EXPRESSION,
                callee,
                what=capital(noun(callee)),
                role="name",
                container="a function call",
            )
        stack.append(callee)

    def method_call(self, node: Any) -> None:
        """``receiver.name(…)``."""
        stack = self.stack
        if node.block is not None:
            stack.append(node.block)
        stack += node.arguments[::-1]
        stack.append(node.receiver)

    def lambda_expression(self, node: Any) -> None:
        """``|…| { … }``."""
        self.rest_comes_last(node)
        self.callable_children(node)

    def callable_children(self, node: Any) -> None:
        """Parameters, body, type of the result."""
        stack = self.stack
        if node.return_type is not None:
            stack.append(node.return_type)
        stack.append(node.body)
        stack += node.parameters[::-1]

    def rest_comes_last(self, node: Any) -> None:
        """Only the last parameter may take all that is left."""
        for parameter in node.parameters[:-1]:
            if parameter.captures_rest:
                self.report(issues.CAPTURES_REST_NOT_LAST, parameter, name=parameter.name)

    def parameter(self, node: Any) -> None:
        """The name is one; its default assigns nothing."""
        name = node.name
        if NUMERIC_PARAMETER.fullmatch(name):
            self.report(issues.ILLEGAL_NUMERIC_PARAMETER, node, name=name)
        if not PARAMETER_NAME.fullmatch(name):
            self.report(issues.ILLEGAL_PARAMETER_NAME, node, name=name)
        stack = self.stack
        if node.type is not None:
            stack.append(node.type)
        value = node.value
        if value is not None and value.__class__ not in PLAIN:
            self.assigns_nothing(value)
            stack.append(value)

    def assigns_nothing(self, node: Any) -> None:
        """Report assignments outside of lambdas."""
        found = [node]
        while found:
            item = found.pop()
            if item.__class__ is nodes.Assignment:
                self.report(issues.ILLEGAL_ASSIGNMENT_CONTEXT, item)
            elif item.__class__ is not nodes.Lambda:
                found += list(nodes.children(item))[::-1]
