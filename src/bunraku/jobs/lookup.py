"""Look up Hiera keys as the manifests of a node would."""

from __future__ import annotations

import os
from typing import Any

from bunraku.base.usage import UsageError
from bunraku.engine.lookup import Answer, Question, look_up
from bunraku.engine.request import Request
from bunraku.facts.collect import ALL, OF_NODE_NAME, MachineFacts
from bunraku.jobs.context import Context
from bunraku.jobs.facts import this_machine
from bunraku.limits.limits import Limited
from bunraku.modules.fact_reads import Gathering
from bunraku.modules.node import agent_facts
from bunraku.modules.settings import DEFAULTS

UNCLASSIFIED = (
    "the node classifier is only used with --compile, as in Puppet; without it, variables that it "
    "sets are undefined"
)


def lookup(context: Context, question: Question) -> tuple[Answer, Request]:
    """Return the answer, and the request that it is for. Raises PuppetError and UsageError.

    Without a node and facts, the node is this machine, whose facts are collected as the data need them.
    """
    find_environment(context)
    with Limited(context.limits):
        request, gathering = lookup_request(context, compiles=question.after_compile)
        classified = request.settings.get("node_terminus", "plain") != "plain"
        if classified and not question.after_compile:
            context.observer.note(UNCLASSIFIED)
        return look_up(request, question, context.observer.log, gathering), request


def find_environment(context: Context) -> None:
    """Use Puppet's default environment if no other is known; raise UsageError if it does not exist."""
    fields = context.fields
    if (
        context.has_environment
        or fields["modulepath"]
        or fields["modules"]
        or fields["hiera_config"]
    ):
        return
    settings = fields["settings"]
    name = str(settings.get("environment", "production"))
    codedir = str(settings.get("codedir", DEFAULTS["codedir"]))
    usual = str(DEFAULTS["environmentpath"]).replace("$codedir", codedir)
    if not os.path.isdir(f"{usual}/{name}"):
        raise UsageError(
            f"cannot find an environment: {context.project.reason}, and {usual}/{name} does not "
            "exist; run the command in a control repository or give --environmentpath"
        )
    fields["settings"] = {**settings, "environmentpath": usual}


def lookup_request(context: Context, *, compiles: bool) -> tuple[Request, Gathering | None]:
    """Return the request: for which node, in which environment; and where its other facts are."""
    options = context.options
    facts = context.facts(options.node)
    machine = None
    if not (facts or options.facts or options.node):
        machine = this_machine(context.observer)
        # Legacy facts are made of any of the others.
        everything = compiles or context.fields["settings"].get("include_legacy_facts")
        facts = machine.facts(None if everything else OF_NODE_NAME)
        machine = None if everything else machine
    request = context.request(facts, path=context.manifest, cycles=False)
    return request, None if machine is None else gathering_of(context, request.node, machine)


def gathering_of(context: Context, node: str, machine: MachineFacts) -> Gathering:
    """Return the facts of this machine for a lookup; the node is this machine."""
    agent = agent_facts(node, context.options.environment)

    def facts(names: frozenset[str] | None) -> dict[str, Any]:
        return {**agent, **machine.facts(names)}

    return Gathering(ALL, facts, OF_NODE_NAME)
