"""Run a command line of Puppet's: its subcommands, option names, messages and exit codes."""

from __future__ import annotations

import argparse
from importlib import import_module

from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.output.output import write

HAS_WORDS_OF_ITS_OWN = True
"""The subcommands of Puppet read the words: they are not this parser's."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku puppet``."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="ARGUMENT",
        help="a command line of Puppet's, such as: catalog compile NODE, parser validate FILE, --version",
    )
    parser.add_argument(
        "--install",
        metavar="FOLDER",
        help="write an executable named puppet that runs this command",
    )


def run(options: argparse.Namespace) -> int:
    """Run the command line, or write the executable."""
    words = options.words
    if words[:1] != ["--install"]:
        code: int = import_module("bunraku.cli.puppet.dispatch").run(words)
        return code
    if len(words) != 2:
        raise UsageError("--install requires one FOLDER", "puppet")
    write(import_module("bunraku.cli.puppet.install").install(words[1]) + "\n")
    return exits.OK
