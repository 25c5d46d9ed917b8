"""Plans of deployments for people and for programs."""

from __future__ import annotations

from bunraku.base.excerpt import visible
from bunraku.cli.diff.text import FORMATS
from bunraku.cli.output.output import Paint
from bunraku.formats.json import clean_json_text
from bunraku.jobs.comparison_data import comparison_data
from bunraku.jobs.deployment_plans import DeploymentPlan


def plan_text(plan: DeploymentPlan, format_: str, paint: Paint) -> str:
    """Return a plan: the differences of catalogs as diff writes them, and what is deployed."""
    if format_ == "json":
        return clean_json_text(
            {
                **comparison_data(plan.comparison),
                "plan": {**plan.saved.data, "unmet": unmet(plan)},
            }
        )
    text = FORMATS[format_](plan.comparison, paint)
    if format_ == "html":
        return text
    lines = [*plan_summary(plan), *unmet(plan)]
    if format_ == "markdown":
        return text + "\n" + "".join(f"* {visible(line)}\n" for line in lines)
    return text + "".join(f"{visible(line)}\n" for line in lines)


def plan_summary(plan: DeploymentPlan) -> list[str]:
    """Return a line about nodes and files, and one with the digest of the plan."""
    nodes, update = plan.nodes, plan.result.update
    text = f"{plan.environment}: {len(nodes.changed)} of {nodes.total} nodes change"
    if nodes.broken:
        text += f", {len(nodes.broken)} would not compile any more"
    if nodes.unknown:
        text += f", {len(nodes.unknown)} not known, without a catalog before and after"
    if update is not None:
        word = "file" if len(update.changed) == 1 else "files"
        text += f"; {len(update.changed)} {word} to write, {len(update.removed)} to remove"
    if plan.result.modules:
        more = ", …" if len(plan.result.modules) > 5 else ""
        text += f" (modules: {', '.join(plan.result.modules[:5])}{more})"
    return [text, f"plan {plan.saved.digest}"]


def unmet(plan: DeploymentPlan) -> list[str]:
    """Return a line for each condition that is not met."""
    return [f"not met: {condition.text}: {reason}" for condition, reason in plan.unmet]
