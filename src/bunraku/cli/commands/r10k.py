"""Run a command line of r10k's: its subcommands, option names, messages and exit codes."""

from __future__ import annotations

from bunraku.base.garbage_collection import PATIENT
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.output.output import write

if TYPE_CHECKING:
    import argparse

HAS_WORDS_OF_ITS_OWN = True
"""The subcommands of r10k read the words: they are not this parser's."""


OPTIONS = """
words [ARGUMENT]...: a command line of r10k's, such as: deploy environment -m, puppetfile install,
    help
--install FOLDER: write an executable named r10k that runs this command
"""


def run(options: argparse.Namespace) -> int:
    """Run the command line, or write the executable."""
    words = options.words
    if words[:1] != ["--install"]:
        with PATIENT:
            from bunraku.cli.r10k.dispatch import run as run_r10k

            return run_r10k(words)
    if len(words) != 2:
        raise UsageError("--install requires one FOLDER", "r10k")
    from bunraku.jobs.install_program import install

    write(install(words[1], "r10k") + "\n")
    return exits.OK
