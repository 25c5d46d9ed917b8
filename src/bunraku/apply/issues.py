"""Errors that prevent a run from applying a catalog."""

from __future__ import annotations

from bunraku.base.errors import Issue

DEPENDENCY_CYCLES = Issue("DEPENDENCY_CYCLE", "Found {count}:\n{cycles}")
UNKNOWN_SCHEDULE = Issue("UNKNOWN_SCHEDULE", "Could not find schedule {name}")
RUN_IN_PROGRESS = Issue(
    "RUN_IN_PROGRESS",
    "Run of bunraku is already in progress; skipping ({path} is held by {holder})",
)
NO_LOCK = Issue(
    "NO_LOCK",
    "The lock of the run cannot be made: {path}: {reason}; nothing was applied",
)
NOT_A_PLAN = Issue("NOT_A_PLAN", "The plan {path} cannot be read: {reason}")
PLAN_OUTDATED = Issue(
    "PLAN_OUTDATED",
    "The machine is not as it was when the plan was made; nothing was changed\n{differences}",
    hint="make the plan again",
)
