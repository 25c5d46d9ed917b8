"""Print the completion of commands, options and values for a shell: bash, zsh or fish.

The scripts ask 'bunraku completion --names KIND' for the nodes, classes, functions and resource types
of the project in the working directory.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from types import ModuleType

from bunraku.base.command_names import COMMANDS
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.ca import ACTIONS as CA_ACTIONS
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import GENERAL, Rules
from bunraku.cli.options.parser import parser_of
from bunraku.cli.output.output import write
from bunraku.cli.puppet.dispatch import SUBCOMMANDS
from bunraku.jobs.completion import KINDS, Completed, kind_of, names_in_project, script_for

ACTIONS = {"ca action": tuple(CA_ACTIONS), "puppet words": SUBCOMMANDS}
"""A command and its argument → the words that it takes, where they are checked later."""


OPTIONS = f"""
shell: the shell
--names: print names of the project instead
{GENERAL}
"""
RULES: Rules = {
    "shell": {"nargs": "?", "choices": ("bash", "zsh", "fish")},
    "names": {"choices": KINDS},
}


def run(options: argparse.Namespace, command_module: Callable[[str], ModuleType]) -> int:
    """Print the completion, or names."""
    if options.names:
        names = names_in_project(context_of(options, below=True), options.names)
        write("".join(f"{name}\n" for name in names))
        return exits.OK
    if options.shell is None:
        raise UsageError("give a shell: bash, zsh or fish", "completion")
    commands = {
        name: [completed(name, action, module) for action in parser_of(name, module).actions()]
        for name, module in ((name, command_module(name)) for name in COMMANDS)
    }
    write(script_for(options.shell, commands, COMMANDS))
    return exits.OK


def completed(command: str, action: argparse.Action, module: ModuleType) -> Completed:
    """Return an option or an argument as completion sees it."""
    words = action.choices or ACTIONS.get(f"{command} {action.dest}", ())
    if not action.option_strings and action.metavar == "ACTION" and not words:
        words = getattr(module, "ACTIONS", ())
    return Completed(
        tuple(action.option_strings),
        tuple(map(str, words)),
        kind_of(command, action.dest),
        action.nargs != 0,
        action.help or "",
    )
