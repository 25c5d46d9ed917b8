"""Evaluate Puppet code in a project."""

from __future__ import annotations

from typing import Any

from bunraku.base.usage import UsageError
from bunraku.engine.compile import evaluate_code
from bunraku.engine.request import Request
from bunraku.jobs.context import Context
from bunraku.jobs.facts_files import node_name


def evaluate(context: Context, code: str, name: str | None = None) -> Any:
    """Return the value of the last expression; ``name`` is the file that errors name.

    Raises PuppetError, and UsageError for options that contradict each other.
    """
    options = context.options
    if options.facts_from and not options.node:
        raise UsageError("--facts-from requires --node NAME")
    facts = context.facts(options.node)
    request = Request(
        code=code,
        as_file=name,
        node=options.node or node_name(facts),
        facts=facts,
        facts_from=options.facts_from,
        **context.fields,
        cycles=False,
    )
    return evaluate_code(request, context.observer.log)
