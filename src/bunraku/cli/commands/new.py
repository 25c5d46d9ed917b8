"""Make a module, a control repository, or a class, defined type, function or data type with its test."""

from __future__ import annotations

import argparse

from bunraku.base.excerpt import visible
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.shared import add_output_options
from bunraku.cli.output.output import write
from bunraku.jobs.new import KINDS, NewOptions, new


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku new``."""
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument(
        "name",
        metavar="NAME",
        help="ntp or acme-ntp for a module, a directory for a control repository, ntp::pool for others",
    )
    parser.add_argument(
        "--out",
        default="",
        metavar="DIRECTORY",
        help="the directory of a module or control repository (default: its name)",
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Write the files and print their paths."""
    paths = new(context_of(options), NewOptions(options.kind, options.name, options.out))
    write("".join(f"{visible(path)}\n" for path in paths))
    return exits.OK
