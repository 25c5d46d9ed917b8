"""Reading the words of a command line: the options of a command, help, and unknown commands."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from types import ModuleType

from bunraku.base.command_names import GROUPS
from bunraku.base.lazy_typing import Any
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.config_file import configured_values
from bunraku.cli.options.declarations import declare
from bunraku.cli.output.output import write
from bunraku.project.options import configured_defaults


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help with its line breaks kept, as wide as the terminal.

    argparse imports ``shutil`` for the width, even when it prints nothing, and that import is slow.
    """

    def __init__(self, prog: str) -> None:
        columns = os.environ.get("COLUMNS", "")
        try:
            width = int(columns) if columns.isdecimal() else os.get_terminal_size().columns
        except OSError:
            width = 80
        super().__init__(prog, max_help_position=30, width=min(max(width, 20), 100) - 2)

    def _get_help_string(self, action: argparse.Action) -> str:
        """Return the help of an option as a sentence."""
        text = action.help or ""
        word = text.partition(" ")[0]
        if word.isalpha() and word.islower():
            text = text[0].upper() + text[1:]
        return text if text.endswith((".", ":")) else f"{text}."


class Parser(argparse.ArgumentParser):
    """A parser that accepts ``--a_b`` for ``--a-b`` and reports mistakes in one line."""

    command = ""
    takes_settings = False
    """Whether every setting of Puppet is an option."""

    def format_help(self) -> str:
        """Return the help of a command: short usage, options in groups, examples, exit codes."""
        if self.command:
            from bunraku.cli.options.help_texts import epilog

            self.epilog = epilog(self.command, exits.HELP)
        return super().format_help()

    def shorten_usage(self) -> None:
        """Let the usage name the arguments alone; the help lists the options."""
        words = [word_of(action) for action in self._get_positional_actions()]
        self.usage = " ".join([self.prog, "[OPTION]...", *words])
        self._positionals.title = "arguments"

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the words of a command, option names spelled with dashes or underscores."""
        words = [self.with_dashes(word) for word in args]
        if self.takes_settings:
            from bunraku.cli.options.puppet_settings import with_settings

            words = with_settings(words, self._option_string_actions)
            self.refuse_unknown(words)
        return super().parse_known_args(words, namespace)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Return the values of an action; argparse drops ``--`` even as the value of ``--NAME=--``."""
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            return self._get_value(action, "--")
        return super()._get_values(action, arg_strings)

    def refuse_unknown(self, words: list[str]) -> None:
        """Refuse an unknown option before its value is taken for an argument."""
        options = words[: words.index("--")] if "--" in words else words
        for word in options:
            if word.startswith("--") and word.partition("=")[0] not in self._option_string_actions:
                self.error(f"unrecognized arguments: {word}")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a help text; argparse itself ignores that it cannot be written."""
        write(message)

    def actions(self) -> list[argparse.Action]:
        """Return the options and arguments."""
        return list(self._actions)

    def present_defaults(self) -> dict[str, Any]:
        """Return the defaults of the options by name."""
        return {action.dest: action.default for action in self._actions}

    def with_dashes(self, word: str) -> str:
        """Return an option with dashes in its name; other words stay."""
        name, equals, value = word.partition("=")
        dashed = name.replace("_", "-")
        if not name.startswith("--") or dashed not in self._option_string_actions:
            return word
        return dashed + equals + value

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is not among the choices, with a suggestion."""
        if action.choices is not None and value not in action.choices:
            from bunraku.base.suggestions import suggestion

            choices = [str(choice) for choice in action.choices]
            near = suggestion(str(value), choices)
            listed = ", ".join(choices)
            raise argparse.ArgumentError(action, f"invalid value {value!r}{near}: use {listed}")

    def error(self, message: str) -> Any:
        """Raise UsageError with a message in one line."""
        unknown = message.removeprefix("unrecognized arguments: ")
        if unknown != message:
            message = self.about_unknown(unknown.split()[0])
        message = message.removeprefix("argument ")
        names, colon, problem = message.partition(": ")
        if colon and names.startswith("-"):
            name = next((one for one in names.split("/") if one.startswith("--")), names)
            message = f"{name}: {plain_problem(problem)}"
        command = self.prog.removeprefix("bunraku").strip()
        raise UsageError(f"{message} (see '{self.prog} --help')", command)

    def about_unknown(self, word: str) -> str:
        """Return the message about a word that is not an argument of the command."""
        name = word.partition("=")[0]
        if not name.startswith("-"):
            return f"unexpected argument {word!r}"
        from bunraku.base.suggestions import suggestion

        known = list(self._option_string_actions)
        if self.takes_settings:
            from bunraku.cli.options.puppet_settings import option_names

            known += option_names()
        near = suggestion(name, known)
        return f"unknown option {name!r}{near}"


def word_of(action: argparse.Action) -> str:
    """Return an argument as the usage shows it."""
    name = str(action.metavar or action.dest.upper())
    return {"*": f"[{name}]...", "?": f"[{name}]", "+": f"{name}..."}.get(str(action.nargs), name)


