"""The command ``bunraku``: finds the subcommand and imports nothing but it."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable, Sequence

from bunraku.base.command_names import BEFORE_COMMANDS, CACHE_KEY, COMMANDS
from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.standard_streams import ReaderGone, StreamError, discard, occupy_closed_streams
from bunraku.base.usage import InvalidInput, UsageError
from bunraku.cli import exits
from bunraku.cli.output.output import write, write_error

if TYPE_CHECKING:
    from types import ModuleType
    from typing import TypeGuard

    from bunraku.base.errors import PuppetError

CHECKING = frozenset(
    [
        "affected",
        "check",
        "ci",
        "config",
        "cover",
        "diff",
        "fmt",
        "docs",
        "functions",
        "lint",
        "migrate",
        "validate",
    ]
)
"""Commands for changes: they follow no symbolic link out of the project."""
BY_SIGNAL = {
    1: (exits.HUNG_UP, "hung up"),
    2: (exits.INTERRUPTED, "interrupted"),
    15: (exits.TERMINATED, "terminated"),
}
"""Signal → exit code and message."""
OF_COMMANDS = frozenset(["completion", "puppet"])
"""Commands whose function also takes the one that imports the module of a command."""
OF_MACHINES = frozenset(
    [
        *("agent", "apply", "ca", "completion", "deploy", "plan"),
        *("puppet", "puppetdb", "r10k", "resource", "server", "ssl"),
    ]
)
"""Commands that run or change machines, or write for a shell of POSIX: not for Windows."""
SERVICES = frozenset(["agent"])
"""Commands that signals reload, also while they start."""
COMMON_OPTIONS = frozenset({"--color", "--debug", "--no-project"})
"""Options of all commands: they are also allowed before the command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return the exit code; no exception gets out.

    Without arguments, run the command line of this process and end it. With arguments, the garbage
    collector, which some commands turn off, is as it was before the call.
    """
    if arguments is not None:
        collecting = gc.isenabled()
        try:
            return run(list(arguments))
        finally:
            if collecting:
                gc.enable()
    Importing.is_own_process = True
    codes: list[int] = []
    atexit.register(leave, codes)  # it runs after the exit functions that the command registers
    codes.append(run(sys.argv[1:]))
    sys.exit(codes[0])


def leave(codes: Sequence[int]) -> None:
    """End this process without freeing its objects one by one: that takes 10 ms after ``apply``.

    Return if there is no code, if a program traces this one and goes on after this function, or if an
    output cannot be written, which Python reports.
    """
    if not codes or sys.gettrace() is not None:
        return
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            try:
                stream.flush()
            except (OSError, ValueError):
                return
    os._exit(codes[0])


def dispatch(arguments: list[str]) -> int:
    """Run the subcommand that the first word names."""
    if arguments in (["--version"], ["-V"], ["version"]):
        from bunraku.base.version import version

        write(f"bunraku {version()}\n")
        return exits.OK
    arguments = with_command_first(arguments)
    name = arguments[0] if arguments else ""
    if name == "help" and arguments[1:2] and arguments[1] in COMMANDS:
        name, arguments = arguments[1], [arguments[1], "--help"]
    if name not in COMMANDS:
        from bunraku.cli.options.parser import top_level

        return top_level(arguments, COMMANDS)
    if name in OF_MACHINES and not hasattr(os, "fork"):
        raise UsageError("it needs Linux, macOS or another POSIX system", name)
    if name not in SERVICES:
        return execute(name, arguments[1:])
    with Importing():
        from bunraku.base.signals import Held
    with Held():
        return execute(name, arguments[1:])


def execute(name: str, arguments: list[str]) -> int:
    """Run a subcommand."""
    with Importing():
        from contextlib import nullcontext

        from bunraku.base.fences import fenced
        from bunraku.base.signals import Terminable
        from bunraku.cli.command_modules import command_module

        command = command_module(name)
    with Terminable():
        for prepare in BEFORE_COMMANDS:
            prepare()
        if CACHE_KEY in os.environ:
            from bunraku.base.cache_key import take_secret

            take_secret()
        options = options_of_words(name, command, arguments)
        words = (options, command_module) if name in OF_COMMANDS else (options,)
        try:
            with fenced(os.getcwd()) if name in CHECKING else nullcontext():
                code: int = command.run(*words)
        except Exception as error:
            if not is_puppet_error(error):
                raise
            from bunraku.cli.options.shared import report_error

            return report_error(error, options)
    return code


def options_of_words(name: str, command: ModuleType, arguments: list[str]) -> Any:
    """Return the options of a command; those with words of their own do not need the parser."""
    if getattr(command, "HAS_WORDS_OF_ITS_OWN", False) and arguments[:1] != ["--help"]:
        from types import SimpleNamespace

        return SimpleNamespace(words=arguments)
    with Importing():  # the parser takes as long to import as Python itself
        from bunraku.cli.options.parser import options_of
    return options_of(name, command, arguments)


def with_command_first(arguments: list[str]) -> list[str]:
    """Return the words with the options that all commands have behind the command.

    >>> with_command_first(["--color", "never", "--debug", "eval", "1"])
    ['eval', '--color', 'never', '--debug', '1']
    """
    at = 0
    while at < len(arguments) and arguments[at].partition("=")[0] in COMMON_OPTIONS:
        at += 2 if arguments[at] == "--color" else 1
    return [*arguments[at : at + 1], *arguments[:at], *arguments[at + 1 :]]


class Importing:
    """A block of imports without garbage collection, since everything they create stays.

    In the process of one command, the collector never looks at it: to walk all modules would take some
    milliseconds after the block. Other processes have garbage, which must not be kept.
    """

    is_own_process = False

    def __enter__(self) -> None:
        self.collecting = gc.isenabled()
        gc.disable()

    def __exit__(self, *_error: object) -> None:
        if self.collecting:
            if self.is_own_process:
                gc.freeze()
            gc.enable()


def beyond_limits(error: RecursionError | MemoryError) -> int:
    """Return the error report for a value that cannot be printed."""
    if isinstance(error, RecursionError):
        from bunraku.catalog.issues import VALUE_TOO_DEEP

        problem = VALUE_TOO_DEEP()
    else:
        from bunraku.limits.limits import reached

        problem = reached(error)
    write_error(f"error: {problem.message} [{problem.code}]\n")
    return exits.FINDINGS


def interrupted(error: KeyboardInterrupt) -> int:
    """Report the signal that ended a command, and return its exit code."""
    number = getattr(error, "number", 2)  # that of SIGTERM and SIGHUP, else of SIGINT
    code, text = BY_SIGNAL[number]
    write_error(f"{text}\n")
    return code


def is_puppet_error(error: Exception) -> TypeGuard[PuppetError]:
    """Return whether users' code or data caused an error."""
    from bunraku.base.errors import PuppetError

    return isinstance(error, PuppetError)


