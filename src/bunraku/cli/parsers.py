"""What reads the words of a command line: the options of a command, help, and what is no command."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType

from bunraku.cli import exits


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as it is written, as wide as the terminal.

    argparse asks ``shutil`` for the width, even when it prints nothing, and that is slow to import.
    """

    def __init__(self, prog: str) -> None:
        columns = os.environ.get("COLUMNS", "")
        try:
            width = int(columns) if columns.isdecimal() else os.get_terminal_size().columns
        except OSError:
            width = 80
        super().__init__(prog, width=max(width, 20) - 2)


def options_of(name: str, command: ModuleType, arguments: list[str]) -> argparse.Namespace:
    """The options of a command, from the words after its name."""
    parser = argparse.ArgumentParser(
        prog=f"bunraku {name}",
        description=command.__doc__,
        epilog=exits.HELP,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    command.add_arguments(parser)
    # Words of a command may stand between its options, unless they choose among subcommands.
    mixed = getattr(command, "INTERMIXED", False)
    return parser.parse_intermixed_args(arguments) if mixed else parser.parse_args(arguments)


def top_level(arguments: list[str], commands: Mapping[str, str]) -> int:
    """``--help``, ``--version``, and what is no command of ours."""
    listed = "".join(f"  {name:<10} {text}\n" for name, text in commands.items())
    parser = argparse.ArgumentParser(
        prog="bunraku",
        description="Check Puppet manifests and compile them to catalogs, without Puppet.",
        epilog=f"commands:\n{listed}\n`bunraku COMMAND --help` tells more.\n\n{exits.HELP}",
        formatter_class=HelpFormatter,
        usage="bunraku COMMAND …",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    parser.add_argument("command", nargs="?", help=argparse.SUPPRESS)
    known, rest = parser.parse_known_args(arguments)
    if known.version:
        print("bunraku", import_module("bunraku.cli.version").version())
        return exits.OK
    if known.command in {None, "help"} and not rest:
        parser.print_help()
        return exits.OK if known.command else exits.TROUBLE
    name = known.command if known.command not in {None, "help"} else rest[0]
    return parser.error(f"{name!r} is no command of bunraku; there are {', '.join(commands)}")
