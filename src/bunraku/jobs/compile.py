"""What is compiled, for which node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.base.records import record
from bunraku.base.usage import UsageError
from bunraku.engine.request import Request
from bunraku.facts.made_up import made_up_facts
from bunraku.jobs.context import Context
from bunraku.jobs.paths import existing_manifest
from bunraku.project.model import CONTROL_REPOSITORY, MODULE
from bunraku.project.module import first_class
from bunraku.world.machine import Machine


@record()
class CodeOrManifest:
    """What is compiled: code, or the path of a manifest or of a directory; neither is the main manifest."""

    code: str | None = None
    path: str | None = None


def compile_request(
    context: Context,
    what: CodeOrManifest,
    *,
    system_facts: Mapping[str, Any] | None = None,
    several: bool = False,
    **fields: Any,
) -> Request:
    """Return the request for the node of the options, or for what ``several`` nodes have in common.

    ``system_facts`` are facts of an operating system, which facts of the node override. A node that is
    named and has no facts gets generated ones. Raises UsageError.
    """
    options = context.options
    facts = {**(system_facts or {}), **context.facts(options.node)}
    if not facts and options.node and not options.facts_from:
        facts = made_up_facts(options.node, options.environment)
    return context.request(facts, several=several, **what_to_compile(context, what), **fields)


def what_to_compile(context: Context, what: CodeOrManifest) -> dict[str, Any]:
    """Return the code or the path of the main manifest as fields; UsageError when there is none."""
    code, path = what.code, what.path
    if code is not None and path is not None:
        raise UsageError("give FILE or -e CODE, not both")
    if code is None and path is None:
        check_complete(context)
        path = context.manifest
    if path is not None:
        existing_manifest(path)
    return {"code": code, "path": path}


def check_complete(context: Context) -> None:
    """Raise UsageError if neither code nor a project is given."""
    project = context.project
    if project.kind == MODULE and context.manifest is None:
        name = first_class(project.root, project.name, Machine())
        raise UsageError(
            f"nothing to compile: {project.root} is the module {project.name!r}, "
            f"so give -e CODE such as -e 'include {name}'"
        )
    if context.manifest is None and not context.has_environment:
        raise UsageError(
            "nothing to compile: give a manifest or -e CODE, or run the command in a control "
            f"repository ({project.reason})"
        )
    classified = context.fields["settings"].get("node_terminus", "plain") != "plain"
    if context.manifest is None and project.kind == CONTROL_REPOSITORY and not classified:
        raise UsageError(
            f"nothing to compile: {project.root} has no main manifest (manifests/ or site.pp), "
            "so give FILE, -e CODE or a classifier (--external-nodes)"
        )
