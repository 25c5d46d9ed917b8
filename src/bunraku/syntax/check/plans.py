"""Rules for tasks: plans are allowed, and catalog constructs only in ``apply`` blocks."""

from __future__ import annotations

from bunraku.base.lazy_typing import Any
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.descriptions import capital, noun
from bunraku.syntax.check.walk import RULES, Check, Mark, Rule, rule


class Applying(Mark):
    """Stands on the stack where the block of an ``apply`` begins or ends."""

    __slots__ = ("begins",)

    def __init__(self, begins: bool) -> None:
        self.begins = begins


@rule(nodes.Apply)
def apply(check: Check, node: nodes.Apply) -> None:
    """Check ``apply(…) { … }``."""
    if check.applying:
        check.report(issues.NOT_WHEN_COMPILING, node, what=capital(noun(node)))
        check.stack.append(node.body)
    else:
        check.stack += (Applying(begins=False), node.body, Applying(begins=True))
    check.place_definitions(node.body, "apply")
    check.stack += node.arguments[::-1]


@rule(Applying)
def applying(check: Check, node: Applying) -> None:
    """Record that the block of an ``apply`` begins or ends."""
    check.applying = node.begins


def for_catalogs(found: Rule, *, in_apply: bool) -> Rule:
    """Return a rule that refuses a catalog construct outside of ``apply``."""

    def checked(check: Check, node: Any) -> None:
        known = len(check.findings)
        found(check, node)
        if not (in_apply and check.applying):
            # Report the whole as wrong, without its details.
            del check.findings[known:]
            check.report(issues.NOT_IN_SCRIPTS, node, what=capital(noun(node)))

    return checked


def rules_with_plans() -> dict[type, Rule]:
    """Return the rules of the dialect that has plans; all other rules are registered by then."""
    never = (nodes.ClassDefinition, nodes.DefineDefinition)
    in_apply = (
        nodes.NodeDefinition,
        nodes.Relationship,
        nodes.Resource,
        nodes.ResourceDefaults,
        nodes.ResourceOverride,
        nodes.Collector,
    )
    return {
        **RULES,
        **{kind: for_catalogs(RULES[kind], in_apply=False) for kind in never},
        **{kind: for_catalogs(RULES[kind], in_apply=True) for kind in in_apply},
    }
