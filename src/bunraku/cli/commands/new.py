"""Make a module, a control repository, or a class, defined type, function or data type with its test."""

from __future__ import annotations

import argparse

from bunraku.base.excerpt import visible
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import GENERAL, TEXT, Rules
from bunraku.cli.output.output import write
from bunraku.jobs.new import KINDS, NewOptions, new

OPTIONS = f"""
kind KIND: what to make: {", ".join(KINDS)}
name NAME: the name: ntp or acme-ntp for a module, a directory for a control repository, ntp::pool
    for others
--out DIRECTORY: the directory of a module or control repository (default: its name)
{GENERAL}
"""
RULES: Rules = {"kind": {"choices": KINDS}, "out": TEXT}


def run(options: argparse.Namespace) -> int:
    """Write the files and print their paths."""
    paths = new(context_of(options), NewOptions(options.kind, options.name, options.out))
    write("".join(f"{visible(path)}\n" for path in paths))
    return exits.OK
