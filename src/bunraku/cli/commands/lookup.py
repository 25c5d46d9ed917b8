"""Look up Hiera keys as a node's manifests would, and explain where the values come from."""

from __future__ import annotations

import argparse
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.source import Place
from bunraku.cli import exits
from bunraku.cli.options.environment import place_for_lookup
from bunraku.cli.options.lookups import add_question_options, answer_text, question_from
from bunraku.cli.options.node import add_facts_source_option, add_node_options, request_for_node
from bunraku.cli.options.project import ProjectOptions, facts_of, lookup_notes
from bunraku.cli.options.shared import (
    add_language_options,
    add_limit_options,
    add_modulepath_option,
    add_output_options,
    add_setting_options,
    limits_of,
    paint_for,
)
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.findings import text_report
from bunraku.cli.report.log import Printer
from bunraku.engine.lookup import Gathering, look_up
from bunraku.engine.request import Request
from bunraku.facts.collect import ALL, MachineFacts
from bunraku.limits.limits import Limited
from bunraku.modules.node import agent_facts
from bunraku.runtime.log import LogEntry
from bunraku.world.machine import Machine

INTERMIXED = True
OF_NODE_NAME = frozenset({"networking"})
"""The facts that give this machine its certname: see :func:`bunraku.cli.options.node.node_name`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku lookup``."""
    add_question_options(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="show informative messages")
    add_modulepath_option(parser)
    add_language_options(parser)
    add_setting_options(parser)
    add_node_options(parser)
    add_facts_source_option(parser)
    add_limit_options(parser, "lookup")
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the value or the explanation."""
    question = question_from(options)
    paint = paint_for(options)
    level = "debug" if options.debug else "info" if options.verbose else "notice"
    try:
        place = place_for_lookup(options)
        with Limited(limits_of(options)):
            request, gathering = lookup_request(options, place)
            if not options.compile and request.settings.get("node_terminus", "plain") != "plain":
                write_error(
                    "note: the node classifier is only used with --compile, as in Puppet; without "
                    "it, variables that it sets are undefined\n"
                )
            answer = look_up(request, question, Printer(level, paint), gathering)
            text = answer_text(answer, options.format)
    except PuppetError as error:
        write_error(text_report(error, paint))
        return exits.FINDINGS
    write(text)
    if answer.error is not None:
        if answer.explanation is not None and answer.is_missing:
            return exits.OK
        found = answer.error if answer.error.place.file else answer.error.at(Place("lookup"))
        write_error(text_report(found, paint))
        write_error(lookup_notes(place, request))
        return exits.FINDINGS
    return exits.OK


def lookup_request(
    options: argparse.Namespace, place: ProjectOptions
) -> tuple[Request, Gathering | None]:
    """Return the request: for which node, in which environment; and where its other facts are."""
    facts = facts_of(options, place)
    machine = None
    if not (facts or options.facts or options.node):
        machine = this_machine(options)
        # Legacy facts are made of any of the others.
        everything = options.compile or place.fields["settings"].get("include_legacy_facts")
        facts = machine.facts(None if everything else OF_NODE_NAME)
        machine = None if everything else machine
    request = request_for_node(options, place, facts, path=place.manifest, cycles=False)
    return request, None if machine is None else gathering_of(options, request.node, machine)


def this_machine(options: argparse.Namespace) -> MachineFacts:
    """Return the facts of this machine, whose warnings are printed."""
    printer = Printer("warning", paint_for(options))

    def warn(finding: Diagnostic) -> None:
        printer(LogEntry("warning", finding.message))

    return MachineFacts(Machine(), warn)


def gathering_of(options: argparse.Namespace, node: str, machine: MachineFacts) -> Gathering:
    """Return the facts of this machine for a lookup; the node is this machine."""
    agent = agent_facts(node, options.environment)

    def facts(names: frozenset[str] | None) -> dict[str, Any]:
        return {**agent, **machine.facts(names)}

    return Gathering(ALL, facts, OF_NODE_NAME)
