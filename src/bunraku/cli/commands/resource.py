"""Show the resources of this machine as Puppet code, or change one of them."""

from __future__ import annotations

import argparse
import re

from bunraku.apply.direct import Direct
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.apply import STATE
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import GENERAL, LANGUAGE, SETTINGS, Rules, choice
from bunraku.cli.options.shared import level_of, observer_of, paint_for
from bunraku.cli.output.output import write
from bunraku.cli.report.console import Console
from bunraku.jobs.resource import ResourceOptions, machine_of, read_or_change
from bunraku.jobs.resource_text import hiera_data, manifest

INTERMIXED = True
SETTING = re.compile(r"(\w+)=(.+)", re.DOTALL)


OPTIONS = f"""
type [TYPE]: a resource type, such as user
title [TITLE]: show one resource (default: all of the type)
values [NAME=VALUE]...: change these attributes of the resource, then show them
--format: Puppet code (default) or YAML data for Hiera
-y --to-yaml: same as --format yaml
-p --param NAME...: also show this parameter, which has no state; can be repeated
-t --types: list the types
--noop: report changes without making them
--fail: exit with 1 if the resource could not be changed
--[no-]show-diff: log the differences in files
-e --edit
-v --verbose: log messages of level info
{STATE}
@modulepath
{LANGUAGE}
{SETTINGS}
{GENERAL}
"""
RULES: Rules = {
    "format": choice("puppet", "yaml"),
    "to_yaml": {"action": "store_const", "dest": "format", "const": "yaml"},
    "show_diff": {"default": False},
}


def run(options: argparse.Namespace) -> int:
    """Print resources; log a change before."""
    level = level_of(options)
    console = Console(level, paint_for(options))
    chosen = ResourceOptions(
        options.noop, options.show_diff, options.statedir, options.vardir, level
    )
    machine = machine_of(context_of(options, observer_of(options)), chosen, [console])
    text, succeeded = printed(options, machine)
    console.finish()
    write(text)
    return exits.FINDINGS if options.fail and not succeeded else exits.OK


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
