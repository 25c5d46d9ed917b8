"""Comparisons of catalogs as the options say, and of the states of a repository."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.catalog.compare import Difference, compare
from bunraku.catalog.ignore import Ignore, parse_ignore, without_ignored
from bunraku.cli.diff.groups import Comparison, Report
from bunraku.cli.diff.repository import request_for
from bunraku.cli.nodes.executor import executor_of
from bunraku.cli.nodes.progress import Progress
from bunraku.cli.options.shared import TakesOptions, limits_of, paint_for
from bunraku.cli.output.output import write_error
from bunraku.cli.report.log import Printer, warn_about_cache
from bunraku.engine.nodes import Outcome, compile_tasks
from bunraku.engine.request import Request
from bunraku.engine.revisions import State, compile_states
from bunraku.limits.limits import Limited
from bunraku.world.protocol import World

Compare = Callable[[Mapping[str, Any], Mapping[str, Any]], Difference]


def add_comparison_options(parser: TakesOptions) -> None:
    """Add the options for what counts as a difference."""
    parser.add_argument("--tags", action="store_true", help="also compare resource tags")
    parser.add_argument("--no-edges", action="store_true", help="do not compare edges")
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="PATTERN",
        help="leave out changes of Type[title] or Type[title]::parameters::NAME; '*' stands for "
        "any text; may be repeated",
    )
    parser.add_argument(
        "--ignore-attr",
        action="append",
        default=[],
        metavar="NAME",
        help="leave out changes of this parameter of any resource; may be repeated",
    )


def comparer(options: argparse.Namespace) -> Compare:
    """Return the comparison of two catalogs that the options ask for; raise UsageError."""
    ignores = ignores_from(options)

    def compare_both(old: Mapping[str, Any], new: Mapping[str, Any]) -> Difference:
        with Limited(limits_of(options)):
            found = compare(old, new, tags=options.tags, edges=not options.no_edges)
            return without_ignored(found, ignores)

    return compare_both


def ignores_from(options: argparse.Namespace) -> list[Ignore]:
    """Return the patterns of changes to leave out."""
    attributes = [f"*[*]::parameters::{name}" for name in options.ignore_attr]
    try:
        return [parse_ignore(text) for text in (*options.ignore, *attributes)]
    except PuppetError as error:
        raise UsageError(f"{error}; {error.diagnostic.hint}") from error


def wrong_revision(error: PuppetError) -> UsageError:
    """Return the usage error for a revision or a repository that cannot be used."""
    hint = f"; {error.diagnostic.hint}" if error.diagnostic.hint else ""
    return UsageError(f"{error}{hint}")


def compare_states(
    options: argparse.Namespace,
    root: str,
    states: tuple[State, State],
    files: Mapping[str, str | None],
    compare_both: Compare,
    classes: Mapping[str, Sequence[str]] | None = None,
    request_of: Callable[[str, World], Request] | None = None,
    *,
    lines: bool = True,
) -> Report:
    """Compile nodes (facts files by name) in two states of a directory, and compare their catalogs.

    ``classes`` are those of nodes that stand for roles. ``request_of`` returns the request for a
    directory that is not a control repository. ``lines`` is whether progress is reported without a
    terminal, too.
    """
    notes: list[str] = []
    warn_about_cache(Printer("warning", paint_for(options)))
    try:
        with executor_of(options) as executor, Progress(2 * len(files), lines=lines) as progress:
            sides = compile_states(
                root,
                states,
                request_of or partial(request_for, options),
                files,
                compile_all=partial(
                    compile_tasks,
                    executor=executor,
                    jobs=options.jobs,
                    done=lambda outcome: progress.step(ok=outcome.ok),
                    held=lambda _: progress.hold(),
                ),
                note=notes.append,
                limits=limits_of(options),
                classes=classes,
            )
    except PuppetError as error:
        raise wrong_revision(error) from error
    for text in notes:
        write_error(f"note: {text}\n")
    old, new = states
    nodes = [compared(*pair, states, compare_both) for pair in zip(*sides, strict=True)]
    return Report(old.title, new.title, nodes)


def compared(
    old: Outcome, new: Outcome, states: tuple[State, State], compare_both: Compare
) -> Comparison:
    """Compare the outcomes of a node."""
    ruby = tuple(sorted({*old.ruby, *new.ruby}))
    findings = [
        (state.name, outcome.findings[0])
        for state, outcome in zip(states, (old, new), strict=True)
        if not outcome.ok
    ]
    if findings:
        return Comparison(old.node, findings=findings, ruby=ruby)
    found = compare_both(json.loads(old.text or ""), json.loads(new.text or ""))
    return Comparison(old.node, found, ruby=ruby)
