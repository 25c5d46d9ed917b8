"""Run a case in a sandbox and record its outcome: exit code, changes of the machine, report, output."""

from __future__ import annotations

import shlex
from typing import Any

from rigs.roots import changes, report
from rigs.roots.case import Case, Run
from rigs.roots.changes import Facts, Paths
from rigs.roots.layout import lay_out
from rigs.roots.masks import steady
from rigs.roots.sandbox import Sandbox

UNIT_FACTS = ("LoadState", "ActiveState", "SubState", "UnitFileState", "FragmentPath")


def run_in(sandbox: Sandbox, case: Case, command: str) -> dict[str, Any]:
    """Lay out the case and do its runs; the command has places for {manifest}, {modulepath}, {options}."""
    try:
        lay_out(case, sandbox)
        runs = [run_once(sandbox, case, run, command) for run in case.runs]
    finally:
        sandbox.close()
    return {"case": case.name, "title": case.title, "topic": case.topic, "runs": runs}


def run_once(sandbox: Sandbox, case: Case, run: Run, command: str) -> dict[str, Any]:
    """Apply once and return the outcome."""
    if run.before:
        sandbox.must(["sh", "-ec", run.before])
    (sandbox.root / "rig/site.pp").write_text(run.manifest, "utf-8")
    report.remove(sandbox.root)
    options = ["--detailed-exitcodes", *run.options] if run.detailed else run.options
    words = shlex.split(
        command.format(
            manifest="/rig/site.pp", modulepath="/rig/modules", options=shlex.join(options)
        )
    )
    paths, views = Paths(sandbox), look(sandbox, case, run)
    done = sandbox.run(words, environment=case.environment)
    changed, rewritten = changes.compare_paths(paths, Paths(sandbox, paths))
    outcome: dict[str, Any] = {
        "options": run.options,
        "exit": done.returncode,
        "state": {
            "paths": changed,
            "rewritten": rewritten,
            **compare_views(views, look(sandbox, case, run)),
        },
        "stdout": steady(done.stdout.decode("utf-8", "replace")).splitlines(),
        "stderr": steady(done.stderr.decode("utf-8", "replace")).splitlines(),
        "report": None,
    }
    if file := report.find(sandbox.root):
        outcome["report"] = report.read(file.read_text("utf-8", "replace"))
        outcome["order"] = outcome["report"].pop("order")
    return outcome


def look(sandbox: Sandbox, case: Case, run: Run) -> dict[str, dict[str, Facts]]:
    """Return accounts, packages, mounts and units as they are now."""
    views = changes.accounts(sandbox.root, run.manifest)
    views["packages"] = changes.packages(sandbox.root)
    views["mounts"] = dict(sandbox.mounts())
    if case.systemd:
        names = [*case.watch, *(unit["name"] for unit in case.units)]
        views["units"] = {name: unit_facts(sandbox, name) for name in names}
    return views


def unit_facts(sandbox: Sandbox, name: str) -> Facts:
    """Return the state of a unit; ``started`` changes with every start."""
    wanted = ",".join((*UNIT_FACTS, "InvocationID"))
    shown = sandbox.run(["systemctl", "show", name, f"--property={wanted}"]).stdout.decode()
    facts: Facts = dict(line.partition("=")[::2] for line in shown.splitlines())
    facts["started"] = facts.pop("InvocationID", "")
    return facts


def compare_views(
    before: dict[str, dict[str, Facts]], after: dict[str, dict[str, Facts]]
) -> dict[str, Any]:
    """Return the changes in each view; for a unit's start, only whether there was another one."""
    found = {name: changes.compare_facts(before[name], after[name]) for name in before}
    for change in found.get("units", {}).values():
        change["started"] = restart(change["was"].pop("started"), change["now"].pop("started"))
    return {name: changed for name, changed in found.items() if changed}


def restart(was: str, now: str) -> str:
    """Return how a unit was started between two looks."""
    if was == now:
        return "same"
    if not now:
        return "no"
    return "again" if was else "yes"
