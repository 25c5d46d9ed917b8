"""Conditions and definitions: what begins with a keyword."""

from __future__ import annotations

from bunraku.base.lazy_typing import Final
from bunraku.syntax import issues
from bunraku.syntax.nodes import (
    Access,
    Apply,
    Block,
    Default,
    DefineDefinition,
    Entry,
    Epp,
    Expression,
    FunctionDefinition,
    Hash,
    Lambda,
    Name,
    NodeDefinition,
    Nop,
    Parameter,
    PlanDefinition,
    Reference,
    Render,
    RenderString,
    String,
    TypeAlias,
    TypeDefinition,
    TypeMapping,
    Unless,
)
from bunraku.syntax.parser.expressions import AFTER_ENTRY_WORD, PREFIXES
from bunraku.syntax.parser.resources import Resources
from bunraku.syntax.parser.state import CLOSED_BY, SyntaxFailure
from bunraku.syntax.tokens import Finding

CLOSERS: Final = frozenset(CLOSED_BY.values())
CLASS_NAMES: Final = frozenset({"NAME", "WORD", "CLASSREF"})
WHOLE_TYPES: Final = frozenset({"Object", "TypeSet"})


class Definitions(Resources):
    """The rules for conditions, definitions and templates."""

    # -- conditions ------------------------------------------------------------------------------

    def unless_expression(self) -> Expression:
        """``unless test { … } else { … }``."""
        start = self.starts[self.at]
        self.at += 1
        test = self.condition()
        then = self.branch()
        otherwise = self.otherwise()
        return Unless(start, self.ends[self.at - 1], test, then, otherwise)

    # -- definitions -----------------------------------------------------------------------------

    def definition_name(self) -> str:
        """The name of a class, a define, a function or a plan."""
        at = self.at
        kind = self.kinds[at]
        if kind in self.dialect.words.future:
            self.warn_of_word(at)
        elif kind not in CLASS_NAMES:
            start, end = self.starts[at], self.ends[at]
            if kind == "STRING" and self.dialect.early_codes:
                raise self.unexpected()
            if kind == "class":
                raise self.failure(issues.CLASS_AS_NAME, start, end)
            if kind == "STRING":
                raise self.failure(issues.QUOTED_NAME, start, end)
            raise self.unexpected()
        self.at = at + 1
        name: str = self.values[at]
        return name

    def warn_of_word(self, at: int) -> None:
        """Tell that a word will mean something in a later version."""
        finding = Finding(
            issues.FUTURE_WORD, {"word": self.values[at]}, self.starts[at], self.ends[at]
        )
        self.tokens.warnings.append(finding)

    def qualified(self, name: str) -> str:
        """A name within the classes around it."""
        full = f"{'::'.join(self.namespace)}::{name}"
        if self.dialect.global_names and full.startswith("::::"):
            return full[2:]  # the name that nothing finds keeps its colons
        return full.removeprefix("::")

    def definition_parameters(self) -> list[Parameter]:
        """``(parameters)``, where they stand."""
        if self.kinds[self.at] not in ("(", "WSLPAREN"):
            return []
        opened, depth = self.at, self.depth
        self.at += 1
        try:
            found = [] if self.kinds[self.at] == ")" else self.parameters(")")
            self.expect_end(")")
        except SyntaxFailure as failure:
            self.pass_over_parameters(opened, failure)
            self.depth = depth
            return []
        return found

    def pass_over_parameters(self, opened: int, failure: SyntaxFailure) -> None:
        """Note a mistake in parameters and go on behind them, where the body plainly follows."""
        kinds, at, brackets = self.kinds, opened, 0
        while kinds[at] not in ("END", "ERROR"):
            if kinds[at] in CLOSED_BY:
                brackets += 1
            elif kinds[at] in CLOSERS:
                brackets -= 1
                if brackets == 0:
                    break
            at += 1
        sure = kinds[at] == ")" and kinds[at + 1] in ("{", "inherits") and at > self.at - 1
        if failure.fatal or failure.late or not sure or self.turned_inside_out(self.at):
            raise failure
        self.note_mistake(failure, opened)
        self.at = at + 1

    def define_definition(self) -> Expression:
        """``define name(parameters) { … }``."""
        start = self.starts[self.at]
        self.at += 1
        name_start = self.starts[self.at]
        name = self.qualified(self.definition_name())
        parameters = self.definition_parameters()
        body = self.block()
        found = DefineDefinition(start, body.end, name, parameters, body, name_start)
        self.definitions.append(found)
        return found

    def plan_definition(self) -> Expression:
        """``plan name(parameters) { … }``."""
        start = self.starts[self.at]
        self.at += 1
        name_start = self.starts[self.at]
        name = self.definition_name()
        self.namespace.append(name)
        parameters = self.definition_parameters()
        body = self.block()
        self.namespace.pop()
        found = PlanDefinition(start, body.end, self.qualified(name), parameters, body, name_start)
        self.definitions.append(found)
        return found

    def apply_expression(self) -> Expression:
        """``apply(arguments) { … }``."""
        start = self.starts[self.at]
        self.at += 1
        self.expect("(")
        arguments = [self.argument()]
        while self.accept(","):
            if self.kinds[self.at] == ")":
                break
            self.gather(arguments, self.argument())
        self.expect(")")
        body = self.block()
        return Apply(start, body.end, arguments, body)

    def function_definition(self) -> Expression:
        """``function name(parameters) >> Type { … }``."""
        start = self.starts[self.at]
        self.at += 1
        name_start = self.starts[self.at]
        name = self.definition_name()
        parameters = self.definition_parameters()
        return_type = self.return_type()
        body = self.block()
        found = FunctionDefinition(start, body.end, name, parameters, return_type, body, name_start)
        self.definitions.append(found)
        return found

    # -- nodes -----------------------------------------------------------------------------------

    def node_definition(self) -> Expression:
        """``node matches inherits parent { … }``."""
        start = self.starts[self.at]
        self.at += 1
        matches = [self.host_match()]
        while self.accept(","):
            if self.kinds[self.at] in ("{", "inherits"):
                break
            matches.append(self.host_match())
        parent = self.host_match() if self.accept("inherits") else None
        body = self.block()
        found = NodeDefinition(start, body.end, matches, parent, body)
        self.definitions.append(found)
        return found

    def host_match(self) -> Expression:
        """A host name, a quoted one, a regular expression or ``default``."""
        kinds = self.kinds
        kind = kinds[self.at]
        if kind in ("STRING", "WORD"):
            return self.string()
        if kind == "REGEX":
            return self.regexp()
        if kind == "DQPRE":
            return self.concatenation()
        if kind == "HEREDOC":
            return self.heredoc()
        if kind == "default":
            at = self.at
            self.at = at + 1
            return Default(self.starts[at], self.ends[at])
        begin = self.at
        if kind not in ("NAME", "NUMBER"):
            raise self.unexpected()
        self.at += 1
        while kinds[self.at] == ".":
            self.at += 1
            if kinds[self.at] not in ("NAME", "NUMBER"):
                raise self.unexpected()
            self.at += 1
        name = "".join(self.values[begin : self.at])
        return String(self.starts[begin], self.ends[self.at - 1], name)

    # -- types -----------------------------------------------------------------------------------

    def type_expression(self) -> Expression:
        """``type(…)``, ``type Name = …`` or ``type Name { … }``."""
        kinds = self.kinds
        at = self.at
        if kinds[at + 1] == "(":
            return self.bare_name()
        self.at = at + 1
        if kinds[at + 1] != "CLASSREF":
            raise self.unexpected()
        if kinds[at + 2] in ("{", "inherits"):
            return self.type_definition(at)
        left = self.type_reference()
        self.expect("=")
        right = self.type_right()
        start = self.starts[at]
        found: TypeMapping | TypeAlias
        if isinstance(left, Reference):
            found = TypeAlias(start, right.end, left.value, right, left.start)
        else:
            assert isinstance(left, Access)
            found = TypeMapping(start, right.end, left, right)
        self.definitions.append(found)
        return found

    def type_right(self) -> Expression:
        """The right side of a type alias; a hash alone or after a type makes an Object type."""
        kind = self.kinds[self.at]
        if kind == "{":
            literal = self.hash()
            return Access(
                literal.start,
                literal.end,
                Reference(literal.start, literal.start, "Object"),
                [literal],
            )
        if kind in ("[", "LISTSTART"):
            return self.array()
        if kind != "CLASSREF":
            raise self.unexpected()
        right = self.type_reference(trailing_comma=True)
        if self.kinds[self.at] != "{" or not isinstance(right, Reference):
            return right
        literal = self.hash()
        assert isinstance(literal, Hash)
        if right.value not in WHOLE_TYPES:
            key = Name(right.start, right.end, "parent")
            literal.entries.append(Entry(right.start, right.end, key, right))
            # Of no length: the code keeps each static value by its place, and here stands the parent.
            whole = Reference(literal.start, literal.start, "Object")
            return Access(right.start, literal.end, whole, [literal])
        return Access(right.start, literal.end, right, [literal])

    def type_definition(self, at: int) -> Expression:
        """``type Name inherits Parent { … }``."""
        name = self.expect_value("CLASSREF")
        parent = self.expect_value("CLASSREF") if self.accept("inherits") else None
        body = self.block()
        found = TypeDefinition(self.starts[at], body.end, name, parent, body)
        self.definitions.append(found)
        return found

    # -- templates -------------------------------------------------------------------------------

    def render_string(self) -> Expression:
        """Text of a template."""
        at = self.at
        self.at = at + 1
        return RenderString(self.starts[at], self.ends[at], self.values[at])

    def render(self) -> Expression:
        """``<%= expression %>``, ``<%= { statements } %>``."""
        start = self.values[self.at]
        self.at += 1
        if self.kinds[self.at] == "{" and not self.hash_ahead():
            inner = self.branch()
        else:
            inner = self.expression()
        return Render(start, self.expect("EPP_END"), inner)

    def hash_ahead(self) -> bool:
        """Whether the brace here begins a hash rather than statements."""
        kinds, at = self.kinds, self.at
        if kinds[at + 1] == "}":
            return True
        if kinds[at + 1] in ("type", "function") and kinds[at + 2] in AFTER_ENTRY_WORD:
            return True
        self.at = at + 1
        known, depth = len(self.definitions), self.depth
        findings, supplied = len(self.findings), self.supplied.copy()
        try:
            self.assignment()
            return kinds[self.at] == "=>"
        except SyntaxFailure:
            return False
        finally:
            self.at, self.depth, self.supplied = at, depth, supplied
            del self.definitions[known:], self.findings[findings:]

    def template(self) -> Expression:
        """A whole template: a lambda whose body is its text and code."""
        end = len(self.source.text)
        self.expect("EPP_START")
        given = self.kinds[self.at] == "|"
        parameters = self.lambda_parameters() if given else []
        start = self.starts[self.at]
        statements = self.statements("END")
        body = Block(start, end, statements) if statements else Nop(end, end)
        return Lambda(0, end, parameters, None, Epp(start, end, given, body))


PREFIXES |= {
    "if": Definitions.if_expression,
    "unless": Definitions.unless_expression,
    "case": Definitions.case_expression,
    "class": Definitions.class_definition,
    "define": Definitions.define_definition,
    "node": Definitions.node_definition,
    "function": Definitions.function_definition,
    "type": Definitions.type_expression,
    "plan": Definitions.plan_definition,
    "apply": Definitions.apply_expression,
    "RENDER_STRING": Definitions.render_string,
    "RENDER": Definitions.render,
}
