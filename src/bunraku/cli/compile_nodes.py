"""``bunraku compile --nodes``: the catalogs of all nodes whose facts are in a folder."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import partial

from bunraku.catalog.model import Catalog
from bunraku.cli import exits
from bunraku.cli.excerpt import visible
from bunraku.cli.log import Printer
from bunraku.cli.options import UsageError
from bunraku.cli.output import Paint, encode, write, write_error
from bunraku.cli.progress import Progress
from bunraku.cli.report import as_data, text_report, where
from bunraku.engine import Request
from bunraku.fleet import Outcome, Task, compile_tasks, facts_files, shared_group
from bunraku.formats.json import clean_json_text
from bunraku.modules.node import agent_facts
from bunraku.records import replace

EXTENSIONS = {"json": "json", "yaml": "yaml", "text": "pp"}


def run(
    options: argparse.Namespace,
    base: Request,
    printer: Printer,
    render: Callable[[Catalog], str],
) -> int:
    """Compile the nodes, write the catalogs and print the summary."""
    tasks = tasks_from(options, base, render)
    if options.output_folder:
        make_folder(options.output_folder)
    with Progress(len(tasks)) as progress:

        def done(outcome: Outcome) -> None:
            if options.output_folder:
                check_saved(catalog_file(options, outcome.node), outcome)
            progress.step(ok=outcome.ok)

        outcomes = compile_tasks(tasks, jobs=options.jobs, done=done)
    for outcome in outcomes:
        report(outcome, printer)
    summary = text_summary if options.summary == "text" else json_summary
    write(summary(outcomes, printer.paint))
    return exits.OK if all(outcome.ok for outcome in outcomes) else exits.FINDINGS


def tasks_from(
    options: argparse.Namespace, base: Request, render: Callable[[Catalog], str]
) -> list[Task]:
    """A task for each node, in the order of their names."""
    folder = options.facts_folder
    if not folder:
        raise UsageError("--nodes wants --facts-folder")
    if options.jobs is not None and options.jobs < 1:
        raise UsageError("--jobs wants a number from 1")
    if options.node:
        raise UsageError("--nodes and --node exclude each other; --match chooses among nodes")
    try:
        files = facts_files(folder)
    except OSError as error:
        raise UsageError(f"cannot read {folder}: {error.strerror}") from error
    chosen = [
        node
        for node in sorted(files)
        if not options.match or any(fnmatchcase(node, glob) for glob in options.match)
    ]
    if not chosen:
        raise UsageError(f"no facts of any such node in {folder}")
    common = {
        name: value
        for name, value in base.facts.items()
        if name not in agent_facts(base.node, options.environment)
    }
    return [
        Task(
            replace(base, node=node, facts={**common, **agent_facts(node, options.environment)}),
            files[node],
            render,
            partial(save, catalog_file(options, node)) if options.output_folder else None,
            shared_group(base),
        )
        for node in chosen
    ]


def make_folder(path: str) -> None:
    """Make the folder for catalogs."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write to {path}: {error.strerror}") from error


def catalog_file(options: argparse.Namespace, node: str) -> str:
    """Where a node's catalog is written."""
    return os.path.join(options.output_folder, f"{node}.{EXTENSIONS[options.format]}")


def save(path: str, text: str) -> None:
    """Write a node's catalog; so do the processes that compile."""
    with open(path, "wb") as file:
        file.write(encode(text))


def check_saved(path: str, outcome: Outcome) -> None:
    """See that a node's catalog is in its file; one of an earlier run does not outlive a failure."""
    if outcome.unsaved is not None:
        raise UsageError(f"cannot write {path}: {outcome.unsaved}")
    if outcome.text is None and os.path.exists(path):
        try:
            os.remove(path)
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from error


def report(outcome: Outcome, printer: Printer) -> None:
    """What a node's compile logged and what was wrong, under the node's name."""
    for entry in outcome.log:
        printer(replace(entry, message=f"{outcome.node}: {entry.message}"))
    if outcome.findings:
        text = text_report(outcome.findings, printer.paint)
        write_error(f"{printer.paint('bold', visible(outcome.node))}: {text}")


def text_summary(outcomes: Sequence[Outcome], paint: Paint) -> str:
    """A line for each node, and the sum.

    >>> print(
    ...     text_summary([Outcome("web1", "{}", resources=7, seconds=0.25)], Paint(enabled=False))
    ... )
    node   outcome   resources  seconds
    web1   compiled          7     0.25
    1 compiled, 0 failed
    <BLANKLINE>
    """
    width = max(len("node"), *(len(one.node) for one in outcomes))
    lines = [paint("bold", f"{'node':<{width}}   outcome   resources  seconds")]
    for one in outcomes:
        name = f"{visible(one.node):<{width}}"
        if one.ok:
            lines.append(f"{name}   compiled  {one.resources:>9}  {one.seconds:>7.2f}")
        else:
            lines.append(f"{name}   {paint('red', 'failed')}    {cause(one)}")
    failed = sum(not one.ok for one in outcomes)
    lines.append(f"{len(outcomes) - failed} compiled, {failed} failed")
    return "\n".join(lines) + "\n"


def cause(outcome: Outcome) -> str:
    """Place, message and code of the first finding."""
    first = outcome.findings[0]
    file, line, _column = first.place()
    place = f"{visible(where(file, line, None))}: " if file else ""
    return f"{place}{visible(first.message)} [{first.code}]"


def json_summary(outcomes: Sequence[Outcome], _paint: Paint) -> str:
    """The same for programs."""
    nodes = [
        {
            "node": one.node,
            "outcome": "compiled" if one.ok else "failed",
            "resources": one.resources if one.ok else None,
            "seconds": round(one.seconds, 3),
            "diagnostics": [as_data(finding) for finding in one.findings],
        }
        for one in outcomes
    ]
    failed = sum(not one.ok for one in outcomes)
    return clean_json_text(
        {"schema": 1, "compiled": len(nodes) - failed, "failed": failed, "nodes": nodes}
    )
