"""From the words of a call of ``puppet`` to the function of its action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError, package_missing
from bunraku.cli import exits
from bunraku.cli.output.output import write

ACTIONS = {
    "catalog": ("compile", "find"),
    "config": ("delete", "print", "set"),
    "epp": ("dump", "render", "validate"),
    "facts": ("find", "info", "show"),
    "module": ("list",),
    "node": ("clean", "deactivate", "purge"),
    "parser": ("dump", "validate"),
}
"""Subcommand → its actions."""
APPLICATIONS = ("describe", "filebucket", "lookup")
"""Subcommands without actions."""
DEFAULT_ACTIONS = {"facts": "show"}
"""Subcommand → the action that runs without its name."""
FORWARDED = ("apply", "agent", "resource", "ssl")
"""Subcommands of Puppet that are commands of bunraku with the same options."""
SUBCOMMANDS = tuple(sorted([*ACTIONS, *APPLICATIONS, *FORWARDED]))
HELP = """\
Usage: puppet <subcommand> [options] <action> [options]

bunraku runs these subcommands of Puppet:

{actions}
These are the commands of bunraku with the same names:

{forwarded}
"""


RunCommand = Callable[[Sequence[str]], int]
"""Runs a command of bunraku: its name and the words after it."""


def run(words: Sequence[str], run_command: RunCommand) -> int:
    """Run a call of ``puppet``; return its exit code. UsageError for what is not supported."""
    if words[:1] in (["--version"], ["-V"]):
        write(f"{version()}\n")
        return exits.OK
    if not words or words[0] in {"help", "--help", "-h"}:
        return helped(list(words[1:]), run_command)
    if words[0] in FORWARDED:
        return run_command(words)
    if words[0] in APPLICATIONS:
        return called(words[0], "", words[1:])
    return face(words[0], list(words[1:]))


def face(name: str, rest: list[str]) -> int:
    """Run an action of a subcommand; options may stand before the action."""
    actions = ACTIONS.get(name, ())
    if not actions:
        near = suggestion(name, SUBCOMMANDS)
        raise UsageError(f"the subcommand '{name}' is not supported{near}", "puppet")
    at = next((index for index, word in enumerate(rest) if word in actions), None)
    if at is None and name in DEFAULT_ACTIONS:
        return called(name, DEFAULT_ACTIONS[name], rest)
    if at is None:
        word = next((word for word in rest if not word.startswith("-")), "")
        raise UsageError(
            f"'{name}' has no action '{word}'; use one of {', '.join(actions)}", "puppet"
        )
    return called(name, rest.pop(at), rest)


def called(name: str, action: str, words: Sequence[str]) -> int:
    """Import the function of an action, or of a subcommand without actions, and run it."""
    function: Callable[[Sequence[str]], int]
    match name, action:
        case "catalog", "compile":
            from bunraku.cli.puppet.catalog import compile_node as function
        case "catalog", "find":
            from bunraku.cli.puppet.catalog import find as function
        case "config", "delete":
            from bunraku.cli.puppet.config import delete as function
        case "config", "print":
            from bunraku.cli.puppet.config import print_settings as function
        case "config", "set":
            from bunraku.cli.puppet.config import change as function
        case "epp", "dump":
            from bunraku.cli.puppet.epp import dump as function
        case "epp", "render":
            from bunraku.cli.puppet.epp import render as function
        case "epp", "validate":
            from bunraku.cli.puppet.epp import validate as function
        case "facts", "find":
            from bunraku.cli.puppet.facts import find as function
        case "facts", "info":
            from bunraku.cli.puppet.facts import info as function
        case "facts", "show":
            from bunraku.cli.puppet.facts import show as function
        case "module", "list":
            from bunraku.cli.puppet.module import list_modules as function
        case "node", _:
            try:
                from bunraku.cli.puppet.node import retire
            except ModuleNotFoundError as error:
                raise package_missing(error, "cryptography", "puppet node") from None
            function = partial(retire, action)
        case "parser", "dump":
            from bunraku.cli.puppet.dump import dump as function
        case "parser", "validate":
            from bunraku.cli.puppet.parser import validate as function
        case "describe", _:
            from bunraku.cli.puppet.describe import describe as function
        case "filebucket", _:
            from bunraku.cli.puppet.filebucket import run_mode as function
        case "lookup", _:
            from bunraku.cli.puppet.lookup import look_keys_up as function
        case _:
            raise KeyError(name, action)
    return function(words)


def helped(words: list[str], run_command: RunCommand) -> int:
    """Print the help of an action, the actions of a subcommand, or the subcommands."""
    if not words:
        write(help_text())
        return exits.OK
    if words[0] in FORWARDED:
        return run_command([words[0], "--help"])
    if words[0] in APPLICATIONS:
        return called(words[0], "", ["--help"])
    actions = ACTIONS.get(words[0], ())
    if actions and not words[1:]:
        listed = "".join(f"  {one}\n" for one in actions)
        write(f"Usage: puppet {words[0]} <action>\n\n{listed}")
        return exits.OK
    return face(words[0], [*words[1:], "--help"])


def version() -> str:
    """Return the version of Puppet whose language is chosen: by BUNRAKU_LANGUAGE or bunraku.toml."""
    from bunraku.cli.options.puppet_call import call_of, parser_for

    return call_of(parser_for("--version", ""), [], "user").dialect.version


def help_text() -> str:
    """Return the list of subcommands."""
    faces = [f"{face} {action}" for face, actions in ACTIONS.items() for action in actions]
    actions = "".join(f"  {one}\n" for one in sorted([*faces, *APPLICATIONS]))
    return HELP.format(actions=actions, forwarded="".join(f"  {name}\n" for name in FORWARDED))
