"""All rules of the checker by class of node, and the walk that applies them."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.errors import Diagnostic, Issue
from bunraku.base.lazy_typing import Any, ClassVar, Final
from bunraku.base.source import Source
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.definitions import DefinitionRules
from bunraku.syntax.check.descriptions import capital, noun
from bunraku.syntax.check.heredocs import is_base64, json_mistake
from bunraku.syntax.check.walk import DEFINITIONS, Later
from bunraku.syntax.parser.parser import ParseResult, parse, parse_epp
from bunraku.syntax.rules import Dialect

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
TEXTS_LIMIT: Final = 20

Rule = Callable[[Any, Any], None]


class Checker(DefinitionRules):
    """One walk over a program by the rules of the modern dialect."""

    rules: ClassVar[dict[type, Rule]] = {}

    def run(self) -> list[Diagnostic]:
        """Visit everything."""
        stack = self.stack
        rules = self.rules
        if not self.dialect.modules_only_define:
            self.namespace = None
        if self.namespace is not None:
            self.only_definitions()
        while stack:
            node = stack.pop()
            rule = rules.get(node.__class__)
            if rule is not None:
                rule(self, node)
        if not any(finding.severity == "error" for finding in self.findings):
            self.metaparameters()
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

    def metaparameters(self) -> None:
        """Report parameters of classes and defines that every resource has as metaparameters.

        Puppet looks for them only once a file has no other mistake, and stops at the first that
        has no default.
        """
        for node in self.program.definitions:
            if isinstance(node, nodes.ClassDefinition | nodes.DefineDefinition):
                for parameter in node.parameters:
                    name = parameter.name
                    if name not in METAPARAMETERS:
                        continue
                    if parameter.value is None:
                        kind = capital(noun(node))
                        self.report(issues.METAPARAMETER, parameter, container=kind, name=name)
                        return
                    self.report(
                        issues.METAPARAMETER_WITH_DEFAULT,
                        parameter,
                        container=noun(node),
                        name=name,
                    )

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
            inner = self.__class__(
                result.program, self.dialect, self.settings, None, self.compile_regexp
            )
            inner.depth = self.depth + 1
            errors = [finding for finding in inner.run() if finding.severity == "error"]
        if errors:
            first = errors[0]
            self.report_text(
                issue, node, message=first.message, line=first.line, column=first.column
            )


RULES: Final[dict[type, Rule]] = {
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
    nodes.Render: Checker.unary,
}
Checker.rules = RULES
TEXT_RULES: Final[dict[str, Rule]] = {
    "json": Checker.json_text,
    "base64": Checker.base64_text,
    "pp": Checker.pp_text,
    "epp": Checker.epp_text,
}