def usage_text(error: UsageError) -> str:
    """Return the message of wrong usage; of a file that cannot be used, with place and source line."""
    if not isinstance(error, InvalidInput):
        return str(error)
    from bunraku.cli.report.invalid_input import invalid_input_text

    return invalid_input_text(error.error)


def internal_error(error: Exception, debug: bool) -> int:
    """Return a one-line report of an internal error, with a hint on how to get details."""
    if isinstance(error, FileNotFoundError) and not has_current_directory():
        write_error("bunraku: the current directory was removed; change to one that exists\n")
        return exits.TROUBLE
    if debug:
        from traceback import format_exception

        write_error("".join(format_exception(error)))
    text = " ".join(str(error).split())[:500]
    more = "" if debug else "; --debug shows where"
    write_error(
        f"bunraku: internal error: {type(error).__name__}: {text} (please report it{more})\n"
    )
    return exits.TROUBLE


def has_current_directory() -> bool:
    """Return whether the directory of this process still exists."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


def run(
    given: list[str],
    dispatch: Callable[[list[str]], int] = dispatch,
    internal_error: Callable[[Exception, bool], int] = internal_error,
) -> int:
    """Run a command line and return the exit code.

    ``dispatch`` runs the subcommand, ``internal_error`` reports an exception that no input may cause.
    """
    trouble = exits.trouble_of(given)
    try:
        occupy_closed_streams()
        code = dispatch(given)
        write("")  # what is left in the buffer
    except SystemExit as leaving:  # argparse: help, version, wrong usage
        return trouble if leaving.code == exits.TROUBLE else int(leaving.code or 0)
    except UsageError as error:
        if isinstance(error, StreamError) and error.number == 1:
            discard(sys.stdout)
        write_error(f"{' '.join(filter(None, ('bunraku', error.command)))}: {usage_text(error)}\n")
        return trouble
    except ReaderGone:  # `| head`
        discard(sys.stdout)
        return exits.BROKEN_PIPE
    except KeyboardInterrupt as error:
        return interrupted(error)
    except (RecursionError, MemoryError) as error:
        return beyond_limits(error)
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # Python 3.11, while it makes a class
            return interrupted(error.__cause__)
        if is_puppet_error(error):
            from bunraku.cli.options.shared import report_error

            return report_error(error)
        code = internal_error(error, "--debug" in given)
        return trouble if code == exits.TROUBLE else code
    return code


if __name__ == "__main__":
    sys.exit(main())
