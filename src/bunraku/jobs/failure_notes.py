"""Notes about a project that may explain a failure."""

from __future__ import annotations

import os

from bunraku.base.suggestions import suggestion
from bunraku.engine.request import Request
from bunraku.facts.documents import facts_files
from bunraku.facts.made_up import made_up_facts
from bunraku.jobs.context import Context
from bunraku.modules.node import agent_facts
from bunraku.project.missing import missing_data, missing_parts
from bunraku.project.model import NOTHING
from bunraku.world.machine import Machine


def notes(context: Context, request: Request) -> str:
    """Return notes that may explain a failed compile: missing modules, data and facts."""
    found = lacking_parts(context)
    if request.code is None and not has_facts(request) and context.project.kind != NOTHING:
        found.append(without_facts(context, request.node))
    return "".join(f"note: {text}\n" for text in found)


def missing_notes(context: Context) -> str:
    """Return notes about the parts of a project that nodes may lack."""
    return "".join(f"note: {text}\n" for text in lacking_parts(context))


def lacking_parts(context: Context) -> list[str]:
    """Return a sentence for each part of a project that nodes may lack: modules, the configuration of Hiera."""
    found = missing_parts(context.project, Machine())
    if context.options.hiera_config is None:
        found += missing_data(context.project, Machine())
    return found


def without_facts(context: Context, node: str) -> str:
    """Return the note about a node without facts, with the nearest node that has some."""
    folder = context.facts_folder
    names = facts_files(folder) if folder and os.path.isdir(folder) else {}
    return f"the node {node} has no facts{suggestion(node, names)}; give --facts FILE"


def lookup_notes(context: Context, request: Request) -> str:
    """Return notes that may explain a failed lookup: missing data and facts."""
    found = missing_data(context.project, Machine()) if request.hiera_config is None else []
    if not has_facts(request):
        found.append(without_facts(context, request.node))
    return "".join(f"note: {text}\n" for text in found)


def has_facts(request: Request) -> bool:
    """Return whether a node has facts besides those that every agent sets and generated ones."""
    made_up = {**agent_facts(request.node, "x"), **made_up_facts(request.node)}
    return bool(request.facts.keys() - made_up.keys())
