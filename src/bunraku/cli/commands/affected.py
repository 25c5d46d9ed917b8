"""List the nodes that a change of a control repository can reach, with the reasons."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from bunraku.base.excerpt import visible
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.declarations import CHOICE_OF_NODES, GENERAL, Rules, choice, limits
from bunraku.cli.options.nodes import chosen_nodes
from bunraku.cli.options.repository import REPOSITORY, repository_context
from bunraku.cli.output.output import write
from bunraku.formats.json import clean_json_text
from bunraku.jobs.affected import AffectedNodes, affected, affected_data, affected_summary

OPTIONS = f"""
sides [REVISION]...: two git revisions (OLD NEW, OLD..NEW, or OLD...NEW from their last common
    commit), or one revision to compare with the working tree (default: HEAD)
--format: output format (default: text)
--exit-zero: exit with 0 even if nodes are affected
{CHOICE_OF_NODES}
{REPOSITORY}
{limits()}
{GENERAL}
"""


def run(options: argparse.Namespace) -> int:
    """Print the nodes; the exit code is that of diff: 0 none, 1 some, 2 trouble."""
    if len(options.sides) > 2:
        raise UsageError(f"affected compares two revisions, not {len(options.sides)}")
    context = repository_context(options)
    result = affected(options.sides, context, chosen_nodes(options))
    write(FORMATS[options.format](result))
    return exits.FINDINGS if result.reached and not options.exit_zero else exits.OK


def as_text(result: AffectedNodes) -> str:
    """Return a line for each group of nodes that have the same reasons, and the number of nodes.

    >>> from bunraku.engine.affected import Affected, Reason
    >>> reasons = (Reason("file", "manifests/site.pp"), Reason("key", "a::b", "data/common.yaml"))
    >>> nodes = [Affected("a", reasons), Affected("b", reasons), Affected("c", ())]
    >>> print(as_text(AffectedNodes("HEAD", "x", nodes)), end="")
    a, b: manifests/site.pp, key a::b
    2 of 3 nodes affected
    """
    groups: dict[str, list[str]] = {}
    for one in result.reached:
        texts = dict.fromkeys(reason.text for reason in one.reasons)
        groups.setdefault(", ".join(texts), []).append(one.node)
    lines = [f"{', '.join(names)}: {reasons}" for reasons, names in groups.items()]
    lines += affected_summary(result)
    return "".join(f"{visible(line)}\n" for line in lines)


FORMATS: Mapping[str, Callable[[AffectedNodes], str]] = {
    "text": as_text,
    "json": lambda result: clean_json_text(affected_data(result)),
}
RULES: Rules = {"format": choice(*FORMATS)}
