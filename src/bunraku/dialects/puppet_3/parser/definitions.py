"""What a keyword begins in Puppet 3: conditions, imports, classes, defines and nodes."""

from __future__ import annotations

from typing import Any, Final

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.dialects.puppet_3.parser.expressions import last_with_default
from bunraku.dialects.puppet_3.parser.issues import (
    IMPORT_DEPRECATED,
    NESTED_DEFINITION,
    NODE_INHERITANCE_DEPRECATED,
    PARAMETER_WITHOUT_DOLLAR,
)
from bunraku.dialects.puppet_3.parser.statements import Statements
from bunraku.syntax.check import issues as checks
from bunraku.syntax.nodes import (
    Block,
    CaseOption,
    ClassDefinition,
    Default,
    DefineDefinition,
    Expression,
    Import,
    Name,
    NodeDefinition,
    Nop,
    Parameter,
    Regexp,
    String,
    Unless,
)

NO_HOST_NAME: Final = lazy_pattern(r"[^-0-9A-Za-z_.]")
KINDS: Final = {
    ClassDefinition: "A class",
    DefineDefinition: "A defined resource type",
    NodeDefinition: "A node",
}
"""The definitions, in words."""


class Definitions(Statements):
    """The rules for conditions and definitions."""

    defining: str | None = None
    """The define around the place."""
    imports: bool = False
    """Whether an import was met; only the first is warned of."""

    # -- conditions ------------------------------------------------------------------------------

    def body(self) -> Expression:
        """``{ statements }`` that holds no definitions."""
        found = self.block()
        for statement in found.statements if isinstance(found, Block) else ():
            kind = KINDS.get(statement.__class__)
            if kind is not None:
                start = statement.start
                end = self.source.text.find("{", start)
                self.note(checks.NOT_TOP_LEVEL, Nop(start, max(end, start + 1)), what=kind)
        return found

    def branch(self) -> Expression:
        """``{ statements }`` after a condition: a single statement stands for itself."""
        body = self.body()
        if isinstance(body, Block) and len(body.statements) == 1:
            return body.statements[0]
        return body

    def unless_statement(self) -> Expression:
        """``unless test { … }``, which has no ``else``."""
        start = self.starts[self.at]
        self.at += 1
        test = self.expression()
        then = self.branch()
        end = self.ends[self.at - 1]
        return Unless(start, end, test, then, Nop(end, end))

    def option_value(self) -> Expression:
        """What a selector compares with, too."""
        return self.selector_match()

    def option_body(self) -> Expression:
        """``{ … }`` without definitions."""
        return self.body()

    def options_that_count(self, options: list[CaseOption]) -> list[CaseOption]:
        """Those less the defaults that a later one takes the place of."""
        return with_one_default(options)

    def case_statement(self) -> Expression:
        """A case, which may begin a relationship."""
        return self.related(self.case_expression())

    def import_statement(self) -> Expression:
        """``import 'file', 'file'``."""
        at = self.at
        if not self.imports:
            self.warn_at(IMPORT_DEPRECATED, at)
        self.imports = True
        self.at = at + 1
        files: list[Expression] = [self.plain_string()]
        while self.accept(","):
            files.append(self.plain_string())
        found = Import(self.starts[at], files[-1].end, files)
        self.definitions.append(found)
        return found

    def plain_string(self) -> String:
        """``'text'``."""
        at = self.at
        value = self.expect_value("STRING")
        return String(self.starts[at], self.ends[at], value)

    # -- definitions -----------------------------------------------------------------------------

    def definition_name(self) -> str:
        """The name of a class or a define; ``class`` is one."""
        at = self.at
        if self.kinds[at] not in ("NAME", "class"):
            raise self.unexpected()
        self.at = at + 1
        name: str = self.values[at]
        return name

    def qualified(self, name: str) -> str:
        """A name within the classes around it."""
        return f"{'::'.join(self.namespace)}::{name}".removeprefix("::")

    def class_statement(self) -> Expression:
        """``class name(parameters) inherits parent { … }``, or ``class { title: … }``."""
        if self.kinds[self.at + 1] == "{":
            return self.resource_or_relationship()
        return self.class_definition()

    def define_statement(self) -> Expression:
        """``define name(parameters) { … }``."""
        start = self.starts[self.at]
        self.at += 1
        name_start = self.starts[self.at]
        if self.defining is not None:
            end = self.ends[self.at]
            arguments = {"name": self.source.text[name_start:end], "outer": self.defining}
            raise self.failure(NESTED_DEFINITION, name_start, end, **arguments)
        name = self.defining = self.qualified(self.definition_name())
        try:
            parameters = self.definition_parameters()
            body = self.body()
        finally:
            self.defining = None
        found = DefineDefinition(start, body.end, name, parameters, body, name_start)
        self.definitions.append(found)
        return found

    def node_statement(self) -> Expression:
        """``node match, match inherits parent { … }``."""
        start = self.starts[self.at]
        self.at += 1
        matches = [self.host_name()]
        while self.accept(","):
            matches.append(self.host_name())
        at = self.at
        parent = self.host_name() if self.accept("inherits") else None
        if parent is not None:
            self.warn_at(NODE_INHERITANCE_DEPRECATED, at)
        body = self.body()
        found = NodeDefinition(start, body.end, matches, parent, body)
        self.definitions.append(found)
        return found

    def host_name(self) -> Expression:
        """``name``, ``'name'``, ``default`` or ``/pattern/``."""
        at = self.at
        kind, start, end, value = self.kinds[at], self.starts[at], self.ends[at], self.values[at]
        if kind not in ("NAME", "STRING", "default", "REGEX"):
            raise self.unexpected()
        self.at = at + 1
        if kind == "default":
            return Default(start, end)
        if kind == "REGEX":
            return Regexp(start, end, value)
        if NO_HOST_NAME.search(value):
            self.note_at(checks.ILLEGAL_HOST_NAME, at, name=value)
        node: Any = Name if kind == "NAME" else String
        return node(start, end, value)  # type: ignore[no-any-return]

    def definition_parameters(self) -> list[Parameter]:
        """``($name, $name = value)``, where they stand; the dollars may be left out."""
        found: list[Parameter] = []
        if not self.accept("("):
            return found
        while self.kinds[self.at] != ")":
            found.append(self.parameter())
            if not self.accept(","):
                break
        self.expect(")")
        return found

    def parameter(self) -> Parameter:
        """``$name = value``."""
        at = self.at
        if self.kinds[at] not in ("VARIABLE", "NAME"):
            raise self.unexpected()
        self.at = at + 1
        if self.kinds[at] == "NAME":
            self.warn_at(PARAMETER_WITHOUT_DOLLAR, at, name=self.values[at])
        value = self.expression() if self.accept("=") else None
        end = self.ends[self.at - 1]
        return Parameter(self.starts[at], end, self.values[at], None, value)


