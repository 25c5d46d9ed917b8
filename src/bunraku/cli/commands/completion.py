"""Print the completion of commands, options and values for a shell: bash, zsh or fish."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from types import ModuleType

from bunraku.base.command_names import COMMANDS
from bunraku.cli import exits
from bunraku.cli.options.parser import parser_of
from bunraku.cli.options.shared import add_output_options
from bunraku.cli.output.output import write


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku completion``."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    add_output_options(parser)


def run(options: argparse.Namespace, command_module: Callable[[str], ModuleType]) -> int:
    """Print the completion."""
    commands = {name: parser_of(name, command_module(name)).actions() for name in COMMANDS}
    write({"bash": bash, "zsh": zsh, "fish": fish}[options.shell](commands))
    return exits.OK


def long_names(action: argparse.Action) -> list[str]:
    """Return the names of an option that are completed."""
    return [name for name in action.option_strings if name.startswith("--")]


def choices(action: argparse.Action) -> list[str]:
    """Return the possible values of an option."""
    return [str(one) for one in action.choices or ()]


def bash(commands: dict[str, list[argparse.Action]]) -> str:
    """Return the completion for bash."""
    lines = [
        "_bunraku() {",
        '    local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
        "    local words=",
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f'        COMPREPLY=($(compgen -W "{" ".join(commands)}" -- "$current")); return',
        "    fi",
        '    case "${COMP_WORDS[1]} $before" in',
    ]
    for name, actions in commands.items():
        for action in actions:
            if action.choices and action.option_strings:
                patterns = "|".join(f"'{name} {one}'" for one in action.option_strings)
                lines.append(f"        {patterns}) words='{' '.join(choices(action))}' ;;")
    lines += [
        "    esac",
        '    if [ -n "$words" ]; then',
        '        COMPREPLY=($(compgen -W "$words" -- "$current")); return',
        "    fi",
        '    case "${COMP_WORDS[1]}" in',
    ]
    for name, actions in commands.items():
        words = [one for action in actions for one in long_names(action)]
        words += [one for action in actions if not action.option_strings for one in choices(action)]
        lines.append(f"        {name}) words='{' '.join(words)}' ;;")
    lines += [
        "    esac",
        '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "}",
        "complete -o default -F _bunraku bunraku",
    ]
    return "\n".join(lines) + "\n"


def zsh(commands: dict[str, list[argparse.Action]]) -> str:
    """Return the completion for zsh, which can read that of bash."""
    return (
        "#compdef bunraku\n"
        "autoload -U +X compinit && compinit -C\n"
        "autoload -U +X bashcompinit && bashcompinit\n"
        f"{bash(commands)}"
    )


def fish(commands: dict[str, list[argparse.Action]]) -> str:
    """Return the completion for fish, with the help texts."""
    lines = [
        f"complete -c bunraku -n __fish_use_subcommand -f -a {name} -d {quoted(text)}"
        for name, text in COMMANDS.items()
    ]
    for name, actions in commands.items():
        here = f"complete -c bunraku -n '__fish_seen_subcommand_from {name}'"
        for action in actions:
            values = f" -x -a {quoted(' '.join(choices(action)))}" if action.choices else ""
            takes = " -r" if action.nargs != 0 and not values else ""
            text = f" -d {quoted(action.help)}" if action.help else ""
            words = [one.removeprefix("--") for one in long_names(action)]
            lines += [f"{here} -l {word}{values}{takes}{text}" for word in words]
            if not action.option_strings and values:
                lines.append(f"{here}{values}")
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """Return a text in quotes as fish reads it.

    >>> quoted("it's")
    "'it\\\\'s'"
    """
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
