"""What can be found wrong in a syntax tree without running it.

One walk over the tree in the order in which Puppet walks it, with a list as the stack, so that
neither deep nor long code meets Python's limits; a table gives each class of node its rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from bunraku.errors import Diagnostic, Issue, PuppetError, Severity
from bunraku.source import Source
from bunraku.syntax import check_issues as issues
from bunraku.syntax import nodes
from bunraku.syntax.check_location import namespace_of
from bunraku.syntax.check_places import capital, noun, place
from bunraku.syntax.check_text import is_base64, json_mistake
from bunraku.syntax.check_values import UNKNOWN, WITHOUT_VALUE, idle, literal, shown
from bunraku.syntax.dialect import Dialect
from bunraku.syntax.parser import ParseResult, parse, parse_epp

RegexpCompiler = Callable[[str], object]

NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})

VARIABLE_NAME: Final = re.compile(
    r"(?:::)?(?:[a-z]\w*::)*[a-z_]\w*|0|[1-9][0-9]*", re.ASCII
).fullmatch
PARAMETER_NAME: Final = re.compile(r"[a-z_]\w*", re.ASCII).fullmatch
NUMERIC_PARAMETER: Final = re.compile(r"(?:0x)?[0-9]+", re.ASCII).fullmatch
NUMBER: Final = re.compile(r"[0-9]+").fullmatch
DEFINITION_NAME: Final = re.compile(r"(?:::)?[a-z]\w*(?:::[a-z]\w*)*", re.ASCII).fullmatch
HOST_NAME: Final = re.compile(r"[0-9A-Za-z_.-]+").fullmatch

RESERVED_TYPE_NAMES: Final = frozenset(
    [
        "type",
        "any",
        "unit",
        "scalar",
        "boolean",
        "numeric",
        "integer",
        "float",
        "collection",
        "array",
        "hash",
        "tuple",
        "struct",
        "variant",
        "optional",
        "enum",
        "regexp",
        "pattern",
        "runtime",
        "init",
        "object",
        "sensitive",
        "semver",
        "semverrange",
        "string",
        "timestamp",
        "timespan",
        "typeset",
    ]
)
RESERVED_PARAMETERS: Final = frozenset({"name", "title"})
METAPARAMETERS: Final = frozenset(
    [
        "alias",
        "audit",
        "before",
        "loglevel",
        "noop",
        "notify",
        "require",
        "schedule",
        "stage",
        "subscribe",
        "tag",
    ]
)
SUSPECTS: Final = WITHOUT_VALUE | {nodes.Parenthesized}
TEXTS_LIMIT: Final = 20
LARGEST: Final = 2**63 - 1


class Later:
    """A finding that waits on the stack for its turn."""

    __slots__ = ("arguments", "end", "issue", "start")

    def __init__(self, issue: Issue, start: int, end: int, **arguments: object) -> None:
        self.issue = issue
        self.start = start
        self.end = end
        self.arguments = arguments


class Checker:
    """The state of one walk: what is still to be visited, and what was found."""

    __slots__ = (
        "compile_regexp", "depth", "dialect", "findings", "namespace", "places", "program", "settings", "severities", "source", "stack",
        "text",
    )  # fmt: skip

    def __init__(
        self,
        program: nodes.Program,
        dialect: Dialect,
        settings: Mapping[str, Any],
        namespace: str | None = None,
        compile_regexp: RegexpCompiler | None = None,
    ) -> None:
        self.program = program
        self.source = program.source
        self.text = program.source.text
        self.dialect = dialect
        self.settings = settings
        self.namespace = namespace
        self.compile_regexp = compile_regexp
        self.depth = 0
        self.severities = severities(str(settings.get("strict", "error")))
        self.findings: list[Diagnostic] = []
        self.stack: list[Any] = [program.body]
        self.places: dict[int, str] = {}
        self.place_definitions(program.body, "top")

    def run(self) -> list[Diagnostic]:
        """Visit everything."""
        stack = self.stack
        rules = RULES
        if self.namespace is not None:
            self.only_definitions()
        while stack:
            node = stack.pop()
            rule = rules.get(node.__class__)
            if rule is not None:
                rule(self, node)
        if not any(finding.severity == "error" for finding in self.findings):
            self.no_metaparameters()
        return self.findings

    def only_definitions(self) -> None:
        """A file of a module has nothing but definitions on its top level."""
        body = self.program.body
        for statement in body.statements if isinstance(body, nodes.Block) else [body]:
            kind = statement.__class__
            if kind is not nodes.Nop and (kind not in DEFINITIONS or kind is nodes.NodeDefinition):
                self.report(
                    issues.ILLEGAL_TOP_CONSTRUCT_LOCATION,
                    statement,
                    what=capital(noun(statement)),
                )

    def no_metaparameters(self) -> None:
        """No class or define has a parameter that every resource has as a metaparameter.

        Puppet finds that only once a file has no other mistake, and stops at the first.
        """
        for node in self.program.definitions:
            if isinstance(node, nodes.ClassDefinition | nodes.DefineDefinition):
                for parameter in node.parameters:
                    if parameter.name in METAPARAMETERS:
                        kind = capital(noun(node))
                        self.report(
                            issues.METAPARAMETER, parameter, container=kind, name=parameter.name
                        )
                        return

    def report(self, issue: Issue, node: Any, **arguments: object) -> None:
        """Note a finding about a node."""
        start, end = place(node, self.text)
        self.report_at(issue, start, end, **arguments)

    def report_at(self, issue: Issue, start: int, end: int, **arguments: object) -> None:
        """Note a finding at a place."""
        severity = self.severities.get(issue.code, "error")
        if severity != "ignore":
            span = self.source.span(start, end)
            self.findings.append(issue.diagnostic(span, severity, **arguments))

    def need_value(self, node: Any) -> None:
        """Report what has no value where one is needed."""
        while node.__class__ is nodes.Parenthesized:
            node = node.expression
        if node.__class__ in WITHOUT_VALUE:
            self.report(issues.NOT_RVALUE, node, what=capital(noun(node)))

    def place_definitions(self, body: Any, level: str) -> None:
        """Note which definitions stand where they may."""
        for statement in body.statements if body.__class__ is nodes.Block else (body,):
            if statement.__class__ in DEFINITIONS:
                self.places[id(statement)] = level

    # -- literals and names ----------------------------------------------------------------------

    def integer(self, node: Any) -> None:
        """Integers have 64 bits."""
        if node.value > LARGEST:
            self.report(
                issues.NUMERIC_OVERFLOW, node, value=shown(node, self.text), relation="more than"
            )

    def variable(self, node: Any) -> None:
        """The name is one."""
        name = node.name
        if not VARIABLE_NAME(name):
            numeric = name[0].isdecimal()
            issue = issues.ILLEGAL_NUMERIC_VAR_NAME if numeric else issues.ILLEGAL_VAR_NAME
            self.report(issue, node, name=name)

    def regexp(self, node: Any) -> None:
        """The pattern is one."""
        if self.compile_regexp is not None:
            try:
                self.compile_regexp(node.pattern)
            except PuppetError as error:
                span = self.source.span(node.start, node.end)
                self.findings.append(replace(error.diagnostic, span=span))

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

    def heredoc(self, node: Any) -> None:
        """``@(tag:syntax)``: a text that is known has that syntax; no other text is looked at."""
        text = node.text
        self.stack.append(text)
        if node.syntax and text.__class__ is nodes.String:
            # In x+y+json the last part tells what the text looks like.
            rule = TEXT_RULES.get(node.syntax.rpartition("+")[2].lower())
            if rule is not None:
                rule(self, text)

    def report_text(self, issue: Issue, node: Any, **arguments: object) -> None:
        """Note a finding about the text of a heredoc, which begins where its first line does."""
        start = self.text.rfind("\n", 0, node.start) + 1
        self.report_at(issue, start, node.end, **arguments)

    def json_text(self, node: Any) -> None:
        """The text of ``@(tag:json)``."""
        at = json_mistake(node.value)
        if at is not None:
            line, column = Source(node.value).position(at)
            self.report_text(issues.ILLEGAL_JSON, node, line=line, column=column)

    def base64_text(self, node: Any) -> None:
        """The text of ``@(tag:base64)``."""
        if not is_base64(node.value):
            self.report_text(issues.ILLEGAL_BASE64, node)

    def pp_text(self, node: Any) -> None:
        """The text of ``@(tag:pp)``."""
        self.code_text(node, issues.ILLEGAL_PP, parse)

    def epp_text(self, node: Any) -> None:
        """The text of ``@(tag:epp)``."""
        self.code_text(node, issues.ILLEGAL_EPP, parse_epp)

    def code_text(
        self, node: Any, issue: Issue, parser: Callable[[Source, Dialect], ParseResult]
    ) -> None:
        """Code in a heredoc is checked as any code is, but its first mistake only is told."""
        if self.depth >= TEXTS_LIMIT:
            self.report_text(issues.TEXTS_TOO_DEEP, node, limit=TEXTS_LIMIT)
            return
        result = parser(Source(node.value), self.dialect)
        errors = result.errors
        if not errors:
            inner = Checker(result.program, self.dialect, self.settings, None, self.compile_regexp)
            inner.depth = self.depth + 1
            errors = [finding for finding in inner.run() if finding.severity == "error"]
        if errors:
            _, line, column = errors[0].place()
            self.report_text(issue, node, message=errors[0].message, line=line, column=column)

    def inner(self, node: Any) -> None:
        """A form around one expression, without rules."""
        self.stack.append(node.expression)

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
            if NUMBER(name):
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
                    if found:
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
                if found:
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
        if kind is not nodes.Reference:
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
        if NUMERIC_PARAMETER(name):
            self.report(issues.ILLEGAL_NUMERIC_PARAMETER, node, name=name)
        if not PARAMETER_NAME(name):
            self.report(issues.ILLEGAL_PARAMETER_NAME, node, name=name)
        stack = self.stack
        if node.type is not None:
            stack.append(node.type)
        if node.value is not None:
            self.assigns_nothing(node.value)
            stack.append(node.value)

    def assigns_nothing(self, node: Any) -> None:
        """Report assignments outside of lambdas."""
        found = [node]
        while found:
            item = found.pop()
            if item.__class__ is nodes.Assignment:
                self.report(issues.ILLEGAL_ASSIGNMENT_CONTEXT, item)
            elif item.__class__ is not nodes.Lambda:
                found += list(nodes.children(item))[::-1]

    # -- resources -------------------------------------------------------------------------------

    def resource(self, node: Any) -> None:
        """``type { … }``."""
        type_name = node.type_name
        if (
            node.form != "regular"
            and type_name.__class__ is nodes.Name
            and type_name.value == "class"
        ):
            self.report(issues.CLASS_NOT_VIRTUALIZABLE, node)
        stack = self.stack
        stack += node.bodies[::-1]
        if type_name.__class__ is not nodes.Name:
            stack.append(type_name)

    def resource_body(self, node: Any) -> None:
        """``title: …``: one splat."""
        splat = False
        for operation in node.operations:
            if operation.__class__ is nodes.AttributeSplat:
                if splat:
                    self.report(issues.ATTRIBUTES_TWICE, operation)
                splat = True
        self.operations(node.operations, False)
        if node.title.__class__ is not nodes.String:
            self.stack.append(node.title)

    def operations(self, operations: list[Any], appends: bool) -> None:
        """``name => value, …``; ``appends`` where ``+>`` may stand."""
        stack = self.stack
        for operation in reversed(operations):
            value = operation.value
            stack.append(value)
            if value.__class__ in WITHOUT_VALUE:
                start, end = place(value, self.text)
                stack.append(Later(issues.NOT_RVALUE, start, end, what=capital(noun(value))))
            if (
                not appends
                and operation.__class__ is nodes.Attribute
                and operation.operator == "+>"
            ):
                stack.append(
                    Later(
                        issues.ILLEGAL_ATTRIBUTE_APPEND,
                        operation.start,
                        operation.end,
                        name=operation.name,
                    )
                )

    def later(self, node: Later) -> None:
        """The turn of a finding has come."""
        self.report_at(node.issue, node.start, node.end, **node.arguments)

    def resource_defaults(self, node: Any) -> None:
        """``Type { … }``."""
        if node.form != "regular":
            self.report(issues.NOT_VIRTUALIZABLE, node, what=capital(noun(node)))
        self.operations(node.operations, False)

    def resource_override(self, node: Any) -> None:
        """``Type[…] { … }``."""
        if node.form != "regular":
            self.report(issues.NOT_VIRTUALIZABLE, node, what=capital(noun(node)))
        self.operations(node.operations, True)
        self.stack.append(node.resources)

    def collector(self, node: Any) -> None:
        """``Type <| … |>``."""
        if node.type.__class__ is not nodes.Reference:
            self.report(
                issues.ILLEGAL_EXPRESSION,
                node.type,
                what=capital(noun(node.type)),
                role="type",
                container="a collector",
            )
        self.operations(node.operations, True)
        self.stack.append(node.query)
        self.stack.append(node.type)

    def query(self, node: Any) -> None:
        """``<| … |>``."""
        if node.expression.__class__ is not nodes.Nop:
            self.query_part(node.expression)
        self.stack.append(node.expression)

    def query_part(self, node: Any) -> None:
        """Only some operators and plain values make a query."""
        waiting = [node]
        while waiting:
            item = waiting.pop()
            kind = item.__class__
            if kind is nodes.Parenthesized:
                waiting.append(item.expression)
            elif kind is nodes.And or kind is nodes.Or:
                waiting += (item.right, item.left)
            elif kind not in IN_QUERIES and not (
                kind is nodes.Comparison and item.operator in ("==", "!=")
            ):
                self.report(issues.ILLEGAL_QUERY, item, what=capital(noun(item)))

    # -- definitions -----------------------------------------------------------------------------

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
        if not DEFINITION_NAME(name) or self.text.startswith("::", node.name_start):
            self.report(issues.ILLEGAL_DEFINITION_NAME, node, kind=kind, name=name)
        elif name in RESERVED_TYPE_NAMES:
            self.report(issues.RESERVED_TYPE_NAME, node, kind=kind, name=name)
        elif self.namespace is not None and not name.startswith(self.namespace):
            file = self.source.path
            self.report(issues.ILLEGAL_DEFINITION_LOCATION, node, name=name, file=file)
        if name == "plan":
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

    def resource_like(self, node: Any, kind: str) -> None:
        """Rules of classes and defines for parameters and bodies."""
        parameters = node.parameters
        if parameters:
            for parameter in parameters:
                if parameter.captures_rest:
                    self.report(
                        issues.CAPTURES_REST_NOT_SUPPORTED,
                        parameter,
                        container=kind,
                        name=parameter.name,
                    )
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
            if not HOST_NAME(match.value):
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
        if name in RESERVED_TYPE_NAMES:
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
        if left.left.value != "Runtime":
            self.report(issues.UNSUPPORTED_EXPRESSION, node, what="A type mapping")
        elif len(left.keys) == 2 and left.keys[1].__class__ is nodes.List:
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
        """A template."""
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


DEFINITIONS: Final = frozenset(
    {
        nodes.ClassDefinition,
        nodes.DefineDefinition,
        nodes.FunctionDefinition,
        nodes.NodeDefinition,
        nodes.PlanDefinition,
        nodes.TypeAlias,
        nodes.TypeDefinition,
        nodes.TypeMapping,
    }
)
IN_QUERIES: Final = frozenset(
    {
        nodes.Variable,
        nodes.Name,
        nodes.String,
        nodes.Integer,
        nodes.Float,
        nodes.Boolean,
    }
)
RULES: Final[dict[type, Callable[[Checker, Any], None]]] = {
    Later: Checker.later,
    nodes.Integer: Checker.integer,
    nodes.Variable: Checker.variable,
    nodes.Regexp: Checker.regexp,
    nodes.ReservedWord: Checker.reserved_word,
    nodes.List: Checker.list_literal,
    nodes.Hash: Checker.hash_literal,
    nodes.Entry: Checker.entry,
    nodes.Concatenation: Checker.concatenation,
    nodes.Interpolation: Checker.unary,
    nodes.Heredoc: Checker.heredoc,
    nodes.Parenthesized: Checker.unary,
    nodes.Not: Checker.unary,
    nodes.UnaryMinus: Checker.unary,
    nodes.Unfold: Checker.unary,
    nodes.Arithmetic: Checker.binary,
    nodes.Comparison: Checker.binary,
    nodes.Match: Checker.binary,
    nodes.In: Checker.binary,
    nodes.And: Checker.binary,
    nodes.Or: Checker.binary,
    nodes.Assignment: Checker.assignment,
    nodes.Relationship: Checker.relationship,
    nodes.Access: Checker.access,
    nodes.Block: Checker.block,
    nodes.If: Checker.condition,
    nodes.Unless: Checker.condition,
    nodes.Case: Checker.case,
    nodes.CaseOption: Checker.case_option,
    nodes.Selector: Checker.selector,
    nodes.SelectorEntry: Checker.selector_entry,
    nodes.Parameter: Checker.parameter,
    nodes.Lambda: Checker.lambda_expression,
    nodes.Call: Checker.call,
    nodes.MethodCall: Checker.method_call,
    nodes.FunctionDefinition: Checker.function_definition,
    nodes.ClassDefinition: Checker.class_definition,
    nodes.DefineDefinition: Checker.define_definition,
    nodes.NodeDefinition: Checker.node_definition,
    nodes.PlanDefinition: Checker.plan_definition,
    nodes.TypeAlias: Checker.type_alias,
    nodes.TypeMapping: Checker.type_mapping,
    nodes.TypeDefinition: Checker.type_definition,
    nodes.Resource: Checker.resource,
    nodes.ResourceBody: Checker.resource_body,
    nodes.ResourceDefaults: Checker.resource_defaults,
    nodes.ResourceOverride: Checker.resource_override,
    nodes.Collector: Checker.collector,
    nodes.Query: Checker.query,
    nodes.Epp: Checker.epp,
    nodes.Render: Checker.inner,
}


TEXT_RULES: Final[dict[str, Callable[[Checker, Any], None]]] = {
    "json": Checker.json_text,
    "base64": Checker.base64_text,
    "pp": Checker.pp_text,
    "epp": Checker.epp_text,
}


def severities(strict: str) -> dict[str, Severity]:
    """How bad the findings are that are not always errors."""
    level: Severity = "error" if strict == "error" else "warning"
    return {
        "DUPLICATE_KEY": "ignore" if strict == "off" else level,
        "CLASS_NOT_VIRTUALIZABLE": level,
        "FUTURE_RESERVED_WORD": "deprecation",
    }


def check(
    program: nodes.Program,
    dialect: Dialect,
    settings: Mapping[str, Any] = NO_SETTINGS,
    modulepath: Iterable[str] = (),
    compile_regexp: RegexpCompiler | None = None,
) -> list[Diagnostic]:
    """All that is wrong with a program, in the order in which Puppet finds it.

    ``settings`` are Puppet's: ``strict`` decides how bad some findings are. A file that lies below
    a folder of ``modulepath`` may hold definitions only, and those that Puppet looks for there.
    ``compile_regexp`` raises a PuppetError for a pattern that is no regular expression; without it
    patterns are not looked at.

    >>> from bunraku.syntax.dialect import MODERN
    >>> [item.code for item in check(parse(Source("$a::b = 1 1 2")).program, MODERN)]
    ['IDEM_EXPRESSION_NOT_LAST', 'CROSS_SCOPE_ASSIGNMENT']
    """
    namespace = namespace_of(program.source.path, modulepath)
    return Checker(program, dialect, settings, namespace, compile_regexp).run()