def with_one_default(options: list[CaseOption]) -> list[CaseOption]:
    """The options less those that a later ``default`` takes the place of."""
    last = last_with_default([option.values for option in options])
    found = []
    for index, option in enumerate(options):
        values = option.values
        if index < last:
            values = [value for value in values if value.__class__ is not Default]
        if values:
            found.append(CaseOption(option.start, option.end, values, option.then))
    return found


RULES: Final = {
    "NAME": Definitions.name_statement,
    "CLASSREF": Definitions.reference_statement,
    "VARIABLE": Definitions.variable_statement,
    "class": Definitions.class_statement,
    "define": Definitions.define_statement,
    "node": Definitions.node_statement,
    "if": Definitions.if_expression,
    "unless": Definitions.unless_statement,
    "case": Definitions.case_statement,
    "import": Definitions.import_statement,
    "@": Definitions.virtual_statement,
    **dict.fromkeys(
        ("STRING", "DQPRE", "BOOLEAN", "undef", "default", "REGEX"), Definitions.value_statement
    ),
}
"""What each token begins as a statement."""

SIDES: Final = {
    "NAME": Definitions.name_side,
    "class": Definitions.resource,
    "CLASSREF": Definitions.reference_side,
    "case": Definitions.case_expression,
    **dict.fromkeys(
        ("VARIABLE", "STRING", "DQPRE", "BOOLEAN", "undef", "default", "REGEX"),
        Definitions.value_side,
    ),
}
"""What each token begins beside an arrow."""
