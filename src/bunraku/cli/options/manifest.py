"""The input of a command: a manifest, code, or the main manifest of the project."""

from __future__ import annotations

import argparse
import os
from typing import Any

from bunraku.base.usage import UsageError
from bunraku.cli.options.fact_sets import system_facts
from bunraku.cli.options.node import request_for_node
from bunraku.cli.options.project import ProjectOptions, facts_of, near_path
from bunraku.cli.options.shared import read_text
from bunraku.engine.request import Request
from bunraku.facts.made_up import made_up_facts
from bunraku.project.model import CONTROL_REPOSITORY, MODULE
from bunraku.project.module import first_class
from bunraku.world.machine import Machine


def compile_request(options: argparse.Namespace, place: ProjectOptions) -> Request:
    """Return the request to compile the input that the options select."""
    return request_for_node(
        options,
        place,
        facts_for(options, place),
        **what_to_compile(options, place),
        cycles=options.cycles,
        exports={} if options.with_exported else None,
    )


def facts_for(options: argparse.Namespace, place: ProjectOptions) -> dict[str, Any]:
    """Return the facts of the node; those that ``--node`` implies where no others are known."""
    facts = {**system_facts(options, options.node), **facts_of(options, place)}
    if facts or not options.node or options.facts_from:
        return facts
    return made_up_facts(options.node, options.environment)


def what_to_compile(options: argparse.Namespace, place: ProjectOptions) -> dict[str, Any]:
    """Return the code or the path of the main manifest; UsageError when there is none."""
    code, path = options.execute, options.file
    if code is not None and path is not None:
        raise UsageError("give FILE or -e CODE, not both")
    if path == "-":
        return {"code": read_text("-")}
    if code is None and path is None:
        check_complete(place)
        path = place.manifest
    if path is not None:
        existing_manifest(path)
    return {"code": code, "path": path}


def check_complete(place: ProjectOptions) -> None:
    """Raise UsageError if neither code nor a project is given."""
    project = place.project
    if project.kind == MODULE and place.manifest is None:
        name = first_class(project.root, project.name, Machine())
        raise UsageError(
            f"nothing to compile: {project.root} is the module {project.name!r}, "
            f"so give -e CODE such as -e 'include {name}'"
        )
    if place.manifest is None and not place.has_environment:
        raise UsageError(
            "nothing to compile: give a manifest or -e CODE, or run the command in a control "
            f"repository ({project.reason})"
        )
    classified = place.fields["settings"].get("node_terminus", "plain") != "plain"
    if place.manifest is None and project.kind == CONTROL_REPOSITORY and not classified:
        raise UsageError(
            f"nothing to compile: {project.root} has no main manifest (manifests/ or site.pp), "
            "so give FILE, -e CODE or a classifier (--external-nodes)"
        )


def existing_manifest(path: str) -> None:
    """Raise UsageError when a path is not a manifest or a directory with some."""
    if not os.path.exists(path):
        raise UsageError(f"cannot find {path}{near_path(path)}")
    if os.path.isdir(path):
        below = (name for _, _, names in os.walk(path) for name in names)
        if not any(name.endswith(".pp") for name in below):
            raise UsageError(f"no manifest (*.pp) is in the directory {path}")