def plain_problem(text: str) -> str:
    """Return the error in an option's value, in the words of this command.

    >>> plain_problem("invalid int value: 'x'"), plain_problem("expected one argument")
    ("invalid value 'x': use a number", 'a value is required')
    """
    if text.startswith("invalid ") and " value: " in text:
        return f"invalid value {text.partition(' value: ')[2]}: use a number"
    return "a value is required" if text.startswith("expected ") else text


def options_of(name: str, command: ModuleType, arguments: list[str]) -> argparse.Namespace:
    """Return the options of a command, from the words after its name."""
    parser = parser_of(name, command)
    if getattr(command, "RUNS_A_PROGRAM", False):
        at = arguments.index("--") if "--" in arguments else None
        parser.set_defaults(program=None if at is None else arguments[at + 1 :])
        arguments = arguments[:at]
    values = {} if "--no-project" in arguments else values_for(command)
    options = parsed(parser, command, arguments, values)
    if getattr(command, "FINDS_PROJECT_OF_FILES", False) and not values and not options.no_project:
        from bunraku.cli.options.context import context_of
        from bunraku.jobs.paths import common_directory

        start = common_directory(options.files)
        others = {} if start is None else configured_values(start)
        if others and context_of(options, below=True).project.kind == "none":
            return parsed(parser, command, arguments, others)
    return options


def values_for(command: ModuleType) -> dict[str, Any]:
    """Return the values of the configuration file for a command. Raises UsageError.

    A command that shows mistakes of the file to its client runs without the values.
    """
    try:
        return configured_values()
    except UsageError:
        if getattr(command, "SHOWS_WRONG_CONFIGURATION", False):
            return {}
        raise


def parsed(
    parser: Parser, command: ModuleType, arguments: list[str], values: dict[str, Any]
) -> argparse.Namespace:
    """Return the options in some words, with the values of a configuration file as defaults."""
    configure_cache(values)
    parser.set_defaults(configured=values, **configured_defaults(parser.present_defaults(), values))
    # Words of a command are allowed between its options, unless they choose among subcommands.
    mixed = getattr(command, "INTERMIXED", False)
    return parser.parse_intermixed_args(arguments) if mixed else parser.parse_args(arguments)


def configure_cache(values: Mapping[str, Any]) -> None:
    """Set the cache options of the configuration file; most commands do not import the cache."""
    found = {name: values[name].value for name in ("cache", "cache_limit") if name in values}
    if found:
        from bunraku.base.disk_cache import configure

        configure(found)


def parser_of(name: str, command: ModuleType) -> Parser:
    """Return the parser of a command's options."""
    parser = Parser(
        prog=f"bunraku {name}",
        description=command.__doc__,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    parser.command = name
    parser.takes_settings = getattr(command, "SETTINGS", False)
    declare(parser, getattr(command, "OPTIONS", ""), getattr(command, "RULES", {}))
    if hasattr(command, "add_arguments"):
        command.add_arguments(parser)
    parser.set_defaults(**getattr(command, "DEFAULTS", {}))
    parser.shorten_usage()
    return parser


def top_level(arguments: list[str], commands: Mapping[str, str]) -> int:
    """Print the general help or the version, or refuse a command that does not exist."""
    if "--color" in arguments:
        at = arguments.index("--color")
        arguments = arguments[:at] + arguments[at + 2 :]
    words = [word for word in arguments[:2] if not word.startswith("-")]
    if words[:1] == ["help"]:
        words = words[1:]
    if words and words[0] != "version":
        from bunraku.base.suggestions import suggestion

        near = suggestion(words[0], commands)
        raise UsageError(f"unknown command {words[0]!r}{near} (see 'bunraku --help')")
    parser = Parser(
        prog="bunraku",
        description="The Puppet language with all that belongs to it: checks, lints, compiles, compares, "
        "tests, migrates and applies code, and serves agents, certificates and PuppetDB.",
        epilog=f"{listed(commands)}\nSee 'bunraku COMMAND --help'.\n\n{exits.HELP}",
        formatter_class=HelpFormatter,
        usage="bunraku COMMAND …",
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action="store_true", help="show the version and exit")
    for option in ("--debug", "--no-project"):
        parser.add_argument(option, action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("command", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.version or options.command[:1] == ["version"]:
        from bunraku.base.version import version

        write(f"bunraku {version()}\n")
        return exits.OK
    parser.print_help()
    return exits.OK if options.command else exits.TROUBLE


def listed(commands: Mapping[str, str]) -> str:
    """Return the commands with their summaries, one per line, by the job that they are for."""
    lines: list[str] = []
    for job, names in GROUPS.items():
        lines.append(f"\n{job}:\n" if lines else f"{job}:\n")
        lines += [f"  {name:<10} {commands[name]}\n" for name in names.split()]
    return "".join(lines)
