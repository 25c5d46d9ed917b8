"""The command ``bunraku``: finds the subcommand and imports nothing but it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from bunraku.cli import exits
from bunraku.cli.options import UsageError
from bunraku.cli.output import write_error

COMMANDS = {
    "compile": "compile a manifest to a catalog",
    "validate": "check manifests and EPP templates",
    "dump": "show the tokens, the syntax tree, the Python code or the bytecode of a manifest",
    "eval": "evaluate code: its value and the value's type",
    "types": "show data types with their aliases expanded",
    "functions": "list the functions that manifests can call, or describe some",
    "facts": "show this machine's facts",
    "lookup": "look keys up in the data of Hiera, and explain where they were found",
    "diff": "compare catalogs, or those of two revisions of a repository",
    "migrate": "what changes from Puppet 3 or 7 to 8, and the edits that keep the meaning",
    "batch": "compile many manifests: JSON lines in, JSON lines out",
}


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; no exception gets out."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = dispatch(given)
        sys.stdout.flush()
    except SystemExit as leaving:  # argparse: help, version, wrong usage
        return leaving.code if isinstance(leaving.code, int) else exits.TROUBLE
    except UsageError as error:
        write_error(f"bunraku: {error}\n")
        return exits.TROUBLE
    except BrokenPipeError:
        # The reader has gone (`| head`); keep the interpreter from flushing into the void.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.BROKEN_PIPE
    except KeyboardInterrupt:
        write_error("interrupted\n")
        return exits.INTERRUPTED
    except (RecursionError, MemoryError) as error:
        return beyond_limits(error)
    except Exception as error:
        return internal_error(error, "--debug" in given)
    return code


def dispatch(arguments: list[str]) -> int:
    """Run the subcommand that the first word names."""
    name = arguments[0] if arguments else ""
    if name == "help" and arguments[1:2] and arguments[1] in COMMANDS:
        name, arguments = arguments[1], [arguments[1], "--help"]
    if name not in COMMANDS:
        return top_level(arguments)
    command: ModuleType = import_module(f"bunraku.cli.{name}")
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
    parse = parser.parse_intermixed_args if mixed else parser.parse_args
    code: int = command.run(parse(arguments[1:]))
    return code


def top_level(arguments: list[str]) -> int:
    """``--help``, ``--version``, and what is no command of ours."""
    commands = "".join(f"  {name:<10} {text}\n" for name, text in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="bunraku",
        description="Check Puppet manifests and compile them to catalogs, without Puppet.",
        epilog=f"commands:\n{commands}\n`bunraku COMMAND --help` tells more.\n\n{exits.HELP}",
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
    return parser.error(f"{name!r} is no command of bunraku; there are {', '.join(COMMANDS)}")


def beyond_limits(error: RecursionError | MemoryError) -> int:
    """The report of code that makes what cannot be written."""
    if isinstance(error, RecursionError):
        issue = import_module("bunraku.catalog.issues").VALUE_TOO_DEEP
    else:
        issue = import_module("bunraku.runtime.issues").OUT_OF_MEMORY
    write_error(f"error: {issue.text} [{issue.code}]\n")
    return exits.FINDINGS


def internal_error(error: Exception, debug: bool) -> int:
    """One line for a mistake of ours, with the way to the whole story."""
    if debug:
        write_error("".join(import_module("traceback").format_exception(error)))
    text = " ".join(str(error).split())[:500]
    more = "" if debug else "; --debug shows where"
    write_error(
        f"bunraku: internal error: {type(error).__name__}: {text} (please report it{more})\n"
    )
    return exits.TROUBLE
