"""Run a command line of Puppet's: its subcommands, option names, messages and exit codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.output.output import write

if TYPE_CHECKING:
    import argparse

HAS_WORDS_OF_ITS_OWN = True
"""The subcommands of Puppet read the words: they are not this parser's."""


OPTIONS = """
words [ARGUMENT]...: a command line of Puppet's, such as: catalog compile NODE, parser validate
    FILE, --version
--install FOLDER: write an executable named puppet that runs this command
"""


def run(options: argparse.Namespace, command_module: Callable[[str], ModuleType]) -> int:
    """Run the command line, or write the executable."""
    words = options.words
    if words[:1] != ["--install"]:
        from bunraku.cli.puppet.dispatch import run as run_puppet

        return run_puppet(words, lambda words: run_command(command_module(words[0]), words))
    if len(words) != 2:
        raise UsageError("--install requires one FOLDER", "puppet")
    from bunraku.jobs.install_program import install

    write(install(words[1]) + "\n")
    return exits.OK


def run_command(command: ModuleType, words: Sequence[str]) -> int:
    """Run the command of bunraku with the name of a subcommand of Puppet."""
    from bunraku.cli.options.parser import options_of

    options = options_of(words[0], command, list(words[1:]))
    if words[0] == "apply" and options.file is options.execute is options.catalog is None:
        options.file = "-"  # Puppet reads the manifest from standard input
    try:
        code: int = command.run(options)
    except PuppetError as error:
        from bunraku.cli.options.shared import report_error

        return report_error(error, options)
    return code
