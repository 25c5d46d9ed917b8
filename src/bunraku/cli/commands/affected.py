"""List the nodes that a change of a control repository can reach, with the reasons."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.diff.repository import (
    add_match_option,
    add_repository_options,
    request_for,
    root_and_nodes,
)
from bunraku.cli.nodes.executor import executor_of
from bunraku.cli.nodes.progress import Progress
from bunraku.cli.options.shared import (
    add_limit_options,
    add_output_options,
    add_process_options,
    limits_of,
    paint_for,
)
from bunraku.cli.output.output import write
from bunraku.cli.report.excerpt import visible
from bunraku.cli.report.log import Printer, warn_about_cache
from bunraku.engine.affected import Affected, find_affected
from bunraku.engine.nodes import compile_tasks
from bunraku.engine.revisions import State, states_of
from bunraku.formats.json import clean_json_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku affected``."""
    parser.add_argument(
        "sides",
        nargs="*",
        metavar="REVISION",
        help="two git revisions (OLD NEW, OLD..NEW, or OLD...NEW from their last common commit), or "
        "one revision to compare with the working tree (default: HEAD)",
    )
    parser.add_argument(
        "--format", choices=list(FORMATS), default="text", help="output format (default: text)"
    )
    parser.add_argument(
        "--exit-zero", action="store_true", help="exit with 0 even if nodes are affected"
    )
    add_match_option(parser)
    add_process_options(add_repository_options(parser))
    add_limit_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the nodes; the exit code is that of diff: 0 none, 1 some, 2 trouble."""
    if len(options.sides) > 2:
        raise UsageError(f"affected compares two revisions, not {len(options.sides)}")
    root, files = root_and_nodes(options)
    warn_about_cache(Printer("warning", paint_for(options)))
    try:
        states = states_of(root, options.sides)
        with executor_of(options) as executor, Progress(len(files)) as progress:
            nodes = find_affected(
                root,
                states,
                partial(request_for, options),
                files,
                compile_all=partial(
                    compile_tasks,
                    executor=executor,
                    jobs=options.jobs,
                    done=lambda outcome: progress.step(ok=outcome.ok),
                    held=lambda _: progress.hold(),
                ),
                limits=limits_of(options),
            )
    except PuppetError as error:
        hint = f"; {error.diagnostic.hint}" if error.diagnostic.hint else ""
        raise UsageError(f"{error}{hint}") from error
    write(FORMATS[options.format](nodes, states))
    some = any(one.reasons for one in nodes)
    return exits.FINDINGS if some and not options.exit_zero else exits.OK


def as_text(nodes: Sequence[Affected], _states: tuple[State, State]) -> str:
    """Return a line for each group of nodes that have the same reasons, and the number of nodes.

    >>> from bunraku.engine.affected import Reason
    >>> reasons = (Reason("file", "manifests/site.pp"), Reason("key", "a::b", "data/common.yaml"))
    >>> nodes = [Affected("a", reasons), Affected("b", reasons), Affected("c", ())]
    >>> print(as_text(nodes, (State("HEAD"), State("x"))), end="")
    a, b: manifests/site.pp, key a::b
    2 of 3 nodes affected
    """
    groups: dict[str, list[str]] = {}
    for one in nodes:
        if one.reasons:
            texts = dict.fromkeys(reason.text for reason in one.reasons)
            groups.setdefault(", ".join(texts), []).append(one.node)
    lines = [f"{', '.join(names)}: {reasons}" for reasons, names in groups.items()]
    count = sum(1 for one in nodes if one.reasons)
    lines.append(f"{count} of {len(nodes)} nodes affected")
    return "".join(f"{visible(line)}\n" for line in lines)


def as_json(nodes: Sequence[Affected], states: tuple[State, State]) -> str:
    """Return the nodes for programs, those without reasons too."""
    old, new = states
    data: dict[str, Any] = {"schema": 1, "old": old.title, "new": new.title}
    data["affected"] = sum(1 for one in nodes if one.reasons)
    data["nodes"] = [
        {
            "node": one.node,
            "affected": bool(one.reasons),
            "reasons": [
                {"kind": reason.kind, "name": reason.name}
                | ({} if reason.path is None else {"path": reason.path})
                for reason in one.reasons
            ],
        }
        for one in nodes
    ]
    return clean_json_text(data)


FORMATS = {"text": as_text, "json": as_json}
