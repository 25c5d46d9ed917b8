"""Saved plans: a catalog with its planned changes so that exactly these can be applied later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.apply.issues import NOT_A_PLAN, PLAN_OUTDATED
from bunraku.apply.plan import ACTIONS, FORMAT_VERSION, Plan, essence, plan_data
from bunraku.base.file_reading import LARGEST_CATALOG, read_whole
from bunraku.base.records import record
from bunraku.base.source import Place
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.document import CATALOG
from bunraku.formats.failure import FormatError
from bunraku.formats.json import json_text, parse_json
from bunraku.formats.shape import FLAG, TEXT, TEXTS, WHOLE, Array, Choice, Fields, WrongShape

VERSIONED = Fields({"version": WHOLE}, ("version",))
CHANGE = Fields({"property": TEXT, "message": TEXT, "diff": TEXT}, ("message",))
STEP = Fields(
    {
        "resource": TEXT,
        "action": Choice(ACTIONS),
        "changes": Array(CHANGE),
        "refreshed_by": TEXTS,
    },
    ("resource", "action", "changes", "refreshed_by"),
)
CHOICES = Fields(
    {
        "tags": TEXTS,
        "skip_tags": TEXTS,
        "ignoreschedules": FLAG,
        "ruby_providers": FLAG,
        "preprocess_deferred": FLAG,
    },
    ("tags", "skip_tags", "ignoreschedules", "ruby_providers", "preprocess_deferred"),
)
PLAN = Fields(
    {"steps": Array(STEP), "choices": CHOICES, "modules": TEXTS, "catalog": CATALOG},
    ("steps", "choices", "modules", "catalog"),
)
"""The parts of a saved plan that are read."""
MOST_NAMED = 10
"""The number of differences listed in a message."""


@record(frozen=True)
class SavedPlan:
    """A plan with its catalog and the options that selected its resources."""

    catalog: Catalog
    steps: list[dict[str, Any]]
    choices: Mapping[str, Any]
    modules: Sequence[str]


def saved_text(
    plan: Plan, catalog: Catalog, choices: Mapping[str, Any], modules: Sequence[str]
) -> str:
    """Return the text of a plan file; the catalog in it has its secrets in clear text."""
    more = {"choices": dict(choices), "modules": list(modules), "catalog": catalog.to_data()}
    return json_text(plan_data(plan) | more) + "\n"


def read_plan(path: str) -> SavedPlan:
    """Read the plan in a file; raise PuppetError for a damaged plan."""
    try:
        content = read_whole(path, LARGEST_CATALOG)
        data = parse_json(content.decode("utf-8", "surrogateescape"))
        VERSIONED.require(data)
        if data["version"] != FORMAT_VERSION:
            raise FormatError(f"its format has version {data['version']}, not {FORMAT_VERSION}")
        PLAN.require(data)
        return SavedPlan(Catalog(data["catalog"]), data["steps"], data["choices"], data["modules"])
    except (FormatError, WrongShape, OSError) as error:
        reason = str(error)
    raise NOT_A_PLAN(path=path, reason=reason).at(Place(path))


def check_unchanged(saved: SavedPlan, plan: Plan) -> None:
    """Raise PuppetError unless a new plan is the same as a saved one."""
    before, now = essence(saved.steps), essence(plan_data(plan)["steps"])
    if before == now:
        return
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    lines = [f"  {name}: {changed(name in before, name in now)}" for name in names[:MOST_NAMED]]
    if len(names) > MOST_NAMED:
        lines.append(f"  and {len(names) - MOST_NAMED} more")
    if not names:
        lines = ["  the order of the steps"]
    raise PLAN_OUTDATED(differences="\n".join(lines))


def changed(before: bool, now: bool) -> str:
    """Return the difference of a step between two plans."""
    if before and now:
        return "would change in another way now"
    return "would not change any more" if before else "would change, too"
