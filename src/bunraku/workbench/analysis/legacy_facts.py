"""Legacy facts, which agents of Puppet 8 do not send."""

from __future__ import annotations

from bunraku.base.errors import Diagnostic
from bunraku.base.records import replace
from bunraku.base.source import Place
from bunraku.facts.legacy import fact_expression, is_legacy, structured_keys
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.workbench.analysis.issues import LEGACY_FACT
from bunraku.workbench.analysis.names import written_name
from bunraku.workbench.analysis.state import Analysis


def are_absent(analysis: Analysis) -> bool:
    """Return whether agents of the dialect leave legacy facts out, by the settings."""
    return analysis.definitions.resolved.settings.get("include_legacy_facts") is False


def check_access(analysis: Analysis, node: nodes.Access) -> None:
    """Check ``$facts['name']``."""
    left = node.left
    if isinstance(left, nodes.Variable) and left.name.removeprefix("::") == "facts":
        name = written_name(node.keys[0]) if len(node.keys) == 1 else None
        if name is not None:
            check_name(analysis, node, name)


def check_name(analysis: Analysis, node: Node, name: str) -> None:
    """Report the name of a fact if it is a legacy one."""
    if is_legacy(name) and are_absent(analysis):
        analysis.warnings.append(finding(analysis.place(node), name, "$"))


def finding(place: Place, name: str, mark: str) -> Diagnostic:
    """Return the finding of a legacy fact, with the expression that replaces it."""
    found = LEGACY_FACT.diagnostic(place, "warning", name=name)
    keys = structured_keys(name)
    return replace(found, hint=f"use {mark}{fact_expression(keys)}" if keys else None)
