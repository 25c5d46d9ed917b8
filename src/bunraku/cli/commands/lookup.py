"""Look up Hiera keys as a node's manifests would, and explain where the values come from."""

from __future__ import annotations

import argparse
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.lazy_imports import Imported
from bunraku.base.source import Place
from bunraku.cli import exits
from bunraku.cli.options.environment import place_for_lookup
from bunraku.cli.options.node import add_facts_source_option, add_node_options, request_for_node
from bunraku.cli.options.project import ProjectOptions, facts_of, lookup_notes
from bunraku.cli.options.shared import (
    UsageError,
    add_language_options,
    add_limit_options,
    add_modulepath_option,
    add_output_options,
    add_setting_options,
    limits_of,
    node_argument,
    paint_for,
)
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.findings import text_report
from bunraku.cli.report.log import Printer
from bunraku.engine.lookup import Answer, Gathering, Question, look_up
from bunraku.engine.request import Request
from bunraku.facts.collect import ALL, MachineFacts
from bunraku.formats.json import json_text
from bunraku.hiera.missing import MISSING
from bunraku.hiera.recorder import plain
from bunraku.limits.limits import Limited
from bunraku.modules.node import agent_facts
from bunraku.modules.ruby_text import text as ruby_text
from bunraku.runtime.log import LogEntry
from bunraku.world.machine import Machine

ruby_yaml_text = Imported("bunraku.formats.yaml_writer", "ruby_yaml_text")

INTERMIXED = True
OF_NODE_NAME = frozenset({"networking"})
"""The facts that give this machine its certname: see :func:`bunraku.cli.options.node.node_name`."""
MERGES = ("first", "unique", "hash", "deep")
DEEP_OPTIONS = {
    "knock_out_prefix": "knockout_prefix",
    "sort_merged_arrays": "sort_merged_arrays",
    "merge_hash_arrays": "merge_hash_arrays",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku lookup``."""
    parser.add_argument(
        "keys",
        nargs="*",
        metavar="KEY",
        help="key to look up; of several keys, the first one that has a value is used",
    )
    parser.add_argument(
        "--node",
        type=node_argument,
        metavar="NAME",
        help="node to look up for (default: this machine)",
    )
    parser.add_argument(
        "--facts",
        metavar="FILE",
        help="the node's facts, JSON or YAML (default: the facts of this machine)",
    )
    parser.add_argument(
        "--merge", choices=MERGES, help="merge strategy, instead of that in lookup_options"
    )
    parser.add_argument(
        "--knock-out-prefix", metavar="PREFIX", help="with --merge deep: prefix of values to remove"
    )
    parser.add_argument(
        "--sort-merged-arrays", action="store_true", help="with --merge deep: sort merged arrays"
    )
    parser.add_argument(
        "--merge-hash-arrays", action="store_true", help="with --merge deep: merge hashes in arrays"
    )
    parser.add_argument("--type", metavar="TYPE", help="the value must have this type")
    parser.add_argument("--default", metavar="TEXT", help="value to use if no value is found")
    parser.add_argument("--explain", action="store_true", help="explain how the value was found")
    parser.add_argument(
        "--explain-options", action="store_true", help="explain how the lookup_options were found"
    )
    parser.add_argument(
        "--compile",
        "-c",
        action="store_true",
        help="compile the catalog first, so that data can use its variables",
    )
    parser.add_argument(
        "--render-as",
        "--format",
        dest="format",
        choices=list(FORMATS),
        help="output format; s is plain text (default: yaml; s for explanations)",
    )
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


def answer_text(answer: Answer, style: str | None) -> str:
    """Return the explanation, else the value, in an output format; nothing of an error alone."""
    if answer.explanation is not None:
        story = answer.explanation
        return story.text() + "\n" if style in {None, "s"} else FORMATS[style or "s"](story.data())
    return "" if answer.error is not None else FORMATS[style or "yaml"](answer.value)


def question_from(options: argparse.Namespace) -> Question:
    """Return the lookup that the options describe."""
    if not options.keys and (options.explain or not options.explain_options):
        raise UsageError("give a KEY to look up")
    merge: Any = options.merge
    deep = {
        name: value for option, name in DEEP_OPTIONS.items() if (value := getattr(options, option))
    }
    if deep:
        if merge != "deep":
            names = ", ".join(f"--{option.replace('_', '-')}" for option in DEEP_OPTIONS)
            raise UsageError(f"{names} require --merge deep")
        merge = {"strategy": "deep", **deep}
    return Question(
        options.keys,
        merge,
        options.type,
        MISSING if options.default is None else options.default,
        options.explain,
        options.explain_options,
        options.compile,
    )


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


def as_text(value: Any) -> str:
    """Return the value as Ruby's ``to_s`` formats it."""
    return ruby_text(plain(value)) + "\n"


def as_json(value: Any) -> str:
    """Return the value as JSON, on one line."""
    return json_text(plain(value)) + "\n"


def as_yaml(value: Any) -> str:
    """Return the value as YAML."""
    text: str = ruby_yaml_text(plain(value))
    return text


FORMATS = {"s": as_text, "json": as_json, "yaml": as_yaml}
