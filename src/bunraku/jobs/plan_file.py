"""Saved plans of deployments: exactly what is deployed, and what must not have changed until then."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from bunraku.base.file_reading import read_whole
from bunraku.base.records import record
from bunraku.deployment import issues
from bunraku.deployment.deployed import layer_data
from bunraku.deployment.environment_plan import PreparedEnvironment
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.formats.shape import FLAG, TEXT, WHOLE, Array, Fields
from bunraku.formats.shape import TEXTS as TEXT_LIST
from bunraku.jobs.plan_conditions import PlannedNodes
from bunraku.world.whole_files import write_whole

SCHEMA = 1
PRIVATE = 0o600
TEXTS = ("environment", "path", "live", "files", "changes", "facts", "digest")
LISTS = ("edited", "changed", "broken", "unknown")
NOT_COUNTED = frozenset({"facts", "digest"})
"""What the digest of a plan leaves out: the facts of nodes change all the time."""


@record(frozen=True)
class SavedPlan:
    """A plan: digests of what is live, of what changes, and of the changes of catalogs as they are shown.

    ``options`` are those of the deployment. ``edited`` are files that somebody has edited in the live
    directory.
    """

    environment: str
    path: str
    options: Mapping[str, Any]
    live: str
    layers: tuple[Mapping[str, Any], ...]
    files: str
    edited: tuple[str, ...]
    nodes: PlannedNodes
    changes: str
    facts: str = ""

    @property
    def data(self) -> dict[str, Any]:
        """The plan for programs, with its digest."""
        data = {
            "schema": SCHEMA,
            "environment": self.environment,
            "path": self.path,
            "options": dict(self.options),
            "live": self.live,
            "layers": [dict(one) for one in self.layers],
            "files": self.files,
            "edited": list(self.edited),
            "changed": list(self.nodes.changed),
            "broken": list(self.nodes.broken),
            "unknown": list(self.nodes.unknown),
            "nodes": self.nodes.total,
            "changes": self.changes,
        }
        return {**data, "facts": self.facts, "digest": digest_of(data)}

    @property
    def digest(self) -> str:
        """The digest of all but the facts: the same plan has it again."""
        digest: str = self.data["digest"]
        return digest


def digest_of(data: Any) -> str:
    """Return the digest of data.

    >>> digest_of({"b": 1, "a": 2}) == digest_of({"a": 2, "b": 1})
    True
    """
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def planned_state(prepared: PreparedEnvironment) -> dict[str, Any]:
    """Return the fields of a plan that must be the same when it is applied."""
    live, update = prepared.plan.live, prepared.update
    deployed = None if live is None else [live.number, [layer_data(one) for one in live.layers]]
    return {
        "live": digest_of([deployed, prepared.was_absent]),
        "layers": tuple(layer_data(one) for one in prepared.plan.layers),
        "files": digest_of(
            [sorted(update.changed), sorted(update.removed), sorted(update.carried)]
        ),
        "edited": tuple(sorted(update.edited)),
    }


def write_plan(path: str, plan: SavedPlan) -> None:
    """Write a plan; only its owner can read it. Raise PLAN_NOT_WRITTEN."""
    text = json.dumps(plan.data, indent=1, sort_keys=True) + "\n"
    try:
        write_whole(path, text.encode("utf-8", "surrogatepass"), mode=PRIVATE)
    except OSError as error:
        raise issues.PLAN_NOT_WRITTEN(path=path, reason=error.strerror or error) from None


OPTIONS = Fields(
    {**dict.fromkeys(("modules", "incremental", "force", "locked"), FLAG), "branch_override": TEXT},
    required=("modules", "incremental", "force", "locked", "branch_override"),
)
LAYER = Fields(
    dict.fromkeys(("directory", "name", "version", "revision", "tree"), TEXT),
    required=("directory", "name", "version", "revision", "tree"),
)
DOCUMENT = Fields(
    {
        **dict.fromkeys(TEXTS, TEXT),
        **dict.fromkeys(LISTS, TEXT_LIST),
        "options": OPTIONS,
        "layers": Array(LAYER),
        "nodes": WHOLE,
    },
    required=(*TEXTS, *LISTS, "options", "layers", "nodes"),
)


def read_plan(path: str) -> SavedPlan:
    """Return a plan from its file. Raise PLAN_NOT_READ."""
    try:
        data = parse_json(read_whole(path).decode("utf-8", "surrogatepass"))
    except OSError as error:
        raise issues.PLAN_NOT_READ(path=path, reason=error.strerror or error) from None
    except (FormatError, ValueError) as error:
        raise issues.PLAN_NOT_READ(path=path, reason=error) from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        reason = f"expected a plan of schema {SCHEMA}"
        raise issues.PLAN_NOT_READ(path=path, reason=reason)
    mismatch = DOCUMENT.mismatch(data)
    if mismatch is not None:
        raise issues.PLAN_NOT_READ(path=path, reason=mismatch)
    counted = {name: value for name, value in data.items() if name not in NOT_COUNTED}
    if digest_of(counted) != data.get("digest"):
        raise issues.PLAN_NOT_READ(path=path, reason="its digest is not that of its content")
    names = (tuple(data[name]) for name in ("changed", "broken", "unknown"))
    changed, broken, unknown = names
    nodes = PlannedNodes(changed, broken, data["nodes"], unknown)
    own = ("environment", "path", "options", "live", "files", "changes", "facts")
    return SavedPlan(
        layers=tuple(data["layers"]),
        edited=tuple(data["edited"]),
        nodes=nodes,
        **{name: data[name] for name in own},
    )


def moved(plan: SavedPlan, prepared: PreparedEnvironment) -> list[str]:
    """Return in sentences what changed since a plan was made."""
    now = planned_state(prepared)
    found = []
    if now["live"] != plan.live:
        live = prepared.plan.live
        number = "no deployment of bunraku" if live is None else f"deployment {live.number}"
        found.append(f"{number} is live, which the plan does not know")
    found += different_layers(plan.layers, now["layers"])
    edits = sorted(set(now["edited"]) ^ set(plan.edited))
    if edits:
        found.append(f"files were edited or restored: {', '.join(edits[:5])}")
    if not found and now["files"] != plan.files:
        found.append("files that no deployment manages came or went")
    return found


def different_layers(
    old: tuple[Mapping[str, Any], ...], new: tuple[Mapping[str, Any], ...]
) -> Iterator[str]:
    """Yield in sentences which modules, or the repository, are at other revisions."""
    before = {one["directory"]: one for one in old}
    after = {one["directory"]: one for one in new}
    for directory in dict.fromkeys([*before, *after]):
        then, now = before.get(directory), after.get(directory)
        if then == now:
            continue
        name = directory or "the control repository"
        if now is None:
            yield f"{name} is not declared any more"
        elif then is None:
            yield f"{name} was added"
        else:
            yield f"{name} is at {revision_of(now)} instead of {revision_of(then)}"


def revision_of(layer: Mapping[str, Any]) -> str:
    """Return what names the content of a layer: a short commit, a version, or the beginning of a digest."""
    return str(layer["revision"][:7] or layer["version"] or layer["tree"][:12])
