"""Notes about a project that may explain a failure."""

from __future__ import annotations

from bunraku.engine.request import Request
from bunraku.facts.made_up import made_up_facts
from bunraku.jobs.context import Context
from bunraku.modules.node import agent_facts
from bunraku.project.missing import missing_data, missing_parts
from bunraku.project.model import NOTHING
from bunraku.world.machine import Machine


def notes(context: Context, request: Request) -> str:
    """Return notes that may explain a failed compile: missing modules, data and facts."""
    found = missing_parts(context.project, Machine())
    if request.hiera_config is None:
        found += missing_data(context.project, Machine())
    if request.code is None and not has_facts(request) and context.project.kind != NOTHING:
        found.append(f"the node {request.node} has no facts; give --facts FILE")
    return "".join(f"note: {text}\n" for text in found)


def lookup_notes(context: Context, request: Request) -> str:
    """Return notes that may explain a failed lookup: missing data and facts."""
    found = missing_data(context.project, Machine()) if request.hiera_config is None else []
    if not has_facts(request):
        found.append(f"the node {request.node} has no facts; give --facts FILE")
    return "".join(f"note: {text}\n" for text in found)


def has_facts(request: Request) -> bool:
    """Return whether a node has facts beside those that every agent sets and those that are made up."""
    made_up = {**agent_facts(request.node, "x"), **made_up_facts(request.node)}
    return bool(request.facts.keys() - made_up.keys())
