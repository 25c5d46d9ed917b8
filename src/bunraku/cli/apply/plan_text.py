"""A plan as text: a line for each resource, followed by its changes."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.apply.plan import Action, Difference, Plan, Step
from bunraku.base.excerpt import visible
from bunraku.cli.output.output import Paint
from bunraku.types.text.display import literal

SIGNS: dict[Action, tuple[str, str]] = {
    "create": ("+", "green"),
    "change": ("~", "yellow"),
    "remove": ("-", "red"),
    "refresh": ("~", "cyan"),
    "fail": ("!", "red+bold"),
}
"""Action → the sign before a resource, and its colour."""
DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def plan_text(plan: Plan, paint: Paint) -> str:
    """Return a plan as text."""
    lines = [line for step in plan.steps for line in step_lines(step, paint)]
    if plan.by_puppet:
        names = ", ".join(map(visible, plan.by_puppet))
        lines.append(f"An installed Puppet manages {names}.")
    return "\n".join([*lines, plan_summary(plan)]) + "\n"


def step_lines(step: Step, paint: Paint) -> Iterator[str]:
    """Yield the lines of a step."""
    sign, style = SIGNS[step.action]
    place = f"  ({step.file}:{step.line})" if step.file and step.line else ""
    yield paint(style, f"{sign} {visible(step.resource)}") + paint("dim", place)
    for one in step.differences:
        yield from difference_lines(one, step.action)
        if one.diff:
            for line in one.diff.split("\n"):
                yield "      " + paint(DIFF_STYLES.get(line[:1], "dim"), visible(line))
    if step.refreshed_by:
        yield f"    refreshed by {', '.join(map(visible, step.refreshed_by))}"


def difference_lines(one: Difference, action: Action) -> Iterator[str]:
    """Yield the change of a property, or the reason of a failure."""
    if action == "fail" or one.name is None:
        yield "    " + visible(one.message)
        return
    before, after = (visible(shown(value)) for value in (one.before, one.after))
    yield f"    {one.name}: {before} => {after}"


def shown(value: object) -> str:
    """Return a state on one line; simple words have no quotes."""
    return value if isinstance(value, str) and value.isprintable() and value else literal(value)


def plan_summary(plan: Plan) -> str:
    """Return the last line of a plan."""
    if not plan.steps:
        return "Nothing to do: this machine is as the catalog describes it."
    counts = plan.counts()
    parts = [f"{count} to {action}" for action, count in counts.items() if action != "fail"]
    failing = f", {counts['fail']} would fail" if counts["fail"] else ""
    return f"Plan: {', '.join(parts)}{failing}."
