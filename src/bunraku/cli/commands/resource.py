"""Show the resources of this machine as Puppet code, or change one of them."""

from __future__ import annotations

import argparse
import re

from bunraku.apply.direct import Direct
from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.apply import add_state_options
from bunraku.cli.options.context import context_of
from bunraku.cli.options.shared import (
    add_language_options,
    add_options,
    add_output_options,
    add_setting_options,
    level_of,
    observer_of,
    paint_for,
)
from bunraku.cli.output.output import write, write_error
from bunraku.cli.output.resource_text import hiera_data, manifest
from bunraku.cli.report.console import Console
from bunraku.cli.report.findings import text_report
from bunraku.jobs.resource import ResourceOptions, machine_of, read_or_change

INTERMIXED = True
FAILED = 1
"""The exit code if a resource cannot be read or, with --fail, cannot be changed."""
SETTING = re.compile(r"(\w+)=(.+)", re.DOTALL)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku resource``."""
    parser.add_argument("type", nargs="?", metavar="TYPE", help="a resource type, such as user")
    parser.add_argument(
        "title", nargs="?", metavar="TITLE", help="show one resource (default: all of the type)"
    )
    parser.add_argument(
        "values",
        nargs="*",
        metavar="NAME=VALUE",
        help="change these attributes of the resource, then show them",
    )
    parser.add_argument(
        "--format",
        choices=("puppet", "yaml"),
        default="puppet",
        help="Puppet code (default) or YAML data for Hiera",
    )
    parser.add_argument(
        *("-y", "--to-yaml"),
        dest="format",
        action="store_const",
        const="yaml",
        help="same as --format yaml",
    )
    parser.add_argument(
        "-p",
        "--param",
        action="append",
        default=[],
        metavar="NAME",
        help="also show this parameter, which has no state; can be repeated",
    )
    parser.add_argument("-t", "--types", action="store_true", help="list the types")
    parser.add_argument("--noop", action="store_true", help="report changes without making them")
    parser.add_argument(
        "--fail", action="store_true", help="exit with 1 if the resource could not be changed"
    )
    parser.add_argument(
        "--show-diff",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="log the differences in files",
    )
    parser.add_argument("-e", "--edit", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("-v", "--verbose", action="store_true", help="log messages of level info")
    add_state_options(parser)
    add_options(parser, "modulepath")
    add_language_options(parser)
    add_setting_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print resources; log a change before."""
    level = level_of(options)
    console = Console(level, paint_for(options))
    chosen = ResourceOptions(
        options.noop, options.show_diff, options.statedir, options.vardir, level
    )
    code = exits.OK
    try:
        machine = machine_of(context_of(options, observer_of(options)), chosen, [console])
        text, succeeded = printed(options, machine)
        code = FAILED if options.fail and not succeeded else exits.OK
        console.finish()
        write(text)
    except PuppetError as error:
        write_error(text_report(error, console.paint))
        return FAILED
    return code


def printed(options: argparse.Namespace, machine: Direct) -> tuple[str, bool]:
    """Return the text to print, and whether all requested changes succeeded."""
    if options.types:
        return "".join(f"{name}\n" for name in machine.types()), True
    if options.type is None:
        raise UsageError("give the TYPE of the resources to show (--types lists the types)")
    if options.edit:
        raise UsageError("--edit is not supported: save the output, edit it, and apply the file")
    values = values_of(options.values)
    found, succeeded = read_or_change(machine, options.type, options.title, values, options.param)
    as_yaml = options.format == "yaml"
    return hiera_data(found, options.type.lower()) if as_yaml else manifest(found), succeeded


def values_of(words: list[str]) -> dict[str, str]:
    """Return the values in words such as ``uid=7``."""
    found: dict[str, str] = {}
    for word in words:
        match = SETTING.fullmatch(word)
        if match is None:
            raise UsageError(f"invalid value {word!r}: expected NAME=VALUE")
        found[match[1]] = match[2]
    return found
