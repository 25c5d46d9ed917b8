"""Compile a manifest to a catalog: the catalog on standard output, all else on standard error."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from bunraku.base.errors import PuppetError
from bunraku.base.garbage_collection import PATIENT
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.usage import UsageError
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import CHOICE_OF_NODES, DATA_FORMATS, Rules, compile_options
from bunraku.cli.options.nodes import chosen_nodes
from bunraku.cli.options.shared import paint_for, read_text
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.findings import text_report
from bunraku.cli.report.log import LEVELS, Printer
from bunraku.cli.report.observer import TerminalObserver
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.jobs.catalog_writers import EXTENSIONS, FORMATS, Shape, writer_of
from bunraku.jobs.compile import CodeOrManifest, compile_request
from bunraku.jobs.context import Context
from bunraku.jobs.facts_files import facts_file, facts_on
from bunraku.jobs.failure_notes import missing_notes, notes
from bunraku.limits.limits import Limited

if TYPE_CHECKING:
    from bunraku.cli.report.nodes import NodesObserver


OPTIONS = f"""
file [FILE]: a manifest, a directory of manifests, or - (standard input); without FILE and -e, the
    main manifest of the project in which the command runs
-e --execute CODE: compile this code
@modulepath
@facts
@node
[many nodes]
--nodes: compile all nodes that have a facts file, or facts in --facts-from; without facts of nodes,
    those that stand for roles
@facts_folder: facts by node: NODE.yaml or NODE.json; implies --nodes unless --node is given
{CHOICE_OF_NODES}
@output_folder
--all: compile all nodes, also those for which nothing changed since an earlier run
@jobs
@executor
--summary: format of the summary (default: text)
[options]
--format: format of the catalog (default: json)
--with-exported: keep exported resources in the catalog, as a server stores it for --storedconfigs
--profile FILE: write a profile of the compile: an HTML page (.html), or .json for speedscope
--[no-]cycles: make dependency cycles errors, or do not check them (default: warn about them)
--validate-values: check the values of resources as apply does, for the types that it can apply
--log-level LEVEL: print messages of this level and above: {", ".join(LEVELS)} (default: notice)
-v --verbose: same as --log-level info
{compile_options()}
"""
RULES: Rules = {
    "summary": DATA_FORMATS,
    "format": {"choices": list(FORMATS), "default": "json"},
    "log_level": {"choices": list(LEVELS), "default": "notice"},
}


def run(options: argparse.Namespace) -> int:
    """Compile and print the catalog, or the error report."""
    many = options.nodes or bool(options.facts_folder and not options.node)
    check_choices(options, many=many)
    level = "debug" if options.debug else "info" if options.verbose else options.log_level
    printer = Printer(level, paint_for(options))
    observer = many_observer(options, printer) if many else None
    context = context_of(
        options,
        observer or TerminalObserver(printer),
        below=options.file is None and options.execute is None,
    )
    code = read_text("-") if options.file == "-" else options.execute
    request = compile_request(
        context,
        CodeOrManifest(code, None if options.file == "-" else options.file),
        system_facts=None
        if many
        else facts_on(options.os, options.facterdb, options.node, context.options.environment),
        several=many,
        cycles=options.cycles,
        exports={} if options.with_exported else None,
    )
    if observer is not None:
        return compile_many(options, context, request, observer)
    return compile_one(options, context, request, printer)


def check_choices(options: argparse.Namespace, *, many: bool) -> None:
    """Raise UsageError for options that contradict each other."""
    if options.file is not None and options.execute is not None:
        raise UsageError("give FILE or -e CODE, not both")
    if options.nodes and options.node:
        raise UsageError("give --nodes or --node NAME, not both; --match selects nodes")
    if many and options.profile:
        raise UsageError("--profile profiles one node: use --node NAME instead of --nodes")
    for name in ("output_folder", "match", "classes", "all"):
        if getattr(options, name) and not many:
            raise UsageError(f"--{name.replace('_', '-')} requires --nodes")
    if options.executor != "processes" and not many:
        raise UsageError("--executor requires --nodes")
    if options.facts_folder and not many:
        if facts_file(options.facts_folder, options.node) is None:
            raise UsageError(f"no facts of {options.node} in {options.facts_folder}")


def compile_one(
    options: argparse.Namespace, context: Context, request: Request, printer: Printer
) -> int:
    """Print the catalog of one node."""
    try:
        with Limited(context.limits):
            if options.profile:
                from bunraku.cli.profile.compile import compile_profiled

                catalog = compile_profiled(request, printer, options.profile)
            else:
                catalog = compile_catalog(request, printer)
            with PATIENT:
                text = renderer(options)(catalog)
    except PuppetError as error:
        write_error(text_report(error, printer.paint))
        write_error(notes(context, request))
        return exits.FINDINGS
    write(text)
    return exits.OK


def many_observer(options: argparse.Namespace, printer: Printer) -> NodesObserver:
    """Return what prints the results of many nodes."""
    from bunraku.cli.report.nodes import NodesObserver

    return NodesObserver(printer, table=options.summary == "text")


def compile_many(
    options: argparse.Namespace, context: Context, request: Request, observer: NodesObserver
) -> int:
    """Write the catalogs of many nodes, and print the summary."""
    from bunraku.cli.report.nodes import check_saved
    from bunraku.formats.json import clean_json_text
    from bunraku.jobs.compile_nodes import NodesOptions, compile_nodes
    from bunraku.jobs.nodes_summary import summary_data

    chosen = NodesOptions(
        chosen_nodes(options),
        options.all,
        options.output_folder or context.configured("output_folder"),
        EXTENSIONS[options.format],
    )
    render = renderer(options, many=True)
    try:
        outcomes = compile_nodes(context, chosen, request, render, observer.nodes)
    except KeyboardInterrupt:
        observer.interrupted()
        raise
    observer.finish(outcomes)
    if options.summary == "json":
        environment = context.options.environment or "production"
        write(clean_json_text(summary_data(outcomes, observer.printer.least, environment)))
    check_saved(chosen, outcomes)
    if all(outcome.ok for outcome in outcomes):
        return exits.OK
    write_error(missing_notes(context))
    return exits.FINDINGS


def renderer(
    options: argparse.Namespace, *, many: bool = False
) -> Callable[[CompiledCatalog], str]:
    """Return the function that writes a catalog in the requested format."""
    shape = Shape(with_exported=options.with_exported, many=many)
    return writer_of(options.format, shape, checks_values=options.validate_values)
