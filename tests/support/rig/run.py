"""Running one case inside its namespaces, and the capture that comes out."""

from __future__ import annotations

import json
import shlex
import shutil
import tempfile
from pathlib import Path
from typing import Any

from support.rig import base, container, report, state
from support.rig.case import Case, check, lay_out, load
from support.rig.container import Root

TIMEOUT = 600.0
"""Seconds that one run may take."""
UNIT_FACTS = ("LoadState", "ActiveState", "SubState", "UnitFileState", "FragmentPath")


def inside(spec_path: Path) -> None:
    """The worker: lay out, run, capture. `spec` comes from rig.py; the capture is written beside it."""
    spec = json.loads(spec_path.read_text())
    case = load(Path(spec["case"]))
    root = Root(
        Path(spec["base"]), spec_path.parent / "mount", [tuple(bind) for bind in spec["binds"]]
    )
    try:
        lay_out(case, root)
        captures = [one_run(case, root, run, spec) for run in case.runs]
    finally:
        root.close()
    capture: dict[str, Any] = {
        "case": case.name,
        "title": case.title,
        "topic": case.topic,
        "runs": captures,
    }
    (spec_path.parent / "capture.json").write_text(json.dumps(capture))


def one_run(case: Case, root: Root, run: dict[str, Any], spec: dict[str, Any]) -> dict[str, Any]:
    """Apply once and say what became of the root."""
    if "before" in run:
        check(root.run(run["before"]), f"before: {run['before']}")
    manifest = run.get("manifest", case.manifest)
    place = root.path / "rig/site.pp"
    place.write_text(manifest, "utf-8")
    for stale in report.CANDIDATES if spec["report"] is None else [spec["report"]]:
        (root.path / stale.lstrip("/")).unlink(missing_ok=True)
    options = [*case.options, *map(str, run.get("options", []))]
    detailed = ["--detailed-exitcodes"] if run.get("detailed", True) else []
    words = shlex.split(
        spec["with"].format(
            manifest="/rig/site.pp",
            modulepath="/rig/modules",
            options=shlex.join(detailed + options),
        )
    )
    before = state.scan(root.path, json.loads(base.INDEX.read_text()))
    views = looks(case, root, manifest)
    done = root.run(
        words, timeout=spec["timeout"], environment={**spec["environment"], **case.environment}
    )
    after = state.scan(root.path, before)
    paths, rewritten = state.path_changes(before, after)
    fresh = looks(case, root, manifest)
    capture: dict[str, Any] = {
        "options": options,
        "exit": done.returncode,
        "state": {"paths": paths, "rewritten": rewritten, **differences(views, fresh)},
        "stdout": state.steady(done.stdout.decode("utf-8", "replace")).splitlines(),
        "stderr": state.steady(done.stderr.decode("utf-8", "replace")).splitlines(),
    }
    found = report.find(root.path, spec["report"])
    if found is None:
        return capture | {"report": None}
    facts = report.read(found.read_text("utf-8", "replace"))
    return capture | {"order": list(facts["statuses"]), "report": facts}


def looks(case: Case, root: Root, manifest: str) -> dict[str, dict[str, Any]]:
    """Accounts, packages, mounts and units as they are now."""
    views: dict[str, dict[str, Any]] = state.accounts(root.path, manifest)
    views["packages"] = state.packages(root.path)
    views["mounts"] = root.mounts()
    watched = [*case.watch, *(unit["name"] for unit in case.units)]
    if case.systemd and watched:
        views["units"] = {name: unit(root, name) for name in watched}
    return views


def unit(root: Root, name: str) -> dict[str, str]:
    """What systemd says of one unit; `started` is an identity that changes with every start."""
    shown = root.run(
        ["systemctl", "show", name, "-p", ",".join((*UNIT_FACTS, "InvocationID", "NRestarts"))]
    ).stdout.decode()
    facts = dict(line.partition("=")[::2] for line in shown.splitlines())
    started = facts.pop("InvocationID", "")
    facts.pop("NRestarts", None)
    return facts | {"started": started}


def differences(
    views: dict[str, dict[str, Any]], fresh: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Changes in accounts, packages and units; of a unit's start identity only whether it is another one."""
    found = {
        name: state.changed(views[name], fresh[name])
        for name in views
        if views[name] != fresh[name]
    }
    for change in found.get("units", {}).values():
        was, now = change["was"].pop("started"), change["now"].pop("started")
        change["started"] = (
            "again"
            if was and now and was != now
            else "same"
            if was == now
            else "yes"
            if now
            else "no"
        )
    return found


def run_case(
    path: Path, command: str, binds: list[tuple[str, str]], environment: dict[str, str]
) -> dict[str, Any]:
    """Return what a case came to; ``command`` has places for {manifest}, {modulepath} and {options}."""
    runs = base.CACHE / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=runs))
    try:
        spec = {
            "case": str(path),
            "environment": environment,
            "report": None,
            "timeout": TIMEOUT,
            "base": str(base.ensure().resolve()),
            "with": command,
            "binds": binds,
        }
        (scratch / "spec.json").write_text(json.dumps(spec))
        status = container.isolate(scratch / "spec.json")
        if status != 0:
            raise base.RigError(f"{path.name}: the case could not be run (status {status})")
        found: dict[str, Any] = json.loads((scratch / "capture.json").read_text())
        return found
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
