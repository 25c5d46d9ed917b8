"""With tasks there are plans, and what belongs to a catalog stands in apply blocks only."""

from __future__ import annotations

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_typing import Any, ClassVar
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.descriptions import capital, noun
from bunraku.syntax.check.programs import RULES, Checker, Rule


class ApplyBody:
    """Stands on the stack where the block of an apply begins."""

    __slots__ = ("body",)

    def __init__(self, body: nodes.Node) -> None:
        self.body = body


class EndOfApply:
    """Stands on the stack where the block of an apply ends."""

    __slots__ = ()


class TaskChecker(Checker):
    """One walk over a program by the rules of plans."""

    rules: ClassVar[dict[type, Rule]] = {}

    def run(self) -> list[Diagnostic]:
        """Visit everything."""
        self.applying = False
        return super().run()

    def without_title(self, node: Any) -> bool:
        """A name before attributes is an idle name here."""
        return False

    def apply(self, node: Any) -> None:
        """``apply(…) { … }``."""
        if self.applying:
            self.report(issues.NOT_WHEN_COMPILING, node, what=capital(noun(node)))
            self.stack.append(node.body)
        else:
            self.stack += (EndOfApply(), ApplyBody(node.body))
        self.place_definitions(node.body, "apply")
        self.stack += node.arguments[::-1]

    def apply_body(self, node: ApplyBody) -> None:
        """The block of an apply begins."""
        self.applying = True
        self.stack.append(node.body)

    def end_of_apply(self, node: EndOfApply) -> None:
        """The block of an apply has ended."""
        self.applying = False

    def collector(self, node: Any) -> None:
        """What other nodes export cannot be collected in an apply block either."""
        if node.query.exported and self.applying:
            self.report(issues.NOT_WHEN_COMPILING, node, what="An exported collector")
        super().collector(node)


def for_catalogs(rule: Rule, in_apply: bool) -> Rule:
    """A rule for what belongs to a catalog; ``in_apply`` when it may stand in an apply block."""

    def checked(checker: TaskChecker, node: Any) -> None:
        known = len(checker.findings)
        rule(checker, node)
        if not (in_apply and checker.applying):
            # It is wrong altogether, so what is wrong about it does not matter.
            del checker.findings[known:]
            checker.report(issues.NOT_IN_SCRIPTS, node, what=capital(noun(node)))

    return checked


TaskChecker.rules = {
    **RULES,
    **{
        kind: for_catalogs(RULES[kind], False)
        for kind in (nodes.ClassDefinition, nodes.DefineDefinition)
    },
    **{
        kind: for_catalogs(RULES[kind], True)
        for kind in (
            nodes.NodeDefinition,
            nodes.Relationship,
            nodes.Resource,
            nodes.ResourceDefaults,
            nodes.ResourceOverride,
        )
    },
    nodes.Collector: for_catalogs(TaskChecker.collector, True),
    nodes.Apply: TaskChecker.apply,
    ApplyBody: TaskChecker.apply_body,
    EndOfApply: TaskChecker.end_of_apply,
}
